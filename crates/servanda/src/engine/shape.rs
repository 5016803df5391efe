//! What the shape of a model says about which engine suits it.

use std::time::Duration;

use servanda_model::{Arithmetic, Domain, Expr, Model};

/// Diagrams of products of numbers of so many bits are made in less time than it takes to start a solver.
const NARROW: u32 = 5;

/// What the diagrams of a product of [`NARROW`] bits take; every further bit makes that four times as much.
const NARROW_TAKES: Duration = Duration::from_millis(25);

/// For how long a solver is given the model alone, where it multiplies or divides numbers that vary: whatever the order of
/// variables, diagrams of products are exponential (Bryant, "On the complexity of VLSI implementations and graph
/// representations of Boolean functions with application to integer multiplication"). About as long as the diagrams would
/// take, so that not much is lost where the solver fails. `None` where there is no such product.
pub(super) fn patience(model: &Model) -> Option<Duration> {
    let wide = |domain: &Domain| domain.high().abs_diff(domain.low()) >> NARROW > 0;
    // Most models have no wide variables, and some have expressions of many megabytes.
    if !model.variables.iter().any(|variable| wide(&variable.domain)) {
        return None;
    }
    let commands = model.behaviour.commands().iter().flat_map(|command| {
        std::iter::once(&command.guard).chain(command.updates.iter().map(|(_, value)| value))
    });
    let programs = model.behaviour.programs().iter();
    let lines = programs.flat_map(|program| program.evolution.iter().flat_map(|block| &block.lines));
    let lines = lines
        .flat_map(|line| std::iter::once(&line.guard).chain(line.updates.iter().map(|(_, value)| value)));
    let bits = commands.chain(lines).map(|expr| product_bits(model, expr)).max().unwrap_or(0);
    let beyond = bits.saturating_sub(NARROW);
    (beyond > 0).then(|| NARROW_TAKES * 4_u32.saturating_pow(beyond.min(12)))
}

/// The bits of the narrower side of the widest product or quotient of two things that vary; 0 where there is none.
fn product_bits(model: &Model, expr: &Expr) -> u32 {
    let inside = expr.operands().map(|operand| product_bits(model, operand)).max().unwrap_or(0);
    match expr {
        Expr::Arithmetic(Arithmetic::Multiply | Arithmetic::Divide | Arithmetic::Remainder, left, right) => {
            inside.max(varying_bits(model, left).min(varying_bits(model, right)))
        }
        _ => inside,
    }
}

/// The bits of the widest variable that an expression reads.
fn varying_bits(model: &Model, expr: &Expr) -> u32 {
    let mut bits = 0;
    expr.for_each_variable(&mut |variable| {
        let domain = &model.variable(variable).domain;
        bits = bits.max(u64::BITS - domain.high().abs_diff(domain.low()).leading_zeros());
    });
    bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Loaded;

    fn patience_with(text: &str) -> Option<Duration> {
        let text = format!(
            "protocol P\nroles A\nvar x, y : 0..200 = 0\nvar z : 0..40000 = 0\nstart s\ns -- A: a {text} --> s\n"
        );
        patience(
            Loaded::read(crate::Language::Pact, "p.pact", text, crate::Choices::default())
                .expect("a model")
                .model(),
        )
    }

    #[test]
    fn diagrams_wait_where_two_wide_numbers_are_multiplied() {
        let product = patience_with("set z = x * y").expect("a product");
        assert!(product >= Duration::from_millis(500));
        assert_eq!(patience_with("when x * y = 77 set z = 1"), Some(product));
        assert_eq!(patience_with("when x > 2 set x = z % y"), Some(product));
    }

    #[test]
    fn sums_and_multiples_are_no_reason_to_wait() {
        assert_eq!(patience_with("set z = x + y"), None);
        assert_eq!(patience_with("set z = 3 * x - y"), None);
    }
}

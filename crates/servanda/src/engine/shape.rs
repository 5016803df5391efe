//! What the shape of a model says about which engine suits it, and how much of it is looked at in no time.

use std::time::Duration;

use servanda_engine::{Budget, Halt, Limited};
use servanda_model::{Arithmetic, Behaviour, Domain, Expr, Layout, Model, States};

use super::registry::Ready;

/// Diagrams of products of numbers of so many bits are made in less time than it takes to start a solver.
const NARROW: u32 = 5;

/// What the diagrams of a product of [`NARROW`] bits take; every further bit makes that four times as much.
const NARROW_TAKES: Duration = Duration::from_millis(25);

/// Where several engines could work, so many states and transitions are looked at before anything is decided: that takes no time, most
/// models have no more, and then everything is known about them. What is told of a model beside verdicts rests on these and some more,
/// whoever decides. Bounds of the model's numbers and not of time, so that every run says the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Few {
    pub(crate) states: u64,
    pub(crate) transitions: u64,
    /// Is it found out in no time who is alike? Then fewer states stand for all.
    alike: bool,
    /// So many states, and transitions, are visited for what is told of a model beside verdicts.
    told: (u64, u64),
}

/// So many where steps take no longer than usual.
pub(crate) const FEW_STATES: u64 = 8000;
const FEW_TRANSITIONS: u64 = 25_000;

/// So many times as much takes less than ten milliseconds where commands take steps; rounds take longer.
const TOLD: u64 = 3;

/// The same where conditions and assignments together have no more nodes than these. Where they have more, less is visited in proportion,
/// down to what is looked at first.
const LITTLE_SIZE: u64 = 170;

/// Where all conditions and assignments together have more nodes than these, a step takes longer in proportion.
const USUAL_SIZE: u64 = 1 << 12;

/// In a round all agents look at everything, where a command's step looks at a part of it: so many nodes are evaluated at most.
const NODES_IN_ROUNDS: u64 = 1 << 23;

/// Expressions are counted up to so many nodes.
const MOST_NODES: u64 = 1 << 20;

/// Who is alike is looked for by trying each of those there are with another, and looking at the whole model each time.
const SOON_COMPARED: u64 = 1 << 15;

/// So many initial states are listed in a few milliseconds.
const FEW_CHOICES: u64 = 1 << 15;

/// Where there may be more, a choice of a value is tried so often before it is taken for granted that there are.
const FEW_TRIES: u64 = 1 << 13;

impl Few {
    pub(super) fn new(model: &Model) -> Self {
        let size = size(model).max(1);
        let alike = size * (model.variables.len() + model.agents.len()) as u64 <= SOON_COMPARED;
        match model.behaviour {
            Behaviour::Commands(_) => {
                let part = |few: u64| (few * USUAL_SIZE / size.max(USUAL_SIZE)).max(1);
                let (states, transitions) = (part(FEW_STATES), part(FEW_TRANSITIONS));
                let told =
                    |few: u64, first: u64| (few * TOLD * LITTLE_SIZE / size.max(LITTLE_SIZE)).max(first);
                let told = (told(FEW_STATES, states), told(FEW_TRANSITIONS, transitions));
                Few { states, transitions, alike, told }
            }
            Behaviour::Rounds(_) => {
                let evaluated = if size < MOST_NODES { evaluated_in_round(model) } else { size };
                let rounds = (NODES_IN_ROUNDS / evaluated.max(1)).clamp(1, FEW_STATES);
                Few { states: rounds, transitions: rounds, alike, told: (rounds, rounds) }
            }
        }
    }

    /// How many are visited for what is told of a model beside verdicts.
    pub(crate) fn told(self) -> Self {
        Few { states: self.told.0, transitions: self.told.1, ..self }
    }

    /// Lets an engine visit states as long as there are few.
    ///
    /// # Errors
    ///
    /// As for [`servanda_engine::Engine::explore`]; where there are more, a bound was reached or not all states are known.
    pub(crate) fn visit(self, engine: &mut Ready<'_>, budget: &dyn Budget) -> Result<(), Halt> {
        let budget = Limited::new(budget).space(self.states, self.transitions);
        if self.alike { engine.explore(&budget) } else { engine.look(self.states, &budget) }
    }
}

/// The nodes of all conditions and assignments of a model, up to many.
fn size(model: &Model) -> u64 {
    let mut left = MOST_NODES as usize;
    for_each_expression(model, &mut |expr| left -= expr.size_up_to(left));
    MOST_NODES - left as u64
}

/// About how many nodes are evaluated in a round.
fn evaluated_in_round(model: &Model) -> u64 {
    let mut nodes = 0.0;
    for_each_expression(model, &mut |expr| nodes += evaluated(expr));
    nodes as u64
}

/// About how many nodes of an expression are evaluated: what comes later in a conjunction or disjunction is often not needed any more, and
/// of alternatives one is.
fn evaluated(expr: &Expr) -> f64 {
    let all = |parts: &[Expr]| parts.iter().map(evaluated).sum::<f64>();
    match expr {
        Expr::And(parts) | Expr::Or(parts) => {
            parts.iter().rev().fold(0.0, |rest, part| evaluated(part) + rest / 2.0)
        }
        Expr::If(condition, then, otherwise) => {
            1.0 + evaluated(condition) + (evaluated(then) + evaluated(otherwise)) / 2.0
        }
        Expr::Select { index, options, .. } => {
            1.0 + evaluated(index) + all(options) / options.len().max(1) as f64
        }
        _ => 1.0 + expr.operands().map(evaluated).sum::<f64>(),
    }
}

/// Calls `see` with the conditions and values of all steps.
fn for_each_expression<'m>(model: &'m Model, see: &mut impl FnMut(&'m Expr)) {
    for command in model.behaviour.commands() {
        see(&command.guard);
        command.updates.iter().for_each(|(_, value)| see(value));
    }
    for program in model.behaviour.programs() {
        program.permissions.iter().for_each(|permission| see(&permission.condition));
        for line in program.evolution.iter().flat_map(|block| &block.lines) {
            see(&line.guard);
            line.updates.iter().for_each(|(_, value)| see(value));
        }
    }
}

/// Are the initial states listed in no time? A condition may rule out most of very many.
pub(crate) fn are_initial_states_soon_listed(model: &Model) -> bool {
    let choices = model.variables.iter().map(|variable| variable.initial.len() as u64);
    if choices.fold(1, u64::saturating_mul) <= FEW_CHOICES {
        return true;
    }
    let (mut listed, mut tried) = (States::initial(model, &Layout::new(model)), 0);
    let mut try_one = || {
        tried += 1;
        if tried <= FEW_TRIES { Ok(()) } else { Err(()) }
    };
    loop {
        match listed.try_next(&mut try_one) {
            Ok(Some(_)) => {}
            Ok(None) => return true,
            Err(()) => return false,
        }
    }
}

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
    let mut bits = 0;
    for_each_expression(model, &mut |expr| bits = bits.max(product_bits(model, expr)));
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

    fn model(text: &str) -> Loaded {
        let text = format!("protocol P\nroles A\n{text}");
        Loaded::read(crate::Language::Pact, "p.pact", text, crate::Choices::default()).expect("a model")
    }

    #[test]
    fn fewer_states_are_few_where_steps_take_longer() {
        let step = "s -- A: a when (sum i in 1..40 : x[i]) > 0 set x[1] = 0 --> s\n";
        let steps = |count: usize| {
            let text = format!("var x[1..40] : 0..1 = 0\nstart s\n{}", step.repeat(count));
            Few::new(model(&text).model())
        };
        assert_eq!(
            steps(1),
            Few {
                states: FEW_STATES,
                transitions: FEW_TRANSITIONS,
                alike: true,
                told: (TOLD * FEW_STATES, TOLD * FEW_TRANSITIONS)
            }
        );
        assert_eq!(steps(20).told().states, FEW_STATES, "what takes longer is not visited again and again");
        let many = steps(400);
        assert!(many.states < FEW_STATES / 4 && many.transitions < FEW_TRANSITIONS / 4, "{many:?}");
        assert!(!many.alike);
        let rounds = include_str!("../../../../examples/dining3.ispl");
        let rounds = Loaded::read(crate::Language::Ispl, "d.ispl", rounds, crate::Choices::default());
        let rounds = Few::new(rounds.expect("a model").model());
        assert!(rounds.states == rounds.transitions && (500..=FEW_STATES).contains(&rounds.states));
    }

    #[test]
    fn initial_states_are_soon_listed_where_a_condition_leaves_few_of_very_many() {
        let listed = |condition: &str| {
            let text =
                format!("var x[1..40] : 0..1\ninit {condition}\nstart s\ns -- A: a set x[1] = 0 --> s\n");
            are_initial_states_soon_listed(model(&text).model())
        };
        assert!(listed("(sum i in 1..40 : x[i]) <= 1"));
        assert!(!listed("(sum i in 1..40 : x[i]) <= 12"));
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

//! Formulas over the agents of a system.

use servanda_logic::{At, Formula, Kind, Reference, parse_formula};
use servanda_model::Model;
use servanda_syntax::{Diagnostic, Span};

/// Reads a formula.
///
/// Processes are often called `A` or `P`, which are operators too. Where there are several machines, `in S` without a
/// machine means nothing, so `P in S` can only be about the machine `P`.
pub(crate) fn parse(text: &str, model: &Model) -> Result<Formula, Vec<Diagnostic>> {
    let formula = parse_formula(text)?;
    if model.machines.len() < 2 {
        return Ok(formula);
    }
    Ok(with_machines(&formula, text, model))
}

fn with_machines(formula: &Formula, text: &str, model: &Model) -> Formula {
    if let Kind::Unary(operator, operand) = formula.kind()
        && let Kind::At(At { machine: None, location }) = operand.kind()
        && let Some(span) = word_before(text, operand.span())
        && text.get(span.start as usize..span.end as usize) == Some(operator.symbol())
        && model.find_machine(operator.symbol()).is_some()
    {
        let machine = Some(Reference::plain(operator.symbol(), span));
        return Formula::new(Kind::At(At { machine, location: location.clone() }), span.to(operand.span()));
    }
    formula.map_children(|child| with_machines(child, text, model))
}

/// The place of the word before an `in`, if nothing stands between the two.
fn word_before(text: &str, place: Span) -> Option<Span> {
    let (before, after) = text.split_at_checked(place.start as usize)?;
    if !after.starts_with("in") {
        return None;
    }
    let before = before.trim_end();
    let start = before
        .rfind(|c: char| !c.is_alphanumeric() && c != '_')
        .map_or(0, |at| at + before[at..].chars().next().map_or(0, char::len_utf8));
    Some(Span::new(start, before.len()))
}

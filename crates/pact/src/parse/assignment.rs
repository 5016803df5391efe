//! What stands after `set`.

use servanda_logic::Parser;
use servanda_syntax::{Code, Diagnostic};

use super::statement::{reference, values};
use crate::ast::{Assignment, Name};

/// Deepest nesting of `all` in an assignment.
const DEEPEST_NESTING: usize = 20;

/// `x = e`, `x in 2..4`, `x in {calm, cross}`, `all i in 1..N : x[i] = e`
pub(super) fn assignment(parser: &mut Parser<'_>) -> Option<Assignment> {
    let mut repetitions = Vec::new();
    while parser.at("all") && parser.word(1).is_some() && parser.at_nth(2, "in") {
        let start = parser.bump();
        if repetitions.len() >= DEEPEST_NESTING {
            let error = Diagnostic::error(Code::NestingTooDeep, "this is nested too deeply", start);
            parser.report(error.help(format!("{DEEPEST_NESTING} levels are read")));
            return None;
        }
        let (text, span) = parser.name("an index")?;
        parser.bump();
        let low = parser.arithmetic()?;
        parser.expect("..")?;
        let high = parser.arithmetic()?;
        parser.expect(":")?;
        repetitions.push((Name { text, span }, low, high));
    }
    let target = reference(parser, "a variable")?;
    let one = if parser.eat("in") {
        Assignment::OneOf { target, values: values(parser)? }
    } else if parser.at_equals() {
        parser.equals()?;
        Assignment::Is { target, value: parser.formula()? }
    } else {
        return parser.unexpected("`=` or `in`");
    };
    let repeated = |body, (index, low, high)| Assignment::Each { index, low, high, body: Box::new(body) };
    Some(repetitions.into_iter().rev().fold(one, repeated))
}

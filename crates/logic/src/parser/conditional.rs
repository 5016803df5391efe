//! `if φ then a else b`, `min(a, b)` and `max(a, b)`.

use servanda_syntax::{Code, Diagnostic};

use super::{Failure, Parser};
use crate::tree::{Binary, Formula, Kind};

/// How many tokens ahead the `then` of an `if` is looked for.
const LONGEST_CONDITION: usize = 1000;

impl Parser<'_> {
    /// Does a conditional begin here? `if` is a name unless an operand and `then` follow.
    pub(super) fn conditional_ahead(&self) -> bool {
        if self.word(0) != Some("if") || !self.operand_ahead(1, false) {
            return false;
        }
        let (mut open, mut ahead) = (0_usize, 0);
        while ahead < LONGEST_CONDITION {
            ahead += 1;
            match self.spelling(ahead) {
                // The commas of `<A, B>` separate agents; in `x < y then z > 1` there are none.
                "<" => {
                    let group = self.coalition_ahead(ahead).unwrap_or(0);
                    if (ahead..ahead + group).all(|inside| !self.at_nth(inside, "then")) {
                        ahead += group;
                    }
                }
                "(" | "[" | "{" => open += 1,
                ")" | "]" | "}" if open == 0 => return false,
                ")" | "]" | "}" => open -= 1,
                "" | "-->" | ";" => return false,
                "," if open == 0 => return false,
                "then" if open == 0 => return true,
                word if self.begins_statement(word, ahead) => return false,
                _ => {}
            }
        }
        // So long a condition is one.
        true
    }

    /// Does a word end the part of a conditional that is being read?
    pub(super) fn divides(&self, word: &str) -> bool {
        self.conditionals > 0 && matches!(word, "then" | "else")
    }

    /// `if φ then a else b`; what follows `else` extends as far to the right as possible.
    pub(super) fn conditional(&mut self) -> Option<Formula> {
        let start = self.bump();
        self.conditionals += 1;
        let parts = self.formula().and_then(|condition| {
            self.expect("then")?;
            Some((condition, self.formula()?))
        });
        let complete = parts.is_some() && self.eat("else");
        self.conditionals -= 1;
        let (condition, then) = parts?;
        if !complete {
            return self.without_else(start.to(then.span()), &condition, &then);
        }
        let otherwise = self.formula()?;
        let span = start.to(otherwise.span());
        self.grown(Formula::new(Kind::If(condition, then, otherwise), span))
    }

    #[cold]
    fn without_else(
        &mut self,
        span: servanda_syntax::Span,
        condition: &Formula,
        then: &Formula,
    ) -> Option<Formula> {
        let error = Diagnostic::error(Code::UnexpectedToken, "this `if` has no `else`", span);
        self.report(error.help(format!(
            "write `if {condition} then {then} else ..`; for \"if this then that\" as a condition write `->`"
        )));
        Some(then.clone())
    }

    /// The two operands of `min` or `max`.
    pub(super) fn called(&mut self, op: Binary) -> Result<Kind, Failure> {
        self.arguments(op.symbol(), &["a number", "another one"], &[2])?;
        self.enclosed(")", |parser| {
            let left = parser.arithmetic()?;
            parser.expect(",")?;
            let right = parser.arithmetic()?;
            Some(Kind::Binary(op, left, right))
        })
    }
}

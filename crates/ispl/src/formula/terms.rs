//! What formulas say of variables: `Agent.GreenStates`, `Agent.x`, `Agent.x = 3`.

use servanda_logic::{Binary, Formula, Kind, Reference};
use servanda_syntax::{Code, Diagnostic, Span};

use super::Parser;

impl Parser<'_> {
    /// `Agent.GreenStates`, `Agent.RedStates`, or a variable, alone or compared with something.
    pub(super) fn dotted(&mut self, start: Span) -> Option<Formula> {
        let left = self.variable()?;
        self.compared(left, start)
    }

    /// A comparison that begins with a number.
    pub(super) fn comparison(&mut self, start: Span) -> Option<Formula> {
        let left = self.side()?;
        if self.relation().is_none() {
            return self.cursor.unexpected("a comparison");
        }
        self.compared(left, start)
    }

    fn compared(&mut self, left: Formula, start: Span) -> Option<Formula> {
        let Some(relation) = self.relation() else { return Some(left) };
        self.cursor.bump();
        let right = self.side()?;
        let span = start.to(right.span());
        Some(Formula::new(Kind::Binary(relation, left, right), span))
    }

    fn relation(&self) -> Option<Binary> {
        Binary::written(self.cursor.spelling(0)).filter(|op| op.is_comparison())
    }

    /// One side of a comparison.
    fn side(&mut self) -> Option<Formula> {
        let start = self.cursor.span();
        let negative = self.cursor.eat("-");
        match (self.cursor.number(), self.cursor.word(0)) {
            (Some(value), _) => {
                let span = start.to(self.cursor.bump());
                Some(Formula::new(Kind::Int(if negative { -value } else { value }), span))
            }
            (_, Some(word @ ("true" | "false"))) if !negative => {
                self.cursor.bump();
                Some(Formula::new(Kind::Bool(word == "true"), start))
            }
            (_, Some(_)) if !negative && self.cursor.at_nth(1, ".") => self.variable(),
            (_, Some(word)) if !negative && self.is_literal(word) => {
                let name = self.cursor.name("a value")?;
                Some(Formula::new(Kind::Name(Reference::plain(&name.text, start)), start))
            }
            _ => self.cursor.unexpected("a value or a variable"),
        }
    }

    fn is_literal(&self, name: &str) -> bool {
        self.model.variables.iter().any(|variable| variable.domain.literal(name).is_some())
    }

    fn variable(&mut self) -> Option<Formula> {
        let agent = self.cursor.name("the name of an agent")?;
        self.cursor.expect(".")?;
        let name = self.cursor.name("`GreenStates`, `RedStates` or a variable")?;
        let span = agent.span.to(name.span);
        let full = format!("{}.{}", agent.text, name.text);
        let known = self.model.find_variable(&full).is_some()
            || self.model.propositions.iter().any(|proposition| proposition.name == full);
        if !known && !self.excused.contains(&agent.text) && !self.excused.contains(&name.text) {
            let error = if self.model.find_agent(&agent.text).is_none() {
                let agents = self.model.agents.iter().map(|agent| agent.name.as_str());
                Diagnostic::unknown("agent", &agent.text, agent.span, agents)
            } else {
                let message = format!("`{}` has no variable called `{}`", agent.text, name.text);
                let prefix = format!("{}.", agent.text);
                let own = self.model.variables.iter().filter_map(|v| v.name.strip_prefix(&prefix));
                let known = own.chain(["GreenStates", "RedStates"]);
                Diagnostic::error(Code::UnknownName, message, name.span).suggest(&name.text, known)
            };
            self.cursor.report(error);
        }
        Some(Formula::new(Kind::Name(Reference::plain(&full, span)), span))
    }
}

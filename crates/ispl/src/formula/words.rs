//! Words in formulas: operators, and names that are spelled like operators.

use servanda_logic::{
    ActionPattern, Epistemic, EpistemicOp, Formula, Goal, Group, Kind, LabelPattern, Reference, Strategic,
    Unary, is_state_formula, prefix,
};
use servanda_syntax::{Code, Diagnostic, Span};

use super::{EQUIVALENCE, Mode, Parser};

impl Parser<'_> {
    pub(super) fn word(&mut self, start: Span) -> Option<Formula> {
        let word = self.cursor.word(0).unwrap_or("");
        // `Agent.x`, whatever the agent is called.
        if self.cursor.at_nth(1, ".") {
            return self.dotted(start);
        }
        match word {
            "true" | "false" => {
                self.cursor.bump();
                return Some(Formula::new(Kind::Bool(word == "true"), start));
            }
            "and" | "or" | "if" | "end" => return self.cursor.unexpected("a formula"),
            _ => {}
        }
        if self.cursor.at_nth(1, "(") {
            if let Some(op) = EpistemicOp::written(word) {
                return self.epistemic(op, start);
            }
            if word == "does" {
                return self.does(start);
            }
            if self.at_act() {
                return self.act_formula(start);
            }
        }
        let operators = match prefix(word) {
            Some(operators) if word != "not" && (!self.is_proposition(word) || self.operand_follows()) => {
                operators
            }
            _ => return self.proposition(start),
        };
        self.cursor.bump();
        self.no_bound(start)?;
        let mut formula = self.prefixed()?;
        for op in operators.iter().rev() {
            formula = self.unary(*op, formula, start)?;
        }
        Some(formula)
    }

    fn is_proposition(&self, name: &str) -> bool {
        self.model.propositions.iter().any(|proposition| proposition.name == name)
            || self.model.named_commitments.iter().any(|commitment| commitment.name == name)
    }

    /// Does an operand follow the current token?
    pub(super) fn operand_follows(&self) -> bool {
        let starts = |ahead| match self.cursor.spelling(ahead) {
            "(" | "[" | "!" | "<" => true,
            text => self.cursor.word(ahead).is_some() && !matches!(text, "and" | "or"),
        };
        match self.cursor.word(1) {
            // `p U q` with a proposition called `p`, or the operator `p` before a proposition called `U`.
            Some("U" | "W" | "R" | "S") => !starts(2),
            _ => starts(1),
        }
    }

    fn proposition(&mut self, start: Span) -> Option<Formula> {
        let name = self.cursor.name("a formula")?;
        if !self.is_proposition(&name.text) {
            if self.excused.contains(&name.text) {
                // Reported where it should have been declared; `true` keeps the rest of the formula readable.
                return Some(Formula::new(Kind::Bool(true), start));
            }
            let message = format!("no proposition is called `{}`", name.text);
            let error = Diagnostic::error(Code::UnknownName, message, start);
            let known = self.model.propositions.iter().map(|proposition| proposition.name.as_str());
            let error = match name.text.as_ref() {
                "not" | "NOT" | "Not" => error.help("write `!`"),
                text => error.suggest(text, known),
            };
            self.cursor.report(error);
            // Go on, so that all mistakes of the formula are found.
        }
        Some(Formula::new(Kind::Name(Reference::plain(&name.text, start)), start))
    }

    pub(super) fn agent(&mut self) -> Option<Reference> {
        let name = self.cursor.name("the name of an agent")?;
        self.check(&name.text, name.span, "agent");
        Some(Reference::plain(&name.text, name.span))
    }

    /// Reports a name that no agent has, nor a group where one may stand.
    fn check(&mut self, name: &str, span: Span, what: &str) {
        let groups = self.model.groups.iter().filter(|_| what == "group").map(|group| group.name.as_str());
        let known = self.model.agents.iter().map(|agent| agent.name.as_str()).chain(groups);
        if !known.clone().any(|known| known == name) && !self.excused.contains(name) {
            self.cursor.report(Diagnostic::unknown(what, name, span, known));
        }
    }

    /// A declared group, an agent, or a list of agents.
    fn group(&mut self) -> Option<Group> {
        if self.cursor.eat("{") {
            let mut members = vec![self.agent()?];
            while self.cursor.eat(",") {
                members.push(self.agent()?);
            }
            self.cursor.expect("}")?;
            return Some(Group::Listed(members));
        }
        let name = self.cursor.name("the name of a group")?;
        self.check(&name.text, name.span, "group");
        Some(Group::Named(Reference::plain(&name.text, name.span)))
    }

    /// A group and a comma, if they stand here; otherwise everybody.
    fn optional_group(&mut self) -> Option<Group> {
        let named = self.cursor.word(0).is_some() && self.cursor.at_nth(1, ",");
        if !named && !self.cursor.at("{") {
            return Some(Group::Everybody);
        }
        let group = self.group()?;
        self.cursor.expect(",")?;
        Some(group)
    }

    fn epistemic(&mut self, op: EpistemicOp, start: Span) -> Option<Formula> {
        self.cursor.bump();
        self.cursor.expect("(")?;
        self.cursor.deeper()?;
        let agent = if op.has_agent() { Some(self.agent_and_comma()?) } else { None };
        let group = if op.has_group() { Some(self.optional_group()?) } else { None };
        let body = self.operators(EQUIVALENCE)?;
        self.cursor.shallower();
        let end = self.cursor.expect(")")?;
        // Of a path formula it is known that it holds on all paths.
        let body = match self.mode {
            Mode::Path if !is_state_formula(&body) => body.unary(Unary::ForAll),
            _ => body,
        };
        let formula = Formula::new(Kind::Epistemic(Epistemic { op, agent, group, body }), start.to(end));
        self.grown(formula)
    }

    fn agent_and_comma(&mut self) -> Option<Reference> {
        let agent = self.agent()?;
        self.cursor.expect(",")?;
        Some(agent)
    }

    /// `does(_)`, `does(action)`, `does(Agent.action)`.
    fn does(&mut self, start: Span) -> Option<Formula> {
        self.cursor.bump();
        self.cursor.expect("(")?;
        if self.at_act() {
            let act = self.act()?;
            let end = self.cursor.expect(")")?;
            return Some(Formula::new(Kind::Does(LabelPattern::Act(act)), start.to(end)));
        }
        let first = self.cursor.name("an action, `Agent.action` or `_`")?;
        let pattern = if &*first.text == "_" {
            LabelPattern::Any
        } else {
            let first = Reference::plain(&first.text, first.span);
            let (agent, name) = if self.cursor.eat(".") {
                self.check(&first.name, first.span, "agent");
                let name = self.cursor.name("the name of an action")?;
                (Some(first), Reference::plain(&name.text, name.span))
            } else {
                (None, first)
            };
            LabelPattern::Action(ActionPattern { agent, ..ActionPattern::named(name) })
        };
        let end = self.cursor.expect(")")?;
        Some(Formula::new(Kind::Does(pattern), start.to(end)))
    }

    /// `<g>X f`, `<g>F f`, `<g>G f`, `<g>(f U h)`.
    pub(super) fn strategy(&mut self, start: Span) -> Option<Formula> {
        self.cursor.bump();
        let group = self.group()?;
        self.cursor.expect(">")?;
        let goal = match self.cursor.word(0) {
            Some(word @ ("X" | "F" | "G")) => {
                self.cursor.bump();
                let operand = self.prefixed()?;
                match word {
                    "X" => Goal::Next(operand),
                    "F" => Goal::Finally(operand),
                    _ => Goal::Globally(operand),
                }
            }
            _ if self.cursor.eat("(") => {
                self.cursor.deeper()?;
                // Here `U` is the loosest operator, whatever stands before the formula.
                let mode = std::mem::replace(&mut self.mode, Mode::Branching);
                let left = self.operators(EQUIVALENCE)?;
                self.cursor.expect("U")?;
                let right = self.operators(EQUIVALENCE)?;
                self.mode = mode;
                self.cursor.shallower();
                self.cursor.expect(")")?;
                Goal::Until(left, right)
            }
            _ => return self.cursor.unexpected("`X`, `F`, `G` or `(f U g)`"),
        };
        let span = start.to(self.cursor.previous_span());
        self.grown(Formula::new(Kind::Strategic(Strategic { group, goal }), span))
    }
}

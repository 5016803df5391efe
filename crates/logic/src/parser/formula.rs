//! Operators and how tightly they bind.

use servanda_syntax::{Code, Diagnostic, Span};

use super::Parser;
use super::slips::arithmetic_instead;
use crate::operator::{EQUIVALENCE, Level, SUM, TEMPORAL, prefix};
use crate::tree::{
    Binary, Bounded, Comprehension, Formula, Goal, Group, Join, Kind, Strategic, Unary, Within,
};

/// How many tokens ahead the end of a group is looked for: looking without limit at every `<` of a text would take time
/// in proportion to the square of its length.
const LONGEST_GROUP: usize = 1000;

impl Parser<'_> {
    /// Reads a formula or expression, as far as it goes.
    pub fn formula(&mut self) -> Option<Formula> {
        self.nested(|parser| parser.connected(EQUIVALENCE))
    }

    /// Reads an expression that ends before any comparison, such as an index or the bound of a range.
    pub fn arithmetic(&mut self) -> Option<Formula> {
        self.nested(|parser| parser.calculated(SUM))
    }

    /// Operands joined by connectives that bind at least as tightly as `loosest`.
    pub(super) fn connected(&mut self, loosest: Level) -> Option<Formula> {
        let mut left = self.prefixed()?;
        while let Some(op) = self.connective().filter(|op| op.level() >= loosest) {
            if let Some(join) = Join::of(op) {
                left = self.chain(left, join, Self::connective, Self::connected)?;
                continue;
            }
            self.bump();
            // Nothing but a bound can follow an `U` that stands after an operand.
            let bound = if op == Binary::Until { self.after_any("<=", Self::bound)? } else { None };
            let right = match op.groups_to_the_right() {
                true => self.nested(|parser| parser.connected(op.level()))?,
                false => self.connected(op.level() + 1)?,
            };
            left = match bound {
                Some(bound) => {
                    let span = left.span().to(right.span());
                    let goal = Within::Until(left, right);
                    self.grown(Formula::new(Kind::Bounded(Bounded { bound, goal }), span))?
                }
                None => self.grown(left.binary(op, right))?,
            };
        }
        Some(left)
    }

    /// `a & b & c ...`, from the first operator on. It leans to the left, as it is read by everybody; but a long one is one node with
    /// many operands, so that its tree is low.
    fn chain(
        &mut self,
        first: Formula,
        join: Join,
        operator: impl Fn(&mut Self) -> Option<Binary>,
        operand: impl Fn(&mut Self, Level) -> Option<Formula>,
    ) -> Option<Formula> {
        let op = join.operator();
        let mut operands = vec![first];
        while operator(self) == Some(op) {
            self.bump();
            operands.push(operand(self, op.level() + 1)?);
        }
        let joined = Formula::chain(join, operands)?;
        self.grown(joined)
    }

    /// The connective at the current token.
    fn connective(&mut self) -> Option<Binary> {
        // Before dashes a word is the control state at which the next transition of a protocol starts.
        if self.word(0).is_some() && self.at_nth(1, "--") {
            return None;
        }
        Binary::written(self.spelling(0)).filter(|op| op.level() <= TEMPORAL)
    }

    /// An operand with the operators in front of it.
    pub(super) fn prefixed(&mut self) -> Option<Formula> {
        let start = self.span();
        if let Some(read) = self.boxed() {
            return read;
        }
        if matches!(self.spelling(0), "<" | "!=") {
            return self.nested(Self::strategic);
        }
        if let Some(join @ (Join::Any | Join::All)) = self.comprehension_ahead() {
            return self.nested(|parser| parser.comprehension(join));
        }
        if self.bounded_ahead() {
            return self.nested(Self::bounded);
        }
        let word = self.word(0);
        let text = self.spelling(0);
        let operators = match prefix(text) {
            Some(operators) if matches!(text, "!" | "?") || text.ends_with(['-', '+']) && word.is_some() => {
                operators
            }
            Some(operators) if word.is_some() && self.operand_ahead(1, takes_bracket(text)) => operators,
            _ => return self.compared(),
        };
        self.bump();
        let mut formula = match self.at("[") && !self.at_nth(1, "]") && word.is_some() {
            // Only `A` and `E` get here with a bracket: `A[φ U ψ]`.
            true => self.grouped("]")?,
            false => self.nested(Self::prefixed)?,
        };
        let span = start.to(formula.span());
        for operator in operators.iter().rev() {
            formula = self.grown(Formula::new(Kind::Unary(*operator, formula), span))?;
        }
        Some(formula)
    }

    /// Does an operator with a bound start here, `AF<=k φ`? It is a comparison with a variable called `AF` where no operand follows.
    fn bounded_ahead(&self) -> bool {
        if !self.at_nth(1, "<=") || !self.word(0).is_some_and(takes_bound) {
            return false;
        }
        let after = match self.spelling(2) {
            "(" => self.closing(3).map(|close| close + 1),
            "-" => self.after_plain(3),
            _ => self.after_plain(2),
        };
        after.is_some_and(|after| self.operand_after_bound(after))
    }

    /// Where a number or a name that begins so far ahead ends.
    fn after_plain(&self, n: usize) -> Option<usize> {
        if self.number(n).is_some() {
            return Some(n + 1);
        }
        self.word(n)?;
        let mut after = n + 1;
        while self.at_nth(after, ".") && self.word(after + 1).is_some() {
            after += 2;
        }
        Some(after)
    }

    /// Does an operand begin so far ahead, and neither the rest of an expression nor what comes after the formula?
    fn operand_after_bound(&self, n: usize) -> bool {
        if self.at_nth(n, "-") || !self.operand_ahead(n, false) {
            return false;
        }
        let Some(word) = self.word(n) else { return true };
        // `when F <= 3 set x = 1` and `when F <= 3 with properties`: what a language says after a condition.
        let name_after = self.word(n + 1).is_some_and(|next| Binary::written(next).is_none());
        let clause = matches!(word, "set" | "with") && name_after;
        // The next line may begin a statement: with a word of its own, or a control state with indices.
        let statement = self.starts_line(n) && (self.begins_statement(word, n) || self.at_nth(n + 1, "["));
        !clause && !statement
    }

    /// `AF<=k φ` and its kin.
    fn bounded(&mut self) -> Option<Formula> {
        let start = self.span();
        let operators = prefix(self.spelling(0)).unwrap_or_default();
        self.skip(2);
        let bound = self.bound()?;
        let operand = self.nested(Self::prefixed)?;
        let span = start.to(operand.span());
        let goal = match operators.last() {
            Some(Unary::Globally) => Within::Globally(operand),
            _ => Within::Finally(operand),
        };
        let mut formula = self.grown(Formula::new(Kind::Bounded(Bounded { bound, goal }), span))?;
        for operator in operators.iter().rev().skip(1) {
            formula = self.grown(Formula::new(Kind::Unary(*operator, formula), span))?;
        }
        Some(formula)
    }

    /// The bound of an operator: a number, a name, or an expression in parentheses.
    fn bound(&mut self) -> Option<Formula> {
        let start = self.span();
        if self.at("-") {
            return self.negative();
        }
        if let Some(number) = self.number(0) {
            self.bump();
            return Some(Formula::new(Kind::Int(number), start));
        }
        if self.at("(") {
            return self.grouped(")");
        }
        if self.word(0).is_none() {
            return self.unexpected("a number of ticks (a number, a name, or an expression in parentheses)");
        }
        let name = self.reference()?;
        let span = name.span;
        Some(Formula::new(Kind::Name(name), span))
    }

    /// Can the token `n` ahead start an operand?
    pub(super) fn operand_ahead(&self, n: usize, bracket: bool) -> bool {
        match self.spelling(n) {
            "!" | "-" | "(" | "?" => true,
            "[" => bracket || self.at_nth(n + 1, "]"),
            "<" => self.coalition_ahead(n).is_some(),
            text => match self.word(n) {
                Some(word) => {
                    Binary::written(word).is_none() && !self.at_nth(n + 1, "--") && !self.divides(word)
                }
                None => text.starts_with(|c: char| c.is_ascii_digit()),
            },
        }
    }

    /// The number of tokens from a `<` that opens a group to the `>` that closes it; `None` if this is a comparison.
    pub(super) fn coalition_ahead(&self, n: usize) -> Option<usize> {
        let mut ahead = n + 1;
        if self.at_nth(ahead, "<") {
            ahead += 1;
        }
        let mut open = 0_usize;
        while ahead <= n + LONGEST_GROUP {
            match self.spelling(ahead) {
                "[" | "{" => open += 1,
                "(" if open > 0 => open += 1,
                ")" | "]" | "}" => open = open.checked_sub(1)?,
                "" | "-->" | ";" => return None,
                ">" if open == 0 => return Some(ahead - n),
                "," | "." => {}
                _ if open > 0 || self.word(ahead).is_some() => {}
                _ => return None,
            }
            ahead += 1;
        }
        None
    }

    /// An operand, or two of them compared.
    fn compared(&mut self) -> Option<Formula> {
        let mut left = self.calculated(SUM)?;
        let mut chained = false;
        while let Some(op) = Binary::written(self.spelling(0)).filter(|op| op.is_comparison()) {
            if chained {
                let error =
                    Diagnostic::error(Code::ChainedComparison, "comparisons cannot be chained", self.span());
                self.report(error.help("compare twice: `a < b & b < c`"));
            }
            chained = true;
            self.bump();
            let right = self.calculated(SUM)?;
            left = self.grown(left.binary(op, right))?;
        }
        Some(left)
    }

    /// Operands joined by arithmetic operators that bind at least as tightly as `loosest`.
    pub(super) fn calculated(&mut self, loosest: Level) -> Option<Formula> {
        let mut left = self.negative()?;
        let infix = |parser: &mut Self| Binary::written(parser.spelling(0));
        while let Some(op) = infix(self).filter(|op| op.level() >= loosest) {
            if op == Binary::Add {
                left = self.chain(left, Join::Sum, infix, Self::calculated)?;
                continue;
            }
            self.bump();
            let right = self.calculated(op.level() + 1)?;
            left = self.grown(left.binary(op, right))?;
        }
        Some(left)
    }

    fn negative(&mut self) -> Option<Formula> {
        let start = self.span();
        if self.eat("-") {
            let operand = self.nested(Self::negative)?;
            let span = start.to(operand.span());
            return self.grown(Formula::new(Kind::Unary(Unary::Minus, operand), span));
        }
        if self.loose_operator_ahead() {
            return self.nested(Self::loose_operator);
        }
        self.term()
    }

    /// Does an operator stand here that binds less tightly than what stands before it? (`prefixed` has taken those
    /// that may stand here.) A word is taken for a name unless that cannot be.
    fn loose_operator_ahead(&self) -> bool {
        match (self.spelling(0), self.word(0)) {
            ("!" | "?", _) => true,
            ("<", _) => self.coalition_ahead(0).is_some(),
            (_, Some(word)) => {
                let operand = matches!(self.spelling(1), "(" | "!")
                    || self.number(1).is_some()
                    || takes_bracket(word) && self.at_nth(1, "[");
                prefix(word).is_some() && operand
                    || self.bounded_ahead()
                    || matches!(self.comprehension_ahead(), Some(Join::Any | Join::All))
            }
            _ => false,
        }
    }

    #[cold]
    fn loose_operator(&mut self) -> Option<Formula> {
        let message = format!("`{}` must stand in parentheses here", self.spelling(0));
        let error = Diagnostic::error(Code::NeedsParentheses, message, self.span());
        let tightly =
            || "comparisons and arithmetic bind more tightly than the operators of the logic".to_owned();
        let error = error.help(arithmetic_instead(self.spelling(0)).unwrap_or_else(tightly));
        self.report(error);
        self.prefixed()
    }

    /// Which comprehension starts here? `any`, `all` and `sum` are names unless a name and `in` follow.
    pub(super) fn comprehension_ahead(&self) -> Option<Join> {
        let word = self.word(0)?;
        let join = [Join::Any, Join::All, Join::Sum].into_iter().find(|join| join.symbol() == word)?;
        (self.word(1).is_some() && self.at_nth(2, "in")).then_some(join)
    }

    /// `any i in low..high : body`.
    pub(super) fn comprehension(&mut self, join: Join) -> Option<Formula> {
        let start = self.bump();
        let (index, _) = self.name("an index")?;
        self.bump();
        let low = self.arithmetic()?;
        self.expect("..")?;
        let high = self.arithmetic()?;
        self.expect(":")?;
        let body = match join {
            Join::Sum => self.arithmetic()?,
            Join::Any | Join::All => self.formula()?,
        };
        let span = start.to(body.span());
        self.grown(Formula::new(Kind::Comprehension(Comprehension { join, index, low, high, body }), span))
    }

    /// `<g>X φ` and its kin.
    fn strategic(&mut self) -> Option<Formula> {
        let start = self.span();
        let group = self.coalition()?;
        let goal_start = self.span();
        let goal = match self.spelling(0) {
            "(" => self.grouped(")")?,
            "[" => self.grouped("]")?,
            text => match prefix(text) {
                Some([Unary::Finally | Unary::Globally]) if self.at_nth(1, "<=") => self.bounded()?,
                Some([operator @ (Unary::Next | Unary::Finally | Unary::Globally)]) => {
                    self.bump();
                    self.nested(Self::prefixed)?.unary(*operator)
                }
                _ => return self.unexpected("`X`, `F`, `G` or `(.. U ..)` after the group"),
            },
        };
        let span = start.to(self.previous_span());
        let goal = match goal.kind() {
            Kind::Unary(Unary::Next, operand) => Goal::Next(operand.clone()),
            Kind::Unary(Unary::Finally, operand) => Goal::Finally(operand.clone()),
            Kind::Unary(Unary::Globally, operand) => Goal::Globally(operand.clone()),
            Kind::Binary(Binary::Until, left, right) => Goal::Until(left.clone(), right.clone()),
            _ => return Some(self.bad_goal(goal_start.to(self.previous_span()))),
        };
        self.grown(Formula::new(Kind::Strategic(Strategic { group, goal }), span))
    }

    #[cold]
    fn bad_goal(&mut self, span: Span) -> Formula {
        let message = "a group's goal is `X φ`, `F φ`, `G φ` or `φ U ψ`";
        self.report(Diagnostic::error(Code::BadGoal, message, span));
        Formula::new(Kind::Bool(true), span)
    }

    /// `<g>`, `<A, B>`, `<{A, B}>`, each also with doubled brackets.
    fn coalition(&mut self) -> Option<Group> {
        if self.at("!=") {
            return self.unexpected("a formula");
        }
        self.expect("<")?;
        let doubled = self.eat("<");
        let mut group = self.group()?;
        if self.at(",")
            && let Group::Named(first) = group
        {
            self.bump();
            let others = self.list(Self::reference)?;
            group = Group::Listed(std::iter::once(first).chain(others).collect());
        }
        self.expect(">")?;
        if doubled {
            self.expect(">")?;
        }
        Some(group)
    }
}

/// May a bound stand after it? `AF<=3 φ`
fn takes_bound(word: &str) -> bool {
    matches!(word, "F" | "G" | "AF" | "EF" | "AG" | "EG")
}

/// May the operand stand in brackets? `A[φ U ψ]`
fn takes_bracket(word: &str) -> bool {
    matches!(word, "A" | "E")
}

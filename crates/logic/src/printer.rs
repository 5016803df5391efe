//! Printing formulas so that they read back the same.
//!
//! The spelling is ASCII, and parentheses stand where the reader would otherwise group differently, with two
//! exceptions for the human eye: a comparison under an operator with one operand (`!(x = 1)`) and a `sum` that
//! something follows.

use std::fmt::{Display, Formatter, Result, Write as _};

use crate::parser::is_operator_word;
use crate::tree::{
    ActPattern, ActionPattern, Arg, At, Binary, Commitment, Comprehension, Epistemic, EpistemicOp, Formula,
    Goal, Group, Join, Kind, LabelPattern, Reference, Strategic, Tag, Unary,
};

/// How tightly something binds, loosest first: the rows of the table in the parser's documentation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Equivalence,
    Implication,
    Disjunction,
    Conjunction,
    Temporal,
    Prefix,
    Comparison,
    Sum,
    Product,
    Minus,
    Term,
}

impl Level {
    /// The next tighter one.
    fn tighter(self) -> Level {
        match self {
            Level::Equivalence => Level::Implication,
            Level::Implication => Level::Disjunction,
            Level::Disjunction => Level::Conjunction,
            Level::Conjunction => Level::Temporal,
            Level::Temporal => Level::Prefix,
            Level::Prefix => Level::Comparison,
            Level::Comparison => Level::Sum,
            Level::Sum => Level::Product,
            Level::Product => Level::Minus,
            Level::Minus | Level::Term => Level::Term,
        }
    }
}

fn level(kind: &Kind) -> Level {
    match kind {
        Kind::Unary(Unary::Minus, _) => Level::Minus,
        Kind::Int(number) if *number < 0 => Level::Minus,
        Kind::Unary(..) | Kind::Strategic(_) => Level::Prefix,
        Kind::Comprehension(comprehension) if comprehension.join != Join::Sum => Level::Prefix,
        Kind::Binary(op, ..) => binary_level(*op),
        _ => Level::Term,
    }
}

fn binary_level(op: Binary) -> Level {
    match op {
        Binary::Iff => Level::Equivalence,
        Binary::Implies => Level::Implication,
        Binary::Or => Level::Disjunction,
        Binary::And => Level::Conjunction,
        Binary::Until | Binary::WeakUntil | Binary::Release | Binary::Since | Binary::So => Level::Temporal,
        Binary::Equal
        | Binary::NotEqual
        | Binary::Less
        | Binary::LessEqual
        | Binary::Greater
        | Binary::GreaterEqual => Level::Comparison,
        Binary::Add | Binary::Subtract => Level::Sum,
        Binary::Multiply | Binary::Divide | Binary::Remainder => Level::Product,
    }
}

/// How tightly the left and the right operand must bind to need no parentheses.
fn operand_levels(op: Binary) -> (Level, Level) {
    let own = binary_level(op);
    match own {
        Level::Equivalence | Level::Implication | Level::Temporal => (own.tighter(), own),
        Level::Comparison => (own.tighter(), own.tighter()),
        _ => (own, own.tighter()),
    }
}

/// Does it start with a name that could be taken for an operator? In parentheses it cannot.
fn starts_like_an_operator(kind: &Kind) -> bool {
    match kind {
        Kind::Name(name) | Kind::At(At { machine: Some(name), .. }) => is_operator_word(&name.name),
        _ => false,
    }
}

impl Unary {
    /// The ASCII spelling.
    pub fn symbol(self) -> &'static str {
        match self {
            Unary::Not => "!",
            Unary::Minus => "-",
            Unary::ForAll => "A",
            Unary::Exists => "E",
            Unary::Next => "X",
            Unary::Finally => "F",
            Unary::Globally => "G",
            Unary::Previous => "Y",
            Unary::Once => "P",
            Unary::Historically => "H",
            Unary::AllPrevious => "AY",
            Unary::SomePrevious => "EY",
            Unary::AllPast => "AH",
            Unary::SomePast => "EP",
            Unary::Challenged => "?",
        }
    }
}

impl Binary {
    /// The ASCII spelling.
    pub fn symbol(self) -> &'static str {
        match self {
            Binary::And => "&",
            Binary::Or => "|",
            Binary::Implies => "->",
            Binary::Iff => "<->",
            Binary::Until => "U",
            Binary::WeakUntil => "W",
            Binary::Release => "R",
            Binary::Since => "S",
            Binary::So => "so",
            Binary::Equal => "=",
            Binary::NotEqual => "!=",
            Binary::Less => "<",
            Binary::LessEqual => "<=",
            Binary::Greater => ">",
            Binary::GreaterEqual => ">=",
            Binary::Add => "+",
            Binary::Subtract => "-",
            Binary::Multiply => "*",
            Binary::Divide => "/",
            Binary::Remainder => "%",
        }
    }
}

impl EpistemicOp {
    /// The word written before the parentheses.
    pub fn symbol(self) -> &'static str {
        match self {
            EpistemicOp::Knows => "K",
            EpistemicOp::EverybodyKnows => "GK",
            EpistemicOp::DistributedKnowledge => "DK",
            EpistemicOp::CommonKnowledge => "GCK",
            EpistemicOp::Correct => "O",
            EpistemicOp::KnowsAssumingCorrect => "KH",
        }
    }
}

impl Join {
    /// The word that starts the comprehension.
    pub fn symbol(self) -> &'static str {
        match self {
            Join::Any => "any",
            Join::All => "all",
            Join::Sum => "sum",
        }
    }

    /// The operator between the parts.
    pub fn operator(self) -> Binary {
        match self {
            Join::Any => Binary::Or,
            Join::All => Binary::And,
            Join::Sum => Binary::Add,
        }
    }
}

struct Printer<'a, 'b> {
    out: &'a mut Formatter<'b>,
}

impl Printer<'_, '_> {
    /// Prints a formula that must bind at least as tightly as `loosest`. `last` says that nothing follows up to the
    /// next closing bracket or comma: only there may a comprehension stand without parentheses.
    fn formula(&mut self, formula: &Formula, loosest: Level, last: bool) -> Result {
        let kind = formula.kind();
        let swallows = matches!(kind, Kind::Comprehension(_)) && !last;
        if level(kind) < loosest || swallows || starts_like_an_operator(kind) {
            self.out.write_char('(')?;
            self.kind(kind, true)?;
            return self.out.write_char(')');
        }
        self.kind(kind, last)
    }

    /// Prints what stands between brackets or commas.
    fn alone(&mut self, formula: &Formula) -> Result {
        self.formula(formula, Level::Equivalence, true)
    }

    fn kind(&mut self, kind: &Kind, last: bool) -> Result {
        match kind {
            Kind::Bool(value) => write!(self.out, "{value}"),
            Kind::Int(number) => write!(self.out, "{number}"),
            Kind::Name(name) => self.reference(name),
            Kind::Unary(op, operand) => self.unary(*op, operand, last),
            Kind::Binary(op, left, right) => self.binary(*op, left, right, last),
            Kind::Comprehension(comprehension) => self.comprehension(comprehension),
            Kind::Joined(join, parts) => self.joined(*join, parts),
            Kind::At(At { machine, location }) => {
                if let Some(machine) = machine {
                    self.reference(machine)?;
                    self.out.write_char(' ')?;
                }
                self.out.write_str("in ")?;
                self.reference(location)
            }
            Kind::Does(label) => {
                self.out.write_str("does(")?;
                self.label(label)?;
                self.out.write_char(')')
            }
            Kind::Act(act) => self.act(act),
            Kind::Commitment(commitment) => self.commitment(commitment),
            Kind::Epistemic(epistemic) => self.epistemic(epistemic),
            Kind::Strategic(strategic) => self.strategic(strategic, last),
        }
    }

    fn unary(&mut self, op: Unary, operand: &Formula, last: bool) -> Result {
        self.out.write_str(op.symbol())?;
        match (op, operand.kind()) {
            (Unary::Minus, _) => return self.formula(operand, Level::Term, last),
            (Unary::Not | Unary::Challenged, _) => {}
            // `A` over `G` is `AG`, but `A` over `H` must not become the branching operator `AH`.
            (
                Unary::ForAll | Unary::Exists,
                Kind::Unary(inner @ (Unary::Next | Unary::Finally | Unary::Globally), operand),
            ) => return self.unary(*inner, operand, last),
            (
                Unary::ForAll | Unary::Exists,
                Kind::Binary(inner @ (Binary::Until | Binary::WeakUntil | Binary::Release), left, right),
            ) => {
                self.out.write_char('[')?;
                self.binary(*inner, left, right, true)?;
                return self.out.write_char(']');
            }
            _ => self.out.write_char(' ')?,
        }
        self.prefixed(operand, last)
    }

    /// The operand of an operator with one operand.
    fn prefixed(&mut self, operand: &Formula, last: bool) -> Result {
        let loosest = match level(operand.kind()) {
            Level::Comparison => Level::Term,
            _ => Level::Prefix,
        };
        self.formula(operand, loosest, last)
    }

    fn binary(&mut self, op: Binary, left: &Formula, right: &Formula, last: bool) -> Result {
        let (left_level, right_level) = operand_levels(op);
        self.formula(left, left_level, false)?;
        write!(self.out, " {} ", op.symbol())?;
        self.formula(right, right_level, last)
    }

    fn comprehension(&mut self, comprehension: &Comprehension) -> Result {
        let Comprehension { join, index, low, high, body } = comprehension;
        write!(self.out, "{} {index} in ", join.symbol())?;
        self.formula(low, Level::Sum, false)?;
        self.out.write_str("..")?;
        self.formula(high, Level::Sum, false)?;
        self.out.write_str(" : ")?;
        let loosest = if *join == Join::Sum { Level::Sum } else { Level::Equivalence };
        self.formula(body, loosest, true)
    }

    fn joined(&mut self, join: Join, parts: &[Formula]) -> Result {
        let Some((first, rest)) = parts.split_first() else {
            let empty = match join {
                Join::Any => "false",
                Join::All => "true",
                Join::Sum => "0",
            };
            return self.out.write_str(empty);
        };
        let (first_level, rest_level) = operand_levels(join.operator());
        self.out.write_char('(')?;
        self.formula(first, first_level, rest.is_empty())?;
        for (position, part) in rest.iter().enumerate() {
            write!(self.out, " {} ", join.operator().symbol())?;
            self.formula(part, rest_level, position + 1 == rest.len())?;
        }
        self.out.write_char(')')
    }

    fn reference(&mut self, reference: &Reference) -> Result {
        self.out.write_str(&reference.name)?;
        for index in &reference.indices {
            self.out.write_char('[')?;
            self.formula(index, Level::Sum, true)?;
            self.out.write_char(']')?;
        }
        Ok(())
    }

    /// Prints an argument, or `_`.
    fn argument<T>(&mut self, argument: &Arg<T>, print: impl FnOnce(&mut Self, &T) -> Result) -> Result {
        match argument {
            Arg::Any => self.out.write_char('_'),
            Arg::Is(value) => print(self, value),
        }
    }

    fn commitment(&mut self, commitment: &Commitment) -> Result {
        self.out.write_str(if commitment.tag.is_some() { "PC(" } else { "SC(" })?;
        self.argument(&commitment.debtor, Self::reference)?;
        self.out.write_str(", ")?;
        self.argument(&commitment.creditor, Self::reference)?;
        if let Some(tag) = &commitment.tag {
            self.out.write_str(", ")?;
            self.argument(tag, Self::tag)?;
        }
        self.out.write_str(", ")?;
        self.argument(&commitment.content, Self::alone)?;
        self.out.write_char(')')
    }

    fn tag(&mut self, tag: &Tag) -> Result {
        match tag {
            Tag::Name(name) => self.reference(name),
            Tag::Number(number) => write!(self.out, "{number}"),
        }
    }

    fn act(&mut self, act: &ActPattern) -> Result {
        self.out.write_str(match act.kind {
            Arg::Any => "Act",
            Arg::Is(kind) => kind.short(),
        })?;
        self.out.write_char('(')?;
        self.argument(&act.actor, Self::reference)?;
        self.out.write_str(", ")?;
        // The commitment is a name or written out; no name needs parentheses here.
        self.argument(&act.commitment, |printer, commitment| match commitment.kind() {
            Kind::Name(name) => printer.reference(name),
            _ => printer.alone(commitment),
        })?;
        if let (Some(support), Arg::Is(_)) = (&act.support, &act.kind) {
            self.out.write_str(", ")?;
            self.argument(support, Self::alone)?;
        }
        self.out.write_char(')')
    }

    fn label(&mut self, label: &LabelPattern) -> Result {
        match label {
            LabelPattern::Any => self.out.write_char('_'),
            LabelPattern::Shown(label) => write!(self.out, "\"{label}\""),
            LabelPattern::Act(act) => self.act(act),
            LabelPattern::Action(action) => self.action(action),
        }
    }

    fn action(&mut self, action: &ActionPattern) -> Result {
        if let Some(agent) = &action.agent {
            self.reference(agent)?;
            self.out.write_char('.')?;
        }
        if action.output {
            self.out.write_char('\'')?;
        }
        self.reference(&action.name)?;
        if let Some(content) = &action.content {
            self.out.write_char('(')?;
            self.alone(content)?;
            self.out.write_char(')')?;
        }
        Ok(())
    }

    fn epistemic(&mut self, epistemic: &Epistemic) -> Result {
        write!(self.out, "{}(", epistemic.op.symbol())?;
        if let Some(agent) = &epistemic.agent {
            self.reference(agent)?;
            self.out.write_str(", ")?;
        }
        if let Some(group @ (Group::Named(_) | Group::Listed(_))) = &epistemic.group {
            self.group(group)?;
            self.out.write_str(", ")?;
        }
        self.alone(&epistemic.body)?;
        self.out.write_char(')')
    }

    fn group(&mut self, group: &Group) -> Result {
        match group {
            // Written by leaving it out; only messages show this.
            Group::Everybody => self.out.write_str("everybody"),
            Group::Named(name) => self.reference(name),
            Group::Listed(members) => {
                self.out.write_char('{')?;
                for (position, member) in members.iter().enumerate() {
                    if position > 0 {
                        self.out.write_str(", ")?;
                    }
                    self.reference(member)?;
                }
                self.out.write_char('}')
            }
        }
    }

    fn strategic(&mut self, strategic: &Strategic, last: bool) -> Result {
        self.out.write_char('<')?;
        self.group(&strategic.group)?;
        self.out.write_char('>')?;
        let (symbol, operand) = match &strategic.goal {
            Goal::Next(operand) => ("X ", operand),
            Goal::Finally(operand) => ("F ", operand),
            Goal::Globally(operand) => ("G ", operand),
            Goal::Until(left, right) => {
                self.out.write_char('(')?;
                self.binary(Binary::Until, left, right, true)?;
                return self.out.write_char(')');
            }
        };
        self.out.write_str(symbol)?;
        self.prefixed(operand, last)
    }
}

/// Implements `Display` by a rule of the printer.
macro_rules! display {
    ($($type:ty => $rule:ident,)*) => {
        $(impl Display for $type {
            fn fmt(&self, f: &mut Formatter<'_>) -> Result {
                Printer { out: f }.$rule(self)
            }
        })*
    };
}

display! {
    Formula => alone,
    Reference => reference,
    Commitment => commitment,
    Tag => tag,
    ActPattern => act,
    ActionPattern => action,
    LabelPattern => label,
    Group => group,
}

impl<T: Display> Display for Arg<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Arg::Any => f.write_char('_'),
            Arg::Is(value) => value.fmt(f),
        }
    }
}

impl Display for crate::ActKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(self.short())
    }
}

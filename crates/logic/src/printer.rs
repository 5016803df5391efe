//! Printing formulas so that they read back the same.
//!
//! The spelling is ASCII, and parentheses stand where the reader would otherwise group differently, with two
//! exceptions for the human eye: a comparison under an operator with one operand (`!(x = 1)`) and a `sum` that
//! something follows.

use std::fmt::{Display, Formatter, Result, Write as _};

use crate::operator::{COMPARISON, EQUIVALENCE, Level, MINUS, PREFIX, SUM, TEMPORAL, TERM, is_operator_word};
use crate::tree::{
    ActPattern, ActionPattern, Arg, At, Binary, Bounded, Carries, Commitment, Comprehension, Epistemic,
    Formula, Goal, Group, Join, Kind, LabelPattern, Reference, Strategic, Tag, Unary, Within,
};

fn level(kind: &Kind) -> Level {
    match kind {
        Kind::Unary(Unary::Minus, _) => MINUS,
        Kind::Int(number) if *number < 0 => MINUS,
        Kind::Unary(..) | Kind::Strategic(_) => PREFIX,
        Kind::Comprehension(comprehension) if comprehension.join != Join::Sum => PREFIX,
        Kind::Binary(op, ..) => op.level(),
        Kind::Bounded(Bounded { goal: Within::Until(..), .. }) => TEMPORAL,
        Kind::Bounded(_) => PREFIX,
        _ => TERM,
    }
}

/// How tightly the left and the right operand must bind to need no parentheses.
fn operand_levels(op: Binary) -> (Level, Level) {
    match op.level() {
        own if op.groups_to_the_right() => (own + 1, own),
        COMPARISON => (COMPARISON + 1, COMPARISON + 1),
        own => (own, own + 1),
    }
}

/// Does it start with a name that could be taken for an operator? In parentheses it cannot.
fn starts_like_an_operator(kind: &Kind) -> bool {
    match kind {
        Kind::Name(name) | Kind::At(At { machine: Some(name), .. }) => is_operator_word(&name.name),
        _ => false,
    }
}

/// Prints a formula that must bind at least as tightly as `loosest`. `last` says that nothing follows up to the
/// next closing bracket or comma: only there may a comprehension or a conditional stand without parentheses.
fn print(f: &mut Formatter<'_>, formula: &Formula, loosest: Level, last: bool) -> Result {
    let kind = formula.kind();
    let swallows = matches!(kind, Kind::Comprehension(_) | Kind::If(..)) && !last;
    if level(kind) < loosest || swallows || starts_like_an_operator(kind) {
        f.write_char('(')?;
        print_kind(f, kind, true)?;
        return f.write_char(')');
    }
    print_kind(f, kind, last)
}

fn print_kind(f: &mut Formatter<'_>, kind: &Kind, last: bool) -> Result {
    match kind {
        Kind::Bool(value) => write!(f, "{value}"),
        Kind::Int(number) => write!(f, "{number}"),
        Kind::Name(name) => match name.name.strip_suffix(".length").filter(|_| !name.indices.is_empty()) {
            Some(channel) => write!(f, "{}.length", Reference { name: channel.into(), ..name.clone() }),
            None => write!(f, "{name}"),
        },
        Kind::Unary(op, operand) => unary(f, *op, operand, last),
        Kind::Binary(op, left, right) => binary(f, *op, left, right, last),
        Kind::If(condition, then, otherwise) => {
            write!(f, "if {condition} then {then} else {otherwise}")
        }
        Kind::Bounded(bounded) => print_bounded(f, bounded, last),
        Kind::Comprehension(Comprehension { join, index, low, high, body }) => {
            write!(f, "{} {index} in ", join.symbol())?;
            print(f, low, SUM, false)?;
            f.write_str("..")?;
            print(f, high, SUM, false)?;
            f.write_str(" : ")?;
            print(f, body, if *join == Join::Sum { SUM } else { EQUIVALENCE }, true)
        }
        Kind::Joined(join, parts) => joined(f, *join, parts),
        Kind::At(At { machine: Some(machine), location }) => write!(f, "{machine} in {location}"),
        Kind::At(At { machine: None, location }) => write!(f, "in {location}"),
        Kind::Length(channel) => write!(f, "{channel}.length"),
        Kind::Carries(Carries { channel, oldest, message }) => {
            write!(f, "{channel}.{}({message})", if *oldest { "head" } else { "has" })
        }
        Kind::Does(label) => write!(f, "does({label})"),
        Kind::Act(act) => write!(f, "{act}"),
        Kind::Commitment(commitment) => write!(f, "{commitment}"),
        Kind::Active(commitment) => {
            f.write_str("active(")?;
            subject(f, commitment)?;
            f.write_char(')')
        }
        Kind::Epistemic(Epistemic { op, agent, group, body }) => {
            write!(f, "{}(", op.symbol())?;
            if let Some(agent) = agent {
                write!(f, "{agent}, ")?;
            }
            if let Some(group @ (Group::Named(_) | Group::Listed(_))) = group {
                write!(f, "{group}, ")?;
            }
            write!(f, "{body})")
        }
        Kind::Strategic(Strategic { group, goal }) => {
            write!(f, "<{group}>")?;
            let (op, operand) = match goal {
                Goal::Next(operand) => (Unary::Next, operand),
                Goal::Finally(operand) => (Unary::Finally, operand),
                Goal::Globally(operand) => (Unary::Globally, operand),
                Goal::Until(left, right) => {
                    f.write_char('(')?;
                    binary(f, Binary::Until, left, right, true)?;
                    return f.write_char(')');
                }
            };
            unary(f, op, operand, last)
        }
    }
}

fn unary(f: &mut Formatter<'_>, op: Unary, operand: &Formula, last: bool) -> Result {
    f.write_str(op.symbol())?;
    match (op, operand.kind()) {
        (Unary::Minus, _) => return print(f, operand, TERM, last),
        (Unary::Not | Unary::Challenged, _) => {}
        // `A` over `G` is `AG`, but `A` over `H` must not become the branching operator `AH`.
        (
            Unary::ForAll | Unary::Exists,
            Kind::Unary(inner @ (Unary::Next | Unary::Finally | Unary::Globally), operand),
        ) => return unary(f, *inner, operand, last),
        (Unary::ForAll | Unary::Exists, Kind::Bounded(bounded)) => {
            let until = matches!(bounded.goal, Within::Until(..));
            f.write_str(if until { "[" } else { "" })?;
            print_bounded(f, bounded, last || until)?;
            return f.write_str(if until { "]" } else { "" });
        }
        (
            Unary::ForAll | Unary::Exists,
            Kind::Binary(inner @ (Binary::Until | Binary::WeakUntil | Binary::Release), left, right),
        ) => {
            f.write_char('[')?;
            binary(f, *inner, left, right, true)?;
            return f.write_char(']');
        }
        _ => f.write_char(' ')?,
    }
    let loosest = if level(operand.kind()) == COMPARISON { TERM } else { PREFIX };
    print(f, operand, loosest, last)
}

fn print_bounded(f: &mut Formatter<'_>, Bounded { bound, goal }: &Bounded, last: bool) -> Result {
    let (word, operand) = match goal {
        Within::Finally(operand) => (Unary::Finally.symbol(), operand),
        Within::Globally(operand) => (Unary::Globally.symbol(), operand),
        Within::Until(left, right) => {
            let (left_level, right_level) = operand_levels(Binary::Until);
            print(f, left, left_level, false)?;
            write!(f, " {}<=", Binary::Until.symbol())?;
            print_bound(f, bound)?;
            return print(f, right, right_level, last);
        }
    };
    write!(f, "{word}<=")?;
    print_bound(f, bound)?;
    // A minus after the bound would be part of it.
    let loosest = if level(operand.kind()) >= COMPARISON { TERM } else { PREFIX };
    print(f, operand, loosest, last)
}

/// A bound and the space after it. What is neither a number nor a name stands in parentheses.
fn print_bound(f: &mut Formatter<'_>, bound: &Formula) -> Result {
    match bound.kind() {
        Kind::Int(number) if *number >= 0 => write!(f, "{number} "),
        Kind::Name(name) if name.indices.is_empty() && !starts_like_an_operator(bound.kind()) => {
            write!(f, "{name} ")
        }
        _ => {
            f.write_char('(')?;
            print_kind(f, bound.kind(), true)?;
            f.write_str(") ")
        }
    }
}

fn binary(f: &mut Formatter<'_>, op: Binary, left: &Formula, right: &Formula, last: bool) -> Result {
    if op.is_called() {
        write!(f, "{}(", op.symbol())?;
        print(f, left, SUM, true)?;
        f.write_str(", ")?;
        print(f, right, SUM, true)?;
        return f.write_char(')');
    }
    let (left_level, right_level) = operand_levels(op);
    print(f, left, left_level, false)?;
    write!(f, " {} ", op.symbol())?;
    print(f, right, right_level, last)
}

/// The commitment that something is about: a name or written out. No name needs parentheses here.
fn subject(f: &mut Formatter<'_>, commitment: &Arg<Formula>) -> Result {
    match commitment {
        Arg::Is(commitment) if let Kind::Name(name) = commitment.kind() => name.fmt(f),
        commitment => commitment.fmt(f),
    }
}

fn joined(f: &mut Formatter<'_>, join: Join, parts: &[Formula]) -> Result {
    let Some((first, rest)) = parts.split_first() else {
        return f.write_str(["false", "true", "0"][join as usize]);
    };
    let (first_level, rest_level) = operand_levels(join.operator());
    f.write_char('(')?;
    print(f, first, first_level, rest.is_empty())?;
    for (position, part) in rest.iter().enumerate() {
        write!(f, " {} ", join.operator().symbol())?;
        print(f, part, rest_level, position + 1 == rest.len())?;
    }
    f.write_char(')')
}

impl Display for Formula {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        print(f, self, EQUIVALENCE, true)
    }
}

impl Display for Reference {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(&self.name)?;
        for index in &self.indices {
            f.write_char('[')?;
            print(f, index, SUM, true)?;
            f.write_char(']')?;
        }
        Ok(())
    }
}

impl<T: Display> Display for Arg<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Arg::Any => f.write_char('_'),
            Arg::Is(value) => value.fmt(f),
        }
    }
}

impl Display for Commitment {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Commitment { debtor, creditor, tag, content } = self;
        match tag {
            None => write!(f, "SC({debtor}, {creditor}, {content})"),
            Some(tag) => write!(f, "PC({debtor}, {creditor}, {tag}, {content})"),
        }
    }
}

impl Display for Tag {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Tag::Name(name) => name.fmt(f),
            Tag::Number(number) => number.fmt(f),
        }
    }
}

impl Display for ActPattern {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let name = match self.kind {
            Arg::Any => "Act",
            Arg::Is(kind) => kind.short(),
        };
        write!(f, "{name}({}, ", self.actor)?;
        subject(f, &self.commitment)?;
        // `Act` has any support and any third party, and neither is written.
        if self.kind != Arg::Any {
            self.support.iter().try_for_each(|support| write!(f, ", {support}"))?;
            self.third.iter().try_for_each(|third| write!(f, ", {third}"))?;
        }
        f.write_char(')')
    }
}

impl Display for LabelPattern {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            LabelPattern::Any => f.write_char('_'),
            LabelPattern::Shown(label) => write!(f, "\"{label}\""),
            LabelPattern::Act(act) => act.fmt(f),
            LabelPattern::Action(action) => action.fmt(f),
        }
    }
}

impl Display for ActionPattern {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let list =
            |names: &[Reference]| names.iter().map(Reference::to_string).collect::<Vec<_>>().join(", ");
        match &self.agent {
            // Before a dot a name with dots would be taken apart.
            Some(agent) if self.to.is_empty() && agent.name.contains('.') => write!(f, "{agent}: ")?,
            Some(agent) if self.to.is_empty() => write!(f, "{agent}.")?,
            Some(agent) => write!(f, "{agent} -> {}: ", list(&self.to))?,
            None if self.to.is_empty() => {}
            None => write!(f, "-> {}: ", list(&self.to))?,
        }
        f.write_str(if self.output { "'" } else { "" })?;
        self.name.fmt(f)?;
        f.write_str(if self.received { "?" } else { "" })?;
        let Some(arguments) = &self.arguments else { return Ok(()) };
        write!(f, "({})", arguments.iter().map(|a| shown(a).to_string()).collect::<Vec<_>>().join(", "))
    }
}

/// An argument that may be left open.
fn shown<T: Display>(argument: &Arg<T>) -> &dyn Display {
    match argument {
        Arg::Any => &"_",
        Arg::Is(value) => value,
    }
}

impl Display for Group {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            // Written by leaving it out; only messages show this.
            Group::Everybody => f.write_str("everybody"),
            Group::Named(name) => name.fmt(f),
            Group::Listed(members) => {
                let members: Vec<String> = members.iter().map(Reference::to_string).collect();
                write!(f, "{{{}}}", members.join(", "))
            }
        }
    }
}

impl Display for crate::ActKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(self.short())
    }
}

//! The words for what is not made of formulas: comparisons, control states, steps, acts, promises in force.

use crate::act::{ActKind, Outcome};
use crate::tree::{
    ActPattern, ActionPattern, Arg, At, Binary, Carries, Commitment, Formula, Kind, LabelPattern, Reference,
};

use super::words;

/// Is something said or denied?
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mood {
    Holds,
    Fails,
}

impl Mood {
    /// One of two.
    fn pick<'t>(self, holds: &'t str, fails: &'t str) -> &'t str {
        if self == Mood::Holds { holds } else { fails }
    }
}

/// The words for an atom, or for its negation; `None` for what is no atom.
pub(super) fn atom(formula: &Formula, mood: Mood) -> Option<String> {
    Some(match formula.kind() {
        Kind::Bool(_) | Kind::Int(_) | Kind::Name(_) | Kind::Length(_) => match mood {
            Mood::Holds => formula.to_string(),
            Mood::Fails => format!("not {formula}"),
        },
        Kind::Binary(op, left, right) if op.is_comparison() => comparison(*op, left, right, mood)?,
        Kind::At(At { machine: None, location }) => format!("{} {location}", mood.pick("in", "not in")),
        Kind::At(At { machine: Some(machine), location }) => {
            format!("{machine} is {} {location}", mood.pick("in", "not in"))
        }
        Kind::Carries(Carries { channel, oldest, message }) => {
            let what = if *oldest { "the oldest message in" } else { "a message under way in" };
            match (oldest, mood) {
                (false, Mood::Fails) => format!("no message under way in {channel} is {message}"),
                (_, mood) => format!("{what} {channel} is {}{message}", mood.pick("", "not ")),
            }
        }
        Kind::Does(label) => step(label, mood),
        Kind::Act(act) => {
            let verb = match (act.kind.given(), mood) {
                (Some(kind), Mood::Holds) => third_person(*kind),
                (Some(kind), Mood::Fails) => format!("does not {}", kind.long().to_lowercase()),
                (None, mood) => mood.pick("acts on", "does not act on").to_owned(),
            };
            performed(act, &verb) + mood.pick(" next, to full effect", " next to full effect")
        }
        Kind::Active(commitment) => match (commitment, mood) {
            (Arg::Any, Mood::Holds) => "some promise is in force".to_owned(),
            (Arg::Any, Mood::Fails) => "no promise is in force".to_owned(),
            (Arg::Is(commitment), mood) => {
                format!("{} is {}in force", promise(commitment), mood.pick("", "not "))
            }
        },
        _ => return None,
    })
}

fn comparison(op: Binary, left: &Formula, right: &Formula, mood: Mood) -> Option<String> {
    let word = match op {
        Binary::Equal => mood.pick("is", "is not"),
        // Two negations in one sentence are one too many.
        _ if mood == Mood::Fails => return None,
        Binary::NotEqual => "is not",
        Binary::Less => "is less than",
        Binary::LessEqual => "is at most",
        Binary::Greater => "is more than",
        Binary::GreaterEqual => "is at least",
        _ => return None,
    };
    Some(format!("{} {word} {}", value(left), value(right)))
}

/// A value as it is written; what is more than a term stands in parentheses.
fn value(formula: &Formula) -> String {
    match formula.kind() {
        Kind::Bool(_) | Kind::Int(_) | Kind::Name(_) | Kind::Length(_) => formula.to_string(),
        Kind::Binary(op, ..) if op.is_called() || !op.joins_formulas() && !op.is_comparison() => {
            formula.to_string()
        }
        Kind::Unary(crate::Unary::Minus, _) => formula.to_string(),
        _ => format!("({formula})"),
    }
}

/// What the next step is.
fn step(label: &LabelPattern, mood: Mood) -> String {
    match label {
        LabelPattern::Any => mood.pick("some step follows", "no step follows").to_owned(),
        LabelPattern::Shown(label) => format!("the next step is {}\"{label}\"", mood.pick("", "not ")),
        LabelPattern::Act(act) => {
            let verb = act.kind.given().map_or_else(|| "acting on".to_owned(), |kind| gerund(*kind));
            format!("the next step is {}{}", mood.pick("", "not "), performed(act, &verb))
        }
        LabelPattern::Action(action) => message(action, mood),
    }
}

fn message(action: &ActionPattern, mood: Mood) -> String {
    let what = ActionPattern { agent: None, to: Vec::new(), received: false, ..action.clone() };
    let to: Vec<String> = action.to.iter().map(Reference::to_string).collect();
    let to = if to.is_empty() { String::new() } else { format!(" to {}", to.join(" and ")) };
    match (&action.agent, action.received) {
        (Some(agent), true) => format!("{agent} {} {what} next", mood.pick("receives", "does not receive")),
        (None, true) => format!("{what} is {}received next", mood.pick("", "not ")),
        (Some(agent), false) if to.is_empty() => {
            format!("{agent} {} {what} next", mood.pick("does", "does not do"))
        }
        (Some(agent), false) => format!("{agent} {} {what}{to} next", mood.pick("says", "does not say")),
        (None, false) if to.is_empty() => format!("{what} {} next", mood.pick("happens", "does not happen")),
        (None, false) => format!("{what} is {}said{to} next", mood.pick("", "not ")),
    }
}

/// Who does this to what, with what, to whom.
fn performed(act: &ActPattern, verb: &str) -> String {
    let actor = somebody(&act.actor);
    let subject = match &act.commitment {
        Arg::Any => "some promise".to_owned(),
        Arg::Is(commitment) => promise(commitment),
    };
    // The creditor releases a debtor; every other verb has the promise as its object.
    let releases = act
        .kind
        .given()
        .is_some_and(|kind| kind.outcome() == Outcome::NotOwed && kind.party() == crate::Party::Creditor);
    let mut text = format!("{actor} {verb} {}{subject}", if releases { "the debtor from " } else { "" });
    if let (Arg::Is(_), Some(Arg::Is(support))) = (&act.kind, &act.support) {
        text.push_str(&format!(" with \u{201c}{}\u{201d}", words(support)));
    }
    if let (Arg::Is(_), Some(third)) = (&act.kind, &act.third) {
        text.push_str(&format!(" to {}", somebody(third)));
    }
    text
}

/// A promise that something is about: its name, or who promises what to whom.
fn promise(commitment: &Formula) -> String {
    let Kind::Commitment(Commitment { debtor, creditor, tag, content }) = commitment.kind() else {
        return commitment.to_string();
    };
    let article = if content.given().is_some() { "the" } else { "a" };
    let mut text = format!("{article} promise of {} to {}", somebody(debtor), somebody(creditor));
    match tag {
        None => {}
        Some(Arg::Any) => text.push_str(" with whatever moment"),
        Some(Arg::Is(tag)) => text.push_str(&format!(" with the moment {tag}")),
    }
    if let Some(content) = content.given() {
        text.push_str(&format!(" \u{201c}{}\u{201d}", words(content)));
    }
    text
}

/// An agent, or whoever it may be.
pub(super) fn somebody(agent: &Arg<Reference>) -> String {
    agent.given().map_or_else(|| "somebody".to_owned(), Reference::to_string)
}

/// `satisfies`
fn third_person(kind: ActKind) -> String {
    let verb = kind.long().to_lowercase();
    match verb.strip_suffix('y') {
        Some(stem) => format!("{stem}ies"),
        None => format!("{verb}s"),
    }
}

/// `creating`
fn gerund(kind: ActKind) -> String {
    let verb = kind.long().to_lowercase();
    format!("{}ing", verb.strip_suffix('e').unwrap_or(&verb))
}

//! What a formula says, in plain English.
//!
//! The words say how a formula is made up and leave no doubt about it: what stands after a colon reaches to the end of the sentence or of
//! the parentheses around it, and what would be grouped otherwise by a reader stands in parentheses. What names stand for is not known
//! here, so they appear as they are written.
//!
//! ```
//! use servanda_logic::{parse_formula, words};
//!
//! let formula = parse_formula("AG (paid -> AF delivered)").unwrap();
//! assert_eq!(words(&formula), "on every run, at every moment: if paid, then on every run eventually delivered");
//! ```

mod atoms;

use crate::tree::{
    Binary, Bounded, Commitment, Comprehension, Epistemic, EpistemicOp, Formula, Goal, Group, Join, Kind,
    Strategic, Unary, Within,
};

/// What a formula says, in plain English, without a full stop.
pub fn words(formula: &Formula) -> String {
    say(formula).text
}

/// How the words for a formula hang together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// They need no parentheses wherever they stand.
    Closed,
    /// Something before a closed operand, as in `eventually paid`.
    Short,
    /// Something that reaches as far as it can, as in `at every moment: paid and sent`.
    Open,
    /// Parts joined by this word.
    Joined(&'static str),
    /// `if .., then ..`
    Conditional,
    /// Another joint of two parts.
    Other,
}

/// The words for a formula.
#[derive(Debug)]
struct Said {
    text: String,
    shape: Shape,
}

impl Said {
    fn new(text: impl Into<String>, shape: Shape) -> Self {
        Said { text: text.into(), shape }
    }

    /// The words, in parentheses unless they have one of these shapes.
    fn unless(self, plain: impl Fn(Shape) -> bool) -> String {
        if plain(self.shape) { self.text } else { format!("({})", self.text) }
    }

    fn closed(self) -> String {
        self.unless(|shape| shape == Shape::Closed)
    }

    /// With words before it that refer to no more than an operand: `eventually`, `Ann knows that`.
    fn after(self, before: &str) -> Said {
        use Shape::{Closed, Conditional, Open, Short};
        let shape = if matches!(self.shape, Open | Conditional) { Open } else { Short };
        let text = self.unless(|shape| matches!(shape, Closed | Short | Open | Conditional));
        Said::new(format!("{before} {text}"), shape)
    }

    /// With words before it that refer to all that follows: `at every moment:`.
    fn under(self, before: &str) -> Said {
        Said::new(format!("{before}: {}", self.text), Shape::Open)
    }
}

fn say(formula: &Formula) -> Said {
    if let Some(text) = atoms::atom(formula, atoms::Mood::Holds) {
        return Said::new(text, Shape::Closed);
    }
    match formula.kind() {
        Kind::Unary(op, operand) => unary(*op, operand),
        Kind::Binary(op, left, right) => binary(*op, left, right),
        Kind::If(condition, then, otherwise) => {
            let condition = antecedent(condition);
            let (then, otherwise) = (say(then).closed(), say(otherwise).closed());
            Said::new(format!("if {condition}, then {then}, otherwise {otherwise}"), Shape::Other)
        }
        Kind::Bounded(bounded) => within(bounded),
        Kind::Comprehension(comprehension) => comprehended(comprehension, formula),
        Kind::Joined(Join::Any, parts) => joined("or", parts.iter().map(say).collect()),
        Kind::Joined(Join::All, parts) => joined("and", parts.iter().map(say).collect()),
        Kind::Commitment(Commitment { debtor, creditor, content, .. }) => {
            let (debtor, creditor) = (atoms::somebody(debtor), atoms::somebody(creditor));
            let follows = format!("it follows from what {debtor} owes {creditor} that");
            match content.given() {
                Some(content) => say(content).after(&follows),
                None => Said::new(format!("{follows} anything holds"), Shape::Short),
            }
        }
        Kind::Epistemic(epistemic) => known(epistemic),
        Kind::Strategic(Strategic { group, goal }) => {
            let can = format!("{} can bring about that", members(group));
            let goal = match goal {
                Goal::Next(goal) => unary(Unary::Next, goal),
                Goal::Finally(goal) => unary(Unary::Finally, goal),
                Goal::Globally(goal) => unary(Unary::Globally, goal),
                Goal::Until(left, right) => binary(Binary::Until, left, right),
            };
            goal.after(&can)
        }
        // A value: it has no words that would be plainer than its signs.
        _ => Said::new(formula.to_string(), Shape::Closed),
    }
}

fn unary(op: Unary, operand: &Formula) -> Said {
    let inner = match operand.kind() {
        Kind::Unary(inner, rest) => Some((*inner, rest)),
        _ => None,
    };
    match (op, inner) {
        (Unary::Minus, _) => Said::new(format!("-{operand}"), Shape::Closed),
        (Unary::Not, _) => match atoms::atom(operand, atoms::Mood::Fails) {
            Some(text) => Said::new(text, Shape::Closed),
            // `not x is less than 1` is no English.
            None if matches!(operand.kind(), Kind::Binary(op, ..) if op.is_comparison()) => {
                Said::new(format!("not ({})", words(operand)), Shape::Closed)
            }
            None => Said::new(format!("not {}", say(operand).closed()), Shape::Closed),
        },
        (Unary::Challenged, _) => say(operand).after("there is a doubt that"),
        (Unary::ForAll | Unary::Exists, _) => on_runs(op, operand),
        (Unary::Globally, Some((Unary::Finally, rest))) => say(rest).under("again and again"),
        (Unary::Finally, Some((Unary::Globally, rest))) => say(rest).under("from some moment on, always"),
        (Unary::Finally, _) => say(operand).after("eventually"),
        (Unary::Next, _) => say(operand).under("in the next state"),
        (Unary::Globally, _) => say(operand).under("at every moment"),
        (Unary::Previous, _) => say(operand).under("one step ago"),
        (Unary::Once, _) => say(operand).under("at some moment up to now"),
        (Unary::Historically, _) => say(operand).under("at every moment up to now"),
        (Unary::AllPrevious, _) => say(operand).under("in every state just before this one"),
        (Unary::SomePrevious, _) => say(operand).under("in some state just before this one"),
        (Unary::AllPast, _) => say(operand).under("in every state that leads here"),
        (Unary::SomePast, _) => say(operand).under("in some state that leads here"),
    }
}

/// `A ψ` and `E ψ`: what is said of time follows without a colon.
fn on_runs(op: Unary, operand: &Formula) -> Said {
    let runs = if op == Unary::ForAll { "on every run" } else { "on some run" };
    let said = say(operand);
    match operand.kind() {
        Kind::Unary(Unary::Finally, rest) if !matches!(rest.kind(), Kind::Unary(Unary::Globally, _)) => {
            Said::new(format!("{runs} {}", said.text), said.shape)
        }
        Kind::Unary(
            Unary::Finally
            | Unary::Globally
            | Unary::Next
            | Unary::Previous
            | Unary::Once
            | Unary::Historically,
            _,
        )
        | Kind::Bounded(Bounded { goal: Within::Finally(_) | Within::Globally(_), .. }) => {
            Said::new(format!("{runs}, {}", said.text), said.shape)
        }
        _ => said.under(runs),
    }
}

fn binary(op: Binary, left: &Formula, right: &Formula) -> Said {
    let closed = || (say(left).closed(), say(right).closed());
    let text = match op {
        Binary::And => return joined("and", vec![say(left), say(right)]),
        Binary::Or => return joined("or", vec![say(left), say(right)]),
        Binary::Implies => {
            let then = say(right).unless(|shape| shape != Shape::Other);
            return Said::new(format!("if {}, then {then}", antecedent(left)), Shape::Conditional);
        }
        Binary::Iff => format!("{0} exactly if {1}", closed().0, closed().1),
        Binary::Until => format!("{0} until {1}, which comes", closed().0, closed().1),
        Binary::WeakUntil => format!("{0} until {1}, or for ever", closed().0, closed().1),
        Binary::Release => {
            format!("{1} up to and including the first moment of {0}, or for ever", closed().0, closed().1)
        }
        Binary::Since => format!("{0} ever since {1}, which has come", closed().0, closed().1),
        Binary::So => {
            format!("{0} now, and in the next state, if that still holds, {1}", closed().0, closed().1)
        }
        _ => return Said::new(left.clone().binary(op, right.clone()).to_string(), Shape::Closed),
    };
    Said::new(text, Shape::Other)
}

/// What stands between `if` and the comma.
fn antecedent(formula: &Formula) -> String {
    say(formula).unless(|shape| matches!(shape, Shape::Closed | Shape::Short | Shape::Joined(_)))
}

/// Parts with a word between them. What reaches far stands last or in parentheses.
fn joined(word: &'static str, mut parts: Vec<Said>) -> Said {
    if parts.len() < 2 {
        let empty = || Said::new(if word == "or" { "false" } else { "true" }, Shape::Closed);
        return parts.pop().unwrap_or_else(empty);
    }
    let last = parts.len() - 1;
    let mut wrapped = false;
    let mut texts: Vec<String> = Vec::new();
    for (position, part) in parts.into_iter().enumerate() {
        let plain = match part.shape {
            Shape::Closed => true,
            Shape::Joined(own) => own == word,
            // In a row with others in parentheses it would look out of place without.
            Shape::Short | Shape::Open => position == last && !wrapped,
            Shape::Conditional | Shape::Other => false,
        };
        wrapped |= !plain;
        texts.push(part.unless(|_| plain));
    }
    Said::new(texts.join(&format!(" {word} ")), Shape::Joined(word))
}

fn comprehended(comprehension: &Comprehension, whole: &Formula) -> Said {
    let Comprehension { join, index, low, high, body } = comprehension;
    match join {
        Join::Any => say(body).under(&format!("for some {index} from {low} to {high}")),
        Join::All => say(body).under(&format!("for every {index} from {low} to {high}")),
        Join::Sum => Said::new(whole.to_string(), Shape::Closed),
    }
}

fn within(Bounded { bound, goal }: &Bounded) -> Said {
    let (ticks, have) = match bound.kind() {
        Kind::Int(1) => ("1 tick".to_owned(), "has"),
        _ => (format!("{bound} ticks"), "have"),
    };
    match goal {
        Within::Finally(operand) => say(operand).under(&format!("within {ticks}")),
        Within::Globally(operand) => say(operand).under(&format!("as long as at most {ticks} {have} passed")),
        Within::Until(left, right) => {
            let (left, right) = (say(left).closed(), say(right).closed());
            Said::new(format!("{left} until {right}, which comes within {ticks}"), Shape::Other)
        }
    }
}

fn known(Epistemic { op, agent, group, body }: &Epistemic) -> Said {
    let agent = agent.as_ref().map_or_else(|| "somebody".to_owned(), ToString::to_string);
    let is_everybody = *group == Some(Group::Everybody);
    let group = group.as_ref().map_or_else(String::new, members);
    let before = match op {
        EpistemicOp::Knows => format!("{agent} knows that"),
        EpistemicOp::EverybodyKnows if is_everybody => "everybody knows that".to_owned(),
        EpistemicOp::EverybodyKnows => format!("everybody among {group} knows that"),
        EpistemicOp::DistributedKnowledge => format!("taken together, {group} know that"),
        EpistemicOp::CommonKnowledge => format!("it is common knowledge among {group} that"),
        EpistemicOp::Correct => return say(body).under(&format!("wherever {agent} behaves correctly")),
        EpistemicOp::KnowsAssumingCorrect => {
            format!("{agent} knows, assuming that {group} behave correctly, that")
        }
        EpistemicOp::Believes => {
            format!("{agent} believes, as long as {group} can be taken to behave correctly, that")
        }
    };
    say(body).after(&before)
}

/// Who is in a group.
fn members(group: &Group) -> String {
    match group {
        Group::Everybody => "all agents".to_owned(),
        Group::Named(name) => name.to_string(),
        Group::Listed(names) => match names.split_last() {
            None => "nobody".to_owned(),
            Some((only, [])) => only.to_string(),
            Some((last, others)) => {
                let others: Vec<String> = others.iter().map(ToString::to_string).collect();
                format!("{} and {last}", others.join(", "))
            }
        },
    }
}

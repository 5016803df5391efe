//! What a talk consists of.

use super::formulas::Phrase;
use super::term::Term;

/// A protocol. Whatever is named is named by its name, so that anything can be left out that nothing names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Talk {
    /// Parameters with their values.
    pub parameters: Vec<(String, i64)>,
    /// The roles.
    pub roles: Vec<String>,
    /// Groups with their members.
    pub groups: Vec<(String, Vec<String>)>,
    /// How acts are read; empty: as usual.
    pub semantics: String,
    /// Names for types.
    pub types: Vec<(String, Type)>,
    /// The variables.
    pub variables: Vec<Variable>,
    /// What initial states satisfy.
    pub init: Vec<Term>,
    /// The clocks.
    pub clocks: Vec<Clock>,
    /// What messages carry.
    pub messages: Vec<Message>,
    /// The channels.
    pub channels: Vec<Channel>,
    /// The commitments.
    pub commitments: Vec<Commitment>,
    /// The texts that can be used.
    pub files: Vec<(String, Talk)>,
    /// The uses of them.
    pub parts: Vec<Part>,
    /// The machines; the only one may have no name.
    pub machines: Vec<Machine>,
    /// Which runs count.
    pub fairness: Vec<Fairness>,
    /// What is asked: state formulas.
    pub properties: Vec<Phrase>,
    /// What must be possible.
    pub scenarios: Vec<Scenario>,
}

/// A value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// An integer.
    Int(i64),
    /// A truth value.
    Bool(bool),
    /// A value of an enumeration.
    Literal(String),
}

/// The type of variables and of what messages carry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// `bool`
    Bool,
    /// A range.
    Range(i64, i64),
    /// A range from 0 to a parameter.
    UpTo(String),
    /// An enumeration.
    Enumeration(Vec<String>),
    /// A name for a type.
    Named(String),
}

/// A variable, or an array of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// For an array: the last index; the first is 1.
    pub size: Option<i64>,
    /// Its type.
    pub of: Type,
    /// Where it begins; nothing: with any value.
    pub initial: Vec<Value>,
    /// The roles and groups that see it; nobody: everybody does.
    pub owners: Vec<String>,
}

/// A clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Its name.
    pub name: String,
    /// Where it stops.
    pub end: i64,
}

/// A declared message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Its name.
    pub name: String,
    /// For a row of messages: the last index; the first is 1.
    pub size: Option<i64>,
    /// What it carries, and what that is called.
    pub types: Vec<(Option<String>, Type)>,
}

/// A channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channel {
    /// Its name.
    pub name: String,
    /// Who alone may send.
    pub from: Option<String>,
    /// Who alone may receive.
    pub to: Option<String>,
    /// How many messages can be under way; `None`: one.
    pub capacity: Option<usize>,
    /// Can messages get lost?
    pub lossy: bool,
    /// Can messages be repeated?
    pub duplicating: bool,
    /// Can messages overtake each other?
    pub unordered: bool,
    /// What it carries.
    pub carries: Vec<String>,
}

/// A commitment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commitment {
    /// Its name.
    pub name: String,
    /// Is it private?
    pub private: bool,
    /// Who owes it.
    pub debtor: String,
    /// To whom.
    pub creditor: String,
    /// Its content, with `{}` for the variable that it is about.
    pub content: String,
    /// That variable, a boolean one.
    pub about: String,
}

/// A protocol made elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its file.
    pub file: String,
    /// What it is called here.
    pub name: String,
    /// Its roles that are roles of this protocol.
    pub roles: Vec<(String, String)>,
    /// Its parameters that have other values.
    pub parameters: Vec<(String, i64)>,
    /// Where it runs.
    pub when: Option<Term>,
}

/// A machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// Its name; empty: the file is one machine.
    pub name: String,
    /// The roles and groups that see where it is; nobody: everybody does.
    pub owners: Vec<String>,
    /// Where it begins.
    pub start: String,
    /// Its transitions.
    pub steps: Vec<Step>,
    /// Where time passes only under a condition.
    pub waits: Vec<(String, Term)>,
    /// Where it may rest for good.
    pub finals: Vec<String>,
}

/// A transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Where it begins.
    pub from: String,
    /// What is done.
    pub label: Label,
    /// Where it is possible.
    pub guard: Option<Term>,
    /// What it assigns.
    pub sets: Vec<Assignment>,
    /// Where it leads.
    pub to: String,
}

/// What a transition does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Label {
    /// A message is sent or received.
    Said(Said),
    /// An act.
    Act(Act),
}

/// Which half of a message a transition is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// All of it.
    Alone,
    /// `!`
    Sends,
    /// `?`
    Receives,
}

/// A message in a transition, as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// Whose it is.
    pub by: Option<String>,
    /// The roles and groups behind the arrow.
    pub to: Vec<String>,
    /// Its name, with its index.
    pub name: String,
    /// Which half it is.
    pub side: Side,
    /// What it carries.
    pub arguments: Vec<Argument>,
}

/// What stands between the parentheses of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// `_`
    Any,
    /// What is sent, or what must be received.
    Is(Term),
    /// A name for what is received.
    Bind(String),
}

/// An act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Act {
    /// Which: `Cr`, `Del`...
    pub kind: &'static str,
    /// On what.
    pub commitment: String,
    /// What it is supported with: a boolean variable.
    pub support: Option<String>,
    /// To whom it gives the commitment.
    pub third: Option<String>,
}

/// What is assigned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// A variable, a clock or an array.
    pub name: String,
    /// Which element of the array.
    pub index: Option<Term>,
}

/// An assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Assignment {
    /// A value.
    Set(Target, Term),
    /// Any of some values.
    Choose(Target, Vec<Value>),
    /// The same for every index from 1 on.
    Each(String, i64, Box<Assignment>),
}

/// Which labels are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// By whom.
    pub by: Option<String>,
    /// To whom, among others; only where `by` is given.
    pub to: Option<String>,
    /// The message.
    pub name: String,
    /// Is it received?
    pub received: bool,
    /// What it carries, where that matters.
    pub arguments: Vec<Option<Value>>,
}

/// Which runs count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fairness {
    /// Those where something holds again and again.
    State(Term),
    /// Those where a step is again and again taken or impossible.
    Weak(Pattern),
    /// Those where a step that is possible again and again is taken again and again.
    Strong(Pattern),
}

/// A part of a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Any number of steps.
    Anything,
    /// Any step.
    Step,
    /// A step of this kind.
    Said(Pattern),
}

/// A conversation that is possible or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scenario {
    /// What happens.
    pub moments: Vec<Moment>,
}

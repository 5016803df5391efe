//! What a Pact file says, statement by statement, with places; nothing is looked up or computed yet.

use std::sync::Arc;

use servanda_abta::decompose::Rule;
use servanda_logic::{ActPattern, Arg, Formula, Reference};
use servanda_model::{ActReading, Level, Strength};
use servanda_syntax::Span;

/// A statement.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) kind: ItemKind,
    pub(crate) span: Span,
}

/// The statements of the language.
#[derive(Clone, Debug)]
pub(crate) enum ItemKind {
    /// `protocol NAME`
    Protocol(Name),
    /// `param N = 3`
    Param { name: Name, value: Formula },
    /// `roles Cus, Bidder[1..N]`
    Roles(Vec<Declared>),
    /// `semantics actl`
    Semantics(ActReading),
    /// `var x : 0..5 = 1`, `private var x of Cus : bool`
    Variables(Variables),
    /// `red Mer : delivered & !paid`
    Red { role: Reference, condition: Formula },
    /// `prop done = paid & delivered`
    Proposition { name: Reference, formula: Formula },
    /// `commitment quote = SC(..)`, `private commitment quote = SC(..)`
    Commitment { name: Reference, formula: Formula, private: bool },
    /// `start idle`
    Start(Reference),
    /// `idle -- Cr(Cus, quote) --> asked`
    Transition(Transition),
    /// `access Cus -> Mer : guard`
    Access { debtor: Reference, creditor: Reference, guard: Formula },
    /// `fair formula`
    Fair(Formula),
    /// `fair weak does(pay)`
    FairSteps { strength: Strength, step: Formula },
    /// `group both = { Cus, Mer }`
    Group { name: Reference, members: Vec<Reference> },
    /// `property p expect true = formula`
    Property(PropertyItem),
    /// `machine Desk of Mer { .. }`
    Machine { name: Reference, seers: Vec<Reference>, body: Block },
    /// `type Price = 0..N`
    Type { name: Name, domain: DomainItem },
    /// `message quote(price : Price, Status)`
    Message(MessageItem),
    /// `channel wire from Cus to Mer of capacity 2 lossy carries order, cancel`
    Channel(ChannelItem),
    /// `clock age : 0..7`
    Clock { names: Vec<Declared>, domain: DomainItem },
    /// `init x[1] != x[2]`
    Init(Formula),
    /// `final open, closed`
    Final(Vec<Reference>),
    /// `wait asked while age < 5`
    Wait { state: Reference, condition: Formula },
    /// `use "payment.pact" as pay (..) when in agreed with properties`
    Use(UseItem),
    /// `scenario happy { .. }`
    Scenario(ScenarioItem),
    /// `for i in 1..N { .. }`
    For { index: Name, low: Formula, high: Formula, body: Block },
    /// `decompose ACT { .. }`
    Decompose(DecomposeItem),
    /// A statement that could not be read. It was reported; what it names may have been declared by it.
    Broken,
}

/// The statements between braces.
#[derive(Clone, Debug, Default)]
pub(crate) struct Block {
    pub(crate) items: Vec<Item>,
    /// Where the opening brace stands.
    pub(crate) open: Span,
    /// Where the closing brace stands: comments before it belong to the block.
    pub(crate) close: Span,
}

/// A name without indices.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub(crate) text: Arc<str>,
    pub(crate) span: Span,
}

/// A name that declares one element or a whole array.
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    pub(crate) name: Arc<str>,
    pub(crate) indices: Vec<Extent>,
    pub(crate) span: Span,
}

/// One value, or a range of them: what stands between the brackets of a declared name, or after `=`.
#[derive(Clone, Debug)]
pub(crate) struct Extent {
    pub(crate) low: Formula,
    /// `None`: just `low`.
    pub(crate) high: Option<Formula>,
}

/// A declaration of variables.
#[derive(Clone, Debug)]
pub(crate) struct Variables {
    /// The roles and groups that observe them; nobody named: every role does.
    pub(crate) owners: Vec<Reference>,
    pub(crate) names: Vec<Declared>,
    pub(crate) domain: DomainItem,
    pub(crate) initial: Option<Initial>,
}

/// The type of a variable.
#[derive(Clone, Debug)]
pub(crate) enum DomainItem {
    Bool,
    Range {
        low: Formula,
        high: Formula,
        span: Span,
    },
    Enumeration(Vec<Name>),
    /// A name that `type` gives.
    Named(Reference),
}

/// What a message carries.
#[derive(Clone, Debug)]
pub(crate) struct MessageItem {
    pub(crate) name: Declared,
    /// The types, some with names for the reader.
    pub(crate) parameters: Vec<(Option<Name>, DomainItem)>,
}

/// A channel.
#[derive(Clone, Debug)]
pub(crate) struct ChannelItem {
    pub(crate) name: Reference,
    pub(crate) from: Option<Reference>,
    pub(crate) to: Option<Reference>,
    pub(crate) capacity: Option<Formula>,
    pub(crate) lossy: bool,
    pub(crate) duplicating: bool,
    pub(crate) unordered: bool,
    pub(crate) carries: Vec<Reference>,
    /// Where the steps of the channel itself are possible: the condition of the `use` by which it came.
    pub(crate) when: Option<Formula>,
}

/// A protocol made elsewhere.
#[derive(Clone, Debug)]
pub(crate) struct UseItem {
    /// The file as written, and where.
    pub(crate) file: Name,
    pub(crate) name: Name,
    /// Roles and parameters of the other file with what they are here.
    pub(crate) given: Vec<(Name, Formula)>,
    pub(crate) when: Option<Formula>,
    pub(crate) with_properties: bool,
}

/// A conversation that must be possible, or must not.
#[derive(Clone, Debug)]
pub(crate) struct ScenarioItem {
    pub(crate) name: Reference,
    /// `expect impossible`
    pub(crate) impossible: bool,
    pub(crate) steps: Vec<ScenarioStepItem>,
    pub(crate) open: Span,
    pub(crate) close: Span,
}

/// A step of a scenario.
#[derive(Clone, Debug)]
pub(crate) enum ScenarioStepItem {
    /// `...`
    Anything,
    /// `does(..)` of the step.
    Step(Formula),
}

/// The initial values of a variable.
#[derive(Clone, Debug)]
pub(crate) struct Initial {
    pub(crate) parts: Vec<Extent>,
    /// Is it written with braces?
    pub(crate) braces: bool,
}

/// A transition.
#[derive(Clone, Debug)]
pub(crate) struct Transition {
    pub(crate) from: Reference,
    pub(crate) label: LabelItem,
    pub(crate) guard: Option<Formula>,
    pub(crate) sets: Vec<Assignment>,
    pub(crate) to: Reference,
}

/// What a transition is labelled with.
#[derive(Clone, Debug)]
pub(crate) enum LabelItem {
    Act { act: ActPattern, span: Span },
    Message(SaidItem),
}

/// A message of a transition.
#[derive(Clone, Debug)]
pub(crate) struct SaidItem {
    /// Who sends it; with addressees and a `?`, whose message is received.
    pub(crate) role: Option<Reference>,
    /// To whom; nobody named: to everybody.
    pub(crate) to: Vec<Reference>,
    pub(crate) name: Reference,
    pub(crate) side: Side,
    pub(crate) arguments: Vec<Arg<Formula>>,
    pub(crate) span: Span,
}

/// Which side of a synchronisation a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// `m`: it happens alone.
    Alone,
    /// `m!`
    Sender,
    /// `m?`
    Receiver,
}

/// What stands after `set`.
#[derive(Clone, Debug)]
pub(crate) enum Assignment {
    /// `x = e`
    Is { target: Reference, value: Formula },
    /// `x in 2..4`, `x in {calm, cross}`
    OneOf { target: Reference, values: Initial },
    /// `all i in 1..N : x[i] = e`
    Each { index: Name, low: Formula, high: Formula, body: Box<Assignment> },
}

impl Assignment {
    /// The formula that it ends with, if it does with one.
    pub(crate) fn last_formula(&mut self) -> Option<&mut Formula> {
        match self {
            Assignment::Is { value, .. } => Some(value),
            Assignment::OneOf { .. } => None,
            Assignment::Each { body, .. } => body.last_formula(),
        }
    }

    /// Every formula that is written in it.
    pub(crate) fn formulas(&self) -> Vec<&Formula> {
        match self {
            Assignment::Is { target, value } => target.indices.iter().chain([value]).collect(),
            Assignment::OneOf { target, values } => {
                let bounds =
                    values.parts.iter().flat_map(|part| std::iter::once(&part.low).chain(&part.high));
                target.indices.iter().chain(bounds).collect()
            }
            Assignment::Each { low, high, body, .. } => {
                [low, high].into_iter().chain(body.formulas()).collect()
            }
        }
    }
}

/// A property.
#[derive(Clone, Debug)]
pub(crate) struct PropertyItem {
    pub(crate) name: Reference,
    pub(crate) expected: Option<bool>,
    pub(crate) level: Option<Level>,
    pub(crate) cite: Option<Name>,
    /// What it says; no formula at all where it is refused.
    pub(crate) formula: Formula,
    /// The whole formula as written, outer parentheses included.
    pub(crate) written: Span,
    /// Where it is too long or too deep to be read.
    pub(crate) refused: Option<Span>,
}

/// A claimed decomposition.
#[derive(Clone, Debug)]
pub(crate) struct DecomposeItem {
    pub(crate) act: ActPattern,
    pub(crate) act_span: Span,
    pub(crate) states: Vec<StateItem>,
    pub(crate) edges: Vec<EdgeItem>,
    pub(crate) open: Span,
    pub(crate) close: Span,
}

/// `0 : f, f`
#[derive(Clone, Debug)]
pub(crate) struct StateItem {
    pub(crate) name: Name,
    pub(crate) formulas: Vec<Formula>,
    pub(crate) span: Span,
}

/// `0 --[and]--> 1`
#[derive(Clone, Debug)]
pub(crate) struct EdgeItem {
    pub(crate) from: Name,
    pub(crate) rule: Rule<Reference>,
    pub(crate) to: Name,
    pub(crate) span: Span,
}

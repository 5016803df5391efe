//! The formula tree: one type for expressions, state formulas and path formulas.
//!
//! A [`Formula`] is what was written, node for node: nothing is simplified, so that two commitments can be compared
//! *as parsed* (docs/formulas.md section 4). Equality and hashing ignore spans. Subtrees are shared, so clones are cheap.
//!
//! A formula is **ground** when it contains no parameter, loop index, comprehension, named proposition or named
//! commitment any more: only variables, enumeration literals, control states, agents and constants. Front ends make
//! formulas ground; the lowering step accepts ground formulas only.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use servanda_syntax::Span;

use crate::act::ActKind;

/// Operands up to which a chain leans to the left. A longer one is one node, to keep its tree low.
const LONGEST_CHAIN: usize = 100;

/// A formula or expression with the place it was written at.
#[derive(Clone)]
pub struct Formula {
    node: Arc<Node>,
}

struct Node {
    kind: Kind,
    span: Span,
    height: u32,
}

/// What stands at a node of a [`Formula`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// `true` or `false`.
    Bool(bool),
    /// An integer constant.
    Int(i64),
    /// A variable, proposition, commitment, enumeration literal, parameter or loop index.
    Name(Reference),
    /// `!φ`, `AG φ` (as `A` over `G`), `X φ`, `-e` ...
    Unary(Unary, Formula),
    /// `φ & ψ`, `φ U ψ`, `e <= e` ...
    Binary(Binary, Formula, Formula),
    /// `if φ then a else b`: a value, or a formula.
    If(Formula, Formula, Formula),
    /// `F<=k φ`, `G<=k φ`, `φ U<=k ψ`
    Bounded(Bounded),
    /// `any i in 1..N : φ` and its kin.
    Comprehension(Comprehension),
    /// What a comprehension becomes once its range is known, and a long chain of operators: `any`, `all` or `sum` of these, in order.
    Joined(Join, Vec<Formula>),
    /// `in NAME`, `M in NAME`.
    At(At),
    /// `NAME.has(m)`, `NAME.head(m)`: what is under way in a channel.
    Carries(Carries),
    /// `NAME[i].length`: how much is under way in a channel with indices. Without indices it is a [`Kind::Name`].
    Length(Reference),
    /// `does(..)`: an action atom.
    Does(LabelPattern),
    /// A communicative act as a formula.
    Act(ActPattern),
    /// `SC(i, j, ψ)` or `PC(i, j, t, ψ)`.
    Commitment(Commitment),
    /// `active(c)`: some commitment of this pattern is in force. What stands there is as in [`ActPattern::commitment`].
    Active(Arg<Formula>),
    /// `K GK DK GCK O KH`.
    Epistemic(Epistemic),
    /// `<g> X φ` and its kin.
    Strategic(Strategic),
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Unary {
    /// `!φ`
    Not,
    /// `-e`
    Minus,
    /// `A ψ`: on every path
    ForAll,
    /// `E ψ`: on some path
    Exists,
    /// `X ψ`
    Next,
    /// `F ψ`
    Finally,
    /// `G ψ`
    Globally,
    /// `Y ψ`: linear past, previous
    Previous,
    /// `P ψ`: linear past, once
    Once,
    /// `H ψ`: linear past, historically
    Historically,
    /// `AY φ`: branching past
    AllPrevious,
    /// `EY φ`: branching past
    SomePrevious,
    /// `AH φ`: branching past
    AllPast,
    /// `EP φ`: branching past
    SomePast,
    /// `?ψ`: the stance of a challenger. Allowed in `decompose` blocks only.
    Challenged,
}

/// Operators with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Binary {
    /// `φ & ψ`
    And,
    /// `φ | ψ`
    Or,
    /// `φ -> ψ`
    Implies,
    /// `φ <-> ψ`
    Iff,
    /// `φ U ψ` (strong)
    Until,
    /// `φ W ψ` (weak)
    WeakUntil,
    /// `φ R ψ`
    Release,
    /// `φ S ψ`: linear past
    Since,
    /// `φ so ψ`: the argument operator
    So,
    /// `a = b`
    Equal,
    /// `a != b`
    NotEqual,
    /// `a < b`
    Less,
    /// `a <= b`
    LessEqual,
    /// `a > b`
    Greater,
    /// `a >= b`
    GreaterEqual,
    /// `a + b`
    Add,
    /// `a - b`
    Subtract,
    /// `a * b`
    Multiply,
    /// `a / b`
    Divide,
    /// `a % b`
    Remainder,
    /// `min(a, b)`
    Min,
    /// `max(a, b)`
    Max,
}

/// A temporal operator that looks no further than a number of ticks.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Bounded {
    /// How many ticks: a constant expression.
    pub bound: Formula,
    /// What is said of the time until then.
    pub goal: Within,
}

/// What is said of the time until some ticks have passed.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Within {
    /// `F<=k φ`
    Finally(Formula),
    /// `G<=k φ`
    Globally(Formula),
    /// `φ U<=k ψ`
    Until(Formula, Formula),
}

/// A name with indices: `paid`, `Bidder[i]`, `x[1][j + 1]`.
#[derive(Clone, Debug)]
pub struct Reference {
    /// The name before the indices.
    pub name: Arc<str>,
    /// The indices, outermost first.
    pub indices: Vec<Formula>,
    /// Where it was written.
    pub span: Span,
}

/// An argument that may be the wildcard `_`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Arg<T> {
    /// `_`
    Any,
    /// A given value.
    Is(T),
}

/// Which comprehension.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Join {
    /// Disjunction.
    Any,
    /// Conjunction.
    All,
    /// Addition.
    Sum,
}

/// `any i in low..high : body`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Comprehension {
    /// Which.
    pub join: Join,
    /// The bound name.
    pub index: Arc<str>,
    /// First value of the index.
    pub low: Formula,
    /// Last value of the index.
    pub high: Formula,
    /// What is repeated.
    pub body: Formula,
}

/// Control is at a location of a machine.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct At {
    /// The machine; may be left out where there is only one.
    pub machine: Option<Reference>,
    /// The control state.
    pub location: Reference,
}

/// A message is under way in a channel.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Carries {
    /// The channel.
    pub channel: Reference,
    /// Is the oldest message meant, and not any?
    pub oldest: bool,
    /// Which message.
    pub message: ActionPattern,
}

/// `SC(debtor, creditor, content)`; with a tag it is `PC`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Commitment {
    /// Who owes it.
    pub debtor: Arg<Reference>,
    /// To whom.
    pub creditor: Arg<Reference>,
    /// The moment of a `PC`, part of the commitment's identity.
    pub tag: Option<Arg<Tag>>,
    /// What is promised; `_` only inside an act or `active`.
    pub content: Arg<Formula>,
}

/// The moment of a `PC`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Tag {
    /// A name, such as `t1`; a parameter or loop index of that name is replaced by its value.
    Name(Reference),
    /// A number.
    Number(i64),
}

/// A communicative act, possibly with wildcards: `Cr(Cus, quote)`, `Jus(_, claim, _)`, `Act(Slave, claim)`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ActPattern {
    /// Which act; `Arg::Any` is written `Act`.
    pub kind: Arg<ActKind>,
    /// Who performs it.
    pub actor: Arg<Reference>,
    /// On which commitment: a [`Kind::Commitment`], or (before definitions are expanded) a [`Kind::Name`].
    pub commitment: Arg<Formula>,
    /// The support of `At`, `Def` and `Jus`; `None` for other acts, `Some(Any)` for `Act`.
    pub support: Option<Arg<Formula>>,
    /// The third party of `Del` and `Ass`; `None` for other acts, `Some(Any)` for `Act`.
    pub third: Option<Arg<Reference>>,
}

/// What stands between the parentheses of `does(..)`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum LabelPattern {
    /// `does(_)`: any real transition.
    Any,
    /// `does(Vio(Cus, _))`: an act by its label alone.
    Act(ActPattern),
    /// `does("Cus: pay")`: the label as the model shows it. A label that the model does not have is never done.
    Shown(Arc<str>),
    /// `does(pay)`, `does(Mer -> Cus: quote(3, _))`, `does(Bob.pay?)`, `does(Sender.sb0)`, `does('a)`, `does(a(phi))`, `does(tau)`.
    Action(ActionPattern),
}

/// A message or action by name.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ActionPattern {
    /// Before the dot: whose part of the action, or who sends or receives the message.
    pub agent: Option<Reference>,
    /// `Ann -> Bob: m`: who is among the addressees of the message.
    pub to: Vec<Reference>,
    /// `'a`: the output side of a CCS name.
    pub output: bool,
    /// The message, action or CCS name.
    pub name: Reference,
    /// `m?`: the message is received from a channel.
    pub received: bool,
    /// What stands between the parentheses: what the message carries, or the one content of a CCS label.
    pub arguments: Option<Vec<Arg<Formula>>>,
}

impl ActionPattern {
    /// Is it a name, and perhaps whose, and nothing else?
    pub fn is_plain(&self) -> bool {
        !self.output && !self.received && self.to.is_empty() && self.arguments.is_none()
    }

    /// Whatever is called so, made by anybody.
    pub fn named(name: Reference) -> Self {
        ActionPattern { agent: None, to: Vec::new(), output: false, name, received: false, arguments: None }
    }
}

/// The modalities of knowledge, belief and correct behaviour.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EpistemicOp {
    /// `K(i, φ)`
    Knows,
    /// `GK(g, φ)`
    EverybodyKnows,
    /// `DK(g, φ)`
    DistributedKnowledge,
    /// `GCK(g, φ)`
    CommonKnowledge,
    /// `O(i, φ)`
    Correct,
    /// `KH(i, g, φ)`
    KnowsAssumingCorrect,
    /// `B(i, g, φ)`
    Believes,
}

/// A knowledge or correct-behaviour formula.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Epistemic {
    /// Which modality.
    pub op: EpistemicOp,
    /// The agent of `K`, `O`, `KH` and `B`.
    pub agent: Option<Reference>,
    /// The group of `GK`, `DK`, `GCK`, `KH` and `B`.
    pub group: Option<Group>,
    /// The operand.
    pub body: Formula,
}

/// A group of agents.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Group {
    /// Left out: all agents.
    Everybody,
    /// A declared group or one agent.
    Named(Reference),
    /// `{A, B}`
    Listed(Vec<Reference>),
}

/// `<g> X φ`, `<g> F φ`, `<g> G φ`, `<g>(φ U ψ)`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Strategic {
    /// Who cooperates.
    pub group: Group,
    /// To bring about what.
    pub goal: Goal,
}

/// What a coalition tries to bring about.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Goal {
    /// `X φ`
    Next(Formula),
    /// `F φ`
    Finally(Formula),
    /// `G φ`
    Globally(Formula),
    /// `φ U ψ`
    Until(Formula, Formula),
}

impl Within {
    /// The formulas that it refers to, in the order they are written.
    pub fn operands(&self) -> impl Iterator<Item = &Formula> {
        let (first, second) = match self {
            Within::Finally(operand) | Within::Globally(operand) => (operand, None),
            Within::Until(left, right) => (left, Some(right)),
        };
        std::iter::once(first).chain(second)
    }
}

impl Within {
    /// What is asked under a quantifier where so many ticks are left: `EF<=ticks φ` and its kin. What always holds is asked as what never
    /// does.
    pub fn after_ticks(&self, ticks: i64, quantifier: Unary) -> Formula {
        let (span, goal) = match self {
            Within::Finally(a) => (a.span(), Within::Finally(a.clone())),
            Within::Globally(a) => match a.kind() {
                Kind::Unary(Unary::Not, a) => (a.span(), Within::Finally(a.clone())),
                _ => (a.span(), Within::Finally(a.clone().negated())),
            },
            Within::Until(a, b) => (a.span().to(b.span()), Within::Until(a.clone(), b.clone())),
        };
        let bound = Formula::new(Kind::Int(ticks), span);
        Formula::new(Kind::Bounded(Bounded { bound, goal }), span).unary(quantifier)
    }
}

impl Formula {
    /// A node at a place.
    pub fn new(kind: Kind, span: Span) -> Self {
        let mut height = 0;
        kind.for_each_child(|child| height = height.max(child.height()));
        Formula { node: Arc::new(Node { kind, span, height: height.saturating_add(1) }) }
    }

    /// `a & b & c ...` as it is written: leaning to the left, and one node where it is long. `None` where there is no operand.
    pub fn chain(join: Join, operands: Vec<Formula>) -> Option<Self> {
        if operands.len() <= LONGEST_CHAIN {
            return operands.into_iter().reduce(|left, right| left.binary(join.operator(), right));
        }
        let span = operands[0].span().to(operands[operands.len() - 1].span());
        Some(Formula::new(Kind::Joined(join, operands), span))
    }

    /// The number of nodes on the longest way down; what walks a formula recursively needs stack in proportion.
    pub fn height(&self) -> u32 {
        self.node.height
    }

    /// Tells nodes apart that are alive at the same time; clones share it.
    pub(crate) fn address(&self) -> usize {
        Arc::as_ptr(&self.node).addr()
    }

    /// The same formula at another place.
    #[must_use]
    pub fn with_span(&self, span: Span) -> Formula {
        Formula { node: Arc::new(Node { kind: self.kind().clone(), span, height: self.height() }) }
    }

    /// What stands here.
    pub fn kind(&self) -> &Kind {
        &self.node.kind
    }

    /// Where it was written.
    pub fn span(&self) -> Span {
        self.node.span
    }

    /// `true` or `false`, at the place of `self`.
    pub fn constant(&self, value: bool) -> Formula {
        Formula::new(Kind::Bool(value), self.span())
    }

    /// `op self`, at the place of `self`.
    pub fn unary(self, op: Unary) -> Formula {
        let span = self.span();
        Formula::new(Kind::Unary(op, self), span)
    }

    /// `self op right`, at the place of both.
    pub fn binary(self, op: Binary, right: Formula) -> Formula {
        let span = self.span().to(right.span());
        Formula::new(Kind::Binary(op, self, right), span)
    }

    /// `!self`, exactly so: `!!p` is not `p`.
    pub fn negated(self) -> Formula {
        self.unary(Unary::Not)
    }
}

impl PartialEq for Formula {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.node, &other.node) || self.node.kind == other.node.kind
    }
}

impl Eq for Formula {}

impl Hash for Formula {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.node.kind.hash(state);
    }
}

impl std::fmt::Debug for Formula {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.node.kind.fmt(f)
    }
}

impl Reference {
    /// A name without indices.
    pub fn plain(name: &str, span: Span) -> Self {
        Reference { name: Arc::from(name), indices: Vec::new(), span }
    }
}

impl PartialEq for Reference {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.indices == other.indices
    }
}

impl Eq for Reference {}

impl Hash for Reference {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
        self.indices.hash(state);
    }
}

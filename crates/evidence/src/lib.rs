//! The one data structure in which evidence comes, whichever engine gave the verdict: plain data, for those who look for
//! evidence, those who check it and those who show it. No engine is known here.
//!
//! [`Evidence`] is a tree of [`Claim`]s. A claim says of one point of a run that a state formula holds or fails there, and
//! gives the reason: a path that begins there, another point that somebody cannot tell from this one, a strategy, or parts of the
//! formula that say enough. Claims about the points of a path hang on the path. [`Evidence::line`] joins what follows on each other
//! into one path, for those who show only one.

use serde::{Deserialize, Serialize};
use servanda_logic::ActKind;
use servanda_lower::{Arena, PathFormula, StateFormula};
use servanda_model::{AgentId, CommitmentView, LabelId, StateView, StepKind};

servanda_syntax::named! {
    /// What the evidence shows of its property.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub enum EvidenceKind {
        /// That it holds.
        Witness = "witness",
        /// That it does not hold.
        Counterexample = "counterexample",
    }
}

/// Why a property has the verdict it has.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Evidence {
    /// What it shows.
    pub kind: EvidenceKind,
    /// The property as the user wrote it.
    pub formula: String,
    /// The run that leads to where the property was looked at: one state where that is an initial one.
    pub start: Path,
    /// What holds or fails at the end of [`Evidence::start`].
    pub claim: Claim,
    /// How far the claims that no single path shows were decided again.
    pub checked: Checked,
    /// The names of the agents, by number.
    pub agents: Vec<String>,
    /// The commitments with names: what labels and claims may call by them.
    pub commitments: Vec<CommitmentView>,
    /// What the core formulas of the claims are made of. Who shows evidence does not ask, so it does not go from process to process.
    #[serde(skip)]
    pub arena: Arena,
}

/// Who decided the claims of evidence a second time, after every step was replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Checked {
    /// Nobody yet.
    NotYet,
    /// The paths themselves show everything.
    ByPaths,
    /// The reference engine, by its own rules.
    ByReference,
    /// The model is too large for the reference engine: what no path shows rests on the engine that found the evidence.
    ByEngine,
}

/// A state formula that holds, or fails, at a point.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Claim {
    /// The formula, one of [`Evidence::arena`].
    pub formula: StateFormula,
    /// The formula in the user's words.
    pub text: String,
    /// Whether it holds.
    pub holds: bool,
    /// Why.
    pub because: Because,
}

impl Claim {
    /// What it says, in words.
    pub fn says(&self) -> String {
        format!("`{}` is {}", self.text, self.holds)
    }
}

/// Why a claim is true.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Because {
    /// The state shows it: it refers to variables, control states and what is in force.
    State,
    /// These claims about the same point say enough.
    Parts(Vec<Claim>),
    /// A path that begins at the point: it satisfies what is under `E`, or violates what is under `A`.
    Path(Box<PathEvidence>),
    /// A path on which everything in force is kept and that violates what was claimed to be committed to.
    Accessible(Box<AccessiblePath>),
    /// Another point of a run that is not told from this one.
    CannotTell(Box<Doubt>),
    /// A state before this one, for `EY` and `EP`.
    Before(Box<Before>),
    /// What a coalition does to reach its goal.
    Strategy(Box<Strategy>),
    /// No single path can show it; the reason in words.
    Everywhere(String),
    /// It could be shown, but is not; the reason in words.
    NotShown(String),
}

/// A path with what matters at its positions.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PathEvidence {
    /// What the path satisfies, a path formula of [`Evidence::arena`].
    pub formula: PathFormula,
    /// The same in the user's words.
    pub text: String,
    /// The path; its first state is the point it begins at.
    pub path: Path,
    /// What matters at which position, in the order of positions.
    pub claims: Vec<(usize, Claim)>,
}

/// A path accessible to a debtor towards a creditor.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AccessiblePath {
    /// Who owes.
    pub debtor: AgentId,
    /// To whom.
    pub creditor: AgentId,
    /// The commitments of the debtor to the creditor in force where the path begins, which it keeps.
    pub in_force: Vec<CommitmentView>,
    /// The path.
    pub evidence: PathEvidence,
}

impl AccessiblePath {
    /// What the debtor does on its path, in words that its formula follows.
    pub fn kept(&self, agents: &[String]) -> String {
        let (debtor, creditor) = (called(agents, self.debtor), called(agents, self.creditor));
        match self.in_force.is_empty() {
            true => format!("{debtor} owes {creditor} nothing, and"),
            false => format!("{debtor} keeps all that it owes {creditor}, and yet"),
        }
    }
}

/// A point that is not told from another.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Doubt {
    /// How one comes from here to there: who cannot tell, and the run to the point they take for possible. One step for all
    /// modalities but common knowledge.
    pub steps: Vec<DoubtStep>,
    /// What holds or fails at the last point.
    pub claim: Claim,
}

/// One step between points that are not told apart.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DoubtStep {
    /// All of these have the same local state at both points; empty where the modality refers to every point.
    pub agents: Vec<AgentId>,
    /// The run to the other point, from an initial state.
    pub run: Path,
}

impl DoubtStep {
    /// What its run is, as a title.
    pub fn title(&self, agents: &[String]) -> String {
        let who: Vec<&str> = self.agents.iter().map(|agent| called(agents, *agent)).collect();
        match who.join(", ").as_str() {
            "" => "Another run, at whose end it fails".to_owned(),
            who => format!("What {who} cannot rule out: a run whose end looks the same to {who}"),
        }
    }
}

/// The name of an agent.
pub fn called(agents: &[String], id: AgentId) -> &str {
    agents.get(id.index()).map_or("somebody", String::as_str)
}

/// A state from which one can come here.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Before {
    /// A run that begins in an initial state and ends here, where there is one.
    pub run: Path,
    /// The position of the earlier state on it.
    pub position: usize,
    /// What holds there.
    pub claim: Claim,
}

/// What a coalition does, state by state.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Strategy {
    /// The coalition.
    pub group: Vec<AgentId>,
    /// The goal in the user's words.
    pub goal: String,
    /// A choice for every state that can come about, the present one first; where the goal is reached there is none.
    pub choices: Vec<Choice>,
    /// The states where the goal is reached, or which are good for ever without a choice.
    pub ends: Vec<State>,
}

/// What a coalition does in one state.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Choice {
    /// The state.
    pub state: State,
    /// What each member does, in the order of [`Strategy::group`]; `None` where it can do nothing.
    pub moves: Vec<Option<Move>>,
    /// How far it is from the goal at most, where there is one to be reached.
    pub distance: usize,
}

/// What one member of a coalition does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Move {
    /// It makes the transition with this label to this state.
    Transition {
        /// The label.
        label: LabelId,
        /// The label in the user's words.
        text: String,
        /// Where it leads.
        target: Vec<u64>,
    },
    /// It takes this action.
    Action {
        /// The position among its actions.
        action: usize,
        /// The action in the user's words.
        text: String,
    },
}

/// A path, finite or closed to a loop.
///
/// `steps[k]` leads from `states[k]` to `states[k + 1]`; where there is a loop there is one step more, from the last
/// state to `states[loop_to]`. A finite path stands for all its continuations: what it shows does not depend on them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Path {
    /// The states, at least one.
    pub states: Vec<State>,
    /// The steps between them.
    pub steps: Vec<Step>,
    /// Where the loop begins.
    pub loop_to: Option<usize>,
}

impl Path {
    /// The path that is one state.
    pub fn one(state: State) -> Self {
        Path { states: vec![state], steps: Vec::new(), loop_to: None }
    }

    /// The last position.
    pub fn last(&self) -> usize {
        self.states.len() - 1
    }

    /// Goes on with a path that begins where this one ends.
    pub fn go_on(&mut self, with: &Path) {
        let at = self.last();
        self.states.extend(with.states.iter().skip(1).cloned());
        self.steps.extend(with.steps.iter().cloned());
        self.loop_to = with.loop_to.map(|to| to + at);
    }
}

/// A state, as engines and as people know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// The state as the model packs it.
    pub packed: Vec<u64>,
    /// The same in the user's words: variables, control states, commitments in force.
    pub view: StateView,
}

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// What it is for the model.
    pub kind: StepKind,
    /// Its label in the user's words; empty where nothing happens.
    pub label: String,
    /// What happens, taken apart, for those who draw it.
    pub event: Event,
    /// The acts that are performed by an action or by a round.
    pub performed: Vec<Act>,
}

/// An act on a commitment, in the user's words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Act {
    /// Which act.
    pub kind: ActKind,
    /// Who performs it.
    pub actor: String,
    /// The other party of the commitment.
    pub partner: String,
    /// The commitment.
    pub commitment: CommitmentView,
    /// The support, where the act has one.
    pub support: Option<String>,
    /// Whom it brings in, where it does.
    pub third: Option<String>,
}

impl Step {
    /// All acts of the step.
    pub fn acts(&self) -> impl Iterator<Item = &Act> {
        let itself = match &self.event {
            Event::Act(act) => Some(act),
            _ => None,
        };
        itself.into_iter().chain(&self.performed)
    }
}

/// What happens in a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Event {
    /// A message; `None`: nobody sends it.
    Message {
        /// Its name with what it carries.
        name: String,
        /// Who sends it, or receives it.
        sender: Option<String>,
        /// To whom it is addressed; nobody named: to everybody.
        to: Vec<String>,
        /// Is it received from a channel?
        received: bool,
    },
    /// An act on a commitment.
    Act(Act),
    /// An action of processes, and who takes it where that is known.
    Action {
        /// The action.
        name: String,
        /// Who.
        by: Option<String>,
    },
    /// A round: what every agent does, by name.
    Round(Vec<(String, String)>),
    /// Nothing can happen any more.
    Deadlock,
}

/// The evidence as one path, with what is claimed of its positions.
#[derive(Clone, Debug)]
pub struct Line<'e> {
    /// The path, from an initial state on.
    pub path: Path,
    /// Claims about positions, in the order of positions; those whose path was joined to this one included.
    pub claims: Vec<(usize, &'e Claim)>,
}

impl Evidence {
    /// The evidence as one path: the start, then the path of the claim, then, where that is finite, the path of the only claim with
    /// one at its end, and so on. What branches off elsewhere is not on it.
    pub fn line(&self) -> Line<'_> {
        let mut line = Line { path: self.start.clone(), claims: Vec::new() };
        line.follow(&self.claim);
        line
    }
}

impl<'e> Line<'e> {
    fn follow(&mut self, claim: &'e Claim) {
        let mut next = Some(claim);
        while let Some(claim) = next.take() {
            let offset = self.path.last();
            self.claims.push((offset, claim));
            let Some(evidence) = only_path(claim) else { return };
            self.path.go_on(&evidence.path);
            self.claims.extend(evidence.aside().map(|(at, claim)| (at + offset, claim)));
            next = evidence.following();
        }
    }
}

impl PathEvidence {
    /// The claims about its positions, but for the one with which the path goes on.
    pub fn aside(&self) -> impl Iterator<Item = &(usize, Claim)> {
        let following = self.following();
        let goes_on = move |claim| following.is_some_and(|following| std::ptr::eq(following, claim));
        self.claims.iter().filter(move |(_, claim)| !goes_on(claim))
    }

    /// The claim with which the path goes on: the only one about the end of a finite path that rests on a path of its own.
    pub fn following(&self) -> Option<&Claim> {
        let last = self.path.last();
        let goes_on = |(at, claim): &&(usize, Claim)| *at == last && only_path(claim).is_some();
        let mut at_end = self.claims.iter().filter(goes_on);
        match (self.path.loop_to, at_end.next(), at_end.next()) {
            (None, Some((_, claim)), None) => Some(claim),
            _ => None,
        }
    }
}

/// The path that a claim rests on, if it rests on one.
pub fn only_path(claim: &Claim) -> Option<&PathEvidence> {
    match &claim.because {
        Because::Path(evidence) => Some(evidence),
        Because::Accessible(accessible) => Some(&accessible.evidence),
        Because::Parts(parts) => {
            let mut paths = parts.iter().filter_map(only_path);
            match (paths.next(), paths.next()) {
                (Some(only), None) => Some(only),
                _ => None,
            }
        }
        _ => None,
    }
}

impl Move {
    /// The move in the user's words.
    pub fn text(&self) -> &str {
        match self {
            Move::Transition { text, .. } | Move::Action { text, .. } => text,
        }
    }
}

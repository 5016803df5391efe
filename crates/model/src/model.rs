//! The model itself: what a front end builds and an engine reads.

use std::collections::BTreeSet;

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use servanda_logic::{ActKind, Binary, Formula, Kind, Owed, Party, Unary};
use servanda_syntax::Span;

use crate::action::{ActionLabel, Alphabet};
use crate::message::{Channel, MessageLabel, MessageType};
use crate::performance::{JointAct, NamedCommitment};
use crate::{AgentId, Behaviour, Cause, CommandId, CommitmentId, Expr, LabelId, MachineId, VariableId};

/// The values a variable may take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Domain {
    /// `false` (0) and `true` (1).
    Bool,
    /// All integers from `low` to `high`.
    Range {
        /// Smallest value.
        low: i64,
        /// Largest value.
        high: i64,
    },
    /// Named values, coded by their position. Never empty.
    Enumeration(Arc<[Arc<str>]>),
}

impl Domain {
    /// The smallest code.
    pub fn low(&self) -> i64 {
        match self {
            Domain::Range { low, .. } => *low,
            _ => 0,
        }
    }

    /// The largest code.
    pub fn high(&self) -> i64 {
        self.low().saturating_add_unsigned(self.size() - 1)
    }

    /// The number of values.
    pub fn size(&self) -> u64 {
        match self {
            Domain::Bool => 2,
            Domain::Range { low, high } => high.abs_diff(*low).saturating_add(1),
            Domain::Enumeration(literals) => literals.len().max(1) as u64,
        }
    }

    /// Is the code one of the values?
    pub fn contains(&self, code: i64) -> bool {
        code >= self.low() && code.abs_diff(self.low()) < self.size()
    }

    /// The code of a literal.
    pub fn literal(&self, name: &str) -> Option<i64> {
        match self {
            Domain::Enumeration(literals) => literals.iter().position(|l| &**l == name).map(|p| p as i64),
            _ => None,
        }
    }

    /// The literals; none where values have no names.
    pub fn literals(&self) -> impl Iterator<Item = &str> {
        let literals = if let Domain::Enumeration(literals) = self { &literals[..] } else { &[] };
        literals.iter().map(|literal| &**literal)
    }

    /// A value as the user writes it.
    pub fn show(&self, code: i64) -> String {
        match self {
            Domain::Bool => (code != 0).to_string(),
            Domain::Range { .. } => code.to_string(),
            Domain::Enumeration(literals) => {
                literals.get(code as usize).map_or_else(|| code.to_string(), |literal| literal.to_string())
            }
        }
    }

    /// The domain as the user writes it.
    pub fn describe(&self) -> String {
        match self {
            Domain::Bool => "bool".to_owned(),
            Domain::Range { low, high } => format!("{low}..{high}"),
            Domain::Enumeration(literals) => format!("{{{}}}", literals.join(", ")),
        }
    }
}

/// Who observes a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// Every agent.
    Public,
    /// One agent.
    Private(AgentId),
    /// These agents.
    Shared(Vec<AgentId>),
}

impl Visibility {
    /// Does one of these agents, of whom there is at least one, observe the variable?
    pub fn seen_by(&self, agents: &[AgentId]) -> bool {
        match self {
            Visibility::Public => true,
            Visibility::Private(owner) => agents.contains(owner),
            Visibility::Shared(seers) => seers.iter().any(|seer| agents.contains(seer)),
        }
    }
}

/// A state variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its full name, indices included: `won[1]`.
    pub name: String,
    /// Its values.
    pub domain: Domain,
    /// Codes of the values it may have initially.
    pub initial: Vec<i64>,
    /// Who observes it.
    pub visibility: Visibility,
    /// The machine whose control state it is, if it is one; such a variable is not a user's variable.
    pub machine: Option<MachineId>,
    /// Is it a place of a channel? Such a variable is not a user's variable either.
    pub is_slot: bool,
    /// Where it was declared.
    pub span: Span,
}

impl Variable {
    /// Is it a variable that the user declared?
    pub fn is_declared(&self) -> bool {
        self.machine.is_none() && !self.is_slot
    }

    /// An ordinary variable declared nowhere.
    pub fn new(name: impl Into<String>, domain: Domain, initial: Vec<i64>, visibility: Visibility) -> Self {
        let (machine, is_slot, span) = (None, false, Span::default());
        Variable { name: name.into(), domain, initial, visibility, machine, is_slot, span }
    }
}

/// A set of control states, of which one is current. The current one is kept in an enumeration variable.
#[derive(Clone, Debug)]
pub struct Machine {
    /// Its name; empty for the machine of a file without `machine` blocks.
    pub name: String,
    /// The variable that holds its control state.
    pub variable: VariableId,
    /// Where it was declared.
    pub span: Span,
    /// Where each control state was first named, in the order of the variable's literals.
    pub location_spans: Vec<Span>,
}

/// Someone who observes, acts and commits.
#[derive(Clone, Debug)]
pub struct Agent {
    /// Its full name: `Bidder[1]`.
    pub name: String,
    /// Where its behaviour is *not* correct; a condition on its local state.
    pub red: Expr,
    /// Where it was declared.
    pub span: Span,
}

/// The identity of a commitment: debtor, creditor, tag and content as parsed, definitions expanded. The content of
/// what a challenge creates is `?ψ`, a [`servanda_logic::Unary::Challenged`] node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Promise {
    /// Who owes it.
    pub debtor: AgentId,
    /// To whom.
    pub creditor: AgentId,
    /// The moment of a `PC`.
    pub tag: Option<String>,
    /// What is promised; ground.
    pub content: Formula,
}

/// What a transition is labelled with.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Label {
    /// A message.
    Message(MessageLabel),
    /// A communicative act.
    Act(ActLabel),
    /// An action of a process.
    Action {
        /// The action.
        action: ActionLabel,
        /// The acts that are performed by it.
        acts: Vec<ActLabel>,
    },
}

/// An act on a commitment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ActLabel {
    /// Which act.
    pub kind: ActKind,
    /// On which commitment.
    pub promise: Promise,
    /// The support of `At`, `Def`, `Jus`; ground.
    pub support: Option<Formula>,
    /// The third party of `Del` and `Ass`.
    pub third: Option<AgentId>,
}

impl ActLabel {
    /// Who performs it: the party that the kind of act demands.
    pub fn actor(&self) -> AgentId {
        match self.kind.party() {
            Party::Debtor => self.promise.debtor,
            Party::Creditor => self.promise.creditor,
        }
    }

    /// A commitment that follows from the one acted on.
    pub fn owed(&self, owed: Owed) -> Promise {
        let Promise { debtor, creditor, tag, content } = &self.promise;
        let (debtor, creditor) = owed.between.parties(*debtor, *creditor, self.third);
        let content = owed.content.on(content, self.support.as_ref());
        Promise { debtor, creditor, tag: tag.clone(), content }
    }

    /// The commitment that it puts in force, if it does.
    pub fn adds(&self) -> Option<Promise> {
        self.kind.adds().map(|owed| self.owed(owed))
    }

    /// The commitments that are not in force after it.
    pub fn removes(&self) -> impl Iterator<Item = Promise> {
        self.kind.removes().iter().map(|owed| self.owed(*owed))
    }
}

impl Label {
    /// A message that carries nothing, sent to everybody.
    pub fn message(name: impl Into<String>, by: Option<AgentId>) -> Self {
        Label::Message(MessageLabel::new(name, by))
    }

    /// Is it a step that nobody outside of the model can see? These are what equivalences abstract from: a message called `tau`
    /// that nobody sends, and the internal steps and synchronisations of processes.
    pub fn is_internal(&self) -> bool {
        match self {
            Label::Message(message) => message.by.is_none() && message.name == "tau",
            Label::Action { action, .. } => action.is_internal(),
            Label::Act(_) => false,
        }
    }

    /// The acts that are performed by such a transition.
    pub fn acts(&self) -> &[ActLabel] {
        match self {
            Label::Message(_) => &[],
            Label::Act(act) => std::slice::from_ref(act),
            Label::Action { acts, .. } => acts,
        }
    }

    /// Who speaks in such a transition: who makes it, unless it takes a message from a channel.
    pub fn speaker(&self) -> Option<AgentId> {
        match self {
            Label::Message(message) if message.received => None,
            Label::Message(_) | Label::Act(_) | Label::Action { .. } => self.by(),
        }
    }

    /// Who makes such a transition, if the label says so. Who makes the transitions of a command is known to the
    /// [`Command`].
    pub fn by(&self) -> Option<AgentId> {
        match self {
            Label::Message(message) => message.by,
            Label::Act(act) => Some(act.actor()),
            Label::Action { acts, .. } => {
                let (first, others) = acts.split_first()?;
                others.iter().all(|act| act.actor() == first.actor()).then(|| first.actor())
            }
        }
    }
}

/// What an act does to the commitments in force: first `remove`, then `add`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effect {
    /// No longer in force.
    pub remove: Vec<CommitmentId>,
    /// In force from now on.
    pub add: Vec<CommitmentId>,
}

/// A guarded command: one transition from every state that satisfies the guard.
#[derive(Clone, Debug)]
pub struct Command {
    /// What its transitions are labelled with.
    pub label: LabelId,
    /// Who makes them; `None`: nobody.
    pub by: Option<AgentId>,
    /// Where it is possible.
    pub guard: Expr,
    /// Simultaneous assignments, reading the old state.
    pub updates: Vec<(VariableId, Expr)>,
    /// What happens to the commitments in force.
    pub effect: Effect,
    /// The machine and control state it leaves, if it leaves one: a fact the guard implies, kept so that engines can
    /// find the enabled commands without testing all.
    pub home: Option<(MachineId, i64)>,
    /// Where it was written.
    pub span: Span,
}

impl Command {
    /// A command that is always possible, made by nobody, and changes nothing.
    pub fn new(label: LabelId) -> Self {
        Command {
            label,
            by: None,
            guard: Expr::TRUE,
            updates: Vec::new(),
            effect: Effect::default(),
            home: None,
            span: Span::default(),
        }
    }
}

/// `access i -> j : guard`.
#[derive(Clone, Debug)]
pub struct Access {
    /// Whose accessible paths are narrowed.
    pub debtor: AgentId,
    /// Towards whom.
    pub creditor: AgentId,
    /// What every further transition must satisfy; ground; acts match the label alone.
    pub guard: Formula,
}

/// A fairness constraint: a ground state formula that holds infinitely often on every run.
#[derive(Clone, Debug)]
pub struct Fairness {
    /// The constraint.
    pub formula: Formula,
}

servanda_syntax::named! {
    /// How much a fairness constraint of steps demands.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Strength {
        /// Infinitely often the step is taken or not possible.
        Weak = "weak",
        /// If it is infinitely often possible it is infinitely often taken.
        Strong = "strong",
    }
}

/// A fairness constraint of steps, of models whose agents act one at a time.
#[derive(Clone, Debug)]
pub struct StepFairness {
    /// How much it demands.
    pub strength: Strength,
    /// Which steps: `does(..)`, ground.
    pub step: Formula,
}

/// A named group of agents.
#[derive(Clone, Debug)]
pub struct GroupDefinition {
    /// Its name.
    pub name: String,
    /// Its members.
    pub members: Vec<AgentId>,
}

/// A condition with a name.
#[derive(Clone, Debug)]
pub struct NamedProposition {
    /// Its name.
    pub name: String,
    /// Where it holds.
    pub condition: Expr,
}

servanda_syntax::named! {
    /// Which published reading of act formulas (docs/formulas.md section 4).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
    pub enum ActReading {
        /// ACTL*
        #[default]
        Actl = "actl",
        /// SCCTL*
        Scctl = "scctl",
        /// CTL*CA
        Ctlca = "ctlca",
    }
}

/// How a state without successors is read (docs/formulas.md section 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Deadlock {
    /// Continued by an implicit loop with an empty label.
    #[default]
    Loop,
    /// MCMAS's reading: the transition relation as it is.
    Strict,
}

servanda_syntax::named! {
    /// How much a property matters.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
    pub enum Level {
        /// It has to hold.
        #[default]
        Must = "must",
        /// It ought to hold.
        Should = "should",
        /// It would be good if it held.
        May = "may",
    }
}

/// A scenario: a conversation that some run of the model has, or must not have. It is about finite runs of the model as it is:
/// fairness does not count.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// What happens, in order.
    pub steps: Vec<ScenarioStep>,
}

impl Scenario {
    /// `E (..)`: some path begins with these steps.
    pub fn formula(&self, span: Span) -> Formula {
        let rest = self.steps.iter().rev().fold(None, |rest: Option<Formula>, step| match (step, rest) {
            (ScenarioStep::Step(step), None) => Some(step.clone()),
            (ScenarioStep::Step(step), Some(rest)) => {
                Some(step.clone().binary(Binary::And, rest.unary(Unary::Next)))
            }
            (ScenarioStep::Anything, rest) => rest.map(|rest| rest.unary(Unary::Finally)),
        });
        let steps = rest.unwrap_or_else(|| Formula::new(Kind::Bool(true), span));
        steps.unary(Unary::Exists).with_span(span)
    }
}

/// A step of a scenario.
#[derive(Clone, Debug)]
pub enum ScenarioStep {
    /// One step that the action formula `does(..)`, ground, is true of.
    Step(Formula),
    /// `...`: any number of steps.
    Anything,
}

/// Something to be decided.
#[derive(Clone, Debug)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// The formula as written, for people.
    pub text: String,
    /// The formula, ground.
    pub formula: Formula,
    /// The verdict its author expects.
    pub expected: Option<bool>,
    /// How much it matters.
    pub level: Level,
    /// Does its author say how much?
    pub has_level: bool,
    /// Where it comes from, in its author's words.
    pub cite: Option<String>,
    /// Where it is a scenario: the steps. The formula is then `E (steps)`, and it is true where some initial state satisfies it.
    pub scenario: Option<Scenario>,
    /// Why it cannot be decided, where its formula could not be read; what stands for the formula is none then.
    pub refused: Option<String>,
    /// Where it was declared.
    pub span: Span,
}

impl Property {
    /// A property that has to hold.
    pub fn new(name: impl Into<String>, text: impl Into<String>, formula: Formula, span: Span) -> Self {
        let (level, cite, scenario) = (Level::default(), None, None);
        Property {
            name: name.into(),
            text: text.into(),
            formula,
            expected: None,
            level,
            has_level: false,
            cite,
            scenario,
            refused: None,
            span,
        }
    }
}

/// A finite multi-agent model.
#[derive(Clone, Debug)]
pub struct Model {
    /// Its name.
    pub name: String,
    /// The agents.
    pub agents: Vec<Agent>,
    /// The variables, those of the machines included.
    pub variables: Vec<Variable>,
    /// The machines.
    pub machines: Vec<Machine>,
    /// The commitments that some act can put in force.
    pub commitments: Vec<Promise>,
    /// Those of them that only their debtors and creditors see.
    pub private_commitments: BTreeSet<CommitmentId>,
    /// The labels of transitions, without duplicates.
    pub labels: Vec<Label>,
    /// The messages that are declared with what they carry.
    pub messages: Vec<MessageType>,
    /// The channels.
    pub channels: Vec<Channel>,
    /// The label of the step by which time passes, where there are clocks.
    pub tick: Option<LabelId>,
    /// Where control may rest for good: there a state without successors is an end, not a deadlock. `None`: nowhere.
    pub rest: Option<Expr>,
    /// What all type-correct states satisfy besides the domains of their variables.
    pub well_formed: Expr,
    /// Where transitions are labelled with actions of processes: the words of which these are made.
    pub alphabet: Option<Alphabet>,
    /// What can happen.
    pub behaviour: Behaviour,
    /// A condition on initial states, besides the initial sets of the variables.
    pub initial: Expr,
    /// Narrowed accessible paths.
    pub access: Vec<Access>,
    /// Fairness constraints.
    pub fairness: Vec<Fairness>,
    /// Fairness constraints of steps.
    pub step_fairness: Vec<StepFairness>,
    /// Named groups.
    pub groups: Vec<GroupDefinition>,
    /// Named propositions that formulas may use (ISPL's `Evaluation`); Pact expands its own before it comes here.
    pub propositions: Vec<NamedProposition>,
    /// Where agents act in rounds: the acts that they perform by joint actions.
    pub joint_acts: Vec<JointAct>,
    /// Commitments with names: they are shown by them, and formulas may use them (Pact expands its own before it comes here).
    pub named_commitments: Vec<NamedCommitment>,
    /// How act formulas are read.
    pub acts: ActReading,
}

impl Model {
    /// A model of nothing.
    pub fn new(name: impl Into<String>) -> Self {
        Model {
            name: name.into(),
            agents: Vec::new(),
            variables: Vec::new(),
            machines: Vec::new(),
            commitments: Vec::new(),
            private_commitments: BTreeSet::new(),
            labels: Vec::new(),
            messages: Vec::new(),
            channels: Vec::new(),
            tick: None,
            rest: None,
            well_formed: Expr::TRUE,
            alphabet: None,
            behaviour: Behaviour::Commands(Vec::new()),
            initial: Expr::TRUE,
            access: Vec::new(),
            fairness: Vec::new(),
            step_fairness: Vec::new(),
            groups: Vec::new(),
            propositions: Vec::new(),
            joint_acts: Vec::new(),
            named_commitments: Vec::new(),
            acts: ActReading::default(),
        }
    }

    /// Is there any fairness constraint, so that not all runs count?
    pub fn has_fairness(&self) -> bool {
        !self.fairness.is_empty() || !self.step_fairness.is_empty()
    }

    /// Adds an agent whose behaviour is correct everywhere.
    pub fn add_agent(&mut self, name: impl Into<String>, span: Span) -> AgentId {
        self.agents.push(Agent { name: name.into(), red: Expr::FALSE, span });
        AgentId::from_index(self.agents.len() - 1)
    }

    /// Adds a command. A model that acted in rounds does so no longer.
    pub fn add_command(&mut self, command: Command) {
        match &mut self.behaviour {
            Behaviour::Commands(commands) => commands.push(command),
            Behaviour::Rounds(_) => self.behaviour = Behaviour::Commands(vec![command]),
        }
    }

    /// What can happen, one command at a time.
    pub fn set_commands(&mut self, commands: Vec<Command>) {
        self.behaviour = Behaviour::Commands(commands);
    }

    /// The commands, to complete what is known of them.
    pub fn commands_mut(&mut self) -> &mut [Command] {
        match &mut self.behaviour {
            Behaviour::Commands(commands) => commands,
            Behaviour::Rounds(_) => &mut [],
        }
    }

    /// Adds a variable.
    pub fn add_variable(&mut self, variable: Variable) -> VariableId {
        self.variables.push(variable);
        VariableId::from_index(self.variables.len() - 1)
    }

    /// The number of a label, which is added if it is new.
    pub fn add_label(&mut self, label: Label) -> LabelId {
        let known = self.labels.iter().position(|other| *other == label);
        LabelId::from_index(known.unwrap_or_else(|| {
            self.labels.push(label);
            self.labels.len() - 1
        }))
    }

    /// The number of a commitment that can be in force, which is added if it is new.
    pub fn add_commitment(&mut self, promise: Promise) -> CommitmentId {
        self.find_commitment(&promise).unwrap_or_else(|| {
            self.commitments.push(promise);
            CommitmentId::from_index(self.commitments.len() - 1)
        })
    }

    /// The number of a commitment, if it can be in force.
    pub fn find_commitment(&self, promise: &Promise) -> Option<CommitmentId> {
        self.commitments.iter().position(|other| other == promise).map(CommitmentId::from_index)
    }

    /// An agent by its full name.
    pub fn find_agent(&self, name: &str) -> Option<AgentId> {
        self.agents.iter().position(|agent| agent.name == name).map(AgentId::from_index)
    }

    /// A user's variable by its full name.
    pub fn find_variable(&self, name: &str) -> Option<VariableId> {
        let same = |variable: &Variable| variable.is_declared() && variable.name == name;
        self.variables.iter().position(same).map(VariableId::from_index)
    }

    /// A machine by its full name.
    pub fn find_machine(&self, name: &str) -> Option<MachineId> {
        self.machines.iter().position(|machine| machine.name == name).map(MachineId::from_index)
    }

    /// The agents with their numbers.
    pub fn agents(&self) -> impl Iterator<Item = (AgentId, &Agent)> {
        self.agents.iter().enumerate().map(|(index, agent)| (AgentId::from_index(index), agent))
    }

    /// The variables with their numbers.
    pub fn variables(&self) -> impl Iterator<Item = (VariableId, &Variable)> {
        self.variables.iter().enumerate().map(|(index, variable)| (VariableId::from_index(index), variable))
    }

    /// The commitments with their numbers.
    pub fn commitments(&self) -> impl Iterator<Item = (CommitmentId, &Promise)> {
        self.commitments.iter().enumerate().map(|(index, promise)| (CommitmentId::from_index(index), promise))
    }

    /// The pairs of debtor and creditor between whom some commitment can be in force or access is narrowed.
    pub fn committed_pairs(&self) -> BTreeSet<(AgentId, AgentId)> {
        let promised = self.commitments.iter().map(|promise| (promise.debtor, promise.creditor));
        let narrowed = self.access.iter().map(|access| (access.debtor, access.creditor));
        promised.chain(narrowed).collect()
    }

    /// The labels with their numbers.
    pub fn labels(&self) -> impl Iterator<Item = (LabelId, &Label)> {
        self.labels.iter().enumerate().map(|(index, label)| (LabelId::from_index(index), label))
    }

    /// The commands with their numbers.
    pub fn commands(&self) -> impl Iterator<Item = (CommandId, &Command)> {
        let commands = self.behaviour.commands().iter().enumerate();
        commands.map(|(index, command)| (CommandId::from_index(index), command))
    }

    /// An agent.
    pub fn agent(&self, id: AgentId) -> &Agent {
        &self.agents[id.index()]
    }

    /// A variable.
    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id.index()]
    }

    /// A commitment.
    pub fn commitment(&self, id: CommitmentId) -> &Promise {
        &self.commitments[id.index()]
    }

    /// A label.
    pub fn label(&self, id: LabelId) -> &Label {
        &self.labels[id.index()]
    }

    /// A command.
    pub fn command(&self, id: CommandId) -> &Command {
        &self.behaviour.commands()[id.index()]
    }

    /// A joint action with the acts that it is: `A.x, B.y is Cr(..)`.
    pub fn show_joint_action(&self, joint: &[usize]) -> String {
        self.show_performed(self.name_joint_action(joint), &self.joint_acts_of(joint))
    }

    /// A joint action (an action per agent, in order) as users read it: `A.x, B.y`.
    pub fn name_joint_action(&self, joint: &[usize]) -> String {
        let parts = self.agents.iter().zip(self.behaviour.programs()).zip(joint);
        let shown =
            parts.map(|((agent, program), action)| format!("{}.{}", agent.name, program.actions[*action]));
        shown.collect::<Vec<_>>().join(", ")
    }

    /// What made a move as users read it: a label or a joint action.
    pub fn show_cause(&self, cause: Cause<'_>) -> String {
        match cause {
            Cause::Command(command) => self.show_label(self.command(command).label),
            Cause::JointAction(joint) => self.show_joint_action(joint),
        }
    }

    /// The number of all type-correct states (`G` of docs/formulas.md), if it fits 64 bits.
    pub fn typed_states(&self) -> Option<u64> {
        let variables = self.variables.iter().try_fold(1u64, |n, v| n.checked_mul(v.domain.size()))?;
        1u64.checked_shl(self.commitments.len() as u32)?.checked_mul(variables)
    }
}

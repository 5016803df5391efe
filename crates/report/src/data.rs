//! What a command has found, as plain data.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use servanda_engine::{
    ActConformance, Certainty, Counts, Diagrams, Satisfying, Savings, Solving, Spread, SymmetrySavings,
    TurnBreak, Verdict,
};
use servanda_evidence::Evidence;
use servanda_model::{CommitmentView, Level};
use servanda_syntax::{Code, Diagnostic, Place, Severity, SourceFile, Span};

use crate::words::Word;
use crate::{Location, verdicts, visible};

servanda_syntax::named! {
    /// How a command ended, the one that decides first when several things happened.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Status {
        /// Everything is as wanted.
        Wanted = "wanted",
        /// Something was not decided.
        Undecided = "undecided",
        /// Something is not as wanted; that stands, whatever else was left undecided.
        Unwanted = "unwanted",
        /// The input or the command line has no meaning.
        Invalid = "invalid",
    }
}

impl Status {
    /// Is everything as wanted, where that was decided?
    pub(crate) fn is_wanted(self) -> Option<bool> {
        match self {
            Status::Wanted => Some(true),
            Status::Unwanted => Some(false),
            Status::Undecided | Status::Invalid => None,
        }
    }
}

/// A diagnostic together with the text it points into.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Finding {
    /// What was found.
    pub diagnostic: Diagnostic,
    /// The text its spans refer to; `None` for a finding about the model as a whole, which has no place. Between processes a
    /// [`Parcel`](crate::Parcel) has each text once.
    #[serde(skip)]
    pub source: Option<Arc<SourceFile>>,
    /// Lines for those who want to know more; mostly empty.
    pub more: String,
}

impl Finding {
    /// A finding at a place of `source`.
    pub fn placed(diagnostic: Diagnostic, source: &Arc<SourceFile>) -> Self {
        Finding { diagnostic, source: Some(Arc::clone(source)), more: String::new() }
    }

    /// Findings at places of `source`.
    pub fn all_placed(diagnostics: Vec<Diagnostic>, source: &Arc<SourceFile>) -> Vec<Self> {
        diagnostics.into_iter().map(|diagnostic| Finding::placed(diagnostic, source)).collect()
    }

    /// A finding at a place of `source` if its span is one.
    pub fn placed_if_written(diagnostic: Diagnostic, source: &Arc<SourceFile>) -> Self {
        match diagnostic.span == Span::default() {
            true => Finding::general(diagnostic),
            false => Finding::placed(diagnostic, source),
        }
    }

    /// A finding about the model, or the command line, as a whole.
    pub fn general(diagnostic: Diagnostic) -> Self {
        Finding { diagnostic, source: None, more: String::new() }
    }

    /// An error of the model, or the command line, as a whole.
    pub fn error(code: Code, message: impl Into<String>) -> Self {
        Finding::general(Diagnostic::error(code, message, Span::default()))
    }

    /// Something worth knowing of the model as a whole.
    pub fn note(code: Code, message: impl Into<String>) -> Self {
        Finding::general(Diagnostic::new(Severity::Note, code, message, Span::default()))
    }

    /// With what to do about it.
    #[must_use]
    pub fn help(self, help: impl Into<String>) -> Self {
        Finding { diagnostic: self.diagnostic.help(help), ..self }
    }
}

/// Can the input be given a meaning?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Input {
    /// Yes.
    #[default]
    Good,
    /// No: some finding is an error in it.
    Bad,
}

/// Time spent on one part of the work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Phase {
    /// What was done, as a verb: `exploring`.
    #[serde(with = "crate::words")]
    pub name: Word,
    /// For how long.
    pub seconds: f64,
}

/// A slice of the model in which some properties were decided, and what it leaves out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SliceReport {
    /// The names of the properties.
    pub properties: Vec<String>,
    /// The names of the variables that are left out.
    pub variables: Vec<String>,
    /// How many variables the model has, those of machines and channels included.
    pub all_variables: usize,
    /// How many commitments are left out.
    pub commitments: usize,
    /// How many can be in force in the model.
    pub all_commitments: usize,
    /// How many transitions of the text are left out.
    pub commands: usize,
    /// How many it has; none where agents act in rounds.
    pub all_commands: usize,
}

/// What every report says about its run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Run {
    /// The input as the user named it.
    pub file: String,
    /// The parameters that the user has set, in the order of the text.
    pub parameters: Vec<(String, i64)>,
    /// The engine that did the work.
    #[serde(with = "crate::words")]
    pub engine: Word,
    /// Could the input be given a meaning?
    pub input: Input,
    /// Everything worth telling besides the results proper.
    pub findings: Vec<Finding>,
    /// Which engine led and why, where the program chose.
    pub choice: Option<String>,
    /// How decision diagrams fared, where they were used.
    pub diagrams: Option<Diagrams>,
    /// How a SAT solver fared, where one was used.
    pub solving: Option<Solving>,
    /// What partial-order reduction saved, where it was used.
    pub savings: Option<Savings>,
    /// The slices of the model in which properties were decided.
    pub slices: Vec<SliceReport>,
    /// What symmetry reduction saved, where it was used.
    pub symmetry: Option<SymmetrySavings>,
    /// How states were spread over workers, where there were any.
    pub spread: Option<Spread>,
    /// Time per part of the work.
    pub phases: Vec<Phase>,
    /// Time in all.
    pub seconds: f64,
    /// The most memory the program held, where the system tells.
    pub peak_memory_bytes: Option<u64>,
}

impl Run {
    /// A run that has found nothing yet.
    pub fn new(file: impl Into<String>, engine: &'static str) -> Self {
        Run { file: file.into(), engine, ..Run::default() }
    }

    /// The input as it is told apart from the same file with other parameters: `tunnel.pact (N = 3)`.
    pub fn title(&self) -> String {
        format!("{}{}", visible(&self.file), self.setting())
    }

    /// The parameters that were set, after a blank and in brackets; empty where there are none.
    pub(crate) fn setting(&self) -> String {
        match setting(&self.parameters) {
            words if words.is_empty() => words,
            words => format!(" ({words})"),
        }
    }

    /// Records what makes the input meaningless.
    pub fn reject(&mut self, findings: impl IntoIterator<Item = Finding>) {
        self.input = Input::Bad;
        self.findings.extend(findings);
    }
}

/// `N = 3, M = 2`
pub fn setting(parameters: &[(String, i64)]) -> String {
    parameters.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", ")
}

/// What is known of a model's state space.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Space {
    /// Nothing.
    NotExplored,
    /// A part was seen.
    Part {
        /// Why not more.
        reason: String,
        /// States found until then.
        states: u64,
        /// Transitions found until then.
        transitions: u64,
    },
    /// It was not seen to the end, and how much was seen cannot be told.
    Uncounted {
        /// Why.
        reason: String,
    },
    /// What was asked could be decided without seeing all of it.
    NotNeeded,
    /// All of it.
    Whole(Counts),
}

/// The model in numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelReport {
    /// Its name.
    pub name: String,
    /// How many agents it has.
    pub agents: usize,
    /// How many type-correct states it has, where that fits.
    pub typed_states: Option<u64>,
    /// Its state space.
    pub space: Space,
}

impl ModelReport {
    /// The counts, if the whole space was explored.
    pub fn counts(&self) -> Option<&Counts> {
        match &self.space {
            Space::Whole(counts) => Some(counts),
            Space::NotExplored | Space::NotNeeded | Space::Part { .. } | Space::Uncounted { .. } => None,
        }
    }
}

/// A verdict against what was wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// As wanted.
    Wanted,
    /// Not as wanted.
    Unwanted,
    /// There is no verdict.
    Undecided,
}

/// Where a step of a run, or one agent's part in it, is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// What happens there, in the user's words.
    pub what: String,
    /// The transition, or the line of an evolution.
    pub location: Location,
}

/// What shows a verdict.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Trace {
    /// Nobody asked.
    NotAsked,
    /// Evidence that has been replayed and decided again.
    Evidence {
        /// What it is.
        evidence: Box<Evidence>,
        /// For each step of [`Evidence::line`] where it is written; nothing is known of steps beyond the end.
        origins: Vec<Vec<Origin>>,
    },
    /// Nothing can, and why.
    Nothing(String),
    /// The search for it did not end: a sentence that says so, and why.
    GivenUp(String),
}

/// What a scenario consists of, and how far it is possible.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ScenarioReport {
    /// Its steps as written.
    pub steps: Vec<String>,
    /// Where it is not possible, and who reads the report should know: how far runs get.
    pub reached: Option<Reached>,
}

/// How far runs get in a scenario.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Reached {
    /// So many of its steps are possible one after the other.
    pub steps: usize,
    /// A run with these steps, which has been replayed; `None` where there are none.
    pub run: Option<Box<Evidence>>,
    /// What can happen at the end of this run, or in initial states.
    pub instead: Vec<String>,
}

/// One property and its verdict.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PropertyReport {
    /// Its name.
    pub name: String,
    /// The formula as written, on one line.
    pub formula: String,
    /// What is known of it.
    pub verdict: Verdict,
    /// What its author expects, if that was said; otherwise it should be true.
    pub expected: Option<bool>,
    /// Who decided it.
    #[serde(with = "crate::words")]
    pub engine: Word,
    /// In what time.
    pub seconds: f64,
    /// What shows the verdict.
    pub trace: Trace,
    /// How much it matters.
    pub level: Level,
    /// Where it comes from, in its author's words.
    pub cite: Option<String>,
    /// Where it is a scenario: then true means possible.
    pub scenario: Option<ScenarioReport>,
    /// Where it is written, if it is in a file.
    pub location: Option<Location>,
}

impl PropertyReport {
    /// How far runs get where it is a scenario that is not possible, in sentences without ends.
    pub fn reached(&self) -> Vec<String> {
        verdicts::reached(self)
    }

    /// The verdict in one word: `true`, `impossible`.
    pub fn word(&self) -> &'static str {
        verdicts::word(self)
    }

    /// The verdict against what was wanted.
    pub fn outcome(&self) -> Outcome {
        match self.verdict.decided() {
            None => Outcome::Undecided,
            Some(verdict) if verdict == self.expected.unwrap_or(true) => Outcome::Wanted,
            Some(_) => Outcome::Unwanted,
        }
    }
}

/// What `check` has found, and `size`, which asks nothing.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct CheckReport {
    /// The run.
    pub run: Run,
    /// The model, if there is one.
    pub model: Option<ModelReport>,
    /// The verdicts, in the order asked.
    pub properties: Vec<PropertyReport>,
    /// Was a deadlock reached although none is allowed?
    pub forbidden_deadlock: bool,
    /// Only what has this level, or matters more, has to be as wanted.
    pub level: Level,
    /// The command that says why the first verdict that is not as wanted is so.
    pub next: Option<String>,
    /// Where the run has ended, or has not come so far, before anything was known of the model: why.
    pub unread: Option<String>,
}

impl CheckReport {
    /// A report that has nothing to say yet.
    pub fn new(file: impl Into<String>, engine: &'static str) -> Self {
        CheckReport { run: Run::new(file, engine), ..CheckReport::default() }
    }

    /// Does it matter whether the property is as wanted?
    pub fn demands(&self, property: &PropertyReport) -> bool {
        property.level <= self.level
    }

    /// Nothing is known of the file, and why.
    pub fn leave_unread(&mut self, why: String) {
        self.run.findings.push(Finding::note(Code::NotKnown, format!("nothing is decided: {why}")));
        self.unread = Some(why);
    }

    /// Was nothing asked, so that nothing was decided?
    pub fn asks_nothing(&self) -> bool {
        self.run.findings.iter().any(|finding| finding.diagnostic.code == Code::NoProperty)
    }

    /// How the check ended.
    pub fn status(&self) -> Status {
        let any = |outcome| {
            self.properties.iter().any(|property| self.demands(property) && property.outcome() == outcome)
        };
        let unexplored = self
            .model
            .as_ref()
            .is_some_and(|model| model.counts().is_none() && model.space != Space::NotNeeded);
        if self.run.input == Input::Bad {
            Status::Invalid
        } else if self.unread.is_some() {
            Status::Undecided
        } else if self.forbidden_deadlock || any(Outcome::Unwanted) {
            Status::Unwanted
        } else if any(Outcome::Undecided) || unexplored {
            Status::Undecided
        } else {
            Status::Wanted
        }
    }
}

/// What walks by chance have seen.
#[derive(Clone, Debug, Default)]
pub struct WalksReport {
    /// The run.
    pub run: Run,
    /// Where chance began.
    pub seed: u64,
    /// How many walks were made, of how many steps in all.
    pub walks: u64,
    /// How many steps were taken.
    pub steps: u64,
    /// How many walks ended where nothing could happen.
    pub ends: u64,
    /// How many different states were seen.
    pub states: usize,
    /// Each label with how often it was taken.
    pub labels: Vec<(String, u64)>,
    /// Each control state, after its machine, with how often a walk was there.
    pub locations: Vec<(String, String, u64)>,
    /// Each scenario with how many walks it happened on.
    pub scenarios: Vec<(String, u64)>,
}

/// A decomposition in the user's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecompositionReport {
    /// The formulas of each state.
    pub states: Vec<Vec<String>>,
    /// From, rule, to.
    pub edges: Vec<(usize, String, usize)>,
}

/// Where something of the model is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The file, where it is not the one that was named: one that it uses.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
}

impl Written {
    /// The place of an offset.
    pub fn at(source: &SourceFile, offset: u32) -> Self {
        let (file, Place { line, column }) = (source.file_of(offset), source.place(offset));
        let file = (file.base() != source.base()).then(|| file.name().to_owned());
        Written { file, line, column }
    }
}

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Written { file, line, column } = self;
        file.iter().try_for_each(|file| write!(f, "{file}, "))?;
        write!(f, "line {line}, column {column}")
    }
}

/// One act of the model: is it what it says?
#[derive(Clone, Debug)]
pub struct ActReport {
    /// The act as the user writes it.
    pub label: String,
    /// What was found of it; `None`: that was not decided.
    pub judged: Option<ActConformance>,
    /// Where it is written.
    pub place: Option<Written>,
    /// What the rules make of it.
    pub decomposition: DecompositionReport,
}

impl ActReport {
    /// On which of the runs through its transitions its formula holds, in the word used in every output format.
    pub fn word(&self) -> &'static str {
        match &self.judged {
            None => "unknown",
            Some(judged) if judged.transitions == 0 => "unperformed",
            Some(judged) => match judged.certainty {
                Certainty::Certain => "certain",
                Certainty::Possible => "possible",
                Certainty::Never => "never",
            },
        }
    }

    /// Is it a reason for a model not to conform?
    pub fn is_wrong(&self) -> bool {
        self.judged.as_ref().is_some_and(|judged| judged.certainty != Certainty::Certain)
    }
}

/// A claimed decomposition, compared with the rule-made one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimReport {
    /// Of which act.
    pub label: String,
    /// The first difference; `None`: they are the same.
    pub difference: Option<String>,
    /// Where it is written.
    pub place: Written,
}

/// What `conform` has found.
#[derive(Clone, Debug)]
pub struct ConformReport {
    /// The run.
    pub run: Run,
    /// The model, if there is one.
    pub model: Option<ModelReport>,
    /// Its acts.
    pub acts: Vec<ActReport>,
    /// Were the acts and the taking of turns decided? If not, why.
    pub decided: Result<(), String>,
    /// The first time that somebody speaks twice in a row, if the parties do not take turns.
    pub turns: Option<TurnBreak>,
    /// Its claims.
    pub claims: Vec<ClaimReport>,
    /// The commitments with names.
    pub commitments: Vec<CommitmentView>,
}

impl ConformReport {
    /// A report that has nothing to say yet.
    pub fn new(file: impl Into<String>, engine: &'static str) -> Self {
        ConformReport {
            run: Run::new(file, engine),
            model: None,
            acts: Vec::new(),
            decided: Err("the input has no meaning".to_owned()),
            turns: None,
            claims: Vec::new(),
            commitments: Vec::new(),
        }
    }

    /// How the comparison ended. Taking turns is reported and not demanded.
    pub fn status(&self) -> Status {
        if self.run.input == Input::Bad {
            Status::Invalid
        } else if self.acts.iter().any(ActReport::is_wrong)
            || self.claims.iter().any(|claim| claim.difference.is_some())
        {
            Status::Unwanted
        } else if self.decided.is_err() {
            Status::Undecided
        } else {
            Status::Wanted
        }
    }
}

/// One of the systems that are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemReport {
    /// The argument as the user wrote it.
    pub file: String,
    /// Its states and transitions, if all are known.
    pub size: Option<(u64, u64)>,
}

/// What kind of thing tells two systems apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DifferenceKind {
    /// A formula of Hennessy-Milner logic.
    Formula(String),
    /// A formula without negation: what the other system cannot follow step by step.
    Unsimulated(String),
    /// Labels that can be done one after the other, and perhaps what can be refused then.
    Run {
        /// The labels.
        trace: Vec<String>,
        /// What is refused, all of it.
        refused: Option<Vec<String>>,
    },
}

/// What one system has and the other one lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DifferenceReport {
    /// Is it the first system that has it?
    pub in_left: bool,
    /// What it is.
    pub kind: DifferenceKind,
    /// The same as a formula for `check`, true for the one and false for the other.
    pub property: Option<String>,
}

/// What was decided about two systems.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Compared {
    /// The relation holds.
    Holds,
    /// It does not.
    Different(DifferenceReport),
    /// That is not known, and why.
    Undecided(String),
}

impl Compared {
    /// Does it hold, if that is known?
    pub fn holds(&self) -> Option<bool> {
        match self {
            Compared::Holds => Some(true),
            Compared::Different(_) => Some(false),
            Compared::Undecided(_) => None,
        }
    }

    /// The difference, if there is one.
    pub fn difference(&self) -> Option<&DifferenceReport> {
        match self {
            Compared::Different(difference) => Some(difference),
            Compared::Holds | Compared::Undecided(_) => None,
        }
    }
}

/// Does a relation look both ways?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// It is an equivalence.
    Both,
    /// It is a preorder.
    One,
}

/// What `equiv` has found.
#[derive(Clone, Debug)]
pub struct EquivReport {
    /// The run.
    pub run: Run,
    /// The relation, as users write it.
    pub relation: &'static str,
    /// The relation, as it is called in a sentence.
    pub relation_name: &'static str,
    /// Does it look both ways?
    pub way: Way,
    /// What is said where it holds, and where it does not.
    pub verdicts: [&'static str; 2],
    /// The systems, the first one first.
    pub systems: [SystemReport; 2],
    /// Are they related?
    pub outcome: Compared,
}

impl EquivReport {
    /// How the comparison ended.
    pub fn status(&self) -> Status {
        status(&self.run, [&self.outcome])
    }
}

/// One of the questions of `conform --to`.
#[derive(Clone, Debug)]
pub struct DutyReport {
    /// What is asked, in a word.
    pub question: &'static str,
    /// The relation that answers it, as users write it.
    pub relation: &'static str,
    /// What is said where it holds, and where it does not.
    pub verdicts: [&'static str; 2],
    /// Does the agent do its duty?
    pub outcome: Compared,
}

/// What `conform --to` has found.
#[derive(Clone, Debug)]
pub struct DutiesReport {
    /// The run.
    pub run: Run,
    /// The agent and the protocol.
    pub systems: [SystemReport; 2],
    /// The role that the agent plays, if one was named.
    pub role: Option<String>,
    /// The labels that are the agent's own, if labels have owners.
    pub own: Option<Vec<String>>,
    /// The labels that are hidden.
    pub hidden: Vec<String>,
    /// The answers.
    pub duties: Vec<DutyReport>,
}

impl DutiesReport {
    /// How it ended.
    pub fn status(&self) -> Status {
        status(&self.run, self.duties.iter().map(|duty| &duty.outcome))
    }
}

fn status<'a>(run: &Run, outcomes: impl IntoIterator<Item = &'a Compared>) -> Status {
    let holds: Vec<Option<bool>> = outcomes.into_iter().map(Compared::holds).collect();
    match run.input {
        Input::Bad => Status::Invalid,
        Input::Good if holds.contains(&Some(false)) => Status::Unwanted,
        Input::Good if holds.contains(&None) => Status::Undecided,
        Input::Good => Status::Wanted,
    }
}

/// The states where a formula holds.
#[derive(Clone, Debug)]
pub struct StatesReport {
    /// The run.
    pub run: Run,
    /// The formula as the user wrote it.
    pub formula: String,
    /// How many they are, and the first of them; or why that is not known.
    pub found: Result<Satisfying, String>,
    /// The same in cubes, where that was asked for, and whether these are all.
    pub cubes: Option<(Vec<Vec<String>>, bool)>,
    /// The commitments with names.
    pub commitments: Vec<CommitmentView>,
}

impl StatesReport {
    /// What the program ends with.
    pub fn status(&self) -> Status {
        match (self.run.input, &self.found) {
            (Input::Bad, _) => Status::Invalid,
            (Input::Good, Ok(_)) => Status::Wanted,
            (Input::Good, Err(_)) => Status::Undecided,
        }
    }
}

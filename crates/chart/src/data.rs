//! What a drawing shows, whatever it is drawn with.

/// Why a property has the verdict it has, ready to be drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explanation {
    /// What is explained: the property by name.
    pub title: String,
    /// Its formula.
    pub formula: String,
    /// What is to be said in words.
    pub summary: Vec<String>,
    /// What is to be shown, the most important first.
    pub sections: Vec<Section>,
}

impl Explanation {
    /// What is explained, with its formula; empty where nothing is.
    pub(crate) fn heading(&self) -> String {
        match self.title.as_str() {
            "" => String::new(),
            title => format!("{title}: {}", self.formula),
        }
    }

    /// Are there several parts, so that each needs its number?
    pub(crate) fn is_numbered(&self) -> bool {
        self.sections.len() > 1
    }
}

/// A part of an explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Section {
    /// A run as a message chart.
    Chart(Chart),
    /// What a coalition does.
    Plan(Plan),
}

/// A run as a message chart: agents are lifelines, what happens are arrows between them, commitments are bars.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chart {
    /// The number by which other parts refer to it.
    pub number: usize,
    /// What it shows.
    pub title: String,
    /// What holds of all of it.
    pub remarks: Vec<String>,
    /// The names of the lifelines, at least one.
    pub lifelines: Vec<String>,
    /// Where it begins.
    pub first: Moment,
    /// What happens; step `k` leads to moment `k + 1`.
    pub steps: Vec<Step>,
    /// The step with which the part begins that repeats for ever; it ends with the last step.
    pub repeats_from: Option<usize>,
    /// The commitments that are in force at some moment or that some act is about.
    pub commitments: Vec<Commitment>,
    /// When they are in force.
    pub bars: Vec<Bar>,
}

/// A state between two steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    /// What the state is like: everything at the beginning, later what has changed.
    pub facts: Vec<String>,
    /// What matters here for the verdict.
    pub notes: Vec<String>,
}

/// A step and what comes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What happens.
    pub happening: Happening,
    /// The same as the user writes it, for those who look closer; may be empty.
    pub full: String,
    /// The state it leads to.
    pub after: Moment,
}

impl Step {
    /// What happens, as precisely as is known.
    pub(crate) fn words(&self, lifelines: &[String]) -> String {
        if self.full.is_empty() { self.happening.words(lifelines) } else { self.full.clone() }
    }
}

/// What happens in a step. Lifelines are named by their position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happening {
    /// One says something to another.
    Message {
        /// Who says it.
        from: usize,
        /// To whom; another one.
        to: usize,
        /// What.
        label: String,
    },
    /// One says something that all others see.
    Public {
        /// Who says it.
        from: usize,
        /// What.
        label: String,
    },
    /// One does something by itself.
    Own {
        /// Who.
        at: usize,
        /// What.
        label: String,
    },
    /// Each does something, all at once.
    Together(Vec<String>),
    /// Something happens that nobody does.
    Nobody(String),
    /// Nothing can happen any more.
    Deadlock,
}

impl Happening {
    /// What happens, in one line.
    pub fn words(&self, lifelines: &[String]) -> String {
        let name = |index: &usize| lifelines.get(*index).map_or("", String::as_str);
        match self {
            Happening::Message { from, to, label } => format!("{} → {}: {label}", name(from), name(to)),
            Happening::Public { from, label } => format!("{} → all: {label}", name(from)),
            Happening::Own { at, label } => format!("{}: {label}", name(at)),
            Happening::Together(actions) => {
                let parts = lifelines.iter().zip(actions).map(|(agent, action)| format!("{agent}: {action}"));
                parts.collect::<Vec<_>>().join(", ")
            }
            Happening::Nobody(_) | Happening::Deadlock => self.label().unwrap_or_default().to_owned(),
        }
    }

    /// What is written on it as a whole; nothing where each does something.
    pub(crate) fn label(&self) -> Option<&str> {
        match self {
            Happening::Message { label, .. }
            | Happening::Public { label, .. }
            | Happening::Own { label, .. }
            | Happening::Nobody(label) => Some(label),
            Happening::Deadlock => Some(NOTHING_HAPPENS),
            Happening::Together(_) => None,
        }
    }
}

/// What is said of a deadlock.
pub(crate) const NOTHING_HAPPENS: &str = "nothing can happen any more";

/// What is said of the part of a run that repeats.
pub(crate) const REPEATS: &str = "repeats for ever";

/// A commitment that the chart speaks of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commitment {
    /// Its short name in the chart: `c1`.
    pub tag: String,
    /// The commitment as the user writes it.
    pub text: String,
    /// The lifeline of who owes it, where that is known.
    pub debtor: Option<usize>,
}

/// A time during which a commitment is in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bar {
    /// The position of the commitment.
    pub commitment: usize,
    /// The first moment at which it is in force.
    pub from: usize,
    /// How that ends.
    pub end: End,
}

/// How a commitment ends. Moments are the first at which it is no longer in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It was satisfied.
    Satisfied(usize),
    /// It was violated.
    Violated(usize),
    /// It was withdrawn.
    Withdrawn(usize),
    /// The creditor released the debtor.
    Released(usize),
    /// It was delegated or assigned: somebody else owes it now, or is owed it.
    PassedOn(usize),
    /// Another one took its place: a party changed its mind.
    Replaced(usize),
    /// It is still in force where the chart ends.
    InForce,
}

impl End {
    /// The first moment at which it is no longer in force, if there is one.
    pub fn moment(self) -> Option<usize> {
        match self {
            End::Satisfied(at)
            | End::Violated(at)
            | End::Withdrawn(at)
            | End::Released(at)
            | End::PassedOn(at)
            | End::Replaced(at) => Some(at),
            End::InForce => None,
        }
    }

    /// The sign that stands at the end of its bar.
    pub fn sign(self) -> char {
        match self {
            End::Satisfied(_) => '✓',
            End::Violated(_) => '✗',
            End::Withdrawn(_) => '↩',
            End::Released(_) => '○',
            End::PassedOn(_) => '↷',
            End::Replaced(_) => '╹',
            End::InForce => '▼',
        }
    }

    /// What became of it, in words.
    pub fn words(self) -> String {
        match self {
            End::Satisfied(at) => format!("satisfied at {at}"),
            End::Violated(at) => format!("violated at {at}"),
            End::Withdrawn(at) => format!("withdrawn at {at}"),
            End::Released(at) => format!("released at {at}"),
            End::PassedOn(at) => format!("passed on at {at}"),
            End::Replaced(at) => format!("replaced at {at}"),
            End::InForce => "still in force".to_owned(),
        }
    }
}

/// The title of a part, with its number where parts are numbered.
fn heading(numbered: bool, number: usize, title: &str) -> String {
    if numbered { format!("Chart {number}: {title}") } else { title.to_owned() }
}

impl Chart {
    pub(crate) fn heading(&self, numbered: bool) -> String {
        heading(numbered, self.number, &self.title)
    }

    /// The number of moments.
    pub fn moments(&self) -> usize {
        self.steps.len() + 1
    }

    /// A moment by its number.
    pub fn moment(&self, number: usize) -> &Moment {
        match number.checked_sub(1).and_then(|step| self.steps.get(step)) {
            Some(step) => &step.after,
            None => &self.first,
        }
    }

    /// The tags of the commitments in force at a moment.
    pub fn in_force(&self, moment: usize) -> Vec<&str> {
        let there = |bar: &&Bar| bar.from <= moment && bar.end.moment().is_none_or(|end| moment < end);
        self.bars.iter().filter(there).filter_map(|bar| self.tag(bar)).collect()
    }

    /// The tag of the commitment of a bar.
    pub(crate) fn tag(&self, bar: &Bar) -> Option<&str> {
        self.commitments.get(bar.commitment).map(|commitment| commitment.tag.as_str())
    }

    /// What became of a commitment, in words: each time it was in force.
    pub(crate) fn fate(&self, commitment: usize) -> String {
        let bars = self.bars.iter().filter(|bar| bar.commitment == commitment);
        let times: Vec<String> = bars
            .map(|bar| match bar.from {
                0 => format!("from the beginning, {}", bar.end.words()),
                from => format!("from {from}, {}", bar.end.words()),
            })
            .collect();
        if times.is_empty() { "never in force".to_owned() } else { times.join("; ") }
    }

    /// Was the commitment ever violated?
    pub(crate) fn is_violated(&self, commitment: usize) -> bool {
        self.bars.iter().any(|bar| bar.commitment == commitment && matches!(bar.end, End::Violated(_)))
    }
}

/// What a coalition does to reach its goal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The number by which other parts refer to it.
    pub number: usize,
    /// What it shows.
    pub title: String,
    /// A state, and what the members do there.
    pub choices: Vec<(String, String)>,
    /// The states where nothing is left to do.
    pub ends: Vec<String>,
    /// How many states are not listed.
    pub left_out: usize,
}

impl Plan {
    pub(crate) fn heading(&self) -> String {
        heading(true, self.number, &self.title)
    }

    /// What is said of the states that are not listed.
    pub(crate) fn rest(&self) -> Option<String> {
        (self.left_out > 0).then(|| format!("and {} more states", self.left_out))
    }
}

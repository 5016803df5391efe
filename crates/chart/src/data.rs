//! What a drawing shows, whatever it is drawn with.

mod commitment;
mod flight;
mod fold;
mod happening;

pub use commitment::{Bar, Commitment, End};
pub use flight::{Flight, Landing};
pub use fold::Fold;
pub(crate) use fold::Shown;
pub use happening::Happening;
pub(crate) use happening::NOTHING_HAPPENS;

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

    /// Draws everything, also what only repeats.
    pub fn unfold(&mut self) {
        for section in &mut self.sections {
            if let Section::Chart(chart) = section {
                chart.folds.clear();
            }
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
    /// The messages that are under way in channels.
    pub flights: Vec<Flight>,
    /// What is not drawn since it repeats what is, in the order of steps.
    pub folds: Vec<Fold>,
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

/// More times than this at which a commitment was in force nobody reads.
const MOST_TIMES: usize = 6;

/// What is said of the part of a run that repeats.
pub(crate) const REPEATS: &str = "repeats for ever";

/// The title of a part, with its number where parts are numbered.
fn heading(numbered: bool, number: usize, title: &str) -> String {
    if numbered { format!("Chart {number}: {title}") } else { title.to_owned() }
}

impl Chart {
    pub(crate) fn heading(&self, numbered: bool) -> String {
        heading(numbered, self.number, &self.title)
    }

    /// What happens in a step, in one line, with what is lost by it.
    pub(crate) fn step_words(&self, index: usize) -> String {
        let mut words = self.steps[index].happening.words(&self.lifelines);
        for flight in self.flights.iter().filter(|flight| flight.end == Landing::Lost(index + 1)) {
            words.push_str(&format!(" ({} is lost)", flight.label));
        }
        words
    }

    /// Does a message in a channel begin or end at a moment?
    pub(crate) fn is_marked(&self, moment: usize) -> bool {
        self.flights.iter().any(|flight| flight.is_sent_at(moment) || flight.end.moment() == Some(moment))
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
        let time = |bar: &&Bar| match bar.from {
            0 => format!("from the beginning, {}", bar.end.words()),
            from => format!("from {from}, {}", bar.end.words()),
        };
        let bars: Vec<&Bar> = self.bars.iter().filter(|bar| bar.commitment == commitment).collect();
        match bars.as_slice() {
            [] => "never in force".to_owned(),
            few if few.len() <= MOST_TIMES => few.iter().map(time).collect::<Vec<_>>().join("; "),
            [first, .., last] => format!("{} times: {}; ...; {}", bars.len(), time(first), time(last)),
            [only] => time(only),
        }
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
    /// What names in it stand for, a line for each.
    pub legend: Vec<String>,
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

//! From evidence to an explanation: one chart per path.
//!
//! The evidence is a tree of claims. What follows on each other is joined to one chart, as in [`Evidence::line`]; every path that
//! branches off becomes a chart of its own, and the claim that it supports refers to it by number.

mod claims;
mod commitments;
mod flights;
mod happening;
mod moments;

use std::collections::VecDeque;

use servanda_evidence::{
    Checked, Claim, Event, Evidence, EvidenceKind, Path, PathEvidence, Strategy, only_path,
};
use servanda_model::{CommitmentView, Model};

use crate::{Chart, Explanation, Plan, Section};
use commitments::Commitments;
pub use happening::Happenings;

/// More charts than this are no explanation.
const MOST_SECTIONS: usize = 30;

/// So many states of a strategy are listed.
const MOST_CHOICES: usize = 24;

/// The explanation of a property called `name`.
pub fn explanation(model: &Model, name: &str, evidence: &Evidence) -> Explanation {
    let mut builder = Builder {
        agents: &evidence.agents,
        named: &evidence.commitments,
        happenings: Happenings::new(model),
        commitments: Commitments::new(model),
        waiting: VecDeque::new(),
        numbered: 0,
        left_out: 0,
    };
    let first = match evidence.kind {
        EvidenceKind::Counterexample => "A counterexample",
        EvidenceKind::Witness => "A witness",
    };
    builder.add(Piece::Run {
        title: first.to_owned(),
        run: evidence.start.clone(),
        claim: Some(&evidence.claim),
    });
    let mut sections = Vec::new();
    while let Some((number, piece)) = builder.waiting.pop_front() {
        sections.push(builder.section(number, piece));
    }
    let mut summary = vec![verdict(name, evidence.kind), checked(evidence.checked).to_owned()];
    if builder.left_out > 0 {
        summary.push(format!("{} more runs that belong to it are not shown.", builder.left_out));
    }
    summary.retain(|sentence| !sentence.is_empty());
    Explanation { title: name.to_owned(), formula: evidence.formula.clone(), summary, sections }
}

fn verdict(name: &str, kind: EvidenceKind) -> String {
    match kind {
        EvidenceKind::Counterexample => format!("{name} is false, and this shows it."),
        EvidenceKind::Witness => format!("{name} is true, and this shows it."),
    }
}

fn checked(checked: Checked) -> &'static str {
    match checked {
        Checked::NotYet => "",
        Checked::ByPaths => "Every step was replayed in the model.",
        Checked::ByReference => {
            "Every step was replayed in the model, and what no path shows was decided again by the engine enumerate."
        }
        Checked::ByEngine => {
            "Every step was replayed in the model; what no path shows depends on the engine that found it."
        }
    }
}

/// A part that is still to be drawn.
enum Piece<'e> {
    /// A run; the claim is about its end.
    Run { title: String, run: Path, claim: Option<&'e Claim> },
    /// A path with what matters on it.
    Path { title: String, evidence: &'e PathEvidence },
    /// What a coalition does.
    Strategy { title: String, strategy: &'e Strategy },
}

struct Builder<'e> {
    agents: &'e [String],
    /// The commitments with names.
    named: &'e [CommitmentView],
    happenings: Happenings<'e>,
    commitments: Commitments,
    waiting: VecDeque<(usize, Piece<'e>)>,
    /// How many numbers have been given.
    numbered: usize,
    left_out: usize,
}

/// A chart while it is being followed.
struct Drawn {
    path: Path,
    /// What matters, by position.
    notes: Vec<(usize, String)>,
}

impl<'e> Builder<'e> {
    /// Puts a part into the queue; its number, unless there are too many already.
    fn add(&mut self, piece: Piece<'e>) -> Option<usize> {
        if self.numbered >= MOST_SECTIONS {
            self.left_out += 1;
            return None;
        }
        self.numbered += 1;
        self.waiting.push_back((self.numbered, piece));
        Some(self.numbered)
    }

    fn section(&mut self, number: usize, piece: Piece<'e>) -> Section {
        match piece {
            Piece::Run { title, run, claim } => {
                let mut drawn = Drawn { path: run, notes: Vec::new() };
                self.follow(&mut drawn, claim);
                Section::Chart(self.chart(number, title, &drawn))
            }
            Piece::Path { title, evidence } => {
                let mut drawn = Drawn { path: evidence.path.clone(), notes: Vec::new() };
                let following = self.note_all(&mut drawn, evidence, 0);
                self.follow(&mut drawn, following);
                Section::Chart(self.chart(number, title, &drawn))
            }
            Piece::Strategy { title, strategy } => Section::Plan(self.plan(number, title, strategy)),
        }
    }

    /// Joins to a chart what the claim about its end rests on, and so on while there is one way to go.
    fn follow(&mut self, drawn: &mut Drawn, claim: Option<&'e Claim>) {
        let mut next = claim;
        while let Some(claim) = next.take() {
            let at = drawn.path.last();
            let joined = only_path(claim);
            let note = self.words(claim, joined);
            drawn.notes.extend(note.into_iter().map(|note| (at, note)));
            let Some(evidence) = joined else { return };
            drawn.path.go_on(&evidence.path);
            next = self.note_all(drawn, evidence, at);
        }
    }

    /// Notes the claims about the positions of a path, which begins at `offset`. The claim with which it goes on is
    /// not noted but returned.
    fn note_all(
        &mut self,
        drawn: &mut Drawn,
        evidence: &'e PathEvidence,
        offset: usize,
    ) -> Option<&'e Claim> {
        for (at, claim) in evidence.aside() {
            let notes = self.words(claim, None);
            drawn.notes.extend(notes.into_iter().map(|note| (at + offset, note)));
        }
        evidence.following()
    }

    fn chart(&self, number: usize, title: String, drawn: &Drawn) -> Chart {
        let states = moments::states(&drawn.path);
        let (commitments, bars) = self.commitments.of(&states, &drawn.path.steps);
        let (remarks, first, after) = moments::noted(drawn);
        let flights = self.happenings.flights(&states, &drawn.path.steps);
        let steps = drawn.path.steps.iter().zip(after).enumerate();
        let steps = steps
            .map(|(index, (step, after))| {
                let (before, now) = (states[index], states[index + 1]);
                let sends = flights.iter().any(|flight| flight.is_sent_at(index + 1));
                let happening = self.happenings.of(step, (before, now), &commitments, sends);
                let after = self.happenings.without_clocks(&happening, after);
                crate::Step { happening, full: step.label.clone(), after }
            })
            .collect();
        let lifelines =
            if self.agents.is_empty() { vec!["(system)".to_owned()] } else { self.agents.to_vec() };
        // That nothing can happen any more says by itself that it stays so.
        let ends_in_deadlock = drawn.path.steps.last().is_some_and(|step| step.event == Event::Deadlock);
        let mut chart = Chart {
            number,
            title,
            remarks,
            lifelines,
            first,
            steps,
            repeats_from: drawn.path.loop_to.filter(|_| !ends_in_deadlock),
            flights,
            folds: Vec::new(),
            commitments,
            bars,
        };
        chart.fold(|from, to| moments::facts(Some(states[from]), states[to]));
        chart
    }

    fn plan(&self, number: usize, title: String, strategy: &Strategy) -> Plan {
        use servanda_evidence::Move;
        let choices = strategy.choices.iter().map(|choice| {
            let moves = strategy.group.iter().zip(&choice.moves).map(|(agent, taken)| {
                let name = self.agents.get(agent.index()).map_or("", String::as_str);
                match taken {
                    Some(Move::Transition { text, .. }) => text.clone(),
                    Some(Move::Action { text, .. }) => format!("{name}: {text}"),
                    None => format!("{name}: nothing"),
                }
            });
            (choice.state.view.to_string(), moves.collect::<Vec<_>>().join(", "))
        });
        let mut ends: Vec<String> = Vec::new();
        for end in strategy.ends.iter().map(|state| state.view.to_string()) {
            if !ends.contains(&end) {
                ends.push(end);
            }
        }
        let left_out =
            strategy.choices.len().saturating_sub(MOST_CHOICES) + ends.len().saturating_sub(MOST_CHOICES);
        ends.truncate(MOST_CHOICES);
        let choices: Vec<(String, String)> = choices.take(MOST_CHOICES).collect();
        let shown: Vec<&str> = choices.iter().flat_map(|(state, moves)| [state.as_str(), moves]).collect();
        let shown = format!("{}\n{}", shown.join("\n"), ends.join("\n"));
        let legend = CommitmentView::mentioned(self.named, &shown).into_iter();
        let legend = legend.map(CommitmentView::in_full).collect();
        Plan { number, title, choices, ends, left_out, legend }
    }
}

//! What is decided in a slice, at a line and at its end.

use servanda_model::{CommitmentId, Level};

use super::{Around, Follower};
use crate::evaluate::parts_of;
use crate::finding::{Ended, Finding, Kind, Line, Outcome, Rule, Verdict};
use crate::judge::{Decided, Event, News, Standing, Status, Verdict as Judged};
use crate::slices::Going;

/// What a verdict is about.
#[derive(Clone, Copy)]
enum Subject {
    Property(usize),
    Commitment(CommitmentId),
}

/// Why a commitment is broken.
#[derive(Clone, Copy)]
enum Fate {
    /// It was said to be kept, and is not.
    Claimed,
    /// No run keeps it from its creation on.
    Unkeepable,
    /// It could be kept before, and cannot now.
    Lost,
    /// It could have been kept up to the end.
    NotKept,
}

impl Follower<'_> {
    /// Says what a step has decided.
    pub(super) fn tell(&mut self, position: u32, news: News, at: Line, around: &mut Around<'_>) {
        for finding in self.findings(position, news, at) {
            around.sink.finding(finding);
        }
        for decided in self.judge.news(news).to_vec() {
            let (subject, outcome) = match decided {
                Decided::Property { property, verdict } => {
                    let is_false = verdict == Judged::False;
                    (Subject::Property(property), if is_false { Outcome::Broken } else { Outcome::Held })
                }
                Decided::Commitment { commitment, event } => {
                    let outcome = match event {
                        Event::Created => continue,
                        Event::Kept => Outcome::Held,
                        Event::Broken => Outcome::Broken,
                        Event::Released { .. } => Outcome::Released,
                        Event::Claimed => Outcome::Claimed,
                    };
                    (Subject::Commitment(commitment), outcome)
                }
            };
            self.verdict(position, subject, outcome, Some(at), around);
        }
    }

    /// What a step has broken.
    pub(super) fn findings(&self, position: u32, news: News, at: Line) -> Vec<Finding> {
        let all = self.judge.news(news);
        let finding = |decided: &Decided| match *decided {
            Decided::Property { property, verdict: Judged::False } => {
                Some(self.false_property(position, property, Some(at)))
            }
            Decided::Commitment { commitment, event: Event::Claimed } => {
                Some(self.broken(position, commitment, Fate::Claimed, Some(at)))
            }
            Decided::Commitment { commitment, event: Event::Broken } => {
                let created = Decided::Commitment { commitment, event: Event::Created };
                let fate = if all.contains(&created) { Fate::Unkeepable } else { Fate::Lost };
                Some(self.broken(position, commitment, fate, Some(at)))
            }
            _ => None,
        };
        all.iter().filter_map(finding).collect()
    }

    /// Is something broken by a step?
    #[inline]
    pub(super) fn is_bad(&self, news: News) -> bool {
        !news.is_empty()
            && self.judge.news(news).iter().any(|decided| {
                matches!(
                    decided,
                    Decided::Property { verdict: Judged::False, .. }
                        | Decided::Commitment { event: Event::Broken | Event::Claimed, .. }
                )
            })
    }

    fn false_property(&self, position: u32, property: usize, at: Option<Line>) -> Finding {
        let asked = &self.properties[property];
        let message = format!("`{}` is false: {}", asked.name, asked.text);
        let mut finding =
            self.about(Finding::new(Kind::Property, self.levels[property], message, at), position);
        finding.code.clone_from(&asked.name);
        finding.citation.clone_from(&asked.cite);
        finding.rule =
            Some(Rule { model: self.view.model.text.clone(), span: Some(asked.span), nearest: None });
        if let Some(at) = at {
            let of_line = finding.steps.iter().filter(|step| step.at == at);
            finding.labels = of_line.map(|step| step.label.clone()).collect();
        }
        finding
    }

    /// A property is false from here on.
    pub(super) fn tell_false(
        &self,
        position: u32,
        property: usize,
        at: Option<Line>,
        around: &mut Around<'_>,
    ) {
        around.sink.finding(self.false_property(position, property, at));
        self.verdict(position, Subject::Property(property), Outcome::Broken, at, around);
    }

    fn broken(&self, position: u32, commitment: CommitmentId, fate: Fate, at: Option<Line>) -> Finding {
        let model = self.judge.model();
        let promise = model.commitment(commitment);
        let name = model.show_promise(promise);
        let (debtor, creditor) = (&model.agent(promise.debtor).name, &model.agent(promise.creditor).name);
        // Who has broken a promise is said only where it is certain: what cannot be kept may be another's doing, or the protocol's.
        let message = match fate {
            Fate::Claimed => {
                format!(
                    "{debtor} says it has kept, though that is not so, what it owes to {creditor}: {name}"
                )
            }
            Fate::Unkeepable => format!(
                "{debtor} promises {creditor} what cannot be kept from the moment it is promised, whatever anybody does: {name}"
            ),
            Fate::Lost => match self.last_said(position) {
                Some(label) => {
                    format!("after `{label}` what {debtor} owes to {creditor} can no longer be kept: {name}")
                }
                None => format!("what {debtor} owes to {creditor} can no longer be kept: {name}"),
            },
            Fate::NotKept => format!("{debtor} has not kept, by the end, what it owes to {creditor}: {name}"),
        };
        let mut finding = self.about(Finding::new(Kind::Commitment, Level::Must, message, at), position);
        finding.code = name;
        finding.rule = Some(Rule { model: self.view.model.text.clone(), span: None, nearest: None });
        finding.since = self.created(position, commitment);
        finding
    }

    /// What was said last in a slice.
    fn last_said(&self, position: u32) -> Option<&str> {
        let slice = self.slices.store.get(position)?;
        slice.trail.last().map(|mark| self.judge.text(mark.letter))
    }

    /// The line that created a commitment, as far as steps are kept.
    fn created(&self, position: u32, commitment: CommitmentId) -> Option<Line> {
        let slice = self.slices.store.get(position)?;
        let mark = slice.trail.iter().rev().find(|mark| self.judge.creates(commitment, mark.letter))?;
        Some(mark.at.line())
    }

    fn verdict(
        &self,
        position: u32,
        subject: Subject,
        outcome: Outcome,
        at: Option<Line>,
        around: &mut Around<'_>,
    ) {
        if !around.sink.wants_verdicts() {
            return;
        }
        let (name, parties, level) = match subject {
            Subject::Property(property) => {
                (self.properties[property].name.clone(), None, self.levels[property])
            }
            Subject::Commitment(commitment) => {
                let model = self.judge.model();
                let promise = model.commitment(commitment);
                let name = |agent| model.agent(agent).name.clone();
                let parties = (name(promise.debtor), name(promise.creditor));
                (model.show_promise(promise), Some(parties), Level::Must)
            }
        };
        let key = parts_of(self.slices.store.key(position)).collect();
        let view = self.view.name.text.clone();
        around.sink.verdict(Verdict { view, key, at, name, parties, outcome, level });
    }

    /// Nothing more comes: what is open is judged on the runs that stand still.
    pub(crate) fn end_slice(&mut self, position: u32, at: Option<Line>, around: &mut Around<'_>) {
        let Some(slice) = self.slices.store.get(position) else { return };
        let (standing, going) = (slice.standing, slice.going);
        let ended = Ended {
            view: self.view.name.text.clone(),
            key: parts_of(self.slices.store.key(position)).collect(),
            at,
            length: slice.length,
            cost: slice.cost,
        };
        if going == Going::On {
            self.judge_end(position, standing, at, around);
        } else {
            around.stats.open += 1;
        }
        around.sink.ended(ended);
        self.forget_slice(position);
    }

    fn judge_end(&mut self, position: u32, standing: Standing, at: Option<Line>, around: &mut Around<'_>) {
        let end = self.judge.end(standing);
        for (property, verdict) in end.verdicts.into_iter().enumerate() {
            match (self.judge.verdict(standing, property), verdict) {
                // What was false before the end has been said.
                (Judged::False, _) | (Judged::True, Judged::True) => {}
                (_, Judged::False) => self.tell_false(position, property, at, around),
                (_, Judged::True) => {
                    self.verdict(position, Subject::Property(property), Outcome::Held, at, around);
                }
                (_, Judged::Open | Judged::Left) => {
                    around.stats.open += 1;
                    self.verdict(position, Subject::Property(property), Outcome::Open, at, around);
                }
            }
        }
        let known = self.judge.in_force(standing);
        for owed in end.owed {
            let before = known.iter().find(|it| it.commitment == owed.commitment).map(|it| it.status);
            let subject = Subject::Commitment(owed.commitment);
            match owed.status {
                Status::Broken if before == Some(Status::Broken) => {}
                Status::Broken if owed.certainly => {
                    around.sink.finding(self.broken(position, owed.commitment, Fate::NotKept, at));
                    self.verdict(position, subject, Outcome::Broken, at, around);
                }
                _ => {
                    around.stats.open += 1;
                    self.verdict(position, subject, Outcome::Open, at, around);
                }
            }
        }
    }

    /// The log is over.
    pub(crate) fn end_all(&mut self, around: &mut Around<'_>) {
        let positions: Vec<u32> = self.slices.store.positions().collect();
        for position in positions {
            self.end_slice(position, None, around);
        }
    }
}

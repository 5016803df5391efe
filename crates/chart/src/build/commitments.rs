//! The commitments of a run: what to call them, and when they are in force.

use rustc_hash::FxHashMap;
use servanda_evidence::{State, Step};
use servanda_logic::ActKind;
use servanda_model::{CommitmentView, Model, Promise};

use crate::{Bar, Commitment, End};

/// Who owes which commitment.
pub(super) struct Commitments(FxHashMap<String, usize>);

impl Commitments {
    pub(super) fn new(model: &Model) -> Self {
        let debtor = |promise: &Promise| (model.write_promise(promise), promise.debtor.index());
        Commitments(model.commitments().map(|(_, promise)| debtor(promise)).collect())
    }

    /// The commitments of a run in the order in which they come up, and their bars.
    pub(super) fn of(&self, states: &[&State], steps: &[Step]) -> (Vec<Commitment>, Vec<Bar>) {
        let mut commitments: Vec<Commitment> = Vec::new();
        let mut numbers: FxHashMap<String, usize> = FxHashMap::default();
        let mut number = |view: &CommitmentView| {
            *numbers.entry(view.text.clone()).or_insert_with(|| {
                let tag = view.name.clone().unwrap_or_default();
                let debtor = self.0.get(&view.text).copied();
                commitments.push(Commitment { tag, text: view.text.clone(), debtor });
                commitments.len() - 1
            })
        };
        let mut bars: Vec<Bar> = Vec::new();
        let mut open: FxHashMap<usize, usize> = FxHashMap::default();
        for (moment, state) in states.iter().enumerate() {
            let step = moment.checked_sub(1).and_then(|step| steps.get(step));
            let acts = step.into_iter().flat_map(Step::acts);
            let acts: Vec<(ActKind, usize)> = acts.map(|act| (act.kind, number(&act.commitment))).collect();
            let present: Vec<usize> = state.view.in_force.iter().map(&mut number).collect();
            open.retain(|commitment, bar| {
                let stays = present.contains(commitment);
                if !stays {
                    bars[*bar].end = end(&acts, *commitment, moment);
                }
                stays
            });
            for commitment in present {
                open.entry(commitment).or_insert_with(|| {
                    bars.push(Bar { commitment, from: moment, end: End::InForce });
                    bars.len() - 1
                });
            }
        }
        name_the_others(&mut commitments);
        (commitments, bars)
    }
}

/// Short names for commitments that have none: `c1`, `c2` and so on, as far as nothing else is called so.
fn name_the_others(commitments: &mut [Commitment]) {
    let mut number = 0;
    for index in 0..commitments.len() {
        while commitments[index].tag.is_empty() {
            number += 1;
            let tag = format!("c{number}");
            if commitments.iter().all(|other| other.tag != tag) {
                commitments[index].tag = tag;
            }
        }
    }
}

/// How a commitment ended with the acts of a step.
fn end(acts: &[(ActKind, usize)], commitment: usize, moment: usize) -> End {
    let ended = |(act, _): &(ActKind, usize)| match act {
        ActKind::Satisfy => Some(End::Satisfied(moment)),
        ActKind::Violate => Some(End::Violated(moment)),
        ActKind::Withdraw => Some(End::Withdrawn(moment)),
        ActKind::Release => Some(End::Released(moment)),
        ActKind::Delegate | ActKind::Assign => Some(End::PassedOn(moment)),
        ActKind::Create
        | ActKind::Reactivate
        | ActKind::Accept
        | ActKind::Refuse
        | ActKind::Challenge
        | ActKind::Attack
        | ActKind::Defend
        | ActKind::Justify => None,
    };
    acts.iter().filter(|(_, on)| *on == commitment).find_map(ended).unwrap_or(End::Replaced(moment))
}

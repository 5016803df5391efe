//! Whether commands that are left out can go on for ever by themselves.
//!
//! In a run of the whole model the kept part may be passed over from some point on, if what is left out never ends. A slice must have
//! such runs where the model has them and nowhere else. What is left out falls into parts that have nothing to do with each other. Of
//! each it is found out whether it can always go on, from all of its states, or from none; a part that can sometimes is not left out for
//! a property that would notice.

use std::collections::{BTreeMap, BTreeSet};

use servanda_engine::{Deadlock, Halt, Limited, NoLimits};
use servanda_model::{Command, Expr, LabelId, Model, Places};
use servanda_space::Space;

use crate::cone::Cone;
use crate::cut::freeze;
use crate::slicer::Slicer;

/// So many states of a part are looked at.
const MOST_STATES: usize = 4096;

/// And so many steps between them.
const MOST_STEPS: usize = 1 << 16;

/// Among combinations of values the initial states are looked for until the budget has been asked so often: once every 4096 combinations.
const MOST_ASKED: u64 = 16;

/// A part of what is left out.
#[derive(Default)]
struct Part {
    commands: Vec<usize>,
    places: BTreeSet<u32>,
    initial: Vec<Expr>,
}

/// The label of a step that stands for what is left out, where that can always go on; `Some(None)` where it always ends. `None` where it
/// depends, or where that is not known.
pub(crate) fn goes_on(slicer: &Slicer<'_>, cone: &Cone) -> Option<Option<LabelId>> {
    let mut endless = None;
    for part in parts(slicer, cone) {
        let known = if part.is_closed(slicer, cone) { part.explored(slicer) } else { None };
        match known.or_else(|| part.ends(slicer).then_some(false)) {
            Some(true) => endless = endless.or(part.commands.first().map(|n| slicer.commands[*n].label)),
            Some(false) => {}
            // One that can always go on makes up for all others.
            None => match endless {
                Some(_) => {}
                None => return rest_goes_on(slicer, cone),
            },
        }
    }
    Some(endless)
}

/// The same where some part is not known: another one has to go on for ever.
fn rest_goes_on(slicer: &Slicer<'_>, cone: &Cone) -> Option<Option<LabelId>> {
    let endless = parts(slicer, cone)
        .into_iter()
        .find(|part| part.is_closed(slicer, cone) && part.explored(slicer) == Some(true))?;
    endless.commands.first().map(|number| Some(slicer.commands[*number].label))
}

/// What a command reads and writes.
fn touched(slicer: &Slicer<'_>, number: usize) -> (Vec<u32>, Vec<u32>) {
    let (places, command) = (Places::new(slicer.model), &slicer.commands[number]);
    let values = command.updates.iter().map(|(_, value)| value);
    let read = places.read_by(std::iter::once(&command.guard).chain(values));
    let changed = command.effect.add.iter().chain(&command.effect.remove);
    let changed = changed.filter_map(|id| places.of(&Expr::InForce(*id)));
    (read, command.updates.iter().map(|(to, _)| to.0).chain(changed).collect())
}

/// The parts of what is left out, each with all that it shares something with.
fn parts(slicer: &Slicer<'_>, cone: &Cone) -> Vec<Part> {
    let left_out = |places: Vec<u32>| places.into_iter().filter(|place| !cone.places[*place as usize]);
    let mut parts: Vec<Part> = Vec::new();
    let mut join = |new: Part| {
        let (apart, mut together): (Vec<Part>, Vec<Part>) =
            std::mem::take(&mut parts).into_iter().partition(|part| part.places.is_disjoint(&new.places));
        parts = apart;
        let mut all = new;
        for part in &mut together {
            all.commands.append(&mut part.commands);
            all.places.append(&mut part.places);
            all.initial.append(&mut part.initial);
        }
        parts.push(all);
    };
    for number in 0..slicer.commands.len() {
        if slicer.live[number] && !cone.commands[number] {
            let (read, written) = touched(slicer, number);
            let places = left_out(read).chain(left_out(written)).collect();
            join(Part { commands: vec![number], places, initial: Vec::new() });
        }
    }
    for (condition, read) in &slicer.initial {
        let places: BTreeSet<u32> = left_out(read.clone()).collect();
        if !places.is_empty() {
            join(Part { commands: Vec::new(), places, initial: vec![condition.clone()] });
        }
    }
    parts.retain(|part| !part.commands.is_empty());
    parts.iter_mut().for_each(|part| part.commands.sort_unstable());
    parts
}

impl Part {
    /// Does it depend on itself alone?
    fn is_closed(&self, slicer: &Slicer<'_>, cone: &Cone) -> bool {
        let reads_kept = |number: &usize| cone.keeps_one_of(&touched(slicer, *number).0);
        let kept = (0..slicer.commands.len()).filter(|number| cone.commands[*number]);
        let mut written = kept.flat_map(|number| touched(slicer, number).1);
        !self.commands.iter().any(reads_kept) && !written.any(|place| self.places.contains(&place))
    }

    /// Can it go on for ever from all its reachable states, or from none? Found by visiting them.
    fn explored(&self, slicer: &Slicer<'_>) -> Option<bool> {
        let model = self.model(slicer);
        let space = visited(&model).ok().flatten()?;
        let steps: Vec<(usize, usize)> = (0..space.len())
            .flat_map(|from| space.steps(from as u32).iter().map(move |step| (from, step.target as usize)))
            .collect();
        if steps.len() > MOST_STEPS {
            return None;
        }
        let endless = endless_states(space.len(), &steps);
        match endless.iter().filter(|goes_on| **goes_on).count() {
            0 => Some(false),
            count if count == space.len() => Some(true),
            _ => None,
        }
    }

    /// The part as a model of its own.
    fn model(&self, slicer: &Slicer<'_>) -> Model {
        let mut model = Model::new("");
        model.variables = slicer.model.variables.clone();
        model.commitments = slicer.model.commitments.clone();
        model.labels = slicer.model.labels.clone();
        for (place, variable) in (0..).zip(&mut model.variables) {
            if !self.places.contains(&place) {
                freeze(variable);
            }
        }
        model.initial = Expr::and(self.initial.iter().cloned());
        let own = self.commands.iter().map(|n| Command { home: None, ..slicer.commands[*n].clone() });
        model.set_commands(own.collect());
        model
    }

    /// Does it end by its text alone? Every command of it moves some variable on, and no command moves that variable back.
    fn ends(&self, slicer: &Slicer<'_>) -> bool {
        let moves = |place: u32| self.forward_moves(slicer, place);
        let forward: BTreeMap<u32, bool> = self.places.iter().map(|place| (*place, moves(*place))).collect();
        self.commands.iter().all(|number| {
            let written = slicer.footprints[*number].writes.keys();
            written.into_iter().any(|place| forward.get(place) == Some(&true))
        })
    }

    /// Does no run come back to a value of a variable once it has been left?
    fn forward_moves(&self, slicer: &Slicer<'_>, place: u32) -> bool {
        let mut steps: Vec<(i64, i64)> = Vec::new();
        for number in &self.commands {
            let footprint = &slicer.footprints[*number];
            let Some(to) = footprint.writes.get(&place) else { continue };
            match (footprint.tests.get(&place), to) {
                (Some(from), Some(to)) => steps.push((*from, *to)),
                _ => return false,
            }
        }
        let values: BTreeSet<i64> = steps.iter().flat_map(|(from, to)| [*from, *to]).collect();
        let number: BTreeMap<i64, usize> = values.iter().zip(0..).map(|(value, n)| (*value, n)).collect();
        let steps: Vec<(usize, usize)> = steps.iter().map(|(from, to)| (number[from], number[to])).collect();
        endless_states(values.len(), &steps).iter().all(|goes_on| !goes_on)
    }
}

/// All states of a model and the steps between them; nothing where there are too many.
fn visited(model: &Model) -> Result<Option<Space<'_>>, Halt> {
    let few = || Limited::new(&NoLimits).space(MOST_STATES as u64, MOST_STEPS as u64);
    let mut space = Space::new(model, Deadlock::Strict, &few().reports(MOST_ASKED))?;
    let all = space.explore_up_to(MOST_STATES, &few())?;
    Ok(all.then_some(space))
}

/// By state: does an infinite path begin there? States without a step are taken away until none is left.
fn endless_states(states: usize, steps: &[(usize, usize)]) -> Vec<bool> {
    let mut ways = vec![0_usize; states];
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); states];
    for (from, to) in steps {
        ways[*from] += 1;
        before[*to].push(*from);
    }
    let mut endless = vec![true; states];
    let mut ends: Vec<usize> = (0..states).filter(|state| ways[*state] == 0).collect();
    while let Some(state) = ends.pop() {
        endless[state] = false;
        for from in std::mem::take(&mut before[state]) {
            ways[from] -= 1;
            if ways[from] == 0 {
                ends.push(from);
            }
        }
    }
    endless
}

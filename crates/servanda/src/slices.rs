//! Properties decided in slices of the model: what they cannot depend on is left out.
//!
//! A slice has its own, smaller space, and engines work on it as on any model. What is said about the model as a whole, its size and what
//! is suspicious about it, is found out from the whole.

use servanda_engine::{Budget, Savings};
use servanda_lower::{Lowering, MaybeLowering};
use servanda_model::{CommandId, Layout, Model};
use servanda_report::{Phase, SliceReport};
use servanda_slice::{Projection, Slice, Slicer, grouped};
use servanda_witness::{Checker, Decided, Failure, Shown, Slicing};

use crate::engine::{
    self, Answer, CLUSTER, ENUMERATE, EngineChoice, FEW_STATES, Look, Outcome, Plan, Ready, Setup, Task,
    Visits, Worked,
};
use crate::{EngineOptions, Question, Watch};

/// Diagrams for each of so many slices may be kept side by side where others would do: each has a thread with a gigabyte of addresses.
const FEW_PARTS: usize = 3;

/// A slice, and the questions that are asked of it.
pub(crate) struct Part {
    slice: Slice,
    projection: Projection,
    questions: Vec<usize>,
}

/// What was found out in slices.
pub(crate) struct Sliced<'m> {
    /// By question, the answers.
    pub(crate) answers: Vec<Option<Answer>>,
    /// By slice, the engines that worked on it.
    pub(crate) engines: Vec<Vec<Ready<'m>>>,
    /// The whole model as far as it was looked at before.
    look: Option<Look<'m>>,
    /// Who has decided a slice before anybody else.
    led: Option<&'static str>,
    pub(crate) phase: Phase,
}

/// The slices, and what was found out in them.
pub(crate) type Slices<'e, 'm> = (&'e [Part], &'e mut Option<Sliced<'m>>);

/// The slices of a model that are worth it.
pub(crate) fn cut(
    lowered: &MaybeLowering<'_>,
    questions: &[Question],
    setup: Setup<'_>,
    chosen: EngineOptions,
    budget: &dyn Budget,
) -> Vec<Part> {
    let Ok(lowering) = lowered else { return Vec::new() };
    let model = lowering.model;
    let reference = chosen.engine == EngineChoice::Only(ENUMERATE);
    if reference || chosen.unreduced || chosen.bound.is_some() || questions.is_empty() || is_small(model) {
        return Vec::new();
    }
    // Each worker of the cluster reads formulas for itself.
    let slicer = match chosen.engine {
        EngineChoice::Only(CLUSTER) => Slicer::reading_each(model, budget),
        _ => Slicer::new(model, budget),
    };
    let Some(slicer) = slicer else { return Vec::new() };
    let mut lowering = slicer.formulas(lowering);
    let cones = questions.iter().map(|question| {
        if question.property.refused.is_some() {
            return None;
        }
        let property = lowering.property(&question.property.formula).ok()?;
        slicer.cone(&mut lowering, property, setup.readings)
    });
    let groups = grouped(model, cones.collect());
    let whole = Layout::new(model);
    let part = |group: servanda_slice::Group| {
        let slice = slicer.cut(&group.cone);
        let projection = slice.projection(&whole);
        Part { slice, projection, questions: group.properties }
    };
    groups.into_iter().map(part).collect()
}

/// Has a model so few states that nothing is gained? Diagrams of agents that act in rounds and have nothing to do with each other are small,
/// as long as there are not very many.
fn is_small(model: &Model) -> bool {
    let rounds = model.behaviour.is_rounds();
    model.typed_states().is_some_and(|states| rounds || states <= FEW_STATES)
}

/// Decides what can be decided in slices; `None` where there are none, or where the whole model turns out to be small or at fault. A look
/// at it that there has been, and has not found all states, is kept with the slices, or given back where there are none.
pub(crate) fn decide<'m>(
    plan: &Plan,
    setup: Setup<'m>,
    (parts, lowered): (&'m [Part], &'m [MaybeLowering<'m>]),
    questions: &[Question],
    look: Option<Look<'m>>,
    watch: Watch<'_>,
) -> (Option<Sliced<'m>>, Option<Look<'m>>) {
    if parts.is_empty() {
        return (None, look);
    }
    let look = match look.or_else(|| Look::new(plan, setup, watch)) {
        Some(look) if !look.is_all() => Some(look),
        _ => return (None, None),
    };
    let (mut answers, mut engines, mut led) = (vec![None; questions.len()], Vec::new(), None);
    let ((), seconds) = watch.timed(|| {
        let mut plan = Plan { parts: parts.len(), ..plan.clone() };
        for (part, lowered) in parts.iter().zip(lowered) {
            let skipped: Vec<bool> = (0..questions.len()).map(|n| !part.questions.contains(&n)).collect();
            let task = Task { questions, skipped: &skipped, whole: false };
            let outcome = engine::run(&plan, Setup { lowered, ..setup }, task, None, watch);
            if let Some(name) = only_engine(&outcome).filter(|_| parts.len() <= FEW_PARTS) {
                plan = plan.led_by(name);
                led = Some(name);
            }
            let names: Vec<&str> = outcome.answers.iter().flatten().map(|answer| answer.engine).collect();
            for (answer, known) in outcome.answers.into_iter().zip(&mut answers) {
                // What is wrong with the model is for the whole to say.
                let decided = |answer: &Answer| answer.verdict.decided().is_some() && answer.fault.is_none();
                *known = answer.filter(decided).or(known.take());
            }
            // Who was only there in case may or may not be there: what is found out later must not depend on it.
            let is_kept = |worked: &Worked<'_>| {
                engine::visits(worked.name) == Visits::Needed
                    || plan.members.len() == 1
                    || names.contains(&worked.name)
            };
            let worked = outcome.worked.into_iter().filter(is_kept);
            engines.push(worked.filter_map(|worked| worked.engine.ok()).collect());
        }
    });
    let phase = Phase { name: "deciding in slices", seconds };
    (Some(Sliced { answers, engines, look, led, phase }), None)
}

/// The engine that has given all answers, where it is one.
fn only_engine(outcome: &Outcome<'_>) -> Option<&'static str> {
    let mut names = outcome.answers.iter().flatten().map(|answer| answer.engine);
    let first = names.next()?;
    names.all(|name| name == first).then_some(first)
}

impl Part {
    /// The formulas of the whole model, for the slice.
    pub(crate) fn lowered<'s, 'm: 's>(&'s self, whole: &MaybeLowering<'m>) -> MaybeLowering<'s> {
        whole.as_ref().map(|whole| self.slice.formulas(whole)).map_err(Clone::clone)
    }

    /// What is said of it.
    pub(crate) fn report(&self, questions: &[Question], model: &Model) -> SliceReport {
        let left_out: Vec<_> = self.slice.left_out_variables().collect();
        let (commands, all_commands) = self.slice.left_out_commands();
        SliceReport {
            properties: self.questions.iter().map(|n| questions[*n].property.name.clone()).collect(),
            variables: left_out.iter().map(|id| model.variable(*id).name.clone()).collect(),
            all_variables: model.variables.len(),
            commitments: self.slice.left_out_commitments(),
            all_commitments: model.commitments.len(),
            commands,
            all_commands,
        }
    }
}

impl<'m> Sliced<'m> {
    /// Is everything answered?
    fn is_all(&self) -> bool {
        self.answers.iter().all(Option::is_some)
    }

    /// Which questions need not be asked again.
    fn skipped(&self) -> Vec<bool> {
        self.answers.iter().map(Option::is_some).collect()
    }

    /// The engines of all slices.
    pub(crate) fn all_engines(&mut self) -> impl Iterator<Item = &mut Ready<'m>> {
        self.engines.iter_mut().flatten()
    }

    /// What reductions have saved in slices.
    pub(crate) fn savings(&self) -> Option<Savings> {
        let all = self.engines.iter().flatten().filter_map(|engine| engine.savings());
        all.reduce(|mut all, more| {
            all += more;
            all
        })
    }

    /// Finds out from the whole model what is still open.
    pub(crate) fn complete(
        &mut self,
        plan: &Plan,
        setup: Setup<'m>,
        (questions, whole): (&[Question], bool),
        watch: Watch<'_>,
    ) -> Outcome<'m> {
        if self.is_all() && !whole {
            let worked = self.look.take().map(|look| look.into_worked(questions.len()));
            let (answers, worked) = (self.answers.clone(), worked.into_iter().collect());
            return Outcome { answers, disagreements: Vec::new(), worked, lead: plan.lead() };
        }
        let skipped = self.skipped();
        let plan = &self.led.map_or_else(|| plan.clone(), |name| plan.clone().led_by(name));
        let task = Task { questions, skipped: &skipped, whole };
        let mut outcome = engine::run(plan, setup, task, self.look.take(), watch);
        for (known, answer) in self.answers.iter().zip(&mut outcome.answers) {
            *answer = known.clone().or(answer.take());
        }
        outcome
    }
}

/// Slices with those who look for evidence in them.
pub(crate) struct Searchers<'m> {
    parts: Vec<(&'m Part, Checker<'m>)>,
}

impl<'m> Searchers<'m> {
    /// One for each slice; the engines go.
    pub(crate) fn new(
        (parts, lowered): (&'m [Part], &'m [MaybeLowering<'m>]),
        sliced: Option<Sliced<'m>>,
        checker: impl Fn(&Lowering<'m>, Vec<Ready<'m>>) -> Checker<'m>,
    ) -> Self {
        let engines = sliced.map(|sliced| sliced.engines).unwrap_or_default();
        let known = parts.iter().zip(lowered).zip(engines);
        let searcher = |((part, lowered), engines): ((&'m Part, &'m MaybeLowering<'m>), _)| {
            lowered.as_ref().ok().map(|lowering| (part, checker(lowering, engines)))
        };
        Searchers { parts: known.filter_map(searcher).collect() }
    }

    /// Looks for evidence for a question, in its slice if it has one.
    pub(crate) fn show(
        &mut self,
        question: usize,
        decided: Decided<'_>,
        whole: &mut Checker<'_>,
        watch: Watch<'_>,
    ) -> Result<Shown, Failure> {
        match self.parts.iter_mut().find(|(part, _)| part.questions.contains(&question)) {
            Some((part, searcher)) => whole.show_sliced((*part, searcher), decided, watch.budget),
            None => whole.show(decided, watch.budget),
        }
    }
}

impl Slicing for Part {
    fn project(&self, state: &[u64]) -> Vec<u64> {
        self.projection.of(state)
    }

    fn leaves_out(&self, command: CommandId) -> bool {
        self.slice.leaves_out(command)
    }

    fn actors(&self) -> &[bool] {
        self.slice.actors()
    }
}

/// The engines of the slice that a question was asked of.
pub(crate) fn engines_of<'e, 'm>(
    parts: &[Part],
    sliced: &'e mut Option<Sliced<'m>>,
    question: usize,
) -> Option<&'e mut Vec<Ready<'m>>> {
    let at = parts.iter().position(|part| part.questions.contains(&question))?;
    let sliced = sliced.as_mut()?;
    sliced.answers[question].as_ref()?;
    sliced.engines.get_mut(at)
}

//! Evidence for a verdict.

use servanda_engine::{Budget, Halt, Options, Validity};
use servanda_logic::Formula;
use servanda_lower::{Arena, IntoLowering, Lowering, StateFormula};
use servanda_model::{Model, Mover, StepKind};
use servanda_space::{Lent, Space};
use servanda_symbolic::Sets;

use crate::diagrams::Diagrams;
use crate::explain::{Explainer, Visible, visible};
use crate::on_the_fly::OnTheFly;
use crate::scout::Scout;
use crate::wording::Wording;
use crate::{Because, Checked, Evidence, EvidenceKind, Path, build};

/// A property with its verdict.
#[derive(Clone, Copy, Debug)]
pub struct Decided<'f> {
    /// The formula, ground.
    pub formula: &'f Formula,
    /// The formula as the user wrote it.
    pub text: &'f str,
    /// The verdict.
    pub verdict: bool,
}

/// What there is to show for a verdict.
#[derive(Clone, Debug)]
pub enum Shown {
    /// This.
    Evidence(Box<Evidence>),
    /// Nothing, and why.
    Nothing(String),
}

/// Why there is no evidence where there should be some.
#[derive(Clone, Debug)]
pub enum Failure {
    /// The search was stopped, or is too large.
    Halt(Halt),
    /// Something is wrong with the program: the evidence contradicts the model or the verdict.
    Internal(String),
}

impl From<Halt> for Failure {
    fn from(halt: Halt) -> Self {
        Failure::Halt(halt)
    }
}

/// Looks for evidence by visiting states one by one. It is not yet replayed. The search goes on with what is known of the space of
/// the model, which is begun where there is none.
pub fn generate<'m>(
    model: impl IntoLowering<'m>,
    space: &mut Lent<'m>,
    decided: Decided<'_>,
    options: Options,
    budget: &dyn Budget,
) -> Result<Shown, Failure> {
    let lowering = model.into_lowering(options.acts, options.deadlock).map_err(Halt::Invalid)?;
    if !space.is_here() {
        *space = Lent::new(Space::new(lowering.model, options.deadlock, budget)?);
    }
    let mut scout = OnTheFly::new(&lowering, space.take(), options, decided.formula, budget)?;
    let shown = generate_with(&mut scout, lowering.model, decided, options);
    *space = scout.evaluation.space;
    shown
}

/// Looks for evidence with the diagrams of the symbolic engine, so that only the states that are shown are visited. It is not yet
/// replayed.
pub fn generate_from_sets<'m>(
    model: &'m Model,
    sets: &mut Sets<'m>,
    decided: Decided<'_>,
    options: Options,
    budget: &dyn Budget,
) -> Result<Shown, Failure> {
    let mut scout = Diagrams::new(model, sets, options, decided.formula, budget)?;
    generate_with(&mut scout, model, decided, options)
}

/// Is there anything to show for a verdict? Told without a search: where it is not known whether there is a run at all, there is one.
///
/// # Errors
///
/// The formula has no meaning in the model.
pub fn can_be_shown(
    lowering: &mut Lowering<'_>,
    (formula, verdict): (&Formula, bool),
    options: Options,
) -> Result<bool, Halt> {
    let id = lowering.property(formula).map_err(Halt::Invalid)?;
    if options.recall.is_some() && lowering.needs_recall(id) {
        return Ok(false);
    }
    Ok(nothing_to_show(&lowering.arena, (id, verdict), lowering.model, options).is_none())
}

/// Why a verdict has nothing that shows it, if it has nothing.
fn nothing_to_show(
    arena: &Arena,
    literal: (StateFormula, bool),
    model: &Model,
    options: Options,
) -> Option<&'static str> {
    match (visible(arena, literal), literal.1) {
        (Visible::Nowhere, true) => Some("no single path shows it: it refers to all of them"),
        // Where it is looked at in several states, in which of them it fails is worth showing.
        (Visible::Nowhere, false)
            if options.validity == Validity::Initial && !begins_in_several_states(model) =>
        {
            Some("no single path shows it: there is none that would make it true")
        }
        (Visible::InState, true) => Some("the initial states show it"),
        _ => None,
    }
}

fn generate_with<S: Scout>(
    scout: &mut S,
    model: &Model,
    decided: Decided<'_>,
    options: Options,
) -> Result<Shown, Failure> {
    let property = scout.property();
    if let Some(reason) = nothing_to_show(scout.arena(), (property, decided.verdict), model, options) {
        return Ok(Shown::Nothing(reason.to_owned()));
    }
    let mut wording = Wording::new(model, decided.formula, |formula| scout.find(formula));
    wording.note_states(scout.arena());
    let mut explainer = Explainer { model, options, scout, wording, pieces: 0, claims: 0 };
    let Some(point) = explainer.where_to_look(decided.verdict)? else {
        return match decided.verdict {
            true => Ok(Shown::Nothing("there is no run".to_owned())),
            false => Err(Failure::Internal(format!(
                "`{}` was found to be false, but the search for evidence finds no point where it fails",
                decided.text
            ))),
        };
    };
    let mut claim = explainer.claim((property, decided.verdict), point, 0)?;
    if let Because::Everywhere(reason) = &mut claim.because {
        reason.push_str(&explainer.what_can_happen(point)?);
    }
    let start = match options.validity {
        Validity::Initial => Path::one(explainer.state(point)),
        Validity::Reachable => explainer.run(point)?,
    };
    let kind = if decided.verdict { EvidenceKind::Witness } else { EvidenceKind::Counterexample };
    let evidence = Evidence {
        kind,
        formula: decided.text.to_owned(),
        start,
        claim,
        checked: Checked::NotYet,
        agents: model.agents.iter().map(|agent| agent.name.clone()).collect(),
        commitments: model.view_named_commitments(),
        arena: explainer.scout.arena().clone(),
    };
    Ok(Shown::Evidence(Box::new(evidence)))
}

/// Has the model more than one initial state? Where that takes long to find out, it may have.
fn begins_in_several_states(model: &Model) -> bool {
    let mut looked = 0_u32;
    let mut go_on = || {
        looked += 1;
        if looked < MOST_LOOKS { Ok(()) } else { Err(()) }
    };
    let mut states = Mover::new(model).initial_states();
    let first = states.try_next(&mut go_on).and_then(|first| match first {
        None => Ok(None),
        Some(_) => states.try_next(&mut go_on),
    });
    first.is_ok_and(|second| second.is_some()) || looked >= MOST_LOOKS
}

/// So much is looked at to find a second initial state.
const MOST_LOOKS: u32 = 100_000;

/// So many labels say enough of what can happen.
const MOST_LABELS: usize = 8;

/// What can happen in a state, in words that follow others.
pub(crate) fn what_can_happen(mut labels: Vec<String>) -> String {
    let more = if labels.len() > MOST_LABELS { ", ..." } else { "" };
    labels.truncate(MOST_LABELS);
    match labels.as_slice() {
        [] => "; nothing can happen here".to_owned(),
        labels => format!("; what can happen here: {}{more}", labels.join(", ")),
    }
}

/// The labels of the moves of a state, each once; `None` where a move cannot be made.
pub(crate) fn labels_of_moves(mut mover: Mover<'_>, model: &Model, state: &[u64]) -> Option<Vec<String>> {
    let mut labels = Vec::new();
    let moved = mover.for_each(state, |cause, _| add_label(&mut labels, model, build::kind(model, cause).1));
    moved.ok().map(|()| labels)
}

fn add_label(labels: &mut Vec<String>, model: &Model, kind: StepKind) {
    let label = build::step(model, kind).label;
    if !label.is_empty() && !labels.contains(&label) {
        labels.push(label);
    }
}

impl<S: Scout> Explainer<'_, '_, S> {
    /// What can happen at a point, in words that follow others.
    fn what_can_happen(&mut self, point: S::Point) -> Result<String, Failure> {
        let mut labels: Vec<String> = Vec::new();
        for departure in self.scout.moves(point)? {
            add_label(&mut labels, self.model, departure.kind);
        }
        Ok(what_can_happen(labels))
    }

    /// The point where the property is looked at: one where it fails, or where a run begins.
    fn where_to_look(&mut self, verdict: bool) -> Result<Option<S::Point>, Failure> {
        if !verdict && self.options.validity == Validity::Reachable {
            return Ok(self.scout.failing()?);
        }
        match self.scout.start(verdict)? {
            Some((_, holds)) if holds != verdict => Err(Failure::Internal(
                "the property was found to be true, but the search for evidence finds it false".to_owned(),
            )),
            found => Ok(found.map(|(point, _)| point)),
        }
    }
}

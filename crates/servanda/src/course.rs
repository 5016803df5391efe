//! Whether a scenario happens on a given run.

use servanda_engine::Deadlock;
use servanda_lower::{Action, Lowering, Path, PathFormula};
use servanda_model::{LabelId, ScenarioStep, StepKind};

use crate::Loaded;

/// A scenario in the labels of its model.
pub struct Course {
    /// The labels that a step may have; `None`: any number of steps of any kind.
    steps: Vec<Option<Vec<LabelId>>>,
}

impl Course {
    /// The scenarios of a model, each after its name.
    pub fn all(loaded: &Loaded) -> Vec<(String, Course)> {
        let Ok(mut lowering) = Lowering::new(loaded.model(), None, Deadlock::Loop) else { return Vec::new() };
        let mut course = |steps: &[ScenarioStep]| {
            let step = |step: &ScenarioStep| match step {
                ScenarioStep::Anything => Some(None),
                ScenarioStep::Step(does) => {
                    let path = lowering.path(does).ok()?;
                    labels(&lowering, path).map(Some)
                }
            };
            Some(Course { steps: steps.iter().map(step).collect::<Option<_>>()? })
        };
        let scenarios = loaded.properties().iter().filter_map(|property| {
            Some((property.name.clone(), course(&property.scenario.as_ref()?.steps)?))
        });
        scenarios.collect()
    }

    /// Does a run begin with it?
    pub fn happens(&self, run: &[StepKind]) -> bool {
        let end = self.steps.len();
        let mut reached = vec![false; end + 1];
        reached[0] = true;
        self.skip(&mut reached);
        for kind in run {
            if reached[end] {
                return true;
            }
            let mut next = vec![false; end + 1];
            for at in (0..end).filter(|at| reached[*at]) {
                match &self.steps[at] {
                    None => next[at] = true,
                    Some(labels) => {
                        next[at + 1] |= matches!(kind, StepKind::Labelled(label) if labels.contains(label));
                    }
                }
            }
            self.skip(&mut next);
            reached = next;
        }
        reached[end]
    }

    /// Any number of steps may be none.
    fn skip(&self, reached: &mut [bool]) {
        for at in 0..self.steps.len() {
            reached[at + 1] |= reached[at] && self.steps[at].is_none();
        }
    }
}

/// The labels that an action formula is true of.
fn labels(lowering: &Lowering<'_>, path: PathFormula) -> Option<Vec<LabelId>> {
    match *lowering.arena.path(path) {
        Path::Action(Action::Does(set)) => Some(lowering.arena.labels(set).to_vec()),
        Path::Or(one, other) => Some([labels(lowering, one)?, labels(lowering, other)?].concat()),
        _ => None,
    }
}

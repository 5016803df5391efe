//! Evidence found with decision diagrams against evidence found one state after the other: as much is shown, every piece of it stands
//! up to being replayed and decided again, and paths are as short.

use std::cell::RefCell;

use servanda_engine::{Budget, Halt, Options};
use servanda_model::{Model, Property};
use servanda_symbolic::{Sets, Symbolic};
use servanda_testkit::{Limits, RandomModel, Trials, Tried};
use servanda_witness::{
    Because, Checker, Claim, Decided, Evidence, Failure, Shown, generate, generate_from_sets, only_path,
};

use crate::common::{decided, is_whole};

const NODES: usize = 1 << 18;

/// How the two fared.
#[derive(Clone, Copy, Debug, Default)]
struct Compared {
    shown: u64,
    /// Formulas with linear past or uniform strategies, which diagrams do not show.
    refused: u64,
    finite: u64,
    loops: u64,
    /// Loops that are as short as the others; the way to them always is.
    loops_as_short: u64,
    runs: u64,
    /// What one of them shows in part only.
    in_part: u64,
}

/// What a run remembers is no part of its states, and uniform strategies are not sets of states; the other search may come to its answer
/// without either.
fn is_beyond_diagrams(reason: &str) -> bool {
    ["remembers", "past", "uniform strategies"].iter().any(|word| reason.contains(word))
}

/// The run to the point that is taken for this one.
fn doubted(claim: &Claim) -> Option<usize> {
    match &claim.because {
        Because::CannotTell(doubt) if doubt.steps.len() == 1 => Some(doubt.steps[0].run.steps.len()),
        _ => None,
    }
}

impl Compared {
    fn evidence(&mut self, one: &Evidence, other: &Evidence) -> Result<(), String> {
        self.shown += 1;
        if one.start.steps.len() != other.start.steps.len() {
            return Err("the runs to where the property fails differ in length".to_owned());
        }
        if !is_whole(&one.claim) || !is_whole(&other.claim) {
            self.in_part += 1;
        }
        // Where they begin in different states they may differ in everything.
        if one.start.states.last() != other.start.states.last() {
            return Ok(());
        }
        if let (Some(a), Some(b)) = (doubted(&one.claim), doubted(&other.claim)) {
            self.runs += 1;
            if a != b {
                return Err(format!("a run of {a} steps and one of {b}"));
            }
        }
        let (Some(a), Some(b)) = (only_path(&one.claim), only_path(&other.claim)) else { return Ok(()) };
        if a.text != b.text {
            return Ok(());
        }
        let (a, b) = (&a.path, &b.path);
        match (a.loop_to, b.loop_to) {
            (None, None) if a.steps.len() == b.steps.len() => self.finite += 1,
            // A loop may be entered sooner when its end is the way to it.
            (Some(_), Some(_)) => {
                self.loops += 1;
                self.loops_as_short += u64::from(b.steps.len() <= a.steps.len());
            }
            _ => {
                let shape = |path: &servanda_witness::Path| (path.steps.len(), path.loop_to);
                return Err(format!("paths of different lengths: {:?} and {:?}", shape(a), shape(b)));
            }
        }
        Ok(())
    }

    fn property(
        &mut self,
        (model, options): (&Model, Options),
        checker: &mut Checker<'_>,
        decided: Decided<'_>,
        budget: &dyn Budget,
    ) -> Result<(), String> {
        let one = match generate(model, &mut Default::default(), decided, options, budget) {
            Ok(Shown::Evidence(one)) => one,
            Ok(Shown::Nothing(_)) | Err(Failure::Halt(_)) => return Ok(()),
            Err(failure) => return Err(format!("{failure:?}")),
        };
        let symbolic = match Symbolic::new(model, options, NODES, budget) {
            Ok(symbolic) => symbolic,
            Err(Halt::Stopped { .. } | Halt::TooLarge(_)) => return Ok(()),
            Err(halt) => return Err(format!("{halt:?}")),
        };
        let mut sets = Sets::new(symbolic).ok_or("an engine that has decided nothing remembers something")?;
        let mut other = match generate_from_sets(model, &mut sets, decided, options, budget) {
            Ok(Shown::Evidence(other)) => other,
            Err(Failure::Halt(Halt::TooLarge(reason))) if is_beyond_diagrams(&reason) => {
                self.refused += 1;
                return Ok(());
            }
            Err(Failure::Halt(Halt::Stopped { .. })) => return Ok(()),
            other => return Err(format!("one state after the other shows something, diagrams {other:?}")),
        };
        let checked = checker.check(&mut other, decided.formula, budget);
        checked.map_err(|failure| format!("{failure:?}"))?;
        self.evidence(&one, &other)
    }

    fn model(
        &mut self,
        model: &Model,
        properties: &[Property],
        options: Options,
        budget: &dyn Budget,
    ) -> Result<(), String> {
        let mut checker = Checker::new(model, options);
        for (property, verdict) in decided(model, properties, options, budget)? {
            let decided = Decided { formula: &property.formula, text: &property.text, verdict };
            self.property((model, options), &mut checker, decided, budget)
                .map_err(|wrong| format!("`{}` is {verdict}: {wrong}", property.text))?;
        }
        Ok(())
    }

    fn case(&mut self, case: &RandomModel) -> Result<(), String> {
        let found = self.model(&case.model, &case.properties, case.options, &Limits::default());
        found.map_err(|wrong| format!("{wrong}\n{}\nwith {:?}", case.text, case.options))
    }

    fn judge(&self) {
        assert!(self.shown > 2 * self.refused, "much is refused: {self:?}");
        assert!(self.in_part * 10 < self.shown, "much is not shown: {self:?}");
        assert!(self.finite > 0 && self.loops > 0 && self.runs > 0, "{self:?}");
        // Of several ways to a loop that are as short, one may happen to be the end of the loop, and the path is then shorter.
        assert!(self.loops_as_short * 10 >= self.loops * 9, "{self:?}");
    }
}

#[test]
fn diagrams_show_as_much_of_random_protocols() {
    let compared = RefCell::new(Compared::default());
    Trials::from_environment(300).on_protocols(|case| {
        compared.borrow_mut().case(case)?;
        Ok(Tried::Holds)
    });
    compared.into_inner().judge();
}

#[test]
fn diagrams_show_as_much_with_fairness_of_steps() {
    let compared = RefCell::new(Compared::default());
    Trials::from_environment(200).on_fair_protocols(|case| {
        compared.borrow_mut().case(case)?;
        Ok(Tried::Holds)
    });
    // No path may end, so the past is asked of longer ones, and refused more often.
    let compared = compared.into_inner();
    assert!(compared.shown > compared.refused && compared.loops > 50 && compared.finite == 0, "{compared:?}");
    assert!(compared.loops_as_short * 10 >= compared.loops * 9, "{compared:?}");
}

#[test]
fn diagrams_show_as_much_of_random_ispl_models() {
    let mut compared = Compared::default();
    for case in Trials::from_environment(300).ispl_models() {
        compared.case(&case).unwrap_or_else(|wrong| panic!("{wrong}"));
    }
    compared.judge();
}

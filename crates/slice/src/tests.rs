//! With slices and without, by all engines, on random models to which parts were added that may or may not matter: no difference. Without
//! one of the conditions: differences.

mod decorate;
mod evidence;

use std::cell::RefCell;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::panic::{AssertUnwindSafe, catch_unwind};

use servanda_engine::{Halt, NoLimits, Options, Past, Verdict};
use servanda_enumerate::Explored;
use servanda_logic::Formula;
use servanda_lower::Lowering;
use servanda_model::Model;
use servanda_sat::{Sat, SatOptions};
use servanda_symbolic::Symbolic;
use servanda_tableau::Tableau;
use servanda_testkit::random::Dice;
use servanda_testkit::{Limits, RandomModel, Trials, Tried};

use crate::slicer::{Flaw, Reading};
use crate::{Cone, Slicer, Style};

/// What was seen on random models.
#[derive(Default)]
struct Seen {
    asked: u64,
    sliced: u64,
    /// Slices without commands that the model has, for properties that would notice whether these go on.
    even: u64,
    faults: u64,
    /// Slices of models in which variables are always equal.
    equal: u64,
    shown: u64,
    differences: Vec<String>,
}

/// Which engines are asked about slices.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    Reference,
    Everybody,
    /// And for evidence, which must be that of the whole.
    Evidence,
}

struct Comparison {
    flaws: Option<Flaw>,
    asked: Asked,
    seen: RefCell<Seen>,
}

const LIMITS: Limits = Limits { states: 3000, nodes: 1 << 16 };

/// What an engine says, where it says anything.
fn said(decided: Result<Verdict, Halt>) -> Option<Result<bool, ()>> {
    match decided {
        Ok(verdict) => verdict.decided().map(Ok),
        Err(Halt::Fault(_)) => Some(Err(())),
        Err(_) => None,
    }
}

fn reference(lowering: &Lowering<'_>, formula: &Formula, options: Options) -> Option<Result<bool, ()>> {
    said(Explored::new(lowering, options, &LIMITS).and_then(|mut engine| engine.decide(formula, &LIMITS)))
}

impl Comparison {
    fn new(flaws: Option<Flaw>, asked: Asked) -> Self {
        Comparison { flaws, asked, seen: RefCell::default() }
    }

    fn case(&self, case: &RandomModel) {
        let mut hasher = DefaultHasher::new();
        case.text.hash(&mut hasher);
        let mut dice = Dice::new(hasher.finish());
        let (mut model, options) = (case.model.clone(), case.options);
        let mut formulas: Vec<Formula> = case.properties.iter().map(|p| p.formula.clone()).collect();
        decorate::add_twins(&mut model, &mut dice);
        formulas.extend((0..3).map(|_| decorate::formula(&model, &mut dice)));
        // Where the reference looks at all type-correct states, counters would make too many of them.
        decorate::decorate(&mut model, &mut dice, options.past == Past::Reachable);
        formulas.push(decorate::formula(&model, &mut dice));
        let Ok(whole) = Lowering::new(&model, None, options.deadlock) else { return };
        let Some(slicer) = Slicer::made(&model, Reading::First, self.flaws, &NoLimits) else { return };
        let mut lowering = slicer.formulas(&whole);
        for formula in &formulas {
            let Ok(property) = lowering.property(formula) else { continue };
            self.seen.borrow_mut().asked += 1;
            let Some(cone) = slicer.cone(&mut lowering, property, options) else { continue };
            self.compare((&whole, &slicer, &cone), formula, options, &case.text);
        }
    }

    fn compare(
        &self,
        (lowering, slicer, cone): (&Lowering<'_>, &Slicer<'_>, &Cone),
        formula: &Formula,
        options: Options,
        text: &str,
    ) {
        let Some(expected) = reference(lowering, formula, options) else { return };
        let slice = slicer.cut(cone);
        let own = slice.formulas(lowering);
        let mut seen = self.seen.borrow_mut();
        seen.sliced += 1;
        seen.even += u64::from(cone.style == Style::Even && slice.left_out_commands().0 > 0);
        seen.faults += u64::from(expected.is_err());
        seen.equal += u64::from(slicer.firsts.is_some());
        let mut found = vec![("enumerate", reference(&own, formula, options))];
        if self.asked == Asked::Everybody {
            let tableau = Tableau::new(&own, options, 1, &LIMITS);
            found.push(("tableau", said(tableau.and_then(|mut e| e.decide(formula, &LIMITS)))));
            let symbolic = Symbolic::new(&own, options, 1 << 16, &LIMITS);
            found.push(("bdd", said(symbolic.and_then(|mut e| e.decide(formula, &LIMITS)))));
            let calls = Limits { states: u64::MAX, nodes: 2000 };
            let sat = Sat::new(&own, options, SatOptions::default(), &calls);
            found.push(("sat", said(sat.and_then(|mut e| e.decide(formula, &calls)))));
        }
        if let (Asked::Evidence, Ok(verdict)) = (self.asked, expected) {
            match evidence::shown((lowering, &own), &slice, (formula, verdict), options) {
                Ok(shown) => seen.shown += u64::from(shown),
                Err(wrong) => seen.differences.push(format!("{wrong}\n{text}\n{formula}\n{cone:?}")),
            }
        }
        for (engine, said) in found {
            // Who looks only as far as it must need not see a fault that is somewhere else.
            let looks_at_all = engine == "enumerate";
            let differs = said.is_some_and(|said| said != expected && (looks_at_all || expected.is_ok()));
            if differs {
                let Model { behaviour, fairness, .. } = lowering.model;
                seen.differences.push(format!(
                    "{engine} says {said:?} of a slice and enumerate {expected:?} of the whole of\n{text}\n\
                     {formula}\n{cone:?}\n{options:?}\n{behaviour:#?}\n{fairness:?}"
                ));
            }
        }
    }

    /// Tries models of all kinds, so many of each, until there is a difference.
    fn run(&self, trials: Trials) {
        let tried = |case: &RandomModel| {
            if self.seen.borrow().differences.is_empty() {
                self.case(case);
            }
            Ok(Tried::Holds)
        };
        trials.on_protocols(tried);
        trials.on_fair_protocols(tried);
        trials.on_talks(tried);
        for case in trials.ispl_models() {
            let _ = tried(&case);
        }
    }
}

/// What is seen on models of all kinds, so many of each: no difference.
fn seen(asked: Asked, cases: u32) -> Seen {
    let comparison = Comparison::new(None, asked);
    comparison.run(Trials::from_environment(cases));
    let seen = comparison.seen.into_inner();
    if let Some(difference) = seen.differences.first() {
        panic!("{difference}");
    }
    seen
}

#[test]
fn nothing_changes_on_random_models() {
    let seen = seen(Asked::Reference, 500);
    // Otherwise little was tested.
    assert!(seen.sliced * 4 > seen.asked, "{} of {} sliced", seen.sliced, seen.asked);
    assert!(seen.equal > 100, "{} of {} with equal variables", seen.equal, seen.sliced);
    assert!(seen.even > 100 && seen.faults > 15, "{} even, {} faults", seen.even, seen.faults);
}

#[test]
fn all_engines_agree_on_slices() {
    let seen = seen(Asked::Everybody, 100);
    assert!(seen.sliced * 4 > seen.asked, "{} of {} sliced", seen.sliced, seen.asked);
}

#[test]
fn evidence_found_in_slices_is_evidence_of_the_whole() {
    let seen = seen(Asked::Evidence, 150);
    assert!(seen.shown * 4 > seen.sliced, "{} of {} shown", seen.shown, seen.sliced);
}

/// Without one of these conditions there are differences.
fn are_noticed(flaws: &[Flaw]) {
    for flaw in flaws {
        let comparison = Comparison::new(Some(*flaw), Asked::Reference);
        let trials = Trials::from_environment(100);
        let found = (0..12).any(|more| {
            let run = || comparison.run(Trials { seed: trials.seed + more, ..trials });
            // A wrong slice may do what the model cannot do, such as leave the range of a number where nobody expects it.
            catch_unwind(AssertUnwindSafe(run)).is_err() || !comparison.seen.borrow().differences.is_empty()
        });
        assert!(found, "{flaw:?} is not noticed in {} formulas", comparison.seen.borrow().sliced);
    }
}

#[test]
fn every_condition_is_needed() {
    are_noticed(&[
        Flaw::FairnessForgotten,
        Flaw::KnowledgeForgotten,
        Flaw::BlockingForgotten,
        Flaw::EndlessForgotten,
        Flaw::FaultsForgotten,
        Flaw::InitialForgotten,
        Flaw::AnyFormula,
    ]);
}

#[test]
fn what_sums_say_has_to_be_right() {
    are_noticed(&[Flaw::ImpliedUnchecked, Flaw::SumsIncomplete]);
}

#[test]
fn what_begins_alike_has_to_be_changed_alike() {
    are_noticed(&[Flaw::ChangesForgotten]);
}

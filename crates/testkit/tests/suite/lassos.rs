//! Path quantifiers against single paths.
//!
//! Every short lasso of a model is judged by a direct reading of the semantics. One that satisfies ψ proves `E ψ`,
//! one that does not refutes `A ψ`; and most of the time a true `E ψ` or a false `A ψ` has a short lasso to show
//! for it.

use std::cell::Cell;

use proptest::prelude::*;
use servanda_engine::{NoLimits, Options};
use servanda_enumerate::Explored;
use servanda_logic::{Features, Unary, parse_formula};
use servanda_testkit::random::{Names, path_formulas, protocols};
use servanda_testkit::{Limits, Trials, Tried, Walks, load, make_a_label_tick, with_bounds};

#[test]
fn quantified_path_formulas_agree_with_the_paths() {
    agree(false);
}

#[test]
fn quantified_path_formulas_that_count_ticks_agree_with_the_paths() {
    agree(true);
}

/// Decides formulas, in some of which ticks are counted, and looks at single paths.
fn agree(ticking: bool) {
    let linear = Features::FUTURE | Features::LINEAR_PAST | Features::DOES | Features::ACTS;
    let outlines = protocols(linear.without(Features::ACTS))
        .prop_map(|outline| outline.without_fairness().with_one_initial_state());
    let (shown, claimed) = (Cell::new(0_u32), Cell::new(0_u32));
    Trials::from_environment(1500).run(&(outlines, path_formulas(linear)), |(outline, sketch)| {
        let text = outline.text();
        let mut protocol = load(&text);
        let mut written = Names::new(outline).formula(sketch);
        if ticking {
            make_a_label_tick(&mut protocol.model, text.len());
            written = with_bounds(&parse_formula(&written).expect("a formula"), text.len()).to_string();
        }
        let exists = protocol.formula(&format!("E ({written})")).expect("a property");
        let for_all = protocol.formula(&format!("A ({written})")).expect("a property");
        let servanda_logic::Kind::Unary(Unary::Exists, psi) = exists.kind() else {
            return Err(format!("E ({written}) is not read as a quantifier"));
        };
        let Some(walks) = Walks::new(&protocol.model, 200) else { return Ok(Tried::Skipped) };
        let Ok(mut explored) = Explored::new(&protocol.model, Options::default(), &NoLimits) else {
            return Err(format!("cannot be explored:\n{text}"));
        };
        let mut decide =
            |formula| explored.decide(formula, &Limits::default()).ok().and_then(|v| v.decided());
        let (Some(exists), Some(for_all)) = (decide(&exists), decide(&for_all)) else {
            return Ok(Tried::Skipped);
        };
        let (mut satisfied, mut violated) = (false, false);
        for lasso in walks.lassos(walks.initial()[0], 6, 400) {
            let Some(holds) = lasso.satisfies(&protocol.model, psi) else { return Ok(Tried::Skipped) };
            let labels: Vec<_> =
                lasso.positions.iter().map(|p| format!("{} {:?}", p.state, p.label)).collect();
            if holds && !exists {
                return Err(format!(
                    "E ({written}) is false, but there is {labels:#?} back to {} in\n{text}",
                    lasso.back
                ));
            }
            if !holds && for_all {
                return Err(format!(
                    "A ({written}) is true, but there is {labels:#?} back to {} in\n{text}",
                    lasso.back
                ));
            }
            satisfied |= holds;
            violated |= !holds;
        }
        claimed.set(claimed.get() + u32::from(exists) + u32::from(!for_all));
        shown.set(shown.get() + u32::from(satisfied) + u32::from(violated));
        Ok(Tried::Holds)
    });
    let (shown, claimed) = (shown.get(), claimed.get());
    assert!(shown * 100 >= claimed * 95, "only {shown} of {claimed} claims are shown by a lasso");
}

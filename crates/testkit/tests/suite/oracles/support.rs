//! Where a formula holds, state by state.

use servanda_engine::{Options, Validity, Verdict};
use servanda_enumerate::{Explored, Halt};
use servanda_logic::{Features, Formula};
use servanda_model::{CommitmentView, Model, Visibility};
use servanda_pact::Protocol;
use servanda_testkit::lasso::holds_in;
use servanda_testkit::random::{Names, Outline, Sketch};
use servanda_testkit::{Limits, Tried, Walks};

/// Contents that need no deep search.
pub(crate) const CONTENTS: Features = Features::FUTURE;

/// The most states of a model.
pub(crate) const MOST_STATES: usize = 40;

/// Where a condition holds.
pub(crate) fn truth(walks: &Walks<'_>, condition: &Formula) -> Vec<bool> {
    (0..walks.len()).map(|state| holds_in(walks.state(state), condition).expect("a condition")).collect()
}

/// A condition written for a protocol, and where it holds.
pub(crate) fn condition(
    outline: &Outline,
    protocol: &Protocol,
    walks: &Walks<'_>,
    condition: &Sketch,
) -> (String, Vec<bool>) {
    let written = format!("({})", Names::new(outline).formula(condition));
    let ground = protocol.formula(&written).expect("a condition");
    (written, truth(walks, &ground))
}

/// The engine must say of every formula that it holds exactly in the reachable states where it is expected to.
pub(crate) fn agrees(
    protocol: &Protocol,
    walks: &Walks<'_>,
    options: Options,
    limits: Limits,
    expected: &[(String, Vec<bool>)],
) -> Result<Tried, String> {
    let options = Options { validity: Validity::Reachable, ..options };
    let mut explored = Explored::new(&protocol.model, options, &limits).expect("a small model");
    let mut decided = false;
    for (formula, expected) in expected {
        let ground = protocol.formula(formula).map_err(|errors| format!("{formula}: {errors:?}"))?;
        for (state, wanted) in expected.iter().enumerate().take(walks.reachable()) {
            let only_here = walks.only_in(state);
            let lowering = explored.lowering_mut();
            let claim = lowering.property(&ground).expect("a property");
            let here = lowering.arena.proposition(only_here);
            let claim = if *wanted { claim } else { lowering.arena.not(claim) };
            let law = lowering.arena.implies(here, claim);
            match explored.decide_core(law, &limits) {
                Ok(Verdict::True) => decided = true,
                Ok(Verdict::False) => {
                    return Err(format!(
                        "{formula} should be {wanted} in {}\nwith {options:?}",
                        walks.state(state)
                    ));
                }
                Ok(Verdict::Unknown(_)) | Err(Halt::Stopped { .. } | Halt::TooLarge(_)) => break,
                Err(halt) => return Err(format!("{formula}: {halt:?}")),
            }
        }
    }
    Ok(if decided { Tried::Holds } else { Tried::Skipped })
}

/// Of what is in force, what the role sees.
pub(crate) fn seen_in_force<'s>(
    model: &Model,
    role: usize,
    in_force: &'s [CommitmentView],
) -> Vec<&'s CommitmentView> {
    let hidden = |shown: &CommitmentView| {
        model.private_commitments.iter().map(|id| model.commitment(*id)).any(|promise| {
            let is_party = [promise.debtor, promise.creditor].iter().any(|party| party.index() == role);
            !is_party && model.view_promise(promise) == *shown
        })
    };
    in_force.iter().filter(|shown| !hidden(shown)).collect()
}

/// Does the role see the variable?
pub(crate) fn observes(model: &Model, role: usize, name: &str) -> bool {
    let variable = model.find_variable(name).expect("a variable");
    match &model.variable(variable).visibility {
        Visibility::Public => true,
        Visibility::Private(owner) => owner.index() == role,
        Visibility::Shared(owners) => owners.iter().any(|owner| owner.index() == role),
    }
}

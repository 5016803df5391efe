//! What acts do to the commitments in force (section 4).

use std::collections::BTreeSet;

use servanda_logic::{ActKind, Features};
use servanda_model::{Label, Model, Promise};
use servanda_testkit::random::protocols;
use servanda_testkit::{Trials, Tried, Walks, load};

/// The table of section 4, with contents as they are printed. What a challenge creates is printed with `?`.
fn after(model: &Model, before: &BTreeSet<String>, label: &Label) -> BTreeSet<String> {
    let mut after = before.clone();
    let Label::Act(act) = label else { return after };
    let promise = &act.promise;
    let turned = Promise { debtor: promise.creditor, creditor: promise.debtor, ..promise.clone() };
    let with = |promise: &Promise, content: servanda_logic::Formula| {
        model.write_promise(&Promise { content, ..promise.clone() })
    };
    let content = || promise.content.clone();
    let support = || act.support.clone().expect("a support");
    let so = |left: servanda_logic::Formula, right| left.binary(servanda_logic::Binary::So, right);
    let accepted = with(&turned, content());
    let refused = with(&turned, content().negated());
    let challenged = with(&turned, content().unary(servanda_logic::Unary::Challenged));
    match act.kind {
        ActKind::Create | ActKind::Reactivate => {
            after.insert(with(promise, content()));
        }
        ActKind::Withdraw | ActKind::Satisfy | ActKind::Violate | ActKind::Release => {
            after.remove(&with(promise, content()));
        }
        ActKind::Accept | ActKind::Refuse | ActKind::Challenge => {
            for stance in [&accepted, &refused, &challenged] {
                after.remove(stance);
            }
            after.insert(match act.kind {
                ActKind::Accept => accepted,
                ActKind::Refuse => refused,
                _ => challenged,
            });
        }
        ActKind::Delegate => {
            after.remove(&with(promise, content()));
            let debtor = act.third.expect("a third party");
            after.insert(with(&Promise { debtor, ..promise.clone() }, content()));
        }
        ActKind::Assign => {
            after.remove(&with(promise, content()));
            let creditor = act.third.expect("a third party");
            after.insert(with(&Promise { creditor, ..promise.clone() }, content()));
        }
        ActKind::Attack => {
            after.insert(with(&turned, so(support(), content().negated())));
        }
        ActKind::Defend | ActKind::Justify => {
            after.insert(with(promise, so(support(), content())));
        }
    }
    after
}

#[test]
fn acts_change_what_is_in_force_as_the_table_says() {
    let contents =
        Features::FUTURE | Features::LINEAR_PAST | Features::DOES | Features::ACTS | Features::COMMITMENTS;
    Trials::from_environment(1000).run(&protocols(contents), |outline| {
        let text = outline.text();
        let protocol = load(&text);
        let model = &protocol.model;
        let Some(walks) = Walks::new(model, 200) else { return Ok(Tried::Skipped) };
        let in_force = |state: usize| {
            walks
                .state(state)
                .in_force
                .iter()
                .map(|promise| promise.text.clone())
                .collect::<BTreeSet<String>>()
        };
        if walks.initial().iter().any(|state| !in_force(*state).is_empty()) {
            return Err(format!("something is in force at the start of\n{text}"));
        }
        for state in 0..walks.len() {
            for (command, target) in walks.steps(state) {
                let label = model.label(model.command(*command).label);
                let (before, found) = (in_force(state), in_force(*target));
                let wanted = after(model, &before, label);
                if found != wanted {
                    return Err(format!(
                        "{label:?} turns {before:?}\ninto {found:?}\nnot {wanted:?} in\n{text}"
                    ));
                }
            }
        }
        Ok(Tried::Holds)
    });
}

//! Commitments and acts.

use proptest::prelude::*;
use servanda_engine::{Engine as _, Options, Verdict};
use servanda_logic::{ActKind, Features};
use servanda_lower::{CoreFormula, Lowering, PathFormula, State, StateFormula};
use servanda_model::{AgentId, Expr};
use servanda_testkit::random::{Names, Outline, Promise, path_formulas, protocols};
use servanda_testkit::{Limits, Trials, Tried, load};

use crate::laws::support::{
    Asked, CASES, FORWARD, TEMPORAL, contexts, everywhere, plain_protocols, same, valid,
};

const FEATURES: Features = FORWARD.with(Features::LINEAR_PAST);

#[test]
fn commitments_obey_their_axioms() {
    valid(plain_protocols(FEATURES), path_formulas(FEATURES), Options::default(), |scene| {
        let (i, j) = (scene.role(0), scene.role(1));
        let (a, b) = (scene.formula(0), scene.formula(1));
        let committed = |content: &str| format!("SC({i}, {j}, {content})");
        vec![
            format!("({} & {}) -> {}", committed(&a), committed(&format!("{a} -> {b}")), committed(&b)),
            format!("A {a} -> {}", committed(&a)),
            format!("{} -> {}", committed(&a), committed(&committed(&a))),
            format!("({} & {}) -> {}", committed(&a), committed(&format!("!{a}")), committed("false")),
            committed(&format!("{} -> {a}", committed(&a))),
        ]
    });
}

/// `A ((each commitment in force is kept) -> ψ)` with what is in force read as bits.
fn by_bits(
    lowering: &mut Lowering<'_>,
    (debtor, creditor): (AgentId, AgentId),
    limit: Option<usize>,
    body: PathFormula,
) -> StateFormula {
    let model = lowering.model;
    let mut kept = lowering.access(debtor, creditor);
    for (id, promise) in model.commitments() {
        let counts = limit.is_none_or(|limit| lowering.depth(id) < limit);
        if counts && (promise.debtor, promise.creditor) == (debtor, creditor) {
            let content = lowering.content(id);
            let bit = lowering.arena.proposition(Expr::InForce(id)).on_path(&mut lowering.arena);
            let one = lowering.arena.implies(bit, content);
            kept = lowering.arena.and(kept, one);
        }
    }
    let claim = lowering.arena.implies(kept, body);
    lowering.for_all(claim)
}

#[test]
fn a_commitment_is_a_quantifier_over_paths_that_keep_what_is_in_force() {
    let strategy = (plain_protocols(FEATURES), path_formulas(FEATURES));
    Trials::from_environment(2 * CASES).run(&strategy, |(outline, sketch)| {
        let text = outline.text();
        let protocol = load(&text);
        let written = Names::new(outline).formula(sketch);
        let Some(mut asked) = Asked::new(&protocol, everywhere()) else { return Ok(Tried::Skipped) };
        let property = protocol.formula(&format!("E ({written})")).expect("a formula");
        let servanda_logic::Kind::Unary(_, psi) = property.kind() else { return Err("no quantifier".into()) };
        let mut decided = false;
        for (debtor, creditor) in [(0, 1), (1, 0)] {
            let pair = (AgentId(debtor), AgentId(creditor));
            for limit in [None, Some(1), Some(2)] {
                let lowering = asked.explored.lowering_mut();
                let body = lowering.path(psi).expect("a path formula");
                let (debtor, creditor) = pair;
                let committed = lowering.arena.add_state(State::Committed { debtor, creditor, limit, body });
                let by_bits = by_bits(lowering, pair, limit, body);
                let law = lowering.arena.iff(committed, by_bits);
                match asked.explored.decide_core(law, &Limits::default()) {
                    Ok(Verdict::True) => decided = true,
                    Ok(Verdict::False) => {
                        return Err(format!("{pair:?} at depth {limit:?}: {written}\n{text}"));
                    }
                    _ => {}
                }
            }
        }
        Ok(if decided { Tried::Holds } else { Tried::Skipped })
    });
}

#[test]
fn an_access_guard_is_one_more_promise() {
    // Formulas without commitments inside, which would have to be rewritten as well.
    let features = TEMPORAL | Features::LINEAR_PAST;
    let outlines = protocols(Features::FUTURE | Features::DOES | Features::LINEAR_PAST)
        .prop_map(Outline::without_fairness)
        .prop_filter("no access guard", |outline| !outline.access.is_empty())
        .prop_map(|outline| (outline.clone(), outline.without_access()))
        .boxed();
    same(outlines, path_formulas(features), (Options::default(), Options::default()), |scene| {
        let names = &scene.names;
        let access = names.access(&scene.outline);
        let (debtor, creditor, _) = access[0];
        // Guards for the same pair narrow together.
        let guards: Vec<String> = access
            .iter()
            .filter(|(d, c, _)| (*d, *c) == (debtor, creditor))
            .map(|(_, _, guard)| format!("G ({})", names.labels(guard)))
            .collect();
        let guard = guards.join(" & ");
        let (i, j) = (&names.roles[debtor], &names.roles[creditor]);
        let psi = scene.formula(0);
        let with = contexts(&format!("SC({i}, {j}, {psi})"), "true");
        let without = contexts(&format!("SC({i}, {j}, ({guard}) -> {psi})"), "true");
        with.into_iter().zip(without).collect()
    });
}

#[test]
fn promises_are_unkeepable_where_their_debtor_is_committed_to_everything() {
    let outlines = plain_protocols(FEATURES).prop_map(Outline::without_access);
    Trials::from_environment(CASES).run(&outlines, |outline| {
        let text = outline.text();
        let protocol = load(&text);
        let Some(mut asked) = Asked::new(&protocol, everywhere()) else { return Ok(Tried::Skipped) };
        let Ok(unkeepable) = asked.explored.unkeepable(&Limits::default()) else { return Ok(Tried::Skipped) };
        let names = Names::new(outline);
        for debtor in &names.roles {
            for creditor in &names.roles {
                let found = unkeepable.iter().any(|u| (&u.debtor, &u.creditor) == (debtor, creditor));
                let never = asked.verdict(&format!("!SC({debtor}, {creditor}, false)"))?;
                if never == Some(found) {
                    return Err(format!("{debtor} to {creditor}: {found} but never {never:?}\n{text}"));
                }
            }
        }
        Ok(Tried::Holds)
    });
}

/// Protocols whose contents refer to no commitments and no acts.
fn with_flat_contents(reading: &'static str) -> BoxedStrategy<Outline> {
    let features = Features::FUTURE | Features::DOES | Features::LINEAR_PAST;
    protocols(features)
        .prop_filter("no commitments", |outline| !outline.commitments.is_empty())
        .prop_map(move |mut outline| {
            outline.reading = match reading {
                "scctl" => servanda_model::ActReading::Scctl,
                "ctlca" => servanda_model::ActReading::Ctlca,
                _ => servanda_model::ActReading::Actl,
            };
            outline.without_fairness()
        })
        .boxed()
}

/// An act on a promise, with any third party.
fn act(names: &Names, promise: &Promise, kind: ActKind) -> String {
    let actor = &names.roles[promise.actor(kind)];
    let support = if kind.has_support() { ", v0 = v0" } else { "" };
    let third = if kind.has_third() { ", _" } else { "" };
    format!("{}({actor}, {}{support}{third})", kind.short(), promise.name)
}

fn committed(names: &Names, promise: &Promise, content: &str) -> String {
    names.written_out(&Promise { content: content.to_owned(), ..promise.clone() })
}

fn turned(promise: &Promise) -> Promise {
    Promise { debtor: promise.creditor, creditor: promise.debtor, ..promise.clone() }
}

#[test]
fn acts_in_actl_are_labels_with_their_outcome() {
    valid(with_flat_contents("actl"), path_formulas(TEMPORAL), Options::default(), |scene| {
        let names = &scene.names;
        let mut laws = Vec::new();
        for promise in &names.promises {
            let content = &promise.content;
            let own = committed(names, promise, content);
            for (kind, outcome) in [
                (ActKind::Create, own.clone()),
                (ActKind::Reactivate, own.clone()),
                (ActKind::Withdraw, format!("!{own}")),
                (ActKind::Satisfy, format!("({content})")),
                (ActKind::Violate, format!("!({content})")),
                (ActKind::Accept, committed(names, &turned(promise), content)),
                (ActKind::Refuse, committed(names, &turned(promise), &format!("!({content})"))),
                (ActKind::Release, format!("!{own}")),
            ] {
                let act = act(names, promise, kind);
                laws.push(format!("A ({act} <-> (does({act}) & X {outcome}))"));
            }
            let parties = [promise.debtor, promise.creditor];
            for third in (0..names.roles.len()).filter(|role| !parties.contains(role)) {
                for (kind, passed_on) in [
                    (ActKind::Delegate, Promise { debtor: third, ..promise.clone() }),
                    (ActKind::Assign, Promise { creditor: third, ..promise.clone() }),
                ] {
                    let act = act(names, promise, kind).replace('_', &names.roles[third]);
                    let outcome = committed(names, &passed_on, content);
                    laws.push(format!("A ({act} <-> (does({act}) & X {outcome}))"));
                }
            }
        }
        laws
    });
}

#[test]
fn acts_that_put_something_in_force_succeed_in_actl() {
    // With contents that refer to no commitments, what was put in force holds.
    valid(with_flat_contents("actl"), path_formulas(TEMPORAL), Options::default(), |scene| {
        let names = &scene.names;
        let kinds = [
            ActKind::Create,
            ActKind::Reactivate,
            ActKind::Accept,
            ActKind::Refuse,
            ActKind::Challenge,
            ActKind::Delegate,
            ActKind::Assign,
        ];
        let law = |promise: &Promise, kind| {
            let act = act(names, promise, kind);
            format!("A (does({act}) -> {act})")
        };
        let plain = names.promises.iter().flat_map(|promise| kinds.map(|kind| law(promise, kind)));
        let supported = names.promises.iter().flat_map(|promise| {
            let (debtor, creditor) = (&names.roles[promise.debtor], &names.roles[promise.creditor]);
            [("Def", debtor), ("Jus", debtor), ("At", creditor)].map(|(act, actor)| {
                let act = format!("{act}({actor}, {}, _)", promise.name);
                format!("A (does({act}) -> {act})")
            })
        });
        plain.chain(supported).collect()
    });
}

#[test]
fn acts_in_scctl_look_back_for_the_creation() {
    valid(with_flat_contents("scctl"), path_formulas(TEMPORAL), Options::default(), |scene| {
        let names = &scene.names;
        let mut laws = Vec::new();
        for promise in &names.promises {
            let created = act(names, promise, ActKind::Create);
            laws.push(format!("A ({created} <-> does({created}))"));
            for kind in
                ActKind::ALL.into_iter().filter(|kind| *kind != ActKind::Create && !kind.has_support())
            {
                let act = act(names, promise, kind);
                laws.push(format!("A ({act} <-> (does({act}) & P does({created})))"));
            }
        }
        laws
    });
}

#[test]
fn acts_in_ctlca_look_back_for_a_creation_that_succeeded() {
    valid(with_flat_contents("ctlca"), path_formulas(TEMPORAL), Options::default(), |scene| {
        let names = &scene.names;
        let mut laws = Vec::new();
        for promise in &names.promises {
            let created = act(names, promise, ActKind::Create);
            let succeeded = format!("(does({created}) & X {})", names.written_out(promise));
            laws.push(format!("A ({created} <-> {succeeded})"));
            for kind in
                ActKind::ALL.into_iter().filter(|kind| *kind != ActKind::Create && !kind.has_support())
            {
                let act = act(names, promise, kind);
                laws.push(format!("A ({act} <-> (does({act}) & P {succeeded}))"));
            }
        }
        laws
    });
}

#[test]
fn wildcards_are_disjunctions() {
    valid(with_flat_contents("actl"), path_formulas(TEMPORAL), Options::default(), |scene| {
        let names = &scene.names;
        let mut laws = Vec::new();
        for promise in &names.promises {
            let name = &promise.name;
            let of = |role: usize, kinds: &[&str]| {
                let role = &names.roles[role];
                let acts = kinds.iter().map(|kind| match *kind {
                    "At" | "Def" | "Jus" | "Del" | "Ass" => format!("{kind}({role}, {name}, _)"),
                    _ => format!("{kind}({role}, {name})"),
                });
                format!("({})", acts.collect::<Vec<_>>().join(" | "))
            };
            let by_debtor = of(promise.debtor, &["Cr", "Wit", "Sat", "Vio", "React", "Def", "Jus", "Del"]);
            let by_creditor = of(promise.creditor, &["Ac", "Ref", "Ch", "At", "Rel", "Ass"]);
            laws.push(format!("A (Act(_, {name}) <-> ({by_debtor} | {by_creditor}))"));
            if promise.debtor != promise.creditor {
                let (debtor, creditor) = (&names.roles[promise.debtor], &names.roles[promise.creditor]);
                laws.push(format!("A (Act({debtor}, {name}) <-> {by_debtor})"));
                laws.push(format!("A (Act({creditor}, {name}) <-> {by_creditor})"));
            }
        }
        let every = |kind: &str| {
            let by_role = names.roles.iter().map(|role| format!("{kind}({role}, _)"));
            format!("A ({kind}(_, _) <-> ({}))", by_role.collect::<Vec<_>>().join(" | "))
        };
        laws.extend(["Cr", "Vio", "Ref", "Rel", "Act"].map(every));
        laws
    });
}

//! The random protocols and formulas themselves: they have no mistakes, they have everything, and they are small.

use std::collections::BTreeSet;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, RngSeed, TestRunner};
use servanda_engine::Options;
use servanda_enumerate::Explored;
use servanda_logic::{Features, Formula, Kind};
use servanda_model::{Domain, Label, Visibility};
use servanda_syntax::SourceFile;
use servanda_testkit::random::{Case, cases};
use servanda_testkit::{Decider, Limits, Reference, load};

fn samples(features: Features, count: usize) -> Vec<Case> {
    let (rng_algorithm, rng_seed) = (RngAlgorithm::ChaCha, RngSeed::Fixed(7));
    let mut runner = TestRunner::new(Config { rng_algorithm, rng_seed, ..Config::default() });
    let strategy = cases(features, 3);
    let case = |_| strategy.new_tree(&mut runner).expect("nothing is filtered").current();
    (0..count).map(case).collect()
}

#[test]
fn every_protocol_loads_while_it_shrinks() {
    let mut runner = TestRunner::deterministic();
    let strategy = cases(Features::ALL, 2);
    for _ in 0..20 {
        let mut tree = strategy.new_tree(&mut runner).expect("nothing is filtered");
        for _ in 0..40 {
            load(&tree.current().text());
            if !tree.simplify() {
                break;
            }
        }
    }
}

/// Everything that stands in a formula, by the first word of how the tree is shown.
fn kinds(formula: &Formula, found: &mut BTreeSet<String>) {
    let kind = match formula.kind() {
        Kind::Unary(op, _) => format!("{op:?}"),
        Kind::Binary(op, ..) => format!("{op:?}"),
        Kind::Epistemic(epistemic) => format!("{:?}", epistemic.op),
        Kind::Strategic(strategic) => {
            format!("{:?}", strategic.goal).split('(').next().unwrap_or_default().to_owned() + " goal"
        }
        other => format!("{other:?}").split('(').next().unwrap_or_default().to_owned(),
    };
    found.insert(kind);
    formula.for_each_child(|child| kinds(child, found));
}

#[test]
fn every_operator_occurs_in_formulas() {
    let mut found = BTreeSet::new();
    for case in samples(Features::ALL, 1500) {
        for property in load(&case.text()).properties {
            kinds(&property.formula, &mut found);
        }
    }
    let expected = [
        "Bool",
        "Int",
        "Name",
        "At",
        "Joined",
        "Does",
        "Act",
        "Commitment",
        "Not",
        "ForAll",
        "Exists",
        "Next",
        "Finally",
        "Globally",
        "Previous",
        "Once",
        "Historically",
        "AllPrevious",
        "SomePrevious",
        "AllPast",
        "SomePast",
        "And",
        "Or",
        "Implies",
        "Iff",
        "Until",
        "WeakUntil",
        "Release",
        "Since",
        "So",
        "Equal",
        "NotEqual",
        "Less",
        "LessEqual",
        "Greater",
        "GreaterEqual",
        "Add",
        "Knows",
        "EverybodyKnows",
        "DistributedKnowledge",
        "CommonKnowledge",
        "Correct",
        "KnowsAssumingCorrect",
        "Believes",
        "Next goal",
        "Finally goal",
        "Globally goal",
        "Until goal",
    ];
    let missing: Vec<&str> = expected.into_iter().filter(|kind| !found.contains(*kind)).collect();
    assert!(missing.is_empty(), "no formula has {missing:?}");
}

#[test]
fn every_construct_occurs_in_protocols() {
    let mut found: BTreeSet<String> = BTreeSet::new();
    for case in samples(Features::ALL, 1500) {
        let text = case.text();
        let model = load(&text).model;
        for label in &model.labels {
            found.insert(match label {
                Label::Message(message) if message.by.is_none() => "message by nobody".to_owned(),
                Label::Message(_) => "message".to_owned(),
                Label::Action { .. } => "action".to_owned(),
                Label::Act(act) => act.kind.short().to_owned(),
            });
        }
        for variable in model.variables.iter().filter(|variable| variable.machine.is_none()) {
            found.insert(match &variable.domain {
                Domain::Bool => "bool".to_owned(),
                Domain::Range { .. } => "range".to_owned(),
                Domain::Enumeration(_) => "enumeration".to_owned(),
            });
            if matches!(variable.visibility, Visibility::Private(_)) {
                found.insert("private".to_owned());
            }
            if variable.initial.len() > 1 {
                found.insert("initial set".to_owned());
            }
        }
        let nested = model.commitments.iter().any(|promise| {
            let mut inside = BTreeSet::new();
            kinds(&promise.content, &mut inside);
            inside.contains("Commitment") || inside.contains("Act")
        });
        let past = model.commitments.iter().any(|promise| {
            let mut inside = BTreeSet::new();
            kinds(&promise.content, &mut inside);
            inside.contains("Previous") || inside.contains("Since") || inside.contains("Once")
        });
        let sends = text.contains("!  ") || text.lines().any(|line| line.contains("ask! "));
        let met = sends && text.lines().any(|line| line.contains("ask? "));
        for (name, is_there) in [
            ("nested content", nested),
            ("past in a content", past),
            ("several machines", model.machines.len() > 1),
            ("synchronisation", met),
            ("access", !model.access.is_empty()),
            ("fairness", !model.fairness.is_empty()),
            ("group", !model.groups.is_empty()),
            ("red", model.agents.iter().any(|agent| agent.red != servanda_model::Expr::FALSE)),
            ("array of roles", model.agents.iter().any(|agent| agent.name == "Peer[2]")),
            ("three roles", model.agents.iter().any(|agent| agent.name == "Cyd")),
            ("tag", model.commitments.iter().any(|promise| promise.tag.is_some())),
            ("for", text.contains("for i in")),
            ("prop", text.contains("prop d0")),
            ("scctl", text.contains("semantics scctl")),
            ("ctlca", text.contains("semantics ctlca")),
            ("guard", text.contains(" when ")),
            ("set", text.contains(" set ")),
            ("active in a guard", text.contains(" when active(")),
            ("private commitment", !model.private_commitments.is_empty()),
            ("public commitment", model.private_commitments.len() < model.commitments.len()),
        ] {
            if is_there {
                found.insert(name.to_owned());
            }
        }
    }
    let mut expected = vec![
        "message by nobody",
        "message",
        "bool",
        "range",
        "enumeration",
        "private",
        "initial set",
        "nested content",
        "past in a content",
        "several machines",
        "synchronisation",
        "access",
        "fairness",
        "group",
        "red",
        "array of roles",
        "three roles",
        "tag",
        "for",
        "prop",
        "scctl",
        "ctlca",
        "guard",
        "set",
        "active in a guard",
        "private commitment",
        "public commitment",
    ];
    expected.extend(servanda_logic::ActKind::ALL.map(servanda_logic::ActKind::short));
    let missing: Vec<&str> = expected.into_iter().filter(|name| !found.contains(*name)).collect();
    assert!(missing.is_empty(), "no protocol has {missing:?}");
}

#[test]
fn formulas_keep_within_the_features_asked_for() {
    let allowed = Features::QUANTIFIERS | Features::FUTURE | Features::BRANCHING | Features::KNOWLEDGE;
    for case in samples(allowed, 200) {
        for property in load(&case.text()).properties {
            let used = Features::of(&property.formula);
            assert!(allowed.contains(used), "{} uses {:?}", property.text, used.without(allowed));
        }
    }
}

#[test]
fn protocols_are_small_and_formulas_are_not_all_true() {
    let (mut small, mut decided, mut hold) = (0, 0, 0);
    let cases = samples(Features::ALL, 300);
    for case in &cases {
        let protocol = load(&case.text());
        let explored = Explored::new(&protocol.model, Options::default(), &Limits::default());
        small +=
            usize::from(explored.is_ok_and(|explored| (2..=64).contains(&explored.space.reachable_len())));
        let verdicts = Reference.verdicts(&protocol.model, &protocol.properties, Options::default());
        decided += verdicts.iter().flatten().count();
        hold += verdicts.iter().flatten().filter(|verdict| **verdict).count();
    }
    assert!(small * 10 >= cases.len() * 8, "only {small} of {} protocols have 2 to 64 states", cases.len());
    assert!(
        decided * 10 >= cases.len() * 3 * 8,
        "only {decided} of {} formulas are decided",
        cases.len() * 3
    );
    assert!(hold * 10 >= decided * 3 && hold * 10 <= decided * 7, "{hold} of {decided} formulas hold");
}

#[test]
fn protocols_are_written_without_warnings_that_matter() {
    // What no run reaches tests nothing: control states are connected by construction.
    for case in samples(Features::ALL, 200) {
        let loaded = servanda_pact::load(&SourceFile::new("random.pact", case.text()), &[]);
        assert!(loaded.diagnostics.iter().all(|found| found.code != "unreachable-state"), "{}", case.text());
    }
}

//! Evidence for all examples, for the sample of generated models, and, when asked for, for the corpora.

use std::path::Path;

use crate::common::Count;
use servanda_engine::{NoLimits, Options, Validity};
use servanda_lower::{CoreFormula, StateFormula};
use servanda_model::{Model, Property, StepKind};
use servanda_syntax::SourceFile;
use servanda_tableau::Tableau;
use servanda_testkit::{corpus, load_file};
use servanda_witness::{Checker, Decided, Evidence, Failure, Shown};

/// A model of any language with its properties, and how its properties are to be read.
fn load(path: &Path) -> (Model, Vec<Property>, Options) {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("pact") => {
            let protocol = load_file(path);
            (protocol.model, protocol.properties, Options::default())
        }
        Some("ispl") => {
            let text = std::fs::read_to_string(path).expect("the file can be read");
            let source = SourceFile::new(path.display().to_string(), text);
            let system = servanda_ispl::load(&source).system.expect("a system");
            let old = system.dialect == servanda_ispl::Dialect::Year2005;
            let validity = if old { Validity::Reachable } else { Validity::Initial };
            (system.model, system.properties, Options { validity, ..Options::default() })
        }
        _ => panic!("{} is in an unknown language", path.display()),
    }
}

fn evidence_for_folder(folder: &Path, endings: &[&str]) -> Count {
    let mut count = Count::default();
    for path in endings.iter().flat_map(|ending| corpus::files(folder, ending)) {
        let (model, properties, options) = load(&path);
        let mut engine = Tableau::new(&model, options, 1, &NoLimits).expect("it can be prepared");
        let mut checker = Checker::new(&model, options);
        for property in &properties {
            let verdict = engine.decide(&property.formula, &NoLimits).expect("no fault");
            let Some(verdict) = verdict.decided() else { continue };
            let found = count.ask(&mut checker, property, verdict, &NoLimits);
            found.unwrap_or_else(|wrong| panic!("{}: {wrong}", path.display()));
        }
    }
    assert_eq!(count.stopped, 0, "{count:?}");
    count
}

#[test]
fn evidence_for_every_example() {
    let count = evidence_for_folder(&corpus::examples(), &["pact", "ispl"]);
    println!("{count:?}");
    assert!(count.shown >= 17, "{count:?}");
    assert_eq!(count.in_part, 0, "{count:?}");
}

#[test]
fn evidence_for_the_samples() {
    for (sample, ending) in [("pact", "pact"), ("pact2", "pact"), ("ispl", "ispl")] {
        let count = evidence_for_folder(&corpus::sample(sample), &[ending]);
        assert!(count.shown * 4 > count.asked, "{count:?}");
    }
}

#[test]
#[ignore = "needs the corpora outside of the repository, in the folder SERVANDA_CORPUS"]
fn evidence_for_the_corpora() {
    for (folder, ending) in [("random-pact", "pact"), ("random-pact2", "pact"), ("random-ispl", "ispl")] {
        let count = evidence_for_folder(&corpus::outside(folder), &[ending]);
        println!("{folder}: {count:?}");
    }
}

/// The evidence for a property of an example.
fn evidence_for(example: &str, name: &str) -> (Model, Property, Evidence) {
    let path = corpus::examples().join(example);
    let (model, properties, options) = load(&path);
    let property = properties.iter().find(|property| property.name == name).expect("the property").clone();
    let verdict = property.expected.expect("an expectation");
    let decided = Decided { formula: &property.formula, text: &property.text, verdict };
    let shown = Checker::new(&model, options).show(decided, &NoLimits).expect("evidence");
    let Shown::Evidence(evidence) = shown else { panic!("nothing is shown") };
    (model, property, *evidence)
}

#[test]
fn arguing_for_ever_goes_round_in_two_steps() {
    let (_, _, evidence) = evidence_for("pnaws.pact", "can_argue_forever");
    let line = evidence.line();
    assert_eq!(line.path.loop_to, Some(4));
    assert_eq!(line.path.steps.len(), 6);
    assert_eq!(line.path.states[4].view.locations[0].1, "challenged");
    assert_eq!(line.path.states[5].view.locations[0].1, "justified");
}

/// Changes evidence in one way after the other; every change must be found out.
#[test]
fn what_is_not_true_is_not_shown() {
    let (model, property, good) = evidence_for("pnaws.pact", "can_argue_forever");
    let mut checker = Checker::new(&model, Options::default());
    let mut is_found_out = |change: &dyn Fn(&mut Evidence)| {
        let mut bad = good.clone();
        change(&mut bad);
        let result = checker.check(&mut bad, &property.formula, &NoLimits);
        assert!(matches!(result, Err(Failure::Internal(_))), "{result:?}");
    };
    fn path(evidence: &mut Evidence) -> &mut servanda_witness::PathEvidence {
        match &mut evidence.claim.because {
            servanda_witness::Because::Path(path) => path,
            other => panic!("{other:?}"),
        }
    }
    // A verdict turned round; another formula; a run that begins elsewhere.
    is_found_out(&|evidence| evidence.claim.holds = false);
    is_found_out(&|evidence| evidence.claim.formula = StateFormula::TRUE);
    is_found_out(&|evidence| evidence.start.states[0] = path(evidence).path.states[2].clone());
    for at in 0..4 {
        // A state that is another, a state shown as another, a step that is another, a label that is another.
        is_found_out(&|evidence| path(evidence).path.states[at].packed[0] ^= 1);
        is_found_out(&|evidence| {
            path(evidence).path.states[at]
                .view
                .in_force
                .push(servanda_model::CommitmentView::unnamed("a promise"))
        });
        is_found_out(&|evidence| path(evidence).path.steps[at].kind = StepKind::Stutter);
        is_found_out(&|evidence| path(evidence).path.steps[at].label.push('!'));
        // A path that ends too early.
        is_found_out(&|evidence| {
            path(evidence).path.states.truncate(at + 1);
            path(evidence).path.steps.truncate(at);
            path(evidence).claims.clear();
        });
    }
    // A loop where there is none, a claim about the wrong position, a claim turned round, no reason at all.
    is_found_out(&|evidence| path(evidence).path.loop_to = Some(0));
    is_found_out(&|evidence| path(evidence).claims[0].0 = 0);
    is_found_out(&|evidence| path(evidence).claims[0].1.holds = false);
    is_found_out(&|evidence| path(evidence).claims[0].1.because = servanda_witness::Because::State);
    is_found_out(&|evidence| evidence.claim.because = servanda_witness::Because::Parts(Vec::new()));
}

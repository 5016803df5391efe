//! The façade as a library.

use std::sync::atomic::{AtomicUsize, Ordering};

use servanda::{
    BDD, CheckOptions, Choices, ENUMERATE, EngineChoice, EngineOptions, Language, Loaded, NoClock, TABLEAU,
    Watch, check, conform, size,
};
use servanda_engine::{Budget, Progress, Stop, Verdict};
use servanda_report::Status;

/// Allows a number of steps and then says stop.
struct Throttle(AtomicUsize);

impl Budget for Throttle {
    fn progress(&self, _: Progress) -> Result<(), Stop> {
        let left = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        left.map(|_| ()).map_err(|_| Stop::Interrupted)
    }
}

fn netbill() -> Loaded {
    let text = include_str!("../../../../examples/netbill.pact");
    Loaded::read(Language::Pact, "netbill.pact", text, Choices::default()).expect("the example is right")
}

/// Wherever a run is stopped, what it has decided by then is what it would decide in the end, and the rest is unknown.
#[test]
fn a_stopped_check_never_says_what_it_does_not_know() {
    let loaded = netbill();
    let questions = loaded.questions(&[], &[]).unwrap();
    let complete = check(&loaded, &questions, CheckOptions::default(), Watch::none());
    assert_eq!(complete.status(), Status::Wanted);

    let mut stopped_between = false;
    for steps in 0..10_000 {
        let throttle = Throttle(AtomicUsize::new(steps));
        let watch = Watch { budget: &throttle, clock: &NoClock };
        let report = check(&loaded, &questions, CheckOptions::default(), watch);
        let mut unknown = 0;
        for (property, expected) in report.properties.iter().zip(&complete.properties) {
            match &property.verdict {
                Verdict::Unknown(reason) => {
                    assert_eq!(reason, "the run was interrupted");
                    unknown += 1;
                }
                verdict => assert_eq!(verdict, &expected.verdict, "{} after {steps} steps", property.name),
            }
        }
        assert_eq!(report.properties.len(), complete.properties.len());
        assert_eq!(report.status(), if unknown == 0 { Status::Wanted } else { Status::Undecided });
        stopped_between |= 0 < unknown && unknown < report.properties.len();
        if unknown == 0 && !report.run.findings.iter().any(|finding| finding.diagnostic.code == "not-known") {
            assert!(stopped_between);
            return;
        }
    }
    panic!("the check never comes to its end");
}

#[test]
fn nothing_is_known_without_a_step() {
    let loaded = netbill();
    let throttle = Throttle(AtomicUsize::new(0));
    let watch = Watch { budget: &throttle, clock: &NoClock };
    assert_eq!(size(&loaded, EngineOptions::default(), watch).status(), Status::Undecided);
    assert_eq!(conform(&loaded, watch).status(), Status::Undecided);
}

#[test]
fn every_wrong_name_and_formula_is_reported() {
    let names = ["deadlok_free".to_owned(), "zebra".to_owned()];
    let errors = netbill().questions(&names, &["AG piad".to_owned(), "AG (".to_owned()]).unwrap_err();
    let helps: Vec<Option<&str>> = errors.iter().map(|error| error.diagnostic.help.as_deref()).collect();
    assert_eq!(errors.len(), 4);
    assert_eq!(helps[0], Some("did you mean `deadlock_free`?"));
    assert!(helps[1].unwrap().starts_with("its properties are creation_may_be_satisfied, "));
    assert_eq!(errors[2].source.as_ref().unwrap().name(), "--formula");
}

/// Every engine's verdicts come with the same evidence, since it is looked for in the model and not in the engine.
#[test]
fn every_engine_shows_its_verdicts() {
    for (name, text) in [
        ("pnaws.pact", include_str!("../../../../examples/pnaws.pact")),
        ("netbill.pact", include_str!("../../../../examples/netbill.pact")),
    ] {
        let loaded = Loaded::read(Language::Pact, name, text, Choices::default()).unwrap();
        let questions = loaded.questions(&[], &[]).unwrap();
        let traces = |engine| {
            let engine = EngineOptions { engine, ..EngineOptions::default() };
            let options = CheckOptions { engine, traces: servanda::Traces::Shown, ..CheckOptions::default() };
            let report = check(&loaded, &questions, options, Watch::none());
            assert_eq!(report.run.input, servanda_report::Input::Good);
            let text = servanda_report::text::check(&report, servanda_report::Style::plain());
            let shown = text.lines().filter(|line| line.starts_with("      ")).map(str::to_owned);
            shown.collect::<Vec<_>>()
        };
        let expected = traces(EngineChoice::Only(ENUMERATE));
        assert!(!expected.is_empty());
        assert_eq!(traces(EngineChoice::Only(TABLEAU)), expected);
        assert_eq!(traces(EngineChoice::Only(BDD)), expected);
    }
}

//! What a user and a script see of every kind of result.

use servanda_engine::Verdict;
use servanda_model::StateView;
use servanda_report::{
    ActConformance, ActReport, Certainty, CheckReport, ClaimReport, Colour, ConformReport, Counts,
    DecompositionReport, Detail, Finding, ModelReport, Phase, PropertyReport, Space, Statistics, Status,
    Style, Trace, TurnBreak, Written, json, text,
};
use servanda_syntax::{Code, Diagnostic, Span};

const VERBOSE: Style = Style {
    colour: Colour::Off,
    detail: Detail::Verbose,
    statistics: Statistics::Shown,
    findings: Style::FINDINGS,
};
const QUIET: Style = Style { detail: Detail::Quiet, statistics: Statistics::Hidden, ..VERBOSE };

fn property(name: &str, verdict: Verdict, expected: Option<bool>) -> PropertyReport {
    let formula = format!("AG {name}_holds");
    PropertyReport {
        name: name.to_owned(),
        formula,
        verdict,
        expected,
        engine: "enumerate",
        seconds: 0.25,
        trace: Trace::NotAsked,
        level: servanda_report::Level::Must,
        cite: None,
        scenario: None,
        location: None,
    }
}

fn model(space: Space) -> ModelReport {
    ModelReport { name: "Shop".to_owned(), agents: 2, typed_states: Some(64), space }
}

fn whole() -> Space {
    Space::Whole(Counts {
        states: 12u32.into(),
        transitions: Some(30u32.into()),
        deadlocks: 1u32.into(),
        initial: Some(2),
        diameter: Some(5),
        bytes: Some(3 << 20),
    })
}

fn part() -> Space {
    Space::Part { reason: "the time limit was reached".to_owned(), states: 7, transitions: 1 }
}

fn undecided() -> Verdict {
    Verdict::Unknown("the time limit was reached".to_owned())
}

fn check_report() -> CheckReport {
    let mut report = CheckReport::new("shop.pact", "enumerate");
    report.model = Some(model(whole()));
    report.properties = vec![
        property("plain", Verdict::True, None),
        property("plain_failure", Verdict::False, None),
        property("expected", Verdict::False, Some(false)),
        property("surprise", Verdict::True, Some(false)),
        property("disappointment", Verdict::False, Some(true)),
        property("open", undecided(), Some(true)),
    ];
    let warning = Diagnostic::warning(Code::NoFairRun, "no run is fair", Span::default());
    let more = "it has no fair cycle".to_owned();
    report.run.findings = vec![Finding { more, ..Finding::general(warning) }];
    report.run.phases =
        vec![Phase { name: "loading", seconds: 0.5 }, Phase { name: "exploring", seconds: 1.25 }];
    report.run.seconds = 1.75;
    report.run.peak_memory_bytes = Some(5 << 20);
    report
}

fn act(label: &str, certainty: Option<Certainty>, shares: [u64; 3]) -> ActReport {
    let [certain, possible, never] = shares;
    ActReport {
        label: label.to_owned(),
        judged: certainty.map(|certainty| ActConformance {
            label: label.to_owned(),
            certainty,
            transitions: certain + possible + never,
            certain,
            possible,
            never,
            why: (certainty != Certainty::Certain).then(|| "the goods may not come".to_owned()),
            span: Span::default(),
        }),
        place: certainty.map(|_| Written { file: Some("deal.pact".to_owned()), line: 3, column: 9 }),
        decomposition: DecompositionReport {
            states: vec![vec!["SC(Cus, Mer, p)".to_owned()], vec!["p".to_owned()], vec![]],
            edges: vec![(0, "SC_Cus".to_owned(), 1), (1, "<=>".to_owned(), 2)],
        },
    }
}

fn conform_report() -> ConformReport {
    let mut report = ConformReport::new("shop.pact", "enumerate");
    report.model = Some(model(whole()));
    report.decided = Ok(());
    report.acts = vec![
        act("Cr(Cus, SC(Cus, Mer, p))", Some(Certainty::Certain), [2, 0, 0]),
        act("Ac(Mer, SC(Cus, Mer, p))", Some(Certainty::Possible), [1, 2, 0]),
        act("Sat(Cus, SC(Cus, Mer, p))", Some(Certainty::Never), [0, 0, 1]),
        act("Wit(Cus, SC(Cus, Mer, p))", Some(Certainty::Certain), [0, 0, 0]),
    ];
    report.turns = Some(TurnBreak {
        role: "Cus".to_owned(),
        first: "Cr(Cus, SC(Cus, Mer, p))".to_owned(),
        second: "Cus: pay".to_owned(),
        state: StateView {
            variables: vec![("paid".to_owned(), "false".to_owned())],
            locations: vec![(String::new(), "asked".to_owned())],
            ..StateView::default()
        },
    });
    let claim = |label: &str, difference: Option<&str>| ClaimReport {
        label: label.to_owned(),
        difference: difference.map(str::to_owned),
        place: Written { file: None, line: 12, column: 1 },
    };
    report.claims =
        vec![claim("Cr(Cus, SC(Cus, Mer, p))", None), claim("Jus(Mer, q, p)", Some("state 2 has no edge"))];
    report
}

#[test]
fn check_text() {
    insta::assert_snapshot!(text::check(&check_report(), Style::plain()));
}

#[test]
fn check_text_verbose() {
    insta::assert_snapshot!(text::check(&check_report(), VERBOSE));
}

#[test]
fn check_text_quiet() {
    insta::assert_snapshot!(text::check(&check_report(), QUIET));
}

#[test]
fn check_json() {
    insta::assert_snapshot!(json::check(&[check_report()], Statistics::Shown));
}

#[test]
fn several_files_are_still_one_json_object() {
    let mut other = CheckReport::new("other.pact", "enumerate");
    other.run.reject([Finding::general(Diagnostic::error(
        Code::CannotRead,
        "it cannot be read",
        Span::default(),
    ))]);
    let both = json::check(&[check_report(), other], Statistics::Hidden);
    let object: serde_json::Value = serde_json::from_str(&both).unwrap();
    assert_eq!(object["servanda"], "0.1.0");
    assert_eq!(object["files"][0]["properties"][0]["verdict"], "true");
    assert_eq!(object["files"][1]["properties"], serde_json::json!([]));
    assert_eq!(object["files"][1]["diagnostics"][0]["line"], serde_json::Value::Null);
}

#[test]
fn a_stopped_check_says_how_far_it_came() {
    let mut report = check_report();
    report.model = Some(model(part()));
    report.properties = vec![property("open", undecided(), None)];
    insta::assert_snapshot!(text::check(&report, Style::plain()));
    let object: serde_json::Value =
        serde_json::from_str(&json::check(&[report], Statistics::Hidden)).unwrap();
    assert_eq!(object["model"]["states"], serde_json::Value::Null);
    assert_eq!(object["model"]["reached"]["states"], "7");
}

/// A wrong verdict stays wrong whatever else is left open, and a bad input makes everything else moot.
#[test]
fn the_worst_decides_the_status() {
    let mut report = check_report();
    assert_eq!(report.status(), Status::Unwanted);
    report.properties.retain(|property| property.name != "plain_failure");
    report.properties.retain(|property| property.name != "surprise" && property.name != "disappointment");
    assert_eq!(report.status(), Status::Undecided);
    report.forbidden_deadlock = true;
    assert_eq!(report.status(), Status::Unwanted);
    report.forbidden_deadlock = false;
    report.properties.retain(|property| property.name != "open");
    assert_eq!(report.status(), Status::Wanted);
    report.model = Some(model(part()));
    assert_eq!(report.status(), Status::Undecided);
    report.run.reject([]);
    assert_eq!(report.status(), Status::Invalid);
}

#[test]
fn size_of_a_part() {
    let mut report = CheckReport::new("shop.pact", "enumerate");
    report.model = Some(model(part()));
    assert_eq!(report.status(), Status::Undecided);
    insta::assert_snapshot!(text::size(&report, Style::plain()));
}

#[test]
fn conform_text() {
    insta::assert_snapshot!(text::conform(&conform_report(), Style::plain()));
}

#[test]
fn conform_text_verbose() {
    let style = Style { statistics: Statistics::Hidden, ..VERBOSE };
    insta::assert_snapshot!(text::conform(&conform_report(), style));
}

#[test]
fn conform_text_quiet() {
    insta::assert_snapshot!(text::conform(&conform_report(), QUIET));
}

#[test]
fn conform_json() {
    insta::assert_snapshot!(json::conform(&conform_report()));
}

#[test]
fn a_stopped_conform_claims_nothing() {
    let mut report = conform_report();
    report.model = Some(model(part()));
    report.acts = vec![act("Cr(Cus, SC(Cus, Mer, p))", None, [0, 0, 0])];
    report.claims.clear();
    report.turns = None;
    report.decided = Err("the time limit was reached".to_owned());
    assert_eq!(report.status(), Status::Undecided);
    insta::assert_snapshot!(text::conform(&report, Style::plain()));
    let object: serde_json::Value = serde_json::from_str(&json::conform(&report)).unwrap();
    assert_eq!(object["conforms"], serde_json::Value::Null);
    assert_eq!(object["turns"], serde_json::Value::Null);
}

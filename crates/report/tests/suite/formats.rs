//! The formats for other programs: what they look like, and that odd texts do not break them.

use std::sync::Arc;

use serde_json::json;
use servanda_engine::Verdict;
use servanda_evidence::{Event, Path, State, Step};
use servanda_model::{StateView, StepKind};
use servanda_report::{
    CheckReport, Detail, Finding, Location, ModelReport, PropertyReport, Space, Status, Style, csv, github,
    itf, junit, plot, sarif, text,
};
use servanda_syntax::{Code, Diagnostic, Severity, SourceFile, Span};

const TEXT: &str = "protocol Shop\nproperty paid = AF paid\nproperty ∧ = AF p\n";

fn source() -> Arc<SourceFile> {
    Arc::new(SourceFile::new("my shop/é.pact", TEXT))
}

fn property(name: &str, verdict: Verdict, span: Option<Span>) -> PropertyReport {
    PropertyReport {
        name: name.to_owned(),
        formula: "AG (a < 1 & \"b\" > 2)".to_owned(),
        verdict,
        expected: Some(true),
        engine: "enumerate",
        seconds: 0.25,
        trace: servanda_report::Trace::NotAsked,
        level: servanda_report::Level::Must,
        cite: None,
        scenario: None,
        location: span.and_then(|span| Location::of(&source(), span)),
    }
}

fn report() -> CheckReport {
    let mut report = CheckReport::new("my shop/é.pact", "enumerate");
    report.model =
        Some(ModelReport { name: "Shop".to_owned(), agents: 2, typed_states: None, space: Space::NotNeeded });
    report.properties = vec![
        property("good", Verdict::True, None),
        property("bad, 100%: no", Verdict::False, Some(Span::new(14, 37))),
        property("open", Verdict::Unknown("the time limit was reached".to_owned()), None),
    ];
    let warning =
        Diagnostic::warning(Code::VacuousProperty, "true for\u{1b} want\r\nof a case", Span::new(38, 57))
            .help("look at it");
    report.run.findings = vec![
        Finding::placed(warning, &source()),
        Finding::general(Diagnostic::new(Severity::Note, Code::Deadlock, "7 deadlocks", Span::default())),
    ];
    report.run.seconds = 1.5;
    report
}

fn bad() -> CheckReport {
    let mut report = CheckReport::new("<stdin>", "enumerate");
    let stdin = Arc::new(SourceFile::new("<stdin>", "protocol"));
    let error = Diagnostic::error(Code::UnexpectedToken, "expected a name", Span::new(8, 8));
    report.run.reject([Finding::placed(error, &stdin)]);
    report
}

fn stopped() -> CheckReport {
    let mut report = report();
    report.properties.clear();
    report.run.findings.clear();
    let reason = "the memory limit was reached".to_owned();
    report.model.as_mut().unwrap().space = Space::Part { reason, states: 3, transitions: 4 };
    report
}

#[test]
fn junit_document() {
    let document = junit::check(&[report(), bad(), stopped()]);
    insta::assert_snapshot!(document);
    assert!(roxmltree::Document::parse(&document).is_ok());
}

#[test]
fn sarif_log() {
    insta::assert_snapshot!(sarif::check(&[report(), bad(), stopped()]));
}

#[test]
fn annotations() {
    insta::assert_snapshot!(github::check(&[report(), bad(), stopped()], Detail::Normal));
}

/// Texts come back from a reader as they were, but for characters that XML has no way to write.
#[test]
fn xml_keeps_texts() {
    let odd = "a\u{0}b\u{7}c <&>\"' \t\r\n ]]> \u{fffe}é∧";
    let mut report = report();
    report.properties[1].name = odd.to_owned();
    report.properties[1].formula = odd.to_owned();
    let document = junit::check(&[report]);
    let document = roxmltree::Document::parse(&document).unwrap();
    let kept = "a\u{fffd}b\u{fffd}c <&>\"' \t\r\n ]]> \u{fffd}é∧";
    let failure = document.descendants().find(|node| node.has_tag_name("failure")).unwrap();
    assert!(failure.text().unwrap().ends_with(kept));
    assert_eq!(failure.parent().unwrap().attribute("name"), Some(kept));
}

#[test]
fn forbidden_deadlocks_are_failures() {
    let mut report = report();
    report.properties.truncate(1);
    report.forbidden_deadlock = true;
    assert_eq!(report.status(), Status::Unwanted);
    assert!(junit::check(&[report]).contains("failures=\"1\""));
}

#[test]
fn itf_trace() {
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let state = |n: i64, promises: &[&str]| State {
        packed: Vec::new(),
        view: StateView {
            variables: vec![pair("paid", "true"), pair("n", &n.to_string()), pair("mode", "idle")],
            locations: vec![pair("Spec", "S1"), pair("Ag", "3")],
            in_force: promises
                .iter()
                .map(|promise| servanda_model::CommitmentView::unnamed(*promise))
                .collect(),
            ..StateView::default()
        },
    };
    let step = |label: &str| Step {
        kind: StepKind::Stutter,
        label: label.to_owned(),
        event: Event::Message { name: label.to_owned(), sender: None, to: Vec::new(), received: false },
        performed: Vec::new(),
    };
    let path = Path {
        states: vec![state(i64::MIN, &[]), state(3, &["SC(Cus, Mer, F paid)"])],
        steps: vec![step("Cus: pay"), step("Cus: rest")],
        loop_to: Some(1),
    };
    let text = itf::path("shop.pact", "counterexample of AG !paid", &path);
    insta::assert_snapshot!(text);
    is_itf(&serde_json::from_str(&text).unwrap());
    let finite = Path { loop_to: None, steps: vec![step("Cus: pay")], ..path };
    let finite: serde_json::Value =
        serde_json::from_str(&itf::path("shop.pact", "witness of EF paid", &finite)).unwrap();
    assert!(finite.get("loop").is_none());
    is_itf(&finite);
    let view = StateView { locations: vec![pair("", "idle")], ..StateView::default() };
    let single = itf::path("shop.pact", "", &Path::one(State { packed: Vec::new(), view }));
    let single: serde_json::Value = serde_json::from_str(&single).unwrap();
    assert_eq!((&single["vars"], &single["states"][0]["in"]), (&json!(["in"]), &json!("idle")));
}

/// What ADR 15 of Apalache demands: the variables, a state with all of them each, a loop inside, and no plain numbers.
fn is_itf(trace: &serde_json::Value) {
    let variables = trace["vars"].as_array().unwrap();
    let states = trace["states"].as_array().unwrap();
    for (index, state) in states.iter().enumerate() {
        assert_eq!(state["#meta"]["index"], index);
        let names: Vec<&String> =
            state.as_object().unwrap().keys().filter(|name| !name.starts_with('#')).collect();
        assert_eq!(names.len(), variables.len());
        for variable in variables {
            is_expression(&state[variable.as_str().unwrap()]);
        }
    }
    assert!(trace.get("loop").is_none_or(|start| (start.as_u64().unwrap() as usize) < states.len()));
}

fn is_expression(value: &serde_json::Value) {
    match value {
        serde_json::Value::Bool(_) | serde_json::Value::String(_) => {}
        serde_json::Value::Array(elements) => elements.iter().for_each(is_expression),
        serde_json::Value::Object(object) => match object.get("#bigint") {
            Some(digits) => assert!(digits.as_str().unwrap().parse::<i128>().is_ok()),
            None => object.values().for_each(is_expression),
        },
        other => panic!("{other} is no expression of ITF"),
    }
}

/// Two settings of a parameter, one of them with nothing but odd verdicts.
fn sweep() -> Vec<CheckReport> {
    [2, 3].map(|value| CheckReport { run: run_with(value), ..report() }).to_vec()
}

fn run_with(value: i64) -> servanda_report::Run {
    let mut run = report().run;
    run.parameters = vec![("<N>".to_owned(), value)];
    run
}

#[test]
fn odd_names_do_not_break_tables_and_pictures() {
    let table = csv::check(&sweep());
    let lines: Vec<&str> = table.lines().collect();
    assert!(lines[0].ends_with("peak_memory_bytes,good,\"bad, 100%: no\",open"), "{}", lines[0]);
    assert!(
        lines[2].starts_with("my shop/é.pact,3,unwanted,,,,1.500000,,true,false,unknown"),
        "{}",
        lines[2]
    );
    let points: Vec<plot::Point> = sweep().iter().map(plot::Point::of).collect();
    let picture = plot::growth(&points).expect("there are two values");
    let svg = roxmltree::Document::parse(&picture).expect("it is XML");
    assert!(svg.descendants().any(|node| node.text() == Some("my shop/é.pact by <N>")), "{picture}");
    assert_eq!(plot::growth(&points[..1]), None, "one value is no growth");
}

#[test]
fn a_table_of_settings_says_each_thing_once() {
    let shown = text::sweep(&sweep(), Style::plain());
    assert_eq!(shown.matches("true for").count(), 1, "{shown}");
    assert!(shown.contains("unknown at <N> = 2, 3: the time limit was reached"), "{shown}");
    assert!(
        shown.ends_with("2 settings, 6 verdicts: 2 as wanted, 2 not as wanted, 2 undecided\n"),
        "{shown}"
    );
}

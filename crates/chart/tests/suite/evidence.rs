//! From real evidence to drawings: examples, and random protocols and formulas.

use std::fs;

use crate::support::{check_drawings, well_formed};
use servanda_chart::{
    Chart, Explanation, Happening, Highlight, Landing, Section, StateGraph, dot, explanation, graph_json,
    graph_svg, text,
};
use servanda_engine::{Halt, NoLimits, Options};
use servanda_enumerate::Explored;
use servanda_logic::{Features, Formula};
use servanda_model::Model;
use servanda_syntax::SourceFile;
use servanda_testkit::random::cases;
use servanda_testkit::{Trials, Tried};
use servanda_witness::{Decided, Evidence, Failure, Shown, generate};

fn example(name: &str) -> SourceFile {
    let path = format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"));
    SourceFile::new(name, fs::read_to_string(path).unwrap())
}

/// The evidence for a formula, if there is any and it is not too large.
fn evidence(model: &Model, formula: &Formula, written: &str) -> Option<Box<Evidence>> {
    let options = Options::default();
    let verdict =
        Explored::new(model, options, &NoLimits).ok()?.decide(formula, &NoLimits).ok()?.decided()?;
    match generate(
        model,
        &mut Default::default(),
        Decided { formula, text: written, verdict },
        options,
        &NoLimits,
    ) {
        Ok(Shown::Evidence(evidence)) => Some(evidence),
        Ok(Shown::Nothing(_)) | Err(Failure::Halt(Halt::TooLarge(_))) => None,
        Err(failure) => panic!("{failure:?}"),
    }
}

/// The explanation of a formula about an example in Pact.
fn pact(file: &str, formula: &str) -> Explanation {
    let protocol = servanda_testkit::load(example(file).text());
    let parsed = protocol.formula(formula).unwrap();
    explanation(&protocol.model, "it", &evidence(&protocol.model, &parsed, formula).unwrap())
}

#[test]
fn a_loop_with_commitments() {
    let explanation = pact("pnaws.pact", "AF in agreed");
    check_drawings(&explanation);
    insta::assert_snapshot!(text(&explanation, 100));
}

#[test]
fn a_violation() {
    let explanation = pact("netbill.pact", "AG !does(Vio(_, _))");
    check_drawings(&explanation);
    insta::assert_snapshot!(text(&explanation, 80));
}

#[test]
fn messages_that_all_see() {
    let explanation = pact("tunnel.pact", "AG !(t1 = tunnel)");
    check_drawings(&explanation);
    insta::assert_snapshot!(text(&explanation, 80));
}

/// The first chart of the explanation of a formula about a protocol.
fn chart_of(protocol: &str, formula: &str) -> (Chart, Explanation) {
    let protocol = servanda_testkit::load(protocol);
    let parsed = protocol.formula(formula).unwrap();
    let explanation =
        explanation(&protocol.model, "it", &evidence(&protocol.model, &parsed, formula).unwrap());
    check_drawings(&explanation);
    let Some(Section::Chart(chart)) = explanation.sections.first().cloned() else { panic!() };
    (chart, explanation)
}

const ORDERS: &str = "
protocol Orders
roles Client, Shop, Clerk
message order(1..2)
channel net of capacity 3 lossy duplicating carries order
machine Buyer { start a  a -- Client: order!(1) --> b  b -- Client -> Clerk: order!(2) --> c }
machine Seller { start s  s -- Shop: order?(n) when n = 1 --> s  s -- Clerk: order?(2) --> s }
";

/// The oldest message comes out first and is lost first; a copy goes behind all others.
#[test]
fn messages_in_channels() {
    let formula = "E (does(order(1)) & X (does(order(2)) & X (does(net.repeat) & X (does(order?) & X does(net.lose)))))";
    let (chart, explanation) = chart_of(ORDERS, formula);
    let found: Vec<_> = chart
        .flights
        .iter()
        .map(|flight| (flight.from, flight.receiver, flight.copy_of, flight.end))
        .collect();
    let expected = [
        (1, Some(1), None, Landing::Received(4)),
        (2, Some(2), None, Landing::Lost(5)),
        (3, None, Some(0), Landing::UnderWay),
    ];
    assert_eq!(found, expected);
    insta::assert_snapshot!(text(&explanation, 100));
}

/// Of equal messages in a channel without an order the oldest is taken for the one that is received.
#[test]
fn messages_that_overtake() {
    let protocol = "
        roles Ann, Bob
        channel mail of capacity 3 unordered carries hello, bye
        machine A { start a  a -- Ann: hello! --> b  b -- Ann: bye! --> c  c -- Ann: hello! --> d }
        machine B { start e  e -- Bob: hello? when mail.length = 3 --> f  f -- Bob: bye? --> e }";
    let (chart, _) = chart_of(protocol, "EF (does(hello?) & X does(bye?))");
    let found: Vec<_> = chart.flights.iter().map(|flight| (flight.label.as_str(), flight.end)).collect();
    let expected =
        [("hello", Landing::Received(4)), ("bye", Landing::Received(5)), ("hello", Landing::UnderWay)];
    assert_eq!(found, expected);
}

#[test]
fn time_passes_and_repeats() {
    let protocol = "
        roles Ann, Bob, Eve
        clock age : 0..50
        start s
        s -- Ann -> Eve: hurry when age = 0 --> t
        t -- Bob: done when age = 50 --> s";
    let (chart, explanation) = chart_of(protocol, "AG !does(done)");
    assert_eq!(chart.steps.len(), 52);
    assert_eq!(
        chart.steps[0].happening,
        Happening::Message { from: 0, to: vec![2], label: "hurry".to_owned() }
    );
    assert_eq!(chart.steps[1].happening, Happening::Tick("tick: age = 1".to_owned()));
    assert!(
        matches!(chart.folds.as_slice(), [fold] if fold.period == 1 && fold.to > 45),
        "{:?}",
        chart.folds
    );
    insta::assert_snapshot!(text(&explanation, 80));
}

#[test]
fn rounds_and_doubts() {
    let source = example("trains3.ispl");
    let system = servanda_ispl::load(&source).system.unwrap();
    let written = "AG (in1 -> K(Train1, in2))";
    let formula = system.formula(written).unwrap();
    let explanation = explanation(&system.model, "it", &evidence(&system.model, &formula, written).unwrap());
    check_drawings(&explanation);
    assert!(explanation.sections.len() > 1);
    insta::assert_snapshot!(text(&explanation, 120));
}

#[test]
fn a_strategy() {
    let source = example("trains3.ispl");
    let system = servanda_ispl::load(&source).system.unwrap();
    let written = "<Train1> X true";
    let formula = system.formula(written).unwrap();
    let explanation = explanation(&system.model, "it", &evidence(&system.model, &formula, written).unwrap());
    check_drawings(&explanation);
    assert!(explanation.sections.iter().any(|section| matches!(section, Section::Plan(_))));
}

#[test]
fn processes_that_synchronise() {
    let source = example("pnaws.ccs");
    let system = servanda_ccs::load(&source, Some("Closed")).system.unwrap();
    let written = "EF (does(create) & X does(_))";
    let formula = system.formula(written).unwrap();
    let explanation = explanation(&system.model, "it", &evidence(&system.model, &formula, written).unwrap());
    check_drawings(&explanation);
    insta::assert_snapshot!(text(&explanation, 100));
}

#[test]
fn a_state_graph() {
    let protocol = servanda_testkit::load(example("netbill.pact").text());
    let graph = StateGraph::new(&protocol.model, 100, &NoLimits).unwrap();
    assert_eq!((graph.states.len(), graph.transitions.len(), graph.initial.as_slice()), (31, 44, &[0][..]));
    let formula = protocol.formula("AG !does(Vio(_, _))").unwrap();
    let evidence = evidence(&protocol.model, &formula, "").unwrap();
    insta::assert_snapshot!(dot(&graph.picture(), &Highlight::new(&graph, &evidence)));
    well_formed(&graph_svg(&graph.picture()));
    let json: serde_json::Value = serde_json::from_str(&graph_json(&graph)).unwrap();
    assert_eq!(json["transitions"].as_array().unwrap().len(), 44);
    assert_eq!(json["states"][1]["in"], "requested");
}

#[test]
fn state_graphs_of_all_examples() {
    for name in ["dining3.ispl", "trains3.ispl", "faulty3.ispl", "transmission1-2005.ispl"] {
        let source = example(name);
        let system = servanda_ispl::load(&source).system.unwrap();
        well_formed(&graph_svg(&StateGraph::new(&system.model, 2000, &NoLimits).unwrap().picture()));
    }
    let source = example("pnaws.ccs");
    let system = servanda_ccs::load(&source, Some("Closed")).system.unwrap();
    let graph = StateGraph::new(&system.model, 2000, &NoLimits).unwrap();
    assert_eq!(graph.states.len(), 148);
    well_formed(&graph_svg(&graph.picture()));
    let failure = StateGraph::new(&system.model, 147, &NoLimits).unwrap_err();
    assert_eq!(failure.to_string(), "the model has more than 147 states, too many to draw");
}

#[test]
fn random_evidence_can_be_drawn() {
    Trials::from_environment(300).run(&cases(Features::ALL, 1..4), |case| {
        let protocol = servanda_testkit::load(&case.text());
        for property in &protocol.properties {
            if let Some(evidence) = evidence(&protocol.model, &property.formula, &property.text) {
                check_drawings(&explanation(&protocol.model, &property.name, &evidence));
            }
        }
        if let Ok(graph) = StateGraph::new(&protocol.model, 200, &NoLimits) {
            well_formed(&graph_svg(&graph.picture()));
        }
        Ok(Tried::Holds)
    });
}

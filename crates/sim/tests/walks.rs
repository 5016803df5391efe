//! Walks through models of every language.

use servanda_engine::NoLimits;
use servanda_model::{Model, StateView};
use servanda_sim::{Chance, Change, Departure, Recording, Simulation, Starts};
use servanda_syntax::SourceFile;

fn pact(text: &str) -> servanda_pact::Protocol {
    servanda_pact::load(&SourceFile::new("test.pact", text), &[]).protocol.expect("the text is right")
}

const SHOP: &str = "
roles Ann, Bob
var x : 0..2 = {0, 1}
var paid : bool = false
commitment c = SC(Ann, Bob, F paid)
start s
s -- Cr(Ann, c) --> t
t -- Sat(Ann, c) set paid = true --> s
t -- Bob: count set x = x + 1 --> t
";

#[test]
fn choosing_stepping_and_going_back() {
    let protocol = pact(SHOP);
    let mut simulation = Simulation::new(&protocol.model, &NoLimits).expect("no limits");
    assert_eq!((simulation.starts().0.len(), simulation.starts().1), (2, Starts::All));
    assert!(simulation.state().is_none() && simulation.choices().is_empty());
    assert!(!simulation.take(0) && !simulation.start(2) && !simulation.undo());
    assert!(simulation.start(1));
    assert!(simulation.take(0) && !simulation.take(7));
    let changes = simulation.changes();
    assert_eq!(
        changes[0],
        Change::Location { machine: String::new(), from: "s".to_owned(), to: "t".to_owned() }
    );
    assert_eq!(changes[1].now(), "+ c");
    assert!(simulation.take(1) && simulation.labels().len() == 2);
    // Now x is 2, and counting on would leave its range.
    assert_eq!(simulation.choices().len(), 1);
    assert!(simulation.trouble().is_some_and(|trouble| trouble.contains("`x` is set to 3")));
    assert!(simulation.undo() && simulation.undo() && simulation.undo() && !simulation.undo());
    assert!(simulation.state().is_none());
}

#[test]
fn what_is_watched_follows_the_state() {
    let protocol = pact(SHOP);
    let mut simulation = Simulation::new(&protocol.model, &NoLimits).expect("no limits");
    let formula = protocol.formula("AG (in t -> F paid)").expect("it is right");
    simulation.watch("answer", &formula);
    assert!(simulation.watched().is_empty(), "there is no state yet");
    simulation.start(0);
    let values = |simulation: &Simulation<'_>| -> Vec<String> {
        simulation.watched()[0].parts.iter().map(|(part, value)| format!("{part}: {value}")).collect()
    };
    assert_eq!(values(&simulation), ["in t: false", "paid: false"]);
    simulation.take(0);
    assert_eq!(values(&simulation), ["in t: true", "paid: false"]);
    assert!(!simulation.unwatch(1) && simulation.unwatch(0) && simulation.watched().is_empty());
}

/// A walk by chance can be recorded and followed.
fn is_followed(model: &Model) {
    let mut simulation = Simulation::new(model, &NoLimits).expect("no limits");
    let mut chance = Chance::new(11);
    let mut states: Vec<StateView> = Vec::new();
    for _ in 0..20 {
        if !simulation.take_any(&mut chance) {
            break;
        }
        states.extend(simulation.state());
    }
    if simulation.starts().0.len() == 1 {
        let mut first = Simulation::new(model, &NoLimits).expect("no limits");
        first.restart();
        states.insert(0, first.state().expect("it has begun"));
    }
    let recording = Recording { labels: simulation.labels().to_vec(), states, loop_start: None };
    let mut follower = Simulation::new(model, &NoLimits).expect("no limits");
    let mut followed = 0;
    while follower.follow(&recording).is_ok() {
        followed += 1;
    }
    assert!(followed > 0);
    assert_eq!(follower.state(), recording.states.last().cloned());
    assert_eq!(follower.follow(&recording), Err(Departure::End));
    assert_eq!(follower.labels(), simulation.labels());
}

#[test]
fn recordings_of_every_language() {
    is_followed(&pact(SHOP).model);
    let ispl = include_str!("../../../examples/dining3.ispl");
    let system = servanda_ispl::load(&SourceFile::new("dining3.ispl", ispl)).system.expect("it is right");
    is_followed(&system.model);
    let ccs = include_str!("../../../examples/pnaws.ccs");
    let system = servanda_ccs::load(&SourceFile::new("pnaws.ccs", ccs), Some("Closed")).system;
    is_followed(&system.expect("it is right").model);
}

#[test]
fn a_loop_is_gone_through_again_and_again() {
    let protocol = pact("roles Ann\nvar x : bool = false\nstart s\ns -- Ann: flip set x = !x --> s\n");
    let state = |x: &str| StateView {
        variables: vec![("x".to_owned(), x.to_owned())],
        locations: vec![(String::new(), "s".to_owned())],
        ..StateView::default()
    };
    let flip = "Ann: flip".to_owned();
    let labels = vec![flip.clone(), flip];
    let recording = Recording { labels, states: vec![state("false"), state("true")], loop_start: Some(0) };
    let mut simulation = Simulation::new(&protocol.model, &NoLimits).expect("no limits");
    assert!((0..9).all(|_| simulation.follow(&recording).is_ok()));
    assert_eq!(simulation.state(), Some(state("true")));
    let elsewhere = Recording { states: vec![state("false"), state("false")], ..recording };
    simulation.restart();
    assert_eq!(simulation.follow(&elsewhere), Err(Departure::Impossible));
    simulation.take(0);
    assert_eq!(simulation.follow(&elsewhere), Err(Departure::Elsewhere));
}

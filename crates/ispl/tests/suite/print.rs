//! What is printed reads back as what was printed.

use crate::support::{examples, outside, sample, system};
use servanda_ispl::{System, print};
use servanda_model::{Behaviour, Model};
use servanda_syntax::Span;

/// A model without places and without its name.
fn bare(model: &Model) -> String {
    let mut model = model.clone();
    model.name.clear();
    for agent in &mut model.agents {
        agent.span = Span::default();
    }
    for variable in &mut model.variables {
        variable.span = Span::default();
    }
    let Behaviour::Rounds(programs) = &mut model.behaviour else { panic!("a model with rounds") };
    for block in programs.iter_mut().flat_map(|program| &mut program.evolution) {
        for line in &mut block.lines {
            line.span = Span::default();
        }
    }
    for fairness in &mut model.fairness {
        fairness.formula = servanda_logic::Formula::new(fairness.formula.kind().clone(), Span::default());
    }
    let text = format!("{model:#?}");
    // The places of names inside of formulas.
    let place =
        |line: &&str| !["span:", "start:", "end:"].iter().any(|word| line.trim_start().starts_with(word));
    text.lines().filter(place).collect::<Vec<_>>().join("\n")
}

fn round_trip(name: &str, first: &System) {
    let text = print(&first.model, &first.properties).unwrap_or_else(|reason| panic!("{name}: {reason}"));
    let second = system(&text);
    assert_eq!(bare(&first.model), bare(&second.model), "{name}\n{text}");
    let formulas = |system: &System| system.properties.iter().map(|p| p.formula.clone()).collect::<Vec<_>>();
    assert_eq!(formulas(first), formulas(&second), "{name}\n{text}");
    assert_eq!(print(&second.model, &second.properties).as_ref(), Ok(&text), "{name}");
}

#[test]
fn files_survive_printing() {
    for (path, text) in examples().into_iter().chain(sample()) {
        round_trip(&path.display().to_string(), &system(&text));
    }
}

#[test]
#[ignore = "needs the corpora outside of the repository, in the folder SERVANDA_CORPUS"]
fn files_of_the_corpora_survive_printing() {
    for (path, text) in outside() {
        round_trip(&path.display().to_string(), &system(&text));
    }
}

#[test]
fn red_states_and_fairness_survive_printing() {
    let text = "
        Agent A
          Vars: b : boolean; x : 0 .. 7; end Vars
          RedStates: x > 3 or b = true; end RedStates
          Actions = {go}; Protocol: b = true : {}; Other : {go}; end Protocol
          Evolution: x = (x + 3) / 2 and b = ~b ^ (x < 2) if Action = go; x = 2 * (x - -1) if b; end Evolution
        end Agent
        Evaluation p if (A.b = true) | (A.b = false); end Evaluation
        InitStates A.b = A.b; end InitStates
        Fairness A.GreenStates; AF p; end Fairness
        Formulae O(A, A.RedStates -> p); CTL* E (G F p and F (X p)) or p; LTL G (p -> X (!p U p)); end Formulae";
    round_trip("red", &system(text));
}

/// As papers of 2005 have it: an evolution is a function of the state of the Environment, which the agent does not observe.
pub(crate) const READS_UNOBSERVED: &str = "
    Agent Environment Lstate = {quiet, loud}; Lgreen = {quiet}; Action = {none}; Protocol: quiet: {none}; loud: {none}; end Protocol
      Ev: loud if Lstate = quiet; end Ev end Agent
    Agent A Lstate = {unsure, sure}; Lgreen = {unsure, sure}; Action = {look, wait};
      Protocol: unsure: {look, wait}; sure: {wait}; end Protocol
      Ev: sure if Environment.Lstate = loud and Action = look; end Ev end Agent
    Evaluation loud if Environment.Lstate = loud; sure if A.Lstate = sure; end Evaluation
    InitStates Environment.Lstate = quiet and A.Lstate = unsure; end InitStates
    Formulae AG (sure -> K(A, loud)); end Formulae";

#[test]
fn evolutions_that_read_what_is_not_observed_survive_printing() {
    let first = system(READS_UNOBSERVED);
    round_trip("reads unobserved", &first);
    let text = print(&first.model, &first.properties).expect("a text");
    assert!(text.contains("Lstate = {unsure, sure};") && !text.contains("Lobsvars"), "{text}");
}

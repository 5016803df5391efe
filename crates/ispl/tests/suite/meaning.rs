//! What files mean: the model they become.

use crate::support::{examples, findings, system};
use servanda_ispl::{Dialect, System, print, verdicts_in_comments};
use servanda_logic::parse_formula;
use servanda_model::{AgentProgram, Arithmetic, Behaviour, Comparison, Domain, Expr, Visibility};

/// An agent `A` with these parts, and a proposition for its boolean `b`.
fn one_agent(vars: &str, evolution: &str, formulas: &str) -> String {
    format!(
        "Agent A Vars: b : boolean; {vars} end Vars Actions = {{go, stop}};
         Protocol: Other : {{go, stop}}; end Protocol Evolution: {evolution} end Evolution end Agent
         Evaluation p if A.b = true; q if A.b = false; end Evaluation
         InitStates A.b = true; end InitStates Formulae {formulas} end Formulae"
    )
}

fn program<'s>(system: &'s System, agent: &str) -> &'s AgentProgram {
    let id = system.model.find_agent(agent).expect("an agent of that name");
    &system.model.behaviour.programs()[id.index()]
}

fn variable(system: &System, name: &str) -> Expr {
    Expr::variable(system.model.find_variable(name).expect("a variable of that name"))
}

fn constant(value: i64) -> Expr {
    Expr::Constant(value)
}

fn compare(comparison: Comparison, left: Expr, right: Expr) -> Expr {
    Expr::Compare(comparison, Box::new(left), Box::new(right))
}

fn arithmetic(operator: Arithmetic, left: Expr, right: Expr) -> Expr {
    Expr::Arithmetic(operator, Box::new(left), Box::new(right))
}

#[test]
fn who_observes_what() {
    let text = examples().into_iter().find(|(path, _)| path.ends_with("dining3.ispl")).unwrap().1;
    let system = system(&text);
    let model = &system.model;
    let names: Vec<&str> = model.agents.iter().map(|agent| agent.name.as_str()).collect();
    assert_eq!(names, ["Environment", "C1", "C2", "C3"]);
    let agent = |name| model.find_agent(name).unwrap();
    let visibility = |name| &model.variable(model.find_variable(name).unwrap()).visibility;
    assert_eq!(*visibility("Environment.said1"), Visibility::Public);
    let seen_by = vec![agent("Environment"), agent("C1"), agent("C2")];
    assert_eq!(*visibility("Environment.coin1"), Visibility::Shared(seen_by));
    assert_eq!(*visibility("C1.payer"), Visibility::Private(agent("C1")));
    // Single assignment: a block for every variable.
    assert_eq!(program(&system, "Environment").evolution.len(), 7);
    assert_eq!(model.groups[1].name, "all");
    assert_eq!(system.dialect, Dialect::Mcmas);
}

#[test]
fn the_dialect_of_2005() {
    let text = examples().into_iter().find(|(path, _)| path.ends_with("transmission2-2005.ispl")).unwrap().1;
    let system = system(&text);
    assert_eq!(system.dialect, Dialect::Year2005);
    let receiver = system.model.find_agent("Receiver").unwrap();
    let state = variable(&system, "Receiver.Lstate");
    let red = [3, 4, 5].map(|code| state.clone().equals(constant(code)));
    assert_eq!(system.model.agent(receiver).red, Expr::or(red));
    let program = program(&system, "Receiver");
    assert_eq!(program.permissions.len(), 6);
    assert_eq!(program.permissions[0].condition, state.equals(constant(0)));
    assert_eq!(program.otherwise, [0; 0]);
    assert_eq!((program.evolution.len(), program.evolution[0].lines.len()), (1, 5));
    assert_eq!(system.properties[1].name, "formula_2");
}

#[test]
fn division_is_exact() {
    let text = one_agent(
        "x : 0 .. 7; y : 0 .. 7;",
        "x = x / 2 if b = true; x = 6 / 2 if y / 2 < x; x = y if x / y = 3; x = 1 if x / (0 - 2) < 1;",
        "p;",
    );
    let system = system(&text);
    let lines = &program(&system, "A").evolution[0].lines;
    let (x, y) = (variable(&system, "A.x"), variable(&system, "A.y"));
    assert_eq!(lines[0].updates[0].1, arithmetic(Arithmetic::Divide, x.clone(), constant(2)));
    let rest = arithmetic(Arithmetic::Remainder, x.clone(), constant(2));
    assert_eq!(lines[0].defined, compare(Comparison::Equal, rest, constant(0)));
    assert_eq!(lines[1].updates[0].1, constant(3));
    let doubled = arithmetic(Arithmetic::Multiply, x.clone(), constant(2));
    assert_eq!(lines[1].guard, compare(Comparison::Less, y.clone(), doubled));
    let tripled = arithmetic(Arithmetic::Multiply, constant(3), y.clone());
    let exists = compare(Comparison::NotEqual, y, constant(0));
    assert_eq!(lines[2].guard, Expr::And(vec![exists, compare(Comparison::Equal, x.clone(), tripled)]));
    // A negative divisor turns the order around.
    assert_eq!(lines[3].guard, compare(Comparison::Less, constant(-2), x));
    print(&system.model, &system.properties).unwrap();
}

#[test]
fn enumerations_are_compared_and_assigned_by_name() {
    let text = one_agent(
        "m : {red, green, blue}; n : {blue, red};",
        "m = n if m = n; n = m if m <> n; m = green if n = blue;",
        "p;",
    );
    let system = system(&text);
    let (m, n) = (variable(&system, "A.m"), variable(&system, "A.n"));
    let lines = &program(&system, "A").evolution[0].lines;
    let both = |a: i64, b: i64| Expr::And(vec![m.clone().equals(constant(a)), n.clone().equals(constant(b))]);
    let equal = Expr::Or(vec![both(0, 1), both(2, 0)]);
    assert_eq!(lines.len(), 2 + 3 + 1);
    assert_eq!(lines[0].guard, Expr::And(vec![equal.clone(), n.clone().equals(constant(0))]));
    assert_eq!(lines[0].updates[0].1, constant(2));
    // `n` cannot become green: that move is lost.
    assert_eq!(lines[3].guard, Expr::And(vec![equal.negate(), m.clone().equals(constant(1))]));
    assert_eq!(lines[3].defined, Expr::FALSE);
    assert_eq!(lines[5].updates[0].1, constant(1));
}

#[test]
fn more_than_mcmas_reads() {
    // Any order, empty and missing sections, `!=`, booleans alone, `true`, all kinds of initial conditions.
    let text = "
        Formulae true; AG (p -> !false); end Formulae
        InitStates A.x < 2 and (A.b or B.c != A.b); end InitStates
        Evaluation p if A.b; end Evaluation
        Agent A
          Evolution: b = (x = 3) if ~b & true; x = -1 + 2 if !b and Action != stop; end Evolution
          Actions = {go, stop};
          Vars: b : boolean; x : -1 .. 3; end Vars
        end Agent
        Agent B Vars: c : boolean; end Vars end Agent
        Groups end Groups
        Fairness end Fairness";
    assert_eq!(findings(text), [""; 0]);
    let system = system(text);
    // Nothing is forbidden by an empty protocol, and who has no actions does nothing.
    assert_eq!(program(&system, "A").otherwise, [0, 1]);
    assert_eq!(
        (&program(&system, "B").actions[..], &program(&system, "B").otherwise[..]),
        (&["none".to_owned()][..], &[0][..])
    );
    let (b, c) = (variable(&system, "A.b"), variable(&system, "B.c"));
    let lines = &program(&system, "A").evolution[0].lines;
    assert_eq!(lines[0].guard, b.clone().equals(constant(1)).negate());
    assert_eq!(lines[0].updates[0].1, variable(&system, "A.x").equals(constant(3)));
    let either = Expr::Or(vec![b.clone().equals(constant(1)), compare(Comparison::NotEqual, c, b)]);
    let small = compare(Comparison::Less, variable(&system, "A.x"), constant(2));
    assert_eq!(system.model.initial, Expr::And(vec![small, either]));
    assert_eq!(system.model.variables[1].initial, [-1, 0, 1, 2, 3]);
}

#[test]
fn an_environment_that_is_not_declared_may_be_spoken_of() {
    let text = one_agent("", "", "K(Environment, p);");
    let text = format!("{text} Groups g = {{A, Environment}}; end Groups");
    let system = system(&text);
    assert_eq!(system.model.agents[0].name, "Environment");
    assert_eq!(program(&system, "Environment").actions, ["none"]);
    // And who is not spoken of is not there.
    assert_eq!(crate::support::system(&one_agent("", "", "p;")).model.agents.len(), 1);
}

/// Reads formulas of a file with the propositions p and q, and compares them with their reading in the common logic.
fn check_formulas(cases: &[(&str, &str)]) {
    let system = system(&one_agent("x : 0 .. 3; m : {hot, cold};", "", "p;"));
    for (ispl, common) in cases {
        let formula = system.formula(ispl).unwrap_or_else(|found| panic!("{ispl}: {found:#?}"));
        assert_eq!(formula, parse_formula(common).expect("a formula"), "{ispl}");
    }
}

#[test]
fn formulas_are_grouped_as_in_mcmas() {
    check_formulas(&[
        ("AG p -> q;", "(AG p) -> q"),
        ("p -> q -> p", "p -> (q -> p)"),
        ("p and q or !p and q", "(p & q) | (!p & q)"),
        ("A(p and q U q -> p)", "A[(p & q) U (q -> p)]"),
        ("E(!p U q)", "E[!p U q]"),
        ("LTL !p U q", "A !(p U q)"),
        ("LTL (!p) U q", "A (!p U q)"),
        ("LTL p and q U p", "A (p & (q U p))"),
        ("LTL F p U q", "A (F p U q)"),
        ("LTL p U q U p", "A ((p U q) U p)"),
        ("LTL G F p -> G F q", "A (G F p -> G F q)"),
        ("LTL K(A, X p)", "A K(A, A X p)"),
        ("CTL* A (G F p) -> q", "(A G F p) -> q"),
        ("CTL* A G E F p", "A G (E F p)"),
        ("<A>X p -> q", "<A>X p -> q"),
        ("<{A}>(p U q)", "<{A}>(p U q)"),
        ("GCK(p)", "GCK(p)"),
        ("B(A, p) -> p", "B(A, p) -> p"),
        ("KH(A, A, p) and O(A, q) or DK(A, p)", "KH(A, A, p) & O(A, q) | DK(A, p)"),
        ("AG (Y p -> P q) and EP AY p", "AG (Y p -> P q) & EP AY p"),
        ("A(p W q) and E(p R q) <-> AF (p S q)", "A[p W q] & E[p R q] <-> AF (p S q)"),
        ("E X does(A.go) or E does(_) or E does(stop)", "E X does(A.go) | E does(_) | E does(stop)"),
    ]);
}

#[test]
fn formulas_may_speak_of_variables() {
    let system = system(&one_agent("x : 0 .. 3; m : {hot, cold};", "", "p;"));
    for formula in
        ["AG A.x <= 3", "EF (A.m = cold and A.b)", "A.GreenStates and !A.RedStates", "2 < A.x or A.b = true"]
    {
        let read = system.formula(formula).unwrap_or_else(|found| panic!("{formula}: {found:#?}"));
        let property = servanda_model::Property { formula: read.clone(), ..system.properties[0].clone() };
        let text = print(&system.model, &[property]).unwrap();
        assert_eq!(crate::support::system(&text).properties[0].formula, read, "{text}");
    }
}

#[test]
fn whatever_is_called_like_belief_keeps_its_name() {
    let text = "
        Agent B
          Vars: B : boolean; end Vars
          Actions = {B}; Protocol: Other : {B}; end Protocol
          Evolution: B = false if Action = B; end Evolution
        end Agent
        Evaluation B if B.B = true; end Evaluation
        Groups B = {B}; end Groups
        Formulae AG B; K(B, B) and !B; GK(B, B); <B>X B; B(B, B) or B.B = true; B (B, B, AX B); end Formulae";
    let shown: Vec<String> = system(text).properties.iter().map(|p| p.formula.to_string()).collect();
    let expected = ["AG B", "K(B, B) & !B", "GK(B, B)", "<B>X B", "B(B, B) | B.B = true", "B(B, B, AX B)"];
    assert_eq!(shown, expected);
}

#[test]
fn declared_names_win_over_operators() {
    let text = "
        Agent S
          Vars: U : boolean; K : {X, F}; end Vars
          Actions = {S, P}; Protocol: U = true : {S}; Other : {P}; end Protocol
          Evolution: K = X if Action = S and S.Action = S; U = true if Action = P; end Evolution
        end Agent
        Evaluation S if S.U = true; P if S.K = X; all if S.K = F; F if S.U = false; U if S.U = true; end Evaluation
        Groups all = {S}; W = {S}; end Groups
        Formulae
          S; P and S; AG (P -> F); A(P U S); AG (P S -> all); F; AF F; GK(all, P); <W>X P; K(S, U); LTL P S S; A(U U U);
        end Formulae";
    let system = system(text);
    let shown: Vec<String> = system.properties.iter().map(|p| p.formula.to_string()).collect();
    assert_eq!(
        shown,
        [
            "(S)",
            "(P) & (S)",
            "AG ((P) -> (F))",
            "A[(P) U (S)]",
            "AG (P (S) -> (all))",
            "(F)",
            "AF (F)",
            "GK(all, (P))",
            "<W>X (P)",
            "K(S, (U))",
            "A ((P) S (S))",
            "A[(U) U (U)]",
        ]
    );
    let again = print(&system.model, &system.properties).unwrap();
    let formulas = |system: &System| system.properties.iter().map(|p| p.formula.clone()).collect::<Vec<_>>();
    assert_eq!(formulas(&crate::support::system(&again)), formulas(&system), "{again}");
}

#[test]
fn later_definitions_count() {
    let text = one_agent("", "", "p;").replace("q if", "p if");
    let system = system(&text);
    assert_eq!(system.model.propositions[0].condition, variable(&system, "A.b").equals(constant(0)));
    assert_eq!(findings(&text).len(), 1);
}

#[test]
fn texts_of_properties_are_on_one_line() {
    let system = system(&one_agent("", "", "AG (p -- no\n   ->   q);"));
    assert_eq!(system.properties[0].text, "AG (p -> q)");
}

#[test]
fn verdicts_beside_formulas() {
    let text = one_agent("", "", "p; -- TRUE\n q; --False, because\n p; q; -- FALSE\n p; -- who knows\n");
    assert_eq!(verdicts_in_comments(&text), [Some(true), Some(false), None, Some(false), None]);
}

#[test]
fn what_does_not_fit_is_refused() {
    let mut model = system(&one_agent("x : 0 .. 3;", "x = x if b;", "p;")).model;
    let refused = |model: &servanda_model::Model| print(model, &[]).unwrap_err();
    let mut programs = model.behaviour.programs().to_vec();
    let block = programs[0].evolution[0].clone();
    programs[0].evolution[0].lines[0].defined = Expr::FALSE;
    model.behaviour = Behaviour::Rounds(programs.clone());
    assert_eq!(refused(&model), "a line has values that exist under a condition that ISPL cannot say");
    programs[0].evolution = vec![block.clone(), block];
    model.behaviour = Behaviour::Rounds(programs);
    assert_eq!(refused(&model), "the variables of this model evolve neither all together nor each alone");
    model.variables[0].name = "x[1]".to_owned();
    assert_eq!(refused(&model), "variable `x[1]` belongs to no agent, and ISPL wants that");
    model.behaviour = Behaviour::Commands(Vec::new());
    assert_eq!(refused(&model), "the agents of this model act one at a time, and those of ISPL act together");
    assert_eq!(model.variables[1].domain, Domain::Range { low: 0, high: 3 });
}

#[test]
fn in_the_dialect_of_2005_an_evolution_reads_what_the_agent_does_not_observe() {
    let text = crate::print::READS_UNOBSERVED;
    let model = &system(text).model;
    let agent = |name| model.find_agent(name).expect("an agent");
    // It is read and stays hidden: knowledge is a matter of local states.
    let environment = model.find_variable("Environment.Lstate").expect("a variable");
    assert_eq!(model.variable(environment).visibility, Visibility::Private(agent("Environment")));
    // A protocol is a function of the local state alone, and other agents' states are nobody's business.
    let in_protocol = text.replace("unsure: {look, wait};", "Environment.Lstate = loud: {look, wait};");
    assert!(findings(&in_protocol)[0].contains("not-observable"), "{:?}", findings(&in_protocol));
    let of_another = text.replace("Ev: loud if Lstate", "Ev: loud if A.Lstate = sure and Lstate");
    assert!(findings(&of_another)[0].contains("not-observable"), "{:?}", findings(&of_another));
    // In the other dialect an agent observes what it reads.
    let newer = text.replace(
        "Agent A Lstate = {unsure, sure}; Lgreen = {unsure, sure};",
        "Agent A Vars: Lstate : {unsure, sure}; end Vars",
    );
    let newer = newer
        .replace("unsure: {", "Lstate = unsure : {")
        .replace("sure: {wait}", "Lstate = sure : {wait}")
        .replace("Ev: sure if", "Ev: Lstate = sure if");
    assert!(findings(&newer)[0].contains("not-observable"), "{:?}", findings(&newer));
}

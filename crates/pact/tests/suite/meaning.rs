//! What files mean.

use crate::support::{EVERYTHING, examples, meaning, protocol};
use servanda_model::{Domain, Expr, Label, Model, Visibility};

fn labels(model: &Model) -> Vec<String> {
    model.behaviour.commands().iter().map(|command| model.show_label(command.label)).collect()
}

fn names<'a>(names: impl Iterator<Item = &'a String>) -> Vec<&'a str> {
    names.map(String::as_str).collect()
}

#[test]
fn every_example_loads() {
    let examples = examples();
    assert!(examples.len() >= 5);
    for (name, text) in examples {
        let protocol = protocol(&text);
        assert!(!protocol.properties.is_empty(), "{name}");
    }
}

#[test]
fn every_statement_is_read() {
    let protocol = protocol(EVERYTHING);
    let model = &protocol.model;
    assert_eq!((model.agents.len(), model.machines.len(), model.groups[1].members.len()), (5, 4, 5));
    assert_eq!((model.access.len(), model.fairness.len(), protocol.claims.len()), (1, 1, 1));
    // Eight transitions of the shop, of which one takes place with each of three tills, and two of each till.
    assert_eq!(model.behaviour.commands().len(), 7 + 3 + 6);
    assert_eq!(protocol.properties.len(), 6);
}

#[test]
fn pnaws_has_the_published_size() {
    let (_, text) = examples().into_iter().find(|(name, _)| name == "pnaws.pact").unwrap();
    let model = protocol(&text).model;
    assert_eq!((model.agents.len(), model.variables.len(), model.machines.len()), (2, 3, 1));
    assert_eq!(model.behaviour.commands().len(), 20);
    assert_eq!(model.name, "PNAWS");
}

#[test]
fn arrays_and_repetition_are_written_out() {
    let protocol = protocol(
        "param N = 2
         roles Seller, Bidder[1..N]
         var won[1..N], paid[0..1][1..N] : bool = false
         for i in 1..N {
           commitment bid[i] = SC(Bidder[i], Seller, won[i])
           machine Side[i] {
             start quiet
             for j in 0..1 { s[j] -- Cr(Bidder[i], bid[i]) when !won[i] set paid[j][i] = true --> s[1 - j] }
             quiet -- Seller: go[i] --> s[0]
           }
           property may = EF won[i]
           for j in 1..i { property both[i][j] = EF (won[i] & won[j]) }
         }",
    );
    let model = &protocol.model;
    assert_eq!(names(model.agents.iter().map(|agent| &agent.name)), ["Seller", "Bidder[1]", "Bidder[2]"]);
    assert_eq!(
        names(model.variables.iter().map(|variable| &variable.name)),
        ["won[1]", "won[2]", "paid[0][1]", "paid[0][2]", "paid[1][1]", "paid[1][2]", "Side[1]", "Side[2]"]
    );
    assert_eq!(model.variables[6].domain.describe(), "{quiet, s[0], s[1]}");
    assert_eq!(
        names(protocol.properties.iter().map(|property| &property.name)),
        ["may[1]", "both[1][1]", "may[2]", "both[2][1]", "both[2][2]"]
    );
    assert_eq!(labels(model)[0], "Cr(Bidder[1], bid[1])");
    assert_eq!(labels(model)[5], "Seller: go[2]");
    assert_eq!(protocol.properties[0].text, "EF won[i]");
}

#[test]
fn a_transition_is_one_command() {
    let model = protocol(
        "roles A
         var n : 0..9 = 0
         start t
         s -- A: m when n < 5 set n = n + 1 --> t
         t -- tick --> t",
    )
    .model;
    let (n, control) = (servanda_model::VariableId(0), servanda_model::VariableId(1));
    assert_eq!(model.variable(control).domain.describe(), "{t, s}");
    let [first, second] = model.behaviour.commands() else { panic!("two commands") };
    let at = |code| Expr::variable(control).equals(Expr::Constant(code));
    let guard = Expr::and([at(1), Expr::variable(n).less_than(Expr::Constant(5))]);
    assert_eq!(first.guard, guard);
    let next = Expr::variable(n).plus(Expr::Constant(1));
    assert_eq!(first.updates, [(n, next), (control, Expr::Constant(0))]);
    assert_eq!(first.home, Some((servanda_model::MachineId(0), 1)));
    assert_eq!((&second.guard, second.updates.len()), (&at(0), 0));
    assert_eq!(*model.label(second.label), Label::message("tick", None));
}

#[test]
fn partners_move_together() {
    let model = protocol(
        "roles A, B
         var x, y, z : 0..3 = 0
         machine M { start a
           a -- A: m! when x = 0 set x = 1, z = 3 --> b }
         machine N { start c
           c -- B: m? when y = 0 set y = 2, z = 3 --> d
           c -- A: other --> c
           d -- B: m? --> d }",
    )
    .model;
    assert_eq!(labels(&model), ["A: m", "A: m", "A: other"]);
    let shown = format!("{:?}", model.behaviour.commands()[0].updates);
    let expected = "[(VariableId(0), Constant(1)), (VariableId(2), Constant(3)), (VariableId(1), Constant(2)), \
                    (VariableId(3), Constant(1)), (VariableId(4), Constant(1))]";
    assert_eq!(shown, expected);
    let Expr::And(tests) = &model.behaviour.commands()[0].guard else { panic!("a conjunction") };
    assert_eq!(tests.len(), 4);
    assert_eq!(model.behaviour.commands()[0].home, Some((servanda_model::MachineId(0), 0)));
}

#[test]
fn domains_and_initial_values() {
    let model = protocol(
        "param N = 2
         roles A
         var a : bool
         var b : -N..N = {N - 1, -1..0, 1}
         var c : {red, green} = {green}
         var d : {green, blue} = blue
         private var e, f of A : 1..3 = 2..3
         var g : bool = N > 1",
    )
    .model;
    let initial: Vec<&[i64]> = model.variables.iter().map(|v| v.initial.as_slice()).collect();
    let expected: [&[i64]; 7] = [&[0, 1], &[1, -1, 0], &[1], &[1], &[2, 3], &[2, 3], &[1]];
    assert_eq!(initial, expected);
    assert_eq!(model.variables[1].domain, Domain::Range { low: -2, high: 2 });
    assert_eq!(model.variables[4].visibility, Visibility::Private(servanda_model::AgentId(0)));
}

#[test]
fn definitions_are_expanded_and_nothing_is_simplified() {
    let protocol = protocol(
        "param N = 2
         roles A, B
         var p, x[1..N] : bool
         prop q = !!p
         prop all_x = all i in 1..N : x[i]
         commitment c = SC(A, B, F q)
         commitment d = PC(A, B, N, all_x)
         start s
         s -- Cr(A, c) --> s
         s -- Cr(A, SC(A, B, F !!p)) --> s
         s -- Cr(A, SC(A, B, F p)) --> s
         s -- Cr(A, d) --> s
         property f = AG (c -> EF Cr(A, d)) & x[N - 1] & N > 1",
    );
    let model = &protocol.model;
    assert_eq!(model.labels.len(), 3);
    let promises: Vec<String> =
        model.commitments.iter().map(|promise| model.write_promise(promise)).collect();
    assert_eq!(promises[..2], ["SC(A, B, F !!p)", "SC(A, B, F p)"]);
    assert_eq!(model.commitments[2].tag.as_deref(), Some("2"));
    let formula = protocol.properties[0].formula.to_string();
    assert!(formula.starts_with("AG (SC(A, B, F !!p) -> EF Cr(A, PC(A, B, 2, "), "{formula}");
    assert!(formula.ends_with("& x[1] & 2 > 1"), "{formula}");
}

/// A commitment has its name and what it is; labels can be looked up by both.
#[test]
fn commitments_keep_their_names() {
    let protocol = protocol(
        "roles A, B
         var p : bool
         for i in 1..2 { commitment pay[i] = SC(A, B, F p) }
         commitment back = SC(B, A, F p)
         start s
         s -- Cr(A, pay[1]) --> t
         t -- Cr(B, back) --> s
         t -- Cr(A, SC(A, B, G p)) --> s",
    );
    let model = &protocol.model;
    let shown: Vec<String> = model.commitments.iter().map(|promise| model.show_promise(promise)).collect();
    assert_eq!(shown, ["pay[1]", "back", "SC(A, B, G p)"]);
    let label = model.labels_shown("Cr(B, back)");
    assert_eq!(label.len(), 1);
    assert_eq!(model.labels_shown("Cr(B, SC(B, A, F p))"), label);
    assert_eq!(model.show_label(label[0]), "Cr(B, back)");
    assert_eq!(model.name_label(label[0]), "Cr(B, SC(B, A, F p))");
}

#[test]
fn inner_indices_hide_outer_names() {
    let protocol = protocol(
        "param i = 5
         roles A
         var x[1..5] : bool
         property p = x[i] & (any i in 1..2 : x[i] & (any i in 3..3 : x[i]))",
    );
    let shown = format!("{:?}", protocol.properties[0].formula);
    let values: Vec<&str> = shown.split("Int(").skip(1).map(|rest| &rest[..1]).collect();
    assert_eq!(values, ["5", "1", "3", "2", "3"]);
}

#[test]
fn indices_may_be_negative() {
    let protocol = protocol(
        "roles A[-1..0]
         var x[-1..1] : 0..3 = 0
         start s[-1]
         s[-1] -- A[-1]: m[-2] when x[-1] = 0 set x[0 - 1] = 1 --> s[0]
         property p = AG (in s[-1] -> x[-1] = 0) & K(A[-1], x[1] = 0) & E does(m[-2])",
    );
    assert_eq!(protocol.model.behaviour.commands().len(), 1);
    assert_eq!(protocol.model.variables[0].name, "x[-1]");
}

#[test]
fn groups_contain_roles_arrays_and_groups() {
    let protocol = protocol(
        "roles Seller, Bidder[1..2], Judge
         group everyone = { traders, Judge }
         group traders = { Bidder, Seller }
         property a = GCK(everyone, true) & GK(Bidder, true) & DK({Bidder[1], Judge}, true)",
    );
    let members: Vec<usize> = protocol.model.groups.iter().map(|group| group.members.len()).collect();
    assert_eq!(members, [4, 3]);
    let formula = protocol.properties[0].formula.to_string();
    assert!(formula.contains("GK({Bidder[1], Bidder[2]}, true)"), "{formula}");
}

#[test]
fn red_states_are_joined() {
    let model = protocol("roles A\nvar p, q : bool\nred A : p\nred A : q").model;
    assert!(matches!(&model.agents[0].red, Expr::Or(parts) if parts.len() == 2));
}

#[test]
fn keywords_are_names_where_no_statement_begins() {
    let protocol = protocol(
        "roles A, start
         var red : {start, when, set, all} = start
         group all = { A, start }
         start start
         start -- A: set when red = when set red = set --> var
         var -- start: when --> for
         for -- machine --> start
         property property expect true = GK(all, red = start) | in for | E does(set)",
    );
    assert_eq!(protocol.model.behaviour.commands().len(), 3);
}

#[test]
fn further_formulas_use_the_names_of_the_file() {
    let protocol = protocol(
        "param N = 2
         roles A, B
         var x[1..N] : bool
         prop some = any i in 1..N : x[i]
         commitment c = SC(A, B, F some)
         start s
         s -- Cr(A, c) --> s",
    );
    let formula = protocol.formula("AG (some -> c) & x[N]").unwrap();
    assert!(formula.to_string().ends_with("& x[2]"), "{formula}");
    let errors = protocol.formula("AG (soem -> x[3])").unwrap_err();
    let found: Vec<(&str, u32)> = errors.iter().map(|error| (error.code.word(), error.span.start)).collect();
    assert_eq!(found, [("unknown-name", 4), ("index-out-of-range", 12)]);
    assert_eq!(protocol.formula("F some").unwrap_err()[0].code, "path-formula");
    assert_eq!(protocol.formula("some &").unwrap_err()[0].code, "unexpected-token");
    assert_eq!(protocol.formula("1 / 0 = 1").unwrap_err()[0].code, "division-by-zero");
}

#[test]
fn claimed_decompositions_are_read() {
    let text = "roles Master, Slave
         var benefit, demand : bool
         commitment claim = SC(Master, Slave, benefit)
         start s
         s -- Jus(Master, claim, demand) --> s
         decompose Jus(Master, claim, demand) {
           0 : SC(Master, Slave, demand so benefit) ;
           1 : demand so benefit ;
           2 : demand, X (!demand | benefit) ;
           3 : X (!demand | benefit) ;
           4 : !demand | benefit ;
           0 --[SC_Master]--> 1 ; 1 --[and]--> 2 ; 2 --[<=>]--> 3 ; 3 --[X]--> 4
         }
         decompose Ch(Slave, claim) {
           start : SC(Slave, Master, ?benefit)
           asked : ?benefit
           end : benefit
           start --[SC_Slave]--> asked
           asked --[?]--> end
         }";
    let protocol = protocol(text);
    for claim in &protocol.claims {
        assert_eq!(claim.first_difference(&protocol.model), None);
    }
    assert_eq!(protocol.claims.len(), 2);
}

#[test]
fn a_property_shows_its_formula_as_written() {
    let text = "roles A\nvar p : bool\nproperty q = AG (\n   p  // here\n | !p /* there */ )\n";
    assert_eq!(protocol(text).properties[0].text, "AG ( p | !p )");
}

#[test]
fn semicolons_and_line_breaks_do_not_matter() {
    let spread = "roles A\nvar p : bool\nstart s\ns -- A: m when p --> t\nR -- A: m --> S\nprop q = p\nS -- A: m --> R";
    let packed = "roles A; var p : bool; start s; s -- A: m when p --> t; R -- A: m --> S; prop q = p; S -- A: m --> R;";
    assert_eq!(meaning(&protocol(spread)), meaning(&protocol(packed)));
}

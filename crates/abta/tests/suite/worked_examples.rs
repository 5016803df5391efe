//! The papers' worked examples, row by row.

use servanda_abta::{Abta, Logic, Options, Rules, StateKind, Translation, translate};
use servanda_logic::parse_formula;

fn paper(formula: &str, logic: Option<Logic>) -> Translation {
    let options = Options { rules: Rules::Paper, logic, ..Options::default() };
    translate(&parse_formula(formula).unwrap(), options).unwrap()
}

/// Rule, label, formula and successors of every row, with short names put in for long formulas.
fn rows(abta: &Abta, short: &[(&str, &str)]) -> Vec<String> {
    let row = |state: &servanda_abta::State| {
        let (rule, label) = match &state.rule {
            Some(rule) => (rule.name, rule.label.as_str()),
            None => ("leaf", ""),
        };
        let mut text = state.text.clone();
        for (long, short) in short {
            text = text.replace(long, short);
        }
        let leads: Vec<String> = abta.numbers(&state.successors).iter().map(ToString::to_string).collect();
        let row = format!("({}) {rule} {label} {text} > {}", state.number, leads.join(" "));
        row.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    abta.states.iter().map(row).collect()
}

fn accepting(abta: &Abta) -> Vec<usize> {
    assert_eq!(abta.acceptance.len(), 1, "the examples have one acceptance set");
    abta.numbers(&abta.acceptance[0].states)
}

/// ACTL*, Table 2 and Example 3.
#[test]
fn formula_1_of_the_actl_paper() {
    let made = paper("AG (Ch(Ag2, SC(Ag1, Ag2, phi1)) -> F Jus(Ag1, SC(Ag1, Ag2, phi1), phi2))", None);
    assert_eq!(made.logic, Some(Logic::Actl));
    let short = [("Ch(Ag2, SC(Ag1, Ag2, phi1))", "Ch"), ("Jus(Ag1, SC(Ag1, Ag2, phi1), phi2)", "Jus")];
    assert_eq!(
        rows(&made.tableau, &short),
        [
            "(1) R5 ¬ A(G (!Ch | F Jus)) > 2",
            "(2) R22 ∨ E(F (Ch & G !Jus)) > 3 4",
            "(3) R10 <Ch> E(Ch, G !Jus) > 5",
            "(4) R20 X E(X F (Ch & G !Jus)) > 2",
            "(5) R16 [SC_Ag2] E(SC(Ag2, Ag1, ?phi1), G !Jus) > 6",
            "(6) R17 <≡> E(?phi1, G !Jus) > 7 8",
            "(7) leaf ?phi1 >",
            "(8) R22 ∨ E(G !Jus) > 9",
            "(9) R13 <¬Jus> E(!Jus, X G !Jus) > 10",
            // The table prints the two formulas the other way round here, against R13 and row (11).
            "(10) R16 [SC_Ag1] E(SC(Ag1, Ag2, phi2 so phi1), X G !Jus) > 11",
            "(11) R21 ∧ E(phi2 so phi1, X G !Jus) > 12",
            "(12) R17 <≡> E(phi2, X (!phi2 | phi1), X G !Jus) > 13 14",
            "(13) leaf phi2 >",
            "(14) R20 X E(X (!phi2 | phi1), X G !Jus) > 15",
            "(15) R17 <≡> E(!phi2 | phi1, X G !Jus) > 16 17",
            "(16) leaf !phi2 | phi1 >",
            "(17) R20 X E(X G !Jus) > 8",
        ]
    );
    assert_eq!(made.automaton.states.len(), 17);
    let all_but_two_and_four: Vec<usize> = (1..=17).filter(|number| ![2, 4].contains(number)).collect();
    assert_eq!(accepting(&made.automaton), all_but_two_and_four);
    let step = &made.automaton.states[8].kind;
    assert_eq!(
        *step,
        StateKind::Action { kind: servanda_logic::ActKind::Justify, act: "Jus", negated: true }
    );
}

/// CTL*CA, Example 2, Figures 6 and 7.
#[test]
fn infinitely_often_p_of_the_ctlca_paper() {
    let made = paper("E (G+ F+ p)", Some(Logic::CtlCa));
    assert_eq!(
        rows(&made.tableau, &[]),
        [
            "(1) R27 ∨ E(G F p) > 2",
            "(2) R27 ∨ E(F p, X G F p) > 3 4",
            "(3) R19 ⇔ E(p, X G F p) > 5 6",
            "(4) R24 X+ E(X F p, X G F p) > 7",
            "(5) leaf p >",
            "(6) R24 X+ E(X G F p) > 1",
            "(7) R27 ∨ E(F p, G F p) > 2",
        ]
    );
    assert_eq!(accepting(&made.automaton), [1, 3, 5, 6]);
}

/// CTL*CA, Example 3, Figures 8 and 9.
#[test]
fn finally_always_accept_of_the_ctlca_paper() {
    let made = paper("A (F+ G+ Ac(Ag2, PC(Ag1, Ag2, t, phi)))", None);
    assert_eq!(made.logic, Some(Logic::CtlCa));
    let short = [("Ac(Ag2, PC(Ag1, Ag2, t, phi))", "Acc"), ("Ref(Ag2, PC(Ag1, Ag2, t, phi))", "Ref")];
    assert_eq!(
        rows(&made.tableau, &short),
        [
            "(1) R6 ¬ A(F G Acc) > 2",
            "(2) R27 ∨ E(G F Ref) > 3",
            "(3) R27 ∨ E(F Ref, X G F Ref) > 4 5",
            "(4) R14 <Ref> E(Ref, X G F Ref) > 6",
            "(5) R24 X+ E(X F Ref, X G F Ref) > 7",
            "(6) R18 [PC_Ag2] E(PC(Ag2, Ag1, t, !phi), X G F Ref) > 8",
            "(7) R27 ∨ E(F Ref, G F Ref) > 3",
            "(8) R19 ⇔ E(!phi, X G F Ref) > 9 11",
            "(9) R4 ¬ !phi > 10",
            "(10) leaf phi >",
            "(11) R24 X+ E(X G F Ref) > 2",
        ]
    );
    assert_eq!(accepting(&made.automaton), [1, 2, 4, 6, 8, 9, 10, 11]);
}

/// CTL*CA, Section 8, Figures 12 and 13.
#[test]
fn the_case_study_of_the_ctlca_paper() {
    let made = paper("A G+ (Ch(Ag2, PC(Ag1, Ag2, t, phi)) -> F+ Jus(Ag1, PC(Ag1, Ag2, t, phi), phi1))", None);
    let short = [("Ch(Ag2, PC(Ag1, Ag2, t, phi))", "Ch"), ("Jus(Ag1, PC(Ag1, Ag2, t, phi), phi1)", "Jus")];
    assert_eq!(
        rows(&made.tableau, &short),
        [
            "(1) R6 ¬ A(G (!Ch | F Jus)) > 2",
            "(2) R27 ∨ E(F (Ch & G !Jus)) > 3 4",
            "(3) R12 <Ch> E(Ch, G !Jus) > 5",
            "(4) R24 X+ E(X F (Ch & G !Jus)) > 2",
            "(5) R18 [PC_Ag2] E(PC(Ag2, Ag1, t, ?phi), G !Jus) > 6",
            "(6) R19 ⇔ E(?phi, G !Jus) > 7 9",
            "(7) R5 ? ?phi > 8",
            "(8) leaf phi >",
            "(9) R27 ∨ E(G !Jus) > 10",
            "(10) R15 <¬Jus> E(!Jus, X G !Jus) > 11",
            "(11) R18 [PC_Ag1] E(PC(Ag1, Ag2, t, phi1 so phi), X G !Jus) > 12",
            "(12) R25 ∧ E(phi1 so phi, X G !Jus) > 13",
            "(13) R19 ⇔ E(phi1, X (!phi1 | phi), X G !Jus) > 14 15",
            "(14) leaf phi1 >",
            "(15) R24 X+ E(X (!phi1 | phi), X G !Jus) > 16",
            "(16) R19 ⇔ E(!phi1 | phi, X G !Jus) > 17 18",
            "(17) leaf !phi1 | phi >",
            "(18) R24 X+ E(X G !Jus) > 9",
        ]
    );
    let all_but_two_and_four: Vec<usize> = (1..=18).filter(|number| ![2, 4].contains(number)).collect();
    assert_eq!(accepting(&made.automaton), all_but_two_and_four);
}

/// The rules that no example uses.
#[test]
fn other_rules() {
    let made = paper("(p & q | !r) & E (SC(i, j, p) U q)", Some(Logic::Actl));
    assert_eq!(
        rows(&made.tableau, &[]),
        [
            "(1) R1 ∧ (p & q | !r) & E[SC(i, j, p) U q] > 2 3",
            "(2) R2 ∨ p & q | !r > 4 5",
            "(3) R22 ∨ E(SC(i, j, p) U q) > 6 7",
            "(4) R1 ∧ p & q > 8 9",
            "(5) R4 ¬ !r > 10",
            "(6) R3 ∨ E(q) > 9",
            "(7) R16 [SC_i] E(SC(i, j, p), X (SC(i, j, p) U q)) > 11",
            "(8) leaf p >",
            "(9) leaf q >",
            "(10) leaf r >",
            "(11) R17 <≡> E(p, X (SC(i, j, p) U q)) > 8 12",
            "(12) R20 X E(X (SC(i, j, p) U q)) > 3",
        ]
    );
    let made = paper("E (X- p & q U- r)", None);
    assert_eq!(
        rows(&made.tableau, &[]),
        [
            "(1) R26 ∨ E(Y p, q S r) > 2 3",
            "(2) R19 ⇔ E(Y p, r) > 4 5",
            "(3) R19 ⇔ E(Y p, q, Y (q S r)) > 6 7",
            "(4) leaf r >",
            "(5) R23 X- E(Y p) > 8",
            "(6) leaf q >",
            "(7) R23 X- E(Y p, Y (q S r)) > 9",
            "(8) R3 ∨ E(p) > 10",
            "(9) R19 ⇔ E(p, q S r) > 10 11",
            "(10) leaf p >",
            "(11) R26 ∨ E(q S r) > 12 13",
            "(12) R3 ∨ E(r) > 4",
            "(13) R19 ⇔ E(q, Y (q S r)) > 6 14",
            "(14) R23 X- E(Y (q S r)) > 11",
        ]
    );
}

#[test]
fn every_act_has_its_rule() {
    let acts = [
        ("Cr(i, SC(i, j, p))", "R6 <Cr>", "R7 <C>", "SC(i, j, p)"),
        ("Wit(i, SC(i, j, p))", "R7 <Wit>", "R8 <W>", "!SC(i, j, p)"),
        ("Sat(i, SC(i, j, p))", "R8 <Sat>", "R9 <S>", "p"),
        ("Vio(i, SC(i, j, p))", "R9 <Vio>", "R10 <V>", "!p"),
        ("React(i, SC(i, j, p))", "R6 <React>", "R11 <Rea>", "SC(i, j, p)"),
        ("Ch(j, SC(i, j, p))", "R10 <Ch>", "R12 <Ch>", "SC(j, i, ?p)"),
        ("Ac(j, SC(i, j, p))", "R11 <Ac>", "R13 <Acc>", "SC(j, i, p)"),
        ("Ref(j, SC(i, j, p))", "R12 <Ref>", "R14 <Ref>", "SC(j, i, !p)"),
        ("Jus(i, SC(i, j, p), q)", "R13 <Jus>", "R15 <Jus>", "SC(i, j, q so p)"),
        ("At(j, SC(i, j, p), q)", "R14 <At>", "R16 <Att>", "SC(j, i, q so !p)"),
        ("Def(i, SC(i, j, p), q)", "R15 <Def>", "R17 <Def>", "SC(i, j, q so p)"),
    ];
    for (act, actl, ctlca, brought_about) in acts {
        for (logic, rule) in [(Logic::Actl, actl), (Logic::CtlCa, ctlca)] {
            let made = paper(&format!("E ({act} & X z)"), Some(logic));
            let found = rows(&made.tableau, &[]);
            assert_eq!(found[0], format!("(1) {rule} E({act}, X z) > 2"));
            assert!(found[1].contains(&format!("E({brought_about}, X z)")), "{}", found[1]);
        }
    }
}

#[test]
fn notes_say_where_the_sound_automaton_differs() {
    let items = |formula: &str| -> Vec<u8> {
        let formula = parse_formula(formula).unwrap();
        let of = |rules| {
            let made = translate(&formula, Options { rules, ..Options::default() }).unwrap();
            made.notes.iter().filter_map(|note| note.item).collect::<Vec<u8>>()
        };
        assert_eq!(of(Rules::Paper), of(Rules::Sound), "{formula}");
        of(Rules::Sound)
    };
    assert!(items("p & !q").is_empty());
    assert_eq!(items("EX p"), [1]);
    assert_eq!(items("EF p"), [1, 3]);
    assert_eq!(items("E (X p & X q)"), [1, 4]);
    assert_eq!(items("SC(i, j, p)"), [5]);
    assert_eq!(items("A (F G Ac(j, PC(i, j, t, p)))"), [1, 2, 3, 4, 5, 6, 8]);
    assert!(items("E Sat(i, SC(i, j, F p))").contains(&12));
    assert!(items("E F Y p").contains(&7));
}

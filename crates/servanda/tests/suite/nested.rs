//! Equivalences inside each other share their parts. Whatever goes through all of them takes time that doubles with every level.

use std::sync::mpsc::channel;
use std::time::Duration;

use servanda::{
    BDD, CLUSTER, CheckOptions, Choices, ENUMERATE, EngineChoice, EngineOptions, Language, Loaded, SAT,
    TABLEAU, Traces, Watch, check,
};
use servanda_engine::Verdict;

const LEVELS: usize = 60;

/// Far more than a machine that is busy with other tests needs, and far less than 2 to the power of 60 steps take.
const PATIENCE: Duration = Duration::from_secs(10);

/// `(((a <-> b) <-> a) <-> ...)`
fn nested(atoms: &[&str]) -> String {
    (1..=LEVELS)
        .fold(atoms[0].to_owned(), |inner, level| format!("({inner} <-> {})", atoms[level % atoms.len()]))
}

fn protocol(before: &str, after: &str) -> String {
    format!(
        "protocol Nested\nroles A, B\nvar p, q : bool = false\n{before}\nstart idle\n\
         idle -- A: turn set p = !p --> idle\nidle -- B: swap set q = !q --> idle\n{after}\n"
    )
}

/// Decides everything with every engine and shows evidence; says what the engines agree on.
fn decided(text: String) -> Vec<Verdict> {
    let (told, heard) = channel();
    std::thread::spawn(move || {
        let loaded = Loaded::read(Language::Pact, "nested.pact", &text, Choices::default()).unwrap();
        let questions = loaded.questions(&[], &[]).unwrap();
        let only = [ENUMERATE, TABLEAU, BDD, SAT, CLUSTER].map(EngineChoice::Only);
        let verdicts = only.into_iter().chain([EngineChoice::Auto]).map(|engine| {
            let engine = EngineOptions { engine, ..EngineOptions::default() };
            let options = CheckOptions { engine, traces: Traces::Shown, ..CheckOptions::default() };
            let report = check(&loaded, &questions, options, Watch::none());
            report.properties.into_iter().map(|property| property.verdict).collect::<Vec<_>>()
        });
        told.send(verdicts.collect::<Vec<_>>()).unwrap();
    });
    let verdicts = heard.recv_timeout(PATIENCE).expect("an answer before long");
    // An engine that needs the whole automaton of a path formula may say that this is too large.
    let agrees = |(verdict, expected): (&Verdict, &Verdict)| match verdict {
        Verdict::Unknown(reason) => reason == "the automaton of a path formula is too large",
        decided => decided == expected,
    };
    assert!(verdicts.iter().all(|other| other.iter().zip(&verdicts[0]).all(agrees)), "{verdicts:?}");
    verdicts[0].clone()
}

#[test]
fn over_state_formulas_and_conditions() {
    let text = protocol(
        "",
        &format!(
            "property s = {}\nproperty under = AG ({} -> p)\nproperty c = AG {}\nproperty some = EF {}",
            nested(&["EF p", "EF q", "AG p"]),
            nested(&["EF p", "EF q", "AG (p & q)"]),
            nested(&["p", "q"]),
            nested(&["p", "q"]),
        ),
    );
    assert_eq!(decided(text), [Verdict::True, Verdict::False, Verdict::False, Verdict::True]);
}

#[test]
fn over_path_formulas() {
    let text = protocol(
        "",
        &format!(
            "property all = A {}\nproperty some = E {}",
            nested(&["F p", "p", "q"]),
            nested(&["F p", "G q"])
        ),
    );
    assert_eq!(decided(text), [Verdict::False, Verdict::True]);
}

#[test]
fn in_fairness_and_contents() {
    let text = protocol("", &format!("fair {}\nproperty again = AG AF p", nested(&["p", "EF q"])));
    assert_eq!(decided(text), [Verdict::True]);
    let commitments = format!(
        "commitment c = SC(A, B, {})\ncommitment d = SC(A, B, {})",
        nested(&["p", "q"]),
        nested(&["F p", "q"])
    );
    let acts = "idle -- Cr(A, c) --> idle\nidle -- Cr(A, d) --> idle\n\
                property kept = AG (SC(A, B, F p) -> EF c)\nproperty never = AG !d";
    assert_eq!(decided(protocol(&commitments, acts)), [Verdict::True, Verdict::False]);
}

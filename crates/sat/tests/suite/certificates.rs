//! What IC3 proves comes with an invariant that a separate solver checks; one that is broken is rejected.

use servanda_engine::{NoLimits, Options, Verdict};
use servanda_enumerate::Explored;
use servanda_logic::parse_formula;
use servanda_sat::{Cadical, Certificate, Certified, Flaw, Sat, SatOptions, Solver};
use servanda_syntax::SourceFile;
use servanda_testkit::{RandomModel, Trials};

/// Two agents may enter one after the other; the lock is what keeps them apart, and no few steps show it.
const LOCK: &str = "
Agent Environment
  Vars: lock : {free, one, two, three}; end Vars
  Actions = {none};
  Protocol: Other : {none}; end Protocol
  Evolution:
    lock = one if lock = free and A.Action = enter;
    lock = two if lock = free and B.Action = enter and A.Action = wait;
    lock = free if lock = one and A.Action = leave;
    lock = free if lock = two and B.Action = leave;
  end Evolution
end Agent
Agent A
  Lobsvars = {lock};
  Vars: inside : boolean; end Vars
  Actions = {enter, leave, wait};
  Protocol:
    inside = false and Environment.lock = free : {enter, wait};
    inside = true : {leave, wait};
    Other : {wait};
  end Protocol
  Evolution: inside = true if Action = enter; inside = false if Action = leave; end Evolution
end Agent
Agent B
  Lobsvars = {lock};
  Vars: inside : boolean; end Vars
  Actions = {enter, leave, wait};
  Protocol:
    inside = false and Environment.lock = free : {enter, wait};
    inside = true : {leave, wait};
    Other : {wait};
  end Protocol
  Evolution: inside = true if Action = enter and A.Action = wait; inside = false if Action = leave; end Evolution
end Agent
Evaluation both if A.inside = true and B.inside = true; end Evaluation
InitStates Environment.lock = free and A.inside = false and B.inside = false; end InitStates
Formulae AG !both; end Formulae
";

#[test]
fn invariants_are_checked_by_a_solver_of_their_own() {
    let loaded = servanda_ispl::load(&SourceFile::new("lock.ispl", LOCK));
    let system = loaded.system.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    let mut sat =
        Sat::new(&system.model, Options::default(), SatOptions::default(), &NoLimits).expect("a small model");
    let verdict = sat.decide(&system.properties[0].formula, &NoLimits).expect("no fault");
    assert_eq!(verdict, Verdict::True);
    let certificate = sat.certificate().expect("a proof by IC3").clone();
    assert_eq!(sat.flaw(&certificate, &NoLimits).expect("an answer"), None);

    let nothing = Certificate::default();
    assert_eq!(sat.flaw(&nothing, &NoLimits).expect("an answer"), Some(Flaw::Bad));
    let everything = Certificate { excluded: vec![Vec::new()] };
    assert_eq!(sat.flaw(&everything, &NoLimits).expect("an answer"), Some(Flaw::Initial));
    let broken = (0..certificate.excluded.len()).filter(|left_out| {
        let mut fewer = certificate.clone();
        fewer.excluded.remove(*left_out);
        sat.flaw(&fewer, &NoLimits).expect("an answer").is_some()
    });
    assert!(broken.count() > 0, "no cube of the invariant is needed");
}

/// A text in the DIMACS format, read and solved by a solver that knows nothing but it.
fn satisfiable(text: &str) -> bool {
    let mut solver = Cadical::default();
    let mut variables = 0;
    for line in text.lines().filter(|line| !line.starts_with('c')) {
        if let Some(sizes) = line.strip_prefix("p cnf ") {
            variables = sizes.split(' ').next().and_then(|word| word.parse().ok()).expect("a number");
            (0..variables).for_each(|_| {
                solver.variable();
            });
            continue;
        }
        let mut clause: Vec<i32> = line.split(' ').map(|word| word.parse().expect("a literal")).collect();
        assert_eq!(clause.pop(), Some(0));
        assert!(clause.iter().all(|literal| (1..=variables).contains(&literal.abs())), "{line}");
        solver.add_clause(&clause);
    }
    solver.solve(&[], u32::MAX).expect("an answer")
}

#[test]
fn written_proofs_are_not_satisfiable() {
    let loaded = servanda_ispl::load(&SourceFile::new("lock.ispl", LOCK));
    let system = loaded.system.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    let mut sat =
        Sat::new(&system.model, Options::default(), SatOptions::default(), &NoLimits).expect("a small model");
    let certified = sat.certify(&system.properties[0].formula, &NoLimits).expect("no fault");
    let Certified::Proof(proof) = certified else { panic!("{certified:?}") };
    for (part, text) in proof.named() {
        assert!(!satisfiable(text), "{part}\n{text}");
        // What is asked is not impossible by itself: without the last requirement there is an answer.
        let fewer: Vec<&str> = text.lines().collect();
        assert!(satisfiable(&fewer[..fewer.len() - 1].join("\n")), "{part}");
    }
    // Whoever leaves the invariant out of a proof is found out.
    let invariant = proof.safety.lines().rev().nth(1);
    let broken: Vec<&str> = proof.safety.lines().filter(|line| Some(*line) != invariant).collect();
    assert!(satisfiable(&broken.join("\n")));
}

/// Proofs about random models: what is certified holds, what holds is certified, and the texts are not satisfiable.
#[test]
fn proofs_about_random_models_are_right() {
    let (mut proved, mut asked) = (0, 0);
    for RandomModel { text, model, options, .. } in Trials::from_environment(200).ispl_models() {
        let mut sat = Sat::new(&model, options, SatOptions::default(), &NoLimits).expect("a small model");
        let mut explored = Explored::new(&model, options, &NoLimits).expect("a small model");
        let names = model.propositions.iter().map(|named| named.name.as_str());
        let names: Vec<&str> = names.filter(|name| !name.contains('.')).collect();
        for (one, other) in names.iter().zip(names.iter().skip(1)) {
            let text_of_formula = format!("AG !({one} & !{other})");
            let formula = parse_formula(&text_of_formula).expect("a formula");
            let holds = explored.decide(&formula, &NoLimits).expect("no fault") == Verdict::True;
            asked += 1;
            match sat.certify(&formula, &NoLimits).expect("no fault") {
                Certified::Proof(proof) => {
                    assert!(holds, "{text_of_formula} is certified and does not hold:\n{text}");
                    for (part, question) in proof.named() {
                        assert!(!satisfiable(question), "{part} of {text_of_formula}:\n{text}");
                    }
                    proved += 1;
                }
                Certified::Nothing(why) => {
                    assert!(!holds || why.contains("fairness"), "{text_of_formula}: {why}\n{text}");
                }
            }
        }
    }
    println!("{proved} of {asked} have proofs");
    assert!(proved * 20 > asked, "only {proved} of {asked} have proofs");
}

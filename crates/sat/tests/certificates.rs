//! What IC3 proves comes with an invariant that a separate solver checks; one that is broken is rejected.

use servanda_engine::{NoLimits, Options, Verdict};
use servanda_sat::{Certificate, Flaw, Sat, SatOptions};
use servanda_syntax::SourceFile;

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

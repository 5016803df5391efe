//! The generated Pact models whose verdicts an independent program computed, decided with diagrams.

use servanda_engine::{NoLimits, Options, Verdict};
use servanda_symbolic::Symbolic;
use servanda_testkit::random_corpus;

#[test]
fn every_verdict_of_the_random_corpus() {
    let (mut decided, mut unknown, mut wrong) = (0, 0, Vec::new());
    for (path, protocol) in random_corpus() {
        for property in &protocol.properties {
            let mut symbolic = Symbolic::new(&protocol.model, Options::default(), 1 << 16, &NoLimits)
                .expect("a small model");
            match symbolic.decide(&property.formula, &NoLimits).expect("no fault") {
                Verdict::Unknown(_) => unknown += 1,
                verdict => {
                    decided += 1;
                    if verdict.decided() != property.expected {
                        wrong.push(format!("{} {}: {verdict:?}", path.display(), property.name));
                    }
                }
            }
        }
    }
    println!("{decided} decided, {unknown} unknown (nothing at all where there is no corpus)");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

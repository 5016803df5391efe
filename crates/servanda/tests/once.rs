//! A model is lowered once and explored once, whoever asks about it. A binary of its own, since what is counted is counted for the whole process.

use servanda::{CheckOptions, Choices, Language, Loaded, Traces, Watch, check};

#[test]
fn verdicts_warnings_and_evidence_share_one_space_and_one_lowering() {
    let text = include_str!("../../../examples/netbill.pact");
    let loaded = Loaded::read(Language::Pact, "netbill.pact", text, Choices::default()).expect("the example");
    let questions = loaded.questions(&[], &[]).expect("its properties");
    let options = CheckOptions { traces: Traces::Shown, ..CheckOptions::default() };
    let before = (servanda_space::spaces_made(), servanda_lower::models_lowered());
    let report = check(&loaded, &questions, options, Watch::none());
    let made = servanda_space::spaces_made() - before.0;
    assert!(report.properties.iter().all(|property| property.verdict.decided().is_some()));
    // One for all questions, and one of the reference engine, which decides evidence again.
    assert_eq!(made, 2, "spaces");
    assert_eq!(servanda_lower::models_lowered() - before.1, 1, "lowerings");
}

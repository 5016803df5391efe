//! What other programs than the page ask of jobs: standard form, and checks that explain what is not as wanted.

use serde_json::json;

use super::talk::{about, done, example, of_kind};
use crate::program::{run, run_on};

#[test]
fn a_text_is_written_in_standard_form() {
    let text = "protocol X\nroles A\nstart s\ns--A:go-->s\n";
    let told = done(&about("x.pact", text, json!({"kind": "format"})));
    assert_eq!(of_kind(&told, "formatted")[0]["text"], run_on(text, &["fmt"]).stdout);
    for (path, text) in [("x.pact", "protocol"), ("x.ccs", "agent X = 0;")] {
        let told = done(&about(path, text, json!({"kind": "format"})));
        assert!(of_kind(&told, "formatted").is_empty(), "{told:#?}");
        assert_eq!(of_kind(&told, "findings").last().unwrap()["findings"][0]["severity"], "error");
    }
}

#[test]
fn a_check_explains_as_many_verdicts_as_it_is_asked_to() {
    let text = example("examples/netbill.pact").replace("expect false", "expect true ");
    for (asked, shown) in [(0, 0), (1, 1), (9, 2)] {
        let told = done(&about("netbill.pact", &text, json!({"kind": "check", "explain": asked})));
        let evidence = of_kind(&told, "evidence");
        assert_eq!(evidence.len(), shown);
        for event in evidence {
            let name = event["verdict"]["name"].as_str().unwrap();
            let drawn = run(&["explain", "examples/netbill.pact", "--property", name]).stdout;
            assert_eq!(event["chart"].as_str().unwrap().trim_end(), drawn.trim_end(), "{name}");
        }
    }
}

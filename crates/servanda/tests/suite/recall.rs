//! Beliefs, and what agents remember.

use crate::program::{run, run_on};

/// The guard believes the bell until it is shown that there is no fire.
const FALSE_ALARM: &str = "protocol False_alarm
roles Sensor, Guard
private var fire   of Sensor : bool = {false, true}
private var faulty of Sensor : bool = {false, true}
red Sensor : faulty
start quiet
quiet   -- Sensor: ring when fire | faulty --> loud
quiet   -- tick                            --> quiet
loud    -- Sensor: no_smoke when !fire     --> exposed
loud    -- tick                            --> loud
exposed -- tick                            --> exposed
";

fn muddy(more: &[&str]) -> String {
    run(&[&["check", "examples/muddy_children.pact"], more].concat()).transcript()
}

#[test]
fn what_was_heard_is_remembered() {
    insta::assert_snapshot!("forgotten", muddy(&[]));
    insta::assert_snapshot!("remembered", muddy(&["--recall", "4"]));
    // The cryptographers stay anonymous, however long they remember.
    let dining = run(&["check", "examples/dining3.ispl", "--recall", "3", "--format", "json"]).json();
    assert_eq!(dining["properties"][0]["verdict"], "true");
    for engine in ["enumerate", "bdd"] {
        // Known without looking at all runs, and not known.
        let formula = "AX AX AX (ann & bob -> K(Ann, ann) & GCK(ann & bob))";
        let ran = |recall: &[&str]| {
            let asked = ["check", "examples/muddy_children.pact", "--formula", formula, "--engine", engine];
            run(&[&asked[..], &["--format", "json"], recall].concat()).json()["properties"][0]["verdict"]
                .clone()
        };
        assert_eq!(ran(&[]), "false", "{engine}");
        assert_eq!(ran(&["--recall", "3"]), "true", "{engine}");
        assert_eq!(ran(&["--recall", "2"]), "unknown", "{engine}");
    }
}

#[test]
fn what_is_not_certain_is_unknown() {
    insta::assert_snapshot!("beyond", muddy(&["--recall", "1", "--property", "it_is_kept"]));
    for engine in ["tableau", "sat", "bdd"] {
        let more = ["--recall", "4", "--property", "it_is_kept", "--engine", engine];
        insta::assert_snapshot!(format!("unknown_{engine}"), muddy(&more));
    }
    insta::assert_snapshot!("too_far", muddy(&["--recall", "1001"]));
    let states = ["states", "examples/muddy_children.pact", "--recall", "2", "--formula"];
    insta::assert_snapshot!("states", run(&[&states[..], &["K(Ann, ann)"]].concat()).transcript());
    assert!(run(&[&states[..], &["EF ann"]].concat()).stdout.contains("satisf"));
}

#[test]
fn a_wrong_belief_is_shown_with_a_plausible_point() {
    let explain = |formula: &str| run_on(FALSE_ALARM, &["explain", "--formula", formula]).transcript();
    insta::assert_snapshot!("mistaken", explain("AG (B(Guard, fire) -> fire)"));
    insta::assert_snapshot!("not_believed", explain("AG B(Guard, fire)"));
    insta::assert_snapshot!("not_believed_any_more", explain("AG (in exposed -> B(Guard, !faulty))"));
}

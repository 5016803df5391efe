//! Evidence as people see it.

use servanda::{CheckOptions, Choices, Language, Loaded, Traces, Watch, check};
use servanda_report::{Input, Style, text};

/// What is shown for formulas about a text.
fn shown(loaded: &Loaded, formulas: &[&str], options: CheckOptions) -> String {
    let formulas: Vec<String> = formulas.iter().map(|formula| (*formula).to_owned()).collect();
    let questions = loaded.questions(&[], &formulas).expect("formulas with a meaning");
    let options = CheckOptions { traces: Traces::Shown, ..options };
    let report = check(loaded, &questions, options, Watch::none());
    assert_eq!(report.run.input, Input::Good, "{:?}", report.run.findings);
    let shown = text::check(&report, Style::plain());
    // What is said about the model as a whole is tested elsewhere.
    shown.split("\n\n").next().unwrap_or_default().to_owned()
}

fn pact(text: &str, formulas: &[&str]) -> String {
    shown(
        &Loaded::read(Language::Pact, "test.pact", text, Choices::default()).expect("a protocol"),
        formulas,
        CheckOptions::default(),
    )
}

const SHOP: &str = "
protocol Shop
roles Cus, Mer
var paid : bool = false
private var rich of Cus : bool = {false, true}
commitment order = SC(Cus, Mer, F paid)
start idle
idle  -- Cr(Cus, order)                --> open
open  -- Cus: pay  set paid = true     --> open
open  -- Cus: wait                     --> open
open  -- Wit(Cus, order)               --> idle
idle  -- Mer: close                    --> shut
";

const LAMP: &str = "
protocol Lamp
roles User, Cat
var on, bright : bool = false
start off
off -- User: press set on = true     --> lit
lit -- User: turn  set bright = true --> lit
lit -- Cat: sleep                    --> lit
off -- User: wait                    --> off
";

#[test]
fn paths_and_lassos() {
    insta::assert_snapshot!(pact(
        SHOP,
        &["AF paid", "EF paid", "AG EF paid", "A G F !in idle", "AX in open"]
    ));
}

#[test]
fn knowledge() {
    insta::assert_snapshot!(pact(SHOP, &["K(Mer, rich)", "EF !K(Mer, rich)", "AG (paid -> GCK(rich))"]));
}

#[test]
fn commitments() {
    insta::assert_snapshot!(pact(
        SHOP,
        &["AG SC(Cus, Mer, F paid)", "EF (SC(Cus, Mer, F paid) & !SC(Cus, Mer, paid))"]
    ));
}

#[test]
fn the_past() {
    insta::assert_snapshot!(pact(
        SHOP,
        &["AG (in shut -> P paid)", "EF EP paid", "EF (in idle & EY in open)"]
    ));
}

#[test]
fn strategies() {
    insta::assert_snapshot!(pact(LAMP, &["<User>F bright", "<User>G !bright", "<User>X on", "!<Cat>F on"]));
}

#[test]
fn several_branches() {
    insta::assert_snapshot!(pact(SHOP, &["EF (EX paid & EX in idle & !paid)"]));
}

#[test]
fn processes() {
    let text = "proc P = a.b.P + c.nil\nproc Q = 'a.Q\nproc S = (P | Q) \\ {a}\n";
    let loaded =
        Loaded::read(Language::Ccs, "test.ccs", text, Choices { process: Some("S"), ..Choices::default() })
            .unwrap();
    insta::assert_snapshot!(shown(
        &loaded,
        &["EF does(b)", "AG EF does(b)", "E G F does(a)"],
        CheckOptions::default()
    ));
}

#[test]
fn rounds() {
    let loaded = Loaded::read(
        Language::Ispl,
        "trains3.ispl",
        include_str!("../../../../examples/trains3.ispl"),
        Choices::default(),
    )
    .unwrap();
    insta::assert_snapshot!(shown(&loaded, &[], CheckOptions::default()));
}

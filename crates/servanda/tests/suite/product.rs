//! The papers' automaton over a model: `servanda abta --model`.

use std::cell::Cell;
use std::sync::Arc;

use servanda::{CheckOptions, Choices, Language, Loaded, Question, Refusal, Watch};
use servanda_abta::product::{Product, Sign};
use servanda_abta::{Logic, Options};
use servanda_logic::Features;
use servanda_syntax::{SourceFile, Span};
use servanda_testkit::random::cases;
use servanda_testkit::{Trials, Tried};

use crate::program::{run, run_on_aut};

const FIGURE_2: &str = "examples/figure2.pact";
const FORMULA_1: &str = "AG (Ch(Ag2, SC(Ag1, Ag2, phi1)) -> F Jus(Ag1, SC(Ag1, Ag2, phi1), phi2))";

fn made(loaded: &Loaded, text: &str, logic: Option<Logic>) -> Result<Product, Refusal> {
    let source = Arc::new(SourceFile::new("<formula>", text));
    let formula = loaded.formula(text).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
    let question =
        Question::new("formula".to_owned(), text, formula, None, (&source, Span::new(0, text.len())));
    servanda::product(loaded, &question, Options { logic, ..Options::default() }, 50_000, Watch::none())
}

fn product(model: &str, formula: &str, logic: Logic) -> Product {
    let loaded = Loaded::read(Language::Pact, "model.pact", model, Choices::default()).unwrap();
    made(&loaded, formula, Some(logic)).unwrap_or_else(|_| panic!("there is no product"))
}

fn figure_2() -> String {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::read_to_string(root.join(FIGURE_2)).unwrap()
}

/// Examples 1 to 4 of the ACTL* paper.
#[test]
fn the_worked_example_of_the_actl_paper() {
    let product = product(&figure_2(), FORMULA_1, Logic::Actl);
    // Example 1: 17 rows. Example 3: all but (2) and (4) are acceptance states.
    let abta = &product.translation.automaton;
    assert_eq!(abta.states.len(), 17);
    let [set] = abta.acceptance.as_slice() else { panic!("one acceptance set") };
    let others: Vec<usize> =
        abta.iter().filter(|(id, _)| !set.states.contains(id)).map(|(_, state)| state.number).collect();
    assert_eq!(others, [2, 4]);
    // Example 2: the root is positive and labelled <¬, s0>, its successor negative and labelled <∨, s0>, and that has two negative
    // successors labelled <<Ch>, s0> and <X, s0>.
    let shown = |number: u32| product.shown(&product.nodes[number as usize]);
    let next = |number: u32| product.nodes[number as usize].successors.clone();
    assert_eq!(shown(product.roots[0]), "+<¬, s0>");
    let [or] = next(product.roots[0])[..] else { panic!("one successor") };
    assert_eq!(shown(or), "-<∨, s0>");
    let [challenge, step] = next(or)[..] else { panic!("two successors") };
    assert_eq!((shown(challenge), shown(step)), ("-<<Ch>, s0>".to_owned(), "-<X, s0>".to_owned()));
    assert_eq!(product.nodes[or as usize].clause, "3.b");
    // Example 4: that leaf is successful; the infinite path goes through (2) and (4) only; the formula holds.
    assert!(next(challenge).is_empty());
    let leaf = product.search.calls.iter().find(|call| call.node == challenge).unwrap();
    assert!(leaf.value);
    for node in 0..product.nodes.len() as u32 {
        let (mut seen, mut open) = (vec![false; product.nodes.len()], next(node));
        while let Some(other) = open.pop() {
            if !std::mem::replace(&mut seen[other as usize], true) {
                open.extend(next(other));
            }
        }
        let row = abta.state(product.nodes[node as usize].row).number;
        assert!(!seen[node as usize] || [2, 4].contains(&row), "row {row} is on a cycle");
    }
    assert!(product.search.verdict && product.sound && !product.differs());
    // The challenge is entered: its commitment, what it claims, and what is challenged.
    assert_eq!(product.inside.iter().map(|(_, inside)| inside.states.len()).collect::<Vec<_>>(), [3]);
}

/// Section 8 of the CTL*CA paper: neutral nodes check the form of the justification, and the leaf (¬φ' ∨ φ, s3,4) is a positive one.
#[test]
fn the_case_study_of_the_ctlca_paper() {
    let model = figure_2().replace("SC(Ag1, Ag2, phi1)", "PC(Ag1, Ag2, 1, phi1)");
    let formula = FORMULA_1.replace("SC(Ag1, Ag2, phi1)", "PC(Ag1, Ag2, 1, phi1)");
    let product = product(&model, &formula, Logic::CtlCa);
    assert_eq!(product.translation.automaton.states.len(), 18);
    let sizes: Vec<usize> = product.inside.iter().map(|(_, inside)| inside.states.len()).collect();
    assert_eq!(sizes, [3, 5]);
    assert!(product.nodes.iter().any(|node| node.sign == Sign::Neutral));
    let leaves = product.nodes.iter().filter(|node| node.successors.is_empty());
    let leaves: Vec<String> = leaves.map(|node| product.shown(node)).collect();
    assert!(leaves.contains(&"+<!phi2 | phi1, s3.4>".to_owned()), "{leaves:?}");
    assert!(product.search.verdict && product.sound);
}

const FORK: &str = "
    protocol Fork
    roles A, B
    var p : bool = false
    commitment c = SC(A, B, p)
    start s
    s -- A: left set p = true --> t
    s -- B: right --> u
    t -- A: stay --> t
    u -- B: stay --> u
";

/// What each paper's search says where it is wrong, and what is blamed.
#[test]
fn each_contradiction_is_flagged() {
    let blamed = |formula: &str, logic: Logic| {
        let product = product(FORK, formula, logic);
        assert!(product.differs(), "{formula}: {}", product.sound);
        let fault = &product.faults[0];
        assert!(!fault.way.is_empty());
        (product.search.verdict, fault.blame.item)
    };
    assert_eq!(blamed("EX p", Logic::CtlCa), (false, Some(1)));
    assert_eq!(blamed("E Cr(A, c)", Logic::CtlCa), (true, Some(2)));
    assert_eq!(blamed("(EX AG p) | (EX AG p)", Logic::CtlCa).1, Some(1));
    assert_eq!(blamed("SC(A, B, true)", Logic::CtlCa), (false, None));
    // Figure 5 does not look at atoms outside of decompositions, and returns after the first successor.
    assert_eq!(blamed("p", Logic::Actl), (true, None));
    assert_eq!(blamed("p", Logic::Scctl), (true, None));
    assert!(!product(FORK, "p", Logic::CtlCa).differs());
}

/// On random protocols: the sound verdict is the one of `check`, and where the printed search differs some clause is blamed, at a node
/// whose value is wrong although it was made from right ones.
#[test]
fn every_difference_is_flagged() {
    let time =
        Features::QUANTIFIERS.with(Features::FUTURE).with(Features::PATH_FORMULAS).with(Features::BRANCHING);
    let features = time.with(Features::DOES).with(Features::ACTS).with(Features::COMMITMENTS);
    for logic in [Logic::Actl, Logic::CtlCa, Logic::Scctl] {
        let (decided, differing) = (Cell::new(0_u32), Cell::new(0_u32));
        Trials::from_environment(150).run(&cases(features, 3), |case| {
            let loaded =
                Loaded::read(Language::Pact, "random.pact", case.text(), Choices::default()).unwrap();
            if loaded.model().has_fairness() {
                return Ok(Tried::Holds);
            }
            let questions = loaded.questions(&[], &[]).unwrap();
            for question in &questions {
                let options = Options { logic: Some(logic), ..Options::default() };
                let Ok(product) = servanda::product(&loaded, question, options, 20_000, Watch::none()) else {
                    continue;
                };
                decided.set(decided.get() + 1);
                let acts = match logic {
                    Logic::Actl => servanda_abta::ActReading::Actl,
                    Logic::CtlCa => servanda_abta::ActReading::Ctlca,
                    Logic::Scctl => servanda_abta::ActReading::Scctl,
                };
                let mut readings = CheckOptions::default();
                readings.readings.acts = Some(acts);
                let report =
                    servanda::check(&loaded, std::slice::from_ref(question), readings, Watch::none());
                if report.properties[0].verdict.decided().is_some_and(|verdict| verdict != product.sound) {
                    return Err(format!(
                        "check says otherwise of {}\n{}",
                        question.property.text,
                        case.text()
                    ));
                }
                check_faults(&product).map_err(|what| {
                    format!("{what}: {} by {}\n{}", question.property.text, logic.name(), case.text())
                })?;
                differing.set(differing.get() + u32::from(product.differs()));
            }
            Ok(Tried::Holds)
        });
        let (decided, differing) = (decided.get(), differing.get());
        println!("{}: the printed search differs {differing} times of {decided}", logic.name());
        assert!(decided > 100 && differing > decided / 50 && differing < decided, "{differing} of {decided}");
    }
}

fn check_faults(product: &Product) -> Result<(), &'static str> {
    let calls = &product.search.calls;
    let is_wrong = |call: u32| {
        let call = &calls[call as usize];
        product.nodes[call.node as usize].sound.is_some_and(|sound| sound != call.value)
    };
    let way = product.faults.iter().find(|fault| !fault.way.is_empty());
    if product.differs() && way.is_none() {
        return Err("nothing is blamed");
    }
    for fault in &product.faults {
        if !fault.calls.iter().all(|call| is_wrong(*call) || fault.blame.item == Some(7)) {
            return Err("a right value is blamed");
        }
        if fault.way.windows(2).any(|pair| calls[pair[1] as usize].parent != Some(pair[0])) {
            return Err("the way is none");
        }
    }
    let faultless = |number: u32| {
        !calls.iter().enumerate().any(|(below, call)| call.parent == Some(number) && is_wrong(below as u32))
    };
    if product.faults.iter().flat_map(|fault| &fault.calls).take(20).any(|call| !faultless(*call)) {
        return Err("a node is blamed that was misled");
    }
    if product.nodes.len() as u64 > product.bounds[0].value || product.search.nodes > product.nodes.len() {
        return Err("the counts do not fit");
    }
    Ok(())
}

#[test]
fn formats() {
    let figure = |arguments: &[&str]| run(&[&["abta", "--model", FIGURE_2], arguments].concat()).transcript();
    insta::assert_snapshot!("text", figure(&[FORMULA_1]));
    insta::assert_snapshot!("scctl", figure(&[FORMULA_1, "--logic", "scctl"]));
    insta::assert_snapshot!("ctlca", figure(&["AX AX phi1", "--logic", "ctlca", "--closure"]));
    insta::assert_snapshot!("dot", figure(&["EX phi1", "--format", "dot"]));
    insta::assert_snapshot!("svg", figure(&["EX phi1", "--format", "svg"]));
    insta::assert_snapshot!("json", figure(&["E Ac(Ag2, c)", "--format", "json", "--closure"]));
}

#[test]
fn other_languages() {
    let abta = |formula| ["abta", formula, "--logic", "ctlca", "--model"];
    let ispl = run(&[&abta("EF paid1")[..], &["examples/dining3.ispl"]].concat());
    assert_eq!(ispl.status, 0, "{}", ispl.stderr);
    let ccs = run(&[&abta("AG EF does(create)")[..], &["examples/pnaws.ccs:Closed"]].concat());
    assert_eq!(ccs.status, 0, "{}", ccs.stderr);
    let aut = run_on_aut("des (0, 1, 2)\n(0, a, 1)\n", &abta("EF does(a)"));
    assert_eq!(aut.status, 0, "{}", aut.stderr);
}

#[test]
fn mistakes() {
    let figure = |arguments: &[&str]| run(&[&["abta", "--model", FIGURE_2], arguments].concat()).transcript();
    insta::assert_snapshot!("unknown_name", figure(&["EX phi3"]));
    insta::assert_snapshot!("path_formula", figure(&["X phi1"]));
    insta::assert_snapshot!("sound_rules", figure(&["EX phi1", "--rules", "sound"]));
    insta::assert_snapshot!("hoa", figure(&["EX phi1", "--format", "hoa"]));
    insta::assert_snapshot!("too_many_nodes", figure(&["AG EF phi1", "--nodes", "3"]));
    insta::assert_snapshot!("no_time", figure(&["AG EF phi1", "--timeout", "0"]));
    insta::assert_snapshot!("no_file", run(&["abta", "p", "--model", "examples/missing.pact"]).transcript());
    for option in [&["--param", "N=1"][..], &["--process", "P"], &["--input", "ccs"]] {
        let ran = run(&[&["abta", "p"], option].concat());
        assert_eq!(ran.status, 2, "{option:?}");
        assert!(ran.stderr.contains("only with --model"), "{}", ran.stderr);
    }
}

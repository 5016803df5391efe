//! Slices as users meet them: the same verdicts and evidence with them and without them, from every engine, and a word on what was left
//! out.

use servanda::{
    BDD, CLUSTER, CheckOptions, Choices, ENUMERATE, EngineChoice, EngineOptions, Language, Loaded, SAT,
    TABLEAU, Traces, Watch, check,
};
use servanda_report::{CheckReport, Space, Statistics, Trace};

/// Pairs of agents that have nothing to do with each other, four of them: 20 states each.
fn sessions(more: &str) -> String {
    let mut text = "protocol Sessions\nroles A0, B0, A1, B1, A2, B2, A3, B3\n".to_owned();
    for i in 0..4 {
        text += &format!(
            "var tries{i} : 0..3 = 0\n\
             machine M{i} {{\n\
               start idle\n\
               idle -- A{i}: ask{i} --> asked\n\
               asked -- B{i}: no{i} when tries{i} < 3 set tries{i} = tries{i} + 1 --> idle\n\
               asked -- B{i}: yes{i} --> granted\n\
               granted -- A{i}: pay{i} --> paid\n\
               paid -- B{i}: send{i} --> done\n\
               done -- A{i}: again{i} set tries{i} = 0 --> idle\n\
             }}\n"
        );
    }
    text + more
}

const PROPERTIES: &str = "\
    property safe = AG (M0 in paid -> tries0 <= 3)\n\
    property live = AG (M0 in paid -> EF M0 in done)\n\
    property served = AG (M0 in asked -> AF M0 in done)\n\
    property seldom = AG !(M0 in done & tries0 = 2)\n\
    property next = AG (M1 in paid -> AX M1 in done)\n";

fn decided(text: &str, engine: EngineChoice, unreduced: bool, statistics: Statistics) -> CheckReport {
    let loaded = Loaded::read(Language::Pact, "sessions.pact", text.to_owned(), Choices::default());
    let loaded = loaded.expect("no mistakes");
    let questions = loaded.questions(&[], &[]).expect("properties");
    let engine = EngineOptions { engine, unreduced, statistics, ..EngineOptions::default() };
    let options = CheckOptions { engine, traces: Traces::Shown, ..CheckOptions::default() };
    check(&loaded, &questions, options, Watch::none())
}

fn verdicts(report: &CheckReport) -> Vec<Option<bool>> {
    report.properties.iter().map(|property| property.verdict.decided()).collect()
}

/// How many steps the evidence for each property has.
fn lengths(report: &CheckReport) -> Vec<Option<usize>> {
    let length = |trace: &Trace| match trace {
        Trace::Evidence { evidence, .. } => Some(evidence.line().path.steps.len()),
        _ => None,
    };
    report.properties.iter().map(|property| length(&property.trace)).collect()
}

#[test]
fn verdicts_and_evidence_do_not_depend_on_slices() {
    let text = sessions(PROPERTIES);
    let expected = [Some(true), Some(true), Some(false), Some(false), Some(false)];
    let whole = decided(&text, EngineChoice::Only(TABLEAU), true, Statistics::Hidden);
    assert_eq!(verdicts(&whole), expected);
    assert!(whole.run.slices.is_empty());
    for engine in
        [EngineChoice::Auto, EngineChoice::Only(TABLEAU), EngineChoice::Only(BDD), EngineChoice::Only(SAT)]
    {
        let sliced = decided(&text, engine, false, Statistics::Hidden);
        assert_eq!(verdicts(&sliced), expected, "{engine:?}");
        assert_eq!(lengths(&sliced)[3], lengths(&whole)[3], "{engine:?}");
        assert!(lengths(&sliced)[2].is_some() && lengths(&sliced)[4].is_some(), "{engine:?}");
        let [slice] = sliced.run.slices.as_slice() else { panic!("{:?}", sliced.run.slices) };
        assert_eq!(slice.properties, ["safe", "live", "served", "seldom"]);
        assert_eq!((slice.variables.len(), slice.all_variables), (6, 8));
        assert_eq!((slice.commands, slice.all_commands), (18, 24));
    }
}

/// Two registers that shift in opposite directions and are fed alike.
fn mirrored(bits: usize, properties: &str) -> String {
    let last = bits - 1;
    let names = |register: &str| (0..bits).map(|i| format!("{register}{i}")).collect::<Vec<_>>().join(", ");
    let mut text = format!(
        "protocol Mirror\nroles Ann, Bob\nvar {}, {} : bool = false\nstart s\n",
        names("a"),
        names("b")
    );
    for (name, value) in [("zero", "false"), ("one", "true")] {
        let up = (1..bits).map(|i| format!(", a{i} = a{}", i - 1));
        let down = (0..last).map(|i| format!(", b{i} = b{}", i + 1));
        let shifts: String = up.chain(down).collect();
        text += &format!("s -- Ann: {name} set a0 = {value}, b{last} = {value}{shifts} --> s\n");
    }
    text + properties
}

#[test]
fn variables_that_are_always_equal_are_read_as_one() {
    let text = mirrored(
        14,
        "property same = AG (a13 <-> b0)\nproperty ends = AG !(b1 & a13)\n\
         property full = AG (a0 & a13 -> EF (b0 & b13 & a7))\nproperty ahead = AG (a0 <-> b0)\n\
         property known = AG (b0 -> K(Bob, a13))\n",
    );
    let expected = [Some(true), Some(false), Some(true), Some(false), Some(true)];
    let whole = decided(&text, EngineChoice::Only(TABLEAU), true, Statistics::Hidden);
    assert_eq!(verdicts(&whole), expected);
    for engine in [
        EngineChoice::Auto,
        EngineChoice::Only(TABLEAU),
        EngineChoice::Only(BDD),
        EngineChoice::Only(SAT),
        EngineChoice::Only(CLUSTER),
    ] {
        let sliced = decided(&text, engine, false, Statistics::Hidden);
        assert_eq!(verdicts(&sliced), expected, "{engine:?}");
        assert_eq!(lengths(&sliced), lengths(&whole), "{engine:?}");
        let same = sliced.run.slices.iter().find(|slice| slice.properties.iter().any(|name| name == "same"));
        let left_out = same.map(|slice| slice.variables.len());
        // One register, and where the only machine is. Whoever reads formulas of the slice as they were written reads both registers.
        assert_eq!(left_out, (engine != EngineChoice::Only(CLUSTER)).then_some(15), "{engine:?}");
    }
    // Reasons name what users wrote.
    let ends = decided(&text, EngineChoice::Only(TABLEAU), false, Statistics::Hidden);
    let Trace::Evidence { evidence, .. } = &ends.properties[1].trace else { panic!("no counterexample") };
    let told = format!("{evidence:?}");
    assert!(told.contains("b1 & a13") && !told.contains("a12 & a13"), "{told}");
    let large = mirrored(96, "property same = AG (a95 <-> b0)\n");
    let sliced = decided(&large, EngineChoice::Only(BDD), false, Statistics::Hidden);
    assert_eq!(verdicts(&sliced), [Some(true)]);
}

#[test]
fn the_reference_sees_the_whole() {
    let small = sessions(PROPERTIES)
        .replace("0..3", "0..1")
        .replace("< 3", "< 1")
        .replace("tries0 = 2", "tries0 = 1");
    let report = decided(&small, EngineChoice::Only(ENUMERATE), false, Statistics::Hidden);
    assert!(report.run.slices.is_empty());
}

#[test]
fn counts_are_those_of_the_whole() {
    let text = sessions("property safe = AG (M0 in paid -> tries0 <= 3)\n");
    let report = decided(&text, EngineChoice::Auto, false, Statistics::Shown);
    assert_eq!(report.run.slices.len(), 1);
    let Some(Space::Whole(counts)) = report.model.map(|model| model.space) else { panic!("not counted") };
    assert_eq!(counts.states, 160_000_u32.into());
}

#[test]
fn what_never_holds_in_a_slice_is_warned_of() {
    let text = sessions("property vain = AG ((M0 in idle & M0 in paid) -> AF M0 in done)\n");
    let report = decided(&text, EngineChoice::Auto, false, Statistics::Hidden);
    assert_eq!((verdicts(&report), report.run.slices.len()), (vec![Some(true)], 1));
    let messages: Vec<&str> = report.run.findings.iter().map(|f| f.diagnostic.message.as_str()).collect();
    assert!(messages.iter().any(|message| message.contains("vacuously true")), "{messages:?}");
}

#[test]
fn a_mistake_in_what_a_property_does_not_read_is_found() {
    let text = sessions(PROPERTIES).replace("again3 set tries3 = 0", "again3 set tries3 = tries3 + 1");
    let report = decided(&text, EngineChoice::Only(BDD), false, Statistics::Hidden);
    let messages: Vec<&str> = report.run.findings.iter().map(|f| f.diagnostic.message.as_str()).collect();
    assert!(messages.iter().any(|message| message.contains("tries3")), "{messages:?}");
}

#[test]
fn fairness_of_what_is_not_read_is_respected() {
    // The fourth pair must come to its end again and again, so the first must not be passed over by it alone; but it may be by the others.
    let text = sessions("fair tries3 = 3\nproperty live = AG (M0 in paid -> AF M0 in done)\n");
    for unreduced in [false, true] {
        let report = decided(&text, EngineChoice::Auto, unreduced, Statistics::Hidden);
        assert_eq!(verdicts(&report), [Some(false)], "{unreduced}");
    }
}

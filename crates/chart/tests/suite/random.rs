//! Arbitrary charts, with names that would do harm: drawings are sound, and text stays text.

use crate::support::check_drawings;
use proptest::collection::vec;
use proptest::prelude::*;
use servanda_chart::{
    Bar, Chart, Commitment, End, Explanation, Flight, Fold, Happening, Landing, Moment, Section, Step, html,
    mermaid, svg, text,
};

fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{1,12}",
        "[ -~]{0,60}",
        "\\PC{0,20}",
        any::<String>(),
        Just("<script>alert(1)</script>".to_owned()),
        Just("\"><img src=x onerror=alert(1)>".to_owned()),
        Just("a;b#c%%d: end\n    loop x".to_owned()),
        Just("\u{1b}[31m\u{202e}red\u{ffff}".to_owned()),
    ]
}

fn moments() -> impl Strategy<Value = Moment> {
    (vec(word(), 0..4), vec(word(), 0..3)).prop_map(|(facts, notes)| Moment { facts, notes })
}

fn happenings(lifelines: usize) -> BoxedStrategy<Happening> {
    let one = 0..lifelines;
    let alone = prop_oneof![
        (one.clone(), word()).prop_map(|(at, label)| Happening::Own { at, label }),
        (one.clone(), word()).prop_map(|(from, label)| Happening::Sent { from, label }),
        (one.clone(), word()).prop_map(|(at, label)| Happening::Received { at, label }),
        word().prop_map(Happening::Tick),
        vec(word(), lifelines).prop_map(Happening::Together),
        word().prop_map(Happening::Nobody),
        Just(Happening::Deadlock),
    ];
    if lifelines == 1 {
        return alone.boxed();
    }
    let between =
        (one, proptest::sample::subsequence((1..lifelines).collect::<Vec<_>>(), 1..lifelines), word());
    let between = between.prop_map(move |(from, by, label)| {
        let mut to: Vec<usize> = by.iter().map(|by| (from + by) % lifelines).collect();
        to.sort_unstable();
        Happening::Message { from, to, label }
    });
    prop_oneof![between, alone].boxed()
}

fn flights(moments: usize, lifelines: usize) -> impl Strategy<Value = Flight> {
    let somebody = || proptest::option::of(0..lifelines);
    (word(), somebody(), somebody(), 0..moments, 1..5usize, 0..3).prop_map(
        move |(label, sender, receiver, from, long, kind)| {
            let end = match kind {
                0 if from + long < moments => Landing::Received(from + long),
                1 if from + long < moments => Landing::Lost(from + long),
                _ => Landing::UnderWay,
            };
            Flight { label, sender, receiver, from, copy_of: None, end }
        },
    )
}

/// Perhaps some steps that are not drawn.
fn folds(steps: usize, repeats_from: Option<usize>) -> BoxedStrategy<Vec<Fold>> {
    if steps < 3 {
        return Just(Vec::new()).boxed();
    }
    let one = (1..steps, 1..3usize, 1..4usize, moments()).prop_map(move |(from, period, rounds, after)| {
        let (period, to) = (period.min(from), from + period.min(from) * rounds);
        let across = repeats_from.is_some_and(|repeats| from <= repeats && repeats < to);
        let fits = to <= steps && !across;
        fits.then_some(Fold { from, to, period, after }).into_iter().collect::<Vec<_>>()
    });
    one.boxed()
}

fn bars(moments: usize, commitments: usize) -> impl Strategy<Value = Bar> {
    (0..commitments, 0..moments, 1..4usize, 0..5).prop_map(move |(commitment, from, long, kind)| {
        let end = from + long;
        let end = match kind {
            0 if end < moments => End::Satisfied(end),
            1 if end < moments => End::Violated(end),
            2 if end < moments => End::Withdrawn(end),
            3 if end < moments => End::Replaced(end),
            _ => End::InForce,
        };
        Bar { commitment, from, end }
    })
}

fn charts() -> impl Strategy<Value = Chart> {
    (1..7usize, 0..12usize).prop_flat_map(|(lifelines, steps)| {
        let step = (happenings(lifelines), word(), moments()).prop_map(|(happening, full, after)| Step {
            happening,
            full,
            after,
        });
        let commitments = vec(((word(), word()), proptest::option::of(0..lifelines)), 1..5);
        let folded = proptest::option::of(0..steps.max(1)).prop_flat_map(move |repeats| {
            let repeats = repeats.filter(|from| *from < steps);
            folds(steps, repeats).prop_map(move |folds| (repeats, folds))
        });
        (
            (word(), vec(word(), 0..2), vec(word(), lifelines), moments(), vec(step, steps)),
            folded,
            commitments,
            vec(bars(steps + 1, 1), 0..6),
            vec(flights(steps + 1, lifelines), 0..6),
        )
            .prop_map(
                move |(
                    (title, remarks, lifelines, first, steps),
                    (repeats_from, folds),
                    commitments,
                    bars,
                    flights,
                )| {
                    let commitments = commitments.into_iter();
                    let commitments =
                        commitments.map(|((tag, text), debtor)| Commitment { tag, text, debtor }).collect();
                    let number = 1;
                    Chart {
                        number,
                        title,
                        remarks,
                        lifelines,
                        first,
                        steps,
                        repeats_from,
                        flights,
                        folds,
                        commitments,
                        bars,
                    }
                },
            )
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn drawings_of_any_chart_are_sound(chart in charts(), title in word(), formula in word(), summary in vec(word(), 0..3)) {
        let explanation = Explanation { title, formula, summary, sections: vec![Section::Chart(chart)] };
        check_drawings(&explanation);
    }
}

#[test]
fn names_are_never_markup() {
    let bad = "<script>alert(1)</script>";
    let mut explanation = crate::support::everything();
    explanation.sections.extend(crate::support::channels().sections);
    explanation.sections.extend(crate::support::folded().sections);
    for (number, section) in explanation.sections.iter_mut().enumerate() {
        if let Section::Chart(chart) = section {
            chart.number = number + 10;
        }
    }
    explanation.title = bad.to_owned();
    explanation.formula = bad.to_owned();
    explanation.summary = vec![bad.to_owned()];
    for section in &mut explanation.sections {
        match section {
            Section::Chart(chart) => {
                chart.title = bad.to_owned();
                chart.remarks = vec![bad.to_owned()];
                chart.lifelines = vec![bad.to_owned(); chart.lifelines.len()];
                chart.first = Moment { facts: vec![bad.to_owned()], notes: vec![bad.to_owned()] };
                for step in &mut chart.steps {
                    step.full = bad.to_owned();
                    step.after = chart.first.clone();
                    match &mut step.happening {
                        Happening::Message { label, .. }
                        | Happening::Sent { label, .. }
                        | Happening::Received { label, .. }
                        | Happening::Tick(label)
                        | Happening::Own { label, .. }
                        | Happening::Nobody(label) => *label = bad.to_owned(),
                        Happening::Together(actions) => actions.iter_mut().for_each(|a| *a = bad.to_owned()),
                        Happening::Deadlock => {}
                    }
                }
                chart.flights.iter_mut().for_each(|flight| flight.label = bad.to_owned());
                chart.folds.iter_mut().for_each(|fold| fold.after = chart.first.clone());
                for commitment in &mut chart.commitments {
                    commitment.tag = bad.to_owned();
                    commitment.text = bad.to_owned();
                }
            }
            Section::Plan(plan) => {
                plan.title = bad.to_owned();
                plan.choices = vec![(bad.to_owned(), bad.to_owned())];
                plan.ends = vec![bad.to_owned()];
                plan.legend = vec![bad.to_owned()];
            }
        }
    }
    check_drawings(&explanation);
    for drawing in [svg(&explanation), html(&explanation), mermaid(&explanation)] {
        assert!(!drawing.contains("<script"), "{drawing}");
    }
    assert!(text(&explanation, 120).contains(bad));
}

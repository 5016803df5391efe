//! Every format, on charts made by hand.

use crate::support::{channels, check_drawings, everything, folded};
use servanda_chart::{Chart, Explanation, Happening, Moment, Section, Step, html, mermaid, svg, text};

#[test]
fn text_with_room() {
    insta::assert_snapshot!(text(&everything(), 120));
}

#[test]
fn text_with_less_room() {
    insta::assert_snapshot!(text(&everything(), 64));
}

#[test]
fn text_without_room_for_lifelines() {
    insta::assert_snapshot!(text(&everything(), 40));
}

#[test]
fn diagram() {
    insta::assert_snapshot!(mermaid(&everything()));
}

#[test]
fn drawing() {
    insta::assert_snapshot!(svg(&everything()));
}

#[test]
fn page() {
    insta::assert_snapshot!(html(&everything()));
}

#[test]
fn words_alone() {
    let explanation = Explanation {
        title: "safe".to_owned(),
        formula: "AG !bad".to_owned(),
        summary: vec!["safe is true: it refers to all paths.".to_owned()],
        sections: Vec::new(),
    };
    check_drawings(&explanation);
    insta::assert_snapshot!(text(&explanation, 80));
}

#[test]
fn drawings_are_sound() {
    check_drawings(&everything());
    check_drawings(&Explanation::default());
}

/// Two charts on one page have different names for their parts.
#[test]
fn several_charts() {
    let mut explanation = everything();
    let Some(Section::Chart(mut second)) = explanation.sections.first().cloned() else { panic!() };
    second.number = 3;
    explanation.sections.push(Section::Chart(second));
    check_drawings(&explanation);
}

#[test]
fn messages_under_way() {
    check_drawings(&channels());
    insta::assert_snapshot!(text(&channels(), 100));
}

#[test]
fn messages_under_way_drawn() {
    insta::assert_snapshot!(svg(&channels()));
}

#[test]
fn messages_under_way_as_a_diagram() {
    insta::assert_snapshot!(mermaid(&channels()));
}

#[test]
fn messages_under_way_without_room() {
    insta::assert_snapshot!(text(&channels(), 40));
}

/// Every message that is sent has one arrow, which ends as it does.
#[test]
fn every_message_has_its_arrow() {
    let drawing = svg(&channels());
    assert_eq!(drawing.matches("<path class=\"lost\"").count(), 1);
    assert_eq!(drawing.matches("<circle class=\"open\"").count(), 1);
    let shown = text(&channels(), 100);
    let count = |sign: char| shown.chars().filter(|character| *character == sign).count();
    assert_eq!((count('✗'), count('◇')), (1, 1));
    // Five are received, and the message to two has two tips.
    assert_eq!(count('▶') + count('◀'), 7);
}

#[test]
fn what_repeats_is_folded() {
    check_drawings(&folded());
    insta::assert_snapshot!(text(&folded(), 80));
    let mut all = folded();
    all.unfold();
    check_drawings(&all);
    assert_eq!(text(&all, 80).matches("ping").count(), 30);
    assert_eq!(text(&folded(), 80).matches("ping").count(), 1);
    assert!(svg(&folded()).matches(">Ann</text>").count() > 1, "names are in view");
}

#[test]
fn what_repeats_is_folded_in_diagrams() {
    insta::assert_snapshot!(mermaid(&folded()));
}

/// An arrow to several has a tip at each.
#[test]
fn every_arrowhead_is_there() {
    let chart = |from: usize, to: &[usize]| Chart {
        lifelines: ["A", "B", "C", "D"].map(str::to_owned).to_vec(),
        steps: vec![Step {
            happening: Happening::Message { from, to: to.to_vec(), label: "m".to_owned() },
            full: String::new(),
            after: Moment::default(),
        }],
        ..Chart::default()
    };
    let shown = |from, to| {
        let sections = vec![Section::Chart(chart(from, to))];
        text(&Explanation { sections, ..Explanation::default() }, 100)
    };
    for (from, to) in [(0, &[1, 2, 3][..]), (3, &[0, 1, 2]), (1, &[0, 2, 3]), (0, &[2]), (2, &[0, 3])] {
        let drawn = shown(from, to);
        assert_eq!(drawn.matches('▶').count(), to.iter().filter(|to| **to > from).count(), "{drawn}");
        assert_eq!(drawn.matches('◀').count(), to.iter().filter(|to| **to < from).count(), "{drawn}");
    }
    insta::assert_snapshot!(format!("{}{}{}", shown(0, &[1, 2, 3]), shown(3, &[0, 1, 2]), shown(1, &[0, 3])));
}

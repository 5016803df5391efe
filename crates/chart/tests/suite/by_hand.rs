//! Every format, on charts made by hand.

use crate::support::{check_drawings, everything};
use servanda_chart::{Explanation, Section, html, mermaid, svg, text};

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
        summary: vec!["safe is true: it speaks of all paths.".to_owned()],
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

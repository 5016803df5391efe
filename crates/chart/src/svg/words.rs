//! Running text in drawings.

use std::fmt::Write as _;

use super::Drawing;
use super::geometry::{CHARACTER, LINE};
use crate::escape::xml;
use crate::layout::wrap;
use crate::{Chart, Plan};

/// Paragraphs that are broken into lines once the width is known.
#[derive(Default)]
pub(super) struct Paragraphs(Vec<(&'static str, String)>);

impl Paragraphs {
    pub(super) fn add(&mut self, class: &'static str, texts: &[String]) {
        self.0.extend(texts.iter().map(|text| (class, text.clone())));
    }

    /// The text, and its height.
    pub(super) fn write(&self, width: usize) -> (String, usize) {
        let mut written = String::new();
        let mut y = 0;
        for (class, text) in &self.0 {
            for line in wrap(text, characters(width)) {
                y += LINE;
                let _ = writeln!(written, "{}", text_at(0, y - 4, class, &line));
            }
        }
        (written, if y == 0 { 0 } else { y + 6 })
    }
}

/// How many characters fit.
pub(super) fn characters(width: usize) -> usize {
    (width * 10 / CHARACTER).max(8)
}

/// A line of text.
pub(super) fn text_at(x: usize, y: usize, class: &str, text: &str) -> String {
    format!("<text class=\"mono {class}\" x=\"{x}\" y=\"{y}\" xml:space=\"preserve\">{}</text>", xml(text))
}

/// What the tags of commitments stand for and what became of them.
pub(super) fn legend(chart: &Chart, width: usize) -> (String, usize) {
    let mut written = String::new();
    let mut y = 0;
    if chart.commitments.is_empty() {
        return (written, 0);
    }
    y += LINE + 6;
    let _ = writeln!(written, "{}", text_at(0, y - 4, "soft small", "Commitments"));
    for (index, commitment) in chart.commitments.iter().enumerate() {
        let violated = chart.is_violated(index);
        let colour = if violated { "barbad".to_owned() } else { bar_class(commitment.debtor) };
        let _ = writeln!(
            written,
            "<rect class=\"{colour}\" x=\"0\" y=\"{}\" width=\"8\" height=\"12\" rx=\"2\"/>",
            y + 4
        );
        let fate = chart.fate(index);
        let mark = if violated { "✗ " } else { "" };
        let text = format!("{mark}{} = {}: {fate}", commitment.tag, commitment.text);
        for line in wrap(&text, characters(width.saturating_sub(16))) {
            y += LINE;
            let _ = writeln!(written, "{}", text_at(16, y - 4, if violated { "bad" } else { "ink" }, &line));
        }
    }
    (written, y + 8)
}

/// The colour of what somebody owes.
pub(super) fn bar_class(debtor: Option<usize>) -> String {
    format!("bar{}", debtor.map_or(4, |debtor| debtor % 5))
}

/// What a coalition does, in words.
pub(super) fn plan(plan: &Plan) -> Drawing {
    const WIDTH: usize = 720;
    let mut paragraphs = Paragraphs::default();
    paragraphs.add("ink strong", &[plan.heading()]);
    for (state, moves) in &plan.choices {
        paragraphs.add("soft", std::slice::from_ref(state));
        paragraphs.add("ink", &[format!("→ {moves}")]);
    }
    for state in &plan.ends {
        paragraphs.add("good", &[format!("reached: {state}")]);
    }
    paragraphs.add("soft", plan.rest().as_slice());
    paragraphs.add("soft", &plan.legend);
    let (body, height) = paragraphs.write(WIDTH);
    Drawing { width: WIDTH, height, body }
}

//! Explanations as SVG: one drawing without scripts and without anything from elsewhere.
//!
//! Text is measured by counting characters, so everything whose width matters is in a monospaced font. Colours follow the
//! reader's choice of a light or dark page, and no meaning is in colour alone.

mod flights;
mod geometry;
mod paint;
mod words;

use std::fmt::Write as _;

use crate::data::Shown;
use crate::escape::xml;
use crate::{Chart, Explanation, Section};
use geometry::Geometry;

/// The margin around everything.
const MARGIN: usize = 16;

/// The style of drawings. Colours are given without variables, which not every viewer knows.
pub(crate) const STYLE: &str = "\
.paper{fill:#ffffff}.ink{fill:#1f2328}.soft{fill:#59636e}.bad{fill:#c01c28}.good{fill:#1a7f37}
.life{stroke:#8c959f;stroke-width:1.5}.head{fill:#f0f3f6;stroke:#8c959f}
.line{stroke:#1f2328;stroke-width:1.5;fill:none}.tip{fill:#1f2328}.band{stroke:#8c959f;stroke-dasharray:3 4}.fold{stroke:#8c959f;stroke-width:3;stroke-dasharray:1 6}
.time{stroke:#0969da;stroke-width:1.5}.lost{stroke:#c01c28;stroke-width:2.5;fill:none}.open{stroke:#1f2328;stroke-width:1.5;fill:#ffffff}
.plate{fill:#ffffff}.note{fill:#fff4d6;stroke:#c9a227}.again{fill:none;stroke:#8250df;stroke-width:1.5;stroke-dasharray:7 4}
.againtext{fill:#8250df}
.bar0{fill:#0969da}.bar1{fill:#bc4c00}.bar2{fill:#1b7c83}.bar3{fill:#8250df}.bar4{fill:#bf3989}.barbad{fill:#c01c28}
.mono{font-family:ui-monospace,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace;font-size:13px}
.small{font-size:12px}.strong{font-weight:bold}.sign{font-size:18px;font-weight:bold}
@media (prefers-color-scheme:dark){
.paper,.plate{fill:#0d1117}.ink,.tip{fill:#e6edf3}.soft{fill:#9198a1}.bad,.barbad{fill:#ff7b72}.good{fill:#3fb950}
.life,.band,.fold{stroke:#656c76}.time{stroke:#4493f8}.lost{stroke:#ff7b72}.open{stroke:#e6edf3;fill:#0d1117}.head{fill:#21262d;stroke:#656c76}.line{stroke:#e6edf3}
.note{fill:#3a2f0b;stroke:#9e7d13}.again{stroke:#b392f0}.againtext{fill:#b392f0}
.bar0{fill:#4493f8}.bar1{fill:#f0883e}.bar2{fill:#39c5cf}.bar3{fill:#b392f0}.bar4{fill:#f778ba}
}";

/// The explanation as one SVG document.
pub fn svg(explanation: &Explanation) -> String {
    let mut body = String::new();
    let mut bottom = MARGIN;
    let mut width = 480;
    let heading = explanation.heading();
    let mut top = words::Paragraphs::default();
    if !heading.is_empty() {
        top.add("ink strong", std::slice::from_ref(&heading));
    }
    top.add("ink", &explanation.summary);
    let drawings: Vec<Drawing> = explanation
        .sections
        .iter()
        .map(|section| match section {
            Section::Chart(chart) => drawing(chart, &chart.heading(explanation.is_numbered())),
            Section::Plan(plan) => words::plan(plan),
        })
        .collect();
    width = drawings.iter().map(|drawing| drawing.width).fold(width, usize::max);
    let (words, height) = top.write(width);
    let _ = writeln!(body, "<g transform=\"translate({MARGIN} {bottom})\">\n{words}</g>");
    bottom += height;
    for drawing in &drawings {
        bottom += 12;
        let _ = writeln!(body, "<g transform=\"translate({MARGIN} {bottom})\">\n{}</g>", drawing.body);
        bottom += drawing.height;
    }
    let (width, height) = (width + 2 * MARGIN, bottom + MARGIN);
    document((width, height), &heading, &description(explanation), STYLE, &body)
}

/// A document of its own, with words for those who do not see it, on paper of the colour that the style says.
pub(crate) fn document(
    (width, height): (usize, usize),
    title: &str,
    description: &str,
    style: &str,
    body: &str,
) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-labelledby=\"title desc\" \
         width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
         <title id=\"title\">{}</title>\n<desc id=\"desc\">{}</desc>\n<style>{style}</style>\n\
         <rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>\n{body}</svg>\n",
        xml(title),
        xml(description)
    )
}

/// The names of the lifelines of a chart as an SVG element of their own, as wide as that of the chart.
pub(crate) fn names(chart: &Chart) -> String {
    let geometry = Geometry::new(chart);
    let (width, height) = (geometry.width + 2, geometry::HEAD + 2);
    format!(
        "<svg class=\"names\" xmlns=\"http://www.w3.org/2000/svg\" aria-hidden=\"true\" width=\"{width}\" \
         height=\"{height}\" viewBox=\"-1 -1 {width} {height}\">\n\
         <rect class=\"paper\" x=\"-1\" y=\"-1\" width=\"{width}\" height=\"{height}\"/>\n{}</svg>\n",
        paint::names(chart, &geometry)
    )
}

/// One chart as an SVG element for a page that has [`STYLE`]; `number` makes its names different from those of others.
pub(crate) fn element(chart: &Chart) -> String {
    let drawing = drawing(chart, "");
    let (width, height, number) = (drawing.width + 2, drawing.height + 2, chart.number);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-labelledby=\"title{number} desc{number}\" \
         width=\"{width}\" height=\"{height}\" viewBox=\"-1 -1 {width} {height}\">\n\
         <title id=\"title{number}\">{}</title>\n<desc id=\"desc{number}\">{}</desc>\n{}</svg>\n",
        xml(&chart.title),
        xml(&steps_in_words(chart)),
        drawing.body
    )
}

/// What a picture cannot tell those who do not see it.
fn description(explanation: &Explanation) -> String {
    let mut parts = explanation.summary.clone();
    for section in &explanation.sections {
        if let Section::Chart(chart) = section {
            parts.push(format!("{}: {}", chart.title, steps_in_words(chart)));
        }
    }
    parts.join(" ")
}

fn steps_in_words(chart: &Chart) -> String {
    let mut words: Vec<String> = chart
        .shown()
        .into_iter()
        .map(|shown| match shown {
            Shown::Step(index) => format!("{}. {}", index + 1, chart.step_words(index)),
            Shown::Fold(fold) => fold.words(),
        })
        .collect();
    if let Some(from) = chart.repeats_from {
        words.push(format!("From {} on it repeats for ever", from + 1));
    }
    words.join("; ")
}

/// A part of a document, at the origin.
pub(crate) struct Drawing {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) body: String,
}

fn drawing(chart: &Chart, heading: &str) -> Drawing {
    let geometry = Geometry::new(chart);
    let mut top = words::Paragraphs::default();
    if !heading.is_empty() {
        top.add("ink strong", &[heading.to_owned()]);
    }
    top.add("ink", &chart.remarks);
    let (mut body, above) = top.write(geometry.width);
    let _ = writeln!(body, "<g transform=\"translate(0 {above})\">\n{}</g>", paint::chart(chart, &geometry));
    let (legend, below) = words::legend(chart, geometry.width);
    let y = above + geometry.height;
    let _ = writeln!(body, "<g transform=\"translate(0 {y})\">\n{legend}</g>");
    Drawing { width: geometry.width, height: y + below, body }
}

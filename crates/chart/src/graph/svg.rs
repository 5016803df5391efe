//! A plain drawing of the graph, for those who have no Graphviz at hand.

use std::fmt::Write as _;

use super::layers::layers;
use super::{Picture, Transition};
use crate::escape::xml;
use crate::layout::{length, shortened};
use crate::svg::document;

const STYLE: &str = "\
.paper{fill:#ffffff}.state{fill:#f0f3f6;stroke:#59636e}.first{stroke-width:3}.dead{stroke-dasharray:4 3}
.edge{fill:none;stroke:#59636e}.tip{fill:#59636e}.back{stroke:#8250df;stroke-linejoin:round}.back+.tip{fill:#8250df}
text{font-family:ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:11px;fill:#1f2328}.label{font-size:10px;fill:#59636e;text-anchor:middle;paint-order:stroke;stroke:#ffffff;stroke-width:3px}
@media (prefers-color-scheme:dark){.paper{fill:#0d1117}.state{fill:#21262d;stroke:#9198a1}text{fill:#e6edf3}.label{fill:#9198a1;stroke:#0d1117}
.edge{stroke:#9198a1}.tip{fill:#9198a1}.back{stroke:#b392f0}.back+.tip{fill:#b392f0}}";

/// The most characters in a line of a box, and of a label. What is left out is in the title, which viewers show on pointing at it.
const BOX: usize = 30;
const LABEL: usize = 34;

/// The width of a character, in tenths.
const CHARACTER: usize = 67;
const LINE: usize = 14;
const LABEL_CHARACTER: usize = 61;
const LABEL_LINE: usize = 12;

/// So many labels of one line are written.
const MOST_LABELS: usize = 3;

struct Place {
    x: usize,
    y: usize,
    width: usize,
    height: usize,
    /// Where the next label of a line that comes from above goes.
    label: usize,
}

impl Place {
    fn middle(&self) -> usize {
        self.x + self.width / 2
    }
}

/// The graph as one SVG document: initial states on top with a thick border, below them what is reached in one step, and so on.
/// A border of dashes is a state without successor.
pub fn graph_svg(graph: &Picture) -> String {
    let bundles = bundles(graph);
    let (mut places, ways, width, height) = places(graph, &bundles);
    let mut out = String::new();
    for (bundle, way) in bundles.iter().zip(&ways) {
        edge(&mut out, &mut places, bundle, way.as_ref());
    }
    let ends = graph.ends();
    for (number, boxed) in graph.boxes.iter().enumerate() {
        let mut class = "state".to_owned();
        if graph.initial.contains(&number) {
            class.push_str(" first");
        }
        if ends[number] {
            class.push_str(" dead");
        }
        let Place { x, y, width, height, .. } = places[number];
        let _ = writeln!(
            out,
            "<g><title>{}</title><rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"5\"/>",
            xml(&boxed.title)
        );
        for (index, line) in boxed.lines.iter().enumerate() {
            let _ = writeln!(
                out,
                "<text x=\"{}\" y=\"{}\">{}</text>",
                x + 6,
                y + LINE * (index + 1),
                xml(&shortened(line, BOX))
            );
        }
        out.push_str("</g>\n");
    }
    let (width, height) = legend(&mut out, &graph.legend, (width, height));
    document((width, height), &graph.name, &graph.description, STYLE, &out)
}

/// Writes what names stand for below the drawing, and gives the size of both.
fn legend(out: &mut String, lines: &[String], (width, height): (usize, usize)) -> (usize, usize) {
    let mut size = (width, height);
    for line in lines {
        size.1 += LINE + 2;
        let _ = writeln!(out, "<text x=\"16\" y=\"{}\">{}</text>", size.1 - 8, xml(line));
        size.0 = size.0.max(32 + (length(line) * CHARACTER).div_ceil(10));
    }
    size
}

/// Transitions between the same states, which are one line with several labels.
struct Bundle<'g> {
    from: usize,
    to: usize,
    labels: Vec<&'g str>,
}

impl Bundle<'_> {
    /// The labels that are written, shortened.
    fn shown(&self) -> Vec<String> {
        let mut shown: Vec<String> =
            self.labels.iter().take(MOST_LABELS).map(|label| shortened(label, LABEL)).collect();
        if self.labels.len() > MOST_LABELS {
            shown.pop();
            shown.push("…".to_owned());
        }
        shown
    }

    /// The labels in one line, shortened.
    fn joined(&self) -> String {
        shortened(&self.labels.join("; "), LABEL)
    }
}

fn bundles(graph: &Picture) -> Vec<Bundle<'_>> {
    let mut bundles: Vec<Bundle<'_>> = Vec::new();
    for transition in &graph.transitions {
        // The transitions of a state follow on each other.
        let mut recent = bundles.iter_mut().rev().take_while(|bundle| bundle.from == transition.from);
        match recent.find(|bundle| bundle.to == transition.to) {
            Some(bundle) => bundle.labels.push(&transition.label),
            None => {
                let Transition { from, to, label } = transition;
                bundles.push(Bundle { from: *from, to: *to, labels: vec![label] });
            }
        }
    }
    bundles
}

/// The way of a line that goes back or to the side: below its state to the right, up or down beside everything, and below the
/// other state to the left. So it crosses no box.
struct Way {
    /// Where it leaves, and where the label stands on it.
    leaves: usize,
    label: usize,
    /// How far to the right it goes.
    beside: usize,
    /// Where it arrives.
    arrives: usize,
}

fn places(graph: &Picture, bundles: &[Bundle<'_>]) -> (Vec<Place>, Vec<Option<Way>>, usize, usize) {
    const GAP: usize = 24;
    const LANE: usize = 8;
    let (layers, depth) = layers(graph);
    let is_down = |bundle: &Bundle<'_>| depth[bundle.to] > depth[bundle.from];
    let goes_round = |bundle: &Bundle<'_>| !is_down(bundle) && bundle.from != bundle.to;
    // The labels that stand above a state: how many, and how long.
    let mut above = vec![(0, 0); graph.boxes.len()];
    for bundle in bundles.iter().filter(|bundle| is_down(bundle)) {
        let (lines, longest) = &mut above[bundle.to];
        for label in bundle.shown() {
            *lines += 1;
            *longest = length(&label).max(*longest);
        }
    }
    let size = |state: usize| {
        let lines = &graph.boxes[state].lines;
        let longest = lines.iter().map(|line| length(line).min(BOX)).max().unwrap_or(0);
        ((longest * CHARACTER / 10 + 14).max(30), (lines.len() * LINE + 8).max(22))
    };
    let room = |state: usize| size(state).0.max(above[state].1 * LABEL_CHARACTER / 10) + GAP;
    let row_width = |layer: &[usize]| layer.iter().map(|state| room(*state)).sum::<usize>();
    let widest = layers.iter().map(|layer| row_width(layer)).max().unwrap_or(0) + 2 * GAP;
    let mut places: Vec<Place> =
        graph.boxes.iter().map(|_| Place { x: 0, y: 0, width: 0, height: 0, label: 0 }).collect();
    // By bundle where it leaves, by state where all lines arrive that go round.
    let mut leaves = vec![0; bundles.len()];
    let mut arrives = vec![0; graph.boxes.len()];
    let mut y = 20;
    for (index, layer) in layers.iter().enumerate() {
        let labels = layer.iter().map(|state| above[*state].0).max().unwrap_or(0);
        y += if index == 0 { 0 } else { 40 + labels * LABEL_LINE };
        let mut x = (widest - row_width(layer)) / 2;
        let mut tallest = 0;
        for &state in layer {
            let (width, height) = size(state);
            let left = x + (room(state) - width) / 2;
            places[state] = Place { x: left, y, width, height, label: y - 14 };
            x += room(state);
            tallest = tallest.max(height);
        }
        y += tallest + 8;
        for bundle in bundles.iter().filter(|bundle| goes_round(bundle) && depth[bundle.to] == index) {
            if arrives[bundle.to] == 0 {
                y += LANE;
                arrives[bundle.to] = y;
            }
        }
        for (number, bundle) in bundles.iter().enumerate() {
            if goes_round(bundle) && depth[bundle.from] == index {
                y += LABEL_LINE;
                leaves[number] = y;
            }
        }
    }
    let round: Vec<&Bundle<'_>> = bundles.iter().filter(|bundle| goes_round(bundle)).collect();
    let longest = round.iter().map(|bundle| length(&bundle.joined())).max().unwrap_or(0);
    let zone = longest * LABEL_CHARACTER / 10 + 12;
    let mut beside = widest + if round.is_empty() { 0 } else { zone };
    let mut ways = Vec::new();
    for (number, bundle) in bundles.iter().enumerate() {
        ways.push(goes_round(bundle).then(|| {
            beside += LANE;
            Way { leaves: leaves[number], label: widest + zone / 2, beside, arrives: arrives[bundle.to] }
        }));
    }
    (places, ways, beside + 20, y + 20)
}

fn edge(out: &mut String, places: &mut [Place], bundle: &Bundle<'_>, way: Option<&Way>) {
    let (from, to) = (&places[bundle.from], &places[bundle.to]);
    let (bottom, title) = (from.y + from.height, xml(&bundle.labels.join("; ")));
    let mut labels = bundle.shown();
    let (class, path, tip, (x, y)) = if let Some(Way { leaves, label, beside, arrives }) = way {
        labels = vec![bundle.joined()];
        let (x1, x2, end) = (from.x + from.width * 3 / 4, to.x + to.width / 4, to.y + to.height);
        let path = format!("M{x1} {bottom} V{leaves} H{beside} V{arrives} H{x2} V{}", end + 8);
        ("edge back", path, format!("M{x2} {end}l-4 10h8z"), (*label, leaves + 3))
    } else if bundle.from == bundle.to {
        let (x, y) = (from.x + from.width, from.y + from.height / 2);
        (
            "edge",
            format!("M{x} {} c30 -20 30 28 8 14", y - 6),
            format!("M{x} {}l10 -4v8z", y + 8),
            (x + 18, y - 14),
        )
    } else {
        let (x1, x2, y2) = (from.middle(), to.middle(), to.y);
        let bend = (y2 - bottom) / 2;
        let path = format!("M{x1} {bottom} C{x1} {} {x2} {} {x2} {}", bottom + bend, y2 - bend, y2 - 8);
        let label = (x2, to.label.saturating_sub((labels.len() - 1) * LABEL_LINE));
        places[bundle.to].label -= labels.len() * LABEL_LINE;
        ("edge", path, format!("M{x2} {y2}l-4 -10h8z"), label)
    };
    let _ = writeln!(out, "<g><title>{title}</title><path class=\"{class}\" d=\"{path}\"/>");
    let _ = writeln!(out, "<path class=\"tip\" d=\"{tip}\"/>");
    for (index, label) in labels.iter().enumerate() {
        let y = y + index * LABEL_LINE;
        let _ = writeln!(out, "<text class=\"label\" x=\"{x}\" y=\"{y}\">{}</text>", xml(label));
    }
    out.push_str("</g>\n");
}

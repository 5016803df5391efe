//! How the states of a model, the time and the memory grow with a parameter: an SVG picture.
//!
//! A picture for each of the three, with the parameter to the right. Where more than one parameter has several values, or
//! there are several files, there is a line for each setting of the others.

mod scale;

use crate::xml::Element;
use crate::{CheckReport, Space, Status, setting};
use scale::Scale;

/// What a picture is made of: the numbers of one report.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    file: String,
    parameters: Vec<(String, i64)>,
    status: Status,
    /// In the order of [`PICTURES`].
    numbers: [Option<f64>; 3],
}

/// What is drawn.
const PICTURES: [&str; 3] = ["states", "seconds", "MiB of memory"];

impl Point {
    /// The numbers of a report.
    pub fn of(report: &CheckReport) -> Self {
        let states = match report.model.as_ref().map(|model| &model.space) {
            Some(Space::Whole(counts)) => counts.states.to_string().parse().ok(),
            _ => None,
        };
        // What has no meaning took no time worth showing.
        let measured = |number: Option<f64>| number.filter(|_| report.status() != Status::Invalid);
        let memory = report.run.peak_memory_bytes.map(|bytes| bytes as f64 / f64::from(1 << 20));
        Point {
            file: report.run.file.clone(),
            parameters: report.run.parameters.clone(),
            status: report.status(),
            numbers: [states, measured(Some(report.run.seconds)), measured(memory)],
        }
    }

    fn value(&self, parameter: &str) -> Option<i64> {
        self.parameters.iter().find(|(name, _)| name == parameter).map(|(_, value)| *value)
    }
}

/// Points that differ in one parameter only, by its value.
struct Line<'p> {
    name: String,
    points: Vec<(i64, &'p Point)>,
}

const WIDTH: f64 = 340.0;
const HEIGHT: f64 = 260.0;
/// What is left around the axes: left, right, above, below.
const MARGINS: (f64, f64, f64, f64) = (64.0, 16.0, 34.0, 42.0);
const LEGEND_LINE: f64 = 18.0;

/// The pictures; `None` if no parameter has several values.
pub fn growth(points: &[Point]) -> Option<String> {
    let parameter = varied(points)?;
    let lines = lines(points, &parameter);
    let legend = if lines.len() > 1 { LEGEND_LINE * lines.len() as f64 + 8.0 } else { 0.0 };
    let (width, height) = (WIDTH * PICTURES.len() as f64, HEIGHT + legend);
    let mut svg = Element::new("svg")
        .attribute("xmlns", "http://www.w3.org/2000/svg")
        .attribute("viewBox", format!("0 0 {width} {height}"))
        .attribute("width", width)
        .attribute("height", height)
        .attribute("font-family", "sans-serif")
        .attribute("font-size", 11)
        .child(Element::new("title").text(&title(points, &parameter)))
        .child(Element::new("style").text(STYLE))
        .child(
            Element::new("rect")
                .attribute("class", "paper")
                .attribute("width", width)
                .attribute("height", height),
        );
    for (number, name) in PICTURES.iter().enumerate() {
        svg = svg.child(picture((number, name), &parameter, &lines));
    }
    if lines.len() > 1 {
        for (number, line) in lines.iter().enumerate() {
            svg = svg.child(legend_line(number, line));
        }
    }
    Some(svg.document())
}

/// Light or dark as the reader's system is; the hues are those of Okabe and Ito, which everybody can tell apart.
const STYLE: &str = "
.paper { fill: #ffffff } text { fill: #222222 } .axis { stroke: #222222 } .grid { stroke: #dddddd }
.line { fill: none; stroke-width: 1.5 } .point { stroke-width: 1.5 } .open { fill: #ffffff } .bad { stroke-width: 2.5 }
.s0 { stroke: #0072b2 } .s1 { stroke: #d55e00 } .s2 { stroke: #009e73 } .s3 { stroke: #cc79a7 } .s4 { stroke: #e69f00 } .s5 { stroke: #56b4e9 }
.f0 { fill: #0072b2 } .f1 { fill: #d55e00 } .f2 { fill: #009e73 } .f3 { fill: #cc79a7 } .f4 { fill: #e69f00 } .f5 { fill: #56b4e9 }
@media (prefers-color-scheme: dark) { .paper, .open { fill: #1b1b1b } text { fill: #e0e0e0 } .axis { stroke: #e0e0e0 } .grid { stroke: #444444 } }
";

/// How many hues there are.
const HUES: usize = 6;

/// The parameter with most values.
fn varied(points: &[Point]) -> Option<String> {
    let mut found: Option<(usize, &str)> = None;
    for (name, _) in points.iter().flat_map(|point| &point.parameters) {
        let mut values: Vec<i64> = points.iter().filter_map(|point| point.value(name)).collect();
        values.sort_unstable();
        values.dedup();
        if values.len() > 1 && found.is_none_or(|(most, _)| values.len() > most) {
            found = Some((values.len(), name));
        }
    }
    found.map(|(_, name)| name.to_owned())
}

fn lines<'p>(points: &'p [Point], parameter: &str) -> Vec<Line<'p>> {
    let several = points.iter().any(|point| point.file != points[0].file);
    let mut lines: Vec<Line<'p>> = Vec::new();
    for point in points {
        let Some(value) = point.value(parameter) else { continue };
        let others: Vec<(String, i64)> =
            point.parameters.iter().filter(|(name, _)| name != parameter).cloned().collect();
        let words = [if several { point.file.clone() } else { String::new() }, setting(&others)];
        let name = words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(", ");
        match lines.iter_mut().find(|line| line.name == name) {
            Some(line) => line.points.push((value, point)),
            None => lines.push(Line { name, points: vec![(value, point)] }),
        }
    }
    lines.iter_mut().for_each(|line| line.points.sort_by_key(|(value, _)| *value));
    lines
}

fn title(points: &[Point], parameter: &str) -> String {
    let mut files: Vec<&str> = Vec::new();
    for point in points {
        if !files.contains(&point.file.as_str()) {
            files.push(&point.file);
        }
    }
    format!("{} by {parameter}", files.join(", "))
}

fn picture((number, name): (usize, &str), parameter: &str, lines: &[Line<'_>]) -> Element {
    let (left, right, above, below) = MARGINS;
    let all = || lines.iter().flat_map(|line| &line.points);
    let seen: Vec<f64> = all().filter_map(|(_, point)| point.numbers[number]).collect();
    let values: Vec<f64> = all().map(|(value, _)| *value as f64).collect();
    let across = Scale::between(&values, (left, WIDTH - right));
    let up = Scale::growing(&seen, (HEIGHT - below, above));
    let shift = WIDTH * number as f64;
    let mut group = Element::new("g").attribute("transform", format!("translate({shift} 0)"));
    group = group.child(text((WIDTH / 2.0, 18.0), "middle", name));
    for (at, label) in up.ticks() {
        group = group.child(stroke("grid", (left, at), (WIDTH - right, at)));
        group = group.child(text((left - 6.0, at + 4.0), "end", &label));
    }
    for (at, label) in across.ticks_at(&values) {
        group = group.child(stroke("axis", (at, HEIGHT - below), (at, HEIGHT - below + 4.0)));
        group = group.child(text((at, HEIGHT - below + 17.0), "middle", &label));
    }
    group = group.child(stroke("axis", (left, HEIGHT - below), (WIDTH - right, HEIGHT - below)));
    group = group.child(stroke("axis", (left, above), (left, HEIGHT - below)));
    group = group.child(text((WIDTH / 2.0, HEIGHT - 8.0), "middle", parameter));
    for (hue, line) in lines.iter().enumerate() {
        let place = |value: i64, seen: f64| (across.place(value as f64), up.place(seen));
        let placed = line.points.iter().map(|(value, point)| Some(place(*value, point.numbers[number]?)));
        // Where a number is missing the line is broken.
        let placed: Vec<Option<(f64, f64)>> = placed.collect();
        for part in placed.split(Option::is_none).filter(|part| part.len() > 1) {
            let corners: Vec<String> = part.iter().flatten().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
            let class = format!("line s{}", hue % HUES);
            let drawn = Element::new("polyline").attribute("class", class);
            group = group.child(drawn.attribute("points", corners.join(" ")));
        }
        for ((_, point), at) in line.points.iter().zip(&placed) {
            if let (Some(at), Some(seen)) = (at, point.numbers[number]) {
                group = group.child(mark(*at, hue, point, &format!("{} {name}", scale::number(seen))));
            }
        }
    }
    group
}

/// A disc; open where something is undecided, crossed out where something is not as wanted.
fn mark((x, y): (f64, f64), hue: usize, point: &Point, words: &str) -> Element {
    let hue = hue % HUES;
    let outcome = match point.status {
        Status::Wanted => "",
        Status::Undecided => ", not everything is decided",
        Status::Unwanted | Status::Invalid => ", not as wanted",
    };
    let told = Element::new("title").text(&format!("{}: {words}{outcome}", setting(&point.parameters)));
    let disc = |fill: &str| {
        let class = format!("point s{hue} {fill}");
        let (x, y) = (format!("{x:.1}"), format!("{y:.1}"));
        Element::new("circle")
            .attribute("class", class)
            .attribute("cx", x)
            .attribute("cy", y)
            .attribute("r", 3.5)
    };
    let drawn = Element::new("g").child(told);
    match point.status {
        Status::Wanted => drawn.child(disc(&format!("f{hue}"))),
        Status::Undecided => drawn.child(disc("open")),
        Status::Unwanted | Status::Invalid => {
            let arm = 4.0;
            let class = format!("bad s{hue}");
            drawn.child(stroke(&class, (x - arm, y - arm), (x + arm, y + arm))).child(stroke(
                &class,
                (x - arm, y + arm),
                (x + arm, y - arm),
            ))
        }
    }
}

fn legend_line(number: usize, line: &Line<'_>) -> Element {
    let at = HEIGHT + LEGEND_LINE * (number as f64 + 0.5);
    let class = format!("line s{}", number % HUES);
    Element::new("g").child(stroke(&class, (MARGINS.0, at), (MARGINS.0 + 24.0, at))).child(text(
        (MARGINS.0 + 32.0, at + 4.0),
        "start",
        &line.name,
    ))
}

fn stroke(class: &str, from: (f64, f64), to: (f64, f64)) -> Element {
    let places = [("x1", from.0), ("y1", from.1), ("x2", to.0), ("y2", to.1)];
    let line = Element::new("line").attribute("class", class);
    places.into_iter().fold(line, |line, (name, at)| line.attribute(name, format!("{at:.1}")))
}

fn text((x, y): (f64, f64), anchor: &str, words: &str) -> Element {
    let places = Element::new("text").attribute("x", format!("{x:.1}")).attribute("y", format!("{y:.1}"));
    places.attribute("text-anchor", anchor).text(words)
}

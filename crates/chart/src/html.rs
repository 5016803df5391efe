//! Explanations as a page: the drawings, and tables of all steps. It needs nothing from elsewhere and runs no script.

use std::fmt::Write as _;

use crate::data::REPEATS;
use crate::escape::xml;
use crate::svg;
use crate::{Chart, Explanation, Plan, Section};

const STYLE: &str = "\
:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:75rem;margin:2rem auto;padding:0 1rem;background:#ffffff;color:#1f2328}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2.5rem}code,td.code{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.9em}
.drawing{overflow:auto;max-height:92vh}.drawing svg{display:block}.names{position:sticky;top:0;z-index:1;margin-bottom:-30px}
thead th{position:sticky;top:0;background:#ffffff}
@media print{.drawing{max-height:none}}table{border-collapse:collapse;margin:1rem 0;width:100%}
th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid #d1d9e0}
tr.again{background:#f6f1fd}.violated{color:#c01c28;font-weight:bold}.why{background:#fff4d6}
@media (prefers-color-scheme:dark){thead th{background:#0d1117}body{background:#0d1117;color:#e6edf3}th,td{border-color:#3d444d}
tr.again{background:#211830}.violated{color:#ff7b72}.why{background:#3a2f0b}}";

/// A chart of more rows has the names of its lifelines in view while one scrolls.
const ROWS_IN_VIEW: usize = 12;

/// The explanation as one HTML document, which is also well-formed XML.
pub fn html(explanation: &Explanation) -> String {
    let title = xml(&explanation.title);
    let mut page =
        String::from("<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n");
    page.push_str("<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n");
    let _ =
        writeln!(page, "<title>{title}</title>\n<style>\n{STYLE}\n{}\n</style>\n</head>\n<body>", svg::STYLE);
    let _ = writeln!(page, "<h1>{title}</h1>\n<p><code>{}</code></p>", xml(&explanation.formula));
    for sentence in &explanation.summary {
        let _ = writeln!(page, "<p>{}</p>", xml(sentence));
    }
    for section in &explanation.sections {
        match section {
            Section::Chart(chart) => self::chart(&mut page, chart, explanation.is_numbered()),
            Section::Plan(plan) => self::plan(&mut page, plan),
        }
    }
    page.push_str("</body>\n</html>\n");
    page
}

fn chart(page: &mut String, chart: &Chart, numbered: bool) {
    let _ = writeln!(page, "<h2 id=\"chart{}\">{}</h2>", chart.number, xml(&chart.heading(numbered)));
    let names = if chart.shown().len() > ROWS_IN_VIEW { svg::names(chart) } else { String::new() };
    let _ = writeln!(page, "<div class=\"drawing\">\n{names}{}</div>", svg::element(chart));
    let promises = !chart.commitments.is_empty();
    let mut heads = vec!["#", "what happens", "what changes", "in force", "what matters here"];
    heads.retain(|head| promises || *head != "in force");
    let row = |number: usize| {
        let step = number.checked_sub(1).and_then(|step| chart.steps.get(step));
        let again = chart.repeats_from.is_some_and(|from| number > from);
        let what = step.map_or("(the beginning)".to_owned(), |step| step.words(&chart.lifelines));
        let moment = chart.moment(number);
        let why = if moment.notes.is_empty() { "" } else { " class=\"why\"" };
        let notes: Vec<String> = moment.notes.iter().map(|note| xml(note)).collect();
        let in_force = match promises {
            true => format!("<td class=\"code\">{}</td>", xml(&chart.in_force(number).join(", "))),
            false => String::new(),
        };
        format!(
            "<tr{}><td>{number}</td><td class=\"code\">{}</td><td class=\"code\">{}</td>{in_force}<td{why}>{}</td></tr>",
            if again { " class=\"again\"" } else { "" },
            xml(&what),
            xml(&moment.facts.join(", ")),
            notes.join("<br/>"),
        )
    };
    table(page, &heads, (0..chart.moments()).map(row));
    if let Some(from) = chart.repeats_from {
        let last = chart.steps.len();
        let steps =
            if from + 1 == last { format!("Step {last}") } else { format!("Steps {} to {last}", from + 1) };
        let _ = writeln!(page, "<p>{steps}: {REPEATS}.</p>");
    }
    if promises {
        let rows = chart.commitments.iter().enumerate().map(|(index, commitment)| {
            let class = if chart.is_violated(index) { " class=\"violated\"" } else { "" };
            format!(
                "<tr><td class=\"code\">{}</td><td class=\"code\">{}</td><td{class}>{}</td></tr>",
                xml(&commitment.tag),
                xml(&commitment.text),
                xml(&chart.fate(index)),
            )
        });
        table(page, &["", "commitment", "what became of it"], rows);
    }
}

fn table(page: &mut String, heads: &[&str], rows: impl Iterator<Item = String>) {
    let heads: String = heads.iter().map(|head| format!("<th>{head}</th>")).collect();
    let _ = writeln!(page, "<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>");
    page.extend(rows.map(|row| row + "\n"));
    page.push_str("</tbody>\n</table>\n");
}

fn plan(page: &mut String, plan: &Plan) {
    let _ = writeln!(page, "<h2 id=\"chart{}\">{}</h2>", plan.number, xml(&plan.heading()));
    let choices = plan.choices.iter().map(|(state, moves)| (state.as_str(), moves.as_str()));
    let all = choices.chain(plan.ends.iter().map(|state| (state.as_str(), "(reached)")));
    let row = |(state, moves)| {
        format!("<tr><td class=\"code\">{}</td><td class=\"code\">{}</td></tr>", xml(state), xml(moves))
    };
    table(page, &["in the state", "do"], all.map(row));
    for line in plan.rest().iter().chain(&plan.legend) {
        let _ = writeln!(page, "<p>{}</p>", xml(line));
    }
}

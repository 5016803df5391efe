//! Why a verdict is what it is.

use servanda_chart::{Explanation, Highlight, MOST_STATES, Section, StateGraph};
use servanda_evidence::Evidence;
use servanda_report::{CheckReport, Finding, Origin, Status, Trace, itf};
use servanda_syntax::Code;

use crate::convert::cannot_draw;
use crate::origins::Origins;
use crate::{CheckOptions, Loaded, Question, Traces, Watch, check};

servanda_syntax::named! {
    /// What the drawings of explanations and models look like.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Drawing {
        /// Characters.
        Text = "text",
        /// An SVG document.
        Svg = "svg",
        /// A Mermaid sequence diagram.
        Mermaid = "mermaid",
        /// A page of its own.
        Html = "html",
        /// The state graph for Graphviz, the path of the evidence highlighted.
        Dot = "dot",
        /// The path of the evidence alone, for programs that read the Informal Trace Format.
        Itf = "itf",
    }
}

/// A verdict with its explanation.
#[derive(Debug)]
pub struct Explained {
    /// The verdict, and everything else that `check` says.
    pub report: CheckReport,
    /// Why it is so, if it was decided.
    pub explanation: Option<Explanation>,
    /// What it rests on, if a run shows it.
    pub evidence: Option<Box<Evidence>>,
    /// For each step of that run ([`Evidence::line`], which is the first chart) where it is written.
    pub origins: Vec<Vec<Origin>>,
    /// [`Status::Wanted`] where there is an explanation, whatever the verdict.
    pub status: Status,
}

/// Decides a question and says why the answer is what it is.
pub fn explain(loaded: &Loaded, question: &Question, options: CheckOptions, watch: Watch<'_>) -> Explained {
    let options = CheckOptions { traces: Traces::Shown, ..options };
    let report = check(loaded, std::slice::from_ref(question), options, watch);
    explained(loaded, question, report)
}

/// Says why the answer is what it is that a report gives to its only question; evidence was asked for.
pub fn explained(loaded: &Loaded, question: &Question, mut report: CheckReport) -> Explained {
    let verdict = report.properties.first().and_then(|property| property.verdict.decided());
    // A verdict needs no more states than it needs; that others were not reached is no matter here.
    let status = match (report.status(), verdict) {
        (Status::Invalid, _) => Status::Invalid,
        (_, Some(_)) => Status::Wanted,
        (_, None) => Status::Undecided,
    };
    let trace = report.properties.first_mut().map(|property| {
        (std::mem::replace(&mut property.trace, Trace::NotAsked), property.word(), property.reached())
    });
    let reached = report
        .properties
        .first_mut()
        .and_then(|property| property.scenario.as_mut()?.reached.as_mut()?.run.take());
    let mut explained = Explained { report, explanation: None, evidence: None, origins: Vec::new(), status };
    let (Some(_), Some((trace, word, told)), Status::Wanted) = (verdict, trace, status) else {
        return explained;
    };
    let name = &question.property.name;
    let words = match trace {
        Trace::NotAsked => return explained,
        Trace::Evidence { evidence, origins } => {
            let mut explanation = servanda_chart::explanation(loaded.model(), name, &evidence);
            if let (true, Some(first)) =
                (question.property.scenario.is_some(), explanation.summary.first_mut())
            {
                *first = format!("{name} is {word}, and this shows it.");
            }
            explained.explanation = Some(explanation);
            explained.evidence = Some(evidence);
            explained.origins = origins;
            return explained;
        }
        Trace::Nothing(reason) => format!("{name} is {word}: {reason}."),
        Trace::GivenUp(reason) => {
            explained.status = Status::Undecided;
            format!("{name} is {word}, but {reason}.")
        }
    };
    let told = told.into_iter().map(|words| sentence(&words));
    let summary = std::iter::once(words).chain(told).chain(extent(&explained.report)).collect();
    let mut sections = Vec::new();
    if let Some(run) = reached {
        sections = servanda_chart::explanation(loaded.model(), name, &run).sections;
        explained.origins = Origins::new(loaded).of_path(&run.line().path);
        explained.evidence = Some(run);
    }
    if let Some(Section::Chart(chart)) = sections.first_mut() {
        chart.title = "As far as it gets".to_owned();
    }
    let (title, formula) = (name.clone(), question.property.text.clone());
    explained.explanation = Some(Explanation { title, formula, summary, sections });
    explained
}

/// With a capital and a full stop.
fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(letters).chain(['.']).collect())
}

/// How much of the model the verdict rests on, where that is known.
fn extent(report: &CheckReport) -> Option<String> {
    Some(match report.model.as_ref()?.counts()?.states.to_string().as_str() {
        "1" => "The model has one reachable state.".to_owned(),
        states => format!("The model has {states} reachable states."),
    })
}

impl Explained {
    /// The explanation as a drawing, empty if there is none; `width` is the most characters in a line of text.
    ///
    /// # Errors
    ///
    /// The state graph cannot be drawn; there is no path to write.
    pub fn draw(&self, loaded: &Loaded, drawing: Drawing, width: usize) -> Result<String, Vec<Finding>> {
        let Some(explanation) = &self.explanation else { return Ok(String::new()) };
        Ok(match drawing {
            Drawing::Text => servanda_chart::text(explanation, width),
            Drawing::Svg => servanda_chart::svg(explanation),
            Drawing::Mermaid => servanda_chart::mermaid(explanation),
            Drawing::Html => servanda_chart::html(explanation),
            Drawing::Dot => {
                let graph = StateGraph::new(loaded.model(), MOST_STATES, &servanda_engine::NoLimits)
                    .map_err(|failure| vec![cannot_draw(loaded, &failure)])?;
                let highlight = self.evidence.as_ref().map(|evidence| Highlight::new(&graph, evidence));
                servanda_chart::dot(&graph.picture(), &highlight.unwrap_or_default())
            }
            Drawing::Itf => match &self.evidence {
                Some(evidence) => itf::evidence(&self.report.run.file, evidence),
                None => return Err(vec![no_trace(explanation)]),
            },
        })
    }
}

fn no_trace(explanation: &Explanation) -> Finding {
    let message = format!("there is no trace to write: {}", explanation.summary.join(" "));
    let help = "without `--format itf` the explanation says what there is to say";
    Finding::error(Code::NoTrace, message).help(help)
}

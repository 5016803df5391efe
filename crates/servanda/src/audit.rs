//! Logs judged against protocols: a mapping with its models, ready to audit, and what is found in words for reports.

mod chart;

use std::collections::BTreeMap;
use std::sync::Arc;

use servanda_audit::mapping::{Mapping, View};
use servanda_audit::{Asked, Auditor, Finding as Found, Line, Options, Stats, Verdict};
use servanda_engine::{Budget, Halt};
use servanda_library::Entry;
use servanda_report::audit::{AuditFinding, AuditRule, AuditTotals, AuditVerdict, LogLine};
use servanda_report::{Finding, Location};
use servanda_syntax::{Code, Diagnostic, SourceFile, Span, nearest};

use crate::explain::Drawing;
use crate::language::{Choices, FindText, Language};
use crate::load::Loaded;

/// A mapping and the models of its views.
#[derive(Debug)]
pub struct Rules {
    mapping: Mapping,
    /// The text of the mapping.
    source: Arc<SourceFile>,
    /// By view.
    models: Vec<Loaded>,
    /// Do they come from the library?
    is_library: bool,
    /// What is worth knowing about them; no errors.
    pub findings: Vec<Finding>,
}

impl Rules {
    /// Reads a mapping and the models it names, which `find` looks up. Parameters are those of the models: each is set where it is
    /// known.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the mapping and the models.
    pub fn read(
        name: &str,
        text: &str,
        parameters: &[(String, i64)],
        find: &FindText<'_>,
    ) -> Result<Self, Vec<Finding>> {
        let source = Arc::new(SourceFile::new(name, text));
        let (mapping, mistakes) = Mapping::read(&source);
        let mut findings = Finding::all_placed(mistakes, &source);
        let Some(mapping) = mapping else { return Err(findings) };
        let (models, unknown) = models(&mapping, &source, parameters, find, &mut findings);
        for parameter in unknown {
            let message = format!("no model has a parameter `{parameter}`");
            findings.push(Finding::error(Code::UnknownParameter, message));
        }
        let named =
            |model: &Loaded| model.properties().iter().map(|property| property.name.clone()).collect();
        let known: Vec<_> =
            models.iter().map(|model| model.as_ref().map(|model| (model.model(), named(model)))).collect();
        findings.extend(Finding::all_placed(mapping.check_models(&known), &source));
        let bad = findings.iter().any(|finding| finding.diagnostic.is_error());
        let whole: Option<Vec<Loaded>> = models.into_iter().collect();
        match whole {
            Some(models) if !bad => Ok(Rules { mapping, source, models, is_library: false, findings }),
            _ => Err(findings),
        }
    }

    /// The rules of an entry of the library; where no source is named, of its most usual one.
    ///
    /// # Errors
    ///
    /// The library has no such entry or source; a parameter is unknown.
    pub fn of_library(
        name: &str,
        source: Option<&str>,
        parameters: &[(String, i64)],
    ) -> Result<Self, Vec<Finding>> {
        let refused = |message: String| vec![Finding::error(Code::CannotRead, message)];
        let entry = entry(name).map_err(refused)?;
        let chosen = match source {
            None => entry.mappings.first(),
            Some(source) => entry.mapping(source),
        };
        let Some(chosen) = chosen else {
            let known: Vec<&str> = entry.mappings.iter().map(|mapping| mapping.source).collect();
            let source = source.unwrap_or_default();
            return Err(refused(format!("{name} reads logs of {}, not of `{source}`", known.join(", "))));
        };
        let find = |user: &str, path: &str| match entry.text_from(user, path) {
            Some(text) => Ok((text.path.to_owned(), text.text.to_owned())),
            None => {
                let message = format!("{name} has no text `{path}`");
                Err(Box::new(Diagnostic::error(Code::CannotRead, message, Span::default())))
            }
        };
        let rules = Rules::read(chosen.path, chosen.text, parameters, &find)?;
        Ok(Rules { is_library: true, ..rules })
    }

    /// The mapping.
    pub fn mapping(&self) -> &Mapping {
        &self.mapping
    }

    /// The name of the mapping's text.
    pub fn name(&self) -> &str {
        self.source.name()
    }

    /// The model of a view.
    pub fn model(&self, view: &str) -> Option<&Loaded> {
        let at = self.mapping.views.iter().position(|known| known.name.text == view)?;
        self.models.get(at)
    }

    /// Views with their models and the hashes of these.
    pub fn models(&self) -> Vec<(String, String, String)> {
        let views = self.mapping.views.iter().zip(&self.models);
        let row = |(view, model): (&View, &Loaded)| {
            let name = self.model_name(Some(model), view.model.text.clone());
            (view.name.text.clone(), name, hash(model))
        };
        views.map(row).collect()
    }

    /// What a model is called: as the mapping does; in the library by its place there.
    fn model_name(&self, model: Option<&Loaded>, named: String) -> String {
        let own = model.filter(|_| self.is_library).and_then(|model| model.source.texts().next());
        own.map_or(named, |text| text.name().to_owned())
    }

    /// The texts of the models, by their names.
    pub fn texts(&self) -> BTreeMap<String, String> {
        let files = self.models.iter().flat_map(|model| model.source.texts());
        files.map(|file| (file.name().to_owned(), file.text().to_owned())).collect()
    }

    /// Prepares an audit.
    ///
    /// # Errors
    ///
    /// A model cannot be followed, or the budget says stop.
    pub fn auditor(&self, options: Options, budget: &dyn Budget) -> Result<Auditor<'_>, Halt> {
        let asked: Vec<Asked<'_>> = self
            .models
            .iter()
            .map(|model| Asked { model: model.model(), properties: model.properties() })
            .collect();
        Auditor::new(&self.mapping, &asked, options, budget)
    }

    /// What was found, in words; logs are called by these names.
    pub fn finding(&self, found: Found, logs: &[String]) -> AuditFinding {
        let model = found.view.as_deref().and_then(|view| self.model(view));
        let rule = found.rule.map(|rule| {
            let nearest = model.zip(rule.nearest).map(|(model, command)| model.places(&[command]));
            let nearest = nearest.and_then(|places| places.into_iter().flatten().next());
            let span = rule.span.or(nearest).filter(|span| *span != Span::default());
            AuditRule {
                model: self.model_name(model, rule.model),
                hash: model.map(hash).unwrap_or_default(),
                location: model.zip(span).and_then(|(model, span)| Location::of(&model.source, span)),
                is_library: self.is_library,
            }
        });
        AuditFinding {
            kind: found.kind.word(),
            level: found.level,
            is_certain: found.certainty == servanda_audit::Certainty::Certain,
            code: found.code,
            message: found.message,
            citation: found.citation,
            at: found.at.map(|at| line(at, logs)),
            since: found.since.map(|at| line(at, logs)),
            view: found.view,
            key: found.key,
            labels: found.labels,
            possible: found.possible.into_iter().map(|possible| (possible.role, possible.labels)).collect(),
            explanation: found.explanation.map(|explanation| (explanation.text, explanation.cost)),
            rule,
            steps: found.steps.into_iter().map(|step| (line(step.at, logs), step.label)).collect(),
            chart: None,
        }
    }

    /// What was decided, in words.
    pub fn verdict(&self, verdict: Verdict, logs: &[String]) -> AuditVerdict {
        let word = match verdict.parties {
            Some(_) => verdict.outcome.of_commitment(),
            None => verdict.outcome.of_property(),
        };
        AuditVerdict {
            view: verdict.view,
            key: verdict.key,
            name: verdict.name,
            parties: verdict.parties,
            word,
            level: verdict.level,
            at: verdict.at.map(|at| line(at, logs)),
        }
    }

    /// The slice of a finding as a drawing, where it is about one; a state graph and a trace are none of it.
    pub fn draw(&self, finding: &AuditFinding, drawing: Drawing, width: usize) -> Option<String> {
        let chart = self.chart(finding)?;
        match drawing {
            Drawing::Text => Some(servanda_chart::text(&chart, width)),
            Drawing::Svg => Some(servanda_chart::svg(&chart)),
            Drawing::Mermaid => Some(servanda_chart::mermaid(&chart)),
            Drawing::Html => Some(servanda_chart::html(&chart)),
            Drawing::Dot | Drawing::Itf => None,
        }
    }

    /// The slice of a finding as a chart, where it is about one.
    pub fn chart(&self, finding: &AuditFinding) -> Option<servanda_chart::Explanation> {
        let model = self.model(finding.view.as_deref()?)?;
        Some(chart::slice(model.model(), finding))
    }
}

/// What an audit has counted, for its report.
pub fn totals(stats: &Stats) -> AuditTotals {
    AuditTotals {
        lines: stats.lines,
        bad_lines: stats.bad,
        slices: stats.slices,
        open_slices: stats.live,
        sets: stats.sets,
        cost: (stats.cost, stats.labels),
        ..AuditTotals::default()
    }
}

/// An entry of the library.
///
/// # Errors
///
/// There is none of that name: what to say, with the nearest one.
pub fn entry(name: &str) -> Result<&'static Entry, String> {
    servanda_library::entry(name).ok_or_else(|| {
        let names = || servanda_library::entries().iter().map(|entry| entry.name);
        let near = match nearest(name, names()) {
            Some(near) => format!("; did you mean {near}?"),
            None => format!("; there are {}", names().collect::<Vec<_>>().join(", ")),
        };
        format!("the library has no entry `{name}`{near}")
    })
}

fn line(at: Line, logs: &[String]) -> LogLine {
    let file = logs.get(at.file as usize).cloned().unwrap_or_default();
    LogLine { file, line: at.line }
}

/// The models of the views, `None` where one cannot be read, and the parameters that none of them has.
fn models(
    mapping: &Mapping,
    source: &Arc<SourceFile>,
    parameters: &[(String, i64)],
    find: &FindText<'_>,
    findings: &mut Vec<Finding>,
) -> (Vec<Option<Loaded>>, Vec<String>) {
    let mut models = Vec::new();
    let mut unknown: Vec<String> = parameters.iter().map(|(name, _)| name.clone()).collect();
    for view in &mapping.views {
        let (name, text) = match find(source.name(), &view.model.text) {
            Ok(found) => found,
            Err(error) => {
                findings.push(Finding::placed(Diagnostic { span: view.model.span, ..*error }, source));
                models.push(None);
                continue;
            }
        };
        let read = |parameters: &[(String, i64)]| {
            let choices = Choices { parameters, find: Some(find), ..Choices::default() };
            Loaded::read(Language::Pact, name.as_str(), text.as_str(), choices)
        };
        let is_known = |parameter: &&(String, i64)| match read(std::slice::from_ref(*parameter)) {
            Ok(_) => true,
            Err(found) => !found.iter().any(|found| found.diagnostic.code == Code::UnknownParameter),
        };
        let known: Vec<(String, i64)> = parameters.iter().filter(is_known).cloned().collect();
        unknown.retain(|name| !known.iter().any(|(known, _)| known == name));
        match read(&known) {
            Ok(model) => models.push(Some(model)),
            Err(found) => {
                findings.extend(found);
                models.push(None);
            }
        }
    }
    (models, unknown)
}

/// Which text it was: 64 bits of FNV-1a over the texts of a model. It tells versions apart and is no seal.
fn hash(model: &Loaded) -> String {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in model.source.texts().flat_map(|text| text.text().bytes()) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    }
    format!("{hash:016x}")
}

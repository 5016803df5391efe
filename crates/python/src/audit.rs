//! Logs judged as they come.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ouroboros::self_referencing;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::sync::MutexExt;
use servanda::host::files;
use servanda::{Drawing, Rules};
use servanda_audit::{After, Finding, Line, Options, Outcome, Sink, Verdict};
use servanda_engine::{Halt, NoLimits};
use servanda_report::audit::{AuditFinding, AuditReport, AuditVerdict, json};
use servanda_report::{Level, Statistics};

use crate::choose::word;
use crate::fault;

/// So many lines are judged between two looks at signals, while other Python threads run.
const BLOCK: usize = 1 << 13;

/// A text that is worth letting other Python threads run for.
const LONG: usize = 1 << 14;

/// What logs are judged by, and how: the entries of a dictionary.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Judging {
    library: Option<String>,
    source: Option<String>,
    /// The name of a mapping, and its text where it is in no file.
    mapping: Option<(String, Option<String>)>,
    params: Vec<(String, i64)>,
    after: Option<String>,
    seen_by: Option<String>,
    view: Option<String>,
    level: Option<String>,
    max_keys: Option<usize>,
    max_sets: Option<usize>,
    skip_bad_lines: bool,
    verdicts: bool,
    log: String,
}

#[self_referencing]
struct Audit {
    rules: Arc<Rules>,
    #[borrows(rules)]
    #[not_covariant]
    auditor: servanda_audit::Auditor<'this>,
}

/// What has been found and not been told yet.
#[derive(Default)]
struct Collected {
    findings: Vec<Finding>,
    verdicts: Vec<Verdict>,
    wants_verdicts: bool,
    skips_bad_lines: bool,
    owed: BTreeMap<String, u64>,
}

impl Sink for Collected {
    fn finding(&mut self, finding: Finding) {
        if !self.skips_bad_lines || finding.kind != servanda_audit::Kind::BadLine {
            self.findings.push(finding);
        }
    }

    fn verdict(&mut self, verdict: Verdict) {
        if let (Some((debtor, _)), Outcome::Open) = (&verdict.parties, verdict.outcome) {
            *self.owed.entry(debtor.clone()).or_default() += 1;
        }
        if self.wants_verdicts {
            self.verdicts.push(verdict);
        }
    }

    fn wants_verdicts(&self) -> bool {
        true
    }
}

struct Inner {
    audit: Audit,
    report: AuditReport,
    found: Collected,
    line: u64,
    /// The beginning of a line whose end has not come yet.
    rest: Vec<u8>,
    is_over: bool,
}

impl Inner {
    fn push(&mut self, line: &[u8]) -> Result<(), Halt> {
        self.line += 1;
        let at = Line { file: 0, line: self.line };
        let found = &mut self.found;
        self.audit.with_auditor_mut(|auditor| auditor.push(line, at, found, &NoLimits))
    }

    fn all<'a>(&mut self, lines: impl IntoIterator<Item = &'a [u8]>) -> Result<(), Halt> {
        lines.into_iter().try_for_each(|line| self.push(without_end(line)))
    }

    /// Tells what was found since.
    fn told(&mut self) -> Vec<AuditFound> {
        let Inner { audit, report, found, .. } = self;
        let rules = audit.borrow_rules();
        let verdicts = found.verdicts.drain(..).map(|verdict| rules.verdict(verdict, &report.logs));
        report.verdicts.extend(verdicts);
        let tell = |finding| {
            let finding = rules.finding(finding, &report.logs);
            report.count(&finding);
            let counts = report.demands(&finding);
            AuditFound { rules: Arc::clone(rules), finding, counts }
        };
        found.findings.drain(..).map(tell).collect()
    }
}

/// A line may end as it does on another system.
fn without_end(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// An audit of one log.
#[pyclass(frozen, module = "servanda._native")]
pub(crate) struct Auditor {
    inner: Mutex<Inner>,
}

#[pymethods]
impl Auditor {
    #[new]
    fn new(py: Python<'_>, judging: Judging) -> PyResult<Self> {
        let after = word("after", judging.after.as_deref(), &After::NAMED, After::default())?;
        let level = word("level", judging.level.as_deref(), &Level::NAMED, Level::Should)?;
        let usual = Options::default();
        let options = Options {
            after,
            seen_by: judging.seen_by.clone(),
            max_keys: judging.max_keys.unwrap_or(usual.max_keys),
            max_sets: judging.max_sets.unwrap_or(usual.max_sets),
            view: judging.view.clone(),
        };
        let rules = py.detach(|| fault::guarded(|| rules(&judging)));
        let rules = rules.map_err(|words| fault::internal(py, &words))?;
        let rules = Arc::new(rules.map_err(|findings| fault::input(py, &findings))?);
        if let Some(view) = judging.view.as_deref().filter(|view| rules.model(view).is_none()) {
            let views: Vec<&str> = rules.mapping().views.iter().map(|view| view.name.text.as_str()).collect();
            return Err(fault::unknown("view", view, views.iter().copied()));
        }
        let by = judging.library.or(judging.mapping.map(|(name, _)| name)).unwrap_or_default();
        let models = rules.models();
        let audit = py.detach(|| Audit::try_new(rules, |rules| rules.auditor(options, &NoLimits)));
        let audit = audit.map_err(|halt| PyValueError::new_err(halt.to_string()))?;
        let report = AuditReport { logs: vec![judging.log], by, models, level, ..AuditReport::default() };
        let found = Collected {
            wants_verdicts: judging.verdicts,
            skips_bad_lines: judging.skip_bad_lines,
            ..Collected::default()
        };
        let inner = Inner { audit, report, found, line: 0, rest: Vec::new(), is_over: false };
        Ok(Auditor { inner: Mutex::new(inner) })
    }

    /// What is worth knowing about the mapping and the models.
    fn notes<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let inner = self.inner.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        fault::findings(py, &inner.audit.borrow_rules().findings)
    }

    /// Judges a text of whole lines.
    fn text(&self, py: Python<'_>, text: &str) -> PyResult<Vec<AuditFound>> {
        let mut inner = self.open(py)?;
        let bytes = text.as_bytes();
        let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        let lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
        judge(py, &mut inner, &lines, bytes.len() > LONG)?;
        Ok(inner.told())
    }

    /// Judges lines, of which each is one, whatever stands in it.
    fn lines(&self, py: Python<'_>, lines: Vec<Given>) -> PyResult<Vec<AuditFound>> {
        let mut inner = self.open(py)?;
        let lines: Vec<&[u8]> = lines.iter().map(|line| line.bytes()).collect();
        judge(py, &mut inner, &lines, true)?;
        Ok(inner.told())
    }

    /// Judges a piece of a log; what stands after its last line's end is kept until more comes.
    fn chunk(&self, py: Python<'_>, bytes: &[u8]) -> PyResult<Vec<AuditFound>> {
        let mut inner = self.open(py)?;
        let mut pieces: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
        let last = pieces.pop().unwrap_or_default();
        let mut first = std::mem::take(&mut inner.rest);
        let kept = match pieces.first_mut() {
            Some(piece) => {
                first.extend_from_slice(piece);
                *piece = &first;
                last.to_vec()
            }
            None => [&first, last].concat(),
        };
        judge(py, &mut inner, &pieces, bytes.len() > LONG)?;
        inner.rest = kept;
        Ok(inner.told())
    }

    /// The log is over.
    fn finish(&self, py: Python<'_>, complete: bool) -> PyResult<Vec<AuditFound>> {
        let mut inner = self.open(py)?;
        inner.is_over = true;
        let rest = std::mem::take(&mut inner.rest);
        if !rest.is_empty() {
            judge(py, &mut inner, &[&rest], false)?;
        }
        inner.report.is_complete = complete;
        let work = &mut *inner;
        let ended = py.detach(move || {
            let Inner { audit, found, .. } = work;
            fault::guarded(|| audit.with_auditor_mut(|auditor| auditor.finish(complete, found, &NoLimits)))
        });
        ended.map_err(|words| fault::internal(py, &words))?.map_err(halted)?;
        let told = inner.told();
        let stats = inner.audit.with_auditor(|auditor| auditor.stats());
        inner.report.totals = servanda::totals(&stats);
        inner.report.open = stats.open;
        inner.report.owed = inner.found.owed.clone().into_iter().collect();
        inner.report.end();
        Ok(told)
    }

    /// What has been counted, as the last line of `servanda audit --format jsonl` has it.
    fn summary(&self, py: Python<'_>) -> String {
        let mut inner = self.inner.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        let stats = inner.audit.with_auditor(|auditor| auditor.stats());
        inner.report.totals = servanda::totals(&stats);
        json::summary_line(&AuditReport { verdicts: Vec::new(), ..inner.report.clone() }, Statistics::Shown)
    }

    /// The verdicts since they were last asked for, as lines of JSON.
    fn verdicts(&self, py: Python<'_>) -> Vec<String> {
        let mut inner = self.inner.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        let verdicts: Vec<AuditVerdict> = std::mem::take(&mut inner.report.verdicts);
        verdicts.iter().map(json::verdict_line).collect()
    }
}

impl Auditor {
    fn open(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Inner>> {
        let inner = self.inner.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        if inner.is_over { Err(PyValueError::new_err("the audit is finished")) } else { Ok(inner) }
    }
}

/// A line as it is given.
#[derive(FromPyObject)]
pub(crate) enum Given {
    Text(PyBackedStr),
    Bytes(PyBackedBytes),
}

impl Given {
    fn bytes(&self) -> &[u8] {
        match self {
            Given::Text(text) => text.as_bytes(),
            Given::Bytes(bytes) => bytes,
        }
    }
}

/// Judges lines; where they are many, other Python threads run meanwhile and signals are heeded between blocks.
fn judge(py: Python<'_>, inner: &mut Inner, lines: &[&[u8]], are_many: bool) -> PyResult<()> {
    let judged = |inner: &mut Inner, lines: &[&[u8]]| fault::guarded(|| inner.all(lines.iter().copied()));
    for block in lines.chunks(BLOCK) {
        let done = match are_many {
            true => py.detach(|| judged(inner, block)),
            false => judged(inner, block),
        };
        done.map_err(|words| fault::internal(py, &words))?.map_err(halted)?;
        if are_many {
            py.check_signals()?;
        }
    }
    Ok(())
}

fn halted(halt: Halt) -> PyErr {
    PyValueError::new_err(halt.to_string())
}

fn rules(judging: &Judging) -> Result<Rules, Vec<servanda_report::Finding>> {
    match (&judging.library, &judging.mapping) {
        (Some(name), _) => Rules::of_library(name, judging.source.as_deref(), &judging.params),
        (None, Some((name, text))) => {
            let text = text.clone().map_or_else(|| files::read(name), Ok)?;
            Rules::read(name, &text, &judging.params, &files::beside)
        }
        (None, None) => Err(Vec::new()),
    }
}

/// One thing that was found in a log.
#[pyclass(frozen, module = "servanda._native")]
pub(crate) struct AuditFound {
    rules: Arc<Rules>,
    finding: AuditFinding,
    counts: bool,
}

#[pymethods]
impl AuditFound {
    /// The line of `servanda audit --format jsonl`.
    fn json(&self) -> String {
        json::finding_line(&self.finding)
    }

    /// Is it of the level asked for, and certain?
    #[getter]
    fn counts(&self) -> bool {
        self.counts
    }

    /// The slice that it is about, drawn; nothing where it is about none.
    fn draw(&self, form: &str, width: usize) -> PyResult<Option<String>> {
        let drawing = word("form", Some(form), &Drawing::NAMED, Drawing::Text)?;
        Ok(self.rules.draw(&self.finding, drawing, width))
    }
}

/// Name, version, title, what it is good for, sources of logs, page.
type Row = (&'static str, &'static str, &'static str, &'static str, Vec<&'static str>, &'static str);

/// The entries of the library.
#[pyfunction]
pub(crate) fn library() -> Vec<Row> {
    let row = |entry: &servanda_library::Entry| {
        let sources = entry.mappings.iter().map(|mapping| mapping.source).collect();
        (entry.name, entry.version, entry.title, entry.about, sources, entry.page.text)
    };
    servanda_library::entries().iter().map(row).collect()
}

/// The files of an entry of the library: paths, and what stands in them.
#[pyfunction]
pub(crate) fn library_texts(name: &str) -> PyResult<Vec<(String, String)>> {
    let entry = servanda::entry(name).map_err(PyValueError::new_err)?;
    Ok(entry.texts().iter().map(|text| (text.path.to_owned(), text.text.to_owned())).collect())
}

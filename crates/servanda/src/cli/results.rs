//! The results of `servanda check` for one file after the other, where they are written: on standard output, and in a file that has
//! at every moment what is known.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use servanda::host::store;
use servanda_report::plot::Point;
use servanda_report::{CheckReport, Run, Status, Style, json, text};

use super::args::{CheckArguments, CheckFormat};
use super::fleet::{Decided, Told};
use super::form::Form;
use super::terminal::Terminal;

/// Writing what is known so far takes at most this part of the time.
const SHARE: u32 = 10;

/// What is known so far.
pub(crate) struct Results {
    terminal: Terminal,
    on_terminal: Form,
    file: Option<ResultFile>,
    /// The worst status so far.
    pub(crate) status: Status,
    /// What was said of bad input in this sweep; that is the same for most parameters.
    complaints: Option<Vec<String>>,
    /// What a picture of growth is made of.
    pub(crate) points: Vec<Point>,
}

/// The file that `--output` names.
struct ResultFile {
    path: PathBuf,
    form: Form,
    /// What was written already, in forms that are no document.
    text: String,
    /// What is not yet known anything of.
    to_come: VecDeque<CheckReport>,
    /// Is more known than the file has?
    is_stale: bool,
    /// When it may be written again.
    next: Instant,
    /// Could it not be written? That is told once.
    failed: bool,
}

impl Results {
    /// Nothing yet.
    pub(crate) fn new(arguments: &CheckArguments, terminal: &Terminal) -> Self {
        // What a table has no room for is shown beside it.
        let single = arguments.trace || arguments.engine.stats;
        let statistics = arguments.engine.statistics();
        let style = terminal.output_style(statistics);
        let shown = if arguments.output.is_some() { CheckFormat::Text } else { arguments.format };
        let file = arguments.output.as_deref().filter(|_| terminal.reports()).map(|path| {
            let style = Style { detail: style.detail, statistics, ..Style::plain() };
            ResultFile::new(path, Form::new((arguments.format, single), statistics, style))
        });
        Results {
            terminal: terminal.clone(),
            on_terminal: Form::new((shown, single), statistics, style),
            file,
            status: Status::Wanted,
            complaints: None,
            points: Vec::new(),
        }
    }

    /// Says what will be reported on. What is left of it when the run ends was not decided.
    pub(crate) fn expect(&mut self, to_come: impl FnOnce() -> VecDeque<CheckReport>) {
        if let Some(file) = &mut self.file {
            file.to_come = to_come();
            file.is_stale = true;
        }
        self.save();
    }

    /// What follows is the same model with several parameters.
    pub(crate) fn begin_sweep(&mut self) {
        self.complaints = Some(Vec::new());
        self.on_terminal.begin_sweep();
        if let Some(file) = &mut self.file {
            file.form.begin_sweep();
        }
    }

    /// A verdict that is just known: gives what is to be written now.
    pub(crate) fn decided(&mut self, run: &Run, decided: &Decided) -> String {
        let property = (decided.name.as_str(), decided.formula.as_str());
        let by = (decided.engine, &decided.verdict, decided.seconds);
        let in_lines = |form: &Form| form.format == CheckFormat::Jsonl;
        if let Some(file) = self.file.as_mut().filter(|file| in_lines(&file.form)) {
            file.text.push_str(&json::verdict_line(run, property, by));
            file.is_stale = true;
        }
        self.save();
        match self.on_terminal.format {
            CheckFormat::Jsonl => json::verdict_line(run, property, by),
            CheckFormat::Part => Told::Decided(decided.clone()).line(),
            _ => String::new(),
        }
    }

    /// A model has just been read: gives what is to be written now. `report` is what is known of it.
    pub(crate) fn begun(&self, report: impl FnOnce() -> CheckReport) -> String {
        match self.on_terminal.format {
            CheckFormat::Part => Told::Begun(Box::new(report().into())).line(),
            _ => String::new(),
        }
    }

    /// Takes a report, and gives what is to be written now: a file's verdicts are shown as text as soon as they are known.
    pub(crate) fn add(&mut self, report: CheckReport) -> String {
        self.status = self.status.max(report.status());
        self.points.push(Point::of(&report));
        if matches!(self.on_terminal.format, CheckFormat::Text | CheckFormat::Csv) {
            let style = self.terminal.error_style();
            let errors = text::errors(&report.run, style);
            if !self.complaints.as_ref().is_some_and(|said| said.contains(&errors)) {
                let style = Style { findings: self.on_terminal.findings(), ..style };
                self.terminal.complain(&text::errors(&report.run, style));
            }
            if let Some(said) = &mut self.complaints {
                said.push(errors);
            }
        }
        if let Some(file) = &mut self.file {
            file.add(report.clone());
        }
        self.save();
        self.on_terminal.add(report)
    }

    /// The table of a sweep, if there was one.
    pub(crate) fn end_sweep(&mut self) -> String {
        self.complaints = None;
        if let Some(file) = &mut self.file {
            let table = file.form.end_sweep();
            file.text.push_str(&table);
            file.is_stale |= !table.is_empty();
        }
        self.on_terminal.end_sweep()
    }

    /// What is to be written at the end. The file is complete then, but for what was left out.
    pub(crate) fn end(&mut self) -> String {
        if let Some(file) = &mut self.file {
            let over = file.form.end_sweep();
            file.text.push_str(&over);
            let status =
                if file.to_come.is_empty() { self.status } else { self.status.max(Status::Undecided) };
            if file.form.format == CheckFormat::Jsonl {
                file.text.push_str(&file.form.end(status));
            }
            let content = file.content();
            let written = store::write(&file.path, content);
            self.note(written);
        }
        self.on_terminal.end(self.status)
    }

    /// Writes the file, unless it has been written just now.
    pub(crate) fn save(&mut self) {
        let Some(file) = self.file.as_mut().filter(|file| file.is_stale && Instant::now() >= file.next)
        else {
            return;
        };
        let begun = Instant::now();
        let content = file.content();
        let written = store::refresh(&file.path, content);
        file.is_stale = false;
        file.next = Instant::now() + (begun.elapsed() * SHARE).min(Duration::from_secs(10));
        self.note(written);
    }

    /// Results that cannot be kept are no success.
    fn note(&mut self, written: std::io::Result<()>) {
        let (Some(file), Err(error)) = (&mut self.file, written) else { return };
        self.status = Status::Invalid;
        if !std::mem::replace(&mut file.failed, true) {
            let name = servanda_report::visible(&file.path.display().to_string()).into_owned();
            self.terminal.fail(&format!("{name} cannot be written: {error}"));
        }
    }
}

impl ResultFile {
    fn new(path: &Path, form: Form) -> Self {
        ResultFile {
            path: path.to_owned(),
            form,
            text: String::new(),
            to_come: VecDeque::new(),
            is_stale: false,
            next: Instant::now(),
            failed: false,
        }
    }

    fn add(&mut self, report: CheckReport) {
        self.to_come.pop_front();
        let text = self.form.add(report);
        self.text.push_str(&text);
        self.is_stale = true;
    }

    /// All that is known.
    fn content(&mut self) -> String {
        let document = self.form.document(self.to_come.make_contiguous());
        if document.is_empty() { self.text.clone() } else { document }
    }
}

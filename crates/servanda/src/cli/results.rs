//! The results of `servanda check` for one file after the other, where they are written: on standard output, and in a file that has
//! at every moment what is known.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use servanda::host::store;
use servanda_report::plot::Point;
use servanda_report::text::{self, Evidence};
use servanda_report::{CheckReport, Run, Status, Style, json};

use super::args::{CheckArguments, CheckFormat};
use super::fleet::{Decided, Told, so_far};
use super::form::{Asked, Form};
use super::terminal::Terminal;

/// Writing what is known so far takes at most this part of the time.
const SHARE: u32 = 10;

/// What is known so far.
pub(crate) struct Results {
    terminal: Terminal,
    on_terminal: Form,
    file: Option<ResultFile>,
    /// What is known of the models whose reports are not complete.
    to_come: VecDeque<CheckReport>,
    /// So many reports are complete.
    complete: usize,
    /// Which report is the next one in its order, once its turn has come.
    turn: Option<usize>,
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
        let statistics = arguments.engine.statistics();
        let evidence = if arguments.trace { Evidence::ToCome } else { Evidence::NotAsked };
        let asked = Asked { evidence, statistics };
        let style = terminal.output_style(statistics);
        let shown = if arguments.output.is_some() { CheckFormat::Text } else { arguments.format };
        let file = arguments.output.as_deref().filter(|_| terminal.reports()).map(|path| {
            let style = Style { detail: style.detail, statistics, ..Style::plain() };
            ResultFile::new(path, Form::new(arguments.format, asked, style))
        });
        Results {
            terminal: terminal.clone(),
            on_terminal: Form::new(shown, asked, style),
            file,
            to_come: VecDeque::new(),
            complete: 0,
            turn: None,
            status: Status::Wanted,
            complaints: None,
            points: Vec::new(),
        }
    }

    /// Says what will be reported on. What is left of it when the run ends was not decided.
    pub(crate) fn expect(&mut self, to_come: VecDeque<CheckReport>) {
        self.to_come = to_come;
        if let Some(file) = &mut self.file {
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

    /// It is the turn of a report, by its number: gives what is to be written now, of what was known before.
    pub(crate) fn turn(&mut self, number: usize) -> String {
        self.turn = Some(number);
        self.show_begun(number)
    }

    /// A verdict of the report of this number is just known: gives what is to be written now.
    pub(crate) fn decided(&mut self, number: usize, run: &Run, decided: &Decided) -> String {
        let property = (decided.name.as_str(), decided.formula.as_str());
        let by = (decided.engine, &decided.verdict, decided.seconds);
        let place = number.checked_sub(self.complete).and_then(|place| self.to_come.get_mut(place));
        if let Some(known) = place.and_then(|report| report.properties.get_mut(decided.number)) {
            (known.engine, known.verdict, known.seconds) = (decided.engine, decided.verdict.clone(), by.2);
        }
        let text = self.show_begun(number);
        if let Some(file) = &mut self.file {
            if file.form.format == CheckFormat::Jsonl {
                file.text.push_str(&json::verdict_line(run, property, by));
            }
            file.is_stale = true;
        }
        self.save();
        match self.on_terminal.format {
            CheckFormat::Jsonl => json::verdict_line(run, property, by),
            CheckFormat::Part => Told::Decided(decided.clone()).line(),
            _ => text,
        }
    }

    /// A model has just been read: gives what is to be written now. `report` is what is known of it, with [`NOT_YET`] as the reason.
    pub(crate) fn begun(&mut self, number: usize, report: CheckReport) -> String {
        let line = match self.on_terminal.format {
            CheckFormat::Part => Told::Begun(Box::new(report.clone().into())).line(),
            _ => String::new(),
        };
        if let Some(place) = number.checked_sub(self.complete).and_then(|place| self.to_come.get_mut(place)) {
            *place = so_far(report);
        }
        line
    }

    /// What is to be written of the report of this number, if its turn has come.
    fn show_begun(&mut self, number: usize) -> String {
        let Some(report) = self.to_come.front().filter(|_| self.turn == Some(number)) else {
            return String::new();
        };
        if let Some(file) = &mut self.file {
            file.form.begun(report);
        }
        self.on_terminal.begun(report)
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
        self.turn = None;
        self.complete += 1;
        self.to_come.pop_front();
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
                if self.to_come.is_empty() { self.status } else { self.status.max(Status::Undecided) };
            if file.form.format == CheckFormat::Jsonl {
                file.text.push_str(&file.form.end(status));
            }
            let content = file.content(self.to_come.make_contiguous());
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
        let content = file.content(self.to_come.make_contiguous());
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
            is_stale: false,
            next: Instant::now(),
            failed: false,
        }
    }

    fn add(&mut self, report: CheckReport) {
        // What has begun stands behind the texts that are kept until its report is one of them.
        self.form.take_back();
        let text = self.form.add(report);
        self.text.push_str(&text);
        self.is_stale = true;
    }

    /// All that is known.
    fn content(&self, to_come: &[CheckReport]) -> String {
        let document = self.form.document(to_come);
        if document.is_empty() { format!("{}{}", self.text, self.form.rest(to_come)) } else { document }
    }
}

//! What a checkpoint is: a text that names the runs in it, written when all of them are whole.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

use crate::code::checksum;
use crate::run::Run;

/// The name of the text in the directory of a checkpoint.
pub const MANIFEST: &str = "checkpoint.txt";

/// The first line, with the version of the form.
const FIRST: &str = "servanda checkpoint 1";

/// The names of runs of checkpoints begin so.
const PREFIX: &str = "checkpoint-";

/// A checkpoint: all states up to a distance from the initial states, none of that distance expanded yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    /// Which one it is of those in its directory, from 1.
    pub number: u64,
    /// The version of the program that wrote it.
    pub program: String,
    /// The name of the model.
    pub model: String,
    /// A number made of all that the model is.
    pub fingerprint: u64,
    /// How many words a state has.
    pub words: usize,
    /// The greatest distance.
    pub level: u64,
    /// Were all states found?
    pub is_done: bool,
    /// How many workers there were.
    pub workers: usize,
    /// Transitions from the states that were expanded.
    pub transitions: u64,
    /// How many of them are deadlocks.
    pub deadlocks: u64,
    /// A deadlock nearest to an initial state: its distance and its words.
    pub deadlock: Option<(u64, Vec<u64>)>,
    /// The runs.
    pub runs: Vec<Listed>,
}

/// A run of a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The name of the file.
    pub name: String,
    /// The worker whose states are in it.
    pub worker: usize,
    /// How many these are.
    pub states: u64,
    /// What they take on disk.
    pub bytes: u64,
    /// A number made of all of them.
    pub checksum: u64,
}

/// Why a checkpoint cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unusable {
    /// There is none.
    Missing,
    /// It is not what was written, or cannot be read.
    Damaged(String),
}

impl std::fmt::Display for Unusable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unusable::Missing => f.write_str("there is no checkpoint"),
            Unusable::Damaged(why) => f.write_str(why),
        }
    }
}

impl Listed {
    /// A run as one of a checkpoint.
    pub fn new(run: &Run, worker: usize) -> Self {
        let name = run.path().file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        Listed { name, worker, states: run.len(), bytes: run.bytes(), checksum: run.checksum() }
    }

    /// The name of a run of the checkpoint of this number.
    pub fn file_name(number: u64, worker: usize, index: usize) -> String {
        format!("{PREFIX}{number}-{worker}-{index}.run")
    }

    /// Opens it and looks whether it is the one that is listed. What is in its blocks is looked at when they are read.
    ///
    /// # Errors
    ///
    /// It cannot be read, or is another one.
    pub fn open(&self, directory: &Path) -> Result<Run, Unusable> {
        let damaged = |why: String| Unusable::Damaged(format!("{}: {why}", self.name));
        let run = Run::open(directory.join(&self.name)).map_err(|error| damaged(error.to_string()))?;
        if (run.len(), run.bytes(), run.checksum()) != (self.states, self.bytes, self.checksum) {
            return Err(damaged("it is not the file that belongs to the checkpoint".to_owned()));
        }
        Ok(run)
    }
}

impl Manifest {
    /// Puts it into a directory, in place of one that is there: beside it first, and renamed when it is whole.
    ///
    /// # Errors
    ///
    /// It cannot be written; then what was there is there still.
    pub fn write(&self, directory: &Path) -> io::Result<()> {
        let beside = directory.join(format!("{MANIFEST}.new"));
        let mut file = File::create(&beside)?;
        file.write_all(self.text().as_bytes())?;
        file.sync_all()?;
        fs::rename(&beside, directory.join(MANIFEST))?;
        sync_directory(directory)
    }

    fn text(&self) -> String {
        let Manifest { number, program, model, fingerprint, words, level, is_done, workers, .. } = self;
        let model: String = model.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let mut text = format!(
            "{FIRST}\nnumber {number}\nprogram {program}\nmodel {model}\nfingerprint {fingerprint}\nwords {words}\n\
             level {level}\ndone {}\nworkers {workers}\ntransitions {}\ndeadlocks {}\n",
            u8::from(*is_done),
            self.transitions,
            self.deadlocks
        );
        if let Some((level, state)) = &self.deadlock {
            let words: Vec<String> = state.iter().map(u64::to_string).collect();
            let _ = writeln!(text, "deadlock {level} {}", words.join(" "));
        }
        for Listed { name, worker, states, bytes, checksum } in &self.runs {
            let _ = writeln!(text, "run {name} {worker} {states} {bytes} {checksum}");
        }
        let sum = checksum(0, text.as_bytes());
        let _ = writeln!(text, "end {sum}");
        text
    }

    /// Reads the one that is in a directory.
    ///
    /// # Errors
    ///
    /// There is none, or it is not what was written.
    pub fn read(directory: &Path) -> Result<Self, Unusable> {
        let damaged = |why: &str| Unusable::Damaged(format!("{MANIFEST}: {why}"));
        let text = match fs::read(directory.join(MANIFEST)) {
            Ok(bytes) => String::from_utf8(bytes).map_err(|_| damaged("it is damaged"))?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(Unusable::Missing),
            Err(error) => return Err(damaged(&error.to_string())),
        };
        if text
            .lines()
            .next()
            .is_some_and(|first| first != FIRST && first.starts_with("servanda checkpoint "))
        {
            return Err(damaged("it was written in another form, by another version of the program"));
        }
        let whole = text.strip_suffix('\n').and_then(|text| text.rsplit_once("end "));
        let whole = whole.filter(|(text, sum)| checksum(0, text.as_bytes()).to_string() == *sum);
        let (text, _) = whole.ok_or_else(|| damaged("it is damaged"))?;
        parse(text).ok_or_else(|| damaged("it is damaged"))
    }
}

/// A text that is what was written.
fn parse(text: &str) -> Option<Manifest> {
    let mut lines = text.lines();
    lines.next().filter(|first| *first == FIRST)?;
    let mut manifest = Manifest::default();
    for line in lines {
        let (key, value) = line.split_once(' ')?;
        match key {
            "number" => manifest.number = value.parse().ok()?,
            "program" => manifest.program = value.to_owned(),
            "model" => manifest.model = value.to_owned(),
            "fingerprint" => manifest.fingerprint = value.parse().ok()?,
            "words" => manifest.words = value.parse().ok()?,
            "level" => manifest.level = value.parse().ok()?,
            "done" => manifest.is_done = value == "1",
            "workers" => manifest.workers = value.parse().ok()?,
            "transitions" => manifest.transitions = value.parse().ok()?,
            "deadlocks" => manifest.deadlocks = value.parse().ok()?,
            "deadlock" => {
                let numbers = value.split(' ').map(|word| word.parse().ok()).collect::<Option<Vec<u64>>>()?;
                let (level, state) = numbers.split_first()?;
                manifest.deadlock = Some((*level, state.to_vec()));
            }
            "run" => {
                let [name, worker, states, bytes, checksum] =
                    value.split(' ').collect::<Vec<_>>().try_into().ok()?;
                manifest.runs.push(Listed {
                    name: Some(name.to_owned()).filter(|name| is_run(name))?,
                    worker: worker.parse().ok()?,
                    states: states.parse().ok()?,
                    bytes: bytes.parse().ok()?,
                    checksum: checksum.parse().ok()?,
                });
            }
            _ => return None,
        }
    }
    Some(manifest)
}

/// Has a file the name of a run of a checkpoint?
fn is_run(name: &str) -> bool {
    name.starts_with(PREFIX) && name.ends_with(".run") && !name.contains(['/', '\\'])
}

/// Removes the runs of earlier checkpoints, and of those that were never whole: all that the manifest does not name.
pub fn sweep(directory: &Path, manifest: &Manifest) {
    let named: BTreeSet<&str> = manifest.runs.iter().map(|run| run.name.as_str()).collect();
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        if entry.file_name().to_str().is_some_and(|name| is_run(name) && !named.contains(name)) {
            // What cannot be removed now can be removed after the next checkpoint.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Gives a run another name in another directory, where that can be; otherwise the same in a second file. It is on disk then.
///
/// # Errors
///
/// It cannot be written.
pub fn link_or_copy(run: &Run, to: &Path) -> io::Result<()> {
    let _ = fs::remove_file(to);
    if fs::hard_link(run.path(), to).is_err() {
        fs::copy(run.path(), to)?;
    }
    fs::OpenOptions::new().write(true).open(to)?.sync_all()
}

/// Names of files are on disk too. Where a directory cannot be opened as a file, the system sees to that.
fn sync_directory(directory: &Path) -> io::Result<()> {
    match File::open(directory) {
        Ok(file) if cfg!(unix) => file.sync_all(),
        _ => Ok(()),
    }
}

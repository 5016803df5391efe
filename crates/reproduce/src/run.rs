//! Asking the program under test, and reading what it answers.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::family::family;

/// A model to ask about.
pub(crate) struct Model {
    pub(crate) text: String,
    pub(crate) language: String,
    process: Option<String>,
}

/// What came back.
pub(crate) struct Answer {
    pub(crate) verdicts: Vec<String>,
    /// What the model itself expects, where it says so.
    pub(crate) expected: Vec<String>,
    pub(crate) states: Option<String>,
    pub(crate) transitions: Option<String>,
    pub(crate) deadlocks: Option<String>,
    /// The most nodes that diagrams had at a time.
    pub(crate) nodes: Option<u64>,
    pub(crate) seconds: f64,
    pub(crate) memory: u64,
}

impl Answer {
    pub(crate) fn time(&self) -> String {
        format!("{:.3}", self.seconds)
    }

    pub(crate) fn memory(&self) -> String {
        format!("{:.0}", self.memory as f64 / (1 << 20) as f64)
    }

    pub(crate) fn nodes(&self) -> String {
        self.nodes.map_or_else(|| "no diagrams".to_owned(), |nodes| grouped(&nodes.to_string()))
    }

    pub(crate) fn states(&self) -> String {
        self.states.as_deref().map_or_else(|| "not counted".to_owned(), grouped)
    }

    pub(crate) fn transitions(&self) -> String {
        self.transitions.as_deref().map_or_else(|| "not counted".to_owned(), grouped)
    }
}

/// Digits in groups of three.
pub(crate) fn grouped(digits: &str) -> String {
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Where an example is, from `examples/papers`: there or in the folder above.
pub(crate) fn place(name: &str) -> Result<String, String> {
    let papers = root().join("examples/papers");
    let places = [name.to_owned(), format!("../{name}")];
    places
        .into_iter()
        .find(|place| papers.join(place).exists())
        .ok_or_else(|| format!("there is no example {name}"))
}

impl Model {
    /// `family NAME N`, with `:PROCESS` after it if need be, or a file of `examples/papers` or `examples`, with `:PROCESS` after it
    /// for CCS.
    pub(crate) fn named(name: &str) -> Result<Model, String> {
        let (name, process) = match name.split_once(':') {
            Some((name, process)) => (name, Some(process.to_owned())),
            None => (name, None),
        };
        if let Some(rest) = name.strip_prefix("family ") {
            let (kind, size) = rest.split_once(' ').ok_or_else(|| format!("{name}: which size?"))?;
            let size: usize = size.parse().map_err(|_| format!("{name}: {size} is no size"))?;
            let family = family(kind).ok_or_else(|| format!("there is no family {kind}"))?;
            let process = process.or(family.process.map(str::to_owned));
            return Ok(Model { text: (family.text)(size), language: family.language.to_owned(), process });
        }
        let examples = root().join("examples");
        let path = [examples.join("papers").join(name), examples.join(name)];
        let path =
            path.iter().find(|path| path.exists()).ok_or_else(|| format!("there is no example {name}"))?;
        let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let language = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Model { text, language, process })
    }
}

/// The program under test.
pub struct Servanda {
    /// Where it is.
    pub program: PathBuf,
}

impl Servanda {
    /// `check` with everything counted.
    pub(crate) fn check(&self, model: &Model, more: &[&str]) -> Result<Answer, String> {
        self.ask("check", model, &[&["--stats"], more].concat())
    }

    /// `size`.
    pub(crate) fn size(&self, model: &Model, more: &[&str]) -> Result<Answer, String> {
        self.ask("size", model, more)
    }

    /// `check` without counting what the verdicts do not need.
    pub(crate) fn verdicts(&self, model: &Model) -> Result<Answer, String> {
        self.ask("check", model, &[])
    }

    /// `check` of a model by its name.
    pub(crate) fn check_named(&self, name: &str, more: &[&str]) -> Result<Answer, String> {
        Model::named(name)
            .and_then(|model| self.check(&model, more))
            .map_err(|error| format!("{name}: {error}"))
    }

    /// The tableau or automaton of a formula, as JSON.
    pub(crate) fn abta(&self, formula: &str, more: &[&str]) -> Result<Value, String> {
        self.run(&[&["abta", formula, "--format", "json"], more].concat(), "")
    }

    /// Conformance of acts, as JSON.
    pub(crate) fn conform(&self, model: &Model) -> Result<Value, String> {
        self.run(&["conform", "-", "--input", &model.language, "--format", "json"], &model.text)
    }

    fn ask(&self, command: &str, model: &Model, more: &[&str]) -> Result<Answer, String> {
        let mut all = vec![command, "-", "--input", &model.language, "--format", "json"];
        if let Some(process) = &model.process {
            all.extend(["--process", process]);
        }
        all.extend(more);
        let object = self.run(&all, &model.text)?;
        let text = |value: &Value| value.as_str().map(str::to_owned);
        if object["model"].is_null() {
            let first = &object["diagnostics"][0];
            return Err(format!(
                "{}: {}",
                first["code"].as_str().unwrap_or("error"),
                first["message"].as_str().unwrap_or_default()
            ));
        }
        let properties = object["properties"].as_array().cloned().unwrap_or_default();
        Ok(Answer {
            verdicts: properties.iter().filter_map(|property| text(&property["verdict"])).collect(),
            expected: properties.iter().filter_map(|property| text(&property["expected"])).collect(),
            states: text(&object["model"]["states"]),
            transitions: text(&object["model"]["transitions"]),
            deadlocks: text(&object["model"]["deadlocks"]),
            nodes: object["stats"]["diagrams"]["peak_nodes"].as_u64(),
            seconds: object["seconds"].as_f64().unwrap_or_default(),
            memory: object["peak_memory_bytes"].as_u64().unwrap_or_default(),
        })
    }

    fn run(&self, arguments: &[&str], input: &str) -> Result<Value, String> {
        let failed = |error: std::io::Error| format!("{}: {error}", self.program.display());
        let mut child = Command::new(&self.program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        if let Some(mut pipe) = child.stdin.take() {
            // Who has refused the arguments does not read; the answer says so.
            let _ = pipe.write_all(input.as_bytes());
        }
        let done = child.wait_with_output().map_err(failed)?;
        serde_json::from_slice(&done.stdout).map_err(|_| {
            let said = String::from_utf8_lossy(&done.stderr);
            format!("{}: {}", arguments.join(" "), said.lines().next().unwrap_or("no answer"))
        })
    }
}

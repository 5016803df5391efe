//! Running the program.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// What a run of the program left behind.
pub(crate) struct Ran {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    /// Everything in one text, for snapshots.
    pub(crate) fn transcript(&self) -> String {
        let mut text = self.stdout.clone();
        if !self.stderr.is_empty() {
            text.push_str(&format!("--- standard error ---\n{}", self.stderr));
        }
        format!("{}--- exit status {} ---", without_measurements(&text), self.status)
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {}", self.stdout))
    }
}

/// The program, in the directory that holds `examples`, in surroundings that do not depend on the tester's.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_servanda"));
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    command
        .current_dir(root)
        .args(arguments)
        .env_remove("COLUMNS")
        .env_remove("NO_COLOR")
        .stdin(Stdio::null());
    command
}

/// The program in another directory.
pub(crate) fn command_in(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = command(arguments);
    command.current_dir(directory);
    command
}

/// Runs the program in another directory to its end.
pub(crate) fn run_in(directory: &Path, arguments: &[&str]) -> Ran {
    ran(command_in(directory, arguments).output().unwrap())
}

/// Runs a command to its end with a text as standard input.
pub(crate) fn run_with_input(mut command: Command, text: &str) -> Ran {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A program that does not want to read it all is no mistake of the test.
    let _ = child.stdin.take().unwrap().write_all(text.as_bytes());
    ran(child.wait_with_output().unwrap())
}

fn ran(output: Output) -> Ran {
    Ran {
        status: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Runs the program to its end.
pub(crate) fn run(arguments: &[&str]) -> Ran {
    ran(command(arguments).output().unwrap())
}

/// Runs the program on a Pact text given as standard input.
pub(crate) fn run_on(text: &str, arguments: &[&str]) -> Ran {
    run_on_kind("pact", text, arguments)
}

/// Runs the program on an ISPL text given as standard input.
pub(crate) fn run_on_ispl(text: &str, arguments: &[&str]) -> Ran {
    run_on_kind("ispl", text, arguments)
}

/// Runs the program on an `.aut` text given as standard input.
pub(crate) fn run_on_aut(text: &str, arguments: &[&str]) -> Ran {
    run_on_kind("aut", text, arguments)
}

/// Runs the program on a CCS text given as standard input.
pub(crate) fn run_on_ccs(text: &str, arguments: &[&str]) -> Ran {
    run_on_kind("ccs", text, arguments)
}

fn run_on_kind(kind: &str, text: &str, arguments: &[&str]) -> Ran {
    run_with_input(command(&[arguments, &["-", "--input", kind]].concat()), text)
}

/// Times and amounts of memory differ from run to run.
fn without_measurements(text: &str) -> String {
    let fields = ["\"peak_nodes\": ", "\"seconds\": ", "\"peak_memory_bytes\": ", "\"memory_bytes\": "];
    let units = [" s", " bytes", " KiB", " MiB", " GiB"];
    let mut shown = String::new();
    for line in text.lines() {
        let comma = if line.ends_with(',') { "," } else { "" };
        let field = fields.iter().find(|field| line.trim_start().starts_with(**field));
        let row = line.strip_prefix("  ").and_then(|row| row.rsplit_once("  "));
        match (field, row) {
            (Some(field), _) => {
                let indent = &line[..line.len() - line.trim_start().len()];
                shown.push_str(&format!("{indent}{field}[measured]{comma}"));
            }
            (None, Some((name, _))) if name.trim_end() == "peak nodes" => {
                shown.push_str(&format!("  {name}  [measured]"));
            }
            (None, Some((name, value))) if units.iter().any(|unit| value.ends_with(unit)) => {
                shown.push_str(&format!("  {name}  [measured]"));
            }
            _ => shown.push_str(line),
        }
        shown.push('\n');
    }
    shown
}

/// A protocol with something to say about everything.
pub(crate) const ODD: &str = "\
protocol Odd
roles Cus, Mer
var x : 0..3 = 0
commitment never = SC(Cus, Mer, F x = 3)
start low
low -- Cus: up when x < 3 set x = x + 1 --> low
low -- Mer: fly when x > 3 --> high
high -- Mer: land --> low
property grows = AG (x = 1 -> EF x = 2)
property vacuous = AG (in high -> x = 2)
property wrong expect true = AG x < 2
property plain = AF x = 0
";

/// An ISPL model with something to say about everything.
pub(crate) const ODD_ISPL: &str = "\
Agent Counter
  Vars:
    x : 0..3;
    seen : boolean;
  end Vars
  Actions = {up, stay};
  Protocol:
    Other : {up, stay};
  end Protocol
  Evolution:
    x = x + 1 if Action = up;
    seen = true if x = 2;
  end Evolution
end Agent

Evaluation
  low if Counter.x < 2;
  top if Counter.x = 3;
  far if Counter.x > 7;
end Evaluation

InitStates
  Counter.x = 0 and Counter.seen = false;
end InitStates

Groups
  all = {Counter};
end Groups

Formulae
  AG (far -> top);
  EF top;
  <all> F top;
  A (F top or G low);
end Formulae
";

/// A protocol with ten to the power of N states.
pub(crate) const LARGE: &str = "\
protocol Large
param N = 9
roles Ann
var x[1..N] : 0..9 = 0
start s
for i in 1..N {
  s -- Ann: up[i] when x[i] < 9 set x[i] = x[i] + 1 --> s
}
property low = AG x[1] < 9
";

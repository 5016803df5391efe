//! Every command on damaged files: which files, and which command.

use std::fs;
use std::path::{Path, PathBuf};

use servanda_testkit::damage;
use servanda_testkit::random::Dice;

/// `FILE` is a damaged model, `OTHER` a good one, `TOML` a damaged project or mapping, `FORMULA` a damaged formula.
const COMMANDS: [&[&str]; 38] = [
    &["check", "FILE", "--trace"],
    &["check", "FILE", "--format", "json"],
    &["check", "FILE", "--format", "jsonl", "--engine", "bdd"],
    &["check", "FILE", "--format", "junit", "--engine", "tableau"],
    &["check", "FILE", "--format", "sarif", "--engine", "enumerate"],
    &["check", "FILE", "--format", "github", "--engine", "sat"],
    &["check", "FILE", "--formula", "AG EF does(_)", "--deadlock", "strict"],
    &["size", "FILE"],
    &["conform", "FILE"],
    &["fmt", "FILE"],
    &["equiv", "FILE", "OTHER", "--relation", "weak"],
    &["minimise", "FILE", "--relation", "strong"],
    &["sim", "FILE", "--random", "20", "--seed", "1"],
    &["explain", "FILE", "--formula", "AG EX true"],
    &["states", "FILE", "--formula", "EX true"],
    &["convert", "FILE", "--to", "dot"],
    &["convert", "FILE", "--to", "aut"],
    &["convert", "FILE", "--to", "ispl"],
    &["convert", "FILE", "--to", "smv"],
    &["convert", "FILE", "--to", "json"],
    &["convert", "FILE", "--to", "aiger"],
    &["convert", "FILE", "--to", "ccs"],
    &["convert", "FILE", "--to", "svg"],
    &["check", "FILE", "--output", "out.json", "--format", "json", "--certificate", "certificates"],
    &["check", "FILE", "--uniform", "--validity", "reachable", "--past", "all"],
    &["check", "FILE", "--recall", "3", "--stats", "--no-reduction"],
    &["fmt", "FILE", "--write"],
    &["fmt", "FILE", "--check"],
    &["conform", "FILE", "--to", "OTHER"],
    &["abta", "AG EF p", "--model", "FILE"],
    &["abta", "FORMULA"],
    &["abta", "FORMULA", "--rules", "paper", "--closure"],
    &["check", "FILE", "--formula", "FORMULA"],
    &["check", "--project", "TOML"],
    &["audit", "FILE", "--map", "TOML"],
    &["check", "FILE", "--engine", "cluster", "--workers", "2"],
    &["size", "FILE", "--engine", "cluster", "--workers", "2", "--spill", "spilled"],
    &["check", "FILE", "--engine", "cluster", "--workers", "2", "--checkpoint", "kept", "--every", "1s"],
];

/// The limits of a run.
pub(crate) const SECONDS: u64 = 2;

/// The files that are damaged.
pub(crate) struct Damaged {
    models: Vec<(String, Vec<u8>)>,
    tables: Vec<(String, Vec<u8>)>,
    formulas: Vec<(String, Vec<u8>)>,
}

/// A run on damaged files.
pub(crate) struct Attempt {
    /// The words of the command line.
    pub(crate) words: Vec<String>,
    /// The damaged model.
    pub(crate) text: Vec<u8>,
}

impl Damaged {
    /// The examples and the corpora of the fuzzer.
    pub(crate) fn read() -> Self {
        let root = repository();
        let kinds = ["pact", "ispl", "ccs", "aut"];
        let mut models = files(&root.join("examples"), &kinds);
        for kind in kinds {
            let corpus = files(&root.join("fuzz/corpus").join(kind), &[]);
            models.extend(corpus.into_iter().map(|(_, bytes)| (kind.to_owned(), bytes)));
        }
        let corpus = |name: &str| files(&root.join("fuzz/corpus").join(name), &[]);
        Damaged { models, tables: corpus("project"), formulas: corpus("formula") }
    }

    /// Damages files by chance and writes them into a directory.
    pub(crate) fn attempt(&self, directory: &Path, dice: &mut Dice) -> Attempt {
        let (kind, whole) = &self.models[dice.below(self.models.len())];
        let mut text = whole.clone();
        // Nearly all that is damaged anywhere is refused by the parser: the rest of the program is tried on what can still be read.
        match dice.below(6) {
            0 => {}
            1 => bend(&mut text, dice),
            _ => damage(&mut text, &self.models[dice.below(self.models.len())].1, dice),
        }
        let mut table = self.tables[dice.below(self.tables.len())].1.clone();
        damage(&mut table, whole, dice);
        let mut formula = self.formulas[dice.below(self.formulas.len())].1.clone();
        damage(&mut formula, &self.formulas[dice.below(self.formulas.len())].1, dice);
        let formula = String::from_utf8_lossy(&formula).replace('\0', "");
        let names = [format!("damaged.{kind}"), format!("other.{kind}"), "servanda.toml".to_owned()];
        for (name, content) in names.iter().zip([&text, whole, &table]) {
            fs::write(directory.join(name), content).expect("a file");
        }
        // What an attempt before this one kept is about another model.
        for kept in ["spilled", "kept"] {
            let _ = fs::remove_dir_all(directory.join(kept));
        }
        let command = COMMANDS[dice.below(COMMANDS.len())];
        let limits = if command[0] == "fmt" { "" } else { "--timeout 2s --memory 1G" };
        let words = command.iter().copied().chain(limits.split_whitespace());
        let words = words.map(|word| match word {
            "FILE" => names[0].clone(),
            "OTHER" => names[1].clone(),
            "TOML" => names[2].clone(),
            "FORMULA" => formula.clone(),
            word => word.to_owned(),
        });
        Attempt { words: words.collect(), text }
    }
}

/// Operators, each row of the same kind: one instead of another can still be read, and mostly means something.
const KINDS: [&[&str]; 8] = [
    &[" & ", " | ", " -> ", " <-> "],
    &[" < ", " <= ", " = ", " != ", " > ", " >= "],
    &[" + ", " - ", " * "],
    &["AG ", "AF ", "EG ", "EF ", "AX ", "EX "],
    &[" U ", " W ", " R "],
    &["true", "false"],
    &[" and ", " or "],
    &["AG !", "EF !", "AG ", "EF "],
];

/// Changes a few numbers and operators.
fn bend(text: &mut Vec<u8>, dice: &mut Dice) {
    for _ in 0..=dice.below(3) {
        if dice.chance(50) {
            bend_number(text, dice);
        } else {
            bend_operator(text, dice);
        }
    }
}

/// A number becomes another small one.
fn bend_number(text: &mut [u8], dice: &mut Dice) {
    let is_part = |at: usize| text.get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let alone = |at: &usize| text[*at].is_ascii_digit() && !is_part(at + 1) && (*at == 0 || !is_part(at - 1));
    let places: Vec<usize> = (0..text.len()).filter(alone).collect();
    if !places.is_empty() {
        text[places[dice.below(places.len())]] = b'0' + dice.below(10) as u8;
    }
}

/// An operator becomes another of its kind.
fn bend_operator(text: &mut Vec<u8>, dice: &mut Dice) {
    let kind = KINDS[dice.below(KINDS.len())];
    let (old, new) = (kind[dice.below(kind.len())].as_bytes(), kind[dice.below(kind.len())].as_bytes());
    let places: Vec<usize> =
        text.windows(old.len()).enumerate().filter(|(_, there)| *there == old).map(|(at, _)| at).collect();
    if !places.is_empty() {
        let at = places[dice.below(places.len())];
        text.splice(at..at + old.len(), new.iter().copied());
    }
}

pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files of a directory with one of these endings, or all, in the order of their names.
pub(crate) fn files(directory: &Path, endings: &[&str]) -> Vec<(String, Vec<u8>)> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(directory).expect("a directory").map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    let ending =
        |path: &Path| path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_owned();
    let wanted = paths
        .iter()
        .filter(|path| path.is_file() && (endings.is_empty() || endings.contains(&ending(path).as_str())));
    wanted.map(|path| (ending(path), fs::read(path).expect("a file"))).collect()
}

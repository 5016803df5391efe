//! Blocks of CCS.

use servanda_engine::{NoLimits, Options};
use servanda_enumerate::Explored;
use servanda_syntax::SourceFile;

use super::{Block, wrong_errors};

/// What is wrong with a block, with the lines inside it; 0 is its fence.
pub(super) fn failures_of(block: &Block) -> Vec<(usize, String)> {
    let source = SourceFile::new("block.ccs", block.text.as_str());
    let mut loaded = servanda_ccs::load(&source, None);
    if block.errors.is_none() {
        // Any process will do to find the mistakes of the file.
        let first = loaded.processes.first().cloned();
        loaded = servanda_ccs::load(&source, first.as_deref());
    }
    if block.errors.is_some() || loaded.system.is_none() {
        return wrong_errors(block, &source, &loaded.diagnostics);
    }
    let mut failures = Vec::new();
    let mut expectations = 0;
    for (number, line) in block.text.lines().enumerate() {
        let Some(expectation) = line.trim().strip_prefix("* expect ") else { continue };
        expectations += 1;
        if let Err(reason) = check(&source, expectation) {
            failures.push((number + 1, reason));
        }
    }
    if expectations == 0 {
        failures.push((0, "the block expects nothing".to_owned()));
    }
    failures
}

/// Checks `Main: 4 states` or `Main: true FORMULA`.
fn check(source: &SourceFile, expectation: &str) -> Result<(), String> {
    let (process, claim) = expectation.split_once(':').ok_or("an expectation is `PROCESS: CLAIM`")?;
    let (first, rest) = claim.trim().split_once(' ').ok_or("a claim is `N states` or `true FORMULA`")?;
    let loaded = servanda_ccs::load(source, Some(process));
    let system = loaded.system.ok_or_else(|| format!("{:?}", loaded.diagnostics))?;
    let options = Options::default();
    let mut explored =
        Explored::new(&system.model, options, &NoLimits).map_err(|halt| format!("{halt:?}"))?;
    if matches!(rest, "states" | "state") {
        let states = explored.space.counts().states.to_string();
        return if states == first { Ok(()) } else { Err(format!("`{process}` has {states} states")) };
    }
    let expected = match first {
        "true" => true,
        "false" => false,
        other => return Err(format!("`{other}` is neither a number of states nor a verdict")),
    };
    let formula = system.formula(rest).map_err(|found| format!("{found:?}"))?;
    let verdict = explored.decide(&formula, &NoLimits).map_err(|halt| format!("{halt:?}"))?;
    match verdict.decided() {
        Some(found) if found == expected => Ok(()),
        found => Err(format!("`{rest}` is expected {expected} but is {found:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::check;

    #[test]
    fn expectations_of_processes() {
        let page = |line: &str| format!("```ccs\n{line}\nproc Main = a.b.Main\n```\n");
        assert_eq!(check("a.md", &page("* expect Main: 2 states")), Ok(1));
        assert_eq!(check("a.md", &page("* expect Main: true AG EF E does(b)")), Ok(1));
        for (line, failure) in [
            ("* expect Main: 3 states", "a.md:2: `Main` has 2 states"),
            ("* expect Main: false E does(a)", "a.md:2: `E does(a)` is expected false but is Some(true)"),
            ("* nothing", "a.md:1: the block expects nothing"),
            ("proc Main = a.Q", "a.md:2: unknown-name: no process is called `Q`"),
        ] {
            assert_eq!(check("a.md", &page(line)).unwrap_err()[0], failure);
        }
        assert_eq!(check("a.md", "```ccs fails: unknown-name\nproc P = a.Q\n```\n"), Ok(1));
        assert!(check("a.md", "```ccs fails: no-process\nproc P = a.Q\n```\n").is_err());
    }
}

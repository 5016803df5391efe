//! Markdown files as tests.
//!
//! A fenced block that starts with ` ```pact ` is a complete protocol: it loads without errors, each of its
//! properties says what is expected of it, and all expectations are met. A block that starts with ` ```pact fails:
//! code, code ` has exactly these errors, in the order of their places. One that starts with ` ```pact payment.pact ` is a file of this
//! name, which the protocols of the page may use. Blocks that start with ` ```ccs ` are CCS files
//! that say in comments what is expected: `* expect Main: 4 states` and `* expect Main: true AG E does(_)`. Other blocks
//! are not looked at.
//!
//! ````
//! use servanda_testkit::markdown;
//!
//! let page = "
//! ```pact
//! roles Ann
//! start idle
//! property stays expect true = AG in idle
//! ```
//! ";
//! assert_eq!(markdown::check("page.md", page), Ok(1));
//! ````

mod ccs;

use servanda_engine::{NoLimits, Options};
use servanda_enumerate::Explored;
use servanda_syntax::{Code, Diagnostic, SourceFile, Span};

/// A fenced block that is a test.
struct Block {
    /// The line of its fence, from 1.
    line: usize,
    text: String,
    language: Language,
    /// The codes of the errors it must have; `None`: it must work.
    errors: Option<Vec<String>>,
    /// The name by which other blocks can use it.
    name: Option<String>,
}

/// What a block is written in.
#[derive(Clone, Copy)]
enum Language {
    Pact,
    Ccs,
}

/// Checks every block of a file; says how many there are, or all that is wrong, each with file and line.
pub fn check(file: &str, markdown: &str) -> Result<usize, Vec<String>> {
    let mut failures = Vec::new();
    let blocks = blocks(markdown).map_err(|(line, reason)| vec![format!("{file}:{line}: {reason}")])?;
    for block in &blocks {
        let found = match block.language {
            Language::Pact => failures_of(block, &blocks),
            Language::Ccs => ccs::failures_of(block),
        };
        for (line, reason) in found {
            failures.push(format!("{file}:{}: {reason}", block.line + line));
        }
    }
    if failures.is_empty() { Ok(blocks.len()) } else { Err(failures) }
}

/// The backticks that open or close a block, if the line has them.
fn fence(line: &str) -> Option<(usize, &str)> {
    let line = line.trim();
    let ticks = line.len() - line.trim_start_matches('`').len();
    (ticks >= 3).then(|| (ticks, line[ticks..].trim()))
}

fn blocks(markdown: &str) -> Result<Vec<Block>, (usize, String)> {
    let mut blocks = Vec::new();
    let mut lines = markdown.lines().enumerate();
    while let Some((number, opening)) = lines.next() {
        let Some((ticks, info)) = fence(opening) else { continue };
        let mut text = String::new();
        loop {
            match lines.next() {
                None => return Err((number + 1, "this block is never closed".to_owned())),
                Some((_, line)) if matches!(fence(line), Some((closing, "")) if closing >= ticks) => break,
                Some((_, line)) => {
                    text.push_str(line);
                    text.push('\n');
                }
            }
        }
        let (word, rest) = info.split_once(' ').unwrap_or((info, ""));
        let language = match word {
            "pact" => Language::Pact,
            "ccs" => Language::Ccs,
            _ => continue,
        };
        let name = rest.ends_with(".pact").then(|| rest.to_owned());
        let errors = match (rest, rest.trim().strip_prefix("fails:")) {
            ("", _) => None,
            _ if name.is_some() => None,
            (_, Some(codes)) => Some(codes.split(',').map(|code| code.trim().to_owned()).collect()),
            _ => return Err((number + 1, format!("`{info}` is neither `{word}` nor `{word} fails: ..`"))),
        };
        blocks.push(Block { line: number + 1, text, language, errors, name });
    }
    Ok(blocks)
}

/// What is wrong with the errors of a block: those that it has where it should work, or that they are not the ones it must have.
fn wrong_errors(block: &Block, source: &SourceFile, found: &[Diagnostic]) -> Vec<(usize, String)> {
    let errors = || found.iter().filter(|found| found.is_error());
    let line = |error: &Diagnostic| source.place(error.span.start).line;
    match &block.errors {
        None => errors().map(|error| (line(error), format!("{}: {}", error.code, error.message))).collect(),
        Some(wanted) if errors().map(|error| error.code.word()).eq(wanted) => Vec::new(),
        Some(wanted) => {
            let places: Vec<String> =
                errors().map(|error| format!("{} ({})", error.code, line(error) + block.line)).collect();
            vec![(0, format!("expected the errors {wanted:?}, found {places:?}"))]
        }
    }
}

/// What is wrong with a block, with the lines inside it; 0 is its fence.
fn failures_of(block: &Block, page: &[Block]) -> Vec<(usize, String)> {
    let mut source = SourceFile::new("block.pact", block.text.as_str());
    let loaded = servanda_pact::load_with(&mut source, &[], &mut |_, path| {
        let named = page.iter().find(|other| other.name.as_deref() == Some(path));
        let unknown = || format!("no block of this page is called `{path}`");
        let text = named.map(|other| (path.to_owned(), other.text.clone()));
        text.ok_or_else(|| Box::new(Diagnostic::error(Code::CannotRead, unknown(), Span::default())))
    });
    let line = |offset: u32| source.place(offset).line;
    let Some(protocol) = loaded.protocol.filter(|_| block.errors.is_none()) else {
        return wrong_errors(block, &source, &loaded.diagnostics);
    };
    let mut explored = match Explored::new(&protocol.model, Options::default(), &NoLimits) {
        Ok(explored) => explored,
        Err(halt) => return vec![(0, format!("the engine stopped: {halt:?}"))],
    };
    let mut failures = Vec::new();
    for property in &protocol.properties {
        let verdict = match explored.decide(&property.formula, &NoLimits) {
            Ok(verdict) => verdict.decided(),
            Err(halt) => {
                failures.push((line(property.span.start), format!("the engine stopped: {halt:?}")));
                continue;
            }
        };
        let failure = match (property.expected, verdict) {
            (None, _) => "has no expectation".to_owned(),
            (Some(expected), Some(verdict)) if verdict == expected => continue,
            (Some(expected), verdict) => format!("is expected {expected} but is {verdict:?}"),
        };
        failures.push((line(property.span.start), format!("property `{}` {failure}", property.name)));
    }
    failures
}

#[cfg(test)]
mod tests {
    use super::check;

    const WORKS: &str = "roles Ann\nstart idle\nproperty p expect true = AG in idle\n";

    #[test]
    fn blocks_that_work_are_counted_and_others_left_alone() {
        let page = format!(
            "# Page\n\n```pact\n{WORKS}```\n\n```text\nno protocol\n```\n\n  ```pact\n{WORKS}  ```\n"
        );
        assert_eq!(check("a.md", &page), Ok(2));
        assert_eq!(check("a.md", "no blocks"), Ok(0));
        let inside = format!("````markdown\n```pact\nnonsense\n```\n````\n```pact\n{WORKS}```\n");
        assert_eq!(check("a.md", &inside), Ok(1));
    }

    #[test]
    fn failures_name_their_lines() {
        let wrong = WORKS.replace("true", "false");
        assert_eq!(
            check("a.md", &format!("\n```pact\n{wrong}```\n")),
            Err(vec!["a.md:5: property `p` is expected false but is Some(true)".to_owned()])
        );
        let silent = WORKS.replace(" expect true", "");
        assert_eq!(
            check("a.md", &format!("```pact\n{silent}```\n")),
            Err(vec!["a.md:4: property `p` has no expectation".to_owned()])
        );
        let unknown = WORKS.replace("in idle", "in nowhere");
        let failures = check("a.md", &format!("```pact\n{unknown}```\n")).unwrap_err();
        assert!(failures[0].starts_with("a.md:4: unknown-name: "), "{failures:?}");
    }

    #[test]
    fn expected_errors_must_be_all_and_in_order() {
        let page = |codes: &str| {
            format!(
                "```pact fails: {codes}\nroles Ann\nstart s\nproperty p = F x\nproperty q = F true\n```\n"
            )
        };
        assert_eq!(check("a.md", &page("unknown-name, path-formula")), Ok(1));
        assert!(check("a.md", &page("path-formula, unknown-name")).is_err());
        assert!(check("a.md", &page("unknown-name")).is_err());
        assert!(check("a.md", &format!("```pact fails: unknown-name\n{WORKS}```\n")).is_err());
    }

    #[test]
    fn slips_in_the_fences_are_found() {
        assert_eq!(
            check("a.md", "```pact\nroles Ann"),
            Err(vec!["a.md:1: this block is never closed".to_owned()])
        );
        assert!(check("a.md", &format!("```pact fail: x\n{WORKS}```\n")).is_err());
    }

    #[test]
    fn blocks_may_use_blocks_of_the_page() {
        let user = WORKS.replace("start", "use \"part.pact\" as part\nstart");
        let page = format!("```pact\n{user}```\n\n```pact part.pact\n{WORKS}```\n");
        assert_eq!(check("a.md", &page), Ok(2));
        assert!(check("a.md", &page.replace("pact part.pact", "pact")).is_err());
    }
}

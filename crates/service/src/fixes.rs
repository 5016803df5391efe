//! Changes that are proposed: what a finding says to write instead, and verdicts taken for what is expected.

use servanda_syntax::{Code, Diagnostic, Occurrence, Span, Stated, SymbolKind};

use crate::{Analysis, Language};

/// A change that is proposed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, in a few words.
    pub title: String,
    /// What takes the place of what.
    pub edits: Vec<(Span, String)>,
}

/// The changes that a finding proposes: those of the forms did you mean `x`? and write `x`, and what some findings want in their own words.
pub fn fixes(analysis: &Analysis, found: &Diagnostic) -> Vec<Fix> {
    let Some(help) = &found.help else { return Vec::new() };
    if analysis.source.file_of(found.span.start).base() != 0 {
        return Vec::new();
    }
    match found.code {
        Code::PathFormula => return ["A", "E"].map(|which| quantified(found, which)).into(),
        Code::NoStart => return start(analysis, found, help).into_iter().collect(),
        Code::UnterminatedComment => return vec![closed(analysis, found)],
        Code::CannotRead => return other_file(analysis, found, help).into_iter().collect(),
        _ => {}
    }
    let word = |rest: &str| rest.split_once('`').map(|(word, rest)| (word.to_owned(), rest.to_owned()));
    if let Some((name, _)) = help.strip_prefix("did you mean `").and_then(word) {
        if analysis.language == Language::Mapping {
            return in_mapping(analysis, found, &name).into_iter().collect();
        }
        return replaced(analysis, found, &name).into_iter().collect();
    }
    match help.strip_prefix("write `").and_then(word) {
        // More words after it make it an example, and capitals stand for what only the user knows.
        Some((text, rest)) if !rest.contains('`') && is_literal(&text) && is_instead(&rest) => {
            arrow(analysis, found, &text).or_else(|| replaced(analysis, found, &text)).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// Says the rest of an advice nothing but what the text is for?
fn is_instead(rest: &str) -> bool {
    let rest = rest.trim_end_matches('.');
    rest.is_empty() || rest.starts_with(" for ") || rest.starts_with(" instead")
}

/// No word in capitals, and nothing left out.
fn is_literal(text: &str) -> bool {
    let stands_for = |word: &str| word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase());
    !text.contains("..") && !text.split(|c: char| !c.is_alphanumeric()).any(stands_for)
}

/// `write --> done` is said of an arrow that stands before the control state: that it takes both places.
fn arrow(analysis: &Analysis, found: &Diagnostic, text: &str) -> Option<Fix> {
    let state = text.strip_prefix("--> ")?;
    let behind = analysis.text().get(found.span.end as usize..)?;
    let gap = behind.len() - behind.trim_start().len();
    behind.trim_start().starts_with(state).then_some(())?;
    let end = found.span.end as usize + gap + state.len();
    let title = format!("Write `{text}`");
    Some(Fix { title, edits: vec![(Span::new(found.span.start as usize, end), text.to_owned())] })
}

/// The marked text is replaced: of a name with indices only the name.
fn replaced(analysis: &Analysis, found: &Diagnostic, by: &str) -> Option<Fix> {
    let written = analysis.slice(found.span);
    let is_name = |text: &str| text.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let name = written.len()
        - written.trim_start_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '\'')).len();
    let length = match is_name(by) && is_name(written) {
        // A whole phrase is no misspelt name.
        true if name < written.len() && !written[name..].starts_with('[') => return None,
        true => name,
        false if written.contains(char::is_whitespace) => return None,
        false => written.len(),
    };
    if length == 0 {
        return None;
    }
    Some(changed(found, length, by))
}

/// The marked text of a mapping is replaced: of the call of a function its name, of a label with braces what stands before them.
fn in_mapping(analysis: &Analysis, found: &Diagnostic, by: &str) -> Option<Fix> {
    let written = analysis.slice(found.span);
    let is_name = |text: &str| text.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    let length = match written.find(['(', '{']) {
        Some(at) if written[at..].starts_with('{') || is_name(by) => at,
        _ => written.len(),
    };
    if length == 0 || written.starts_with(['"', '\'']) || written.contains('\n') {
        return None;
    }
    Some(changed(found, length, by))
}

/// So much of the marked text becomes something else.
fn changed(found: &Diagnostic, length: usize, by: &str) -> Fix {
    let start = found.span.start as usize;
    Fix { title: format!("Change to `{by}`"), edits: vec![(Span::new(start, start + length), by.to_owned())] }
}

/// Of which paths a formula is meant.
fn quantified(found: &Diagnostic, which: &str) -> Fix {
    let at = |place: u32| Span { start: place, end: place };
    let edits = vec![(at(found.span.start), format!("{which} (")), (at(found.span.end), ")".to_owned())];
    let paths = if which == "A" { "all paths" } else { "some path" };
    Fix { title: format!("Say it of {paths}: `{which} (..)`"), edits }
}

/// `say where it begins`: before the first statement that names the control state.
fn start(analysis: &Analysis, found: &Diagnostic, help: &str) -> Option<Fix> {
    let (_, rest) = help.split_once("`start ")?;
    let state = rest.strip_suffix('`')?;
    let is_meant = |named: &&Occurrence| {
        named.kind == SymbolKind::State && *named.name == *state && named.statement.end >= found.span.start
    };
    let place = analysis.symbols.occurrences.iter().find(is_meant)?.statement.start;
    let line = analysis.text().get(..place as usize)?.rsplit('\n').next()?;
    let indent = if line.trim().is_empty() { line } else { "" };
    let text = format!("start {state}\n{indent}");
    Some(Fix { title: format!("Begin in `{state}`"), edits: vec![(Span { start: place, end: place }, text)] })
}

/// A comment ends with its line.
fn closed(analysis: &Analysis, found: &Diagnostic) -> Fix {
    let rest = analysis.text().get(found.span.start as usize..).unwrap_or_default();
    let line = rest.split('\n').next().unwrap_or_default().trim_end();
    let end = found.span.start as usize + line.len();
    Fix { title: "Close the comment: `*/`".to_owned(), edits: vec![(Span::new(end, end), " */".to_owned())] }
}

/// did you mean this file? Only its own name is another one.
fn other_file(analysis: &Analysis, found: &Diagnostic, help: &str) -> Option<Fix> {
    let near = help.strip_prefix("did you mean ")?.strip_suffix('?')?;
    let near = near.rsplit(['/', '\\']).next()?;
    let written = analysis.slice(found.span);
    let name = written.trim_matches('"').rsplit(['/', '\\']).next().filter(|name| !name.is_empty())?;
    let start = found.span.start as usize + written.rfind(name)?;
    let edits = vec![(Span::new(start, start + name.len()), near.to_owned())];
    Some(Fix { title: format!("Change to `{near}`"), edits })
}

/// A verdict is taken for what is expected.
pub fn accept(stated: &Stated, verdict: bool) -> Option<Fix> {
    if stated.expected.map(|(expected, _)| expected) == Some(verdict) {
        return None;
    }
    let words = match (stated.is_scenario, verdict) {
        (false, true) => "expect true",
        (false, false) => "expect false",
        (true, true) => "expect possible",
        (true, false) => "expect impossible",
    };
    let edit = match stated.expected {
        Some((_, place)) => (place, words.to_owned()),
        None => (Span { start: stated.expect_at, end: stated.expect_at }, format!(" {words}")),
    };
    Some(Fix { title: format!("Accept this verdict: `{words}`"), edits: vec![edit] })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nothing;

    fn fixed(text: &str) -> Vec<String> {
        let analysis = Analysis::new(Language::Pact, "t.pact", text, &mut nothing);
        let fixes = analysis.diagnostics.iter().flat_map(|found| fixes(&analysis, found));
        fixes.map(|fix| applied(text, &fix)).collect()
    }

    fn applied(text: &str, fix: &Fix) -> String {
        let mut text = text.to_owned();
        for (span, by) in fix.edits.iter().rev() {
            text.replace_range(span.start as usize..span.end as usize, by);
        }
        text
    }

    #[test]
    fn what_was_meant_takes_the_place_of_what_was_written() {
        assert_eq!(fixed("rols Cus"), ["roles Cus"]);
        assert_eq!(fixed("roles Cus[1..2]\nred Cud[1] : true"), ["roles Cus[1..2]\nred Cus[1] : true"]);
        let states = "roles A\nstart s\ns -- A: m --> t\n";
        assert_eq!(fixed(&format!("{states}t -- A: n -> s")), [format!("{states}t -- A: n --> s")]);
        assert_eq!(fixed("roles A\nvar x : bool\ninit ~x"), ["roles A\nvar x : bool\ninit !x"]);
    }

    #[test]
    fn findings_that_want_more_than_another_word_are_mended_too() {
        let text = "roles A\nstart s\ns -- A: m --> s\nproperty p = G in s";
        let mended = ["A (G in s)", "E (G in s)"].map(|formula| text.replace("G in s", formula));
        assert_eq!(fixed(text), mended);
        assert!(mended.iter().all(|text| fixed(text).is_empty()));
        assert_eq!(fixed("roles A\ns -- A: m --> s"), ["roles A\nstart s\ns -- A: m --> s"]);
        assert_eq!(
            fixed("roles A\nmachine M {\n  s -- A: m --> s\n}"),
            ["roles A\nmachine M {\n  start s\n  s -- A: m --> s\n}"]
        );
        assert_eq!(fixed("roles A /* all\n"), ["roles A /* all */\n"]);
    }

    #[test]
    fn a_file_that_is_not_there_becomes_the_one_that_was_meant() {
        let text = "roles A\nuse \"sub/pya.pact\" as pay\n";
        let mut find = |_: &str, _: &str| {
            let error = Diagnostic::error(Code::CannotRead, "it is not there", Span::default());
            Err(Box::new(error.help("did you mean /home/sub/pay.pact?")))
        };
        let analysis = Analysis::new(Language::Pact, "t.pact", text, &mut find);
        let fixes = fixes(&analysis, &analysis.diagnostics[0]);
        assert_eq!(applied(text, &fixes[0]), text.replace("pya", "pay"));
    }

    #[test]
    fn a_verdict_becomes_what_is_expected() {
        let accepted = |text: &str, verdict| {
            let stated = servanda_pact::symbols(text).stated;
            accept(&stated[0], verdict).map(|fix| applied(text, &fix))
        };
        assert_eq!(accepted("property p = true", false).as_deref(), Some("property p expect false = true"));
        assert_eq!(
            accepted("property p[1] level must cite \"a = b\" expect true = x", false).as_deref(),
            Some("property p[1] level must cite \"a = b\" expect false = x")
        );
        assert_eq!(accepted("property p expect true = x", true), None);
        assert_eq!(
            accepted("scenario s { Ann: m }", false).as_deref(),
            Some("scenario s expect impossible { Ann: m }")
        );
        assert_eq!(
            accepted("scenario s expect impossible { Ann: m }", true).as_deref(),
            Some("scenario s expect possible { Ann: m }")
        );
    }
}

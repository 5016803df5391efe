//! What must hold whatever the input is: one function for each target of the fuzzer. Each panics where a promise is broken. `cargo fuzz` calls
//! them, and so do the tests of the command line (crates/servanda/tests/suite/fuzz.rs).

#![allow(dead_code, reason = "each target of the fuzzer is a program of its own and needs one of them")]

use servanda::{
    CheckOptions, Choices, EngineChoice, EngineOptions, Language, Loaded, NoClock, Watch, check, engine_names,
};
use servanda_engine::{Limited, NoLimits};
use servanda_syntax::{SourceFile, Toml};

/// A target and its name.
pub(crate) type Target = (&'static str, fn(&[u8]));

/// All targets by name.
pub(crate) const ALL: [Target; 7] = [
    ("pact", pact),
    ("ispl", ispl),
    ("ccs", ccs),
    ("aut", aut),
    ("formula", formula),
    ("project", project),
    ("engines", engines),
];

/// The Pact parser, and its standard form.
pub(crate) fn pact(data: &[u8]) {
    read(Language::Pact, data);
}

/// The ISPL parser.
pub(crate) fn ispl(data: &[u8]) {
    read(Language::Ispl, data);
}

/// The CCS parser.
pub(crate) fn ccs(data: &[u8]) {
    read(Language::Ccs, data);
}

/// The parser of `.aut` files.
pub(crate) fn aut(data: &[u8]) {
    read(Language::Aut, data);
}

/// A text is a model, or there is an error; every finding marks a part of the text; the standard form is in standard form.
fn read(language: Language, data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    if let Err(findings) = Loaded::read(language, "fuzz", text.as_ref(), Choices::default()) {
        assert!(findings.iter().any(|found| found.diagnostic.is_error()), "no model, and no error");
        for found in findings.iter().filter(|found| found.source.is_some()) {
            let span = found.diagnostic.span;
            let marked = text.get(span.start as usize..span.end as usize);
            assert!(marked.is_some(), "{:?} marks no part of the text", found.diagnostic);
        }
    }
    if let Some(form) = language.front_end().standard_form
        && let Ok(standard) = form(&text)
    {
        assert_eq!(form(&standard).as_ref(), Ok(&standard), "the standard form is not in standard form");
    }
}

/// The parser of formulas: what it prints it reads as the same formula.
pub(crate) fn formula(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    if let Ok(formula) = servanda_logic::parse_formula(&text) {
        let printed = formula.to_string();
        let again = servanda_logic::parse_formula(&printed).map(|formula| formula.to_string());
        assert_eq!(again.as_ref(), Ok(&printed), "what is printed is not read as the same");
    }
}

/// The reader of project files and mappings: every mistake has its place.
pub(crate) fn project(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let source = SourceFile::new("servanda.toml", text.as_ref());
    if let Err(mistakes) = Toml::parse(&source) {
        assert!(!mistakes.is_empty(), "no table, and no mistake");
        for mistake in mistakes {
            let marked = text.get(mistake.span.start as usize..mistake.span.end as usize);
            assert!(marked.is_some(), "{mistake:?} marks no part of the text");
        }
    }
}

/// Small protocols, decided by every engine: who knows a verdict knows the same.
pub(crate) fn engines(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let Ok(loaded) = Loaded::read(Language::Pact, "fuzz", text.as_ref(), Choices::default()) else { return };
    let Ok(mut questions) = loaded.questions(&[], &[]) else { return };
    questions.truncate(4);
    let verdicts: Vec<(&str, Vec<Option<bool>>)> = engine_names()
        .map(|name| {
            let budget = Limited::new(&NoLimits).space(500, 5000).nodes(20_000).reports(200);
            let engine = EngineOptions { engine: EngineChoice::Only(name), ..EngineOptions::default() };
            let options = CheckOptions { engine, ..CheckOptions::default() };
            let report = check(&loaded, &questions, options, Watch { budget: &budget, clock: &NoClock });
            (name, report.properties.iter().map(|property| property.verdict.decided()).collect())
        })
        .collect();
    for (number, question) in questions.iter().enumerate() {
        let known = |(name, verdicts): &(&'static str, Vec<Option<bool>>)| {
            Some((*name, verdicts.get(number).copied().flatten()?))
        };
        let known: Vec<(&str, bool)> = verdicts.iter().filter_map(known).collect();
        let agree = known.windows(2).all(|pair| pair[0].1 == pair[1].1);
        assert!(agree, "{}: {known:?}\n{text}", question.property.text);
    }
}

//! Mappings as editors see them: what names stand for and what fits, in whole texts, half ones and broken ones.

use servanda_audit::mapping::{Mapping, Names, Section, Told, Wanted, names, wanted};
use servanda_library::entries;
use servanda_syntax::{SourceFile, SymbolKind};

const TEXT: &str = r#"version = 1
[source]
format = "jsonl"   # [[view]]
[fields]
run = "/run"
role = "/role"
[define]
known = 'has(recall("seen", run)) & role = "user"'
[[table]]
name = "seen"
when = 'has(run)'
key = ["run"]
value = 'role'
[[view]]
name = "chat"
model = "chat.pact"
key = ["run"]
silent = ["Agent: thinks"]
event = [
  { when = 'known & slice_in("idle")', label = ["Agent: says_{lower(role)}", "Cr(Agent, payment)"] },
]
[view.cites]
"Agent: says" = "Handbook 4"
[[view]]
name = "other"
model = "other.pact"
event = [ { when = 'has(run)', label = "Boss: nods" } ]
levels = { kept = "must" }
"#;

fn written(named: &Names, kind: SymbolKind) -> Vec<(&str, &str, bool)> {
    let of_kind = named.symbols.occurrences.iter().filter(|found| found.kind == kind);
    let shown = of_kind.map(|found| {
        let place = &TEXT[found.span.start as usize..found.span.end as usize];
        (&*found.name, place, found.declares)
    });
    shown.collect()
}

#[test]
fn every_name_is_found_where_it_stands() {
    let named = names(TEXT);
    let run = |declares| ("run", "run", declares);
    assert_eq!(
        written(&named, SymbolKind::Field)[..4],
        [run(true), ("role", "role", true), run(false), ("role", "role", false)]
    );
    assert_eq!(
        written(&named, SymbolKind::Definition),
        [("known", "known", true), ("known", "known", false)]
    );
    assert_eq!(written(&named, SymbolKind::Table), [("seen", "seen", false), ("seen", "seen", true)]);
    assert_eq!(written(&named, SymbolKind::View), [("chat", "chat", true), ("other", "other", true)]);
    let functions: Vec<&str> = written(&named, SymbolKind::Function).iter().map(|found| found.0).collect();
    assert_eq!(functions, ["has", "recall", "has", "slice_in", "lower", "has"]);
    let models: Vec<Option<&str>> =
        named.models.iter().map(|model| model.as_ref().map(|model| model.text.as_str())).collect();
    assert_eq!(models, [Some("chat.pact"), Some("other.pact")]);
    let told: Vec<(Option<usize>, Told, &str)> =
        named.told.iter().map(|(view, told, text)| (*view, *told, text.text.as_str())).collect();
    for wanted in [
        (Some(0), Told::Label, "Agent: thinks"),
        (Some(0), Told::Label, "Agent: says_"),
        (Some(0), Told::Label, "Cr(Agent, payment)"),
        (Some(0), Told::State, "idle"),
        (Some(0), Told::Label, "Agent: says"),
        (Some(1), Told::Label, "Boss: nods"),
        (Some(1), Told::Property, "kept"),
    ] {
        assert!(told.contains(&wanted), "{wanted:?} in {told:?}");
    }
    for (_, _, text) in &named.told {
        assert_eq!(TEXT[text.span.start as usize..text.span.end as usize], text.text);
    }
    let outline: Vec<&str> = named.symbols.outline.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(outline, ["run", "role", "known", "seen", "chat", "other"]);
}

/// The text up to `|` and what is behind it; what fits there, and what of the text it replaces.
fn at(marked: &str) -> Option<(Wanted, String, bool)> {
    let offset = marked.find('|').unwrap();
    let text = marked.replacen('|', "", 1);
    let (wanted, span, quoted) = wanted(&text, offset)?;
    Some((wanted, text[span.start as usize..span.end as usize].to_owned(), quoted))
}

#[test]
fn what_fits_is_told_by_what_stands_around() {
    let view = "[[view]]\nmodel = \"a.pact\"\n[[view]]\nmodel = \"b.pact\"\n";
    let fits = |wanted: Wanted, replaced: &str, quoted| Some((wanted, replaced.to_owned(), quoted));
    let label = Wanted::Told(Told::Label, Some(1));
    let key =
        |section, given: &[&str]| Wanted::Key(section, given.iter().map(|key| (*key).to_owned()).collect());
    assert_eq!(at("ver|"), fits(key(Section::Top, &[]), "ver", true));
    assert_eq!(at("[so|"), fits(Wanted::Header, "so", true));
    assert_eq!(
        at("[source]\nformat = \"jsonl\"\nt|\norder = 1\n"),
        fits(key(Section::Source, &["format", "order"]), "t", true)
    );
    assert_eq!(
        at("[source]\nformat = \"js|\"\n"),
        fits(Wanted::OneOf(&["jsonl", "otlp", "sse", "csv"]), "js", true)
    );
    assert_eq!(
        at("[source]\nformat = |\n"),
        fits(Wanted::OneOf(&["jsonl", "otlp", "sse", "csv"]), "", false)
    );
    assert_eq!(at("[define]\na = 'has(ru|"), fits(Wanted::Expression(None), "ru", true));
    assert_eq!(at("[define]\na = 'recall(\"se|\", x)'"), fits(Wanted::Table, "se", true));
    assert_eq!(at("[define]\na = 'b = \"se|\"'"), None, "a text of the log");
    assert_eq!(at("[define]\na = 'b' # so|"), None, "a comment");
    let event = |rest: &str| at(&format!("{view}event = [\n  {{ {rest}"));
    assert_eq!(event("when = 'x', la|"), fits(key(Section::Event, &["when"]), "la", true));
    assert_eq!(event("when = 'slice_in(\"i|"), fits(Wanted::Told(Told::State, Some(1)), "i", true));
    assert_eq!(event("label = \"Agent: sa|ys\" },"), fits(label.clone(), "Agent: sa", true));
    assert_eq!(event("label = [\"Agent: says\", \"|\"]"), fits(label.clone(), "", true));
    assert_eq!(event("label = \"Agent: says_{lo|"), fits(Wanted::Expression(Some(1)), "lo", true));
    assert_eq!(event("label = \"Agent: says_{role} |"), fits(label.clone(), " ", true));
    assert_eq!(at(&format!("{view}silent = [|")), fits(label.clone(), "", false));
    assert_eq!(at(&format!("{view}[view.cites]\n\"Ag|\"")), fits(label, "Ag", true));
    assert_eq!(at("[source]\ntap = \"C|\""), fits(Wanted::Told(Told::Role, None), "C", true));
}

/// What is left open does not spoil the tables after it.
#[test]
fn a_header_ends_what_was_left_open() {
    let named = names("[[view]]\nevent = [ { when = 'x\n[[view]]\nmodel = \"m.pact\"\n");
    assert_eq!(named.models[1].as_ref().unwrap().text, "m.pact");
}

#[test]
fn editors_and_audits_read_the_same_in_mappings_of_the_library() {
    for mapping in entries().iter().flat_map(|entry| entry.mappings) {
        let (read, _) = Mapping::read(&SourceFile::new(mapping.path, mapping.text));
        let read = read.unwrap();
        let named = names(mapping.text);
        let models: Vec<_> = named.models.iter().map(|model| model.clone().unwrap()).collect();
        assert_eq!(
            models,
            read.views.iter().map(|view| view.model.clone()).collect::<Vec<_>>(),
            "{}",
            mapping.path
        );
        let declared = |kind| {
            let of_kind =
                named.symbols.occurrences.iter().filter(move |found| found.kind == kind && found.declares);
            of_kind.map(|found| (found.name.to_string(), found.span)).collect::<Vec<_>>()
        };
        let fields: Vec<_> = read.fields.iter().map(|field| (field.text.clone(), field.span)).collect();
        assert_eq!(declared(SymbolKind::Field), fields, "{}", mapping.path);
        let views: Vec<_> = read.views.iter().map(|view| (view.name.text.clone(), view.name.span)).collect();
        assert_eq!(declared(SymbolKind::View), views, "{}", mapping.path);
        let mut last = 0;
        for token in &named.symbols.tokens {
            assert!(
                token.span.start >= last && token.span.end >= token.span.start,
                "{}: {token:?}",
                mapping.path
            );
            last = token.span.end;
        }
    }
}

#[test]
fn nothing_that_is_typed_is_too_much() {
    let odd = [
        "\"",
        "'",
        "[",
        "]",
        "{",
        "}",
        "=",
        "#",
        "\n",
        "\\",
        "'''",
        "\"\"\"",
        "é",
        "[[view]]\n",
        ".",
        "recall(\"",
        ",",
    ];
    for cut in (0..=TEXT.len()).filter(|cut| TEXT.is_char_boundary(*cut)) {
        let piece = odd[cut % odd.len()];
        for text in [TEXT[..cut].to_owned(), format!("{}{piece}{}", &TEXT[..cut], &TEXT[cut..])] {
            let named = names(&text);
            for found in &named.symbols.occurrences {
                assert!(text.get(found.span.start as usize..found.span.end as usize).is_some(), "{text}");
            }
            for offset in
                (cut.saturating_sub(3)..=text.len().min(cut + 3)).filter(|at| text.is_char_boundary(*at))
            {
                if let Some((_, span, _)) = wanted(&text, offset) {
                    assert!(text.get(span.start as usize..span.end as usize).is_some(), "{text}");
                }
            }
        }
    }
}

/// Every key is explained where mappings are.
#[test]
fn the_page_about_mappings_has_all_keys() {
    let page =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/mapping.md")).unwrap();
    for section in [Section::Source, Section::Table, Section::View, Section::Event, Section::Timer] {
        for key in section.keys() {
            let name = key.name;
            let named = [
                format!("`{name}`"),
                format!("`{name} = "),
                format!("[{name}]"),
                format!(" {name},"),
                format!(" {name} "),
            ];
            assert!(
                named.iter().any(|named| page.contains(named)),
                "`{name}` of {section:?} is not explained"
            );
        }
    }
}

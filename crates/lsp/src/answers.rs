//! What is answered to requests about a text, all from what is understood of it.

use serde_json::{Value, json};
use servanda_service::{
    Analysis, Colour, CompletionKind, Language, Text, accept, coloured, complete, fixes, hover,
};
use servanda_syntax::{Outlined, Span, Stated, SymbolKind};

use crate::documents::Document;
use crate::places::range;

/// The kinds of words that editors colour, in the order in which they are numbered.
pub(crate) const COLOURS: &[&str] = &[
    "keyword",
    "comment",
    "string",
    "number",
    "operator",
    "namespace",
    "type",
    "class",
    "enumMember",
    "variable",
    "parameter",
    "property",
    "function",
    "event",
    "method",
];

fn colour(colour: Colour) -> &'static str {
    use SymbolKind::{
        Action, Channel, Clock, Commitment, Definition, Field, Foreign, Function, Group, Index, Key, Machine,
        Message, Parameter, Part, Process, Property, Proposition, Protocol, Role, Scenario, Set, State,
        Table, Type, Value, Variable, View,
    };
    match colour {
        Colour::Keyword => "keyword",
        Colour::Comment => "comment",
        Colour::Text => "string",
        Colour::Number => "number",
        Colour::Operator => "operator",
        Colour::Name(kind) => match kind {
            Protocol | Part => "namespace",
            Type | Set => "type",
            Role | Group | Machine => "class",
            Value | State => "enumMember",
            Variable | Clock | Foreign | Channel => "variable",
            Parameter | Index => "parameter",
            Property | Scenario => "property",
            Proposition | Commitment | Process => "function",
            Message => "event",
            Action => "method",
            Field => "variable",
            Definition | Function => "function",
            Table | View => "class",
            Key => "keyword",
        },
    }
}

/// The number of a kind in lists of symbols.
fn symbol_kind(kind: SymbolKind) -> u32 {
    match kind {
        SymbolKind::Protocol | SymbolKind::Part => 2,
        SymbolKind::Role | SymbolKind::Group | SymbolKind::Machine => 5,
        SymbolKind::Property | SymbolKind::Scenario => 7,
        SymbolKind::Type | SymbolKind::Set => 10,
        SymbolKind::Proposition
        | SymbolKind::Commitment
        | SymbolKind::Process
        | SymbolKind::Definition
        | SymbolKind::Function => 12,
        SymbolKind::Field | SymbolKind::Key => 8,
        SymbolKind::Table => 18,
        SymbolKind::View => 3,
        SymbolKind::Parameter => 14,
        SymbolKind::Value | SymbolKind::State => 22,
        SymbolKind::Message | SymbolKind::Action | SymbolKind::Channel => 24,
        SymbolKind::Variable | SymbolKind::Clock | SymbolKind::Index | SymbolKind::Foreign => 13,
    }
}

pub(crate) fn symbols(document: &Document) -> Value {
    fn entry(text: &Text, outlined: &Outlined) -> Value {
        let children: Vec<Value> = outlined.children.iter().map(|child| entry(text, child)).collect();
        // The name must lie within the whole.
        let span = outlined.span.to(outlined.name_span);
        json!({
            "name": outlined.name,
            "detail": outlined.kind.word(),
            "kind": symbol_kind(outlined.kind),
            "range": range(text, span),
            "selectionRange": range(text, outlined.name_span),
            "children": children,
        })
    }
    document.analysis.symbols.outline.iter().map(|outlined| entry(&document.text, outlined)).collect()
}

pub(crate) fn folds(document: &Document) -> Value {
    let lines = |span: &Span| {
        let (start, end) =
            (document.text.position(span.start as usize), document.text.position(span.end as usize));
        (start.line, end.line)
    };
    let mut folds: Vec<Value> = Vec::new();
    for (start, end) in document.analysis.symbols.folds.iter().map(lines).filter(|(start, end)| start < end) {
        folds.push(json!({ "startLine": start, "endLine": end }));
    }
    let comments = coloured(&document.analysis).into_iter().filter(|(_, colour)| *colour == Colour::Comment);
    let comments: Vec<u32> = comments.map(|(span, _)| lines(&span).0).collect();
    for run in comments.chunk_by(|one, next| one + 1 == *next).filter(|run| run.len() > 1) {
        folds.push(json!({ "startLine": run[0], "endLine": run[run.len() - 1], "kind": "comment" }));
    }
    folds.into()
}

pub(crate) fn formatted(document: &Document) -> Value {
    let Some(standard) = document.analysis.standard_form() else { return Value::Null };
    let text = document.text.as_str();
    if standard == text {
        return json!([]);
    }
    json!([{ "range": range(&document.text, Span::new(0, text.len())), "newText": standard }])
}

pub(crate) fn semantic_tokens(document: &Document) -> Value {
    let mut data: Vec<u32> = Vec::new();
    let (mut line, mut character) = (0, 0);
    for (span, kind) in coloured(&document.analysis) {
        let position = document.text.position(span.start as usize);
        let units = document.analysis.slice(span).encode_utf16().count() as u32;
        let number = COLOURS.iter().position(|known| *known == colour(kind)).unwrap_or(0) as u32;
        let begins = if position.line == line { position.character - character } else { position.character };
        data.extend([position.line - line, begins, units, number, 0]);
        (line, character) = (position.line, position.character);
    }
    json!({ "data": data })
}

pub(crate) fn completion(document: &Document, offset: usize) -> Value {
    let items = complete(&document.analysis, offset).into_iter().map(|proposal| {
        let (kind, detail, order) = match proposal.kind {
            CompletionKind::Name(kind) => (6, kind.word(), 0),
            CompletionKind::Act => (3, "act", 1),
            CompletionKind::Keyword => (14, "statement", 1),
            CompletionKind::Operator => (24, "operator", 2),
        };
        let mut item = json!({
            "label": proposal.text,
            "kind": kind,
            "detail": detail,
            "sortText": format!("{order}{}", proposal.text),
        });
        if let Some(span) = proposal.replaces {
            item["textEdit"] = json!({ "range": range(&document.text, span), "newText": proposal.text });
        }
        item
    });
    items.collect()
}

pub(crate) fn hovered(document: &Document, offset: u32) -> Value {
    let analysis = &document.analysis;
    let Some((span, mut words)) = hover(analysis, offset) else { return Value::Null };
    // On its name, or where it has none anywhere in it.
    let is_on = |stated: &&Stated| stated.name_span.start <= offset && offset <= stated.name_span.end;
    for stated in analysis.symbols.stated.iter().filter(is_on) {
        let names = analysis.properties_of(stated);
        for decided in names.iter().filter_map(|name| document.verdicts.get(*name)) {
            let wanted = if decided.as_wanted { "" } else { ", which is not as expected" };
            let by = format!("{} in {:.2} s", decided.engine, decided.seconds);
            words.push_str(&format!("\n\n`{}` is **{}**{wanted} ({by})", decided.name, decided.word));
        }
    }
    json!({ "contents": { "kind": "markdown", "value": words }, "range": range(&document.text, span) })
}

/// The changes that the findings between two places propose, and that verdicts do.
pub(crate) fn actions(document: &Document, wanted: Span) -> Value {
    let analysis: &Analysis = &document.analysis;
    let touches = |span: Span| span.start <= wanted.end && wanted.start <= span.end;
    let edit = |edits: &[(Span, String)]| {
        let edits: Vec<Value> = edits
            .iter()
            .map(|(span, by)| json!({ "range": range(&document.text, *span), "newText": by }))
            .collect();
        json!({ "changes": { &document.uri: edits } })
    };
    let mut actions: Vec<Value> = Vec::new();
    for found in analysis.diagnostics.iter().filter(|found| touches(found.span)) {
        for fix in fixes(analysis, found) {
            actions.push(json!({
                "title": fix.title,
                "kind": "quickfix",
                "isPreferred": true,
                "edit": edit(&fix.edits),
            }));
        }
    }
    // Other languages have no words for what is expected.
    let has_expect = analysis.language == Language::Pact;
    for stated in analysis.symbols.stated.iter().filter(|stated| has_expect && touches(stated.span)) {
        let names = analysis.properties_of(stated);
        let verdicts: Vec<Option<bool>> = names
            .iter()
            .map(|name| document.verdicts.get(*name).and_then(|decided| decided.verdict.decided()))
            .collect();
        // Those of a repetition have one expectation in common.
        let Some(Some(verdict)) = verdicts.first().copied() else { continue };
        if verdicts.iter().all(|other| *other == Some(verdict))
            && let Some(fix) = accept(stated, verdict)
        {
            actions.push(json!({ "title": fix.title, "kind": "quickfix", "edit": edit(&fix.edits) }));
        }
    }
    actions.into()
}

pub(crate) fn lenses(document: &Document) -> Value {
    let mut lenses: Vec<Value> = Vec::new();
    for stated in &document.analysis.symbols.stated {
        let place = range(&document.text, stated.name_span);
        let commands =
            [("check", "servanda.check"), ("explain", "servanda.explain"), ("simulate", "servanda.simulate")];
        for (title, command) in commands {
            let arguments = json!([&document.uri, &*stated.name]);
            let command = json!({ "title": title, "command": command, "arguments": arguments });
            lenses.push(json!({ "range": place, "command": command }));
        }
    }
    lenses.into()
}

pub(crate) fn hints(document: &Document) -> Value {
    let mut hints: Vec<Value> = Vec::new();
    for stated in &document.analysis.symbols.stated {
        let names = document.analysis.properties_of(stated);
        let known: Vec<_> = names.iter().filter_map(|name| document.verdicts.get(*name)).collect();
        let Some(first) = known.first() else { continue };
        let same = known.iter().all(|decided| decided.word == first.word);
        let word = if same { first.word } else { "true and false" };
        let sign = if known.iter().all(|decided| decided.as_wanted) { "✓" } else { "✗" };
        let position = document.text.position(stated.name_span.end as usize);
        hints.push(json!({
            "position": { "line": position.line, "character": position.character },
            "label": format!("{sign} {word}"),
            "paddingLeft": true,
        }));
    }
    hints.into()
}

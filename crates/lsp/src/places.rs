//! Places and files as editors name them.

use serde_json::{Value, json};
use servanda_service::{Analysis, Text};
use servanda_syntax::{Diagnostic, Severity, Span, SymbolKind, percent_encoded};

use crate::documents::{Document, Documents};

/// The path of a file that an editor names; `None` where it is in no file.
pub(crate) fn path(uri: &str) -> Option<String> {
    let mut rest = uri.strip_prefix("file://")?.as_bytes();
    let mut bytes = Vec::new();
    while let [byte, after @ ..] = rest {
        let two = after.get(..2).filter(|_| *byte == b'%').and_then(|two| str::from_utf8(two).ok());
        let coded = two.and_then(|two| u8::from_str_radix(two, 16).ok());
        bytes.push(coded.unwrap_or(*byte));
        rest = &after[if coded.is_some() { 2 } else { 0 }..];
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The address of a file.
pub(crate) fn uri(path: &str) -> String {
    if path.contains("://") || path.starts_with("untitled:") {
        return path.to_owned();
    }
    format!("file://{}", percent_encoded(path))
}

/// A span of a text as a range.
pub(crate) fn range(text: &Text, span: Span) -> Value {
    let place = |offset: u32| {
        let position = text.position(offset as usize);
        json!({ "line": position.line, "character": position.character })
    };
    json!({ "start": place(span.start), "end": place(span.end.max(span.start)) })
}

/// A place in a text or in one that it uses, as a location.
pub(crate) fn location(documents: &Documents, document: &Document, span: Span) -> Value {
    let source = &document.analysis.source;
    let file = source.file_of(span.start);
    if file.base() == 0 {
        return json!({ "uri": document.uri, "range": range(&document.text, span) });
    }
    json!({
        "uri": documents.uri(file.name()),
        "range": range(&Text::new(file.text()), source.inside(span)),
    })
}

/// A finding as editors show it. One in a text that is used is shown where that text is used.
pub(crate) fn diagnostic(
    documents: &Documents,
    document: &Document,
    found: &Diagnostic,
    pages: Option<&str>,
) -> Value {
    let analysis = &document.analysis;
    let severity = match found.severity {
        Severity::Error => 1,
        Severity::Warning => 2,
        Severity::Note => 3,
    };
    let file = analysis.source.file_of(found.span.start);
    let foreign = file.base() != 0;
    let place = if foreign { used_at(analysis, file.name()) } else { found.span };
    let mut message = found.message.clone();
    if let Some(note) = &found.note_at_span {
        message.push_str(&format!(": {note}"));
    }
    if let Some(help) = &found.help {
        message.push_str(&format!("\nhelp: {help}"));
    }
    let mut related: Vec<Value> = Vec::new();
    if foreign {
        related
            .push(json!({ "location": location(documents, document, found.span), "message": found.message }));
    }
    related.extend(found.labels.iter().map(
        |label| json!({ "location": location(documents, document, label.span), "message": label.message }),
    ));
    let page = found.code.page();
    let mut shown = json!({
        "range": range(&document.text, place),
        "severity": severity,
        "code": found.code.word(),
        "source": "servanda",
        "message": message,
        "relatedInformation": related,
        "data": { "page": page },
    });
    if let Some(base) = pages {
        let page = page.rsplit('/').next().unwrap_or(&page);
        shown["codeDescription"] = json!({ "href": format!("{}/{page}", base.trim_end_matches('/')) });
    }
    shown
}

/// Where a text is used.
fn used_at(analysis: &Analysis, name: &str) -> Span {
    let file = |path: &str| path.rsplit(['/', '\\']).next().map(str::to_owned);
    let part = analysis.symbols.parts.iter().find(|(_, path)| file(path) == file(name));
    let declared = analysis.symbols.occurrences.iter().find(|found| {
        found.declares && found.kind == SymbolKind::Part && part.is_some_and(|(part, _)| *part == found.name)
    });
    declared.map_or(Span::default(), |found| found.statement)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_addresses_and_addresses_files() {
        for name in ["/a/b c.pact", "/ä/%41.pact", "/plain"] {
            assert_eq!(path(&uri(name)).as_deref(), Some(name));
        }
        assert_eq!(path("file:///a%20b%zz").as_deref(), Some("/a b%zz"));
        assert_eq!((path("untitled:One"), uri("untitled:One")), (None, "untitled:One".into()));
    }
}

//! What can be read: the documentation, the pages about codes of findings, the library and the examples, all of which the program carries
//! in itself.

use rmcp::ErrorData;
use rmcp::model::{CompletionInfo, ReadResourceResult, Resource, ResourceContents, ResourceTemplate};
use servanda_syntax::nearest;

/// What all addresses begin with.
const SCHEME: &str = "servanda://";

const MARKDOWN: &str = "text/markdown";
const PLAIN: &str = "text/plain";

/// The pages that are about the languages and about what is answered, with what is in each.
const PAGES: [(&str, &str); 11] = [
    ("pact.md", "Pact, the protocol language: the whole reference, with its grammar"),
    ("formulas.md", "What formulas mean: time, acts, commitments, knowledge, strategies"),
    ("guide.md", "A first protocol in ten minutes"),
    ("mapping.md", "Mappings: how the lines of a log become labels of a model"),
    ("audit.md", "Auditing: what agents really said, judged against protocols"),
    ("library.md", "The library: protocols that logs are judged by"),
    ("errors/README.md", "All codes of errors and warnings"),
    ("ccs.md", "CCS in the dialect of the Concurrency Workbench"),
    ("acts.md", "Acts files: acts and commitments over CCS and ISPL"),
    ("command-line.md", "The command line: options, exit statuses, JSON"),
    ("terms.md", "What the words mean"),
];

/// The kinds of resources: template, its argument, what it gives, all values of the argument.
struct Kind {
    template: &'static str,
    argument: &'static str,
    title: &'static str,
    about: &'static str,
    mime: &'static str,
    values: fn() -> Vec<&'static str>,
}

const KINDS: [Kind; 4] = [
    Kind {
        template: "servanda://errors/{code}",
        argument: "code",
        title: "The page about the code of a finding",
        about: "What a code means, an example, and how to correct it.",
        mime: MARKDOWN,
        values: || servanda_docs::codes().collect(),
    },
    Kind {
        template: "servanda://docs/{+page}",
        argument: "page",
        title: "A page of the documentation",
        about: "The reference of the languages, guides, the command line.",
        mime: MARKDOWN,
        values: || servanda_docs::pages().filter(|page| page.ends_with(".md")).collect(),
    },
    Kind {
        template: "servanda://library/{+entry}",
        argument: "entry",
        title: "A protocol of the library",
        about: "Which rules it knows; with the path of one of its files, that file.",
        mime: MARKDOWN,
        values: || {
            let entries = servanda_library::entries();
            let names = entries.iter().map(|entry| entry.name);
            let files = entries.iter().flat_map(|entry| entry.texts()).map(|text| text.path);
            let mut values: Vec<&str> = names.chain(files).collect();
            values.dedup();
            values
        },
    },
    Kind {
        template: "servanda://examples/{+name}",
        argument: "name",
        title: "An example",
        about: "A model that is checked with every version of this program.",
        mime: PLAIN,
        values: || servanda_gallery::examples().iter().map(|example| example.name).collect(),
    },
];

/// The address of the page about a code.
pub(crate) fn error(code: &str) -> String {
    format!("{SCHEME}errors/{code}")
}

/// What is listed: the pages, the entries of the library, the examples. The pages about codes are found by their template.
pub(crate) fn all() -> Vec<Resource> {
    let pages = PAGES.iter().filter_map(|(path, about)| {
        let text = servanda_docs::page(path)?;
        let title = text.lines().next().unwrap_or_default().trim_start_matches("# ");
        Some(resource(format!("docs/{path}"), path, title, about, text, MARKDOWN))
    });
    let library = servanda_library::entries().iter().map(|entry| {
        let uri = format!("library/{}", entry.name);
        resource(uri, entry.name, entry.title, entry.about, entry.page.text, MARKDOWN)
    });
    let examples = servanda_gallery::examples();
    let examples = examples.iter().map(|example| {
        let uri = format!("examples/{}", example.name);
        resource(uri, example.name, &example.title, &example.about, example.text, PLAIN)
    });
    pages.chain(library).chain(examples).collect()
}

fn resource(path: String, name: &str, title: &str, about: &str, text: &str, mime: &str) -> Resource {
    Resource::new(format!("{SCHEME}{path}"), name)
        .with_title(title)
        .with_description(about)
        .with_mime_type(mime)
        .with_size(text.len() as u64)
}

/// The templates.
pub(crate) fn templates() -> Vec<ResourceTemplate> {
    let template = |kind: &Kind| {
        ResourceTemplate::new(kind.template, kind.argument)
            .with_title(kind.title)
            .with_description(kind.about)
            .with_mime_type(kind.mime)
    };
    KINDS.iter().map(template).collect()
}

/// Reads a resource.
pub(crate) fn read(uri: &str) -> Result<ReadResourceResult, ErrorData> {
    match found(uri) {
        Some((text, mime)) => {
            let contents = ResourceContents::text(text, uri).with_mime_type(mime);
            Ok(ReadResourceResult::new(vec![contents]))
        }
        None => Err(ErrorData::resource_not_found(missing(uri), None)),
    }
}

/// A resource with its type.
pub(crate) fn found(uri: &str) -> Option<(&'static str, &'static str)> {
    let (kind, name) = uri.strip_prefix(SCHEME)?.split_once('/')?;
    match kind {
        "docs" => servanda_docs::page(name).map(|text| (text, MARKDOWN)),
        "errors" => {
            let code = name.trim_end_matches(".md");
            servanda_docs::codes().find(|one| *one == code)?;
            servanda_docs::error_page(code).map(|text| (text, MARKDOWN))
        }
        "library" => match servanda_library::entry(name) {
            Some(entry) => Some((entry.page.text, MARKDOWN)),
            None => {
                let mut texts = servanda_library::entries().iter().flat_map(|entry| entry.texts());
                let mime = if name.ends_with(".md") { MARKDOWN } else { PLAIN };
                texts.find(|text| text.path == name).map(|text| (text.text, mime))
            }
        },
        "examples" => servanda_gallery::example(name).map(|example| (example.text, PLAIN)),
        _ => None,
    }
}

/// That there is no such resource, and which one was probably meant.
fn missing(uri: &str) -> String {
    let stem = |kind: &Kind| kind.template.split('{').next().unwrap_or_default();
    let near = KINDS.iter().find_map(|kind| {
        let name = uri.strip_prefix(stem(kind))?;
        let values = (kind.values)();
        nearest(name, values.iter().copied()).map(|near| format!("{}{near}", stem(kind)))
    });
    match near {
        Some(near) => format!("there is no resource {uri}; did you mean {near}?"),
        None => format!("there is no resource {uri}; `resources/list` and the templates say what there is"),
    }
}

/// The values that an argument of a template can have, those that begin as it does first.
pub(crate) fn complete(template: &str, argument: &str, begun: &str) -> Result<CompletionInfo, ErrorData> {
    let kind = KINDS.iter().find(|kind| kind.template == template);
    let kind = kind.filter(|kind| kind.argument == argument).ok_or_else(|| {
        ErrorData::invalid_params(
            format!("there is no template {template} with an argument {argument}"),
            None,
        )
    })?;
    let mut values: Vec<&str> = (kind.values)().into_iter().filter(|value| value.contains(begun)).collect();
    values.sort_by_key(|value| !value.starts_with(begun));
    let (all, most) = (values.len(), CompletionInfo::MAX_VALUES);
    let shown = values.into_iter().take(most).map(str::to_owned).collect();
    CompletionInfo::with_pagination(shown, u32::try_from(all).ok(), all > most)
        .map_err(|error| ErrorData::internal_error(error, None))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_is_listed_can_be_read() {
        let listed = all();
        assert!(listed.len() > 40, "{}", listed.len());
        for resource in &listed {
            let (text, mime) = found(&resource.uri).unwrap_or_else(|| panic!("{}", resource.uri));
            assert_eq!(resource.mime_type.as_deref(), Some(mime));
            assert_eq!(resource.size, Some(text.len() as u64));
            assert!(resource.title.as_ref().is_some_and(|title| title.len() > 2), "{resource:?}");
        }
        assert_eq!(PAGES.iter().filter(|(path, _)| servanda_docs::page(path).is_none()).count(), 0);
    }

    #[test]
    fn every_value_of_a_template_is_a_resource() {
        for kind in &KINDS {
            let stem = kind.template.split('{').next().unwrap();
            for value in (kind.values)() {
                assert!(found(&format!("{stem}{value}")).is_some(), "{stem}{value}");
            }
        }
    }

    #[test]
    fn what_is_not_there_is_told_with_what_was_meant() {
        assert!(missing("servanda://errors/unknown-nam").ends_with("mean servanda://errors/unknown-name?"));
        assert!(
            missing("servanda://examples/netbil.pact").contains("mean servanda://examples/netbill.pact?")
        );
        for odd in
            ["", "servanda://", "servanda://docs/", "servanda://docs/../Cargo.toml", "file:///etc/passwd"]
        {
            assert!(found(odd).is_none(), "{odd}");
        }
    }

    #[test]
    fn values_are_completed() {
        let codes = complete("servanda://errors/{code}", "code", "unknown-").unwrap();
        assert!(codes.values.contains(&"unknown-name".to_owned()), "{codes:?}");
        let all = complete("servanda://errors/{code}", "code", "").unwrap();
        assert_eq!((all.values.len(), all.has_more), (100, Some(true)));
        assert!(complete("servanda://errors/{code}", "name", "").is_err());
    }
}

//! Pages of the documentation as HTML.

use std::fmt::Write as _;

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};

/// A page with its title. The text is one of the program's own.
pub(crate) fn page(title: &str, text: &str) -> String {
    let mut events: Vec<Event<'_>> = Parser::new_ext(text, Options::ENABLE_TABLES).collect();
    name_headings(&mut events);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title} – Servanda</title>\n\
         <link rel=\"stylesheet\" href=\"/page.css\">\n</head>\n<body>\n<main>\n"
    );
    html::push_html(&mut page, events.into_iter());
    // Writing to a String cannot fail.
    let _ = writeln!(page, "</main>\n<nav><a href=\"/errors/README\">All codes</a></nav>\n</body>\n</html>");
    page
}

/// Gives headings the names that links call them by.
fn name_headings(events: &mut [Event<'_>]) {
    for start in 0..events.len() {
        if !matches!(events[start], Event::Start(Tag::Heading { .. })) {
            continue;
        }
        let inside =
            events[start..].iter().take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))));
        let texts = inside.filter_map(|event| match event {
            Event::Text(text) | Event::Code(text) => Some(text.as_ref()),
            _ => None,
        });
        let name = name(&texts.collect::<String>());
        if let Event::Start(Tag::Heading { id, .. }) = &mut events[start] {
            *id = Some(CowStr::from(name));
        }
    }
}

/// `2. Paths and deadlocks` is `2-paths-and-deadlocks`, as on the sites where people read the same pages.
fn name(heading: &str) -> String {
    let kept = |letter: &char| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_');
    let letters = heading.chars().filter(kept).map(|letter| if letter == ' ' { '-' } else { letter });
    letters.flat_map(char::to_lowercase).collect()
}

/// How the pages look.
pub(crate) const STYLE: &str = "\
:root { color-scheme: light dark }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: break-word }
h1 { font-size: 1.5rem }
code, pre { font-family: ui-monospace, monospace; font-size: .9em }
pre { padding: .75rem 1rem; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: .4rem; overflow-x: auto }
table { border-collapse: collapse }
th, td { text-align: left; padding: .2rem .8rem .2rem 0; vertical-align: top }
nav { margin-top: 2rem }
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_have_the_names_that_links_call_them_by() {
        let page =
            page("x", "# The `code`\n\n## 2. Paths and deadlocks\n\n[a](b.md#c)\n\n```pact\na < b\n```\n");
        assert!(
            page.contains("<h1 id=\"the-code\">") && page.contains("<h2 id=\"2-paths-and-deadlocks\">"),
            "{page}"
        );
        assert!(page.contains("a &lt; b") && page.contains("<a href=\"b.md#c\">"), "{page}");
    }
}

//! As much of XML as is needed: elements with attributes, and text or children.

use std::fmt::Write as _;

/// An element.
pub(crate) struct Element {
    name: &'static str,
    attributes: Vec<(&'static str, String)>,
    children: Vec<Element>,
    text: String,
}

impl Element {
    /// An empty element.
    pub(crate) fn new(name: &'static str) -> Self {
        Element { name, attributes: Vec::new(), children: Vec::new(), text: String::new() }
    }

    /// With a further attribute.
    pub(crate) fn attribute(mut self, name: &'static str, value: impl ToString) -> Self {
        self.attributes.push((name, value.to_string()));
        self
    }

    /// With a further element inside.
    pub(crate) fn child(mut self, child: Element) -> Self {
        self.children.push(child);
        self
    }

    /// With text inside; elements that have text have no children here.
    pub(crate) fn text(mut self, text: &str) -> Self {
        text.clone_into(&mut self.text);
        self
    }

    /// The whole document that it is the root of.
    pub(crate) fn document(&self) -> String {
        let mut document = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
        self.write(&mut document, 0);
        document
    }

    fn write(&self, document: &mut String, depth: usize) {
        let indent = "  ".repeat(depth);
        let _ = write!(document, "{indent}<{}", self.name);
        for (name, value) in &self.attributes {
            let _ = write!(document, " {name}=\"{}\"", escaped(value, true));
        }
        if self.children.is_empty() && self.text.is_empty() {
            document.push_str("/>\n");
            return;
        }
        document.push('>');
        document.push_str(&escaped(&self.text, false));
        if !self.children.is_empty() {
            document.push('\n');
            self.children.iter().for_each(|child| child.write(document, depth + 1));
            document.push_str(&indent);
        }
        let _ = writeln!(document, "</{}>", self.name);
    }
}

/// Characters with a meaning are written as references, and those that XML cannot say as the replacement character.
fn escaped(text: &str, in_attribute: bool) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => shown.push_str("&amp;"),
            '<' => shown.push_str("&lt;"),
            '>' => shown.push_str("&gt;"),
            '"' if in_attribute => shown.push_str("&quot;"),
            // A reader makes blanks of these in attributes unless they are references.
            '\n' | '\t' if in_attribute => {
                let _ = write!(shown, "&#{};", character as u32);
            }
            '\n' | '\t' => shown.push(character),
            // A reader makes a line's end of it wherever it stands.
            '\r' => shown.push_str("&#13;"),
            '\u{0}'..'\u{20}' | '\u{fffe}' | '\u{ffff}' => shown.push('\u{fffd}'),
            character => shown.push(character),
        }
    }
    shown
}

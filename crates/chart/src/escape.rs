//! Text of users inside of other languages.

/// Inside of an XML or HTML element or a quoted attribute.
pub(crate) fn xml(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // XML has no way to write these, not even as a number.
            other if is_forbidden(other) => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    escaped
}

fn is_forbidden(character: char) -> bool {
    let other_control = character.is_control() && !matches!(character, '\n' | '\t');
    let turns = crate::layout::visible(character) != character && !character.is_control();
    other_control || turns || matches!(character, '\u{fffe}' | '\u{ffff}')
}

/// Inside of a text of a Mermaid diagram, which ends at the end of the line.
pub(crate) fn mermaid(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            // Letters, digits and harmless signs; all else might be a word of Mermaid or of HTML.
            c if c.is_alphanumeric() => escaped.push(c),
            ' ' | '(' | ')' | ',' | '.' | '=' | '!' | '_' | '-' | '+' | '*' | '/' | '?' | '|' | '\''
            | '…' | '→' => {
                escaped.push(character);
            }
            c => {
                let code = u32::from(crate::layout::visible(c));
                escaped.push_str(&format!("#{code};"));
            }
        }
    }
    escaped
}

/// A quoted string of Graphviz. Only line ends that are meant are breaks.
pub(crate) fn dot(lines: &[String]) -> String {
    let mut quoted = String::from("\"");
    for (number, line) in lines.iter().enumerate() {
        if number > 0 {
            quoted.push_str("\\n");
        }
        for character in line.chars() {
            match character {
                '"' => quoted.push_str("\\\""),
                '\\' => quoted.push_str("\\\\"),
                other => quoted.push(crate::layout::visible(other)),
            }
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_the_user_is_markup() {
        assert_eq!(xml("<b a='1'>&\"\u{7}"), "&lt;b a=&#39;1&#39;&gt;&amp;&quot;\u{fffd}");
        assert_eq!(mermaid("a;b#c<d>\n%"), "a#59;b#35;c#60;d#62;#65533;#37;");
        assert_eq!(dot(&["a\"b\\n".to_owned(), "c".to_owned()]), "\"a\\\"b\\\\n\\nc\"");
    }
}

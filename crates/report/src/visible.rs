//! Texts that others wrote, made harmless for terminals.

use std::borrow::Cow;

/// Characters that a terminal would obey, or that turn the direction of writing, are shown as what they are: `\u{1b}`.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let shown = |character: char| -> Cow<'static, str> {
        match character {
            '\n' => "\\n".into(),
            '\r' => "\\r".into(),
            '\t' => "\\t".into(),
            character if is_hidden(character) => format!("\\u{{{:x}}}", character as u32).into(),
            character => character.to_string().into(),
        }
    };
    Cow::Owned(text.chars().map(shown).collect())
}

/// A text of several lines, made of what others wrote and perhaps of colours, as it may reach a terminal: only what sets colours is obeyed.
pub fn harmless(text: &str) -> Cow<'_, str> {
    let is_bare = |character: char| is_hidden(character) && !matches!(character, '\n' | '\t');
    if !text.contains(is_bare) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 64);
    let mut rest = text;
    while let Some(at) = rest.find(is_bare) {
        shown.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = colour(rest).or_else(|| rest.chars().next().map(char::len_utf8)).unwrap_or(rest.len());
        let (hidden, behind) = rest.split_at(length);
        shown.push_str(&if colour(rest).is_some() { Cow::Borrowed(hidden) } else { visible(hidden) });
        rest = behind;
    }
    shown.push_str(rest);
    Cow::Owned(shown)
}

/// How long the sequence is that a text begins with, if it is one that sets a colour, bold or faint, or takes that back.
fn colour(text: &str) -> Option<usize> {
    let (numbers, _) = text.strip_prefix("\u{1b}[")?.split_once('m')?;
    let known =
        |number: &str| matches!(number, "0" | "1" | "2" | "22" | "39" | "31" | "32" | "33" | "34" | "36");
    // Of 256 colours one.
    let palette = numbers.strip_prefix("38;5;").is_some_and(|number| number.parse::<u8>().is_ok());
    (known(numbers) || palette).then_some("\u{1b}[m".len() + numbers.len())
}

/// JSON in which such characters are written as escapes: the same values, for whoever looks at it on a terminal.
pub(crate) fn escaped(json: String) -> String {
    // JSON has them in strings only, but for the ends of lines between tokens, and escapes those in strings itself.
    let is_bare = |character: char| is_hidden(character) && character != '\n';
    if !json.contains(is_bare) {
        return json;
    }
    let mut text = String::with_capacity(json.len() + 64);
    for character in json.chars() {
        match is_bare(character) {
            // All of them fit into one escape.
            true => text.push_str(&format!("\\u{:04x}", character as u32)),
            false => text.push(character),
        }
    }
    text
}

fn is_hidden(character: char) -> bool {
    let turns =
        matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    character.is_control() || turns || matches!(character, '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_shown() {
        assert_eq!(visible("plain ✓ text"), "plain ✓ text");
        assert_eq!(visible("a\u{1b}[2Jb\nc\td\u{9b}\u{7f}"), "a\\u{1b}[2Jb\\nc\\td\\u{9b}\\u{7f}");
        assert_eq!(visible("\u{202e}gpj\u{2066}"), "\\u{202e}gpj\\u{2066}");
    }

    #[test]
    fn of_a_text_only_colours_reach_the_terminal() {
        let text =
            "a\u{1b}[31mb\u{1b}[0m\tc\n\u{1b}[38;5;246m|\u{1b}[0m\r\u{1b}[2J\u{1b}[8mx\u{1b}]0;t\u{7}\u{1b}";
        let shown = "a\u{1b}[31mb\u{1b}[0m\tc\n\u{1b}[38;5;246m|\u{1b}[0m\\r\\u{1b}[2J\\u{1b}[8mx\\u{1b}]0;t\\u{7}\\u{1b}";
        assert_eq!(harmless(text), shown);
        assert_eq!(harmless("plain\n\ttext"), "plain\n\ttext");
    }

    #[test]
    fn escapes_leave_json_as_it_is() {
        let value = serde_json::json!({ "a\u{202e}": ["\u{9b}\n\u{1b}", "✓"] });
        let text = escaped(serde_json::to_string_pretty(&value).unwrap());
        assert!(text.contains("\\u202e") && text.contains("\\u009b") && text.contains('✓'), "{text}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), value);
    }
}

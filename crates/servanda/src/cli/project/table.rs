//! Values of a TOML file, with what is wrong about them.

use std::ops::Range;

use clap::ValueEnum;
use servanda_syntax::{Code, Diagnostic, SourceFile, Span};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value and where it is.
pub(super) type Value<'a> = Spanned<DeValue<'a>>;

/// A text and where it is.
#[derive(Clone, Debug)]
pub(super) struct Text {
    pub(super) text: String,
    pub(super) span: Span,
}

/// The mistakes found so far.
pub(super) struct Mistakes<'s> {
    source: &'s SourceFile,
    pub(super) found: Vec<Diagnostic>,
}

impl<'s> Mistakes<'s> {
    pub(super) fn new(source: &'s SourceFile) -> Self {
        Mistakes { source, found: Vec::new() }
    }

    /// The entries of a table in the order of the file.
    pub(super) fn entries<'t, 'a>(table: &'t DeTable<'a>) -> Vec<(Text, &'t Value<'a>)> {
        let mut entries: Vec<(Text, &Value<'a>)> = table
            .iter()
            .map(|(key, value)| {
                (Text { text: key.get_ref().clone().into_owned(), span: span(key.span()) }, value)
            })
            .collect();
        entries.sort_by_key(|(key, _)| key.span);
        entries
    }

    pub(super) fn unknown_key(&mut self, key: &Text, known: &[&str]) {
        let message = format!("there is no key `{}` here", key.text);
        let error =
            Diagnostic::error(Code::UnknownKey, message, key.span).suggest(&key.text, known.iter().copied());
        self.found.push(match error.help {
            Some(_) => error,
            None => error.help(format!("the keys are {}", known.join(", "))),
        });
    }

    pub(super) fn table<'t, 'a>(&mut self, value: &'t Value<'a>) -> Option<&'t DeTable<'a>> {
        match value.get_ref() {
            DeValue::Table(table) => Some(table),
            _ => self.wrong_type("a table", value),
        }
    }

    pub(super) fn array<'t, 'a>(&mut self, value: &'t Value<'a>) -> Option<Vec<&'t Value<'a>>> {
        match value.get_ref() {
            DeValue::Array(array) => Some(array.iter().collect()),
            _ => self.wrong_type("an array", value),
        }
    }

    /// A string; its span is that of the text between the quotes where that is written as it is.
    pub(super) fn text(&mut self, value: &Value<'_>) -> Option<Text> {
        match value.get_ref() {
            DeValue::String(text) => {
                let whole = span(value.span());
                let inside = self.source.slice(whole).find(text.as_ref()).filter(|_| !text.is_empty());
                let span = inside.map_or(whole, |at| {
                    let start = whole.start as usize + at;
                    Span::new(start, start + text.len())
                });
                Some(Text { text: text.clone().into_owned(), span })
            }
            _ => self.wrong_type("a string", value),
        }
    }

    pub(super) fn truth(&mut self, value: &Value<'_>) -> Option<bool> {
        match value.get_ref() {
            DeValue::Boolean(value) => Some(*value),
            _ => self.wrong_type("true or false", value),
        }
    }

    pub(super) fn integer(&mut self, value: &Value<'_>) -> Option<i64> {
        let DeValue::Integer(number) = value.get_ref() else { return self.wrong_type("an integer", value) };
        let parsed = i64::from_str_radix(number.as_str(), number.radix());
        parsed.map_err(|_| self.bad_value("this number is too large", span(value.span()), None)).ok()
    }

    /// One of the words that an option of the command line takes.
    pub(super) fn choice<T: ValueEnum>(&mut self, value: &Value<'_>) -> Option<T> {
        let word = self.text(value)?;
        if let Ok(choice) = T::from_str(&word.text, false) {
            return Some(choice);
        }
        let names: Vec<String> = T::value_variants()
            .iter()
            .filter_map(|variant| Some(variant.to_possible_value()?.get_name().to_owned()))
            .collect();
        let nearest = servanda_syntax::nearest(&word.text, names.iter().map(String::as_str));
        let help = match nearest {
            Some(best) => format!("did you mean `{best}`?"),
            None => format!("write one of {}", names.join(", ")),
        };
        self.bad_value(&format!("`{}` is not known here", word.text), word.span, Some(help));
        None
    }

    /// A string that is read like the value of an option.
    pub(super) fn parsed<T>(
        &mut self,
        value: &Value<'_>,
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> Option<T> {
        let text = self.text(value)?;
        parse(&text.text).map_err(|message| self.bad_value(&message, text.span, None)).ok()
    }

    pub(super) fn bad_value(&mut self, message: &str, span: Span, help: Option<String>) {
        let error = Diagnostic::error(Code::BadValue, message, span);
        self.found.push(match help {
            Some(help) => error.help(help),
            None => error,
        });
    }

    fn wrong_type<T>(&mut self, wanted: &str, value: &Value<'_>) -> Option<T> {
        let found = match value.get_ref() {
            DeValue::String(_) => "a string",
            DeValue::Integer(_) => "an integer",
            DeValue::Float(_) => "a number with a point",
            DeValue::Boolean(_) => "a truth value",
            DeValue::Datetime(_) => "a date",
            DeValue::Array(_) => "an array",
            DeValue::Table(_) => "a table",
        };
        let message = format!("expected {wanted}, found {found}");
        self.found.push(Diagnostic::error(Code::WrongType, message, span(value.span())));
        None
    }
}

/// A range of the reader as a span.
pub(super) fn span(range: Range<usize>) -> Span {
    Span::new(range.start, range.end)
}

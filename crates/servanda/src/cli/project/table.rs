//! Values of a TOML file, with what is wrong about them.

use std::ops::Range;

use clap::ValueEnum;
use servanda_syntax::{Code, Diagnostic, Span};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::read::Reader;

/// A value and where it is.
pub(super) type Value<'a> = Spanned<DeValue<'a>>;

/// A text and where it is.
#[derive(Clone, Debug)]
pub(super) struct Text {
    pub(super) text: String,
    pub(super) span: Span,
}

impl Reader<'_> {
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
        self.found.push(or_help(error, || format!("the keys are {}", known.join(", "))));
    }

    pub(super) fn table<'t, 'a>(&mut self, value: &'t Value<'a>) -> Option<&'t DeTable<'a>> {
        value.get_ref().as_table().or_else(|| self.wrong_type("a table", value))
    }

    pub(super) fn array<'t, 'a>(&mut self, value: &'t Value<'a>) -> Option<&'t [Value<'a>]> {
        value.get_ref().as_array().map(|array| &**array).or_else(|| self.wrong_type("an array", value))
    }

    /// A string; its span is that of the text between the quotes where that is written as it is.
    pub(super) fn text(&mut self, value: &Value<'_>) -> Option<Text> {
        let text = value.get_ref().as_str().or_else(|| self.wrong_type("a string", value))?;
        let whole = span(value.span());
        let inside = self.source.slice(whole).find(text).filter(|_| !text.is_empty());
        let span = inside.map_or(whole, |at| {
            let start = whole.start as usize + at;
            Span::new(start, start + text.len())
        });
        Some(Text { text: text.to_owned(), span })
    }

    pub(super) fn truth(&mut self, value: &Value<'_>) -> Option<bool> {
        value.get_ref().as_bool().or_else(|| self.wrong_type("true or false", value))
    }

    pub(super) fn integer(&mut self, value: &Value<'_>) -> Option<i64> {
        let number = value.get_ref().as_integer().or_else(|| self.wrong_type("an integer", value))?;
        let parsed = i64::from_str_radix(number.as_str(), number.radix());
        parsed.map_err(|_| self.bad_value("this number is too large", span(value.span()))).ok()
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
        let error =
            Diagnostic::error(Code::BadValue, format!("`{}` is not known here", word.text), word.span);
        let error = error.suggest(&word.text, names.iter().map(String::as_str));
        self.found.push(or_help(error, || format!("write one of {}", names.join(", "))));
        None
    }

    /// A string that is read like the value of an option.
    pub(super) fn parsed<T>(
        &mut self,
        value: &Value<'_>,
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> Option<T> {
        let text = self.text(value)?;
        parse(&text.text).map_err(|message| self.bad_value(&message, text.span)).ok()
    }

    pub(super) fn bad_value(&mut self, message: &str, span: Span) {
        self.found.push(Diagnostic::error(Code::BadValue, message, span));
    }

    pub(super) fn missing_key(&mut self, message: &str, span: Span, help: &str) {
        self.found.push(Diagnostic::error(Code::MissingKey, message, span).help(help));
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

/// With this help unless there is a better one.
fn or_help(error: Diagnostic, help: impl FnOnce() -> String) -> Diagnostic {
    if error.help.is_some() { error } else { error.help(help()) }
}

/// A range of the reader as a span.
pub(super) fn span(range: Range<usize>) -> Span {
    Span::new(range.start, range.end)
}

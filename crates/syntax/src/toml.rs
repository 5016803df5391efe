//! TOML files with the place of every key and value, and what is wrong about them.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::{Code, Diagnostic, SourceFile, Span};

/// A value and where it is.
pub type TomlValue<'a> = Spanned<DeValue<'a>>;

/// A table, and where its keys and values are.
pub type TomlTable<'a> = DeTable<'a>;

/// A text and where it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    /// What it says.
    pub text: String,
    /// Where.
    pub span: Span,
}

/// A file that is read, and the mistakes found in it so far. What has the wrong type is reported and then missing.
#[derive(Debug)]
pub struct Toml<'s> {
    source: &'s SourceFile,
    /// The mistakes found so far.
    pub found: Vec<Diagnostic>,
}

impl<'s> Toml<'s> {
    /// The table that a file is, or all that makes it none.
    pub fn parse(source: &'s SourceFile) -> Result<(Self, Spanned<TomlTable<'s>>), Vec<Diagnostic>> {
        let (document, errors) = DeTable::parse_recoverable(source.text());
        if errors.is_empty() {
            return Ok((Toml { source, found: Vec::new() }, document));
        }
        // What could be saved of a text that cannot be read would give rise to mistakes that are none.
        let error = |error: toml::de::Error| {
            let place = error.span().map_or(Span::default(), span);
            Diagnostic::error(Code::ProjectSyntax, error.message().replace('\n', ", "), place)
        };
        Err(errors.into_iter().map(error).collect())
    }

    /// The mistakes, in the order of the text.
    pub fn mistakes(mut self) -> Vec<Diagnostic> {
        self.found.sort_by_key(|mistake| mistake.span);
        self.found
    }

    /// The entries of a table in the order of the file.
    pub fn entries<'t, 'a>(table: &'t TomlTable<'a>) -> Vec<(Text, &'t TomlValue<'a>)> {
        let mut entries: Vec<(Text, &TomlValue<'a>)> = table
            .iter()
            .map(|(key, value)| {
                (Text { text: key.get_ref().clone().into_owned(), span: span(key.span()) }, value)
            })
            .collect();
        entries.sort_by_key(|(key, _)| key.span);
        entries
    }

    /// Reports a key that means nothing, with the nearest that does.
    pub fn unknown_key(&mut self, key: &Text, known: &[&str]) {
        let message = format!("there is no key `{}` here", key.text);
        let error =
            Diagnostic::error(Code::UnknownKey, message, key.span).suggest(&key.text, known.iter().copied());
        self.found.push(or_help(error, || format!("the keys are {}", known.join(", "))));
    }

    /// A table.
    pub fn table<'t, 'a>(&mut self, value: &'t TomlValue<'a>) -> Option<&'t TomlTable<'a>> {
        value.get_ref().as_table().or_else(|| self.wrong_type("a table", value))
    }

    /// An array.
    pub fn array<'t, 'a>(&mut self, value: &'t TomlValue<'a>) -> Option<&'t [TomlValue<'a>]> {
        value.get_ref().as_array().map(|array| &**array).or_else(|| self.wrong_type("an array", value))
    }

    /// A string; its span is that of the text between the quotes where that is written as it is.
    pub fn text(&mut self, value: &TomlValue<'_>) -> Option<Text> {
        let text = value.get_ref().as_str().or_else(|| self.wrong_type("a string", value))?;
        let whole = span(value.span());
        let inside = self.source.slice(whole).find(text).filter(|_| !text.is_empty());
        let span = inside.map_or(whole, |at| {
            let start = whole.start as usize + at;
            Span::new(start, start + text.len())
        });
        Some(Text { text: text.to_owned(), span })
    }

    /// A string, or an array of strings.
    pub fn texts(&mut self, value: &TomlValue<'_>) -> Vec<Text> {
        match value.get_ref().as_array() {
            Some(texts) => texts.iter().filter_map(|text| self.text(text)).collect(),
            None => self.text(value).into_iter().collect(),
        }
    }

    /// A truth value.
    pub fn truth(&mut self, value: &TomlValue<'_>) -> Option<bool> {
        value.get_ref().as_bool().or_else(|| self.wrong_type("true or false", value))
    }

    /// An integer.
    pub fn integer(&mut self, value: &TomlValue<'_>) -> Option<i64> {
        let number = value.get_ref().as_integer().or_else(|| self.wrong_type("an integer", value))?;
        let parsed = i64::from_str_radix(number.as_str(), number.radix());
        parsed.map_err(|_| self.bad_value("this number is too large", span(value.span()))).ok()
    }

    /// One of these words.
    pub fn one_of<T: Clone>(&mut self, value: &TomlValue<'_>, named: &[(&str, T)]) -> Option<T> {
        let word = self.text(value)?;
        if let Some((_, choice)) = named.iter().find(|(name, _)| *name == word.text) {
            return Some(choice.clone());
        }
        let names: Vec<&str> = named.iter().map(|(name, _)| *name).collect();
        let error =
            Diagnostic::error(Code::BadValue, format!("`{}` is not known here", word.text), word.span);
        let error = error.suggest(&word.text, names.iter().copied());
        self.found.push(or_help(error, || format!("write one of {}", names.join(", "))));
        None
    }

    /// A string that is read further.
    pub fn parsed<T>(
        &mut self,
        value: &TomlValue<'_>,
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> Option<T> {
        let text = self.text(value)?;
        parse(&text.text).map_err(|message| self.bad_value(&message, text.span)).ok()
    }

    /// Reports a value that cannot be used.
    pub fn bad_value(&mut self, message: &str, span: Span) {
        self.found.push(Diagnostic::error(Code::BadValue, message, span));
    }

    /// Reports that something has to be said.
    pub fn missing_key(&mut self, message: &str, span: Span, help: &str) {
        self.found.push(Diagnostic::error(Code::MissingKey, message, span).help(help));
    }

    /// Reports a value of another type than the one wanted.
    pub fn wrong_type<T>(&mut self, wanted: &str, value: &TomlValue<'_>) -> Option<T> {
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

/// The place of a value.
pub fn toml_span(value: &TomlValue<'_>) -> Span {
    span(value.span())
}

fn span(range: Range<usize>) -> Span {
    Span::new(range.start, range.end)
}

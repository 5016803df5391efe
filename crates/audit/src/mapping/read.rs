//! From the text of a mapping to what it says. All mistakes are reported in one go.

use rustc_hash::FxHashMap;
use servanda_syntax::{
    Code, Diagnostic, Findings, SourceFile, Span, Text, Toml, TomlTable, TomlValue, toml_span,
};

use super::compile::Compiler;
use super::keys::Section;
use super::tree::{Tree, parse};
use super::{Format, Mapping, NodeId, Order, Source};
use crate::read::{Pointers, Unit, duration, pointer};

/// The name that stands for an element of `each` in pointers.
const EACH: &str = "each";

pub(super) struct Reader<'s> {
    pub(super) source: &'s SourceFile,
    pub(super) toml: Toml<'s>,
    pub(super) compiler: Compiler,
}

/// The parts of the file, by their keys.
pub(super) type Sections<'t, 'a> = FxHashMap<&'static str, &'t TomlValue<'a>>;

pub(super) fn read(source: &SourceFile) -> (Option<Mapping>, Vec<Diagnostic>) {
    let (toml, document) = match Toml::parse(source) {
        Ok(parsed) => parsed,
        Err(found) => return (None, found),
    };
    let mut reader = Reader { source, toml, compiler: Compiler::default() };
    let mapping = reader.mapping(document.get_ref());
    let Reader { mut toml, compiler, .. } = reader;
    toml.found.extend(compiler.found);
    (Some(Mapping { program: compiler.program, ..mapping }), toml.mistakes())
}

/// What `[source]` says, and the pointers in it.
#[derive(Default)]
struct Sourced {
    source: Source,
    time: Option<Vec<String>>,
    each: Option<Vec<String>>,
    has_window: bool,
}

impl Reader<'_> {
    fn mapping(&mut self, document: &TomlTable<'_>) -> Mapping {
        let mut sections = Sections::default();
        for (key, value) in Toml::entries(document) {
            match Section::Top.keys().iter().find(|known| known.name == key.text) {
                Some(known) => drop(sections.insert(known.name, value)),
                None => self.toml.unknown_key(&key, &Section::Top.names()),
            }
        }
        match sections.get("version") {
            None => {
                self.toml.missing_key("the mapping has no version", Span::default(), "write version = 1");
            }
            Some(value) => {
                if self.toml.integer(value).is_some_and(|version| version != 1) {
                    self.toml.bad_value("this version is not known: write version = 1", toml_span(value));
                }
            }
        }
        let sourced = sections.get("source").map(|value| self.sourced(value)).unwrap_or_default();
        let (fields, pointers, each, source) = self.fields(&sections, sourced);
        self.defines(&sections, &fields);
        let words = self.words(&sections);
        let tables = self.tables(&sections, source.time.is_some());
        let views = match sections.get("view") {
            Some(value) => self.views(value, source.time.is_some()),
            None => {
                let help = "write [[view]] and under it name, model and event";
                self.toml.missing_key("the mapping has no view", Span::default(), help);
                Vec::new()
            }
        };
        let program = Default::default();
        Mapping { source, views, fields, words, tables, program, pointers, each }
    }

    fn sourced(&mut self, value: &TomlValue<'_>) -> Sourced {
        let mut sourced = Sourced::default();
        let Some(table) = self.toml.table(value) else { return sourced };
        let (mut order_at, mut tap_at) = (None, None);
        for (key, value) in Toml::entries(table) {
            let source = &mut sourced.source;
            match key.text.as_str() {
                "format" => source.format = self.toml.one_of(value, &Format::NAMED).unwrap_or_default(),
                "order" => {
                    order_at = Some(toml_span(value));
                    source.order = self.toml.one_of(value, &Order::NAMED).unwrap_or_default();
                }
                "unit" => source.unit = self.toml.one_of(value, &Unit::NAMED).unwrap_or_default(),
                "window" => {
                    sourced.has_window = true;
                    source.window = self.toml.parsed(value, duration).unwrap_or_default();
                }
                "tap" => {
                    tap_at = Some(toml_span(value));
                    source.tap = self.toml.text(value);
                }
                "time" => sourced.time = self.pointer(value),
                "each" => sourced.each = self.pointer(value),
                _ => self.toml.unknown_key(&key, &Section::Source.names()),
            }
        }
        if sourced.source.format == Format::Otlp && sourced.time.is_none() {
            sourced.time = Some(vec!["time".to_owned()]);
            sourced.source.unit = Unit::Nanoseconds;
        }
        let ordered = sourced.source.order;
        let help = [
            (ordered != Order::File && sourced.time.is_none(), "time", "write time = \"/POINTER\""),
            (ordered != Order::File && !sourced.has_window, "window", "write window = \"10s\""),
        ];
        for (_, what, help) in help.into_iter().filter(|(missing, ..)| *missing) {
            let message = format!("this order needs a {what}");
            self.toml.missing_key(&message, order_at.unwrap_or_default(), help);
        }
        if let Some(place) = tap_at.filter(|_| ordered != Order::PerSender) {
            self.toml.bad_value("only order = \"per-sender\" needs to know where the log was taken", place);
        }
        sourced
    }

    fn pointer(&mut self, value: &TomlValue<'_>) -> Option<Vec<String>> {
        self.toml.parsed(value, |text| pointer(text).map_err(str::to_owned))
    }

    /// Fields, their pointers, those into elements, and the source with its slots.
    fn fields(
        &mut self,
        sections: &Sections<'_, '_>,
        sourced: Sourced,
    ) -> (Vec<Text>, Pointers, Pointers, Source) {
        let mut fields: Vec<(Text, Vec<String>)> = Vec::new();
        let table = sections.get("fields").and_then(|value| self.toml.table(value));
        for (name, value) in table.map(Toml::entries).unwrap_or_default() {
            self.check_name(&name, "field");
            fields.push((name, self.pointer(value).unwrap_or_default()));
        }
        let has_each = sourced.each.is_some();
        let inner = |parts: &[String]| has_each && parts.first().is_some_and(|part| part == EACH);
        let outer: Vec<&[String]> =
            fields.iter().map(|(_, parts)| &**parts).filter(|it| !inner(it)).collect();
        let time = sourced.time.as_ref().map(|_| outer.len());
        let each = sourced.each.as_ref().map(|_| outer.len() + usize::from(time.is_some()));
        let more = sourced.time.iter().chain(&sourced.each).map(|parts| &**parts);
        let pointers = Pointers::new(outer.iter().copied().chain(more));
        let inside = fields.iter().map(|(_, parts)| &**parts).filter(|it| inner(it)).map(|it| &it[1..]);
        let within = Pointers::new(inside);
        let (mut position, mut position_within) = (0, 0);
        for (name, parts) in &fields {
            let slot = if inner(parts) {
                position_within += 1;
                pointers.slots() + within.slot(position_within - 1)
            } else {
                position += 1;
                pointers.slot(position - 1)
            };
            self.compiler.fields.insert(name.text.clone(), slot as u32);
        }
        let slot = |position: Option<usize>| position.map(|position| pointers.slot(position) as u32);
        let source = Source { time: slot(time), each: slot(each), ..sourced.source };
        (fields.into_iter().map(|(name, _)| name).collect(), pointers, within, source)
    }

    /// A name that expressions can use.
    fn check_name(&mut self, name: &Text, what: &str) {
        let mut letters = name.text.chars();
        let first = letters.next().is_some_and(|first| first.is_alphabetic() || first == '_');
        if !first || !letters.all(|letter| letter.is_alphanumeric() || letter == '_') {
            let message = format!("a {what} is called by letters, digits and `_`, and begins with a letter");
            self.toml.found.push(Diagnostic::error(Code::BadName, message, name.span));
        } else if ["true", "false"].contains(&name.text.as_str()) {
            let message = format!("`{}` cannot be the name of a {what}", name.text);
            self.toml.found.push(Diagnostic::error(Code::ReservedName, message, name.span));
        }
    }

    fn defines(&mut self, sections: &Sections<'_, '_>, fields: &[Text]) {
        let table = sections.get("define").and_then(|value| self.toml.table(value));
        let entries = table.map(Toml::entries).unwrap_or_default();
        // Tables are needed before definitions are compiled, and definitions before tables are: names first.
        self.declare_tables(sections);
        for (name, value) in &entries {
            self.check_name(name, "definition");
            if let Some(field) = fields.iter().find(|field| field.text == name.text) {
                let message = format!("a field is called `{}` as well", name.text);
                let error = Diagnostic::error(Code::DuplicateName, message, name.span);
                self.toml.found.push(error.label(field.span, "the field"));
            }
            let tree = self.tree(value);
            self.compiler.define(&name.text, tree);
        }
        for (name, _) in &entries {
            self.compiler.settle(&name.text, name.span);
        }
    }

    fn words(&mut self, sections: &Sections<'_, '_>) -> Vec<(Text, Text)> {
        let table = sections.get("words").and_then(|value| self.toml.table(value));
        let entries = table.map(Toml::entries).unwrap_or_default().into_iter();
        entries.filter_map(|(word, value)| Some((word, self.toml.text(value)?))).collect()
    }

    /// Reports a name that comes twice.
    pub(super) fn unique(&mut self, name: &Text, names: &[Text], what: &str) {
        if let Some(first) = names.iter().find(|other| other.text == name.text) {
            let message = format!("a second {what} is called `{}`", name.text);
            let error = Diagnostic::error(Code::DuplicateName, message, name.span);
            self.toml.found.push(error.label(first.span, "the first one"));
        }
    }

    /// An expression as it is written.
    pub(super) fn tree(&mut self, value: &TomlValue<'_>) -> Option<Tree> {
        let text = self.toml.text(value)?;
        self.tree_of(&text)
    }

    pub(super) fn tree_of(&mut self, text: &Text) -> Option<Tree> {
        let as_written = self.source.slice(text.span) == text.text;
        parse(text, as_written, &mut self.toml.found)
    }

    pub(super) fn condition(&mut self, value: &TomlValue<'_>) -> Option<NodeId> {
        let tree = self.tree(value)?;
        self.compiler.condition(&tree)
    }

    /// A value that does not depend on the slice, which it may choose.
    pub(super) fn value(&mut self, value: &TomlValue<'_>) -> Option<NodeId> {
        let tree = self.tree(value)?;
        let node = self.compiler.value(&tree)?.0;
        self.of_line(node, tree.span)
    }

    /// Only conditions of rules may ask about their slice.
    pub(super) fn of_line(&mut self, node: NodeId, span: Span) -> Option<NodeId> {
        if !self.compiler.program.of_slice[node as usize] {
            return Some(node);
        }
        let message = "`slice_in` and `increasing` can only be asked in the conditions of a view";
        self.toml.found.error(Code::Type, message, span)
    }
}

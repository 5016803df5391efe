//! The tables of a mapping.

use servanda_syntax::{Text, Toml, TomlValue, toml_span};

use super::keys::Section;
use super::read::{Reader, Sections};
use super::{Forget, Part, Table};
use crate::read::duration;

impl Reader<'_> {
    pub(super) fn declare_tables(&mut self, sections: &Sections<'_, '_>) {
        let tables = sections.get("table").and_then(|value| value.get_ref().as_array());
        for (position, table) in tables.into_iter().flatten().enumerate() {
            let Some(table) = table.get_ref().as_table() else { continue };
            let (name, key) = (table.get("name"), table.get("key"));
            let name = name.and_then(|name| name.get_ref().as_str());
            let length = key.and_then(|key| key.get_ref().as_array()).map_or(1, |key| key.len());
            if let Some(name) = name {
                self.compiler.tables.insert(name.to_owned(), (position as u32, length));
            }
        }
    }

    pub(super) fn tables(&mut self, sections: &Sections<'_, '_>, has_time: bool) -> Vec<Table> {
        let Some(value) = sections.get("table") else { return Vec::new() };
        let mut names: Vec<Text> = Vec::new();
        let tables = self.toml.array(value).unwrap_or_default();
        tables.iter().filter_map(|table| self.one_table(table, &mut names, has_time)).collect()
    }

    fn one_table(&mut self, value: &TomlValue<'_>, names: &mut Vec<Text>, has_time: bool) -> Option<Table> {
        let table = self.toml.table(value)?;
        let (mut name, mut when, mut key, mut stored, mut forget) = (None, None, None, None, None);
        for (entry, value) in Toml::entries(table) {
            match entry.text.as_str() {
                "name" => name = Some(self.toml.text(value)?),
                "when" => {
                    let condition = self.condition(value);
                    when = Some(condition.and_then(|node| self.of_line(node, toml_span(value))));
                }
                "key" => {
                    let parts = self.toml.array(value).unwrap_or(std::slice::from_ref(value));
                    let parts: Vec<Option<Part>> =
                        parts.iter().map(|part| self.value(part).map(Part::Value)).collect();
                    let parts = parts.into_iter().collect::<Option<Vec<Part>>>();
                    key = Some(parts.map(|parts| self.compiler.program.key(parts)));
                }
                "value" => stored = Some(self.value(value)),
                "forget" => forget = self.forget(value, has_time),
                _ => self.toml.unknown_key(&entry, &Section::Table.names()),
            }
        }
        let missing = [
            (name.is_none(), "a name", "write name = \"NAME\""),
            (when.is_none(), "a condition", "write when = 'CONDITION'"),
            (key.is_none(), "a key", "write key = [\"FIELD\"]"),
            (stored.is_none(), "a value", "write value = 'EXPRESSION'"),
        ];
        for (_, what, help) in missing.into_iter().filter(|(missing, ..)| *missing) {
            self.toml.missing_key(&format!("this table lacks {what}"), toml_span(value), help);
        }
        if let Some(name) = name {
            self.unique(&name, names, "table");
            names.push(name);
        }
        Some(Table { when: when??, key: key??, value: stored??, forget })
    }

    /// After which time, or how many lines, a key is forgotten.
    pub(super) fn forget(&mut self, value: &TomlValue<'_>, has_time: bool) -> Option<Forget> {
        if value.get_ref().as_integer().is_some() {
            let lines = self.toml.integer(value)?;
            if lines < 1 {
                self.toml.bad_value("expected a number of lines from 1 on", toml_span(value));
            }
            return Some(Forget::Lines(lines));
        }
        if !value.get_ref().is_str() {
            return self.toml.wrong_type("a length of time, as \"10m\", or a number of lines", value);
        }
        let after = self.toml.parsed(value, duration)?;
        if !has_time {
            let help = "write time = \"/POINTER\" under [source], or a number of lines here";
            self.toml.missing_key("lines have no time", toml_span(value), help);
        }
        Some(Forget::After(after))
    }
}

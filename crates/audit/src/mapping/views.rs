//! The views of a mapping.

use servanda_model::Level;
use servanda_syntax::{Code, Diagnostic, Span, Text, Toml, TomlValue, toml_span};

use super::keys::{Section, Unmatched};
use super::read::Reader;
use super::{Event, Node, Part, Piece, Template, Timer, View};
use crate::read::duration;

impl Reader<'_> {
    pub(super) fn views(&mut self, value: &TomlValue<'_>, has_time: bool) -> Vec<View> {
        let mut views: Vec<View> = Vec::new();
        for value in self.toml.array(value).unwrap_or_default() {
            let Some(view) = self.view(value, has_time) else { continue };
            let names: Vec<Text> = views.iter().map(|view| view.name.clone()).collect();
            self.unique(&view.name, &names, "view");
            views.push(view);
        }
        views
    }

    fn view(&mut self, value: &TomlValue<'_>, has_time: bool) -> Option<View> {
        let span = toml_span(value);
        let table = self.toml.table(value)?;
        let nothing = || Text { text: String::new(), span };
        let mut view = View { name: nothing(), model: nothing(), ..View::default() };
        let (mut key, mut events) = (None, None);
        for (entry, value) in Toml::entries(table) {
            match entry.text.as_str() {
                "name" => view.name = self.toml.text(value).unwrap_or_else(nothing),
                "model" => view.model = self.toml.text(value).unwrap_or_else(nothing),
                "key" => key = self.key(value),
                "silent" => view.silent = self.toml.texts(value),
                "levels" => view.levels = self.levels(value),
                "cites" => view.cites = self.cites(value),
                "end" => view.end = self.toml.texts(value),
                "forget" => view.forget = self.forget(value, has_time),
                "unmatched" => {
                    view.unmatched = self.toml.one_of(value, &Unmatched::NAMED) == Some(Unmatched::Report);
                }
                "event" => events = Some(value),
                "timer" => view.timers = self.timers(value, has_time),
                _ => self.toml.unknown_key(&entry, &Section::View.names()),
            }
        }
        let missing = [
            (table.get("name").is_none(), "a name", "write name = \"NAME\""),
            (table.get("model").is_none(), "a model", "write model = \"FILE.pact\""),
            (events.is_none(), "rules", "write event = [ { when = 'CONDITION', label = \"LABEL\" } ]"),
        ];
        for (_, what, help) in missing.into_iter().filter(|(missing, ..)| *missing) {
            self.toml.missing_key(&format!("this view lacks {what}"), span, help);
        }
        if let Some(events) = events {
            self.events(events, &mut view, key);
        }
        Some(view)
    }

    fn levels(&mut self, value: &TomlValue<'_>) -> Vec<(Text, Level)> {
        let entries = self.toml.table(value).map(Toml::entries).unwrap_or_default().into_iter();
        entries.filter_map(|(name, value)| Some((name, self.toml.one_of(value, &Level::NAMED)?))).collect()
    }

    fn cites(&mut self, value: &TomlValue<'_>) -> Vec<(Text, String)> {
        let entries = self.toml.table(value).map(Toml::entries).unwrap_or_default().into_iter();
        entries.filter_map(|(label, value)| Some((label, self.toml.text(value)?.text))).collect()
    }

    /// The parts of a key; `None` where one cannot be read, which has been reported.
    fn key(&mut self, value: &TomlValue<'_>) -> Option<Vec<Part>> {
        let parts = match value.get_ref().as_array() {
            Some(parts) => parts,
            None => std::slice::from_ref(value),
        };
        let parts: Vec<Option<Part>> = parts
            .iter()
            .map(|part| match part.get_ref().as_str() {
                Some("*") => Some(Part::Every),
                _ => self.value(part).map(Part::Value),
            })
            .collect();
        parts.into_iter().collect()
    }

    fn events(&mut self, value: &TomlValue<'_>, view: &mut View, key: Option<Vec<Part>>) {
        // What the rules without a key of their own have.
        let usual = key.unwrap_or_default();
        let mut length: Option<(usize, Span)> = None;
        for value in self.toml.array(value).unwrap_or_default() {
            let Some(table) = self.toml.table(value) else { continue };
            let (mut when, mut labels, mut own) = (None, None, None);
            for (entry, value) in Toml::entries(table) {
                match entry.text.as_str() {
                    "when" => when = self.condition(value),
                    "key" => own = self.key(value).map(|key| (key, toml_span(value))),
                    "label" => labels = self.labels(value),
                    _ => self.toml.unknown_key(&entry, &Section::Event.names()),
                }
            }
            let missing = [
                (table.get("when").is_none(), "a condition", "write when = 'CONDITION'"),
                (
                    table.get("label").is_none(),
                    "a label",
                    "write label = \"LABEL\", or \"\" for lines of no interest",
                ),
            ];
            for (_, what, help) in missing.into_iter().filter(|(missing, ..)| *missing) {
                self.toml.missing_key(&format!("this rule lacks {what}"), toml_span(value), help);
            }
            let (key, place) = own.unwrap_or_else(|| (usual.clone(), toml_span(value)));
            let Some(labels) = labels else { continue };
            // Labels are compared with the model also where the condition is wrong.
            let when = when.unwrap_or_else(|| self.compiler.program.node(Node::Truth(false)));
            if !labels.is_empty() {
                let (first, at) = *length.get_or_insert((key.len(), place));
                if first != key.len() {
                    let message =
                        format!("the keys of a view are of one length: here {}, before {first}", key.len());
                    let error = Diagnostic::error(Code::BadValue, message, place);
                    self.toml.found.push(error.label(at, "the first one"));
                }
            }
            let key = self.compiler.program.key(key);
            let position = view.keys.iter().position(|known| *known == key).unwrap_or_else(|| {
                view.keys.push(key);
                view.keys.len() - 1
            });
            view.events.push(Event { when, key: position, labels });
        }
    }

    /// A label, or several; none for `""`.
    fn labels(&mut self, value: &TomlValue<'_>) -> Option<Vec<Template>> {
        let texts = self.toml.texts(value);
        let templates: Vec<Option<Template>> =
            texts.iter().filter(|text| !text.text.is_empty()).map(|text| self.template(text)).collect();
        Some(templates.into_iter().flatten().collect())
    }

    /// `Agent: task_{short}`: a text with expressions between braces.
    fn template(&mut self, text: &Text) -> Option<Template> {
        let as_written = self.source.slice(text.span) == text.text;
        let mut pieces = Vec::new();
        let mut rest = text.text.as_str();
        while let Some(open) = rest.find('{') {
            if open > 0 {
                pieces.push(Piece::Text(rest[..open].to_owned()));
            }
            let Some(length) = rest[open..].find('}') else {
                self.toml.bad_value("`{` without its `}`", text.span);
                return None;
            };
            let start = text.text.len() - rest.len() + open + 1;
            let inner = &rest[open + 1..open + length];
            let place = text.span.start as usize + start;
            let span = if as_written { Span::new(place, place + inner.len()) } else { text.span };
            let tree = self.tree_of(&Text { text: inner.to_owned(), span })?;
            let node = self.compiler.value(&tree)?.0;
            pieces.push(Piece::Value(self.of_line(node, span)?));
            rest = &rest[open + length + 1..];
        }
        if !rest.is_empty() {
            pieces.push(Piece::Text(rest.to_owned()));
        }
        Some(Template { pieces, text: text.clone() })
    }

    fn timers(&mut self, value: &TomlValue<'_>, has_time: bool) -> Vec<Timer> {
        let values = self.toml.array(value).unwrap_or_default();
        if !values.is_empty() && !has_time {
            let help = "write time = \"/POINTER\" under [source]";
            self.toml.missing_key("timers need the time of lines", toml_span(value), help);
        }
        values.iter().filter_map(|value| self.timer(value)).collect()
    }

    fn timer(&mut self, value: &TomlValue<'_>) -> Option<Timer> {
        let table = self.toml.table(value)?;
        let (mut after, mut unless, mut within, mut label) = (Vec::new(), Vec::new(), None, None);
        for (entry, value) in Toml::entries(table) {
            match entry.text.as_str() {
                "after" => after = self.toml.texts(value),
                "unless" => unless = self.toml.texts(value),
                "within" => within = self.toml.parsed(value, duration),
                "label" => label = self.toml.text(value),
                _ => self.toml.unknown_key(&entry, &Section::Timer.names()),
            }
        }
        let missing = [
            (table.get("after").is_none(), "a beginning", "write after = \"LABEL\""),
            (table.get("within").is_none(), "a length of time", "write within = \"10s\""),
            (table.get("label").is_none(), "a label", "write label = \"LABEL\""),
        ];
        for (_, what, help) in missing.into_iter().filter(|(missing, ..)| *missing) {
            self.toml.missing_key(&format!("this timer lacks {what}"), toml_span(value), help);
        }
        Some(Timer { after, unless, within: within?, label: label? })
    }
}

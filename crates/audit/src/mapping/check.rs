//! A mapping against the models of its views.

use servanda_engine::Halt;
use servanda_logic::Parser;
use servanda_model::{Model, bind_boolean};
use servanda_syntax::{Code, Diagnostic, Span, Text, nearest};

use super::{Mapping, Node, Part, Piece, Template, View};
use crate::judge::Labels;

/// What the model of a view has names for.
pub struct Vocabulary<'m> {
    model: &'m Model,
    labels: Labels<'m>,
    names: Vec<String>,
    properties: Vec<String>,
}

impl<'m> Vocabulary<'m> {
    /// That of a model with these properties.
    ///
    /// # Errors
    ///
    /// Where logs cannot be followed in the model.
    pub fn new(model: &'m Model, properties: impl IntoIterator<Item = String>) -> Result<Self, Halt> {
        let labels = Labels::new(model)?;
        let names = labels.names().collect();
        Ok(Vocabulary { model, labels, names, properties: properties.into_iter().collect() })
    }
}

pub(super) fn check(mapping: &Mapping, models: &mut [Option<Vocabulary<'_>>]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (view, words) in mapping.views.iter().zip(models.iter_mut()) {
        if let Some(words) = words {
            Checker { mapping, view, words, found: &mut found }.check();
        }
    }
    let words: Vec<&Vocabulary<'_>> = models.iter().flatten().collect();
    if words.len() == mapping.views.len() {
        check_words(mapping, &words, &mut found);
        check_tap(mapping, &words, &mut found);
    }
    found.sort_by_key(|mistake| mistake.span);
    found
}

struct Checker<'c, 'm> {
    mapping: &'c Mapping,
    view: &'c View,
    words: &'c mut Vocabulary<'m>,
    found: &'c mut Vec<Diagnostic>,
}

impl Checker<'_, '_> {
    fn check(&mut self) {
        let view = self.view;
        for template in view.events.iter().flat_map(|event| &event.labels) {
            self.template(template);
        }
        for timer in &view.timers {
            timer.after.iter().chain(&timer.unless).for_each(|label| self.carried(label));
            self.label(&timer.label);
        }
        view.silent.iter().chain(&view.end).for_each(|label| self.carried(label));
        for (name, _) in &view.levels {
            if !self.words.properties.contains(&name.text) {
                let message = format!("the model has no property `{}`", name.text);
                let error = Diagnostic::error(Code::UnknownProperty, message, name.span);
                self.found.push(error.suggest(&name.text, self.words.properties.iter().map(String::as_str)));
            }
        }
        self.cites();
        self.states();
    }

    /// What is cited is a label that some rule gives a line.
    fn cites(&mut self) {
        let events = self.view.events.iter().flat_map(|event| &event.labels).map(|label| &label.text.text);
        let said: Vec<&str> = events
            .chain(self.view.timers.iter().map(|timer| &timer.label.text))
            .map(String::as_str)
            .collect();
        for (label, _) in &self.view.cites {
            if !said.iter().any(|said| super::is_named(&label.text, said)) {
                let message = format!("no rule of the view says `{}`", label.text);
                let error = Diagnostic::error(Code::UnknownLabel, message, label.span);
                self.found.push(error.suggest(&label.text, said.iter().copied()));
            }
        }
    }

    /// A label of a rule. One that no transition carries is a violation whenever it comes, which may be the point of it, and is where
    /// its message may carry this and never does; another that is nearly the label of a transition is more likely a slip.
    fn label(&mut self, label: &Text) {
        match self.words.labels.find(&label.text) {
            Err(found) if !self.is_message(&label.text) => {
                self.found.extend(found.into_iter().map(|it| placed(it, label)));
            }
            Ok(labels) if !labels.is_empty() => {}
            Ok(_) if self.carries_something_else(&label.text) => {}
            _ => {
                if let Some(near) = nearest(&label.text, self.words.names.iter().map(String::as_str)) {
                    let message = format!(
                        "no transition carries `{}`: a line that means this is a violation",
                        label.text
                    );
                    let warning = Diagnostic::warning(Code::UnknownLabel, message, label.span);
                    self.found.push(warning.help(format!("did you mean `{near}`?")));
                }
            }
        }
    }

    /// Is it a message, or an event that is nobody's, even if the model has none of this name?
    fn is_message(&self, label: &str) -> bool {
        let (role, message) =
            label.split_once(':').map_or((None, label), |(role, rest)| (Some(role.trim()), rest));
        let is_word = |text: &str| {
            let mut letters = text.chars();
            letters.next().is_some_and(char::is_alphabetic)
                && letters.all(|letter| letter.is_alphanumeric() || letter == '_')
        };
        let known = |role: &str| self.words.model.agents.iter().any(|agent| agent.name == role);
        let name = message.trim().split('(').next().unwrap_or_default();
        role.map_or(!message.contains('('), known) && is_word(name)
    }

    /// Does the model have this label but for what it carries?
    fn carries_something_else(&self, label: &str) -> bool {
        label
            .split_once('(')
            .is_some_and(|(begin, _)| self.words.names.iter().any(|it| super::is_named(begin, it)))
    }

    /// A label that some transition must carry.
    fn carried(&mut self, label: &Text) {
        match self.words.labels.find(&label.text) {
            Err(found) => self.found.extend(found.into_iter().map(|it| placed(it, label))),
            Ok(labels) if labels.is_empty() => {
                let message = format!("no transition carries `{}`", label.text);
                let error = Diagnostic::error(Code::UnknownLabel, message, label.span);
                self.found.push(error.suggest(&label.text, self.words.names.iter().map(String::as_str)));
            }
            Ok(_) => {}
        }
    }

    fn template(&mut self, template: &Template) {
        if template.fixed().is_some() {
            return self.label(&template.text);
        }
        if !self.words.names.iter().any(|name| fits(name, &template.pieces)) {
            let message = format!("no label of the model fits `{}`, whatever is put in", template.text.text);
            let error = Diagnostic::error(Code::UnknownLabel, message, template.text.span);
            let start = match template.pieces.first() {
                Some(Piece::Text(text)) => text.as_str(),
                _ => "",
            };
            let cut = self.words.names.iter().map(|name| name.get(..start.len()).unwrap_or(name));
            self.found.push(error.suggest(start, cut));
        }
    }

    /// The control states that rules ask for.
    fn states(&mut self) {
        let (program, view) = (&self.mapping.program, self.view);
        let keys =
            view.keys.iter().flat_map(|key| &program.keys[*key as usize]).filter_map(|part| match part {
                Part::Value(node) => Some(*node),
                Part::Every => None,
            });
        let roots = view.events.iter().map(|event| event.when).chain(keys);
        for node in program.below(roots) {
            let Node::SliceIn(state) = program.nodes[node as usize] else { continue };
            let name = &program.states[state as usize];
            for error in unknown_state(self.words.model, name) {
                let message = format!("in view `{}`: {}", view.name.text, error.message);
                self.found.push(Diagnostic { message, span: view.name.span, ..error });
            }
        }
    }
}

/// What is wrong with a control state, if anything.
fn unknown_state(model: &Model, name: &str) -> Vec<Diagnostic> {
    let has_word = name.split_whitespace().any(|word| word == "in");
    let text = if has_word { name.to_owned() } else { format!("in {name}") };
    let mut parser = Parser::new(&text);
    let formula = parser.formula();
    let mut found = parser.into_diagnostics();
    if let Some(formula) = formula {
        bind_boolean(model, &formula, &mut found);
    }
    found
}

/// Can a label be what a template gives?
fn fits(name: &str, pieces: &[Piece]) -> bool {
    let mut rest = name;
    for (position, piece) in pieces.iter().enumerate() {
        let Piece::Text(text) = piece else { continue };
        let last = position + 1 == pieces.len();
        rest = match (position, rest.find(text.as_str())) {
            (0, Some(0)) => &rest[text.len()..],
            (0, _) => return false,
            (_, Some(_)) if last => return rest.ends_with(text.as_str()),
            (_, Some(at)) => &rest[at + text.len()..],
            (_, None) => return false,
        };
    }
    matches!(pieces.last(), Some(Piece::Value(_))) || rest.is_empty()
}

/// What stands in a label where a template with one hole has it.
fn filling<'n>(name: &'n str, pieces: &[Piece]) -> Option<&'n str> {
    let text = |piece: Option<&Piece>| match piece {
        Some(Piece::Text(text)) => text.clone(),
        _ => String::new(),
    };
    let hole = pieces.iter().position(|piece| matches!(piece, Piece::Value(_)))?;
    let before = text(hole.checked_sub(1).and_then(|at| pieces.get(at)));
    name.strip_prefix(before.as_str())?.strip_suffix(text(pieces.get(hole + 1)).as_str())
}

/// The words that are put into labels: each must make a label somewhere.
fn check_words(mapping: &Mapping, models: &[&Vocabulary<'_>], found: &mut Vec<Diagnostic>) {
    let mut fillings = Vec::new();
    for (view, words) in mapping.views.iter().zip(models) {
        for template in view.events.iter().flat_map(|event| &event.labels) {
            match template.pieces.iter().filter(|piece| matches!(piece, Piece::Value(_))).count() {
                0 => {}
                1 => fillings.extend(words.names.iter().filter_map(|name| filling(name, &template.pieces))),
                // Which words go together is known only when they come.
                _ => return,
            }
        }
    }
    for (_, word) in &mapping.words {
        if !fillings.contains(&word.text.as_str()) {
            let message = format!("`{}` makes no label of a model where words are put in", word.text);
            let error = Diagnostic::error(Code::UnknownName, message, word.span);
            found.push(error.suggest(&word.text, fillings.iter().copied()));
        }
    }
}

fn check_tap(mapping: &Mapping, models: &[&Vocabulary<'_>], found: &mut Vec<Diagnostic>) {
    let Some(tap) = &mapping.source.tap else { return };
    let roles = || models.iter().flat_map(|words| words.model.agents.iter().map(|agent| agent.name.as_str()));
    if !roles().any(|role| role == tap.text) {
        found.push(Diagnostic::unknown("role", &tap.text, tap.span, roles()));
    }
}

/// A finding about a label, at its place in the mapping.
fn placed(found: Diagnostic, label: &Text) -> Diagnostic {
    let length = label.span.end - label.span.start;
    let inside = found.span.end <= length && length as usize == label.text.len();
    let place = |span: Span| Span { start: label.span.start + span.start, end: label.span.start + span.end };
    let span = if inside { place(found.span) } else { label.span };
    Diagnostic { span, labels: Vec::new(), ..found }
}

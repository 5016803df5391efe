//! What the names of a mapping stand for, for editors. The text need not be right, nor whole.

use std::sync::Arc;

use servanda_syntax::{Occurrence, Outlined, Span, SymbolKind, Symbols, Text, Token, TokenKind};

use super::functions::function;
use super::keys::{Holds, Section};
use super::scan::{self, Named, Scan, Written};

/// What a text of a mapping names of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// Labels.
    Label,
    /// A control state.
    State,
    /// A property.
    Property,
    /// A role.
    Role,
}

/// What a mapping names.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Its own names: keys, functions, fields, definitions, tables, views, and the files of models as parts.
    pub symbols: Symbols,
    /// The file of the model of each view, as it is written.
    pub models: Vec<Option<Text>>,
    /// Texts that name something of models: which view they stand in, if any, and what they name.
    pub told: Vec<(Option<usize>, Told, Text)>,
}

/// What the names of a mapping stand for.
pub fn names(text: &str) -> Names {
    let mut scan = Scan::new(text);
    let tokens = std::mem::take(&mut scan.tokens);
    let mut namer = Namer { text, scan, fields: Vec::new(), names: Names::default() };
    namer.names.symbols.tokens = tokens;
    namer.keys();
    namer.texts();
    namer.blocks();
    let mut names = namer.names;
    names.symbols.tokens.push(Token { kind: TokenKind::End, span: Span::new(text.len(), text.len()) });
    names.symbols = names.symbols.in_order();
    names
}

struct Namer<'t> {
    text: &'t str,
    scan: Scan<'t>,
    /// Names that expressions know.
    fields: Vec<(String, SymbolKind)>,
    names: Names,
}

/// The word for a table, as a scope: keys of two tables are two things.
fn scope(section: Option<Section>) -> Arc<str> {
    section.map_or_else(String::new, |section| format!("@{section:?}")).into()
}

impl Namer<'_> {
    fn add(
        &mut self,
        name: &str,
        kind: SymbolKind,
        scope: Arc<str>,
        span: Span,
        declares: bool,
        statement: Span,
    ) {
        let name = name.into();
        self.names.symbols.occurrences.push(Occurrence { name, kind, scope, span, declares, statement });
    }

    fn keys(&mut self) {
        for Named { section, text, statement, block } in std::mem::take(&mut self.scan.keys) {
            let kind = match section {
                Some(Section::Fields) => SymbolKind::Field,
                Some(Section::Define) => SymbolKind::Definition,
                Some(Section::Levels | Section::Cites) => {
                    let told = if section == Some(Section::Levels) { Told::Property } else { Told::Label };
                    self.names.told.push((self.view(block), told, text));
                    continue;
                }
                Some(section) if section.keys().iter().any(|known| known.name == text.text) => {
                    self.add(&text.text, SymbolKind::Key, scope(Some(section)), text.span, false, statement);
                    continue;
                }
                _ => continue,
            };
            self.fields.push((text.text.clone(), kind));
            self.add(&text.text, kind, "".into(), text.span, true, statement);
            let (name, name_span) = (text.text, text.span);
            self.outline(Outlined { name, kind, name_span, span: statement, children: Vec::new() });
        }
    }

    fn outline(&mut self, outlined: Outlined) {
        self.names.symbols.outline.push(outlined);
    }

    /// The view that a block belongs to.
    fn view(&self, block: usize) -> Option<usize> {
        let block = self.scan.blocks.get(block)?;
        block.number.filter(|_| block.section != Some(Section::Table))
    }

    fn texts(&mut self) {
        for written in std::mem::take(&mut self.scan.texts) {
            let Written { section, ref key, inside, plain, block, .. } = written;
            let text = self.text[inside.start as usize..inside.end as usize].to_owned();
            let view = self.view(block);
            match section.and_then(|section| section.holds(key)) {
                Some(Holds::Expression | Holds::Keys) if plain => {
                    self.expression(inside, view, written.statement)
                }
                Some(Holds::Labels) if plain => self.label(&text, inside, view, written.statement),
                Some(Holds::Role) => self.names.told.push((None, Told::Role, Text { text, span: inside })),
                Some(Holds::Model) => self.model(text, inside, view, written.statement),
                Some(Holds::Name) => self.name(&text, inside, section, block),
                _ => {}
            }
        }
    }

    /// The name of a view or a table, which is that of its block.
    fn name(&mut self, name: &str, span: Span, section: Option<Section>, block: usize) {
        let kind = if section == Some(Section::View) { SymbolKind::View } else { SymbolKind::Table };
        let whole = self.scan.blocks.get(block).map_or(span, |block| block.span);
        let kept = self.text[whole.start as usize..whole.end as usize].trim_end().len();
        let whole = Span::new(whole.start as usize, whole.start as usize + kept);
        self.add(name, kind, "".into(), span, true, whole);
        self.outline(Outlined {
            name: name.to_owned(),
            kind,
            name_span: span,
            span: whole,
            children: Vec::new(),
        });
    }

    fn model(&mut self, path: String, span: Span, view: Option<usize>, statement: Span) {
        let Some(view) = view else { return };
        self.add(&path, SymbolKind::Part, "".into(), span, true, statement);
        self.names.symbols.parts.push((path.as_str().into(), path.clone()));
        let models = &mut self.names.models;
        models.resize(models.len().max(view + 1), None);
        models[view] = Some(Text { text: path, span });
    }

    /// The names in an expression.
    fn expression(&mut self, place: Span, view: Option<usize>, statement: Span) {
        let text = &self.text[place.start as usize..place.end as usize];
        let mut tokens = Vec::new();
        scan::expression(text, place.start as usize, &mut tokens);
        for (at, token) in tokens.iter().enumerate() {
            let written = |token: &Token| &self.text[token.span.start as usize..token.span.end as usize];
            let back = |count: usize| at.checked_sub(count).map(|at| &tokens[at]).map_or("", written);
            let word = written(token);
            match token.kind {
                TokenKind::Word if tokens.get(at + 1).is_some_and(|next| next.kind.is("(")) => {
                    if let Some(known) = function(word) {
                        self.add(known.name, SymbolKind::Function, "".into(), token.span, false, token.span);
                    }
                }
                TokenKind::Word => {
                    if let Some((_, kind)) = self.fields.iter().find(|(name, _)| name == word) {
                        self.add(word, *kind, "".into(), token.span, false, statement);
                    }
                }
                TokenKind::Text => {
                    let span = Span { start: token.span.start + 1, end: token.span.end - 1 };
                    let inside = word[1..word.len() - 1].to_owned();
                    match (back(2), back(1)) {
                        ("recall", "(") => {
                            self.add(&inside, SymbolKind::Table, "".into(), span, false, statement)
                        }
                        ("slice_in", "(") => {
                            self.names.told.push((view, Told::State, Text { text: inside, span }));
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
        }
    }

    /// A label with expressions between braces.
    fn label(&mut self, text: &str, place: Span, view: Option<usize>, statement: Span) {
        let mut at = 0;
        let mut tell = |from: usize, to: usize| {
            let start = place.start as usize;
            if from < to {
                let text =
                    Text { text: text[from..to].to_owned(), span: Span::new(start + from, start + to) };
                self.names.told.push((view, Told::Label, text));
            }
        };
        let mut expressions = Vec::new();
        while let Some(open) = text[at..].find('{').map(|open| at + open) {
            tell(at, open);
            let end = text[open..].find('}').map_or(text.len(), |end| open + end);
            expressions.push(Span::new(place.start as usize + open + 1, place.start as usize + end));
            at = (end + 1).min(text.len());
        }
        tell(at, text.len());
        expressions.into_iter().for_each(|span| self.expression(span, view, statement));
    }

    /// What the text is made up of: headers, and what folds.
    fn blocks(&mut self) {
        let blocks = std::mem::take(&mut self.scan.blocks);
        for block in blocks.iter().skip(1) {
            let span = block.span;
            let kept = self.text[span.start as usize..span.end as usize].trim_end().len();
            self.names.symbols.folds.push(Span::new(span.start as usize, span.start as usize + kept));
            let name = &self.text[block.name.start as usize..block.name.end as usize];
            if let Some(key) = name.split('.').next_back().filter(|_| block.section.is_some()) {
                let key = key.trim().to_owned();
                let parent = if name.contains('.') { Section::View } else { Section::Top };
                self.add(&key, SymbolKind::Key, scope(Some(parent)), block.name, false, block.name);
            }
        }
        self.names.symbols.folds.append(&mut self.scan.folds);
        self.names.symbols.folds.sort();
        self.names.symbols.outline.sort_by_key(|outlined| outlined.span);
    }
}

//! From formulas as written to ground formulas: parameters, indices, comprehensions and definitions are replaced by
//! what they stand for, and nothing else is changed.
//!
//! A definition is expanded anew wherever it is used, at the place of its use, so that whatever is wrong with the use
//! is reported there. What is wrong with the definition itself is reported once, where it stands.

mod lazy;
mod parts;

use servanda_logic::{At, Binary, Comprehension, Formula, Kind, Reference, Rewrite, Unary, prefix};
use servanda_syntax::{Code, Diagnostic, Findings, Span, all};

use crate::bindings::Bindings;
use crate::constant::{Evaluator, MOST_REPETITIONS, range_length, too_many_repetitions};
use crate::names::NameKind;
use crate::scope::{DefinitionId, Scope};

/// Nodes of one ground formula.
const LARGEST_FORMULA: usize = 1_000_000;

/// Nodes of all ground formulas of a file.
const LARGEST_FILE: usize = 20_000_000;

/// Nodes on a way down a ground formula; everything that walks formulas needs stack in proportion.
const DEEPEST_FORMULA: usize = 1_000;

/// What is known about a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// Nothing yet.
    New,
    /// It is being expanded: using it now would be a circle.
    Open,
    /// It can be used; the number of its nodes when ground.
    Sound(usize),
    /// It cannot be used; why was reported.
    Failed,
    /// It nests too deeply; that is reported where it is used.
    TooDeep,
}

/// What expanding needs to remember from one formula to the next.
#[derive(Clone, Debug)]
pub(crate) struct Progress {
    pub(crate) statuses: Vec<Status>,
    nodes: usize,
    /// How many definitions were found to be wrong.
    failed: usize,
    /// Of formulas that could not be made ground the largest parts that could.
    pub(crate) saved: Vec<Part>,
}

/// A part of a formula that could not be made ground.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) written: Formula,
    pub(crate) ground: Formula,
}

impl Progress {
    pub(crate) fn new(definitions: usize) -> Self {
        Progress { statuses: vec![Status::New; definitions], nodes: 0, failed: 0, saved: Vec::new() }
    }
}

/// Makes formulas ground. `None` always means that the reason has been reported.
pub(crate) struct Expander<'a> {
    scope: &'a Scope,
    progress: &'a mut Progress,
    bindings: Bindings,
    diagnostics: &'a mut Vec<Diagnostic>,
    /// Is `?φ` allowed? Only claimed decompositions have it.
    challenges: bool,
    /// Where everything is to be placed while a definition is expanded at its use.
    place: Option<Span>,
    depth: usize,
    nodes: usize,
    exhausted: bool,
    /// The parts made ground so far that are part of no other one.
    parts: Vec<Part>,
}

impl<'a> Expander<'a> {
    pub(crate) fn new(
        scope: &'a Scope,
        progress: &'a mut Progress,
        bindings: &Bindings,
        diagnostics: &'a mut Vec<Diagnostic>,
    ) -> Self {
        Expander {
            scope,
            progress,
            bindings: bindings.clone(),
            diagnostics,
            challenges: false,
            place: None,
            depth: 0,
            nodes: 0,
            exhausted: false,
            parts: Vec::new(),
        }
    }

    /// Makes a formula ground as a whole. Where that cannot be its parts are remembered: what else is wrong with them is to be reported
    /// too.
    pub(crate) fn whole(&mut self, formula: &Formula) -> Option<Formula> {
        let ground = self.formula(formula);
        let parts = std::mem::take(&mut self.parts);
        if ground.is_none() && !self.exhausted {
            self.progress.saved.extend(parts);
        }
        ground
    }

    /// Reads `?φ` as claimed decompositions do.
    pub(crate) fn with_challenges(self) -> Self {
        Expander { challenges: true, ..self }
    }

    fn span(&self, written: Span) -> Span {
        self.place.unwrap_or(written)
    }

    /// Counts nodes against the limits.
    fn count(&mut self, nodes: usize, span: Span) -> Option<()> {
        if self.exhausted {
            return None;
        }
        self.nodes += nodes;
        self.progress.nodes += nodes;
        if self.nodes > LARGEST_FORMULA || self.progress.nodes > LARGEST_FILE {
            self.exhausted = true;
            let message = "this formula is too large once its definitions and ranges are expanded";
            return self.diagnostics.error(Code::FormulaTooLarge, message, span);
        }
        Some(())
    }

    fn node(&mut self, formula: &Formula, span: Span) -> Option<Formula> {
        match formula.kind() {
            Kind::Name(reference) => return self.name(reference),
            Kind::Comprehension(comprehension) => return self.comprehension(comprehension, span),
            Kind::At(At { machine: None, location }) if self.scope.own_machine.is_some() => {
                let machine = self.scope.own_machine.as_ref().map(|name| Reference::plain(name, span));
                let location = self.reference(location)?;
                return Some(Formula::new(Kind::At(At { machine, location }), span));
            }
            Kind::If(condition, then, otherwise) => {
                return self.conditional(condition, then, otherwise, span);
            }
            Kind::Binary(op @ (Binary::And | Binary::Or | Binary::Implies), left, right) => {
                return self.connective(*op, left, right, span);
            }
            Kind::Unary(Unary::Challenged, inner) if !self.challenges => {
                let error = Diagnostic::error(Code::MisplacedChallenge, "`?` cannot be used here", span);
                self.diagnostics.push(error.help("`?φ` is written in `decompose` blocks only"));
                self.formula(inner);
                return None;
            }
            _ => {}
        }
        Some(Formula::new(formula.kind().rewrite(self)?, span))
    }

    fn comprehension(&mut self, comprehension: &Comprehension, span: Span) -> Option<Formula> {
        let Comprehension { join, index, low, high, body } = comprehension;
        let (low, high) = self.evaluator().range(low, high)?;
        if range_length(low, high) > MOST_REPETITIONS {
            return self.diagnostics.error(Code::TooManyRepetitions, too_many_repetitions(), span);
        }
        let parts = all((low..=high).map(|value| {
            self.bindings.push(index, value);
            let part = self.formula(body);
            self.bindings.pop();
            part
        }));
        Some(Formula::new(Kind::Joined(*join, parts?), span))
    }

    fn evaluator(&mut self) -> Evaluator<'_> {
        Evaluator::new(&self.scope.names, &self.scope.parameters, &self.bindings, self.diagnostics)
    }

    /// The values of indices.
    pub(crate) fn indices(&mut self, reference: &Reference) -> Option<Vec<i64>> {
        let mut evaluator = self.evaluator();
        all(reference.indices.iter().map(|index| evaluator.integer(index)))
    }

    fn with_indices(&self, reference: &Reference, values: &[i64]) -> Reference {
        let span = self.span(reference.span);
        let indices = values.iter().map(|value| Formula::new(Kind::Int(*value), span)).collect();
        Reference { name: reference.name.clone(), indices, span }
    }

    fn name(&mut self, reference: &Reference) -> Option<Formula> {
        let scope = self.scope;
        let (name, span) = (&*reference.name, self.span(reference.span));
        let number = match (self.bindings.get(name), scope.names.kind(name)) {
            (Some(value), _) => value,
            (None, _) if self.bindings.is_received(name) => {
                self.no_indices(reference)?;
                return Some(Formula::new(Kind::Name(self.with_indices(reference, &[])), span));
            }
            (None, Some(NameKind::Parameter)) => (*scope.parameters.get(name)?)?,
            (None, Some(NameKind::Literal)) => {
                self.no_indices(reference)?;
                return Some(Formula::new(Kind::Name(self.with_indices(reference, &[])), span));
            }
            (None, Some(NameKind::Variable)) => {
                return self.element(reference, span);
            }
            (None, Some(NameKind::Proposition)) => {
                let values = self.indices(reference)?;
                let found = self.diagnostics.accept(scope.propositions.find(name, &values, span))?;
                return self.definition(*found, span);
            }
            (None, Some(NameKind::Commitment)) => return self.named_commitment(reference),
            (None, None) if name == "final" => {
                self.no_indices(reference)?;
                return Some(scope.rest.with_span(span));
            }
            // What is under way in a channel is known to the model.
            (None, None) if name.strip_suffix(".length").is_some_and(|name| scope.has_channel(name)) => {
                let ground = self.reference(reference)?;
                let channel = Reference { name: name.trim_end_matches(".length").into(), ..ground };
                let length = Reference::plain(&format!("{channel}.length"), channel.span);
                return Some(Formula::new(Kind::Name(length), span));
            }
            (None, None) => {
                let known = scope.names.all().chain(self.bindings.names()).chain(["true", "false"]);
                let error = Diagnostic::nothing(name, span, known);
                return self.diagnostics.refuse(match prefix(name).is_some() {
                    true => error.help(format!("`{name}` is an operator: a formula stands behind it")),
                    false => error,
                });
            }
        };
        self.no_indices(reference)?;
        Some(Formula::new(Kind::Int(number), span))
    }

    fn no_indices(&mut self, reference: &Reference) -> Option<()> {
        match reference.indices.is_empty() {
            true => Some(()),
            false => {
                let span = self.span(reference.span);
                self.diagnostics.error(Code::WrongIndices, format!("`{}` has no index", reference.name), span)
            }
        }
    }

    fn named_commitment(&mut self, reference: &Reference) -> Option<Formula> {
        let scope = self.scope;
        let span = self.span(reference.span);
        let values = self.indices(reference)?;
        let found = self.diagnostics.accept(scope.commitments.find(&reference.name, &values, span))?;
        self.definition(*found, span)
    }

    /// What a definition stands for, at the place of its use.
    fn definition(&mut self, id: DefinitionId, span: Span) -> Option<Formula> {
        let nodes = match self.check(id, span) {
            Status::Sound(nodes) => nodes,
            Status::TooDeep => return self.too_deep(span),
            _ => return None,
        };
        // Refuse before making a copy that is too large.
        if self.nodes.saturating_add(nodes) > LARGEST_FORMULA {
            return self.count(LARGEST_FORMULA, span).and(None);
        }
        let definition = &self.scope.definitions[id.0];
        let bindings = std::mem::replace(&mut self.bindings, (*definition.bindings).clone());
        let place = self.place.replace(span);
        let result = self.formula(&definition.formula);
        self.place = place;
        self.bindings = bindings;
        result
    }

    /// Makes a definition ground where it stands, once, to find what is wrong with it.
    pub(crate) fn check(&mut self, id: DefinitionId, used_at: Span) -> Status {
        let definition = &self.scope.definitions[id.0];
        match self.progress.statuses[id.0] {
            Status::New => {}
            Status::Open => {
                let message = format!("the definition of `{}` comes back to itself", definition.name);
                self.diagnostics.push(
                    Diagnostic::error(Code::CircularDefinition, message, used_at)
                        .label(definition.span, "defined here"),
                );
                return Status::Failed;
            }
            known => return known,
        }
        self.progress.statuses[id.0] = Status::Open;
        let mut inner = Expander {
            depth: self.depth,
            ..Expander::new(self.scope, self.progress, &definition.bindings, self.diagnostics)
        };
        let before = inner.diagnostics.len();
        let sound = inner.whole(&definition.formula).is_some();
        let is_deep = |found: &Diagnostic| found.code == Code::FormulaTooDeep;
        let status = match sound {
            true => Status::Sound(inner.nodes),
            false if inner.diagnostics[before..].iter().any(is_deep) => Status::TooDeep,
            false => Status::Failed,
        };
        if status == Status::TooDeep {
            let found = self.diagnostics.split_off(before);
            self.diagnostics.extend(found.into_iter().filter(|found| !is_deep(found)));
        }
        // Within another one it is deeper than by itself.
        let is_known = status != Status::TooDeep || self.depth == 0;
        self.progress.statuses[id.0] = if is_known { status } else { Status::New };
        self.progress.failed += usize::from(status == Status::Failed);
        status
    }

    /// Refuses a formula that nests too deeply.
    pub(crate) fn too_deep<T>(&mut self, span: Span) -> Option<T> {
        self.exhausted = true;
        let message = "this formula nests too deeply once its definitions are expanded";
        self.diagnostics.error(Code::FormulaTooDeep, message, span)
    }
}

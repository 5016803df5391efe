//! What transitions assign: to which variables, which values, in which of several ways.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use servanda_logic::{Kind, Reference};
use servanda_model::{Domain, Expr, Local, VariableId, bind_value_with};
use servanda_syntax::{Code, Diagnostic, Findings, Span, all};

use super::Elaborator;
use crate::ast::{Assignment, Initial};
use crate::bindings::Bindings;
use crate::constant::{MOST_REPETITIONS, range_length, too_many_repetitions};
use crate::fold::constant;
use crate::names::NameKind;

/// What a transition assigns in one of its ways.
pub(super) type Updates = Vec<Assigned>;

/// An assignment.
#[derive(Clone)]
pub(super) struct Assigned {
    pub(super) target: Target,
    pub(super) value: Expr,
    /// Is the value one of several?
    pub(super) chosen: bool,
    pub(super) span: Span,
}

/// What is assigned.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Target {
    /// A variable, or an element that is known.
    Variable(VariableId),
    /// An element of an array; which one is known only in a state.
    Element(Arc<str>, Vec<Expr>),
}

/// An assignment with all values that it may choose from.
struct Draft {
    target: Target,
    values: Vec<Expr>,
    chosen: bool,
    span: Span,
}

/// An assignment without `all`, with the values of the indices around it.
type Single<'a> = (&'a Assignment, Bindings);

impl Elaborator<'_> {
    /// What a transition assigns: one list for each combination of its choices, of which there may be so many.
    pub(super) fn assignments(
        &mut self,
        sets: &[Assignment],
        bindings: &Bindings,
        locals: &[Local],
        most: usize,
    ) -> Option<Vec<Updates>> {
        let mut singles = Vec::new();
        let written_out = all(sets.iter().map(|set| self.write_out(set, bindings, &mut singles)));
        let drafts: Vec<Option<Draft>> =
            singles.iter().map(|(set, bindings)| self.draft(set, bindings, locals)).collect();
        let mut known: FxHashMap<&Target, Span> = FxHashMap::default();
        for draft in drafts.iter().flatten() {
            if let Some(first) = known.insert(&draft.target, draft.span) {
                let message = format!("`{}` is assigned twice", self.target_name(&draft.target));
                let error = Diagnostic::error(Code::AssignedTwice, message, draft.span);
                self.diagnostics.push(match first == draft.span {
                    true => error.help("`all` repeats this assignment: use its index in what is assigned"),
                    false => error.label(first, "first assigned here"),
                });
            }
        }
        written_out?;
        let drafts = drafts.into_iter().collect::<Option<Vec<Draft>>>()?;
        let ways = drafts.iter().try_fold(1_usize, |ways, draft| ways.checked_mul(draft.values.len()));
        if ways.is_none_or(|ways| ways > most) {
            let message = format!("this transition has more than {most} outcomes");
            let span =
                drafts.iter().find(|draft| draft.chosen).map_or_else(Span::default, |draft| draft.span);
            return self.diagnostics.error(Code::TooManyTransitions, message, span);
        }
        let mut alternatives: Vec<Updates> = vec![Vec::new()];
        for Draft { target, values, chosen, span } in drafts {
            let one = |value: &Expr| Assigned { target: target.clone(), value: value.clone(), chosen, span };
            if let [value] = values.as_slice() {
                alternatives.iter_mut().for_each(|sofar| sofar.push(one(value)));
                continue;
            }
            let with = |sofar: &Updates, value: &Expr| sofar.iter().cloned().chain([one(value)]).collect();
            alternatives = alternatives
                .iter()
                .flat_map(|sofar| values.iter().map(move |value| (sofar, value)))
                .map(|(sofar, value)| with(sofar, value))
                .collect();
        }
        Some(alternatives)
    }

    /// What is written with `all`, once for each value of its index.
    fn write_out<'a>(
        &mut self,
        set: &'a Assignment,
        bindings: &Bindings,
        singles: &mut Vec<Single<'a>>,
    ) -> Option<()> {
        let Assignment::Each { index, low, high, body } = set else {
            singles.push((set, bindings.clone()));
            return Some(());
        };
        let (first, last) = self.evaluator(bindings).range(low, high)?;
        let length = range_length(first, last).saturating_add(singles.len() as u64);
        if length > MOST_REPETITIONS {
            let span = low.span().to(high.span());
            return self.diagnostics.error(Code::TooManyRepetitions, too_many_repetitions(), span);
        }
        all((first..=last).map(|value| self.write_out(body, &bindings.with(&index.text, value), singles)))
            .map(drop)
    }

    fn draft(&mut self, set: &Assignment, bindings: &Bindings, locals: &[Local]) -> Option<Draft> {
        match set {
            Assignment::Is { target, value } => {
                let found = self.target(target, bindings, locals);
                let ground = self.ground(value, bindings);
                let ((place, domains), ground) = (found?, ground?);
                let bound =
                    bind_value_with(&self.model, locals, &ground, &domains[0], &mut self.diagnostics)?;
                self.check_subjects(&ground)?;
                if let Some(number) = constant(&ground)
                    && !domains.iter().any(|domain| domain.contains(number))
                {
                    let (name, domain) = (self.target_name(&place), domains[0].describe());
                    let message = format!("{number} is assigned to `{name}`, which is in `{domain}`");
                    return self.diagnostics.error(Code::OutOfRange, message, ground.span());
                }
                let span = target.span.to(value.span());
                Some(Draft { target: place, values: vec![bound], chosen: false, span })
            }
            Assignment::OneOf { target, values } => {
                let (place, domains) = self.target(target, bindings, locals)?;
                let Initial { parts, .. } = values;
                let codes = self.constants(parts, &domains[0], bindings, "value")?;
                let values = codes.into_iter().map(Expr::Constant).collect();
                let end =
                    parts.last().map_or(target.span, |part| part.high.as_ref().unwrap_or(&part.low).span());
                Some(Draft { target: place, values, chosen: true, span: target.span.to(end) })
            }
            Assignment::Each { .. } => None,
        }
    }

    /// What is assigned, and what it may hold; where that is not known yet, what each of the elements may, which have one type.
    fn target(
        &mut self,
        target: &Reference,
        bindings: &Bindings,
        locals: &[Local],
    ) -> Option<(Target, Vec<Domain>)> {
        let (name, span) = (&*target.name, target.span);
        match (bindings.get(name), self.scope.names.kind(name)) {
            (None, _) if bindings.is_received(name) => {
                let message = format!("`{name}` is what is received and cannot be assigned");
                return self.diagnostics.error(Code::NotAVariable, message, span);
            }
            (None, Some(NameKind::Variable)) => {}
            (None, None) => {
                let known = self.scope.names.of_kind(NameKind::Variable);
                return self.diagnostics.refuse(Diagnostic::unknown("variable", name, span, known));
            }
            (index, kind) => {
                let kind = match index {
                    Some(_) => "an index",
                    None => kind.map_or("unknown", NameKind::described),
                };
                let message = format!("`{name}` is {kind} and cannot be assigned");
                return self.diagnostics.error(Code::NotAVariable, message, span);
            }
        }
        let ground = self.expander(bindings).element(target, span)?;
        let Kind::Name(Reference { indices, .. }) = ground.kind() else { return None };
        let constants: Option<Vec<i64>> = indices
            .iter()
            .map(|index| if let Kind::Int(value) = index.kind() { Some(*value) } else { None })
            .collect();
        if let Some(constants) = constants {
            let id = *self.diagnostics.accept(self.scope.variables.find(name, &constants, span))?;
            return Some((Target::Variable(id), vec![self.model.variable(id).domain.clone()]));
        }
        // Of an index it counts only that it is a number.
        let number = Domain::Range { low: 0, high: 0 };
        let indices = all(indices.iter().map(|index| {
            let bound = bind_value_with(&self.model, locals, index, &number, &mut self.diagnostics)?;
            self.check_subjects(index)?;
            Some(bound)
        }))?;
        if self.exists(&target.name, &indices).is_none() {
            let message = "what is assigned is too large an expression once it is written out";
            return self.diagnostics.error(Code::FormulaTooLarge, message, span);
        }
        let elements = self.scope.variables.array(name);
        let domains: Vec<Domain> =
            elements.iter().map(|(_, id)| self.model.variable(**id).domain.clone()).collect();
        let is_number = |domain: &Domain| matches!(domain, Domain::Range { .. });
        if domains.iter().any(|other| *other != domains[0] && !(is_number(other) && is_number(&domains[0]))) {
            let message = format!("the elements of `{name}` are not all of one type");
            return self.diagnostics.error(Code::Type, message, span);
        }
        Some((Target::Element(target.name.clone(), indices), domains))
    }

    /// What is assigned as messages call it.
    pub(super) fn target_name(&self, target: &Target) -> String {
        match target {
            Target::Variable(id) => self.model.variable(*id).name.clone(),
            Target::Element(array, indices) => format!("{array}{}", "[..]".repeat(indices.len())),
        }
    }
}

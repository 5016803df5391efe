//! What is read only where something else does not decide, and elements of arrays by computed indices.

use servanda_logic::{Binary, Formula, Kind, Reference, Rewrite};
use servanda_syntax::{Code, Diagnostic, Findings, Span, all};

use super::Expander;
use crate::constant::decided;
use crate::fold;
use crate::names::NameKind;

/// What became of a part that is never read.
enum Unread {
    /// It is there all the same.
    There(Formula),
    /// It has no meaning here, such as an element that does not exist: what is written `if i > 1 then a[i - 1] else 0` where `i` is 1.
    Nothing,
    /// It is wrong wherever it is read; why was reported.
    Wrong,
}

impl Expander<'_> {
    fn unread(&mut self, formula: &Formula) -> Unread {
        let (before, failed) = (self.diagnostics.len(), self.progress.failed);
        if let Some(formula) = self.formula(formula) {
            return Unread::There(formula);
        }
        let only_here =
            |found: &Diagnostic| matches!(found.code, Code::IndexOutOfRange | Code::DivisionByZero);
        // What is wrong with a definition is said once, so it must not be forgotten.
        if failed == self.progress.failed && self.diagnostics[before..].iter().all(only_here) {
            self.diagnostics.truncate(before);
            return Unread::Nothing;
        }
        Unread::Wrong
    }

    /// A conditional; where a parameter or an index decides it, the other part need not have a meaning.
    pub(super) fn conditional(
        &mut self,
        condition: &Formula,
        then: &Formula,
        otherwise: &Formula,
        span: Span,
    ) -> Option<Formula> {
        let condition = self.formula(condition);
        let Some(taken) = condition.as_ref().and_then(fold::constant_truth) else {
            let (then, otherwise) = (self.formula(then), self.formula(otherwise));
            return Some(Formula::new(Kind::If(condition?, then?, otherwise?), span));
        };
        let (read, other) = if taken { (then, otherwise) } else { (otherwise, then) };
        let (read, other) = (self.formula(read), self.unread(other));
        let (condition, read) = (condition?, read?);
        match other {
            Unread::There(other) => {
                let (then, otherwise) = if taken { (read, other) } else { (other, read) };
                Some(Formula::new(Kind::If(condition, then, otherwise), span))
            }
            Unread::Nothing => Some(read),
            Unread::Wrong => None,
        }
    }

    /// `& | ->`, likewise.
    pub(super) fn connective(
        &mut self,
        op: Binary,
        left: &Formula,
        right: &Formula,
        span: Span,
    ) -> Option<Formula> {
        let left = self.formula(left);
        let Some(decided) = decided(op, left.as_ref().and_then(fold::constant_truth)) else {
            let right = self.formula(right);
            return Some(Formula::new(Kind::Binary(op, left?, right?), span));
        };
        match self.unread(right) {
            Unread::There(right) => Some(Formula::new(Kind::Binary(op, left?, right), span)),
            Unread::Nothing => Some(Formula::new(Kind::Bool(decided), span)),
            Unread::Wrong => None,
        }
    }

    /// A variable. Its indices may be computed in a state; whether the element exists is known only then. An index that is constant is
    /// checked here.
    pub(crate) fn element(&mut self, reference: &Reference, span: Span) -> Option<Formula> {
        let scope = self.scope;
        let varies: Vec<bool> = reference.indices.iter().map(|index| self.varies(index)).collect();
        if !varies.contains(&true) {
            let values = self.indices(reference)?;
            let found = scope.variables.find(&reference.name, &values, span);
            self.diagnostics.accept(found)?;
            return Some(Formula::new(Kind::Name(self.with_indices(reference, &values)), span));
        }
        let indices = all(reference.indices.iter().zip(varies).map(|(index, varies)| match varies {
            true => {
                let index = self.formula(index)?;
                let value = fold::constant(&index);
                Some(value.map_or(index.clone(), |value| Formula::new(Kind::Int(value), index.span())))
            }
            false => {
                let value = self.evaluator().integer(index)?;
                Some(Formula::new(Kind::Int(value), self.span(index.span())))
            }
        }))?;
        let constants: Vec<Option<i64>> = indices
            .iter()
            .map(|index| if let Kind::Int(value) = index.kind() { Some(*value) } else { None })
            .collect();
        let known: Option<Vec<i64>> = constants.iter().copied().collect();
        let found = match known {
            Some(values) => scope.variables.find(&reference.name, &values, span).map(|_| ()),
            None => scope.variables.find_some(&reference.name, &constants, span),
        };
        self.diagnostics.accept(found)?;
        Some(Formula::new(Kind::Name(Reference { name: reference.name.clone(), indices, span }), span))
    }

    /// Does a variable or a control state decide the value?
    fn varies(&self, formula: &Formula) -> bool {
        match formula.kind() {
            Kind::At(_) | Kind::Carries(_) | Kind::Length(_) | Kind::Active(_) => true,
            Kind::Name(reference) if self.bindings.get(&reference.name).is_none() => {
                let kind = self.scope.names.kind(&reference.name);
                matches!(kind, Some(NameKind::Variable | NameKind::Proposition))
                    || self.bindings.is_received(&reference.name)
                    || kind.is_none() && reference.name.ends_with(".length")
                    || reference.indices.iter().any(|index| self.varies(index))
            }
            kind => {
                let mut varies = false;
                kind.for_each_child(|child| varies = varies || self.varies(child));
                varies
            }
        }
    }
}

//! `for` blocks written out: every statement with the values of the indices around it.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use servanda_logic::Formula;
use servanda_syntax::{Code, Diagnostic, Findings, Span};

use crate::ast::{Item, ItemKind, Name};
use crate::bindings::Bindings;
use crate::constant::{Evaluator, MOST_REPETITIONS, Parameters, range_length, too_many_repetitions};
use crate::names::Names;

/// A statement at one value of every index around it.
#[derive(Clone, Debug)]
pub(crate) struct Instance<'a> {
    pub(crate) item: &'a Item,
    pub(crate) bindings: Arc<Bindings>,
    /// The machine block it stands in: an index into [`Unrolled::machines`].
    pub(crate) machine: Option<usize>,
}

/// All statements, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unrolled<'a> {
    pub(crate) instances: Vec<Instance<'a>>,
    /// The machine blocks.
    pub(crate) machines: Vec<Instance<'a>>,
    /// Blocks that could not be repeated: what they declare is not known.
    pub(crate) unknown: FxHashSet<Span>,
}

/// Writes out all `for` blocks.
pub(crate) fn unroll<'a>(
    items: &'a [Item],
    names: &Names,
    parameters: &Parameters,
    diagnostics: &mut Vec<Diagnostic>,
) -> Unrolled<'a> {
    let mut unroller = Unroller {
        names,
        parameters,
        diagnostics,
        result: Unrolled::default(),
        left: Some(MOST_REPETITIONS),
    };
    unroller.items(items, &Arc::default(), None);
    unroller.result
}

struct Unroller<'a, 'c> {
    names: &'c Names,
    parameters: &'c Parameters,
    diagnostics: &'c mut Vec<Diagnostic>,
    result: Unrolled<'a>,
    /// Repetitions still allowed; `None` once there were too many, which is reported once.
    left: Option<u64>,
}

impl<'a> Unroller<'a, '_> {
    fn items(&mut self, items: &'a [Item], bindings: &Arc<Bindings>, machine: Option<usize>) {
        for item in items {
            match &item.kind {
                ItemKind::For { index, low, high, body } => {
                    let Some((low, high)) = self.range(index, low, high, bindings) else {
                        self.result.unknown.insert(body.open.to(body.close));
                        continue;
                    };
                    for value in low..=high {
                        let inner = Arc::new(bindings.with(&index.text, value));
                        self.items(&body.items, &inner, machine);
                    }
                }
                ItemKind::Machine { body, .. } => {
                    let number = self.result.machines.len();
                    self.result.machines.push(Instance { item, bindings: bindings.clone(), machine });
                    self.items(&body.items, bindings, Some(number));
                }
                _ => self.result.instances.push(Instance { item, bindings: bindings.clone(), machine }),
            }
        }
    }

    /// The bounds of a repetition, unless there would be too many.
    fn range(
        &mut self,
        index: &Name,
        low: &Formula,
        high: &Formula,
        bindings: &Bindings,
    ) -> Option<(i64, i64)> {
        let left = self.left?;
        let (low, high) =
            Evaluator::new(self.names, self.parameters, bindings, self.diagnostics).range(low, high)?;
        let length = range_length(low, high);
        self.left = left.checked_sub(length);
        if self.left.is_none() {
            let message = too_many_repetitions();
            return self.diagnostics.error(Code::TooManyRepetitions, message, index.span);
        }
        Some((low, high))
    }
}

//! What else is wrong with formulas that have no meaning as a whole: an unknown name hides no unknown control state beside it.

use rustc_hash::FxHashSet;
use servanda_logic::{Formula, Kind};
use servanda_lower::{Context, validate};
use servanda_syntax::{Code, Diagnostic, Span};

use super::Elaborator;
use crate::expand::Part;

impl Elaborator<'_> {
    /// Checks what could be saved of such formulas, as far as that is right or wrong whatever stands around it.
    pub(super) fn check_parts(&mut self) {
        for Part { written, ground } in std::mem::take(&mut self.progress.saved) {
            let mut named = FxHashSet::default();
            names(&written, &mut named);
            let found = validate(&self.model, &ground, Context::Proposition);
            let whole = written.span();
            self.diagnostics.extend(found.into_iter().filter(|found| is_certain(found, whole, &named)));
        }
    }
}

/// Is it wrong wherever the part stands? Types may not be. Of names themselves it is known that they are right: some are received with a message, which
/// the model does not know, and what is wrong with a definition is said where it stands.
fn is_certain(found: &Diagnostic, whole: Span, named: &FxHashSet<Span>) -> bool {
    let inside = whole.start <= found.span.start && found.span.end <= whole.end;
    let of_names = matches!(
        found.code,
        Code::UnknownName | Code::WhichMachine | Code::WrongArguments | Code::WrongIndices
    );
    inside && of_names && !named.contains(&found.span)
}

/// Where a formula names variables, definitions and what was received.
fn names(formula: &Formula, found: &mut FxHashSet<Span>) {
    if let Kind::Name(reference) = formula.kind() {
        found.insert(reference.span);
    }
    formula.for_each_child(|child| names(child, found));
}

//! Limits, so that a formula with a huge automaton ends with a message and not with the memory.

use servanda_logic::{Binary, Formula, Kind};
use servanda_syntax::{Code, Diagnostic, Span};

/// The most nodes that a formula may have once `<->` is written out.
const MOST_NODES: u64 = 20_000;

/// What a tableau may grow to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) states: usize,
    /// The most formulas that the sets of a tableau may have together: long sets cost memory as well.
    pub(crate) members: usize,
}

impl Limits {
    /// The most bytes that the rows may have as text.
    pub(crate) fn text(self) -> usize {
        self.states.saturating_mul(4096)
    }
}

/// Why a tableau was given up.
pub(crate) fn too_many_states(limits: Limits) -> Box<Diagnostic> {
    let message = format!("the tableau has more than {} states", limits.states);
    let help = "their number can be exponential in the size of the formula; --states N allows for more";
    Diagnostic::error(Code::TooLarge, message, Span::default()).help(help).into()
}

/// Why the rows were not written out.
pub(crate) fn too_long(limits: Limits) -> Box<Diagnostic> {
    let message = format!("the rows of the tableau have more than {} bytes together", limits.text());
    Diagnostic::error(Code::TooLarge, message, Span::default()).help("--states N allows for more").into()
}

/// Refuses formulas that grow too large when `<->` and acts are written out.
pub(crate) fn check_size(formula: &Formula) -> Result<(), Box<Diagnostic>> {
    if nodes(formula) <= MOST_NODES {
        return Ok(());
    }
    let message = format!("the formula has more than {MOST_NODES} nodes once `<->` is written out");
    Err(Diagnostic::error(Code::TooLarge, message, formula.span()).into())
}

fn nodes(formula: &Formula) -> u64 {
    let mut below = 0_u64;
    formula.for_each_child(|child| below = below.saturating_add(nodes(child)));
    match formula.kind() {
        // Each side occurs as it is and negated.
        Kind::Binary(Binary::Iff | Binary::So | Binary::WeakUntil, ..) => {
            below.saturating_mul(2).saturating_add(3)
        }
        // The act, what it brings about, and that it was created.
        Kind::Act(_) => below.saturating_mul(3).saturating_add(5),
        _ => below.saturating_add(1),
    }
}

//! How text output looks.

/// Are terminal colours used?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// Yes.
    On,
    /// No.
    Off,
}

/// How much is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// What is not as wanted.
    Quiet,
    /// Every result.
    Normal,
    /// Every result with its explanation.
    Verbose,
}

/// Are time and memory reported?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statistics {
    /// Yes.
    Shown,
    /// No.
    Hidden,
}

/// How text output looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Colours.
    pub colour: Colour,
    /// Amount.
    pub detail: Detail,
    /// Time and memory.
    pub statistics: Statistics,
    /// So many findings are shown in full, and of the others how many there are of each kind.
    pub findings: usize,
}

impl Style {
    /// So many findings of a run are shown in full: nobody reads more of them.
    pub const FINDINGS: usize = 100;

    /// Every result, without colours, time or memory.
    pub fn plain() -> Self {
        Style {
            colour: Colour::Off,
            detail: Detail::Normal,
            statistics: Statistics::Hidden,
            findings: Style::FINDINGS,
        }
    }
}

/// The colours in use, each with its number for terminals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    /// As wanted.
    Green = 32,
    /// Not as wanted.
    Red = 31,
    /// Not decided, or to be looked at.
    Yellow = 33,
    /// Worth knowing.
    Blue = 34,
    /// Headings.
    Bold = 1,
    /// What may be skipped.
    Faint = 2,
}

impl Colour {
    /// `text` in the given ink; unchanged without colours.
    pub(crate) fn paint(self, ink: Ink, text: &str) -> String {
        match self {
            Colour::On => format!("\u{1b}[{}m{text}\u{1b}[0m", ink as u8),
            Colour::Off => text.to_owned(),
        }
    }
}

//! Actions of processes: what transitions are labelled with where processes synchronise on names (docs/ccs.md).

use std::fmt;

/// A name on which processes synchronise, with what is said there.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Port {
    /// The name.
    pub name: String,
    /// What is said, in its standard spelling.
    pub content: Option<String>,
}

impl fmt::Display for Port {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.content {
            None => f.write_str(&self.name),
            Some(content) => write!(f, "{}({content})", self.name),
        }
    }
}

/// An action. It does not say who moves: the same action of two processes is one label.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ActionLabel {
    /// `a`: one side of a synchronisation, whose other side is outside of the model.
    Input(Port),
    /// `'a`: the other side.
    Output(Port),
    /// `tau`: a step that is nobody else's business.
    Tau,
    /// `tau<a>`: both sides at once; the content is that of the output.
    Synchronised(Port),
}

impl ActionLabel {
    /// Does nobody outside see it?
    pub fn is_internal(&self) -> bool {
        matches!(self, ActionLabel::Tau | ActionLabel::Synchronised(_))
    }
}

impl fmt::Display for ActionLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ActionLabel::Input(port) => port.fmt(f),
            ActionLabel::Output(port) => write!(f, "'{port}"),
            ActionLabel::Tau => f.write_str("tau"),
            ActionLabel::Synchronised(port) => write!(f, "tau<{port}>"),
        }
    }
}

/// The words of a text about processes. A formula may refer to them even where no transition is labelled with them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Alphabet {
    /// The names of actions.
    pub names: Vec<String>,
    /// The contents of actions.
    pub contents: Vec<String>,
}

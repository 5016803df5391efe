//! What happens in a step.

/// What happens in a step. Lifelines are named by their position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happening {
    /// One says something to others.
    Message {
        /// Who says it.
        from: usize,
        /// To whom: at least one, in the order of lifelines, and not to itself.
        to: Vec<usize>,
        /// What.
        label: String,
    },
    /// One does something by itself.
    Own {
        /// Who.
        at: usize,
        /// What.
        label: String,
    },
    /// One sends something through a channel: a [`crate::Flight`] begins.
    Sent {
        /// Who.
        from: usize,
        /// What.
        label: String,
    },
    /// One receives something from a channel: a flight ends.
    Received {
        /// Who.
        at: usize,
        /// What.
        label: String,
    },
    /// Each does something, all at once.
    Together(Vec<String>),
    /// Time passes.
    Tick(String),
    /// Something happens that nobody does; in a channel a flight may begin or end.
    Nobody(String),
    /// Nothing can happen any more.
    Deadlock,
}

impl Happening {
    /// What happens, in one line.
    pub fn words(&self, lifelines: &[String]) -> String {
        let name = |index: &usize| lifelines.get(*index).map_or("", String::as_str);
        match self {
            Happening::Message { from, to, label } => {
                let to = match to.len() {
                    several if several > 1 && several + 1 == lifelines.len() => "all".to_owned(),
                    _ => to.iter().map(name).collect::<Vec<_>>().join(", "),
                };
                format!("{} → {to}: {label}", name(from))
            }
            Happening::Own { at, label } | Happening::Received { at, label } => {
                format!("{}: {label}", name(at))
            }
            Happening::Sent { from, label } => format!("{} sends {label}", name(from)),
            Happening::Together(actions) => {
                let parts = lifelines.iter().zip(actions).map(|(agent, action)| format!("{agent}: {action}"));
                parts.collect::<Vec<_>>().join(", ")
            }
            Happening::Tick(_) | Happening::Nobody(_) | Happening::Deadlock => {
                self.label().unwrap_or_default().to_owned()
            }
        }
    }

    /// What is written on it as a whole; nothing where each does something.
    pub(crate) fn label(&self) -> Option<&str> {
        match self {
            Happening::Message { label, .. }
            | Happening::Own { label, .. }
            | Happening::Sent { label, .. }
            | Happening::Received { label, .. }
            | Happening::Tick(label)
            | Happening::Nobody(label) => Some(label),
            Happening::Deadlock => Some(NOTHING_HAPPENS),
            Happening::Together(_) => None,
        }
    }
}

/// What is said of a deadlock.
pub(crate) const NOTHING_HAPPENS: &str = "nothing can happen any more";

//! Everything a formula of the file can name.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use servanda_logic::{Formula, Kind};
use servanda_model::{AgentId, Domain, VariableId};
use servanda_syntax::Span;

use crate::bindings::Bindings;
use crate::constant::Parameters;
use crate::family::Families;
use crate::names::Names;

/// What names stand for.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    /// The kinds of the names that formulas share.
    pub(crate) names: Names,
    pub(crate) parameters: Parameters,
    pub(crate) roles: Families<AgentId>,
    pub(crate) variables: Families<VariableId>,
    pub(crate) propositions: Families<DefinitionId>,
    pub(crate) commitments: Families<DefinitionId>,
    pub(crate) definitions: Vec<Definition>,
    pub(crate) machines: Families<usize>,
    pub(crate) groups: Families<usize>,
    /// The members of each group, by full names.
    pub(crate) members: FxHashMap<String, Vec<String>>,
    /// What `type` gives names to.
    pub(crate) types: FxHashMap<Arc<str>, Domain>,
    /// The declared messages: their numbers in the model.
    pub(crate) messages: Families<usize>,
    /// The names of messages with dots in them: those of parts, and the steps of channels.
    pub(crate) said: FxHashSet<String>,
    /// The names of channels.
    pub(crate) channels: FxHashSet<String>,
    /// What the atom `final` stands for.
    pub(crate) rest: Formula,
    /// The machine of the file itself that `in NAME` means, where parts have others.
    pub(crate) own_machine: Option<String>,
}

/// A proposition or commitment of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DefinitionId(pub(crate) usize);

/// What a proposition or commitment is defined as, not yet ground.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    /// With its indices.
    pub(crate) name: String,
    pub(crate) formula: Formula,
    pub(crate) bindings: Arc<Bindings>,
    pub(crate) span: Span,
    pub(crate) is_commitment: bool,
    /// A commitment that only its parties see?
    pub(crate) private: bool,
}

impl Scope {
    pub(crate) fn new(names: Names, parameters: Parameters) -> Self {
        Scope {
            names,
            parameters,
            roles: Families::new("role"),
            variables: Families::new("variable"),
            propositions: Families::new("proposition"),
            commitments: Families::new("commitment"),
            definitions: Vec::new(),
            machines: Families::new("machine"),
            groups: Families::new("group"),
            members: FxHashMap::default(),
            types: FxHashMap::default(),
            messages: Families::new("message"),
            said: FxHashSet::default(),
            channels: FxHashSet::default(),
            rest: Formula::new(Kind::Bool(false), Span::default()),
            own_machine: None,
        }
    }

    /// Is a channel, or an array of them, called so?
    pub(crate) fn has_channel(&self, name: &str) -> bool {
        self.channels.iter().any(|channel| channel.split('[').next() == Some(name))
    }
}

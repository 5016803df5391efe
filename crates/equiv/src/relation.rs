//! The relations.

/// When two systems count as the same. Each but the last two implies those after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Relation {
    /// Strong bisimilarity: step by step, internal steps like all others.
    #[default]
    Strong,
    /// Branching bisimilarity: internal steps that change nothing do not count. Blind to divergence.
    Branching,
    /// Weak bisimilarity (observation equivalence): as many internal steps as one likes around a visible one.
    Weak,
    /// Equality of the sets of visible traces.
    Trace,
    /// Each can do what the other does, step by step, internal steps like all others; implied by `Strong` alone.
    Simulation,
}

impl Relation {
    /// All of them.
    pub const ALL: [Relation; 5] =
        [Relation::Strong, Relation::Branching, Relation::Weak, Relation::Trace, Relation::Simulation];

    /// The word that users write.
    pub fn word(self) -> &'static str {
        self.words().0
    }

    /// What it is called in a sentence.
    pub fn name(self) -> &'static str {
        self.words().1
    }

    fn words(self) -> (&'static str, &'static str) {
        match self {
            Relation::Strong => ("strong", "strong bisimilarity"),
            Relation::Branching => ("branching", "branching bisimilarity"),
            Relation::Weak => ("weak", "weak bisimilarity"),
            Relation::Trace => ("trace", "trace equivalence"),
            Relation::Simulation => ("simulation", "simulation equivalence"),
        }
    }
}

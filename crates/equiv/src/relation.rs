//! The relations, both ways and one way.

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

/// How internal steps are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Steps {
    /// Like all others.
    Strong,
    /// As many as one likes before and after a visible one, and nobody sees them.
    Weak,
}

/// What one system can do or refuse that the other has to be able to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// The first can do, step by step, what the second does.
    Simulates,
    /// The same, where the first has no label that the second lacks.
    ReadySimulates,
    /// The traces of the first are traces of the second.
    TracesWithin,
    /// So are its failures: what can be refused after a trace.
    FailuresWithin,
}

/// A relation that looks one way only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Preorder {
    /// What is compared.
    pub order: Order,
    /// By which steps.
    pub steps: Steps,
}

impl Preorder {
    /// All of them, each weak one after its strong one.
    pub const ALL: [Preorder; 8] = {
        const fn both(order: Order) -> [Preorder; 2] {
            [Preorder { order, steps: Steps::Strong }, Preorder { order, steps: Steps::Weak }]
        }
        let [simulates, weak_simulates] = both(Order::Simulates);
        let [ready, weak_ready] = both(Order::ReadySimulates);
        let [traces, weak_traces] = both(Order::TracesWithin);
        let [failures, weak_failures] = both(Order::FailuresWithin);
        [simulates, weak_simulates, ready, weak_ready, traces, weak_traces, failures, weak_failures]
    };

    /// The word that users write.
    pub fn word(self) -> &'static str {
        match (self.order, self.steps) {
            (Order::Simulates, Steps::Strong) => "simulates",
            (Order::Simulates, Steps::Weak) => "weak-simulates",
            (Order::ReadySimulates, Steps::Strong) => "ready-simulates",
            (Order::ReadySimulates, Steps::Weak) => "weak-ready-simulates",
            (Order::TracesWithin, Steps::Strong) => "traces-within",
            (Order::TracesWithin, Steps::Weak) => "weak-traces-within",
            (Order::FailuresWithin, Steps::Strong) => "failures-within",
            (Order::FailuresWithin, Steps::Weak) => "weak-failures-within",
        }
    }

    /// What it is called in a sentence.
    pub fn name(self) -> &'static str {
        match (self.order, self.steps) {
            (Order::Simulates, Steps::Strong) => "simulation",
            (Order::Simulates, Steps::Weak) => "weak simulation",
            (Order::ReadySimulates, Steps::Strong) => "ready simulation",
            (Order::ReadySimulates, Steps::Weak) => "weak ready simulation",
            (Order::TracesWithin, Steps::Strong) => "inclusion of traces",
            (Order::TracesWithin, Steps::Weak) => "inclusion of weak traces",
            (Order::FailuresWithin, Steps::Strong) => "inclusion of failures",
            (Order::FailuresWithin, Steps::Weak) => "inclusion of weak failures",
        }
    }

    /// The verdict as a sentence, where the relation holds and where it does not.
    pub fn verdicts(self) -> [&'static str; 2] {
        match self.order {
            Order::Simulates => ["the first simulates the second", "the first does not simulate the second"],
            Order::ReadySimulates => {
                ["the first ready-simulates the second", "the first does not ready-simulate the second"]
            }
            Order::TracesWithin => [
                "the traces of the first are within those of the second",
                "the traces of the first are not within those of the second",
            ],
            Order::FailuresWithin => [
                "the failures of the first are within those of the second",
                "the failures of the first are not within those of the second",
            ],
        }
    }
}

/// What two systems can be compared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// Both ways.
    Equivalence(Relation),
    /// One way.
    Preorder(Preorder),
}

impl From<Relation> for Comparison {
    fn from(relation: Relation) -> Self {
        Comparison::Equivalence(relation)
    }
}

impl From<Preorder> for Comparison {
    fn from(preorder: Preorder) -> Self {
        Comparison::Preorder(preorder)
    }
}

impl Comparison {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Comparison> {
        Relation::ALL.map(Comparison::from).into_iter().chain(Preorder::ALL.map(Comparison::from))
    }

    /// The word that users write.
    pub fn word(self) -> &'static str {
        match self {
            Comparison::Equivalence(relation) => relation.word(),
            Comparison::Preorder(preorder) => preorder.word(),
        }
    }

    /// What it is called in a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Comparison::Equivalence(relation) => relation.name(),
            Comparison::Preorder(preorder) => preorder.name(),
        }
    }

    /// The verdict as a sentence, where the relation holds and where it does not.
    pub fn verdicts(self) -> [&'static str; 2] {
        match self {
            Comparison::Equivalence(_) => ["equivalent", "not equivalent"],
            Comparison::Preorder(preorder) => preorder.verdicts(),
        }
    }
}

//! A newtype for every index, so that a variable is never mistaken for an agent.

macro_rules! index_type {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// The index of the `position`-th element.
            ///
            /// # Panics
            /// When there are more than 2^32 elements.
            pub fn from_index(position: usize) -> Self {
                $name(u32::try_from(position).expect("fewer than 2^32 elements"))
            }

            /// The position in the table this index is of.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

index_type! {
    /// A variable of a model.
    VariableId
}
index_type! {
    /// An agent of a model.
    AgentId
}
index_type! {
    /// A machine (a set of control states) of a model.
    MachineId
}
index_type! {
    /// A transition label of a model.
    LabelId
}
index_type! {
    /// A guarded command of a model.
    CommandId
}
index_type! {
    /// A commitment that can be in force in a model.
    CommitmentId
}
index_type! {
    /// A state in a [`StateStore`](crate::StateStore).
    StateId
}

//! A newtype for every index, so that a variable is never mistaken for an agent.

use serde::{Deserialize, Serialize};

macro_rules! index_types {
    ($($(#[$doc:meta])* $name:ident,)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
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
    )*};
}

index_types! {
    /// A variable of a model.
    VariableId,
    /// An agent of a model.
    AgentId,
    /// A machine (a set of control states) of a model.
    MachineId,
    /// A transition label of a model.
    LabelId,
    /// A guarded command of a model.
    CommandId,
    /// A commitment that can be in force in a model.
    CommitmentId,
    /// A state in a [`StateStore`](crate::StateStore).
    StateId,
}

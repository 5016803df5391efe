//! Who can take the two sides of a name.

use rustc_hash::FxHashMap;

use crate::term::Action;
use crate::words::Word;

/// Moves by the name on which others can take part in them, names in the order in which they were met.
pub(crate) struct Sides<T> {
    numbers: FxHashMap<Word, usize>,
    by_name: Vec<Pair<T>>,
}

/// Moves with the components they belong to, in the order of these.
struct Pair<T> {
    outputs: Vec<(usize, T)>,
    inputs: Vec<(usize, T)>,
}

impl<T: Copy> Sides<T> {
    pub(crate) fn new() -> Self {
        Sides { numbers: FxHashMap::default(), by_name: Vec::new() }
    }

    /// Adds a move. Those of one component must come one after the other.
    pub(crate) fn add(&mut self, component: usize, action: Action, step: T) {
        let Some(name) = action.open_name() else { return };
        let number = *self.numbers.entry(name).or_insert(self.by_name.len());
        if number == self.by_name.len() {
            self.by_name.push(Pair { outputs: Vec::new(), inputs: Vec::new() });
        }
        let pair = &mut self.by_name[number];
        let side = if matches!(action, Action::Output(_)) { &mut pair.outputs } else { &mut pair.inputs };
        side.push((component, step));
    }

    /// Every output with every input on the same name in another component.
    pub(crate) fn meetings(&self) -> impl Iterator<Item = ((usize, T), (usize, T))> {
        self.by_name.iter().flat_map(|Pair { outputs, inputs }| {
            outputs.iter().flat_map(|&(sender, output)| {
                // The inputs are in the order of the components, so those of the sender are next to each other.
                let before = inputs.partition_point(|(component, _)| *component < sender);
                let after = inputs.partition_point(|(component, _)| *component <= sender);
                let others = inputs[..before].iter().chain(&inputs[after..]);
                others.map(move |input| ((sender, output), *input))
            })
        })
    }
}

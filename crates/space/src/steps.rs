//! Steps by their source.

/// How a step was made: the number of a command or of a joint action; or not at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Via(pub u32);

impl Via {
    /// The implicit loop of a deadlock.
    pub const LOOP: Via = Via(u32::MAX);
}

/// One step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// How it was made.
    pub via: Via,
    /// The number of the state it leads to, or of whatever else stands for a state.
    pub target: u32,
}

/// Steps by the number of their source, entered in any order.
#[derive(Default)]
pub struct Steps {
    spans: Vec<(u64, u32)>,
    steps: Vec<Step>,
    /// Of how many nodes the steps have been entered.
    entered: usize,
}

impl Steps {
    const NOT_YET: (u64, u32) = (u64::MAX, 0);

    /// The steps of a node, if they have been entered.
    #[inline]
    pub fn of(&self, node: u32) -> Option<&[Step]> {
        match self.spans.get(node as usize) {
            None | Some(&Steps::NOT_YET) => None,
            Some(&(start, count)) => Some(&self.steps[start as usize..][..count as usize]),
        }
    }

    /// Enters the steps of a node.
    pub fn enter(&mut self, node: u32, steps: &[Step]) {
        if self.spans.len() <= node as usize {
            self.spans.resize(node as usize + 1, Steps::NOT_YET);
        }
        let before =
            std::mem::replace(&mut self.spans[node as usize], (self.steps.len() as u64, steps.len() as u32));
        self.entered += usize::from(before == Steps::NOT_YET);
        self.steps.extend_from_slice(steps);
    }

    /// So many bytes more are held for a moment when the tables grow, if they will before so many more steps and nodes are in them.
    #[inline]
    pub fn growth(&self, more: usize) -> usize {
        let bytes = |len: usize, capacity: usize, size: usize| {
            if len + more > capacity { 2 * capacity * size } else { 0 }
        };
        bytes(self.spans.len(), self.spans.capacity(), size_of::<(u64, u32)>())
            + bytes(self.steps.len(), self.steps.capacity(), size_of::<Step>())
    }

    /// Makes room for so many more, and not for many more than that, if `may` allows the bytes that are held for that for a moment.
    ///
    /// # Errors
    ///
    /// What `may` says, also where the system has no room.
    pub fn make_little_room<E>(
        &mut self,
        more: usize,
        may: impl Fn(usize) -> Result<(), E>,
    ) -> Result<(), E> {
        let (spans, steps) = (self.spans.len() / 16 + more, self.steps.len() / 16 + more);
        if self.spans.len() + more > self.spans.capacity() {
            may((self.spans.len() + spans) * size_of::<(u64, u32)>())?;
            self.spans.try_reserve_exact(spans).or_else(|_| may(usize::MAX))?;
        }
        if self.steps.len() + more > self.steps.capacity() {
            may((self.steps.len() + steps) * size_of::<Step>())?;
            self.steps.try_reserve_exact(steps).or_else(|_| may(usize::MAX))?;
        }
        Ok(())
    }

    /// How many bytes so many steps of so many nodes take.
    pub fn bytes_for(nodes: usize, steps: usize) -> usize {
        nodes * size_of::<(u64, u32)>() + steps * size_of::<Step>()
    }

    /// Of how many nodes the steps have been entered.
    pub fn entered(&self) -> usize {
        self.entered
    }

    /// The number of steps entered.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Has no step been entered?
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.spans.capacity() * size_of::<(u64, u32)>() + self.steps.capacity() * size_of::<Step>()
    }
}

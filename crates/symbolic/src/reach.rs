//! How the reachable states are found, by saturation or sweep by sweep, and what is done while diagrams grow.

use servanda_algebra::Algebra;
use servanda_engine::{Budget, Halt, Progress, Stop};

use crate::diagrams::{Bdd, Operations, no_room};
use crate::encoding::Encoding;
use crate::events::Direction;
use crate::saturation::{Asked, Saturation};
use crate::symbolic::Symbolic;

/// So many traps are looked for at once.
const TRAPS_AT_ONCE: usize = 16;

impl Symbolic<'_> {
    /// Are all traps out of reach? The reachable states may be a large diagram, and traps are small and many: they are looked at by the
    /// dozen, and one by one only where some of them is met.
    pub(crate) fn avoid(&self, traps: &[Bdd], budget: &dyn Budget) -> Result<(), Halt> {
        let traps: Vec<Bdd> = traps.iter().filter(|trap| !trap.is_false()).cloned().collect();
        for some in traps.chunks(TRAPS_AT_ONCE) {
            let mut algebra = self.encoding.algebra(budget);
            algebra.poll()?;
            if self.reached.both(&algebra.any(some)?)?.is_false() {
                continue;
            }
            for trap in some {
                let met = self.reached.both(trap)?;
                if !met.is_false() {
                    return Err(Halt::Fault(Box::new(self.fault(&met)?)));
                }
            }
        }
        Ok(())
    }

    /// The reachable states: by saturation where events are many and small, otherwise sweep by sweep.
    pub(crate) fn reach_initially(&mut self, budget: &dyn Budget) -> Result<Bdd, Halt> {
        let initial = self.initial.clone();
        match self.saturated(Direction::Forwards, (&initial, None), budget)? {
            Some(reached) => Ok(reached),
            None => self.reach(&initial, budget),
        }
    }

    /// A set closed under steps by saturation, inside of another if one is given; `None` where there are no events, or no room.
    pub(crate) fn saturated(
        &mut self,
        direction: Direction,
        (set, within): (&Bdd, Option<&Bdd>),
        budget: &dyn Budget,
    ) -> Result<Option<Bdd>, Halt> {
        let asked = Asked { direction, set, within };
        self.by_events(|saturation, encoding, room| saturation.closed(encoding, asked, room, budget))
    }

    /// Asks something of the events of the model; `None` where there are none, or no room.
    pub(crate) fn by_events(
        &mut self,
        ask: impl FnOnce(&mut Saturation, &Encoding<'_>, usize) -> Result<Option<Bdd>, Halt>,
    ) -> Result<Option<Bdd>, Halt> {
        if !self.saturates {
            return Ok(None);
        }
        // What is known of the events is right as long as parts, bits and their order stay.
        let version = (self.parts.len(), self.encoding.bits.len(), self.siftings);
        if self.saturation.as_ref().is_none_or(|(known, _)| *known != version) {
            self.saturation = Some((version, Saturation::new(&self.encoding, &self.parts)));
        }
        let Some((_, Some(saturation))) = &mut self.saturation else { return Ok(None) };
        let answer = ask(saturation, &self.encoding, self.room);
        self.iterations += std::mem::take(&mut saturation.made) as u64;
        self.answered(answer)
    }

    /// What events say; `None` where they have no room, or are not worth it.
    pub(crate) fn answered(&mut self, answer: Result<Option<Bdd>, Halt>) -> Result<Option<Bdd>, Halt> {
        match answer {
            // Sweeps keep nothing but the states, and can look for a better order.
            Err(Halt::Stopped { stop: Stop::Memory, .. }) if !self.rather_stops => Ok(None),
            Err(Halt::TooLarge(_)) => {
                // Nor would it do better next time.
                self.saturates = false;
                Ok(None)
            }
            answer => answer,
        }
    }

    /// All states reachable from a set, the set included.
    pub(crate) fn reach(&mut self, from: &Bdd, budget: &dyn Budget) -> Result<Bdd, Halt> {
        let mut reached = from.clone();
        let mut frontier = from.clone();
        while !frontier.is_false() {
            self.poll(budget)?;
            self.iterations += 1;
            let before = reached.clone();
            // Chaining: what one part reaches is given to the next in the same sweep.
            let mut sweep = frontier;
            for part in &self.parts {
                self.encoding.diagrams.report(budget)?;
                let image = part.image(&sweep)?;
                if self.parts.len() > 1 {
                    sweep = sweep.either(&image.without(&reached)?)?;
                }
                reached = reached.either(&image)?;
            }
            frontier = reached.without(&before)?;
            // Counting goes over the whole diagram, so it is done less and less often.
            if self.iterations.is_power_of_two() {
                self.tell_reached(&reached, budget);
            }
        }
        Ok(reached)
    }

    pub(crate) fn tell_reached(&self, reached: &Bdd, budget: &dyn Budget) {
        budget.reached(self.encoding.diagrams.roughly(reached, self.encoding.functions.model_bits()));
    }

    /// Tells the budget how large the diagrams are, and looks for a better order where they have grown.
    pub(crate) fn poll(&mut self, budget: &dyn Budget) -> Result<(), Halt> {
        let nodes = self.encoding.diagrams.nodes();
        self.peak_nodes = self.peak_nodes.max(nodes);
        self.encoding.diagrams.report(budget)?;
        if nodes > self.sift_at && self.encoding.diagrams.live_nodes() > self.sift_at / 2 {
            if self.rather_stops {
                return Err(no_room());
            }
            self.sift(budget)?;
            self.sift_at = self.sift_at.max(2 * self.encoding.diagrams.nodes());
        }
        Ok(())
    }

    /// Looks for a better order of the variables.
    ///
    /// # Errors
    ///
    /// A limit was reached.
    pub fn sift(&mut self, budget: &dyn Budget) -> Result<(), Halt> {
        let groups = self.encoding.groups();
        let poll = &mut |nodes: usize| Progress::Deciding { nodes: nodes as u64 }.tell(budget);
        let order = self.encoding.diagrams.sift(&groups, self.room, poll)?;
        self.encoding.ordered = order.into_iter().map(|group| self.encoding.ordered[group]).collect();
        self.siftings += 1;
        Ok(())
    }
}

//! Fixpoints over the states of all workers: something becomes so at a point, and those are told from which a step leads there.

use servanda_engine::Halt;

use crate::board::Trouble;
use crate::links::Links;
use crate::worker::Crew;

/// So many points are dealt with before a worker looks at what has arrived.
const LOOK_EVERY: usize = 1 << 10;

/// Points are states with one of so many marks; a point has the number `state * marks + mark`.
#[derive(Clone, Copy)]
pub(crate) struct Points {
    pub(crate) marks: usize,
}

impl Points {
    /// How many points so many states have, if they can be numbered.
    pub(crate) fn of(self, states: u32) -> Result<usize, Trouble> {
        let points = (states as usize).checked_mul(self.marks).filter(|points| *points < u32::MAX as usize);
        points.ok_or_else(|| {
            let reason =
                "the product of a path formula with the states of one worker is too large: use more workers";
            Trouble::Halt(Halt::TooLarge(reason.to_owned()))
        })
    }
}

impl Crew<'_> {
    /// Tells of all points in the queue, and of those that are put into it on the way, until there are none anywhere. `told` hears
    /// of a slot of this worker and of the mark of the point that it leads to, and puts points of this worker into the queue.
    ///
    /// # Errors
    ///
    /// When a worker is gone, or the program wants the work to end.
    pub(crate) fn flood(
        &mut self,
        links: &Links,
        points: Points,
        mut queue: Vec<u32>,
        mut told: impl FnMut(u32, usize, &mut Vec<u32>),
    ) -> Result<(), Trouble> {
        let own = self.fabric.index() as u32;
        let mut arrived = Vec::new();
        loop {
            let (mut done, mut sent) = (0, 0);
            while let Some(point) = queue.pop() {
                let (state, mark) = (point / points.marks as u32, point as usize % points.marks);
                for (worker, slot) in links.into(state) {
                    if *worker == own {
                        told(*slot, mark, &mut queue);
                    } else {
                        sent += 1;
                        self.fabric.post(*worker as usize, &[(mark as u64) << 32 | u64::from(*slot)]);
                    }
                }
                done += 1;
                if done % LOOK_EVERY == 0 {
                    if self.board.is_stopped() {
                        break;
                    }
                    self.fabric.take(|parcel| arrived.extend_from_slice(parcel));
                    arrived.drain(..).for_each(|word| told(word as u32, (word >> 32) as usize, &mut queue));
                }
            }
            // What is left is left because the work should end; what was sent may lead to more.
            let own = [sent + queue.len() as u64, u64::from(self.board.is_stopped())];
            let [more, stopped] = self.fabric.end_summing(own, |parcel| arrived.extend_from_slice(parcel))?;
            arrived.drain(..).for_each(|word| told(word as u32, (word >> 32) as usize, &mut queue));
            if more == 0 {
                return Ok(());
            }
            if stopped > 0 {
                return Err(Trouble::Stopped);
            }
        }
    }
}

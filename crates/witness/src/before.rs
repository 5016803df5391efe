//! Earlier states, for `EY` and `EP`, found by visiting all before.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use servanda_engine::Halt;
use servanda_lower::StateFormula;
use servanda_space::Step;

use crate::on_the_fly::OnTheFly;
use crate::scout::{Earlier, Scout as _};

impl OnTheFly<'_, '_> {
    /// A predecessor where a formula holds, the nearest to the beginning.
    pub(crate) fn predecessor(&mut self, a: StateFormula, point: u32) -> Result<Option<Earlier<u32>>, Halt> {
        let here = self.state(point).to_vec();
        self.nearest(|this, other| {
            let steps = this.steps(other)?;
            let Some(step) = steps.into_iter().find(|step| this.state(step.target) == here) else {
                return Ok(None);
            };
            let holds = this.speaks(other, &[])? && this.holds(a, other)?;
            Ok(holds.then(|| this.earlier(other, &FxHashMap::from_iter([(other, step)]))))
        })
    }

    /// A state from which one can come here and where a formula holds, the nearest to here.
    pub(crate) fn ancestor(&mut self, a: StateFormula, point: u32) -> Result<Option<Earlier<u32>>, Halt> {
        let here = self.state(point).to_vec();
        let mut arrivals: FxHashMap<u32, Vec<(u32, Step)>> = FxHashMap::default();
        let mut queue: VecDeque<u32> = VecDeque::new();
        self.nearest(|this, other| {
            if this.speaks(other, &[])? {
                if this.state(other) == here {
                    queue.push_back(other);
                }
                for step in this.steps(other)? {
                    arrivals.entry(step.target).or_default().push((other, step));
                }
            }
            Ok(None::<()>)
        })?;
        // How one goes on from each point met; not at all from those that are in this very state.
        let mut onward: FxHashMap<u32, Option<Step>> = queue.iter().map(|end| (*end, None)).collect();
        while let Some(there) = queue.pop_front() {
            if self.holds(a, there)? {
                let onward = onward.into_iter().filter_map(|(from, way)| Some((from, way?))).collect();
                return Ok(Some(self.earlier(there, &onward)));
            }
            for &(source, step) in arrivals.get(&there).map_or(&[][..], Vec::as_slice) {
                onward.entry(source).or_insert_with(|| {
                    queue.push_back(source);
                    Some(step)
                });
            }
        }
        Ok(None)
    }

    /// The run to an earlier point and on to the end.
    fn earlier(&self, source: u32, onward: &FxHashMap<u32, Step>) -> Earlier<u32> {
        let mut run = self.reach.run(source);
        let position = run.points.len() - 1;
        let mut here = source;
        while let Some(step) = onward.get(&here) {
            run.steps.push(*step);
            run.points.push(step.target);
            here = step.target;
            // A deadlock is its own predecessor.
            if here == source {
                break;
            }
        }
        (self.told(run), position)
    }
}

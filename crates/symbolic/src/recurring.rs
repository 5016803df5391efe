//! Which steps can be made again and again inside a set of states.
//!
//! On an infinite path the steps that occur again and again bring every variable back to where it was, over and over. So a step can
//! occur again and again only if, in each variable that it changes, the change lies on a cycle of the changes that such steps make.
//! Looking at one variable at a time this is found out without a fixpoint over sets of states, and a set whose paths are all finite,
//! however long they may be, is mostly seen to be so at once.

use rustc_hash::FxHashMap;
use servanda_engine::{Budget, Halt};
use servanda_graph::components_of;

use crate::diagrams::{Bdd, Operations};
use crate::order::Item;
use crate::relation::Part;
use crate::symbolic::Symbolic;

/// Variables with more bits, and steps with more changes of one variable, are taken to come back.
const MOST_BITS: usize = 8;
const MOST_CHANGES: usize = 1 << 10;

/// How the steps of a part change one variable: the values before and after.
struct Change {
    part: usize,
    /// The variable, by its place in the order.
    variable: usize,
    values: Vec<(usize, usize)>,
}

impl Symbolic<'_> {
    /// By part of the relation: can its steps be made again and again on a path that stays inside the set?
    pub(crate) fn recurring(&self, within: &Bdd, budget: &dyn Budget) -> Result<Vec<bool>, Halt> {
        let variables = self.bits_of_variables();
        let mut variable_of = vec![0; self.encoding.bits.len()];
        for (variable, bits) in variables.iter().enumerate() {
            bits.iter().for_each(|bit| variable_of[*bit] = variable);
        }
        let mut recurs = vec![true; self.parts.len()];
        let mut changes = Vec::new();
        for (index, part) in self.parts.iter().enumerate() {
            // In a round all agents act together, so that all variables change in it: as one diagram it may be larger than all others, and it
            // is next to never seen not to recur.
            if part.is_round() {
                continue;
            }
            self.encoding.diagrams.report(budget)?;
            let mut steps = within.clone();
            for conjunct in part.all_conjuncts() {
                self.encoding.diagrams.report(budget)?;
                steps = steps.both(&conjunct.set)?;
            }
            // Two sets of states that have little to do with each other are multiplied last, where the steps say what they have in common.
            steps = steps.both(&part.at_next(within)?)?;
            recurs[index] = !steps.is_false();
            let mut changed: Vec<usize> = part.changed().map(|bit| variable_of[bit]).collect();
            changed.sort_unstable();
            changed.dedup();
            changed.retain(|variable| recurs[index] && variables[*variable].len() <= MOST_BITS);
            for variable in changed {
                let values = self.values(&steps, part, &variables[variable])?;
                changes.extend(values.map(|values| Change { part: index, variable, values }));
            }
        }
        while leave_out(&changes, &mut recurs) {}
        Ok(recurs)
    }

    /// The bits of each variable, of each commitment, and each further bit by itself.
    fn bits_of_variables(&self) -> Vec<Vec<usize>> {
        let functions = &self.encoding.functions;
        let own = self.encoding.ordered.iter().filter_map(|item| match item {
            Item::Variable(id) => Some(functions.variable_bits(*id).to_vec()),
            Item::Commitment(id) => Some(vec![functions.commitment_bit(*id)]),
            Item::Action(_) => None,
        });
        own.chain((functions.model_bits()..self.encoding.bits.len()).map(|bit| vec![bit])).collect()
    }

    /// The values of some bits before and after the steps of a part; `None` if they are too many to be listed.
    fn values(&self, steps: &Bdd, part: &Part, bits: &[usize]) -> Result<Option<Vec<(usize, usize)>>, Halt> {
        let encoding = &self.encoding;
        let changed: Vec<usize> =
            bits.iter().copied().filter(|bit| part.changed().any(|own| own == *bit)).collect();
        let kept = encoding.bits.iter().enumerate().filter(|(bit, _)| !bits.contains(bit));
        let others = kept.flat_map(|(_, bit)| [bit.now, bit.next]);
        let mut left = steps.some(&encoding.diagrams.cube(others)?)?;
        let mut found = Vec::new();
        while let Some(assignment) = encoding.some_values(&left) {
            if found.len() == MOST_CHANGES {
                return Ok(None);
            }
            let (mut before, mut after) = (0, 0);
            let mut literals = Vec::new();
            for (at, bit) in bits.iter().enumerate() {
                let pair = encoding.bits[*bit];
                let now = assignment(pair.now);
                let changes = changed.contains(bit);
                let next = if changes { assignment(pair.next) } else { now };
                before |= usize::from(now) << at;
                after |= usize::from(next) << at;
                literals.push((pair.now, now));
                literals.extend(changes.then_some((pair.next, next)));
            }
            literals.sort_unstable();
            let variables = literals
                .into_iter()
                .map(|(variable, value)| Ok((encoding.diagrams.variable(variable)?, value)));
            let this = encoding.diagrams.literals(&variables.collect::<Result<Vec<_>, Halt>>()?)?;
            left = left.without(&this)?;
            found.push((before, after));
        }
        Ok(Some(found))
    }
}

/// Leaves out the parts whose changes of some variable lie on no cycle of those of the parts that are left; `false` if there are none.
fn leave_out(changes: &[Change], recurs: &mut [bool]) -> bool {
    let mut edges: FxHashMap<usize, Vec<Vec<usize>>> = FxHashMap::default();
    for change in changes.iter().filter(|change| recurs[change.part]) {
        let edges = edges.entry(change.variable).or_insert_with(|| vec![Vec::new(); 1 << MOST_BITS]);
        change.values.iter().for_each(|(before, after)| edges[*before].push(*after));
    }
    let components: FxHashMap<usize, Vec<usize>> =
        edges.iter().map(|(variable, edges)| (*variable, components_of(edges).of)).collect();
    let before = recurs.iter().filter(|recurs| **recurs).count();
    for change in changes {
        let Some(component) = components.get(&change.variable) else { continue };
        recurs[change.part] &=
            change.values.iter().any(|(before, after)| component[*before] == component[*after]);
    }
    recurs.iter().filter(|recurs| **recurs).count() < before
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fairness::StepChoice;
    use servanda_engine::{NoLimits, Options};
    use servanda_testkit::{Trials, Tried};

    /// Sets to stay in: for each bit of the state the reachable states where it is false, and where it is true.
    fn regions(symbolic: &Symbolic<'_>) -> Result<Vec<Bdd>, Halt> {
        let mut regions = vec![symbolic.universe.clone()];
        for bit in &symbolic.encoding.bits {
            let bit = symbolic.encoding.diagrams.variable(bit.now)?;
            regions.push(symbolic.universe.both(&bit)?);
            regions.push(symbolic.universe.without(&bit)?);
        }
        Ok(regions)
    }

    #[test]
    fn infinite_paths_end_with_steps_that_recur() {
        let left_out = std::cell::Cell::new(0);
        Trials::from_environment(1000).on_protocols(|case| {
            let Ok(mut symbolic) = Symbolic::new(&case.model, Options::default(), 1 << 18, &NoLimits) else {
                return Ok(Tried::Skipped);
            };
            let stop = |_: Halt| "a limit".to_owned();
            for region in regions(&symbolic).map_err(stop)? {
                let recurring = symbolic.recurring(&region, &NoLimits).map_err(stop)?;
                left_out.set(left_out.get() + recurring.iter().filter(|recurs| !**recurs).count());
                let stays = symbolic.staying(&region, &NoLimits).map_err(stop)?;
                let all = [StepChoice::Any];
                let before =
                    |this: &mut Symbolic<'_>, set: &Bdd, taken| this.before_by(set, taken, &NoLimits);
                let reaching = |this: &mut Symbolic<'_>, through: &Bdd, set| {
                    this.reaching(through, set, &all, before, &NoLimits)
                };
                let plain = symbolic.fair_paths(&region, &[], (before, reaching), &NoLimits).map_err(stop)?;
                if stays != plain {
                    return Err("not the same infinite paths".to_owned());
                }
            }
            Ok(Tried::Holds)
        });
        assert!(left_out.get() > 1000, "nothing is left out: {}", left_out.get());
    }
}

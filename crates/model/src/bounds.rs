//! The values that variables have in reachable states, as ranges: found by following the commands from the initial values, variable by
//! variable (Cousot and Cousot, "Abstract interpretation: a unified lattice model for static analysis of programs").

use rustc_hash::{FxHashMap, FxHashSet};

use crate::expr::joined;
use crate::{Behaviour, Expr, Flow, Model, Range, Ranges, VariableId};

/// A range that has grown so often is taken to the end of the domain.
const PATIENCE: u32 = 16;

/// How often all commands may be gone through, on average, until domains have to do.
const MOST_ROUNDS: usize = 64;

/// So often sums are asked what they leave of ranges, at once.
const MOST_ASKED: usize = 1 << 10;

/// For every variable the range of the values that it can have, and sums that are always the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    ranges: Vec<Range>,
    flows: Vec<Flow>,
    /// By variable: the sums that count it.
    flows_of: Vec<Vec<usize>>,
}

/// A condition and what is assigned where it holds.
struct Rule<'m> {
    guard: &'m Expr,
    updates: &'m [(VariableId, Expr)],
}

impl Bounds {
    /// What the domains say.
    pub fn of_domains(model: &Model) -> Self {
        Bounds::without_flows(model.variables.iter().map(|v| (v.domain.low(), v.domain.high())).collect())
    }

    /// What holds in every reachable state.
    pub fn of_runs(model: &Model) -> Self {
        let domains = Bounds::of_domains(model);
        let hull = |(variable, domain): (&crate::Variable, &Range)| {
            let values = variable.initial.iter().map(|value| (*value, *value));
            values.reduce(joined).unwrap_or(*domain)
        };
        let start = Bounds::without_flows(model.variables.iter().zip(&domains.ranges).map(hull).collect());
        let rules = rules(model);
        let Some(mut bounds) = grown(&start, &domains, &rules) else { return domains };
        // Where a range was taken to the end of the domain, conditions bring it back.
        for _ in 0..2 {
            let mut next = start.clone();
            for rule in &rules {
                rule.follow(&bounds, &domains, |variable, range| {
                    let known = &mut next.ranges[variable.index()];
                    *known = joined(*known, range);
                });
            }
            bounds = next;
        }
        bounds
    }

    fn without_flows(ranges: Vec<Range>) -> Self {
        Bounds { ranges, flows: Vec::new(), flows_of: Vec::new() }
    }

    /// The same with sums that are the same in all these states: they say more of ranges, here and wherever a condition is known to hold.
    #[must_use]
    pub fn with_flows(mut self, flows: Vec<Flow>) -> Self {
        self.flows_of = vec![Vec::new(); self.ranges.len()];
        for (number, flow) in flows.iter().enumerate() {
            for (term, _) in &flow.terms {
                let own = &mut self.flows_of[term.variable().index()];
                if own.last() != Some(&number) {
                    own.push(number);
                }
            }
        }
        self.flows = flows;
        let mut known = FxHashMap::default();
        let counted = self.flows_of.iter().enumerate().filter(|(_, own)| !own.is_empty());
        let counted = counted.map(|(at, _)| VariableId::from_index(at)).collect();
        if self.tighten(&mut known, counted) {
            known.into_iter().for_each(|(variable, range)| self.ranges[variable.index()] = range);
        }
        self
    }

    /// Asks the sums what they leave of ranges, once more is known of some variables. `false` where nothing is left of one: there is no such
    /// state.
    pub(crate) fn tighten(
        &self,
        known: &mut FxHashMap<VariableId, Range>,
        mut changed: Vec<VariableId>,
    ) -> bool {
        let mut left = MOST_ASKED.max(changed.len());
        while let Some(variable) = changed.pop() {
            for number in self.flows_of.get(variable.index()).into_iter().flatten() {
                let Some(fewer) = left.checked_sub(1) else { return true };
                left = fewer;
                let mut told = Vec::new();
                let of = |id: VariableId| known.get(&id).copied().unwrap_or(self.of(id));
                self.flows[*number].leaves(of, |id, range| {
                    if range != of(id) {
                        told.push((id, range));
                    }
                });
                for (id, (low, high)) in told {
                    let before = known.get(&id).copied().unwrap_or(self.of(id));
                    let (low, high) = (low.max(before.0), high.min(before.1));
                    if low > high {
                        return false;
                    }
                    if (low, high) != before {
                        known.insert(id, (low, high));
                        changed.push(id);
                    }
                }
            }
        }
        true
    }

    /// Is a variable counted by a sum that is always the same?
    pub fn is_counted(&self, variable: VariableId) -> bool {
        self.flows_of.get(variable.index()).is_some_and(|own| !own.is_empty())
    }

    /// The range of a variable.
    pub fn of(&self, variable: VariableId) -> Range {
        self.ranges[variable.index()]
    }

    /// The value of a variable that has always the same.
    pub fn constant(&self, variable: VariableId) -> Option<i64> {
        let (low, high) = self.of(variable);
        (low == high).then_some(low)
    }
}

fn rules(model: &Model) -> Vec<Rule<'_>> {
    match &model.behaviour {
        Behaviour::Commands(commands) => {
            commands.iter().map(|c| Rule { guard: &c.guard, updates: &c.updates }).collect()
        }
        Behaviour::Rounds(programs) => {
            let blocks = programs.iter().flat_map(|program| &program.evolution);
            let lines = blocks.flat_map(|block| &block.lines);
            lines.map(|line| Rule { guard: &line.guard, updates: &line.updates }).collect()
        }
    }
}

/// Lets ranges grow until no rule leads out of them; `None` where that takes too long.
fn grown(start: &Bounds, domains: &Bounds, rules: &[Rule<'_>]) -> Option<Bounds> {
    let mut readers: Vec<Vec<u32>> = vec![Vec::new(); start.ranges.len()];
    for (number, rule) in (0..).zip(rules) {
        let mut read: FxHashSet<VariableId> = FxHashSet::default();
        let expressions = std::iter::once(rule.guard).chain(rule.updates.iter().map(|(_, value)| value));
        expressions.for_each(|expr| {
            expr.for_each_variable(&mut |variable| {
                read.insert(variable);
            })
        });
        read.into_iter().for_each(|variable| readers[variable.index()].push(number));
    }
    let (mut bounds, mut growth) = (start.clone(), vec![0; start.ranges.len()]);
    let mut todo: Vec<u32> = (0..rules.len() as u32).rev().collect();
    let mut waits = vec![true; rules.len()];
    let mut left = rules.len().saturating_mul(MOST_ROUNDS);
    let mut grew: Vec<(VariableId, Range)> = Vec::new();
    while let Some(number) = todo.pop() {
        left = left.checked_sub(1)?;
        waits[number as usize] = false;
        rules[number as usize].follow(&bounds, domains, |variable, range| grew.push((variable, range)));
        for (variable, range) in grew.drain(..) {
            let (at, known) = (variable.index(), bounds.ranges[variable.index()]);
            let (mut low, mut high) = joined(known, range);
            if (low, high) == known {
                continue;
            }
            growth[at] += 1;
            if growth[at] > PATIENCE {
                low = if low < known.0 { domains.ranges[at].0 } else { low };
                high = if high > known.1 { domains.ranges[at].1 } else { high };
            }
            bounds.ranges[at] = (low, high);
            for reader in &readers[at] {
                if !std::mem::replace(&mut waits[*reader as usize], true) {
                    todo.push(*reader);
                }
            }
        }
    }
    Some(bounds)
}

impl Rule<'_> {
    /// Tells which ranges its assignments give, if it can be followed at all. What does not fit a domain is never assigned.
    fn follow(&self, bounds: &Bounds, domains: &Bounds, mut assigns: impl FnMut(VariableId, Range)) {
        let ranges = Ranges::where_holds(bounds, self.guard).unwrap_or(Ranges::new(bounds));
        if ranges.is_never() {
            return;
        }
        for (variable, value) in self.updates {
            let domain = domains.of(*variable);
            let (low, high) = ranges.of(value).unwrap_or(domain);
            let (low, high) = (low.max(domain.0), high.min(domain.1));
            if low <= high {
                assigns(*variable, (low, high));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Command, Domain, LabelId, Variable, Visibility};

    fn x() -> Expr {
        Expr::variable(VariableId(0))
    }

    /// A variable from 0 to 100 that begins with 0 or 1, with one command.
    fn bounds(guard: Expr, value: Expr) -> Range {
        let mut model = Model::new("Bounds");
        let domain = Domain::Range { low: 0, high: 100 };
        let variable = model.add_variable(Variable::new("x", domain, vec![0, 1], Visibility::Public));
        model.add_command(Command { guard, updates: vec![(variable, value)], ..Command::new(LabelId(0)) });
        Bounds::of_runs(&model).of(variable)
    }

    #[test]
    fn a_counter_stays_where_its_guard_keeps_it() {
        let next = x().plus(Expr::Constant(1));
        assert_eq!(bounds(x().less_than(Expr::Constant(3)), next.clone()), (0, 3));
        assert_eq!(bounds(x().less_than(Expr::Constant(70)), next.clone()), (0, 70));
        assert_eq!(bounds(Expr::TRUE, next.clone()), (0, 100));
        assert_eq!(bounds(Expr::Constant(5).less_than(x()), next), (0, 1));
        assert_eq!(bounds(x().equals(Expr::Constant(7)), Expr::Constant(9)), (0, 1));
    }
}

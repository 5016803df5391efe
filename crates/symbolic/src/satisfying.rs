//! The states where a formula holds: how many, which, and their diagram.

use std::fmt::Write as _;

use oxidd::{BooleanFunction, Function, HasLevel, Manager, Node, VarNo};
use rustc_hash::FxHashMap;
use servanda_engine::{Budget, Halt, Satisfying};
use servanda_logic::Formula;
use servanda_model::{Layout, StateView, VariableId};

use crate::diagrams::{Bdd, Operations};
use crate::symbolic::Symbolic;

/// A set of states with what they have in common: what a variable, a machine or a commitment is, in words. What is not mentioned can be
/// anything of its type.
pub type Cube = Vec<String>;

/// So many runs of neighbouring values are listed.
const MOST_RUNS: usize = 32;

impl Symbolic<'_> {
    /// The states on runs where a formula holds however they were reached, and those where that depends on how.
    fn divided(&mut self, formula: &Formula, budget: &dyn Budget) -> Result<[Bdd; 2], Halt> {
        let id = self.lowering.property(formula).map_err(Halt::Invalid)?;
        let holds = self.evaluate(id, budget)?.both(&self.points)?;
        let fails = self.states_of(&self.points.without(&holds)?)?;
        let holds = self.states_of(&holds)?;
        Ok([holds.without(&fails)?, holds.both(&fails)?])
    }

    pub(crate) fn divide(
        &mut self,
        formula: &Formula,
        most: usize,
        budget: &dyn Budget,
    ) -> Result<Satisfying, Halt> {
        let [satisfying, depends] = self.divided(formula, budget)?;
        let reachable = self.states_of(&self.points)?;
        let layout = Layout::new(self.encoding.model);
        let (mut first, mut left) = (Vec::new(), satisfying.clone());
        while first.len() < most
            && let Some(state) = self.smallest(&left)?
        {
            self.encoding.diagrams.report(budget)?;
            first.push(StateView::new(self.encoding.model, &layout, &state));
            left = left.without(&self.encoding.only(&state, &layout)?)?;
        }
        let count = |set: &Bdd| self.encoding.diagrams.count(set, self.encoding.functions.model_bits());
        Ok(Satisfying {
            reachable: count(&reachable),
            count: count(&satisfying),
            depends: count(&depends),
            first,
        })
    }

    /// The states where a formula holds in at most so many cubes that have no state in common, and whether these are all.
    ///
    /// # Errors
    ///
    /// A limit was reached, or the formula is at fault or cannot be evaluated.
    pub fn cubes(
        &mut self,
        formula: &Formula,
        most: usize,
        budget: &dyn Budget,
    ) -> Result<(Vec<Cube>, bool), Halt> {
        let [mut left, _] = self.divided(formula, budget)?;
        let mut cubes = Vec::new();
        while cubes.len() < most
            && let Some(assignment) = left.pick_cube(|_, _, _| false)
        {
            self.encoding.diagrams.report(budget)?;
            let value = |variable: VarNo| match assignment.get(variable as usize) {
                Some(oxidd::util::OptBool::True) => Some(true),
                Some(oxidd::util::OptBool::False) => Some(false),
                _ => None,
            };
            let mut set = self.encoding.diagrams.truth();
            for bit in &self.encoding.bits[..self.encoding.functions.model_bits()] {
                match value(bit.now) {
                    Some(true) => set = set.both(&self.encoding.diagrams.variable(bit.now)?)?,
                    Some(false) => set = set.without(&self.encoding.diagrams.variable(bit.now)?)?,
                    None => {}
                }
            }
            left = left.without(&set)?;
            cubes.push(self.in_words(|bit| value(self.encoding.bits[bit].now)));
        }
        Ok((cubes, left.is_false()))
    }

    /// What a cube of bits says of the model.
    fn in_words(&self, value: impl Fn(usize) -> Option<bool>) -> Cube {
        let model = self.encoding.model;
        let mut cube = Vec::new();
        for (id, variable) in model.variables() {
            let Some(values) = self.possible_values(id, &value) else { continue };
            let machine = variable.machine.map(|machine| model.machines[machine.index()].name.as_str());
            cube.push(match (machine, values.strip_prefix('=')) {
                (Some(""), Some(one)) => format!("in {}", one.trim_start()),
                (Some(machine), Some(one)) => format!("{machine} in {}", one.trim_start()),
                (Some(machine), None) => format!("{machine} {values}").trim_start().to_owned(),
                (None, _) => format!("{} {values}", variable.name),
            });
        }
        for (id, promise) in model.commitments() {
            if let Some(in_force) = value(self.encoding.functions.commitment_bit(id)) {
                let promise = model.show_promise(promise);
                cube.push(if in_force {
                    format!("in force: {promise}")
                } else {
                    format!("not in force: {promise}")
                });
            }
        }
        cube
    }

    /// `= 3` or `in {1..3, 7}`; `None` where a variable can have any value.
    fn possible_values(&self, id: VariableId, value: &impl Fn(usize) -> Option<bool>) -> Option<String> {
        let domain = &self.encoding.model.variable(id).domain;
        let bits: Vec<Option<bool>> =
            self.encoding.functions.variable_bits(id).iter().map(|bit| value(*bit)).collect();
        if bits.iter().all(Option::is_none) {
            return None;
        }
        let runs = codes(&bits, domain.size());
        let show = |code: u64| domain.show(domain.low().saturating_add_unsigned(code));
        let shown: Vec<String> = runs
            .iter()
            .map(|(first, last)| match last - first {
                0 => show(*first),
                1 => format!("{}, {}", show(*first), show(*last)),
                _ => format!("{}..{}", show(*first), show(*last)),
            })
            .collect();
        match runs.as_slice() {
            [(first, last)] if first == last => Some(format!("= {}", shown[0])),
            _ if runs.len() > MOST_RUNS => Some(format!("in {{{}, ..}}", shown[..MOST_RUNS].join(", "))),
            _ => Some(format!("in {{{}}}", shown.join(", "))),
        }
    }

    /// The diagram of the states where a formula holds, in the DOT language: full lines are taken where a bit is 1, dashed ones where it
    /// is 0.
    ///
    /// # Errors
    ///
    /// A limit was reached, or the formula is at fault or cannot be evaluated.
    #[expect(
        clippy::mutable_key_type,
        reason = "what a manager counts inside of a diagram does not change which diagram it is"
    )]
    pub fn drawn(&mut self, formula: &Formula, budget: &dyn Budget) -> Result<String, Halt> {
        let [set, _] = self.divided(formula, budget)?;
        let names = self.encoding.functions.bit_names();
        let bits = self.encoding.bits.iter().map(|bit| bit.now).zip(names);
        let names: FxHashMap<VarNo, String> = bits.collect();
        let mut text = String::from("digraph set {\n  node [shape=circle];\n  t [label=\"1\", shape=box];\n");
        // Diagrams are functions, and a function and its complement are two of them: drawn without complemented edges.
        let mut numbers: FxHashMap<Bdd, usize> = FxHashMap::default();
        let mut todo = vec![set.clone()];
        let (truth, falsity) = (self.encoding.diagrams.truth(), self.encoding.diagrams.falsity());
        numbers.insert(set.clone(), 0);
        while let Some(function) = todo.pop() {
            self.encoding.diagrams.report(budget)?;
            let Some((then, otherwise)) = function.cofactors() else { continue };
            let own = numbers[&function];
            let name =
                top_variable(&function).and_then(|variable| names.get(&variable)).map_or("", String::as_str);
            let _ = writeln!(text, "  n{own} [label=\"{}\"];", name.replace('"', "\\\""));
            for (child, style) in [(then, "solid"), (otherwise, "dashed")] {
                if child == falsity {
                    continue;
                }
                let target = if child == truth {
                    "t".to_owned()
                } else {
                    let next = numbers.len();
                    let number = *numbers.entry(child.clone()).or_insert_with(|| {
                        todo.push(child.clone());
                        next
                    });
                    format!("n{number}")
                };
                let _ = writeln!(text, "  n{own} -> {target} [style={style}];");
            }
        }
        if set == truth || set == falsity {
            let label = if set == truth { "1" } else { "0" };
            let _ = writeln!(text, "  n0 [label=\"{label}\", shape=box];");
        }
        text.push_str("}\n");
        Ok(text)
    }
}

/// The codes below `size` whose bits, least significant first, are these, as runs of neighbours; one run more than are shown at the most.
fn codes(bits: &[Option<bool>], size: u64) -> Vec<(u64, u64)> {
    let free = bits.iter().take_while(|bit| bit.is_none()).count();
    let mut runs: Vec<(u64, u64)> = Vec::new();
    // The upper bits decide where runs begin; the most significant first, so that they come in order.
    let mut todo = vec![(bits.len(), 0_u64)];
    while let Some((at, code)) = todo.pop() {
        if code >= size || runs.len() > MOST_RUNS {
            continue;
        }
        if at == free {
            let last = (code | ((1 << free) - 1)).min(size - 1);
            match runs.last_mut() {
                Some((_, before)) if *before + 1 == code => *before = last,
                _ => runs.push((code, last)),
            }
            continue;
        }
        for value in [true, false] {
            if bits[at - 1].is_none_or(|bit| bit == value) {
                todo.push((at - 1, code | (u64::from(value) << (at - 1))));
            }
        }
    }
    runs
}

/// The variable at the top of a diagram.
fn top_variable(function: &Bdd) -> Option<VarNo> {
    function.with_manager_shared(|manager, edge| match manager.get_node(edge) {
        Node::Inner(node) => Some(manager.level_to_var(node.level())),
        Node::Terminal(_) => None,
    })
}

#[cfg(test)]
mod tests {
    use super::codes;

    #[test]
    fn codes_are_runs_of_neighbours() {
        let (no, yes) = (Some(false), Some(true));
        assert_eq!(codes(&[None, None, yes], 8), [(4, 7)]);
        assert_eq!(codes(&[None, None, yes], 6), [(4, 5)]);
        assert_eq!(codes(&[yes, None, no], 8), [(1, 1), (3, 3)]);
        assert_eq!(codes(&[None, yes, None], 8), [(2, 3), (6, 7)]);
        assert_eq!(codes(&[no, yes, yes], 7), [(6, 6)]);
        assert_eq!(codes(&[yes, yes, yes], 7), []);
    }
}

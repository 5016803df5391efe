//! From binary to multi-valued diagrams and back: the bits of a state as digits, one for each variable that is not too wide.

use oxidd::{BooleanFunction, Function, HasLevel, Manager, VarNo};
use rustc_hash::FxHashMap;
use servanda_engine::Halt;

use crate::diagrams::{Bdd, Operations};
use crate::encoding::Encoding;
use crate::multi::{EMPTY, END, Node, Nodes};

/// A digit has at most so many bits: that many values squared is how many steps from one to another there can be.
const MOST_BITS: usize = 6;

/// The digits of a state, in the order of the diagrams.
pub(crate) struct Digits {
    /// The bits of each digit, the most significant first.
    pub(crate) bits: Vec<Vec<usize>>,
    /// By level of the diagrams: the digit of its variable; the number of digits if it is none of a state.
    digit_of_level: Vec<usize>,
    /// By bit: the levels of the present and the next state.
    levels: Vec<[usize; 2]>,
}

impl Digits {
    /// The digits of the states of a model.
    pub(crate) fn new(encoding: &Encoding<'_>) -> Self {
        let level = encoding.diagrams.levels();
        let levels: Vec<[usize; 2]> =
            encoding.bits.iter().map(|bit| [level[bit.now as usize], level[bit.next as usize]]).collect();
        let mut variable_of = vec![None; encoding.bits.len()];
        for (id, _) in encoding.model.variables() {
            encoding.functions.variable_bits(id).iter().for_each(|bit| variable_of[*bit] = Some(id));
        }
        let mut order: Vec<usize> = (0..encoding.bits.len()).collect();
        order.sort_unstable_by_key(|bit| levels[*bit][0]);
        let mut bits: Vec<Vec<usize>> = Vec::new();
        for same in order.chunk_by(|a, b| variable_of[*a].is_some() && variable_of[*a] == variable_of[*b]) {
            let digits = same.len().div_ceil(MOST_BITS);
            bits.extend(same.chunks(same.len().div_ceil(digits)).map(<[usize]>::to_vec));
        }
        let mut digit_of_level = vec![bits.len(); level.len()];
        for (digit, own) in bits.iter().enumerate() {
            own.iter().flat_map(|bit| levels[*bit]).for_each(|level| digit_of_level[level] = digit);
        }
        Digits { bits, digit_of_level, levels }
    }

    /// How many digits there are.
    pub(crate) fn len(&self) -> usize {
        self.bits.len()
    }

    /// How many values the bits of a digit spell.
    pub(crate) fn values(&self, digit: usize) -> usize {
        1 << self.bits[digit].len()
    }

    /// By bit: the digit that it is part of.
    pub(crate) fn digit_of_bit(&self) -> Vec<usize> {
        self.levels.iter().map(|[now, _]| self.digit_of_level[*now]).collect()
    }

    /// The first digit that a diagram mentions; their number if none.
    pub(crate) fn top(&self, set: &Bdd) -> usize {
        top_level(set).map_or(self.len(), |level| self.digit_of_level[level])
    }

    /// What is left of a diagram for a bit's being 0 and 1; the bit must not lie below its top.
    fn split(&self, set: &Bdd, level: usize) -> [Bdd; 2] {
        match set.cofactors().filter(|_| top_level(set) == Some(level)) {
            Some((yes, no)) => [no, yes],
            None => [set.clone(), set.clone()],
        }
    }

    /// The steps of a relation between two values of a digit, each with what is left of the relation. What is not changed stays.
    pub(crate) fn steps(&self, relation: &Bdd, digit: usize, changed: &[bool]) -> Vec<(usize, usize, Bdd)> {
        let mut steps = vec![(0, 0, relation.clone())];
        for bit in &self.bits[digit] {
            let [now, next] = self.levels[*bit];
            let mut finer = Vec::with_capacity(2 * steps.len());
            for (from, to, relation) in steps {
                for (value, relation) in self.split(&relation, now).into_iter().enumerate() {
                    if relation.is_false() {
                        continue;
                    }
                    let from = from << 1 | value;
                    if !changed[*bit] {
                        finer.push((from, to << 1 | value, relation));
                        continue;
                    }
                    let ends = self.split(&relation, next).into_iter().enumerate();
                    let ends = ends.filter(|(_, relation)| !relation.is_false());
                    finer.extend(ends.map(|(value, relation)| (from, to << 1 | value, relation)));
                }
            }
            steps = finer;
        }
        steps
    }
}

/// The level of the topmost variable of a diagram.
fn top_level(set: &Bdd) -> Option<usize> {
    set.with_manager_shared(|manager, edge| match manager.get_node(edge) {
        oxidd::Node::Inner(node) => Some(node.level() as usize),
        oxidd::Node::Terminal(_) => None,
    })
}

/// Which binary and multi-valued diagrams are the same sets, as far as that has been found out.
#[derive(Default)]
pub(crate) struct Same {
    imported: FxHashMap<(Bdd, usize), Node>,
    exported: FxHashMap<Node, Bdd>,
}

impl Same {
    /// How many words this takes, roughly.
    pub(crate) fn words(&self) -> usize {
        4 * (self.imported.len() + self.exported.len())
    }
}

/// Binary diagrams of sets of states as multi-valued ones.
pub(crate) struct Import<'d> {
    digits: &'d Digits,
    known: &'d mut FxHashMap<(Bdd, usize), Node>,
    /// Variables have been met that are none of a state.
    says_more: bool,
}

impl<'d> Import<'d> {
    pub(crate) fn new(digits: &'d Digits, same: &'d mut Same) -> Self {
        Import { digits, known: &mut same.imported, says_more: false }
    }

    /// The same set as a multi-valued diagram; `None` if it is about more than states.
    pub(crate) fn set(&mut self, nodes: &mut Nodes<'_>, set: &Bdd) -> Result<Option<Node>, Halt> {
        let node = self.below(nodes, set, 0);
        if self.says_more {
            // Parts of it have been taken for something else.
            self.known.clear();
            return Ok(None);
        }
        node.map(Some)
    }

    fn below(&mut self, nodes: &mut Nodes<'_>, set: &Bdd, digit: usize) -> Result<Node, Halt> {
        if set.is_false() {
            return Ok(EMPTY);
        }
        if digit == self.digits.len() {
            self.says_more |= !set.valid();
            return Ok(END);
        }
        let key = (set.clone(), digit);
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        nodes.count(self.known.len())?;
        let mut values = vec![set.clone()];
        for bit in &self.digits.bits[digit] {
            let now = self.digits.levels[*bit][0];
            values = values.iter().flat_map(|value| self.digits.split(value, now)).collect();
        }
        let base = nodes.making.len();
        for value in values {
            let child = self.below(nodes, &value, digit + 1)?;
            nodes.making.push(child);
        }
        let node = nodes.finish(base)?;
        self.known.insert(key, node);
        Ok(node)
    }
}

/// Multi-valued diagrams of sets of states as binary ones.
pub(crate) struct Export<'d, 'm> {
    digits: &'d Digits,
    encoding: &'d Encoding<'m>,
    known: &'d mut FxHashMap<Node, Bdd>,
}

impl<'d, 'm> Export<'d, 'm> {
    pub(crate) fn new(digits: &'d Digits, encoding: &'d Encoding<'m>, same: &'d mut Same) -> Self {
        Export { digits, encoding, known: &mut same.exported }
    }

    /// The same set as a binary diagram.
    pub(crate) fn set(&mut self, nodes: &mut Nodes<'_>, node: Node) -> Result<Bdd, Halt> {
        self.below(nodes, node, 0)
    }

    fn below(&mut self, nodes: &mut Nodes<'_>, node: Node, digit: usize) -> Result<Bdd, Halt> {
        if node == EMPTY {
            return Ok(self.encoding.diagrams.falsity());
        }
        if node == END {
            return Ok(self.encoding.diagrams.truth());
        }
        if let Some(known) = self.known.get(&node) {
            return Ok(known.clone());
        }
        nodes.count(self.known.len())?;
        let mut values = Vec::with_capacity(self.digits.values(digit));
        for value in 0..nodes.len(node) {
            values.push(self.below(nodes, nodes.child(node, value), digit + 1)?);
        }
        values.resize(self.digits.values(digit), self.encoding.diagrams.falsity());
        for bit in self.digits.bits[digit].iter().rev() {
            let now: VarNo = self.encoding.bits[*bit].now;
            let now = self.encoding.diagrams.variable(now)?;
            let joined = values.chunks(2).map(|pair| match pair {
                [no, yes] if no != yes => now.choose(yes, no),
                pair => Ok(pair[0].clone()),
            });
            values = joined.collect::<Result<_, Halt>>()?;
        }
        let set = values.swap_remove(0);
        self.known.insert(node, set.clone());
        Ok(set)
    }
}

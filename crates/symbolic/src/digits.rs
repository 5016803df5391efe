//! From binary to multi-valued diagrams and back: the bits of a state as digits, one for each variable that is not too wide.

use oxidd::{BooleanFunction, Function, HasLevel, Manager, VarNo};
use rustc_hash::FxHashMap;
use servanda_engine::Halt;

use crate::codes::{Codes, Neighbour, tied};
use crate::diagrams::{Bdd, Operations};
use crate::encoding::Encoding;
use crate::multi::{EMPTY, END, Node, Nodes};

/// A digit has at most so many bits: that many values squared is how many steps from one to another there can be.
const MOST_BITS: usize = 6;

/// The digits of a state, in the order of the diagrams.
pub(crate) struct Digits {
    /// The bits of each digit, the most significant first.
    pub(crate) bits: Vec<Vec<usize>>,
    /// By digit: what its bits can spell, where it is several variables that a sum ties to each other; everything otherwise.
    codes: Vec<Option<Codes>>,
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
        let mut order: Vec<usize> = (0..encoding.bits.len()).collect();
        order.sort_unstable_by_key(|bit| levels[*bit][0]);
        let (bits, codes) = divided(encoding, &order);
        let mut digit_of_level = vec![bits.len(); level.len()];
        for (digit, own) in bits.iter().enumerate() {
            own.iter().flat_map(|bit| levels[*bit]).for_each(|level| digit_of_level[level] = digit);
        }
        Digits { bits, codes, digit_of_level, levels }
    }

    /// How many digits there are.
    pub(crate) fn len(&self) -> usize {
        self.bits.len()
    }

    /// How many values the bits of a digit spell.
    pub(crate) fn values(&self, digit: usize) -> usize {
        self.codes[digit].as_ref().map_or(1 << self.bits[digit].len(), Codes::len)
    }

    /// Can the bits of a digit spell something that begins so, with so many bits to come?
    fn begins(&self, digit: usize, prefix: u64, left: usize) -> bool {
        self.codes[digit].as_ref().is_none_or(|codes| codes.begins(prefix, left))
    }

    /// Which of its values the bits of a digit spell.
    fn value(&self, digit: usize, code: u64) -> Option<usize> {
        match &self.codes[digit] {
            Some(codes) => codes.number(code),
            None => Some(code as usize),
        }
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
        for (bit, left) in self.bits[digit].iter().zip((0..self.bits[digit].len()).rev()) {
            let [now, next] = self.levels[*bit];
            let mut finer = Vec::with_capacity(2 * steps.len());
            for (from, to, relation) in steps {
                for (value, relation) in (0..).zip(self.split(&relation, now)) {
                    let from = from << 1 | value;
                    if relation.is_false() || !self.begins(digit, from, left) {
                        continue;
                    }
                    if !changed[*bit] {
                        finer.push((from, to << 1 | value, relation));
                        continue;
                    }
                    let ends = (0..).zip(self.split(&relation, next));
                    let ends = ends.filter(|(_, relation)| !relation.is_false());
                    finer.extend(ends.map(|(value, relation)| (from, to << 1 | value, relation)));
                }
            }
            finer.retain(|(_, to, _)| self.begins(digit, *to, left));
            steps = finer;
        }
        let numbered = |(from, to, relation): (u64, u64, Bdd)| {
            Some((self.value(digit, from)?, self.value(digit, to)?, relation))
        };
        steps.into_iter().filter_map(numbered).collect()
    }

    /// What is left of a set for each value of a digit, where that is anything.
    fn parts(&self, set: &Bdd, digit: usize) -> Vec<(usize, Bdd)> {
        let mut parts = vec![(0, set.clone())];
        for (bit, left) in self.bits[digit].iter().zip((0..self.bits[digit].len()).rev()) {
            let now = self.levels[*bit][0];
            let mut finer = Vec::with_capacity(2 * parts.len());
            for (code, part) in parts {
                let both = (0..).zip(self.split(&part, now)).map(|(value, part)| (code << 1 | value, part));
                finer.extend(both.filter(|(code, part)| !part.is_false() && self.begins(digit, *code, left)));
            }
            parts = finer;
        }
        parts.into_iter().filter_map(|(code, part)| Some((self.value(digit, code)?, part))).collect()
    }
}

/// The bits of each digit, in order, and what they spell: one digit for each variable that is not too wide, or for several of which one sum
/// says how they belong together.
fn divided(encoding: &Encoding<'_>, order: &[usize]) -> (Vec<Vec<usize>>, Vec<Option<Codes>>) {
    let mut variable_of = vec![None; encoding.bits.len()];
    for (id, _) in encoding.model.variables() {
        encoding.functions.variable_bits(id).iter().for_each(|bit| variable_of[*bit] = Some(id));
    }
    let same: Vec<&[usize]> =
        order.chunk_by(|a, b| variable_of[*a].is_some() && variable_of[*a] == variable_of[*b]).collect();
    // What stands together in the order and may be tied.
    let neighbour = |own: &&[usize]| {
        let variable = variable_of[own[0]].filter(|_| own.len() <= MOST_BITS)?;
        let row = encoding.functions.variable_bits(variable);
        let places: Vec<usize> =
            own.iter().filter_map(|bit| row.iter().position(|other| other == bit)).collect();
        (places.len() == row.len()).then_some(Neighbour { variable, places })
    };
    let neighbours: Vec<Option<Neighbour>> = same.iter().map(neighbour).collect();
    let (mut bits, mut codes, mut at) = (Vec::new(), Vec::new(), 0);
    while at < same.len() {
        if let Some((length, own)) = tied(encoding.model, &encoding.sums, &neighbours[at..]) {
            bits.push(same[at..at + length].concat());
            codes.push(Some(own));
            at += length;
            continue;
        }
        let digits = same[at].len().div_ceil(MOST_BITS);
        bits.extend(same[at].chunks(same[at].len().div_ceil(digits)).map(<[usize]>::to_vec));
        codes.resize(bits.len(), None);
        at += 1;
    }
    (bits, codes)
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
        let base = nodes.making.len();
        for (value, part) in self.digits.parts(set, digit) {
            let child = self.below(nodes, &part, digit + 1)?;
            nodes.making.resize(base + value, EMPTY);
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
        let set = match &self.digits.codes[digit] {
            Some(codes) => self.spelt(&self.digits.bits[digit], (codes.all(), &values))?,
            None => self.counted(&self.digits.bits[digit], values)?,
        };
        self.known.insert(node, set.clone());
        Ok(set)
    }

    /// What has these parts where bits count up.
    fn counted(&self, bits: &[usize], mut values: Vec<Bdd>) -> Result<Bdd, Halt> {
        for bit in bits.iter().rev() {
            let now: VarNo = self.encoding.bits[*bit].now;
            let now = self.encoding.diagrams.variable(now)?;
            let joined = values.chunks(2).map(|pair| match pair {
                [no, yes] if no != yes => now.choose(yes, no),
                pair => Ok(pair[0].clone()),
            });
            values = joined.collect::<Result<_, Halt>>()?;
        }
        Ok(values.swap_remove(0))
    }

    /// What has these parts where bits spell these codes, which are in order.
    fn spelt(&self, bits: &[usize], (codes, values): (&[u64], &[Bdd])) -> Result<Bdd, Halt> {
        if values.iter().all(Bdd::is_false) {
            return Ok(self.encoding.diagrams.falsity());
        }
        let Some((bit, below)) = bits.split_first() else { return Ok(values[0].clone()) };
        let middle = codes.partition_point(|code| code >> below.len() & 1 == 0);
        let no = self.spelt(below, (&codes[..middle], &values[..middle]))?;
        let yes = self.spelt(below, (&codes[middle..], &values[middle..]))?;
        if no == yes {
            return Ok(no);
        }
        self.encoding.diagrams.variable(self.encoding.bits[*bit].now)?.choose(&yes, &no)
    }
}

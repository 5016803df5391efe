//! States in order: of those that are alike the one with the smallest row comes first.
//!
//! Whoever is alike has a row of values of their own, and values of common variables may name them. Two with the same row that no value names
//! differently can change places without any change of the state, so of all states that come from each other by changing places exactly one is in order.

use servanda_model::{Field, Layout, Model, Sight, VariableId};
use servanda_space::Canonical;

use super::exchanges::Exchanges;
use super::renaming::Renaming;

/// A field as bits of a word.
#[derive(Clone, Copy, Debug)]
struct Bits {
    word: usize,
    shift: u32,
    width: u32,
}

impl Bits {
    fn new(field: Field) -> Self {
        let bits = field.bits_in_word();
        Bits { word: field.word(), shift: bits.trailing_zeros().min(63), width: bits.count_ones() }
    }

    fn mask(self) -> u64 {
        if self.width == 64 { u64::MAX } else { (1 << self.width) - 1 }
    }

    fn read(self, state: &[u64]) -> u64 {
        (state[self.word] >> self.shift) & self.mask()
    }

    fn write(self, state: &mut [u64], code: u64) {
        let word = &mut state[self.word];
        *word = (*word & !(self.mask() << self.shift)) | (code << self.shift);
    }
}

/// A common variable with values that name members.
#[derive(Clone, Debug)]
struct Naming {
    bits: Bits,
    /// By code: the member that it names, and which of the names it is.
    names: Vec<Option<(usize, usize)>>,
    /// By name, the code for each member.
    codes: Vec<Vec<u64>>,
}

/// What members of a family have of their own, member by member.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    pub(super) members: usize,
    columns: Vec<Vec<Bits>>,
    namings: Vec<Naming>,
}

impl Rows {
    /// `exchanges[i][j]` is what changes places with members `i` and `j`. `None` where more than rows and names changes places.
    pub(super) fn new(model: &Model, layout: &Layout, exchanges: &Exchanges) -> Option<Self> {
        let members = exchanges.members;
        let variable = |index: usize, renaming: &Renaming| renaming.variables[index].index();
        let commitment = |index: usize, renaming: &Renaming| renaming.commitments[index].index();
        let mut columns = Vec::new();
        for column in exchanges.columns(model.variables.len(), variable)? {
            let fields = column.iter().map(|index| layout.variable(VariableId::from_index(*index)));
            columns.push(fields.map(Bits::new).collect());
        }
        for column in exchanges.columns(model.commitments.len(), commitment)? {
            let id = servanda_model::CommitmentId::from_index;
            let fields = column.iter().map(|index| layout.commitment(id(*index)));
            columns.push(fields.map(Bits::new).collect());
        }
        // What has one value takes no bits, and is the same for everybody.
        columns.retain(|column: &Vec<Bits>| column.iter().any(|bits| bits.width > 0));
        let mut namings = Vec::new();
        for (id, declared) in model.variables() {
            if exchanges.all().all(|renaming| renaming.values[id.index()].is_empty()) {
                continue;
            }
            // The values of what changes places itself must not change.
            if exchanges.all().any(|renaming| renaming.variables[id.index()] != id) {
                return None;
            }
            let low = declared.domain.low();
            let value =
                |code: usize, renaming: &Renaming| (renaming.value(id, low + code as i64) - low) as usize;
            let codes = exchanges.columns(declared.domain.size() as usize, value)?;
            let mut names = vec![None; declared.domain.size() as usize];
            for (name, codes) in codes.iter().enumerate() {
                codes.iter().enumerate().for_each(|(member, code)| names[*code] = Some((member, name)));
            }
            let codes = codes.into_iter().map(|codes| codes.into_iter().map(|code| code as u64).collect());
            namings.push(Naming { bits: Bits::new(layout.variable(id)), names, codes: codes.collect() });
        }
        Some(Rows { members, columns, namings })
    }

    /// Does nobody have anything of their own?
    pub(super) fn is_empty(&self) -> bool {
        self.columns.is_empty() && self.namings.is_empty()
    }

    /// Is something changed by both?
    pub(super) fn meets(&self, other: &Rows) -> bool {
        let bits = |rows: &Rows| -> Vec<(usize, u32)> {
            let columns = rows.columns.iter().flatten().chain(rows.namings.iter().map(|naming| &naming.bits));
            columns.filter(|bits| bits.width > 0).map(|bits| (bits.word, bits.shift)).collect()
        };
        let own = bits(self);
        bits(other).iter().any(|place| own.contains(place))
    }

    /// Two members change places.
    pub(super) fn exchange(&self, state: &mut [u64], a: usize, b: usize) {
        let mut order: Vec<usize> = (0..self.members).collect();
        order.swap(a, b);
        self.write(state, &order);
    }

    /// The rows of some members only.
    fn of(&self, members: &[usize]) -> Self {
        let columns =
            self.columns.iter().map(|column| members.iter().map(|member| column[*member]).collect());
        let namings = self.namings.iter().map(|naming| {
            let place = |(member, name): (usize, usize)| {
                members.iter().position(|one| *one == member).map(|place| (place, name))
            };
            let codes = naming.codes.iter();
            Naming {
                bits: naming.bits,
                names: naming.names.iter().map(|named| named.and_then(place)).collect(),
                codes: codes.map(|codes| members.iter().map(|member| codes[*member]).collect()).collect(),
            }
        });
        Rows { members: members.len(), columns: columns.collect(), namings: namings.collect() }
    }

    /// How many words a row has.
    fn words(&self) -> usize {
        let bits =
            self.columns.iter().map(|column| column[0].width).chain(self.namings.iter().map(Naming::width));
        let mut used = 64;
        let mut words = 0;
        for bits in bits {
            if used + bits > 64 {
                (words, used) = (words + 1, 0);
            }
            used += bits;
        }
        words
    }

    /// The rows of a state, one after the other.
    fn read(&self, state: &[u64], rows: &mut Vec<u64>, words: usize) {
        rows.clear();
        rows.resize(words * self.members, 0);
        let (mut word, mut used) = (usize::MAX, 64);
        let mut place = |width: u32| {
            if used + width > 64 {
                (word, used) = (word.wrapping_add(1), 0);
            }
            used += width;
            (word, used - width)
        };
        for column in &self.columns {
            let (word, shift) = place(column[0].width);
            for (member, bits) in column.iter().enumerate() {
                rows[member * words + word] |= bits.read(state) << shift;
            }
        }
        for naming in &self.namings {
            let (word, shift) = place(naming.width());
            if let Some(Some((member, name))) = naming.names.get(naming.bits.read(state) as usize) {
                rows[member * words + word] |= (*name as u64 + 1) << shift;
            }
        }
    }

    /// Puts whom `order` names into the places, first to last.
    fn write(&self, state: &mut [u64], order: &[usize]) {
        let mut codes = vec![0; order.len()];
        for column in &self.columns {
            column.iter().zip(&mut codes).for_each(|(bits, code)| *code = bits.read(state));
            order.iter().zip(column).for_each(|(member, bits)| bits.write(state, codes[*member]));
        }
        for naming in &self.namings {
            if let Some(Some((member, name))) = naming.names.get(naming.bits.read(state) as usize)
                && let Some(place) = order.iter().position(|one| one == member)
            {
                naming.bits.write(state, naming.codes[*name][place]);
            }
        }
    }
}

impl Naming {
    fn width(&self) -> u32 {
        usize::BITS - self.codes.len().leading_zeros()
    }
}

/// Puts states in order, for some groups of members who may change places.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    blocks: Vec<(Rows, usize)>,
}

impl Order {
    /// Each group is of one family.
    pub(super) fn new<'r>(groups: impl Iterator<Item = (&'r Rows, Vec<usize>)>) -> Self {
        let blocks = groups.map(|(rows, members)| {
            let rows = rows.of(&members);
            let words = rows.words();
            (rows, words)
        });
        Order { blocks: blocks.collect() }
    }

    /// For what some agents see of states; all who change places must look alike to them.
    pub(crate) fn seen_by(&self, layout: &Layout, sight: &Sight) -> Self {
        let mask = sight.of(&vec![u64::MAX; layout.words()]);
        let seen = |bits: &Bits| (mask[bits.word] >> bits.shift) & bits.mask() == bits.mask();
        let blocks = self.blocks.iter().map(|(rows, _)| {
            let columns = rows.columns.iter().filter(|column| column.iter().all(seen)).cloned().collect();
            let namings = rows.namings.iter().filter(|naming| seen(&naming.bits)).cloned().collect();
            let rows = Rows { members: rows.members, columns, namings };
            let words = rows.words();
            (rows, words)
        });
        Order { blocks: blocks.collect() }
    }

    /// How many states come from this one by changing places.
    pub(super) fn orbit(&self, state: &[u64]) -> num_bigint::BigUint {
        let mut rows = Vec::new();
        let mut size = num_bigint::BigUint::from(1u32);
        for (block, words) in &self.blocks {
            block.read(state, &mut rows, *words);
            let mut all: Vec<&[u64]> = (0..block.members).map(|at| &rows[at * words..][..*words]).collect();
            all.sort_unstable();
            // n! / (a! b! ..), made of factors that stay whole.
            let mut same = 0u32;
            for (count, row) in all.iter().enumerate() {
                same = if count > 0 && all[count - 1] == *row { same + 1 } else { 1 };
                size = size * (count as u32 + 1) / same;
            }
        }
        size
    }
}

impl Canonical for Order {
    fn canonise(&self, state: &mut [u64]) {
        let mut rows = Vec::new();
        for (block, words) in &self.blocks {
            block.read(state, &mut rows, *words);
            let row = |at: usize| &rows[at * words..][..*words];
            if (1..block.members).all(|at| row(at - 1) <= row(at)) {
                continue;
            }
            let mut order: Vec<usize> = (0..block.members).collect();
            order.sort_by(|a, b| row(*a).cmp(row(*b)));
            block.write(state, &order);
        }
    }
}

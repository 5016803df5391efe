//! Conjunctions in the order in which they are multiplied, with early quantification: what is conjoined is quantified as soon as no
//! later conjunct mentions it.

use oxidd::VarNo;
use rustc_hash::{FxHashMap, FxHashSet};
use servanda_engine::Halt;

use crate::diagrams::{Bdd, Operations};
use crate::encoding::Encoding;

/// Conjuncts are merged as long as they stay below this many nodes.
const CLUSTER_NODES: usize = 1_000;

/// A conjunct with the variables it may mention.
#[derive(Clone)]
pub(crate) struct Conjunct {
    pub(crate) set: Bdd,
    pub(crate) support: FxHashSet<VarNo>,
}

impl Conjunct {
    /// A conjunct whose variables are read off its diagram.
    pub(crate) fn new(encoding: &Encoding<'_>, set: Bdd) -> Self {
        let support = encoding.diagrams.support(&set);
        Conjunct { set, support }
    }
}

/// Conjuncts in the order in which they are multiplied, each with what can be quantified then.
pub(crate) struct Schedule(pub(crate) Vec<(Bdd, Bdd)>);

impl Schedule {
    /// Orders conjuncts greedily: next comes the one after which most can be quantified for what it brings in.
    pub(crate) fn new(
        encoding: &Encoding<'_>,
        conjuncts: &[Conjunct],
        quantified: &FxHashSet<VarNo>,
    ) -> Result<Schedule, Halt> {
        let mut waiting: Vec<&Conjunct> = conjuncts.iter().collect();
        let mut left: FxHashSet<VarNo> = quantified.clone();
        let mut steps = Vec::new();
        let mut uses: FxHashMap<VarNo, usize> = FxHashMap::default();
        for conjunct in conjuncts {
            for variable in conjunct.support.iter().filter(|v| quantified.contains(v)) {
                *uses.entry(*variable).or_default() += 1;
            }
        }
        let mut seen: FxHashSet<VarNo> = FxHashSet::default();
        while !waiting.is_empty() {
            let score = |conjunct: &Conjunct| {
                let freed = conjunct.support.iter().filter(|v| uses.get(v) == Some(&1)).count() as i64;
                let brought = conjunct.support.iter().filter(|v| !seen.contains(v)).count() as i64;
                2 * freed - brought
            };
            let best =
                (0..waiting.len()).max_by_key(|index| (score(waiting[*index]), std::cmp::Reverse(*index)));
            let conjunct = waiting.remove(best.unwrap_or(0));
            for variable in &conjunct.support {
                seen.insert(*variable);
                if let Some(count) = uses.get_mut(variable) {
                    *count -= 1;
                }
            }
            let free: Vec<VarNo> =
                left.iter().copied().filter(|v| uses.get(v).is_none_or(|n| *n == 0)).collect();
            for variable in &free {
                left.remove(variable);
            }
            steps.push((conjunct.set.clone(), encoding.diagrams.cube(free)?));
        }
        if steps.is_empty() {
            steps.push((encoding.diagrams.truth(), encoding.diagrams.cube(left)?));
        }
        Ok(Schedule(steps))
    }

    pub(crate) fn run(&self, set: &Bdd) -> Result<Bdd, Halt> {
        let mut result = set.clone();
        for (conjunct, cube) in &self.0 {
            result = result.both_some(conjunct, cube)?;
            if result.is_false() {
                break;
            }
        }
        Ok(result)
    }
}

/// Merges neighbours while they stay small.
pub(crate) fn clusters(encoding: &Encoding<'_>, conjuncts: Vec<Conjunct>) -> Result<Vec<Conjunct>, Halt> {
    let mut conjuncts = conjuncts;
    // Conjuncts about the same region of the order stand together.
    conjuncts.sort_by_key(|conjunct| conjunct.support.iter().min().copied());
    let mut merged: Vec<Conjunct> = Vec::new();
    for conjunct in conjuncts {
        if let Some(last) = merged.last_mut() {
            let both = last.set.both(&conjunct.set)?;
            if both.size() <= CLUSTER_NODES {
                *last = Conjunct::new(encoding, both);
                continue;
            }
        }
        merged.push(conjunct);
    }
    if merged.is_empty() {
        merged.push(Conjunct { set: encoding.diagrams.truth(), support: FxHashSet::default() });
    }
    Ok(merged)
}

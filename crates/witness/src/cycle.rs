//! The nearest and then shortest loop of a graph on which nothing is put off for ever.

use std::collections::VecDeque;
use std::convert::Infallible;

use rustc_hash::FxHashMap;
use servanda_graph::Demanding;
use servanda_tableau::Way;

/// A place with what was kept on the way to it.
type Kept = (usize, u64);

/// By place, where the walk came from.
type Parents = FxHashMap<Kept, (Kept, Way)>;

/// A graph by its edges; the places that were not expanded have none.
type Edges = [Vec<(usize, Way)>];

/// How many places to begin the loop at are compared.
const MOST_ENTRIES: usize = 32;

/// Where a loop must pass more places and put off more things than this allows, it is made piece by piece, and is perhaps not the
/// shortest.
const MOST_EXACT: usize = 1 << 20;

/// A nearest place on a good loop, and the ways round a shortest good loop from there, each with the place it leaves.
pub(crate) fn shortest_cycle(edges: &Edges, depths: &[usize]) -> Option<(usize, Vec<(usize, Way)>)> {
    let mut graph = Demanding::default();
    for ways in edges {
        // What was not expanded leads nowhere that is known; a step there does not count.
        let expanded = ways.iter().filter(|(to, _)| *to < edges.len());
        graph.steps.push(expanded.map(|(to, way)| (*to, way.kept)).collect());
        graph.demands.push(ways.first().map_or(u64::MAX, |(_, way)| way.demands));
    }
    let Ok(parts) = graph.fair_parts(usize::MAX, || Ok::<(), Infallible>(()));
    let mut component = vec![None; edges.len()];
    for (number, part) in parts.into_iter().enumerate() {
        part.into_iter().for_each(|place| component[place] = Some(number));
    }
    let good = |place: &usize| component[*place].is_some();
    let nearest = (0..edges.len()).filter(good).map(|place| depths[place]).min()?;
    let entries = (0..edges.len()).filter(good).filter(|place| depths[*place] == nearest);
    entries
        .take(MOST_ENTRIES)
        .filter_map(|entry| {
            let round = Round { edges, component: &component, entry };
            round.shortest().map(|cycle| (entry, cycle))
        })
        .min_by_key(|(_, cycle)| cycle.len())
}

/// The loops through one place of a component.
struct Round<'a> {
    edges: &'a Edges,
    /// By place, which part it is in where a loop through all of it is good.
    component: &'a [Option<usize>],
    entry: usize,
}

impl<'a> Round<'a> {
    fn from(&self, place: usize) -> impl Iterator<Item = &'a (usize, Way)> {
        let (component, own) = (self.component, self.component[self.entry]);
        self.edges[place].iter().filter(move |(to, _)| component.get(*to) == Some(&own))
    }

    /// The bits that some step of the component puts off and some place demands.
    fn needed(&self) -> (u64, usize) {
        let members = (0..self.edges.len()).filter(|p| self.component[*p] == self.component[self.entry]);
        let (put_off, demanded, count) = members.fold((0, 0, 0), |(put_off, demanded, count), place| {
            let (put_off, demanded) =
                self.from(place).fold((put_off, demanded), |(put_off, demanded), (_, way)| {
                    (put_off | !way.kept, demanded | way.demands)
                });
            (put_off, demanded, count + 1)
        });
        (put_off & demanded, count)
    }

    fn shortest(&self) -> Option<Vec<(usize, Way)>> {
        let (needed, members) = self.needed();
        if needed.count_ones() <= 12 && members << needed.count_ones() <= MOST_EXACT {
            let is_round = |place, bits: u64| place == self.entry && bits | !needed == u64::MAX;
            return self.walk(self.entry, is_round, needed);
        }
        let (mut here, mut bits, mut cycle) = (self.entry, 0, Vec::new());
        while bits | !needed != u64::MAX {
            // What was kept before is of no interest: else its combinations would be told apart.
            let more = self.walk(here, |_, found| found != 0, needed & !bits)?;
            bits |= more.iter().fold(0, |bits, (_, way)| bits | way.kept);
            here = self.target(more.last()?)?;
            cycle.extend(more);
        }
        if here != self.entry || cycle.is_empty() {
            cycle.extend(self.walk(here, |place, _| place == self.entry, 0)?);
        }
        Some(cycle)
    }

    fn target(&self, (from, way): &(usize, Way)) -> Option<usize> {
        self.edges[*from].iter().find(|(_, other)| other.target == way.target).map(|(to, _)| *to)
    }

    /// The shortest walk of at least one step to where `is_end` holds of the place and of what was kept on the way.
    fn walk(
        &self,
        start: usize,
        is_end: impl Fn(usize, u64) -> bool,
        needed: u64,
    ) -> Option<Vec<(usize, Way)>> {
        let mut parents = Parents::default();
        let mut queue = VecDeque::from([(start, 0)]);
        while let Some((place, bits)) = queue.pop_front() {
            for (to, way) in self.from(place) {
                let next = (*to, bits | (way.kept & needed));
                if parents.contains_key(&next) {
                    continue;
                }
                parents.insert(next, ((place, bits), *way));
                if is_end(next.0, next.1) {
                    return Some(walk_back(&parents, next, (start, 0)));
                }
                queue.push_back(next);
            }
        }
        None
    }
}

/// The ways from the start to the end. The start itself may have been entered again, so the walk back ends at the first
/// arrival there after at least one step.
fn walk_back(parents: &Parents, end: Kept, start: Kept) -> Vec<(usize, Way)> {
    let mut ways = Vec::new();
    let mut here = end;
    while let Some((before, way)) = parents.get(&here) {
        ways.push((before.0, *way));
        here = *before;
        if here == start {
            break;
        }
    }
    ways.reverse();
    ways
}

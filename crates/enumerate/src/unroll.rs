//! Runs unrolled level by level, with what each observer has seen on the way (docs/formulas.md section 5, perfect recall).
//!
//! A point of level `n` stands for the runs of `n` steps that end in one node and look the same to every observer. Observers that cannot
//! tell two points of a level had the same sight at every step. If a level has the same structure as an earlier one, up to
//! bisimulation, so have all that follow, and the unrolled graph leads back to it: then nothing lies beyond. Otherwise the last level
//! leads to the nodes as they were, of which it is not known what anybody remembers there.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use servanda_engine::{Budget, Progress};

use crate::Halt;
use crate::graph::Graph;

/// The unrolled graph.
pub(crate) struct Unrolled {
    pub(crate) graph: Graph,
    /// The node that each point was.
    pub(crate) was: Vec<usize>,
    /// For each observer the class of each point: points of one class are not told apart. Beyond the levels these are the points
    /// that look the same now.
    pub(crate) classes: Vec<Vec<u32>>,
    /// Does it lie beyond the levels?
    pub(crate) beyond: Vec<bool>,
}

/// A node, and the class of each observer.
type Point = (usize, Vec<u32>);

/// The points of a level, and for each point before they were joined the position of what it became.
type Joined = (Vec<Point>, Vec<usize>);

struct Unroller<'a> {
    old: &'a Graph,
    /// For each observer a number for what it sees in each node.
    seen: &'a [Vec<usize>],
    budget: &'a dyn Budget,
    /// The points so far, level by level, with their edges.
    points: Vec<Point>,
    edges: Vec<Vec<(u32, usize)>>,
    /// How many classes there are so far, of all observers.
    classes: u32,
    colours: FxHashMap<Vec<u32>, u32>,
    /// The levels by their colours, with where each colour is found.
    levels: FxHashMap<(usize, BTreeSet<u32>), FxHashMap<u32, usize>>,
}

/// Unrolls a graph for so many steps. `closes`: levels of the same structure are the same; this is right if no formula that is evaluated
/// on the result looks back.
pub(crate) fn unroll(
    old: &Graph,
    seen: &[Vec<usize>],
    (steps, closes): (u32, bool),
    budget: &dyn Budget,
) -> Result<Unrolled, Halt> {
    let mut unroller = Unroller {
        old,
        seen,
        budget,
        points: Vec::new(),
        edges: Vec::new(),
        classes: 0,
        colours: FxHashMap::default(),
        levels: FxHashMap::default(),
    };
    let mut numbers = FxHashMap::default();
    let first = old.initial.iter().map(|node| (*node, unroller.after(&[], *node, &mut numbers))).collect();
    unroller.enter(first, closes);
    let initial: Vec<usize> = (0..unroller.points.len()).collect();
    let mut start = 0;
    let mut closed = unroller.points.is_empty();
    for _ in 0..steps {
        if closed {
            break;
        }
        let end = unroller.points.len();
        closed = unroller.step(start..end, closes)?;
        start = end;
    }
    let levels = unroller.points.len();
    if !closed {
        unroller.go_beyond(start..levels)?;
    }
    let mut graph = Graph { first: vec![0], initial, ..Graph::default() };
    for ((node, _), edges) in unroller.points.iter().zip(unroller.edges) {
        graph.push(old.state[*node], old.on_run[*node], edges);
    }
    let of_observer =
        |observer: usize| unroller.points.iter().map(|(_, classes)| classes[observer]).collect();
    Ok(Unrolled {
        graph,
        was: unroller.points.iter().map(|(node, _)| *node).collect(),
        classes: (0..seen.len()).map(of_observer).collect(),
        beyond: (0..unroller.points.len()).map(|point| point >= levels).collect(),
    })
}

impl Unroller<'_> {
    /// The classes of a point at a node after those of the point before it.
    fn after(
        &mut self,
        before: &[u32],
        node: usize,
        numbers: &mut FxHashMap<(usize, Option<u32>, usize), u32>,
    ) -> Vec<u32> {
        let mut class = |observer: usize, seen: &Vec<usize>| {
            *numbers.entry((observer, before.get(observer).copied(), seen[node])).or_insert_with(|| {
                self.classes += 1;
                self.classes - 1
            })
        };
        self.seen.iter().enumerate().map(|(observer, seen)| class(observer, seen)).collect()
    }

    /// Adds the level that follows a level, or leads back to an earlier one and says so.
    fn step(&mut self, level: std::ops::Range<usize>, closes: bool) -> Result<bool, Halt> {
        let (mut numbers, mut positions) = (FxHashMap::default(), FxHashMap::default());
        let mut next: Vec<Point> = Vec::new();
        for here in level.clone() {
            Progress::nodes(self.points.len() + next.len(), 256, self.budget)?;
            let (node, before) = self.points[here].clone();
            for edge in self.old.edges(node) {
                let target = self.old.target[edge];
                let point = (target, self.after(&before, target, &mut numbers));
                let position = *positions.entry(point).or_insert_with_key(|point| {
                    next.push(point.clone());
                    next.len() - 1
                });
                // For now the position among the points of the next level.
                self.edges[here].push((self.old.label[edge], position));
            }
        }
        let (found, closed) = self.enter(next, closes);
        for here in level {
            let edges = &mut self.edges[here];
            edges.iter_mut().for_each(|(_, target)| *target = found[*target]);
            edges.sort_unstable();
            edges.dedup();
        }
        Ok(closed)
    }

    /// Enters the points of a level, or finds them in an earlier one; says where each is, and whether the level was there.
    fn enter(&mut self, level: Vec<Point>, closes: bool) -> (Vec<usize>, bool) {
        let start = self.points.len();
        if !closes {
            let found = (start..start + level.len()).collect();
            self.edges.resize(start + level.len(), Vec::new());
            self.points.extend(level);
            return (found, false);
        }
        let (rounds, colours, mates) = self.coloured(&level);
        let signature = (rounds, colours.iter().copied().collect::<BTreeSet<u32>>());
        if let Some(earlier) = self.levels.get(&signature) {
            return (colours.iter().map(|colour| earlier[colour]).collect(), true);
        }
        let (points, position) = self.joined(level, &colours, &mates);
        self.edges.resize(start + points.len(), Vec::new());
        self.points.extend(points);
        let found: Vec<usize> = position.into_iter().map(|at| start + at).collect();
        self.levels.insert(signature, colours.iter().copied().zip(found.iter().copied()).collect());
        (found, false)
    }

    /// Colours points until points of one colour are bisimilar: at first by their nodes, then also by the colours among which each observer
    /// is in doubt. Colours mean the same in all levels. With the number of rounds, and the last doubts of each point.
    fn coloured(&mut self, level: &[Point]) -> (usize, Vec<u32>, Vec<Vec<BTreeSet<u32>>>) {
        let mut colour_of = |key: Vec<u32>| {
            let fresh = self.colours.len() as u32;
            *self.colours.entry(key).or_insert(fresh)
        };
        let count = |colours: &[u32]| colours.iter().collect::<BTreeSet<_>>().len();
        let mut colours: Vec<u32> = level.iter().map(|(node, _)| colour_of(vec![*node as u32])).collect();
        for rounds in 1.. {
            let mut doubts: FxHashMap<u32, BTreeSet<u32>> = FxHashMap::default();
            for ((_, classes), colour) in level.iter().zip(&colours) {
                for class in classes {
                    doubts.entry(*class).or_default().insert(*colour);
                }
            }
            let mates: Vec<Vec<BTreeSet<u32>>> = level
                .iter()
                .map(|(_, classes)| classes.iter().map(|class| doubts[class].clone()).collect())
                .collect();
            let finer = colours.iter().zip(&mates).map(|(own, mates)| {
                let doubts = mates.iter().flat_map(|mates| mates.iter().copied().chain([u32::MAX]));
                colour_of([*own, u32::MAX].into_iter().chain(doubts).collect())
            });
            let finer: Vec<u32> = finer.collect();
            if count(&finer) == count(&colours) {
                return (rounds, finer, mates);
            }
            colours = finer;
        }
        (0, colours, Vec::new())
    }

    /// One point for each colour; a class is what an observer is in doubt about.
    fn joined(&mut self, level: Vec<Point>, colours: &[u32], mates: &[Vec<BTreeSet<u32>>]) -> Joined {
        let (mut joined, mut position) = (Vec::new(), Vec::new());
        let mut first: FxHashMap<u32, usize> = FxHashMap::default();
        let mut numbers: FxHashMap<(usize, &BTreeSet<u32>), u32> = FxHashMap::default();
        for (at, (node, _)) in level.into_iter().enumerate() {
            position.push(*first.entry(colours[at]).or_insert_with(|| {
                let classes = mates[at].iter().enumerate().map(|(observer, doubt)| {
                    *numbers.entry((observer, doubt)).or_insert_with(|| {
                        self.classes += 1;
                        self.classes - 1
                    })
                });
                joined.push((node, classes.collect()));
                joined.len() - 1
            }));
        }
        (joined, position)
    }

    /// From the last level on, the nodes as they were.
    fn go_beyond(&mut self, last: std::ops::Range<usize>) -> Result<(), Halt> {
        let mut numbers: FxHashMap<usize, usize> = FxHashMap::default();
        let mut sights = FxHashMap::default();
        let mut here = last.start;
        while here < self.points.len() {
            Progress::nodes(self.points.len(), 256, self.budget)?;
            for edge in self.old.edges(self.points[here].0) {
                let target = self.old.target[edge];
                let point = match numbers.get(&target) {
                    Some(point) => *point,
                    None => {
                        let classes = self.after(&[], target, &mut sights);
                        self.points.push((target, classes));
                        self.edges.push(Vec::new());
                        numbers.insert(target, self.points.len() - 1);
                        self.points.len() - 1
                    }
                };
                self.edges[here].push((self.old.label[edge], point));
            }
            here += 1;
        }
        Ok(())
    }
}

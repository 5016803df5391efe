//! Random processes, and what they mean to someone who rewrites terms as the rules of CCS say.
//!
//! Nothing here is shared with the crate under test: terms are trees, and transitions are found anew for every state.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use proptest::prelude::Rng;
use proptest::test_runner::{RngAlgorithm, TestRng};

/// Small random choices from one seed.
pub(crate) struct Dice(TestRng);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Dice(TestRng::from_seed(RngAlgorithm::ChaCha, &seed.to_le_bytes().repeat(4)))
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0.next_u32() as usize % limit
    }

    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Act {
    Tau,
    In(&'static str, &'static str),
    Out(&'static str, &'static str),
    Both(&'static str, &'static str),
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tree {
    Nil,
    Prefix(Act, Box<Tree>),
    Sum(Vec<Tree>),
    Par(Vec<Tree>),
    Restrict(Box<Tree>, BTreeSet<&'static str>),
    Relabel(Box<Tree>, BTreeMap<&'static str, &'static str>),
    Name(String),
}

/// Named definitions.
pub(crate) type Definitions = BTreeMap<String, Tree>;

const NAMES: [&str; 3] = ["a", "b", "c"];

/// `A` definitions may become parallel; `B` definitions never do, so what is made of them alone stays finite.
fn constant(dice: &mut Dice, kind: char) -> Tree {
    Tree::Name(format!("{kind}{}", dice.below(3)))
}

fn action(dice: &mut Dice) -> Act {
    let (name, content) = (*dice.pick(&NAMES), *dice.pick(&["", "", "x", "y"]));
    match dice.below(7) {
        0 => Act::Tau,
        1..=3 => Act::In(name, content),
        _ => Act::Out(name, content),
    }
}

/// A process that begins with actions, of constants of one kind.
fn guarded(dice: &mut Dice, kind: char, depth: usize) -> Tree {
    match dice.below(if depth == 0 { 3 } else { 8 }) {
        0 => Tree::Nil,
        1 | 2 => Tree::Prefix(action(dice), Box::new(constant(dice, kind))),
        3 | 4 => Tree::Prefix(action(dice), Box::new(guarded(dice, kind, depth - 1))),
        5 if kind == 'A' => Tree::Prefix(action(dice), Box::new(static_tree(dice, 'B', depth - 1))),
        6 if kind == 'A' && dice.chance(50) => static_tree(dice, 'B', depth - 1),
        _ => Tree::Sum((0..2 + dice.below(2)).map(|_| guarded(dice, kind, depth - 1)).collect()),
    }
}

/// Parallel compositions, restrictions and relabellings of such processes.
fn static_tree(dice: &mut Dice, kind: char, depth: usize) -> Tree {
    let inner = |dice: &mut Dice| match depth {
        0 if dice.chance(50) => constant(dice, kind),
        0 => guarded(dice, kind, 1),
        _ => static_tree(dice, kind, depth - 1),
    };
    match dice.below(5) {
        0 | 1 => Tree::Par((0..2 + dice.below(2)).map(|_| inner(dice)).collect()),
        2 => {
            let names = (0..1 + dice.below(2)).map(|_| *dice.pick(&NAMES)).collect();
            Tree::Restrict(Box::new(inner(dice)), names)
        }
        3 => {
            let pairs = (0..1 + dice.below(2)).map(|_| (*dice.pick(&NAMES), *dice.pick(&NAMES))).collect();
            Tree::Relabel(Box::new(inner(dice)), pairs)
        }
        _ => inner(dice),
    }
}

/// A file with a process `Main` and others that it may use.
pub(crate) fn definitions(dice: &mut Dice) -> Definitions {
    let mut all = Definitions::new();
    for kind in ['A', 'B'] {
        for number in 0..3 {
            all.insert(format!("{kind}{number}"), guarded(dice, kind, 2));
        }
    }
    let depth = dice.below(3);
    all.insert("Main".to_owned(), static_tree(dice, 'A', depth));
    all
}

fn port(name: &str, content: &str) -> String {
    if content.is_empty() { name.to_owned() } else { format!("{name}({content})") }
}

impl Act {
    pub(crate) fn show(&self) -> String {
        match self {
            Act::Tau => "tau".to_owned(),
            Act::In(name, content) => port(name, content),
            Act::Out(name, content) => format!("'{}", port(name, content)),
            Act::Both(name, content) => format!("tau<{}>", port(name, content)),
        }
    }

    fn open_name(&self) -> Option<&'static str> {
        match self {
            Act::In(name, _) | Act::Out(name, _) => Some(name),
            Act::Tau | Act::Both(..) => None,
        }
    }
}

impl Tree {
    /// How tightly the outermost operator binds.
    fn level(&self) -> usize {
        match self {
            Tree::Sum(_) => 0,
            Tree::Par(_) => 1,
            Tree::Prefix(..) => 2,
            Tree::Restrict(..) | Tree::Relabel(..) | Tree::Nil | Tree::Name(_) => 3,
        }
    }

    /// The tree as text, in parentheses where the context binds more tightly.
    fn write(&self, least: usize) -> String {
        let operands = |parts: &[Tree], between: &str, least| {
            parts.iter().map(|part| part.write(least)).collect::<Vec<_>>().join(between)
        };
        let text = match self {
            Tree::Nil => "nil".to_owned(),
            Tree::Name(name) => name.clone(),
            Tree::Prefix(action, next) => format!("{}.{}", action.show(), next.write(2)),
            Tree::Sum(parts) => operands(parts, " + ", 1),
            Tree::Par(parts) => operands(parts, " | ", 2),
            Tree::Restrict(inner, names) => {
                let names: Vec<&str> = names.iter().copied().collect();
                format!("{} \\ {{{}}}", inner.write(3), names.join(", "))
            }
            Tree::Relabel(inner, pairs) => {
                let pairs: Vec<String> = pairs.iter().map(|(old, new)| format!("{new}/{old}")).collect();
                format!("{}[{}]", inner.write(3), pairs.join(", "))
            }
        };
        if self.level() < least { format!("({text})") } else { text }
    }
}

/// The definitions as a file.
pub(crate) fn text(definitions: &Definitions) -> String {
    definitions.iter().map(|(name, tree)| format!("proc {name} = {}\n", tree.write(0))).collect()
}

/// The state that a process is: constants for something static are replaced.
fn state(definitions: &Definitions, tree: &Tree) -> Tree {
    match tree {
        Tree::Nil | Tree::Prefix(..) | Tree::Sum(_) => tree.clone(),
        Tree::Name(name) => match state(definitions, &definitions[name]) {
            unfolded @ (Tree::Par(_) | Tree::Restrict(..) | Tree::Relabel(..)) => unfolded,
            _ => tree.clone(),
        },
        Tree::Par(parts) => Tree::Par(parts.iter().map(|part| state(definitions, part)).collect()),
        Tree::Restrict(inner, names) => Tree::Restrict(Box::new(state(definitions, inner)), names.clone()),
        Tree::Relabel(inner, pairs) => Tree::Relabel(Box::new(state(definitions, inner)), pairs.clone()),
    }
}

/// The transitions of a process, rule by rule.
fn steps(definitions: &Definitions, tree: &Tree) -> BTreeSet<(Act, Tree)> {
    match tree {
        Tree::Nil => BTreeSet::new(),
        Tree::Prefix(action, next) => BTreeSet::from([(action.clone(), state(definitions, next))]),
        Tree::Sum(parts) => parts.iter().flat_map(|part| steps(definitions, part)).collect(),
        Tree::Name(name) => steps(definitions, &definitions[name]),
        Tree::Restrict(inner, names) => steps(definitions, inner)
            .into_iter()
            .filter(|(action, _)| action.open_name().is_none_or(|name| !names.contains(name)))
            .map(|(action, next)| (action, Tree::Restrict(Box::new(next), names.clone())))
            .collect(),
        Tree::Relabel(inner, pairs) => {
            let new = |name: &'static str| pairs.get(name).copied().unwrap_or(name);
            let renamed = |action| match action {
                Act::In(name, content) => Act::In(new(name), content),
                Act::Out(name, content) => Act::Out(new(name), content),
                other => other,
            };
            steps(definitions, inner)
                .into_iter()
                .map(|(action, next)| (renamed(action), Tree::Relabel(Box::new(next), pairs.clone())))
                .collect()
        }
        Tree::Par(parts) => {
            let moves: Vec<_> = parts.iter().map(|part| steps(definitions, part)).collect();
            let mut all = BTreeSet::new();
            for (i, own) in moves.iter().enumerate() {
                for (action, next) in own {
                    let mut parts: Vec<Tree> = parts.iter().map(|part| state(definitions, part)).collect();
                    parts[i] = next.clone();
                    all.insert((action.clone(), Tree::Par(parts.clone())));
                    for (j, others) in moves.iter().enumerate().filter(|(j, _)| *j != i) {
                        for (other, other_next) in others {
                            if let (Act::Out(sent, content), Act::In(received, _)) = (action, other)
                                && sent == received
                            {
                                let mut parts = parts.clone();
                                parts[j] = other_next.clone();
                                all.insert((Act::Both(sent, content), Tree::Par(parts)));
                            }
                        }
                    }
                }
            }
            all
        }
    }
}

/// What can be counted of a process.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Census {
    pub(crate) states: usize,
    pub(crate) deadlocks: usize,
    /// How many transitions carry each label.
    pub(crate) labels: BTreeMap<String, usize>,
}

/// Counts, unless there are more states than `most`.
pub(crate) fn census(definitions: &Definitions, main: &str, most: usize) -> Option<Census> {
    let start = state(definitions, &Tree::Name(main.to_owned()));
    let mut seen = BTreeSet::from([start.clone()]);
    let mut open = VecDeque::from([start]);
    let mut census = Census { states: 0, deadlocks: 0, labels: BTreeMap::new() };
    while let Some(tree) = open.pop_front() {
        census.states += 1;
        let found = steps(definitions, &tree);
        census.deadlocks += usize::from(found.is_empty());
        for (action, next) in found {
            *census.labels.entry(action.show()).or_default() += 1;
            if seen.insert(next.clone()) {
                open.push_back(next);
            }
        }
        if seen.len() > most {
            return None;
        }
    }
    Some(census)
}

//! The product of the points of runs with the automaton of a formula, and what can be said of its nodes: one bit says whether some run
//! that counts goes on from there and meets all obligations.

use rustc_hash::FxHashMap;
use servanda_engine::{Budget, Halt};
use servanda_graph::Demanding;

use super::rules::{Move, Rules, asked};
use super::steps::Steps;
use super::watch::{FAIR_FALSE, FAIR_TRUE, Flags, REST_FALSE, REST_TRUE, SOME_FALSE, SOME_TRUE, Watch};

/// The most nodes of a product.
const MOST_NODES: usize = 1 << 23;

/// What a node of a product stands for beside its point and its obligations.
pub(super) type Phase = u8;

/// A node: a point, a state of the automaton, a phase.
pub(super) type Node = (u32, u32, Phase);

/// How a kind of product moves.
pub(super) trait Motion {
    /// The nodes that runs begin in.
    fn begin(&mut self, rules: &mut Rules<'_>, point: u32) -> Vec<Node>;

    /// What a move of the automaton from a node leads to.
    fn after(&mut self, rules: &mut Rules<'_>, from: Node, step: Move) -> Vec<Node>;

    /// Which side a phase is on: of the runs that satisfy the formula, or of the others; and what else can be said of it where it is on
    /// a run.
    fn said(&self, phase: Phase) -> (Option<bool>, Flags);

    /// What stands for a node once all that is followed is on the side of the others.
    fn settled(&mut self, _: &mut Rules<'_>, _: Node) -> Option<Node> {
        None
    }
}

/// A property of runs: the side is chosen at the beginning.
pub(super) struct OfRun;

const HOLDS: Phase = 0;
const FAILS: Phase = 1;

impl Motion for OfRun {
    fn begin(&mut self, rules: &mut Rules<'_>, point: u32) -> Vec<Node> {
        let nothing = rules.nothing();
        let side = |rules: &mut Rules<'_>, holds| rules.demanding(nothing, holds);
        vec![(point, side(rules, true), HOLDS), (point, side(rules, false), FAILS)]
    }

    fn after(&mut self, _: &mut Rules<'_>, (_, _, phase): Node, step: Move) -> Vec<Node> {
        vec![(step.point, step.state, phase)]
    }

    fn said(&self, phase: Phase) -> (Option<bool>, Flags) {
        (Some(phase == HOLDS), 0)
    }
}

/// Nodes by number.
#[derive(Default)]
struct Nodes {
    numbers: FxHashMap<Node, u32>,
    all: Vec<Node>,
}

impl Nodes {
    fn number(&mut self, node: Node) -> Result<u32, Halt> {
        if let Some(&known) = self.numbers.get(&node) {
            return Ok(known);
        }
        if self.all.len() == MOST_NODES {
            let reason = format!("the product of the model with a formula has more than {MOST_NODES} nodes");
            return Err(Halt::TooLarge(reason));
        }
        let number = self.all.len() as u32;
        self.numbers.insert(node, number);
        self.all.push(node);
        Ok(number)
    }
}

/// Makes the product and what can be said of its nodes.
pub(super) fn follow(
    rules: &mut Rules<'_>,
    motion: &mut impl Motion,
    budget: &dyn Budget,
) -> Result<Watch, Halt> {
    let mut nodes = Nodes::default();
    let mut initial = Vec::new();
    for point in rules.points.initial() {
        for node in motion.begin(rules, *point as u32) {
            initial.push(nodes.number(node)?);
        }
    }
    let (mut steps, mut moves): (Vec<Vec<(u32, u32)>>, Vec<Move>) = (Vec::new(), Vec::new());
    let mut settled = Vec::new();
    while let Some(&node) = nodes.all.get(steps.len()) {
        asked(steps.len(), budget)?;
        rules.moves(node.0, node.1, &mut moves)?;
        let mut real = Vec::new();
        for step in &moves {
            // No line tells of the implicit loop of a deadlock.
            let Some(label) = step.label else { continue };
            for after in motion.after(rules, node, *step) {
                real.push((label, nodes.number(after)?));
            }
        }
        steps.push(real);
        let twin = motion.settled(rules, node);
        settled.push(twin.map(|twin| nodes.number(twin)).transpose()?);
    }
    let live = live(rules, &nodes.all, budget)?;
    let mut flags = Vec::with_capacity(nodes.all.len());
    for (number, node) in nodes.all.iter().enumerate() {
        asked(number, budget)?;
        flags.push(said(rules, motion, *node, live[number])?);
    }
    Ok(pruned(&steps, &flags, &settled, &initial))
}

fn said(rules: &mut Rules<'_>, motion: &impl Motion, node: Node, live: bool) -> Result<Flags, Halt> {
    let (point, state, phase) = node;
    let (side, beside) = motion.said(phase);
    let rests = rules.rests(point, state)?;
    let mut flags = if live || rests { beside } else { 0 };
    if let Some(side) = side {
        let pick = |on: Flags, off: Flags| if side { on } else { off };
        if live {
            flags |= pick(SOME_TRUE, SOME_FALSE);
        }
        if rests {
            flags |= pick(REST_TRUE, REST_FALSE);
        }
        if rests && rules.rests_fairly(point) {
            flags |= pick(FAIR_TRUE, FAIR_FALSE);
        }
    }
    Ok(flags)
}

/// From which nodes does a run that counts go on that meets the obligations there? Phases do not matter: what comes later adds
/// obligations, but not to those that are judged now.
fn live(rules: &mut Rules<'_>, nodes: &[Node], budget: &dyn Budget) -> Result<Vec<bool>, Halt> {
    let mut pairs = Nodes::default();
    let mut own = Vec::with_capacity(nodes.len());
    for (point, state, _) in nodes {
        own.push(pairs.number((*point, *state, 0))?);
    }
    let (mut graph, mut moves) = (Demanding::default(), Vec::new());
    let mut before: Vec<Vec<u32>> = Vec::new();
    while let Some(&(point, state, _)) = pairs.all.get(graph.steps.len()) {
        asked(graph.steps.len(), budget)?;
        rules.moves(point, state, &mut moves)?;
        let mut steps = Vec::with_capacity(moves.len());
        for step in &moves {
            let target = pairs.number((step.point, step.state, 0))?;
            steps.push((target as usize, step.kept));
        }
        before.resize_with(pairs.all.len(), Vec::new);
        let here = graph.steps.len() as u32;
        steps.iter().for_each(|(target, _)| before[*target].push(here));
        graph.steps.push(steps);
        graph.demands.push(rules.demands(point));
    }
    let mut count = 0;
    let parts = graph.fair_parts(usize::MAX, || {
        count += 1;
        asked(count, budget)
    })?;
    let live = leading_to(&before, parts.into_iter().flatten());
    Ok(own.into_iter().map(|pair| live[pair as usize]).collect())
}

/// The nodes from which some of these can be reached.
fn leading_to(before: &[Vec<u32>], goals: impl Iterator<Item = usize>) -> Vec<bool> {
    let mut leads = vec![false; before.len()];
    let mut todo: Vec<usize> = goals.collect();
    todo.iter().for_each(|goal| leads[*goal] = true);
    while let Some(node) = todo.pop() {
        for &earlier in &before[node] {
            if !std::mem::replace(&mut leads[earlier as usize], true) {
                todo.push(earlier as usize);
            }
        }
    }
    leads
}

/// The product without the nodes of which nothing can be said, now or later.
fn pruned(steps: &[Vec<(u32, u32)>], flags: &[Flags], settled: &[Option<u32>], initial: &[u32]) -> Watch {
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); steps.len()];
    for (node, steps) in (0..).zip(steps) {
        steps.iter().for_each(|(_, target)| before[*target as usize].push(node));
    }
    let keep = leading_to(&before, (0..flags.len()).filter(|node| flags[*node] != 0));
    let mut fresh = 0;
    let mut number = |keep: &bool| {
        fresh += u32::from(*keep);
        keep.then(|| fresh - 1)
    };
    let numbers: Vec<Option<u32>> = keep.iter().map(&mut number).collect();
    let (mut kept, mut said, mut twins) = (Steps::default(), Vec::new(), Vec::new());
    for node in (0..steps.len()).filter(|node| keep[*node]) {
        let real = steps[node].iter();
        kept.push(real.filter_map(|(label, target)| Some((*label, numbers[*target as usize]?))));
        said.push(flags[node]);
        twins.push(settled[node].and_then(|twin| numbers[twin as usize]));
    }
    let initial = initial.iter().filter_map(|node| numbers[*node as usize]).collect();
    let watch = Watch::new(kept, said, initial);
    if twins.iter().any(Option::is_some) { watch.settling(twins) } else { watch }
}

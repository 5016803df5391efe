//! How long equivalences take on large systems.
//!
//! `cargo run --release -p servanda-equiv --example random_systems [STATES]`
//!
//! The systems are made up: a random one, where nearly all states differ; one made of many copies of a small one,
//! shuffled, where nearly all are alike; and a long chain, where every round of refinement splits off one state. Preorders take smaller
//! ones, each against itself with one transition less.

#![allow(clippy::print_stdout)]

use std::time::Instant;

use servanda_engine::NoLimits;
use servanda_equiv::{Preorder, Relation, compare, minimise};
use servanda_lts::{Action, Labels, Lts, State};

/// Xorshift: good enough, and the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (((self.0 >> 32) * u64::from(bound)) >> 32) as u32
    }
}

fn labels(count: u32) -> Labels {
    let mut labels = Labels::new();
    for number in 0..count {
        labels.number(&format!("a{number}"));
    }
    labels
}

/// Five transitions for each state, every fifth of them internal.
fn random(states: u32, random: &mut Random) -> Lts {
    let mut transitions = Vec::new();
    for state in 0..states {
        // So that all states can be reached.
        transitions.push((State(state), Action(1), State((state + 1) % states)));
        for _ in 0..4 {
            transitions.push((State(state), Action(random.below(5)), State(random.below(states))));
        }
    }
    Lts::new(states as usize, State(0), transitions, labels(4))
}

/// The transitions of a small random system, between copies of its states: these are all alike.
fn copies(states: u32, random: &mut Random) -> Lts {
    const SMALL: u32 = 1000;
    let small = self::random(SMALL, random);
    let copies = states / SMALL;
    let mut transitions = Vec::new();
    for copy in 0..copies {
        for state in small.all_states() {
            for edge in small.edges(state) {
                let target = edge.target.0 + SMALL * random.below(copies);
                transitions.push((State(state.0 + SMALL * copy), edge.action, State(target)));
            }
        }
    }
    Lts::new((copies * SMALL) as usize, State(0), transitions, labels(4))
}

fn chain(states: u32, every_internal: u32) -> Lts {
    let label = |at: u32| if at.is_multiple_of(every_internal) { Action::INTERNAL } else { Action(1) };
    let transitions = (0..states - 1).map(|at| (State(at), label(at), State(at + 1))).collect();
    Lts::new(states as usize, State(0), transitions, labels(1))
}

fn main() {
    let states = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(200_000).max(1000);
    let mut numbers = Random(0x2545_F491_4F6C_DD1D);
    let systems = [
        ("random", random(states, &mut numbers)),
        ("copies", copies(states, &mut numbers)),
        ("chain", chain(states * 5, 5)),
    ];
    println!(
        "| system | states | transitions | relation | smallest | minimise | compare with the smallest |"
    );
    println!("|---|---|---|---|---|---|---|");
    for (name, lts) in &systems {
        for relation in [Relation::Strong, Relation::Branching] {
            let start = Instant::now();
            let small = minimise(lts, relation, &NoLimits).expect("no limits");
            let minimised = start.elapsed().as_secs_f64();
            let start = Instant::now();
            let answer = compare(lts, &small, relation, &NoLimits).expect("no limits");
            assert!(answer.is_none(), "the smallest system is equivalent");
            let compared = start.elapsed().as_secs_f64();
            println!(
                "| {name} | {} | {} | {} | {} | {minimised:.2} s | {compared:.2} s |",
                lts.states(),
                lts.transitions(),
                relation.word(),
                small.states()
            );
        }
    }
    let states = (states / 100).max(1000);
    let systems = [
        ("random", random(states, &mut numbers)),
        ("copies", copies(states * 5, &mut numbers)),
        ("chain", chain(states, 5)),
    ];
    println!("\n| system | states | transitions | relation | it is so | compare with less | less with it |");
    println!("|---|---|---|---|---|---|---|");
    for (name, lts) in &systems {
        let less = without_one(lts);
        for preorder in Preorder::ALL {
            let timed = |left, right| {
                let start = Instant::now();
                let answer = compare(left, right, preorder, &NoLimits).expect("no limits");
                (answer.is_none(), start.elapsed().as_secs_f64())
            };
            let ((one, there), (other, back)) = (timed(lts, &less), timed(&less, lts));
            println!(
                "| {name} | {} | {} | {} | {one}, {other} | {there:.2} s | {back:.2} s |",
                lts.states(),
                lts.transitions(),
                preorder.word()
            );
        }
    }
}

/// The system without the last transition of the state in the middle.
fn without_one(lts: &Lts) -> Lts {
    let middle = State::from_index(lts.states() / 2);
    let kept = |state| lts.edges(state).len() - usize::from(state == middle);
    let rows = lts.all_states().map(|state| lts.edges(state)[..kept(state)].iter().copied());
    Lts::from_rows(lts.initial(), rows, lts.labels().clone())
}

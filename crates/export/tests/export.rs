//! What is written for other solvers means the same: a tiny interpreter of AIGER finds the verdicts of the reference engine.

use std::collections::{BTreeMap, BTreeSet};

use servanda_engine::{NoLimits, Options, Validity};
use servanda_export::{Subject, TARGETS};
use servanda_model::Property;
use servanda_pact::Protocol;
use servanda_testkit::{Decider, Reference};

const LOOPS: &str = "
protocol Loops
roles Ann
var x : 0..2 = {0, 1}

start s
s -- Ann: add when x < 2 set x = x + 1 --> s
s -- Ann: drop when x = 1 set x = 0 --> t
t -- Ann: stay --> t

property never_two     = AG x < 2
property two_stays_s   = AG (x = 2 -> in s)
property two_sometime  = AF x = 2
property settles       = A F G (in t | x = 2)
property comes_back    = A G F in s
property after_add     = AG (does(add) -> X x > 0)
";

/// A text in the ASCII form, evaluated by trying everything.
struct Circuit {
    inputs: Vec<usize>,
    latches: Vec<(usize, usize, usize)>,
    bad: Vec<usize>,
    constraints: Vec<usize>,
    justice: Vec<Vec<usize>>,
    gates: Vec<(usize, usize, usize)>,
    names: BTreeMap<String, String>,
}

impl Circuit {
    fn new(text: &str) -> Circuit {
        let mut lines = text.lines();
        let numbers = |line: Option<&str>| -> Vec<usize> {
            line.unwrap_or_default().split(' ').filter_map(|word| word.parse().ok()).collect()
        };
        let header = numbers(lines.next());
        let [_, inputs, latches, outputs, gates, bad, constraints, justice, fairness] = header[..] else {
            panic!("a header of nine numbers, not {header:?}")
        };
        assert_eq!((outputs, fairness), (0, 0));
        let mut one = |count: usize| -> Vec<usize> { (0..count).map(|_| numbers(lines.next())[0]).collect() };
        let inputs = one(inputs);
        let latches = (0..latches).map(|_| numbers(lines.next())).map(|n| (n[0], n[1], n[2])).collect();
        let mut one = |count: usize| -> Vec<usize> { (0..count).map(|_| numbers(lines.next())[0]).collect() };
        let (bad, constraints) = (one(bad), one(constraints));
        let sizes = one(justice);
        let justice = sizes.into_iter().map(&mut one).collect();
        let gates = (0..gates).map(|_| numbers(lines.next())).map(|n| (n[0], n[1], n[2])).collect();
        let names = lines.take_while(|line| *line != "c").filter_map(|line| line.split_once(' '));
        let names = names.map(|(place, name)| (name.to_owned(), place.to_owned())).collect();
        Circuit { inputs, latches, bad, constraints, justice, gates, names }
    }

    /// The values of all literals for a state and inputs, if these are a step.
    fn values(&self, state: usize, inputs: usize) -> Option<BTreeMap<usize, bool>> {
        let mut values = BTreeMap::from([(0, false), (1, true)]);
        let set = |values: &mut BTreeMap<usize, bool>, literal: usize, value: bool| {
            values.insert(literal, value);
            values.insert(literal ^ 1, !value);
        };
        for (at, (literal, ..)) in self.latches.iter().enumerate() {
            set(&mut values, *literal, state >> at & 1 == 1);
        }
        for (at, literal) in self.inputs.iter().enumerate() {
            set(&mut values, *literal, inputs >> at & 1 == 1);
        }
        for (gate, a, b) in &self.gates {
            let value = values[a] && values[b];
            set(&mut values, *gate, value);
        }
        self.constraints.iter().all(|literal| values[literal]).then_some(values)
    }

    fn next(&self, values: &BTreeMap<usize, bool>) -> usize {
        self.latches.iter().enumerate().map(|(at, (_, next, _))| usize::from(values[next]) << at).sum()
    }

    fn starts(&self, state: usize) -> bool {
        let fits = |(at, (literal, _, reset)): (usize, &(usize, usize, usize))| {
            reset == literal || *reset == state >> at & 1
        };
        self.latches.iter().enumerate().all(fits)
    }

    /// Is the property of a name refuted? `None` if it is not there.
    fn refuted(&self, name: &str) -> Option<bool> {
        let place = self.names.get(name)?;
        let number: usize = place[1..].parse().ok()?;
        // A node is a state with inputs that are a step.
        let mut steps: BTreeMap<usize, Vec<BTreeMap<usize, bool>>> = BTreeMap::new();
        let mut todo: Vec<usize> = (0..1 << self.latches.len()).filter(|state| self.starts(*state)).collect();
        let mut seen: BTreeSet<usize> = todo.iter().copied().collect();
        while let Some(state) = todo.pop() {
            let made: Vec<_> =
                (0..1 << self.inputs.len()).filter_map(|inputs| self.values(state, inputs)).collect();
            todo.extend(made.iter().map(|values| self.next(values)).filter(|next| seen.insert(*next)));
            steps.insert(state, made);
        }
        if place.starts_with('b') {
            let bad = self.bad[number];
            return Some(steps.values().flatten().any(|values| values[&bad]));
        }
        let mut alive = seen;
        loop {
            let before = alive.clone();
            for literal in &self.justice[number] {
                // The states that can go on to a step that meets the condition and stays alive.
                let into =
                    |values: &BTreeMap<usize, bool>, set: &BTreeSet<usize>| set.contains(&self.next(values));
                let mut meets: BTreeSet<usize> = BTreeSet::new();
                loop {
                    let more: BTreeSet<usize> = alive
                        .iter()
                        .filter(|state| {
                            steps[state]
                                .iter()
                                .any(|values| values[literal] && into(values, &alive) || into(values, &meets))
                        })
                        .copied()
                        .collect();
                    if more == meets {
                        break;
                    }
                    meets = more;
                }
                alive = meets;
            }
            if alive == before {
                return Some(alive.iter().any(|_| true));
            }
        }
    }
}

fn written(protocol: &Protocol, properties: &[Property], target: &str) -> String {
    let target = TARGETS.iter().find(|known| known.name == target).expect("a target");
    let subject = Subject {
        model: &protocol.model,
        properties,
        validity: Validity::Initial,
        system: &|| panic!("circuits need no transition system"),
        budget: &NoLimits,
    };
    (target.write)(&subject).expect("it fits")
}

#[test]
fn aiger_means_the_same() {
    let protocol = servanda_testkit::load(LOOPS);
    let expected = Reference.verdicts(&protocol.model, &protocol.properties, Options::default());
    for (property, expected) in protocol.properties.iter().zip(expected) {
        let text = written(&protocol, std::slice::from_ref(property), "aiger");
        let refuted = Circuit::new(&text).refuted(&property.name);
        assert_eq!(refuted.map(|refuted| !refuted), expected, "{}\n{text}", property.name);
    }
}

#[test]
fn smv_has_a_line_for_every_property() {
    let protocol = servanda_testkit::load(LOOPS);
    let text = written(&protocol, &protocol.properties, "smv");
    let lines = |word: &str| text.lines().filter(|line| line.starts_with(word)).count();
    assert_eq!(lines("INVARSPEC"), 2);
    assert_eq!(lines("CTLSPEC"), 1);
    assert_eq!(lines("LTLSPEC"), 2);
    assert!(text.contains("-- after_add is not written: actions"), "{text}");
}

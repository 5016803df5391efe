//! With the reduction and without it, and by the reference engine, on random models of several processes: no difference. Without one of
//! its conditions: differences.

use std::collections::BTreeSet;

use servanda_engine::{Engine as _, NoLimits, Options, Verdict};
use servanda_enumerate::Explored;
use servanda_logic::{Formula, parse_formula};
use servanda_lower::CoreFormula as _;
use servanda_model::{Command, Domain, Expr, Label, LabelId, Model, Variable, VariableId, Visibility};
use servanda_space::Space;
use servanda_testkit::random::Dice;

use super::*;
use crate::Tableau;

/// So many random models; more where the environment asks for more.
fn cases() -> u64 {
    servanda_testkit::Trials::from_environment(4000).cases.into()
}

const LABELS: usize = 5;

/// Some processes with control states of their own, and variables that they share.
struct Random {
    dice: Dice,
    model: Model,
    processes: Vec<VariableId>,
    shared: Vec<VariableId>,
    /// How often, of a hundred times, a command reads and writes what is shared.
    coupling: usize,
}

impl Random {
    fn new(seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let mut model = Model::new("Random");
        let mut add = |name: String, high: usize, initial: Vec<i64>| {
            let domain = Domain::Range { low: 0, high: high as i64 };
            model.add_variable(Variable::new(name, domain, initial, Visibility::Public))
        };
        let count = 2 + dice.below(3);
        let processes: Vec<VariableId> = (0..count).map(|n| add(format!("p{n}"), 2, vec![0])).collect();
        let shared = (0..1 + dice.below(3)).map(|n| {
            let initial = if dice.chance(20) { vec![0, 1] } else { vec![0] };
            add(format!("v{n}"), 2, initial)
        });
        let shared: Vec<VariableId> = shared.collect();
        for label in 0..LABELS {
            model.add_label(Label::message(format!("m{label}"), None));
        }
        let coupling = [8, 20, 40][dice.below(3)];
        let mut random = Random { dice, model, processes, shared, coupling };
        for process in random.processes.clone() {
            for _ in 0..2 + random.dice.below(4) {
                let command = random.command(process);
                random.model.add_command(command);
            }
        }
        random
    }

    fn value(&mut self) -> Expr {
        Expr::Constant(self.dice.below(3) as i64)
    }

    fn one_of(&mut self, variables: &[VariableId]) -> VariableId {
        variables[self.dice.below(variables.len())]
    }

    /// A condition on one variable.
    fn condition(&mut self, variable: VariableId) -> Expr {
        let value = self.value();
        match self.dice.below(4) {
            0 => Expr::variable(variable).less_than(value),
            1 => Expr::variable(variable).equals(value).negate(),
            _ => Expr::variable(variable).equals(value),
        }
    }

    fn command(&mut self, process: VariableId) -> Command {
        let label = LabelId(self.dice.below(LABELS) as u32);
        let shared = self.shared.clone();
        let here = self.value();
        let mut guard = vec![Expr::variable(process).equals(here)];
        let mut updates = vec![(process, self.value())];
        if self.dice.chance(self.coupling) {
            let tested = self.one_of(&shared);
            let condition = self.condition(tested);
            guard.push(condition);
        }
        if self.dice.chance(self.coupling) {
            let written = self.one_of(&shared);
            let read = self.one_of(&shared);
            let value = match self.dice.below(4) {
                0 => Expr::variable(read),
                1 => {
                    let room = Expr::variable(written).less_than(Expr::Constant(2));
                    // Now and then nothing keeps it in range.
                    guard.extend(Some(room).filter(|_| !self.dice.chance(5)));
                    Expr::variable(written).plus(Expr::Constant(1))
                }
                _ => self.value(),
            };
            updates.push((written, value));
        }
        let other = self.one_of(&self.processes.clone());
        if self.dice.chance(self.coupling / 2) && other != process {
            let there = self.value();
            guard.push(Expr::variable(other).equals(there));
            updates.push((other, self.value()));
        }
        Command { guard: Expr::and(guard), updates, ..Command::new(label) }
    }

    /// A condition or a condition on the next step, as a text.
    fn atom(&mut self) -> String {
        let value = self.dice.below(3);
        match self.dice.below(5) {
            0 => format!("p{} = {value}", self.dice.below(self.processes.len())),
            1 | 2 => format!("v{} = {value}", self.dice.below(self.shared.len())),
            _ => format!("does(m{})", self.dice.below(LABELS)),
        }
    }

    fn condition_text(&mut self) -> String {
        loop {
            let atom = self.atom();
            if !atom.starts_with("does") {
                return atom;
            }
        }
    }

    fn path(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.atom();
        }
        let a = self.path(depth - 1);
        let below = self.dice.below(depth);
        let b = self.path(below);
        match self.dice.below(13) {
            0 => format!("!({a})"),
            1 => format!("(({a}) & ({b}))"),
            2 => format!("(({a}) | ({b}))"),
            3 => format!("(({a}) U ({b}))"),
            4 => format!("(({a}) W ({b}))"),
            5 => format!("(({a}) R ({b}))"),
            6 | 7 => format!("F ({a})"),
            8 | 9 => format!("G ({a})"),
            10 => format!("G (({a}) -> F ({b}))"),
            11 => format!("G (does(m{}) -> X ({a}))", self.dice.below(LABELS)),
            _ => format!("F (does(m{}) & X ({a}))", self.dice.below(LABELS)),
        }
    }

    /// A state formula.
    fn formula(&mut self) -> Formula {
        let depth = 1 + self.dice.below(3);
        let (path, p, q) = (self.path(depth), self.condition_text(), self.atom());
        let (r, also) = (self.condition_text(), self.condition_text());
        let text = match self.dice.below(13) {
            0 => format!("AG (({p}) -> AF ({q}))"),
            1 => format!("EF (({p}) & EG !({q}))"),
            2 => format!("AG AF ({q})"),
            3 => format!("E (({p}) U ((E G ({path})) | {p}))"),
            4 => format!("EF ({q})"),
            8 => format!("EF (({p}) & ({r}))"),
            9 => format!("AG (({p}) | !({r}) & ({also}))"),
            10 => format!("AG ((({p}) & !({r})) -> EF ({q}))"),
            11 => format!("EF (({p}) & A ({path}))"),
            12 => format!("EF ((({p}) | (({r}) & !E ({path}))) & ({also}))"),
            5 | 6 => format!("A ({path})"),
            _ => format!("E ({path})"),
        };
        parse_formula(&text).unwrap_or_else(|_| panic!("{text}"))
    }
}

/// What was seen on random models.
#[derive(Default)]
struct Seen {
    /// Formulas that both engines decided.
    decided: u64,
    savings: Savings,
    differences: Vec<String>,
}

/// The reduced search, perhaps with a flaw, against the reference engine and against the search that takes all steps.
fn compare(cases: u64, flaws: Option<Flaw>, enough: usize) -> Seen {
    let mut seen = Seen::default();
    for seed in 0..cases {
        let mut random = Random::new(seed);
        let formulas: Vec<Formula> = (0..4).map(|_| random.formula()).collect();
        let model = &random.model;
        let Ok(mut reference) = Explored::new(model, Options::default(), &NoLimits) else { continue };
        let all_steps = Options { unreduced: true, ..Options::default() };
        for formula in formulas {
            let Ok(expected) = reference.decide(&formula, &NoLimits) else { continue };
            let mut reduced = Tableau::new(model, Options::default(), 1, &NoLimits).expect("a small model");
            reduced.common.flaws = flaws;
            reduced.leave_all_to_reductions();
            let found = reduced.decide(&formula, &NoLimits);
            let mut whole = Tableau::new(model, all_steps, 1, &NoLimits).expect("a small model");
            let all = whole.decide(&formula, &NoLimits).expect("no fault");
            assert_eq!(all, expected, "{formula} of {seed}");
            seen.decided += 1;
            if let Some(savings) = reduced.savings() {
                seen.savings += savings;
            }
            if found.as_ref().ok() != Some(&expected) {
                seen.differences.push(format!("model {seed}: {formula} is {expected:?}, found {found:?}"));
                if seen.differences.len() >= enough {
                    return seen;
                }
            }
        }
    }
    seen
}

#[test]
fn nothing_changes_on_random_models() {
    let seen = compare(cases(), None, 1);
    assert_eq!(seen.differences, Vec::<String>::new());
    assert!(seen.decided > 3 * cases(), "{} decided", seen.decided);
    // Otherwise little was tested.
    assert!(seen.savings.properties > cases(), "{:?}", seen.savings);
    assert!(seen.savings.left_out * 6 > seen.savings.taken, "{:?}", seen.savings);
}

#[test]
fn every_condition_is_needed() {
    for flaw in [
        Flaw::NoCycleCondition,
        Flaw::LabelsUnwatched,
        Flaw::ConditionsUnwatched,
        Flaw::MissingDependence,
        Flaw::MissingEnabler,
        Flaw::AnyFormula,
        Flaw::MissingWay,
    ] {
        let seen = compare(cases(), Some(flaw), 1);
        assert!(!seen.differences.is_empty(), "{flaw:?} is not noticed in {} formulas", seen.decided);
    }
}

#[test]
fn all_deadlocks_are_kept() {
    let (mut deadlocks, mut savings) = (0, Savings::default());
    for seed in 0..cases() {
        let Random { model, .. } = Random::new(seed);
        let mut whole = Space::new(&model, Default::default(), &NoLimits).expect("a small model");
        if whole.explore(&NoLimits).is_err() {
            continue;
        }
        let Some(mut moves) = Moves::new(&model, None) else { continue };
        let arena = Arena::new();
        let mut reduction = Reduction::new(&arena, PathFormula::TRUE, &moves, None);
        let mut space = Space::new(&model, Default::default(), &NoLimits).expect("a small model");
        let (mut next, mut steps, mut found) = (0, Vec::new(), BTreeSet::new());
        while (next as usize) < space.len() {
            reduction.steps(&mut moves, &mut space, next, &mut steps).expect("no fault");
            // Deadlocks need no cycle condition.
            reduction.must_take_all(false);
            if let [Step { via: Via::LOOP, .. }] = steps[..] {
                found.insert(space.state(next).to_vec());
            }
            next += 1;
        }
        let expected: BTreeSet<Vec<u64>> =
            whole.deadlocks().map(|state| whole.state(state).to_vec()).collect();
        assert_eq!(found, expected, "model {seed}");
        deadlocks += expected.len();
        savings += reduction.savings;
    }
    assert!(deadlocks as u64 > cases() / 2, "{deadlocks} deadlocks");
    assert!(savings.left_out * 3 > savings.taken, "{savings:?}");
}

#[test]
fn faults_are_not_overlooked() {
    let mut faults = 0;
    for seed in 0..cases() {
        let Random { model, .. } = Random::new(seed);
        let Err(Halt::Fault(_)) = Explored::new(&model, Options::default(), &NoLimits).map(|_| ()) else {
            continue;
        };
        faults += 1;
        for text in ["AG v0 < 3", "A G !does(m0)", "AG AF v0 < 3", "A G F p0 < 3"] {
            let formula = parse_formula(text).expect("a formula");
            let mut reduced = Tableau::new(&model, Options::default(), 1, &NoLimits).expect("a small model");
            reduced.leave_all_to_reductions();
            let found = reduced.decide(&formula, &NoLimits);
            assert!(
                matches!(found, Err(Halt::Fault(_)) | Ok(Verdict::False)),
                "model {seed}: {text} is {found:?}"
            );
        }
    }
    assert!(faults > cases() / 200, "{faults} faults");
}

/// Milner's scheduler: cells in a ring that start tasks in turn, and may wait for their ends in any order.
fn scheduler(cells: usize) -> String {
    let cell = |i: usize| {
        let next = (i + 1) % cells;
        format!("proc A{i} = c{i}.a{i}.B{i}\nproc B{i} = b{i}.'c{next}.A{i} + 'c{next}.b{i}.A{i}\n")
    };
    let parts: String = (1..cells).map(|i| format!(" | A{i}")).collect();
    let inner: Vec<String> = (0..cells).map(|i| format!("c{i}")).collect();
    let text: String = (0..cells).map(cell).collect();
    format!("{text}proc Main = (a0.B0{parts}) \\ {{{}}}\n", inner.join(", "))
}

#[test]
fn the_scheduler_with_sixteen_cells_takes_hundreds_of_places() {
    let source = servanda_syntax::SourceFile::new("scheduler.ccs", scheduler(16));
    let system = servanda_ccs::load(&source, Some("Main")).system.expect("a process");
    for (text, expected) in [
        ("AG AF does(a1)", Verdict::True),
        ("A (G (does(a1) -> X (!does(a1) W does(a2))))", Verdict::True),
        ("A (G (does(a1) -> X (!does(a2) W does(a1))))", Verdict::False),
        ("AG AF does(a1) & A G (does(a3) -> F does(b3))", Verdict::True),
    ] {
        let formula = system.formula(text).expect("a formula");
        let mut engine =
            Tableau::new(&system.model, Options::default(), 1, &NoLimits).expect("one initial state");
        assert_eq!(engine.decide(&formula, &NoLimits).expect("no fault"), expected, "{text}");
        let savings = engine.savings().expect("a reduction");
        assert!(savings.places < 10_000, "{text}: {savings:?}");
        // What was not counted is not told as if it were the model.
        assert_eq!(engine.counts(), None);
    }
}

//! Sums that no command changes: what a model counts, moves around and neither makes nor loses.
//!
//! Commands that add constants to variables, or move a variable from one known value to another, are the transitions of a Petri net; its
//! semiflows are found by Farkas' method, as Martinez and Silva give it ("A simple and fast algorithm to obtain all invariants of a generalised
//! Petri net"). That no value leaves its range often follows from such a sum and from nothing that clauses say briefly, and what a sum is
//! about belongs together in the order of diagrams. The argument is arithmetic, so that no solver has to be asked; what is given up for
//! lack of room is a sum that is not known, never a wrong one.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use servanda_engine::{Budget, Halt, Progress};
use servanda_model::{Arithmetic, Command, Comparison, Counted, Domain, Expr, Flow, Model, VariableId};

/// Larger models, larger tables and longer sums are left alone.
const MOST_COMMANDS: usize = 6000;
const MOST_TERMS: usize = 3000;
const MOST_ROWS: usize = 6000;
const MOST_PAIRS: usize = 20_000;
const MOST_WORK: usize = 20_000_000;
const MOST_VALUES: u64 = 16;
const LONGEST: usize = 64;
const HEAVIEST: i64 = 1000;

/// What is known of an assignment: by how much it changes a variable, or also from which value to which.
#[derive(Clone, Copy)]
enum Change {
    By(i64),
    From(i64, i64),
}

/// A weighted sum, and by how much each command changes it; both sorted.
struct Row {
    weights: Vec<(Counted, i64)>,
    changes: Vec<(usize, i64)>,
}

/// Sums that no command of a model changes and that say more than the values of one variable.
///
/// # Errors
///
/// The budget says that it is time to stop.
pub fn flows(model: &Model, budget: &dyn Budget) -> Result<Vec<Flow>, Halt> {
    let commands = model.behaviour.commands();
    if commands.is_empty() || commands.len() > MOST_COMMANDS {
        return Ok(Vec::new());
    }
    let Some(rows) = rows(model, commands) else { return Ok(Vec::new()) };
    let sums = Table::new(rows, commands.len()).eliminated(budget)?;
    Ok(sums.into_iter().filter_map(|row| flow(model, row)).collect())
}

/// Conditions that hold in all reachable states: sums that stay what they are at first.
///
/// # Errors
///
/// The budget says that it is time to stop.
pub fn conserved(model: &Model, budget: &dyn Budget) -> Result<Vec<Expr>, Halt> {
    Ok(flows(model, budget)?.iter().map(Flow::condition).collect())
}

/// The values that a guard asks of variables.
fn asked(model: &Model, guard: &Expr) -> FxHashMap<VariableId, i64> {
    let is_bool = |id: &VariableId| model.variable(*id).domain == Domain::Bool;
    let (mut known, mut todo) = (FxHashMap::default(), vec![guard]);
    while let Some(part) = todo.pop() {
        match part {
            Expr::And(parts) => todo.extend(parts),
            Expr::Variable(id) if is_bool(id) => {
                known.insert(*id, 1);
            }
            Expr::Not(inner) => {
                if let Expr::Variable(id) = &**inner
                    && is_bool(id)
                {
                    known.insert(*id, 0);
                }
            }
            Expr::Compare(Comparison::Equal, left, right) => match (&**left, &**right) {
                (Expr::Variable(id), Expr::Constant(value)) | (Expr::Constant(value), Expr::Variable(id)) => {
                    known.insert(*id, *value);
                }
                _ => {}
            },
            _ => {}
        }
    }
    known
}

/// What an assignment does to its variable, if that is known.
fn change(id: VariableId, value: &Expr, known: &FxHashMap<VariableId, i64>) -> Option<Change> {
    match value {
        Expr::Constant(after) => known
            .get(&id)
            .filter(|before| after.checked_sub(**before).is_some())
            .map(|before| Change::From(*before, *after)),
        Expr::Variable(own) if *own == id => Some(Change::By(0)),
        Expr::Arithmetic(operator, left, right) => match (operator, &**left, &**right) {
            (Arithmetic::Add, Expr::Variable(own), Expr::Constant(by))
            | (Arithmetic::Add, Expr::Constant(by), Expr::Variable(own))
                if *own == id =>
            {
                Some(Change::By(*by))
            }
            (Arithmetic::Subtract, Expr::Variable(own), Expr::Constant(by)) if *own == id => {
                by.checked_neg().map(Change::By)
            }
            _ => None,
        },
        _ => None,
    }
}

/// One row for each thing that can be counted; `None` where there are too many.
fn rows(model: &Model, commands: &[Command]) -> Option<Vec<Row>> {
    let mut changes: Vec<Option<Vec<(usize, Change)>>> =
        model.variables().map(|(_, variable)| (variable.initial.len() == 1).then(Vec::new)).collect();
    for (at, command) in commands.iter().enumerate() {
        let known = asked(model, &command.guard);
        for (id, value) in &command.updates {
            let own = &mut changes[id.index()];
            match (change(*id, value, &known), own.as_mut()) {
                (Some(change), Some(all)) => all.push((at, change)),
                _ => *own = None,
            }
        }
    }
    let mut rows = Vec::new();
    for ((id, variable), changes) in model.variables().zip(changes) {
        let Some(changes) = changes else { continue };
        let moves = changes.iter().all(|(_, change)| matches!(change, Change::From(..)));
        if moves && variable.domain.size() <= MOST_VALUES {
            for value in variable.domain.low()..=variable.domain.high() {
                let by = |change: &Change| match change {
                    Change::From(from, to) => i64::from(*to == value) - i64::from(*from == value),
                    Change::By(by) => *by,
                };
                rows.push(row(Counted::Is(id, value), &changes, by));
            }
        } else {
            let by = |change: &Change| match change {
                Change::From(from, to) => to - from,
                Change::By(by) => *by,
            };
            rows.push(row(Counted::Value(id), &changes, by));
        }
    }
    (rows.len() <= MOST_TERMS).then_some(rows)
}

fn row(term: Counted, changes: &[(usize, Change)], by: impl Fn(&Change) -> i64) -> Row {
    let mut all: BTreeMap<usize, i64> = BTreeMap::new();
    for (at, change) in changes {
        // Who assigns twice has assigned what comes last.
        all.insert(*at, by(change));
    }
    Row { weights: vec![(term, 1)], changes: all.into_iter().filter(|(_, by)| *by != 0).collect() }
}

/// Rows while commands are eliminated.
struct Table {
    rows: Vec<Row>,
    /// By command: how many rows it makes larger, and how many smaller; `None` once it is eliminated.
    uses: Vec<Option<[usize; 2]>>,
}

impl Table {
    fn new(rows: Vec<Row>, commands: usize) -> Self {
        let mut table = Table { rows: Vec::new(), uses: vec![Some([0, 0]); commands] };
        rows.into_iter().for_each(|row| table.add(row));
        table
    }

    fn add(&mut self, row: Row) {
        for (command, by) in &row.changes {
            if let Some(uses) = &mut self.uses[*command] {
                uses[usize::from(*by < 0)] += 1;
            }
        }
        self.rows.push(row);
    }

    /// The sums that no command changes.
    fn eliminated(mut self, budget: &dyn Budget) -> Result<Vec<Row>, Halt> {
        let mut work = 0;
        while let Some(column) = self.cheapest() {
            Progress::Deciding { nodes: self.rows.len() as u64 }.tell(budget)?;
            self.eliminate(column, &mut work);
        }
        // No row that is left is changed by anything.
        Ok(self.rows)
    }

    /// The command whose elimination makes the fewest new rows.
    fn cheapest(&self) -> Option<usize> {
        let cost = |(at, uses): (usize, &Option<[usize; 2]>)| {
            uses.filter(|[up, down]| up + down > 0)
                .map(|[up, down]| (up as i64 * down as i64 - (up + down) as i64, at))
        };
        self.uses.iter().enumerate().filter_map(cost).min().map(|(_, at)| at)
    }

    /// Replaces the rows that a command changes by sums of them that it does not change.
    fn eliminate(&mut self, column: usize, work: &mut usize) {
        let by = |row: &Row| row.changes.binary_search_by_key(&column, |(command, _)| *command).ok();
        let (changed, kept): (Vec<Row>, Vec<Row>) =
            std::mem::take(&mut self.rows).into_iter().partition(|row| by(row).is_some());
        self.rows = kept;
        for row in &changed {
            for (command, by) in &row.changes {
                if let Some(uses) = &mut self.uses[*command] {
                    uses[usize::from(*by < 0)] -= 1;
                }
            }
        }
        self.uses[column] = None;
        let (more, less): (Vec<Row>, Vec<Row>) =
            changed.into_iter().partition(|row| by(row).is_some_and(|at| row.changes[at].1 > 0));
        let pairs = more.len() * less.len();
        *work += pairs * self.rows.len();
        if pairs > MOST_PAIRS || self.rows.len() + pairs > MOST_ROWS || *work > MOST_WORK {
            return;
        }
        for a in &more {
            for b in &less {
                let Some(sum) = cancelled(a, b, column) else { continue };
                let terms: FxHashSet<Counted> = sum.weights.iter().map(|(term, _)| *term).collect();
                // A sum with a part that stays is nothing new.
                if !self.rows.iter().any(|row| row.weights.iter().all(|(term, _)| terms.contains(term))) {
                    self.add(sum);
                }
            }
        }
    }
}

/// The smallest sum of multiples of two rows that a command does not change.
fn cancelled(a: &Row, b: &Row, column: usize) -> Option<Row> {
    let by = |row: &Row| row.changes.iter().find(|(command, _)| *command == column).map(|(_, by)| *by);
    let (up, down) = (by(a)?, by(b)?.checked_neg()?);
    let mut weights: BTreeMap<Counted, i64> = BTreeMap::new();
    let mut changes: BTreeMap<usize, i64> = BTreeMap::new();
    for (row, factor) in [(a, down), (b, up)] {
        for (term, weight) in &row.weights {
            let entry = weights.entry(*term).or_default();
            *entry = entry.checked_add(weight.checked_mul(factor)?)?;
        }
        for (command, by) in &row.changes {
            let entry = changes.entry(*command).or_default();
            *entry = entry.checked_add(by.checked_mul(factor)?)?;
        }
    }
    changes.retain(|_, by| *by != 0);
    let divisor = weights.values().chain(changes.values()).fold(0, |divisor, value| gcd(divisor, *value));
    let divided = |value: i64| value / divisor.max(1);
    let weights: Vec<(Counted, i64)> =
        weights.into_iter().map(|(term, weight)| (term, divided(weight))).collect();
    let changes = changes.into_iter().map(|(command, by)| (command, divided(by))).collect();
    weights.iter().all(|(_, weight)| *weight <= HEAVIEST).then_some(Row { weights, changes })
}

fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i64::try_from(a).unwrap_or(1)
}

/// A sum with what it is at first; `None` where it is too long, or every state says so.
fn flow(model: &Model, row: Row) -> Option<Flow> {
    let first = row.weights.first()?.0;
    let one_variable = row.weights.iter().all(|(term, _)| term.variable() == first.variable());
    if row.weights.len() > LONGEST || matches!(first, Counted::Is(..)) && one_variable {
        return None;
    }
    let mut total: i64 = 0;
    for (term, weight) in &row.weights {
        let now = *model.variable(term.variable()).initial.first()?;
        let now = match term {
            Counted::Value(_) => now,
            Counted::Is(_, value) => i64::from(now == *value),
        };
        total = total.checked_add(now.checked_mul(*weight)?)?;
    }
    Some(Flow { terms: row.weights, total })
}

//! Sums that no command changes: what a model counts, moves around and neither makes nor loses.
//!
//! Commands that add constants to variables, or move a variable from one known value to another, are the transitions of a Petri net; its
//! semiflows are found by Farkas' method, as Martinez and Silva give it ("A simple and fast algorithm to obtain all invariants of a generalised
//! Petri net"). That no value leaves its range often follows from such a sum and from nothing that clauses say briefly. The argument is
//! arithmetic, so that no solver has to be asked; what is given up for lack of room is a sum that is not known, never a wrong one.

use rustc_hash::{FxHashMap, FxHashSet};
use servanda_engine::{Budget, Halt, Progress};
use servanda_model::{Arithmetic, Command, Comparison, Domain, Expr, Model, VariableId};

/// Larger models, larger tables and longer sums are left alone.
const MOST_COMMANDS: usize = 3000;
const MOST_TERMS: usize = 600;
const MOST_ROWS: usize = 1500;
const MOST_PAIRS: usize = 20_000;
const MOST_VALUES: u64 = 16;
const LONGEST: usize = 64;
const HEAVIEST: i64 = 1000;

/// So many conditions of which one holds are told apart two by two.
const FEW: usize = 24;

/// What is counted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Term {
    /// The value of a variable.
    Value(VariableId),
    /// 1 where a variable has a value.
    Is(VariableId, i64),
}

/// What is known of an assignment: by how much it changes a variable, or also from which value to which.
#[derive(Clone, Copy)]
enum Change {
    By(i64),
    From(i64, i64),
}

/// A weighted sum, and by how much each command changes it.
struct Row {
    weights: Vec<(Term, i64)>,
    changes: Vec<i64>,
}

/// Conditions that hold in all reachable states: sums that stay what they are at first.
pub(crate) fn conserved(model: &Model, budget: &dyn Budget) -> Result<Vec<Expr>, Halt> {
    let commands = model.behaviour.commands();
    if commands.is_empty() || commands.len() > MOST_COMMANDS {
        return Ok(Vec::new());
    }
    let Some(mut rows) = rows(model, commands) else { return Ok(Vec::new()) };
    for column in 0..commands.len() {
        Progress::Deciding { nodes: column as u64 }.tell(budget)?;
        eliminate(&mut rows, column);
    }
    let sums = rows.into_iter().filter(|row| row.weights.len() <= LONGEST);
    Ok(sums.filter_map(|row| condition(model, &row)).collect())
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
                rows.push(row(Term::Is(id, value), &changes, commands.len(), by));
            }
        } else {
            let by = |change: &Change| match change {
                Change::From(from, to) => to - from,
                Change::By(by) => *by,
            };
            rows.push(row(Term::Value(id), &changes, commands.len(), by));
        }
    }
    (rows.len() <= MOST_TERMS).then_some(rows)
}

fn row(term: Term, changes: &[(usize, Change)], commands: usize, by: impl Fn(&Change) -> i64) -> Row {
    let mut all = vec![0; commands];
    for (at, change) in changes {
        all[*at] = by(change);
    }
    Row { weights: vec![(term, 1)], changes: all }
}

/// Replaces the rows that a command changes by sums of them that it does not change.
fn eliminate(rows: &mut Vec<Row>, column: usize) {
    let (changed, kept): (Vec<Row>, Vec<Row>) =
        std::mem::take(rows).into_iter().partition(|row| row.changes[column] != 0);
    *rows = kept;
    let (more, less): (Vec<Row>, Vec<Row>) = changed.into_iter().partition(|row| row.changes[column] > 0);
    if more.len() * less.len() > MOST_PAIRS || rows.len() + more.len() * less.len() > MOST_ROWS {
        return;
    }
    for a in &more {
        for b in &less {
            let Some(sum) = cancelled(a, b, column) else { continue };
            let terms: FxHashSet<Term> = sum.weights.iter().map(|(term, _)| *term).collect();
            // A sum with a part that stays is nothing new.
            if !rows.iter().any(|row| row.weights.iter().all(|(term, _)| terms.contains(term))) {
                rows.push(sum);
            }
        }
    }
}

/// The smallest sum of multiples of two rows that a command does not change.
fn cancelled(a: &Row, b: &Row, column: usize) -> Option<Row> {
    let (up, down) = (a.changes[column], b.changes[column].checked_neg()?);
    let mut weights: FxHashMap<Term, i64> = FxHashMap::default();
    for (row, factor) in [(a, down), (b, up)] {
        for (term, weight) in &row.weights {
            let entry = weights.entry(*term).or_default();
            *entry = entry.checked_add(weight.checked_mul(factor)?)?;
        }
    }
    let pairs = a.changes.iter().zip(&b.changes);
    let changes: Option<Vec<i64>> =
        pairs.map(|(x, y)| x.checked_mul(down)?.checked_add(y.checked_mul(up)?)).collect();
    let mut changes = changes?;
    let divisor = weights.values().chain(&changes).fold(0, |divisor, value| gcd(divisor, *value));
    changes.iter_mut().for_each(|value| *value /= divisor);
    let mut weights: Vec<(Term, i64)> =
        weights.into_iter().map(|(term, weight)| (term, weight / divisor)).collect();
    weights.sort_unstable();
    weights.iter().all(|(_, weight)| *weight <= HEAVIEST).then_some(Row { weights, changes })
}

fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i64::try_from(a).unwrap_or(1)
}

/// That a sum is what it is at first; `None` where every state says so.
fn condition(model: &Model, row: &Row) -> Option<Expr> {
    let of = |term: &Term| match term {
        Term::Value(id) | Term::Is(id, _) => *id,
    };
    let first = row.weights.first().map(|(term, _)| of(term))?;
    if matches!(row.weights[0].0, Term::Is(..)) && row.weights.iter().all(|(term, _)| of(term) == first) {
        return None;
    }
    let mut total: i64 = 0;
    for (term, weight) in &row.weights {
        let now = *model.variable(of(term)).initial.first()?;
        let now = match term {
            Term::Value(_) => now,
            Term::Is(_, value) => i64::from(now == *value),
        };
        total = total.checked_add(now.checked_mul(*weight)?)?;
    }
    let written: Vec<Expr> = row.weights.iter().map(|(term, weight)| weighted(*term, *weight)).collect();
    let simple = row.weights.iter().all(|(term, weight)| *weight == 1 && matches!(term, Term::Is(..)));
    if simple && total == 1 && written.len() <= FEW {
        return Some(one_of(written));
    }
    Some(compare(Comparison::Equal, sum(&written), Expr::Constant(total)))
}

fn compare(comparison: Comparison, left: Expr, right: Expr) -> Expr {
    Expr::Compare(comparison, Box::new(left), Box::new(right))
}

fn weighted(term: Term, weight: i64) -> Expr {
    let term = match term {
        Term::Value(id) => Expr::Variable(id),
        Term::Is(id, value) => compare(Comparison::Equal, Expr::Variable(id), Expr::Constant(value)),
    };
    if weight == 1 {
        return term;
    }
    Expr::Arithmetic(Arithmetic::Multiply, Box::new(term), Box::new(Expr::Constant(weight)))
}

/// A sum as a shallow tree of adders.
fn sum(terms: &[Expr]) -> Expr {
    match terms {
        [] => Expr::Constant(0),
        [one] => one.clone(),
        _ => {
            let (left, right) = terms.split_at(terms.len() / 2);
            Expr::Arithmetic(Arithmetic::Add, Box::new(sum(left)), Box::new(sum(right)))
        }
    }
}

/// Exactly one condition holds.
fn one_of(conditions: Vec<Expr>) -> Expr {
    let mut all = Vec::new();
    for (at, one) in conditions.iter().enumerate() {
        for other in &conditions[..at] {
            let apart = Expr::And(vec![one.clone(), other.clone()]);
            all.push(Expr::Not(Box::new(apart)));
        }
    }
    all.push(Expr::Or(conditions));
    Expr::And(all)
}

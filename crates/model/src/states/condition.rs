//! One of the conditions on states that are listed one after the other, asked again after each choice: may it still become true?

use crate::expr::compared;
use crate::{Comparison, Expr, Range, Sum, VariableId};

/// A disjunction of fewer parts is looked at as a whole.
const SEVERAL: usize = 4;

/// What is known of the fields while some of them are assigned.
pub(super) struct Known {
    /// For each field its value, or the values that it may have.
    pub(super) ranges: Vec<Range>,
    /// Do the fields stand in the opposite order of variables and commitments?
    pub(super) reversed: bool,
}

impl Known {
    /// The place of a variable among the fields.
    pub(super) fn field_of(&self, variable: VariableId) -> usize {
        if self.reversed { self.ranges.len() - 1 - variable.index() } else { variable.index() }
    }

    /// The fields that an expression reads, each once.
    pub(super) fn fields_of(&self, expr: &Expr) -> Vec<usize> {
        let mut fields = Vec::new();
        expr.for_each_variable(&mut |variable| fields.push(self.field_of(variable)));
        fields.sort_unstable();
        fields.dedup();
        fields
    }

    fn range_of(&self, leaf: &Expr) -> Range {
        match leaf {
            Expr::Variable(variable) => self.ranges[self.field_of(*variable)],
            // Nothing is in force and nothing is done at the start, and what is well formed does not depend on that.
            _ => (0, 0),
        }
    }

    /// Does an expression not hold, whatever the variables become that are not assigned yet? Without a value (a division by zero) it
    /// does not.
    fn rules_out(&self, expr: &Expr) -> bool {
        match expr.range(&|leaf| Some(self.range_of(leaf))) {
            Some((low, high)) if low == high => low == 0,
            // The range may be wider than what the expression can be, also where all is assigned: 2 % 2 lies between 0 and 1.
            _ => {
                let known = |leaf: &Expr| Some(self.range_of(leaf)).filter(|(low, high)| low == high);
                matches!(expr.known(&|leaf| known(leaf).map(|(low, _)| low)), Ok(Some(0)) | Err(_))
            }
        }
    }
}

/// A condition, with what is remembered of it while fields are assigned one after the other.
pub(super) enum Condition<'m> {
    /// One that is looked at as a whole.
    Plain(&'m Expr),
    /// A comparison of sums that can neither fail nor overflow: how it compares the left side less the right side with 0, and the range
    /// of that.
    Sums(Comparison, (i128, i128)),
    /// A disjunction of which nothing can fail: which parts may still become true.
    Either(Either<'m>),
}

impl<'m> Condition<'m> {
    /// The condition, and for each field that the sums in it read how often it is added.
    pub(super) fn new(expr: &'m Expr, known: &Known) -> (Self, Vec<(usize, i64)>) {
        if let Some((comparison, range, weights)) = sums(expr, known) {
            return (Condition::Sums(comparison, range), weights);
        }
        let condition = match expr {
            Expr::Or(parts) if parts.len() >= SEVERAL && !expr.can_fault() => {
                Condition::Either(Either::new(parts, known))
            }
            _ => Condition::Plain(expr),
        };
        (condition, Vec::new())
    }

    /// Can it not become true any more, before anything was chosen?
    pub(super) fn is_ruled_out_at_first(&self, known: &Known) -> bool {
        match self {
            Condition::Plain(expr) => known.rules_out(expr),
            Condition::Sums(comparison, range) => is_never(*comparison, *range),
            Condition::Either(either) => either.open.is_empty(),
        }
    }

    /// The same after the last of so many fields has got a value, which it reads.
    pub(super) fn is_ruled_out(&mut self, assigned: usize, known: &Known) -> bool {
        match self {
            Condition::Either(either) => either.is_ruled_out(assigned, known),
            _ => self.is_ruled_out_at_first(known),
        }
    }

    /// A field that is added so often has another range than before.
    pub(super) fn moves(&mut self, weight: i64, before: Range, now: Range) {
        if let Condition::Sums(_, (low, high)) = self {
            let change = |from: i64, to: i64| i128::from(weight) * (i128::from(to) - i128::from(from));
            let (least, most) = (change(before.0, now.0), change(before.1, now.1));
            let (least, most) = if weight < 0 { (most, least) } else { (least, most) };
            *low += least;
            *high += most;
        }
    }
}

type Sums = (Comparison, (i128, i128), Vec<(usize, i64)>);

/// A comparison of sums of variables, where it is one.
fn sums(expr: &Expr, known: &Known) -> Option<Sums> {
    let Expr::Compare(comparison, left, right) = expr else { return None };
    let most = |term: &Expr| {
        let (low, high) = known.range_of(term);
        matches!(term, Expr::Variable(_)).then(|| low.unsigned_abs().max(high.unsigned_abs()))
    };
    let sum = Sum::of_difference(left, right, &most)?;
    let mut range = (sum.constant, sum.constant);
    let mut weights = Vec::new();
    for (term, weight) in sum.terms {
        let Expr::Variable(variable) = term else { return None };
        let ((low, high), by) = (known.range_of(term), i128::from(weight));
        let (low, high) = (by * i128::from(low), by * i128::from(high));
        range = (range.0 + low.min(high), range.1 + low.max(high));
        weights.push((known.field_of(*variable), weight));
    }
    Some((*comparison, range, weights))
}

/// Does a comparison with 0 not hold for any number in a range that is less than 2^62 in any case?
fn is_never(comparison: Comparison, (low, high): (i128, i128)) -> bool {
    compared(comparison, (low as i64, high as i64), (0, 0)) == (0, 0)
}

/// The parts of a disjunction.
pub(super) struct Either<'m> {
    /// For each part the conjuncts in it, by the fields that they read.
    parts: Vec<Vec<(usize, &'m Expr)>>,
    /// The parts that could become true before anything was chosen.
    open: Vec<u32>,
    /// Those that still can after so many fields were assigned. Of what was assigned before the last it is right.
    later: Vec<(usize, Vec<u32>)>,
}

impl<'m> Either<'m> {
    fn new(parts: &'m [Expr], known: &Known) -> Self {
        let is_open = |part: &u32| !known.rules_out(&parts[*part as usize]);
        let open = (0..parts.len() as u32).filter(is_open).collect();
        let by_field = |part: &'m Expr| {
            let conjuncts = part.conjuncts().into_iter();
            let fields = |conjunct| known.fields_of(conjunct).into_iter().map(move |field| (field, conjunct));
            let mut all: Vec<(usize, &Expr)> = conjuncts.flat_map(fields).collect();
            all.sort_by_key(|(field, _)| *field);
            all
        };
        Either { parts: parts.iter().map(by_field).collect(), open, later: Vec::new() }
    }

    fn is_ruled_out(&mut self, assigned: usize, known: &Known) -> bool {
        while self.later.last().is_some_and(|(after, _)| *after >= assigned) {
            self.later.pop();
        }
        let field = assigned - 1;
        let before = self.later.last().map_or(&self.open, |(_, open)| open);
        let is_open = |part: &u32| {
            let conjuncts = &self.parts[*part as usize];
            let from = conjuncts.partition_point(|(reads, _)| *reads < field);
            let mut reading = conjuncts[from..].iter().take_while(|(reads, _)| *reads == field);
            !reading.any(|(_, conjunct)| known.rules_out(conjunct))
        };
        let open: Vec<u32> = before.iter().copied().filter(is_open).collect();
        let none = open.is_empty();
        self.later.push((assigned, open));
        none
    }
}

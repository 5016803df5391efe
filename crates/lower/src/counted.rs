//! Quantifiers over operators with large bounds, one quantifier for each tick.
//!
//! `φ U<=k ψ` is one until for each tick, and a path formula with many of them is hard to decide. Right behind a quantifier it need not be one
//! formula: what holds after a tick is said of the state that is reached. With `u(s)` for `(φ & !tick) U (ψ | φ & tick & X s)`,
//!
//! - `E (φ U<=k ψ)` is `E u(E (φ U<=(k - 1) ψ))`: a path that satisfies the left side goes on, after its first tick, by one that satisfies
//!   the inner formula; and whatever path the right side promises after that tick can take the place of the rest;
//! - `A (φ U<=k ψ)` is `A u(A (φ U<=(k - 1) ψ))`, for the same reason with its negation: what must not hold after the first tick is looked at
//!   there only.
//!
//! Both need that paths may go on with any path from where they are, as they may also where fairness says which count; and that `φ` and `ψ`
//! are settled by the state and the step that is taken next, so that another rest of the path does not change what was said before it.

use servanda_logic::{Binary, Bounded, Formula, Kind, Unary, Within, is_state_formula};

use crate::lowerer::{Lowerer, Scope};
use crate::{CoreFormula, Over, PathFormula, StateFormula};

/// Up to so many ticks an operator stays one path formula: that is decided soon, and shown by one path.
const FEW_TICKS: i64 = 4;

impl Lowerer<'_> {
    /// A quantified formula whose bounds are taken apart; `None` where there is nothing to take apart.
    pub(crate) fn counted(
        &mut self,
        quantifier: Unary,
        path: &Formula,
        scope: Scope,
        over: Over,
    ) -> Option<Option<StateFormula>> {
        self.model.tick?;
        // `A G φ` is `A G (A φ)`, and `E F φ` is `E F (E φ)`.
        let inner = match (quantifier, path.kind()) {
            (Unary::ForAll, Kind::Unary(Unary::Globally, inner))
            | (Unary::Exists, Kind::Unary(Unary::Finally, inner)) => inner,
            _ => {
                let positive = bounded_in(path)?;
                let inner =
                    if (quantifier == Unary::Exists) == positive { Unary::Exists } else { Unary::ForAll };
                let lowered = self.taken_apart(path, inner, scope, over);
                return Some(lowered.map(|path| self.quantified(quantifier, path, over)));
            }
        };
        let here = self.counted(quantifier, inner, scope, over)?;
        Some(here.map(|here| {
            let always = match quantifier {
                Unary::ForAll => self.arena.globally(here),
                _ => self.arena.finally(here),
            };
            self.quantified(quantifier, always, over)
        }))
    }

    fn quantified(&mut self, quantifier: Unary, path: PathFormula, over: Over) -> StateFormula {
        match quantifier {
            Unary::ForAll => self.arena.for_all(path, over),
            _ => self.arena.exists(path, over),
        }
    }

    /// The formula with its bound taken apart by quantified formulas.
    fn taken_apart(
        &mut self,
        formula: &Formula,
        inner: Unary,
        scope: Scope,
        over: Over,
    ) -> Option<PathFormula> {
        match formula.kind() {
            Kind::Unary(Unary::Not, operand) => {
                let operand = self.taken_apart(operand, inner, scope, over)?;
                Some(self.arena.not(operand))
            }
            Kind::Binary(op @ (Binary::And | Binary::Or | Binary::Implies), left, right) => {
                let left = self.taken_apart(left, inner, scope, over);
                let right = self.taken_apart(right, inner, scope, over);
                let (left, right) = (left?, right?);
                Some(match op {
                    Binary::And => self.arena.and(left, right),
                    Binary::Or => self.arena.or(left, right),
                    _ => self.arena.implies(left, right),
                })
            }
            Kind::Bounded(Bounded { bound, goal }) => {
                let ticks = self.bound(bound);
                let (left, right) = match goal {
                    Within::Finally(a) | Within::Globally(a) => {
                        (Some(PathFormula::TRUE), self.formula(a, scope))
                    }
                    Within::Until(a, b) => (self.formula(a, scope), self.formula(b, scope)),
                };
                let (ticks, left, mut right) = (ticks?, left?, right?);
                let globally = matches!(goal, Within::Globally(_));
                if globally {
                    right = self.arena.not(right);
                }
                let names = Names { goal, inner, is_outside: self.is_outside(scope) };
                let until = self.tick_by_tick((left, right), ticks, &names, over)?;
                Some(if globally { self.arena.not(until) } else { until })
            }
            _ => self.formula(formula, scope),
        }
    }

    /// `a U<=ticks b`, where what holds after the first tick is a state formula.
    fn tick_by_tick(
        &mut self,
        (a, b): (PathFormula, PathFormula),
        ticks: i64,
        names: &Names<'_>,
        over: Over,
    ) -> Option<PathFormula> {
        let tick = self.arena.does(vec![self.model.tick?]);
        let no_tick = self.arena.not(tick);
        let (stays, passes) = (self.arena.and(a, no_tick), self.arena.and(a, tick));
        let mut until = self.arena.until(stays, b);
        for left in 0..ticks {
            let there = self.quantified(names.inner, until, over);
            if names.is_outside {
                let named = there.on_path(self.arena);
                self.lowered.number(names.with(left), named);
            }
            let next = self.arena.next(there);
            let later = self.arena.and(passes, next);
            let goal = self.arena.or(b, later);
            until = self.arena.until(stays, goal);
        }
        Some(until)
    }
}

/// What the formulas that an operator is taken apart into are in the user's words.
struct Names<'a> {
    goal: &'a Within,
    inner: Unary,
    /// Do they mean the same wherever they stand?
    is_outside: bool,
}

impl Names<'_> {
    fn with(&self, ticks: i64) -> Formula {
        self.goal.after_ticks(ticks, self.inner)
    }
}

/// Is there one operator with a large bound among what is settled by the state and the next step, joined by `!`, `&`, `|` and `->`? Then
/// whether it stands under an even number of negations, `G<=k` counting as one more.
fn bounded_in(formula: &Formula) -> Option<bool> {
    match formula.kind() {
        Kind::Unary(Unary::Not, operand) => bounded_in(operand).map(|positive| !positive),
        Kind::Binary(op @ (Binary::And | Binary::Or | Binary::Implies), left, right) => {
            if is_local(left) {
                bounded_in(right)
            } else if is_local(right) {
                bounded_in(left).map(|positive| positive != (*op == Binary::Implies))
            } else {
                None
            }
        }
        Kind::Bounded(Bounded { bound, goal }) => {
            let large = matches!(bound.kind(), Kind::Int(ticks) if *ticks > FEW_TICKS);
            (large && goal.operands().all(is_local)).then_some(!matches!(goal, Within::Globally(_)))
        }
        _ => None,
    }
}

/// Is it settled by the state and the step that is taken next?
fn is_local(formula: &Formula) -> bool {
    match formula.kind() {
        Kind::Does(_) => true,
        Kind::Unary(Unary::Not, operand) => is_local(operand),
        Kind::Binary(op, left, right) if !op.is_temporal() => is_local(left) && is_local(right),
        _ => is_state_formula(formula),
    }
}

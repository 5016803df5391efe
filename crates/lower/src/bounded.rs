//! Operators that look no further than a number of ticks (docs/formulas.md section 3).

use servanda_logic::{Bounded, Formula, Kind, Within};
use servanda_syntax::{Code, Diagnostic, Findings, Span};

use crate::lowerer::{Lowerer, Scope};
use crate::{Arena, CoreFormula, PathFormula};

/// The largest bound: a formula has some parts for each tick, and whatever walks formulas needs stack in proportion.
pub(crate) const LARGEST_BOUND: i64 = 1000;

impl Lowerer<'_> {
    pub(crate) fn bounded(&mut self, bounded: &Bounded, span: Span, scope: Scope) -> Option<PathFormula> {
        let bound = self.bound(&bounded.bound);
        let (left, right) = match &bounded.goal {
            Within::Finally(a) | Within::Globally(a) => (Some(PathFormula::TRUE), self.formula(a, scope)),
            Within::Until(a, b) => (self.formula(a, scope), self.formula(b, scope)),
        };
        let Some(tick) = self.model.tick else {
            let message = "this counts ticks, and there is no clock";
            let error = Diagnostic::error(Code::NoClock, message, span);
            return self.diagnostics.refuse(error.help("time passes where a Pact file declares a `clock`"));
        };
        let (bound, left, right) = (bound?, left?, right?);
        let arena = &mut *self.arena;
        let tick = arena.does(vec![tick]);
        if let Within::Globally(_) = bounded.goal {
            let fails = arena.not(right);
            let sometime = arena.until_within(tick, bound, left, fails);
            return Some(arena.not(sometime));
        }
        Some(arena.until_within(tick, bound, left, right))
    }

    /// How many ticks a ground bound allows.
    pub(crate) fn bound(&mut self, bound: &Formula) -> Option<i64> {
        match *bound.kind() {
            Kind::Int(ticks @ 0..=LARGEST_BOUND) => Some(ticks),
            Kind::Int(ticks) => {
                let message = format!("the bound {ticks} is not between 0 and {LARGEST_BOUND}");
                self.diagnostics.error(Code::BadBound, message, bound.span())
            }
            _ => self.diagnostics.error(Code::NotConstant, "a constant is wanted here", bound.span()),
        }
    }
}

impl Arena {
    /// `a U b` with no more than `bound` ticks before `b`. With as many ticks left the formula is the same at whatever position, so
    /// there is one part for each number of them.
    fn until_within(&mut self, tick: PathFormula, bound: i64, a: PathFormula, b: PathFormula) -> PathFormula {
        let no_tick = self.not(tick);
        let (stays, passes) = (self.and(a, no_tick), self.and(a, tick));
        let mut within = self.until(stays, b);
        for _ in 0..bound {
            let next = self.next(within);
            let later = self.and(passes, next);
            let goal = self.or(b, later);
            within = self.until(stays, goal);
        }
        within
    }
}

#[cfg(test)]
mod tests {
    use servanda_logic::parse_formula;
    use servanda_model::{Deadlock, Domain, Label, Model, Variable, Visibility};

    use super::*;
    use crate::{Action, Context, Lowering, Path, State, validate};

    /// At each position whether `p` holds, whether `q` does, and whether the step from it is a tick; and where the last one goes
    /// back to.
    struct Lasso {
        letters: Vec<[bool; 3]>,
        back: usize,
    }

    impl Lasso {
        fn after(&self, at: usize) -> usize {
            if at + 1 < self.letters.len() { at + 1 } else { self.back }
        }

        /// All with so many positions.
        fn all(length: usize) -> impl Iterator<Item = Lasso> {
            let letter = |word: usize, at: usize| [0, 1, 2].map(|bit| word >> (3 * at + bit) & 1 == 1);
            let letters = move |word| (0..length).map(|at| letter(word, at)).collect();
            let words =
                (0..1 << (3 * length)).flat_map(move |word| (0..length).map(move |back| (word, back)));
            words.map(move |(word, back)| Lasso { letters: letters(word), back })
        }

        /// By walking along and counting.
        fn within(&self, bound: i64, a: impl Fn(usize) -> bool, b: impl Fn(usize) -> bool) -> bool {
            let (mut at, mut ticks) = (0, 0);
            for _ in 0..self.letters.len() * (bound as usize + 2) {
                if b(at) {
                    return true;
                }
                ticks += i64::from(self.letters[at][2]);
                if !a(at) || ticks > bound {
                    return false;
                }
                at = self.after(at);
            }
            false
        }

        fn satisfies(&self, arena: &Arena, formula: PathFormula, at: usize) -> bool {
            let of = |formula, at| self.satisfies(arena, formula, at);
            match *arena.path(formula) {
                Path::State(state) => {
                    let (state, holds) = match *arena.state(state) {
                        State::Not(inner) => (inner, false),
                        _ => (state, true),
                    };
                    match arena.state(state) {
                        State::True => holds,
                        State::Proposition(id) => self.letters[at][id.index()] == holds,
                        other => panic!("{other:?} is no part of this"),
                    }
                }
                Path::Action(Action::Does(_)) => self.letters[at][2],
                Path::Not(a) => !of(a, at),
                Path::And(a, b) => of(a, at) && of(b, at),
                Path::Or(a, b) => of(a, at) || of(b, at),
                Path::Next(a) => of(a, self.after(at)),
                Path::Until(a, b) => {
                    let mut here = at;
                    for _ in 0..2 * self.letters.len() {
                        if of(b, here) || !of(a, here) {
                            return of(b, here);
                        }
                        here = self.after(here);
                    }
                    false
                }
                ref other => panic!("{other:?} is no part of this"),
            }
        }
    }

    fn clocked() -> Model {
        let mut model = Model::new("Clocked");
        for name in ["p", "q"] {
            model.add_variable(Variable::new(name, Domain::Bool, vec![0], Visibility::Public));
        }
        model.tick = Some(model.add_label(Label::message("tick", None)));
        model
    }

    #[test]
    fn the_core_means_what_is_counted_on_all_short_paths() {
        let model = clocked();
        for bound in 0..4 {
            let mut lowering = Lowering::new(&model, None, Deadlock::Loop).expect("no mistakes");
            // The propositions have the numbers of their letters.
            lowering.path(&parse_formula("p U q").expect("a formula")).expect("no mistakes");
            let mut lower =
                |text: String| lowering.path(&parse_formula(&text).expect("a formula")).expect("no mistakes");
            let until = lower(format!("p U<={bound} q"));
            let finally = lower(format!("F<={bound} q"));
            let globally = lower(format!("G<={bound} q"));
            for lasso in (1..=3).flat_map(Lasso::all) {
                let [p, q] = [0, 1].map(|bit| move |lasso: &Lasso, at: usize| lasso.letters[at][bit]);
                let is = |formula| lasso.satisfies(&lowering.arena, formula, 0);
                let expected = lasso.within(bound, |at| p(&lasso, at), |at| q(&lasso, at));
                assert_eq!(is(until), expected, "{:?} {}", lasso.letters, lasso.back);
                assert_eq!(is(finally), lasso.within(bound, |_| true, |at| q(&lasso, at)));
                assert_eq!(is(globally), !lasso.within(bound, |_| true, |at| !q(&lasso, at)));
            }
        }
    }

    #[test]
    fn there_is_one_part_for_each_tick() {
        let model = clocked();
        let formula = parse_formula("A (G<=300 F<=300 (p U<=300 q))").expect("a formula");
        let mut lowering = Lowering::new(&model, None, Deadlock::Loop).expect("no mistakes");
        lowering.property(&formula).expect("no mistakes");
        let before = lowering.arena.next(PathFormula::TRUE);
        assert!(before.index() < 6000, "{} parts", before.index());
    }

    #[test]
    fn what_cannot_be_counted_is_refused() {
        let codes = |model: &Model, text: &str| -> Vec<Code> {
            let formula = parse_formula(text).expect("a formula");
            validate(model, &formula, Context::Property).iter().map(|found| found.code).collect()
        };
        let model = clocked();
        assert_eq!(codes(&model, "AF<=3 (p & x)"), [Code::UnknownName]);
        assert!(codes(&model, "AF<=1000 p").is_empty());
        assert_eq!(codes(&model, "AG<=1001 p"), [Code::BadBound]);
        assert_eq!(codes(&model, "AF<=p q"), [Code::NotConstant]);
        assert_eq!(codes(&model, "F<=2 p"), [Code::PathFormula]);
        let timeless = Model { tick: None, ..model };
        assert_eq!(codes(&timeless, "AF<=3 p & E[p U<=2 q]"), [Code::NoClock, Code::NoClock]);
    }
}

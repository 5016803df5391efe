//! Path formulas on ultimately periodic paths, straight from the semantics.
//!
//! A [`Lasso`] is a path that ends in a loop. [`Lasso::satisfies`] says whether a path formula holds at its first
//! position. It works on the formula as the user wrote it and on states as the user sees them, and shares no code
//! with the engines, so that the two can be tested against each other.
//!
//! Past operators look back to the beginning, so their values at a place of the loop may differ from one time round
//! to the next. They settle: where the operands of a past operator repeat from some position on with the period of
//! the loop, its own values repeat from one period later (what happened within the last period decides, or nothing
//! has happened for a whole period and nothing ever will). So a formula with `n` past operators inside each other
//! repeats after `n` times round, and the loop is unrolled that often before it is closed.

mod values;

use servanda_logic::{
    ActKind, ActPattern, ActionPattern, Arg, Binary, Bounded, Commitment, Formula, Join, Kind, LabelPattern,
    Reference, Unary, Within,
};
use servanda_model::{ActLabel, ActReading, AgentId, Label, Model, StateView};

use values::Value;

/// One position of a path: a state and the label of the transition that leaves it.
#[derive(Clone, Copy, Debug)]
pub struct Position<'a> {
    /// The state.
    pub state: &'a StateView,
    /// The label; `None` on the implicit loop of a deadlock.
    pub label: Option<&'a Label>,
}

/// A path that repeats itself: after the last position comes the one at `back` again.
#[derive(Clone, Debug)]
pub struct Lasso<'a> {
    /// Its positions.
    pub positions: Vec<Position<'a>>,
    /// Where the loop begins.
    pub back: usize,
}

impl Lasso<'_> {
    /// Does the path formula, which is ground, hold at the first position? `None` where it contains something that
    /// is not about one path: quantifiers, commitments, knowledge, branching past, strategies, or an act whose
    /// reading needs a commitment.
    pub fn satisfies(&self, model: &Model, formula: &Formula) -> Option<bool> {
        let contents = model.labels.iter().filter_map(|label| match label {
            Label::Act(act) => Some(past_height(&act.promise.content)),
            Label::Message(_) | Label::Action { .. } => None,
        });
        let rounds = past_height(formula) + contents.max().unwrap_or(0) + 1;
        let period = self.positions.len() - self.back;
        let again = (0..rounds).flat_map(|_| &self.positions[self.back..]);
        let unrolled = Unrolled {
            model,
            positions: self.positions.iter().chain(again).copied().collect(),
            back: self.positions.len() + (rounds - 1) * period,
        };
        unrolled.truth(formula).map(|truth| truth[0])
    }
}

/// Does a ground condition hold in a state? `None` where it is no condition.
pub fn holds_in(state: &StateView, condition: &Formula) -> Option<bool> {
    match values::value(state, condition)? {
        Value::Bool(value) => Some(value),
        Value::Int(_) | Value::Literal(_) => None,
    }
}

/// How many past operators stand inside each other, at most.
fn past_height(formula: &Formula) -> usize {
    let mut below = 0;
    formula.for_each_child(|child| below = below.max(past_height(child)));
    let here = match formula.kind() {
        Kind::Unary(Unary::Previous | Unary::Once | Unary::Historically, _)
        | Kind::Binary(Binary::Since, ..) => 1,
        // Two of the readings look back for the creation.
        Kind::Act(_) => 1,
        _ => 0,
    };
    below + here
}

struct Unrolled<'a> {
    model: &'a Model,
    positions: Vec<Position<'a>>,
    back: usize,
}

/// Where a formula holds, position by position.
type Truth = Vec<bool>;

impl Unrolled<'_> {
    fn next(&self, at: usize) -> usize {
        if at + 1 < self.positions.len() { at + 1 } else { self.back }
    }

    /// This position and all later ones, each once.
    fn from(&self, at: usize) -> impl Iterator<Item = usize> {
        (at..self.positions.len()).chain(self.back.min(at)..at)
    }

    fn everywhere(&self, holds: impl Fn(usize) -> bool) -> Truth {
        (0..self.positions.len()).map(holds).collect()
    }

    fn truth(&self, formula: &Formula) -> Option<Truth> {
        match formula.kind() {
            Kind::Unary(op, operand) => self.unary(*op, operand),
            Kind::Binary(op, left, right) => self.binary(formula, *op, left, right),
            Kind::If(condition, then, otherwise) => {
                let (condition, then) = (self.truth(condition)?, self.truth(then)?);
                let otherwise = self.truth(otherwise)?;
                Some(self.everywhere(|at| if condition[at] { then[at] } else { otherwise[at] }))
            }
            Kind::Joined(join @ (Join::Any | Join::All), parts) => {
                let parts: Vec<Truth> = parts.iter().map(|part| self.truth(part)).collect::<Option<_>>()?;
                Some(self.everywhere(|at| match join {
                    Join::Any => parts.iter().any(|part| part[at]),
                    _ => parts.iter().all(|part| part[at]),
                }))
            }
            Kind::Bounded(Bounded { bound, goal }) => {
                let Kind::Int(bound) = *bound.kind() else { return None };
                let always = self.everywhere(|_| true);
                Some(match goal {
                    Within::Finally(operand) => self.within(bound, &always, &self.truth(operand)?),
                    Within::Globally(operand) => {
                        let holds = self.truth(operand)?;
                        let fails = self.within(bound, &always, &self.everywhere(|at| !holds[at]));
                        self.everywhere(|at| !fails[at])
                    }
                    Within::Until(left, right) => self.within(bound, &self.truth(left)?, &self.truth(right)?),
                })
            }
            Kind::Does(pattern) => {
                Some(self.everywhere(|at| {
                    self.positions[at].label.is_some_and(|label| self.matches(pattern, label))
                }))
            }
            Kind::Act(pattern) => self.act(pattern),
            Kind::Bool(_) | Kind::Name(_) | Kind::At(_) | Kind::Active(_) => self.condition(formula),
            _ => None,
        }
    }

    fn condition(&self, formula: &Formula) -> Option<Truth> {
        self.positions.iter().map(|position| holds_in(position.state, formula)).collect()
    }

    fn unary(&self, op: Unary, operand: &Formula) -> Option<Truth> {
        let holds = self.truth(operand)?;
        Some(match op {
            Unary::Not => self.everywhere(|at| !holds[at]),
            Unary::Next => self.everywhere(|at| holds[self.next(at)]),
            Unary::Finally => self.everywhere(|at| self.from(at).any(|later| holds[later])),
            Unary::Globally => self.everywhere(|at| self.from(at).all(|later| holds[later])),
            Unary::Previous => self.everywhere(|at| at > 0 && holds[at - 1]),
            Unary::Once => self.everywhere(|at| (0..=at).any(|earlier| holds[earlier])),
            Unary::Historically => self.everywhere(|at| (0..=at).all(|earlier| holds[earlier])),
            _ => return None,
        })
    }

    fn binary(&self, whole: &Formula, op: Binary, left: &Formula, right: &Formula) -> Option<Truth> {
        if !op.joins_formulas() {
            return self.condition(whole);
        }
        let (a, b) = (self.truth(left)?, self.truth(right)?);
        Some(self.everywhere(|at| match op {
            Binary::And => a[at] && b[at],
            Binary::Or => a[at] || b[at],
            Binary::Implies => !a[at] || b[at],
            Binary::Iff => a[at] == b[at],
            Binary::So => a[at] && (!a[self.next(at)] || b[self.next(at)]),
            Binary::Until | Binary::WeakUntil => {
                let end = self.from(at).find(|later| b[*later] || !a[*later]);
                end.map_or(op == Binary::WeakUntil, |end| b[end])
            }
            Binary::Release => {
                let end = self.from(at).find(|later| a[*later] || !b[*later]);
                end.is_none_or(|end| b[end])
            }
            _ => {
                let end = (0..=at).rev().find(|earlier| b[*earlier] || !a[*earlier]);
                end.is_some_and(|end| b[end])
            }
        }))
    }

    /// Where `b` comes with `a` until then and no more than so many ticks before: by walking there.
    fn within(&self, bound: i64, a: &Truth, b: &Truth) -> Truth {
        let tick = self.model.tick.map(|tick| self.model.label(tick));
        let is_tick = |at: usize| tick.is_some() && self.positions[at].label == tick;
        self.everywhere(|start| {
            let (mut at, mut ticks) = (start, 0);
            // After so many rounds all ticks have been counted, or there are none.
            for _ in 0..self.positions.len() * (bound.max(0) as usize + 2) {
                if b[at] {
                    return true;
                }
                ticks += i64::from(is_tick(at));
                if !a[at] || ticks > bound {
                    return false;
                }
                at = self.next(at);
            }
            false
        })
    }

    /// An act as a formula: its label, and what its reading demands besides.
    fn act(&self, pattern: &ActPattern) -> Option<Truth> {
        let mut result = Vec::new();
        for (at, position) in self.positions.iter().enumerate() {
            result.push(match position.label {
                Some(Label::Act(act)) if self.matches_act(pattern, act) => self.performed(act, at)?,
                _ => false,
            });
        }
        Some(result)
    }

    /// Does the act that happens at a position hold there as a formula?
    fn performed(&self, act: &ActLabel, at: usize) -> Option<bool> {
        let creation =
            ActLabel { kind: ActKind::Create, promise: act.promise.clone(), support: None, third: None };
        let creation = Label::Act(creation);
        match (self.model.acts, act.kind) {
            (ActReading::Actl, ActKind::Satisfy) => Some(self.truth(&act.promise.content)?[self.next(at)]),
            (ActReading::Actl, ActKind::Violate) => Some(!self.truth(&act.promise.content)?[self.next(at)]),
            (ActReading::Scctl, ActKind::Create) => Some(true),
            (ActReading::Scctl, _) => {
                Some(self.positions[..=at].iter().any(|position| position.label == Some(&creation)))
            }
            _ => None,
        }
    }

    fn matches(&self, pattern: &LabelPattern, label: &Label) -> bool {
        match (pattern, label) {
            (LabelPattern::Any, _) => true,
            (LabelPattern::Shown(text), label) => {
                self.model.labels_shown(text).iter().any(|id| self.model.label(*id) == label)
            }
            (LabelPattern::Act(pattern), Label::Act(act)) => self.matches_act(pattern, act),
            (LabelPattern::Action(ActionPattern { agent, name, .. }), Label::Message(sent)) => {
                let sender = sent.by.map(|by| self.model.agent(by).name.clone());
                name.to_string() == *sent.name
                    && agent.as_ref().is_none_or(|agent| Some(agent.to_string()) == sender)
            }
            _ => false,
        }
    }

    fn matches_act(&self, pattern: &ActPattern, act: &ActLabel) -> bool {
        let is = |arg: &Arg<Reference>, agent: AgentId| {
            arg.given().is_none_or(|reference| reference.to_string() == self.model.agent(agent).name)
        };
        let promise = &act.promise;
        let about = |commitment: &Commitment| {
            let tag = match (&commitment.tag, &promise.tag) {
                (None, None) => true,
                (Some(wanted), Some(tag)) => wanted.given().is_none_or(|wanted| wanted.to_string() == *tag),
                _ => false,
            };
            let content = commitment.content.given().is_none_or(|content| *content == promise.content);
            tag && content
                && is(&commitment.debtor, promise.debtor)
                && is(&commitment.creditor, promise.creditor)
        };
        let commitment = pattern.commitment.given().is_none_or(|formula| match formula.kind() {
            Kind::Commitment(commitment) => about(commitment),
            _ => false,
        });
        let support = match (&pattern.kind, &pattern.support) {
            (Arg::Any, _) | (_, Some(Arg::Any)) => true,
            (_, Some(Arg::Is(support))) => act.support.as_ref() == Some(support),
            (_, None) => act.support.is_none(),
        };
        let third = match (&pattern.third, act.third) {
            (Some(wanted), Some(third)) => is(wanted, third),
            (Some(Arg::Any) | None, None) => true,
            _ => false,
        };
        let kind = pattern.kind.given().is_none_or(|kind| *kind == act.kind);
        kind && is(&pattern.actor, act.actor()) && commitment && support && third
    }
}

#[cfg(test)]
mod tests {
    use servanda_logic::parse_formula;

    use super::*;

    /// A path of states in which `p` is true where the text has `p`; the loop begins at `(`.
    fn check(path: &str, formula: &str) -> bool {
        let view = |value: bool| StateView {
            variables: vec![("p".to_owned(), value.to_string())],
            locations: Vec::new(),
            ..StateView::default()
        };
        let (yes, no) = (view(true), view(false));
        let back = path.find('(').expect("a loop");
        let states = path.chars().filter(|c| *c != '(');
        let positions =
            states.map(|c| Position { state: if c == 'p' { &yes } else { &no }, label: None }).collect();
        let formula = parse_formula(formula).unwrap();
        Lasso { positions, back }.satisfies(&Model::new("path"), &formula).expect("a path formula")
    }

    #[test]
    fn the_future_goes_round_the_loop() {
        assert!(check("..(.p", "G F p & G F !p & !F G p"));
        assert!(check("..(p", "F G p & !G p & (!p U p) & (!p W p)"));
        assert!(check("(.", "p W !p & !(F p) & (p R !p) & !p W p"));
        assert!(check("p.(p", "(p so p) & (p so !p) & !X (p so p) & X X (p so p)"));
    }

    #[test]
    fn the_past_goes_back_to_the_beginning() {
        assert!(check("p(.", "!Y true & X Y p & X X Y !p & G P p & F !Y p"));
        assert!(check("p(.", "F G (!p S p) & X H (P p) & !X H p"));
        assert!(!check(".(.", "F (true S p)"));
    }

    #[test]
    fn the_past_settles_after_some_rounds() {
        // Two positions ago, three, four: each needs another time round a loop of one position.
        assert!(check("p(.", "F Y Y Y p & F G !Y Y Y p"));
        assert!(check("(p", "F G (Y Y Y p) & !(Y Y Y p) & X X X (Y Y Y p) & !X X (Y Y Y p)"));
        assert!(check("(.p", "G (Y p -> H (Y p -> !p)) & F G P (p & Y !p)"));
    }
}

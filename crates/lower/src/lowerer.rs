//! Ground formulas to core nodes, with every static check on the way.

use servanda_logic::{
    Arg, Binary, Epistemic, EpistemicOp, Formula, Group, Join, Kind, Strategic, Unary, commitment_depth,
    is_ctl_operator, written_content,
};
use servanda_model::{
    ActLabel, ActReading, AgentId, Deadlock, Expr, Model, Promise, bind_boolean, resolve_agent,
};
use servanda_syntax::{Code, Diagnostic, Findings, Span, all, optional};

use crate::lowering::{Context, Lowered};
use crate::resolve::{resolve_group, resolve_promise};
use crate::{Arena, CoreFormula, Goal, Over, PathFormula, Relation, State, StateFormula};

/// Where in a formula the lowering is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Scope {
    /// Inside the content of a commitment of this depth.
    pub(crate) limit: Option<usize>,
    /// In an access guard: acts match the label alone.
    pub(crate) labels_only: bool,
    /// Inside branching past or a strategy: how many steps of the path lie between its start and here, at least.
    /// Linear past may look back over those, and no further, since there is no one past beyond them.
    pub(crate) floor: Option<usize>,
}

impl Scope {
    pub(crate) fn one_step_on(self) -> Scope {
        Scope { floor: self.floor.map(|steps| steps + 1), ..self }
    }

    /// Inside the argument of an act or pattern, where a formula is a name for itself: nothing is evaluated.
    pub(crate) fn inside_argument(self) -> Scope {
        Scope { floor: None, labels_only: false, ..self }
    }
}

pub(crate) struct Lowerer<'a> {
    pub(crate) model: &'a Model,
    pub(crate) reading: ActReading,
    pub(crate) arena: &'a mut Arena,
    pub(crate) lowered: &'a mut Lowered,
    pub(crate) diagnostics: &'a mut Vec<Diagnostic>,
    pub(crate) deadlock: Deadlock,
    /// The acts whose effect is being written out.
    pub(crate) expanding: Vec<ActLabel>,
}

impl<'a> Lowerer<'a> {
    pub(crate) fn new(
        model: &'a Model,
        reading: ActReading,
        deadlock: Deadlock,
        (arena, lowered): (&'a mut Arena, &'a mut Lowered),
        diagnostics: &'a mut Vec<Diagnostic>,
    ) -> Self {
        Lowerer { model, reading, deadlock, arena, lowered, diagnostics, expanding: Vec::new() }
    }

    /// The paths that a quantifier over a formula so written refers to. What was not written as a CTL operator is none, also
    /// where it becomes one when constants are folded.
    fn over(&self, written: &Formula) -> Over {
        match self.deadlock {
            Deadlock::Loop => Over::AllPaths,
            Deadlock::Strict if is_ctl_operator(written) => Over::Relation,
            Deadlock::Strict => Over::InfinitePaths,
        }
    }

    pub(crate) fn check_use(&mut self, path: PathFormula, formula: &Formula, context: Context) {
        match context {
            Context::Property => {
                self.require_state(path, formula, "a property");
            }
            Context::Proposition => {
                self.require_state(path, formula, "a proposition");
            }
            Context::Fairness => {
                if self.require_state(path, formula, "a fairness constraint").is_none()
                    && let Some(error) = self.diagnostics.last_mut()
                {
                    // Under `E` it would only have to be possible again and again.
                    error.help = Some(format!(
                        "say which states come again and again: set a variable where this happens and name that, or \
                         assume it in the property: `A (G F ({formula}) -> ..)`"
                    ));
                }
            }
            Context::StepFairness => {
                self.require_step(path, formula);
            }
            Context::Content => {}
            Context::AccessGuard => {
                if !self.arena.is_one_step(path) {
                    let message = "an access guard refers to one transition: to a state and its label";
                    self.diagnostics.error::<()>(Code::NotACondition, message, formula.span());
                }
            }
        }
    }

    pub(crate) fn require_state(
        &mut self,
        path: PathFormula,
        formula: &Formula,
        what: &str,
    ) -> Option<StateFormula> {
        // The core drops constants, so `true U p | true` would pass; the formula as written decides.
        if let Some(state) = self.arena.as_state(path)
            && servanda_logic::is_state_formula(formula)
        {
            return Some(state);
        }
        let message = format!("{what} must be a state formula, but this refers to a path");
        self.diagnostics.refuse(
            Diagnostic::error(Code::PathFormula, message, formula.span())
                .help(format!("say of which paths: `A ({formula})` for all, `E ({formula})` for some")),
        )
    }

    pub(crate) fn state(&mut self, formula: &Formula, scope: Scope, what: &str) -> Option<StateFormula> {
        let path = self.formula(formula, scope)?;
        self.require_state(path, formula, what)
    }

    /// A state formula where a path formula may stand.
    fn lifted(&mut self, state: StateFormula) -> PathFormula {
        state.on_path(self.arena)
    }

    /// The content of a commitment, where `?ψ` is the bit of the commitment that carries it.
    pub(crate) fn content(&mut self, promise: &Promise, scope: Scope) -> Option<PathFormula> {
        if let Kind::Unary(Unary::Challenged, _) = promise.content.kind() {
            let in_force = self.model.find_commitment(promise).map_or(Expr::FALSE, Expr::InForce);
            let in_force = self.arena.proposition(in_force);
            return Some(self.lifted(in_force));
        }
        self.formula(&promise.content, scope)
    }

    /// `SC(debtor, creditor, content)` as a formula.
    pub(crate) fn committed(&mut self, promise: &Promise, scope: Scope) -> Option<PathFormula> {
        let body = self.content(promise, scope)?;
        if scope.floor.is_some() {
            self.check_contents_do_not_look_back(promise, scope);
        }
        let (debtor, creditor) = (promise.debtor, promise.creditor);
        let committed = State::Committed { debtor, creditor, limit: scope.limit, body };
        let committed = self.arena.add_state(committed);
        Some(self.lifted(committed))
    }

    /// Inside branching past and strategies a commitment in force whose content remembers the run has no meaning.
    fn check_contents_do_not_look_back(&mut self, promise: &Promise, scope: Scope) {
        let in_force: Vec<Promise> = self
            .model
            .commitments
            .iter()
            .filter(|other| other.debtor == promise.debtor && other.creditor == promise.creditor)
            .cloned()
            .collect();
        let before = self.diagnostics.len();
        for other in in_force {
            let depth = commitment_depth(&other.content);
            if scope.limit.is_none_or(|limit| depth < limit) {
                self.content(&other, Scope { limit: Some(depth), ..scope });
            }
        }
        // Mistakes in the contents themselves are reported where they are declared.
        let looks_back = self.diagnostics[before..].iter().any(|d| d.code == Code::PastReachesOut);
        self.diagnostics.truncate(before);
        if looks_back {
            let message = "a commitment that may be in force here looks back, which has no meaning inside branching past or a strategy";
            self.diagnostics.error::<()>(Code::PastReachesOut, message, promise.content.span());
        }
    }

    pub(crate) fn check_looking_back(&mut self, span: Span, scope: Scope, why: &str) {
        if scope.floor.is_some() {
            let message = format!("{why}, beyond the start of this path");
            self.diagnostics.push(Diagnostic::error(Code::PastReachesOut, message, span).help(
                "inside AY, EY, AH, EP and strategies a state has many pasts; linear past may not look beyond it",
            ));
        }
    }

    /// Is this outside of everything?
    pub(crate) fn is_outside(&self, scope: Scope) -> bool {
        scope == Scope::default() && self.expanding.is_empty()
    }

    /// Lowers a formula; every mistake is reported, and `None` means there was one.
    pub(crate) fn formula(&mut self, formula: &Formula, scope: Scope) -> Option<PathFormula> {
        // What a formula becomes depends on where it stands; only outside of everything is that always the same.
        let outside = self.is_outside(scope);
        if outside && let Some(number) = self.lowered.find(formula) {
            return Some(self.lowered.get(number as usize).1);
        }
        let mistakes = self.diagnostics.len();
        let lowered = self.new_formula(formula, scope)?;
        if outside && self.diagnostics.len() == mistakes {
            self.lowered.number(formula.clone(), lowered);
        }
        Some(lowered)
    }

    fn new_formula(&mut self, formula: &Formula, scope: Scope) -> Option<PathFormula> {
        if is_condition(formula) {
            // The effects of acts are made of declared commitments, whose mistakes are reported where they are declared.
            if self.expanding.is_empty() {
                self.check_subjects(formula, scope)?;
            }
            // The whole condition at once, so that `x != 0 & 6 / x > 1` is protected where x is 0.
            let expr = bind_boolean(self.model, formula, self.diagnostics)?;
            let proposition = self.arena.proposition(expr);
            return Some(self.lifted(proposition));
        }
        match formula.kind() {
            Kind::Unary(op, operand) => self.unary(formula, *op, operand, scope),
            Kind::Binary(op, left, right) => self.binary(formula, *op, left, right, scope),
            Kind::If(condition, then, otherwise) => {
                let (c, a) = (self.formula(condition, scope), self.formula(then, scope));
                let b = self.formula(otherwise, scope);
                let (c, a, b) = (c?, a?, b?);
                let taken = self.arena.and(c, a);
                let not = self.arena.not(c);
                let other = self.arena.and(not, b);
                Some(self.arena.or(taken, other))
            }
            Kind::Joined(join, parts) => {
                let lowered = all(parts.iter().map(|part| self.formula(part, scope)))?;
                match join {
                    Join::All => Some(self.arena.all(lowered)),
                    Join::Any => Some(self.arena.any(lowered)),
                    Join::Sum => self.diagnostics.error(
                        Code::Type,
                        "expected a truth value, found a sum",
                        formula.span(),
                    ),
                }
            }
            Kind::Bounded(bounded) => self.bounded(bounded, formula.span(), scope),
            Kind::Does(pattern) => self.does(pattern, formula.span()),
            Kind::Act(act) => self.act(act, formula.span(), scope),
            Kind::Commitment(commitment) => {
                let promise = resolve_promise(self.model, commitment, formula.span(), self.diagnostics)?;
                self.committed(&promise, scope)
            }
            Kind::Epistemic(epistemic) => self.epistemic(epistemic, scope),
            Kind::Strategic(strategic) => self.strategic(strategic, scope),
            Kind::Comprehension(_) => self.diagnostics.error(
                Code::Type,
                "the range of this comprehension is not known here",
                formula.span(),
            ),
            // Conditions that are not boolean: the binder says what is wrong.
            Kind::Bool(_)
            | Kind::Int(_)
            | Kind::Name(_)
            | Kind::At(_)
            | Kind::Active(_)
            | Kind::Carries(_)
            | Kind::Length(_) => {
                bind_boolean(self.model, formula, self.diagnostics);
                None
            }
        }
    }

    /// Finds the mistakes in what `active(..)` is about: contents compare as parsed.
    fn check_subjects(&mut self, condition: &Formula, scope: Scope) -> Option<()> {
        match condition.kind() {
            Kind::Active(Arg::Is(subject)) => match written_content(subject) {
                Some(content) => self.formula(content, scope.inside_argument()).map(drop),
                None => Some(()),
            },
            Kind::Unary(_, operand) => self.check_subjects(operand, scope),
            Kind::Binary(_, left, right) => {
                let (left, right) = (self.check_subjects(left, scope), self.check_subjects(right, scope));
                left.and(right)
            }
            Kind::Joined(_, parts) => {
                all(parts.iter().map(|part| self.check_subjects(part, scope))).map(drop)
            }
            _ => Some(()),
        }
    }

    fn unary(&mut self, whole: &Formula, op: Unary, operand: &Formula, scope: Scope) -> Option<PathFormula> {
        let span = whole.span();
        if let Unary::ForAll | Unary::Exists = op {
            let over = self.over(operand);
            if let Some(counted) = self.counted(op, operand, scope, over) {
                return counted.map(|state| self.lifted(state));
            }
        }
        let inside = match (op, scope.floor) {
            (Unary::Challenged, _) => {
                let message = "`?` can be written in `decompose` blocks only";
                return self.diagnostics.error(Code::MisplacedChallenge, message, span);
            }
            (Unary::Minus, _) => {
                return self.diagnostics.error(Code::Type, "expected a truth value, found a number", span);
            }
            (Unary::SomePrevious | Unary::SomePast | Unary::AllPrevious | Unary::AllPast, _) => {
                return self.branching_past(op, operand, scope);
            }
            (Unary::Next, _) => scope.one_step_on(),
            (Unary::Previous, Some(steps)) if steps > 0 => Scope { floor: Some(steps - 1), ..scope },
            (Unary::Previous | Unary::Once | Unary::Historically, _) => {
                self.check_looking_back(span, scope, "this linear past operator looks back");
                Scope { floor: None, ..scope }
            }
            _ => scope,
        };
        let a = self.formula(operand, inside)?;
        let over = self.over(operand);
        let arena = &mut *self.arena;
        Some(match op {
            Unary::Not => arena.not(a),
            Unary::ForAll => arena.for_all(a, over).on_path(arena),
            Unary::Exists => arena.exists(a, over).on_path(arena),
            Unary::Next => arena.next(a),
            Unary::Finally => arena.finally(a),
            Unary::Globally => arena.globally(a),
            Unary::Previous => arena.previous(a),
            Unary::Once => arena.once(a),
            _ => {
                let not_a = arena.not(a);
                let once = arena.once(not_a);
                arena.not(once)
            }
        })
    }

    fn branching_past(&mut self, op: Unary, operand: &Formula, scope: Scope) -> Option<PathFormula> {
        let scope = Scope { floor: Some(0), ..scope };
        let a = self.state(operand, scope, "the operand of a branching past operator")?;
        let all = matches!(op, Unary::AllPrevious | Unary::AllPast);
        let inside = if all { self.arena.not(a) } else { a };
        let some = self.arena.add_state(match op {
            Unary::SomePrevious | Unary::AllPrevious => State::SomePrevious(inside),
            _ => State::SomePast(inside),
        });
        let holds = if all { self.arena.not(some) } else { some };
        Some(self.lifted(holds))
    }

    fn binary(
        &mut self,
        whole: &Formula,
        op: Binary,
        left: &Formula,
        right: &Formula,
        scope: Scope,
    ) -> Option<PathFormula> {
        if !op.joins_formulas() {
            // A comparison or arithmetic over something that is no condition: the binder says what is wrong.
            let before = self.diagnostics.len();
            bind_boolean(self.model, whole, self.diagnostics);
            if self.diagnostics.len() == before {
                self.diagnostics.error::<()>(Code::Type, "expected a truth value", whole.span());
            }
            return None;
        }
        let since = op == Binary::Since;
        if since {
            self.check_looking_back(whole.span(), scope, "this linear past operator looks back");
        }
        let inner = if since { Scope { floor: None, ..scope } } else { scope };
        let (a, b) = (self.formula(left, inner), self.formula(right, inner));
        let (a, b) = (a?, b?);
        let arena = &mut *self.arena;
        Some(match op {
            Binary::And => arena.and(a, b),
            Binary::Or => arena.or(a, b),
            Binary::Implies => arena.implies(a, b),
            Binary::Iff => arena.iff(a, b),
            Binary::Until => arena.until(a, b),
            Binary::WeakUntil => arena.weak_until(a, b),
            Binary::Release => arena.release(a, b),
            Binary::Since => arena.since(a, b),
            _ => {
                let later = arena.implies(a, b);
                let next = arena.next(later);
                arena.and(a, next)
            }
        })
    }

    fn epistemic(&mut self, epistemic: &Epistemic, scope: Scope) -> Option<PathFormula> {
        let agent =
            optional(&epistemic.agent, |reference| resolve_agent(self.model, reference, self.diagnostics));
        let group = resolve_group(
            self.model,
            epistemic.group.as_ref().unwrap_or(&Group::Everybody),
            self.diagnostics,
        );
        // Knowledge refers to points of runs, each with a past of its own.
        let body = self.state(&epistemic.body, Scope { floor: None, ..scope }, "what is known");
        let (agent, group, body) = (agent?, group?, body?);
        let one: Vec<AgentId> = agent.into_iter().collect();
        let (relation, correct) = match epistemic.op {
            EpistemicOp::Knows => (Relation::Some(one), vec![]),
            EpistemicOp::EverybodyKnows => (Relation::Some(group), vec![]),
            EpistemicOp::DistributedKnowledge => (Relation::All(group), vec![]),
            EpistemicOp::CommonKnowledge => (Relation::Common(group), vec![]),
            EpistemicOp::Correct => (Relation::Everywhere, one),
            EpistemicOp::KnowsAssumingCorrect => (Relation::Some(one), group),
            EpistemicOp::Believes => {
                let believes = self.believes(one, group, body);
                return Some(self.lifted(believes));
            }
        };
        let knows = self.arena.add_state(State::Knows { relation, correct, body });
        Some(self.lifted(knows))
    }

    /// What holds at the most plausible points is what holds at those where the group behaves correctly; where there are none, every
    /// point is as plausible as any other. So `B(i, g, φ)` is `KH(i, g, φ) & (KH(i, g, false) -> K(i, φ))`.
    fn believes(&mut self, one: Vec<AgentId>, group: Vec<AgentId>, body: StateFormula) -> StateFormula {
        let arena = &mut *self.arena;
        let relation = Relation::Some(one);
        let mut knows = |correct: &[AgentId], body| {
            arena.add_state(State::Knows { relation: relation.clone(), correct: correct.to_vec(), body })
        };
        let assuming = knows(&group, body);
        let implausible = knows(&group, StateFormula::FALSE);
        let anyhow = knows(&[], body);
        let otherwise = arena.implies(implausible, anyhow);
        arena.and(assuming, otherwise)
    }

    fn strategic(&mut self, strategic: &Strategic, scope: Scope) -> Option<PathFormula> {
        let group = resolve_group(self.model, &strategic.group, self.diagnostics);
        let scope = Scope { floor: Some(0), ..scope };
        let what = "the goal of a strategy";
        let mut part = |formula: &Formula| self.state(formula, scope, what);
        let goal = match &strategic.goal {
            servanda_logic::Goal::Next(a) => part(a).map(Goal::Next),
            servanda_logic::Goal::Globally(a) => part(a).map(Goal::Globally),
            servanda_logic::Goal::Finally(a) => part(a).map(|a| Goal::Until(StateFormula::TRUE, a)),
            servanda_logic::Goal::Until(a, b) => {
                let (a, b) = (part(a), part(b));
                a.zip(b).map(|(a, b)| Goal::Until(a, b))
            }
        };
        let able = self.arena.add_state(State::Able { group: group?, goal: goal? });
        Some(self.lifted(able))
    }
}

/// Does it refer to the present state's variables and control states only?
fn is_condition(formula: &Formula) -> bool {
    match formula.kind() {
        Kind::Bool(_)
        | Kind::Int(_)
        | Kind::Name(_)
        | Kind::At(_)
        | Kind::Active(_)
        | Kind::Carries(_)
        | Kind::Length(_) => true,
        Kind::Unary(Unary::Not | Unary::Minus, operand) => is_condition(operand),
        Kind::Binary(op, left, right) => !op.is_temporal() && is_condition(left) && is_condition(right),
        Kind::If(condition, then, otherwise) => [condition, then, otherwise].into_iter().all(is_condition),
        Kind::Joined(_, parts) => parts.iter().all(is_condition),
        _ => false,
    }
}

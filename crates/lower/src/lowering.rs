//! Ground formulas to core nodes, with every static check on the way.

use std::sync::atomic::{AtomicU64, Ordering};

use servanda_logic::{
    Binary, Epistemic, EpistemicOp, Formula, Group, Join, Kind, Strategic, Unary, commitment_depth,
};
use servanda_model::{
    ActLabel, ActReading, AgentId, CommitmentId, Deadlock, Expr, LabelId, Model, Promise, bind_boolean,
};
use servanda_syntax::{Code, Diagnostic, Findings, Span};

use crate::resolve::{resolve_agent, resolve_group, resolve_promise};
use crate::table::Table;
use crate::{Arena, CoreFormula, Goal, Over, PathFormula, Relation, State, StateFormula};

/// What a formula is used as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// A property: a state formula.
    Property,
    /// A fairness constraint: a state formula.
    Fairness,
    /// The content or support of a commitment or act: a path formula.
    Content,
    /// The guard of an `access` declaration: a condition on a state and a label.
    AccessGuard,
}

/// Finds every mistake of a ground formula.
pub fn validate(model: &Model, formula: &Formula, context: Context) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let (mut arena, mut lowered) = (Arena::new(), Lowered::default());
    let tables = (&mut arena, &mut lowered);
    let mut lowerer = Lowerer::new(model, model.acts, Deadlock::Loop, tables, &mut diagnostics);
    let scope = Scope { labels_only: context == Context::AccessGuard, ..Scope::default() };
    let lowered = lowerer.formula(formula, scope);
    if let Some(id) = lowered {
        lowerer.check_use(id, formula, context);
    }
    diagnostics
}

/// How often a model has been lowered in this process.
static MODELS: AtomicU64 = AtomicU64::new(0);

/// How often a model has been lowered in this process; tests ask whether it was once.
pub fn models_lowered() -> u64 {
    MODELS.load(Ordering::Relaxed)
}

/// Formulas that have been lowered outside of everything, with what they became.
type Lowered = Table<Formula, PathFormula>;

/// A model's commitments, access guards and fairness constraints in core form, and the way to lower properties. Every formula is
/// lowered once.
///
/// Clones share the formulas that were there at the last [`Lowering::share`].
#[derive(Clone)]
pub struct Lowering<'m> {
    /// The model.
    pub model: &'m Model,
    /// How act formulas are read.
    pub reading: ActReading,
    /// How deadlocks are read.
    pub deadlock: Deadlock,
    /// All core formulas.
    pub arena: Arena,
    lowered: Lowered,
    contents: Vec<PathFormula>,
    depths: Vec<usize>,
    access: Vec<((AgentId, AgentId), PathFormula)>,
    fairness: Vec<StateFormula>,
}

/// What engines are made from: a model, which is lowered then, or one that has been lowered before.
pub trait IntoLowering<'m> {
    /// The model as core formulas in these readings.
    ///
    /// # Errors
    ///
    /// What is wrong with formulas of the model.
    fn into_lowering(
        self,
        acts: Option<ActReading>,
        deadlock: Deadlock,
    ) -> Result<Lowering<'m>, Vec<Diagnostic>>;
}

impl<'m> IntoLowering<'m> for &'m Model {
    fn into_lowering(
        self,
        acts: Option<ActReading>,
        deadlock: Deadlock,
    ) -> Result<Lowering<'m>, Vec<Diagnostic>> {
        Lowering::new(self, acts, deadlock)
    }
}

impl<'m> IntoLowering<'m> for &Lowering<'m> {
    fn into_lowering(
        self,
        acts: Option<ActReading>,
        deadlock: Deadlock,
    ) -> Result<Lowering<'m>, Vec<Diagnostic>> {
        // In another reading formulas mean something else, and nothing of what is there can be used.
        if (acts.unwrap_or(self.model.acts), deadlock) == (self.reading, self.deadlock) {
            Ok(self.clone())
        } else {
            Lowering::new(self.model, acts, deadlock)
        }
    }
}

impl<'m> Lowering<'m> {
    /// Lowers what the model itself contains; `reading` overrides the model's reading of acts. A model whose
    /// front end has validated it gives no diagnostics here, except that another reading may forbid some uses.
    pub fn new(
        model: &'m Model,
        reading: Option<ActReading>,
        deadlock: Deadlock,
    ) -> Result<Self, Vec<Diagnostic>> {
        let reading = reading.unwrap_or(model.acts);
        MODELS.fetch_add(1, Ordering::Relaxed);
        let (mut arena, mut lowered) = (Arena::new(), Lowered::default());
        let mut diagnostics = Vec::new();
        let mut lowerer =
            Lowerer::new(model, reading, deadlock, (&mut arena, &mut lowered), &mut diagnostics);
        let depths: Vec<usize> = model.commitments.iter().map(|p| commitment_depth(&p.content)).collect();
        let contents: Vec<Option<PathFormula>> = model
            .commitments
            .iter()
            .zip(&depths)
            .map(|(promise, &depth)| {
                lowerer.content(promise, Scope { limit: Some(depth), ..Scope::default() })
            })
            .collect();
        let access: Vec<Option<((AgentId, AgentId), PathFormula)>> = model
            .access
            .iter()
            .map(|access| {
                let guard =
                    lowerer.formula(&access.guard, Scope { labels_only: true, ..Scope::default() })?;
                let always = lowerer.arena.globally(guard);
                Some(((access.debtor, access.creditor), always))
            })
            .collect();
        let fairness: Vec<Option<StateFormula>> = model
            .fairness
            .iter()
            .map(|constraint| lowerer.state(&constraint.formula, Scope::default(), "a fairness constraint"))
            .collect();
        match (contents.into_iter().collect(), access.into_iter().collect(), fairness.into_iter().collect()) {
            (Some(contents), Some(access), Some(fairness)) => {
                Ok(Lowering { model, reading, deadlock, arena, lowered, contents, depths, access, fairness })
            }
            _ => Err(diagnostics),
        }
    }

    /// From now on clones share all formulas there are.
    pub fn share(&mut self) {
        self.arena.share();
        self.lowered.share();
    }

    /// The same model with the formulas of another lowering of it in the same readings. What the model itself contains has the same
    /// numbers in all of them, since it is lowered first.
    #[must_use]
    pub fn with_arena(self, arena: Arena) -> Self {
        let shares = self.arena.shares_with(&arena);
        let lowered = if shares { self.lowered.shared() } else { Lowered::default() };
        Lowering { arena, lowered, ..self }
    }

    /// The fairness constraints.
    pub fn fairness(&self) -> &[StateFormula] {
        &self.fairness
    }

    /// The content of a commitment that can be in force, as a path formula. Inside it `SC` and acts look only at
    /// commitments whose contents nest less deeply.
    pub fn content(&self, commitment: CommitmentId) -> PathFormula {
        self.contents[commitment.index()]
    }

    /// How deeply the content of a commitment nests commitments and acts.
    pub fn depth(&self, commitment: CommitmentId) -> usize {
        self.depths[commitment.index()]
    }

    /// What narrows the accessible paths of a pair, as a path formula (`G guard`); `true` where nothing does.
    pub fn access(&mut self, debtor: AgentId, creditor: AgentId) -> PathFormula {
        let of_pair = self.access.iter().filter(|(pair, _)| *pair == (debtor, creditor));
        of_pair.fold(PathFormula::TRUE, |all, (_, guard)| self.arena.and(all, *guard))
    }

    /// The paths that commitments speak of: infinite ones, also where what is claimed of them looks like a CTL operator.
    pub fn paths_of_commitments(&self) -> Over {
        match self.deadlock {
            Deadlock::Loop => Over::AllPaths,
            Deadlock::Strict => Over::InfinitePaths,
        }
    }

    /// `E ψ` of a formula that nobody wrote: one of the form of a CTL operator is read as one.
    pub fn exists(&mut self, path: PathFormula) -> StateFormula {
        let over = match self.deadlock {
            Deadlock::Loop => Over::AllPaths,
            Deadlock::Strict if self.arena.ctl(path).is_some() => Over::Relation,
            Deadlock::Strict => Over::InfinitePaths,
        };
        self.arena.exists(path, over)
    }

    /// `A ψ`, as [`Lowering::exists`].
    pub fn for_all(&mut self, path: PathFormula) -> StateFormula {
        let fails = self.arena.not(path);
        let some = self.exists(fails);
        self.arena.not(some)
    }

    /// Lowers a property or fairness constraint: a state formula.
    pub fn property(&mut self, formula: &Formula) -> Result<StateFormula, Vec<Diagnostic>> {
        self.lower(|lowerer| {
            let path = lowerer.formula(formula, Scope::default())?;
            lowerer.require_state(path, formula, "a property")
        })
    }

    /// Lowers a path formula.
    pub fn path(&mut self, formula: &Formula) -> Result<PathFormula, Vec<Diagnostic>> {
        self.lower(|lowerer| lowerer.formula(formula, Scope::default()))
    }

    /// What an act brings about in the next state, read `actl`: the subject of conformance.
    pub fn post_condition(&mut self, act: &ActLabel) -> Result<PathFormula, Vec<Diagnostic>> {
        self.lower(|lowerer| lowerer.post_condition(act))
    }

    fn lower<F>(&mut self, lower: impl FnOnce(&mut Lowerer<'_>) -> Option<F>) -> Result<F, Vec<Diagnostic>> {
        let mut diagnostics = Vec::new();
        let tables = (&mut self.arena, &mut self.lowered);
        let mut lowerer = Lowerer::new(self.model, self.reading, self.deadlock, tables, &mut diagnostics);
        match lower(&mut lowerer) {
            Some(formula) if diagnostics.is_empty() => Ok(formula),
            _ => Err(diagnostics),
        }
    }
}

/// Where in a formula the lowering is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Scope {
    /// Inside the content of a commitment of this depth.
    limit: Option<usize>,
    /// In an access guard: acts match the label alone.
    pub(crate) labels_only: bool,
    /// Inside branching past or a strategy: how many steps of the path lie between its start and here, at least.
    /// Linear past may look back over those, and no further, since there is no one past beyond them.
    floor: Option<usize>,
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
    lowered: &'a mut Lowered,
    pub(crate) diagnostics: &'a mut Vec<Diagnostic>,
    deadlock: Deadlock,
    /// The acts whose effect is being written out.
    pub(crate) expanding: Vec<LabelId>,
}

impl<'a> Lowerer<'a> {
    fn new(
        model: &'a Model,
        reading: ActReading,
        deadlock: Deadlock,
        (arena, lowered): (&'a mut Arena, &'a mut Lowered),
        diagnostics: &'a mut Vec<Diagnostic>,
    ) -> Self {
        Lowerer { model, reading, deadlock, arena, lowered, diagnostics, expanding: Vec::new() }
    }

    /// The paths that a quantifier over a formula so written speaks of. What was not written as a CTL operator is none, also
    /// where it becomes one when constants are folded.
    fn over(&self, written: &Formula) -> Over {
        match self.deadlock {
            Deadlock::Loop => Over::AllPaths,
            Deadlock::Strict if is_ctl_operator(written) => Over::Relation,
            Deadlock::Strict => Over::InfinitePaths,
        }
    }

    fn check_use(&mut self, path: PathFormula, formula: &Formula, context: Context) {
        match context {
            Context::Property => {
                self.require_state(path, formula, "a property");
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
            Context::Content => {}
            Context::AccessGuard => {
                if !self.arena.is_one_step(path) {
                    let message = "an access guard speaks of one transition: of a state and its label";
                    self.diagnostics.error::<()>(Code::NotACondition, message, formula.span());
                }
            }
        }
    }

    fn require_state(&mut self, path: PathFormula, formula: &Formula, what: &str) -> Option<StateFormula> {
        // The core drops constants, so `true U p | true` would pass; the formula as written decides.
        if let Some(state) = self.arena.as_state(path)
            && servanda_logic::is_state_formula(formula)
        {
            return Some(state);
        }
        let message = format!("{what} must be a state formula, but this speaks of a path");
        self.diagnostics.refuse(
            Diagnostic::error(Code::PathFormula, message, formula.span())
                .help(format!("say of which paths: `A ({formula})` for all, `E ({formula})` for some")),
        )
    }

    fn state(&mut self, formula: &Formula, scope: Scope, what: &str) -> Option<StateFormula> {
        let path = self.formula(formula, scope)?;
        self.require_state(path, formula, what)
    }

    /// A state formula where a path formula may stand.
    fn lifted(&mut self, state: StateFormula) -> PathFormula {
        state.on_path(self.arena)
    }

    /// The content of a commitment, where `?ψ` is the bit of the commitment that carries it.
    fn content(&mut self, promise: &Promise, scope: Scope) -> Option<PathFormula> {
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

    /// Lowers a formula; every mistake is reported, and `None` means there was one.
    pub(crate) fn formula(&mut self, formula: &Formula, scope: Scope) -> Option<PathFormula> {
        // What a formula becomes depends on where it stands; only outside of everything is that always the same.
        let outside = scope == Scope::default() && self.expanding.is_empty();
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
            // The whole condition at once, so that `x != 0 & 6 / x > 1` is protected where x is 0.
            let expr = bind_boolean(self.model, formula, self.diagnostics)?;
            let proposition = self.arena.proposition(expr);
            return Some(self.lifted(proposition));
        }
        match formula.kind() {
            Kind::Unary(op, operand) => self.unary(formula, *op, operand, scope),
            Kind::Binary(op, left, right) => self.binary(formula, *op, left, right, scope),
            Kind::Joined(join, parts) => {
                let lowered: Vec<Option<PathFormula>> =
                    parts.iter().map(|part| self.formula(part, scope)).collect();
                let lowered = lowered.into_iter().collect::<Option<Vec<_>>>()?.into_iter();
                match join {
                    Join::All => Some(lowered.fold(PathFormula::TRUE, |all, part| self.arena.and(all, part))),
                    Join::Any => Some(lowered.fold(PathFormula::FALSE, |any, part| self.arena.or(any, part))),
                    Join::Sum => self.diagnostics.error(
                        Code::Type,
                        "expected a truth value, found a sum",
                        formula.span(),
                    ),
                }
            }
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
            Kind::Bool(_) | Kind::Int(_) | Kind::Name(_) | Kind::At(_) => {
                bind_boolean(self.model, formula, self.diagnostics);
                None
            }
        }
    }

    fn unary(&mut self, whole: &Formula, op: Unary, operand: &Formula, scope: Scope) -> Option<PathFormula> {
        let span = whole.span();
        let branching = Scope { floor: Some(0), labels_only: scope.labels_only, ..scope };
        match op {
            Unary::Not => {
                let a = self.formula(operand, scope)?;
                Some(self.arena.not(a))
            }
            Unary::ForAll => {
                let a = self.formula(operand, scope)?;
                let holds = self.arena.for_all(a, self.over(operand));
                Some(self.lifted(holds))
            }
            Unary::Exists => {
                let a = self.formula(operand, scope)?;
                let holds = self.arena.exists(a, self.over(operand));
                Some(self.lifted(holds))
            }
            Unary::Next => {
                let a = self.formula(operand, scope.one_step_on())?;
                Some(self.arena.next(a))
            }
            Unary::Finally => {
                let a = self.formula(operand, scope)?;
                Some(self.arena.finally(a))
            }
            Unary::Globally => {
                let a = self.formula(operand, scope)?;
                Some(self.arena.globally(a))
            }
            Unary::Previous => {
                let before = match scope.floor {
                    Some(0) => {
                        self.check_looking_back(span, scope, "this linear past operator looks back");
                        Scope { floor: None, ..scope }
                    }
                    Some(steps) => Scope { floor: Some(steps - 1), ..scope },
                    None => scope,
                };
                let a = self.formula(operand, before)?;
                Some(self.arena.previous(a))
            }
            Unary::Once | Unary::Historically => {
                self.check_looking_back(span, scope, "this linear past operator looks back");
                let a = self.formula(operand, Scope { floor: None, ..scope })?;
                if op == Unary::Once {
                    return Some(self.arena.once(a));
                }
                let not_a = self.arena.not(a);
                let once = self.arena.once(not_a);
                Some(self.arena.not(once))
            }
            Unary::SomePrevious | Unary::SomePast | Unary::AllPrevious | Unary::AllPast => {
                let a = self.state(operand, branching, "the operand of a branching past operator")?;
                let all = matches!(op, Unary::AllPrevious | Unary::AllPast);
                let inside = if all { self.arena.not(a) } else { a };
                let some = self.arena.add_state(match op {
                    Unary::SomePrevious | Unary::AllPrevious => State::SomePrevious(inside),
                    _ => State::SomePast(inside),
                });
                let holds = if all { self.arena.not(some) } else { some };
                Some(self.lifted(holds))
            }
            Unary::Challenged => self.diagnostics.error(
                Code::MisplacedChallenge,
                "`?` can be written in `decompose` blocks only",
                span,
            ),
            Unary::Minus => {
                self.diagnostics.error(Code::Type, "expected a truth value, found a number", span)
            }
        }
    }

    fn binary(
        &mut self,
        whole: &Formula,
        op: Binary,
        left: &Formula,
        right: &Formula,
        scope: Scope,
    ) -> Option<PathFormula> {
        let temporal = matches!(
            op,
            Binary::And
                | Binary::Or
                | Binary::Implies
                | Binary::Iff
                | Binary::Until
                | Binary::WeakUntil
                | Binary::Release
                | Binary::Since
                | Binary::So
        );
        if !temporal {
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
        let agent = match &epistemic.agent {
            None => Some(None),
            Some(reference) => resolve_agent(self.model, reference, self.diagnostics).map(Some),
        };
        let group = resolve_group(
            self.model,
            epistemic.group.as_ref().unwrap_or(&Group::Everybody),
            self.diagnostics,
        );
        // Knowledge speaks of points of runs, each with a past of its own.
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
        };
        let knows = self.arena.add_state(State::Knows { relation, correct, body });
        Some(self.lifted(knows))
    }

    fn strategic(&mut self, strategic: &Strategic, scope: Scope) -> Option<PathFormula> {
        let group = resolve_group(self.model, &strategic.group, self.diagnostics);
        let scope = Scope { floor: Some(0), ..scope };
        let what = "the goal of a strategy";
        let goal = match &strategic.goal {
            servanda_logic::Goal::Next(a) => self.state(a, scope, what).map(Goal::Next),
            servanda_logic::Goal::Globally(a) => self.state(a, scope, what).map(Goal::Globally),
            servanda_logic::Goal::Finally(a) => {
                self.state(a, scope, what).map(|a| Goal::Until(StateFormula::TRUE, a))
            }
            servanda_logic::Goal::Until(a, b) => {
                let (a, b) = (self.state(a, scope, what), self.state(b, scope, what));
                match (a, b) {
                    (Some(a), Some(b)) => Some(Goal::Until(a, b)),
                    _ => None,
                }
            }
        };
        let able = self.arena.add_state(State::Able { group: group?, goal: goal? });
        Some(self.lifted(able))
    }
}

/// Is it one temporal operator over state formulas?
fn is_ctl_operator(formula: &Formula) -> bool {
    let state = servanda_logic::is_state_formula;
    match formula.kind() {
        Kind::Unary(Unary::Next | Unary::Finally | Unary::Globally, a) => state(a),
        Kind::Binary(Binary::Until | Binary::WeakUntil | Binary::Release, a, b) => state(a) && state(b),
        _ => false,
    }
}

/// Does it speak of the present state's variables and control states only?
fn is_condition(formula: &Formula) -> bool {
    match formula.kind() {
        Kind::Bool(_) | Kind::Int(_) | Kind::Name(_) | Kind::At(_) => true,
        Kind::Unary(Unary::Not | Unary::Minus, operand) => is_condition(operand),
        Kind::Binary(op, left, right) => {
            !matches!(op, Binary::Until | Binary::WeakUntil | Binary::Release | Binary::Since | Binary::So)
                && is_condition(left)
                && is_condition(right)
        }
        Kind::Joined(_, parts) => parts.iter().all(is_condition),
        _ => false,
    }
}

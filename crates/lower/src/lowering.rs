//! A model lowered once, and the properties asked about it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use servanda_logic::{Formula, commitment_depth};
use servanda_model::{ActLabel, ActReading, AgentId, CommitmentId, Deadlock, Model, VariableId};
use servanda_syntax::{Diagnostic, all};

use crate::lowerer::{Lowerer, Scope};
use crate::table::Table;
use crate::{Arena, CoreFormula, Over, PathFormula, StateFormula, StepConstraint};

/// What a formula is used as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// A property: a state formula.
    Property,
    /// A named proposition: a state formula.
    Proposition,
    /// A fairness constraint: a state formula.
    Fairness,
    /// A fairness constraint of steps: `does(..)`.
    StepFairness,
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
pub(crate) type Lowered = Table<Formula, PathFormula>;

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
    step_fairness: Vec<StepConstraint>,
}

/// A lowered model, or what is wrong with its formulas.
pub type MaybeLowering<'m> = Result<Lowering<'m>, Vec<Diagnostic>>;

/// What engines are made from: a model, which is lowered then, or one that has been lowered before.
pub trait IntoLowering<'m> {
    /// The model as core formulas in these readings.
    ///
    /// # Errors
    ///
    /// What is wrong with formulas of the model.
    fn into_lowering(self, acts: Option<ActReading>, deadlock: Deadlock) -> MaybeLowering<'m>;
}

impl<'m> IntoLowering<'m> for &'m Model {
    fn into_lowering(self, acts: Option<ActReading>, deadlock: Deadlock) -> MaybeLowering<'m> {
        Lowering::new(self, acts, deadlock)
    }
}

impl<'m> IntoLowering<'m> for &Lowering<'m> {
    fn into_lowering(self, acts: Option<ActReading>, deadlock: Deadlock) -> MaybeLowering<'m> {
        // In another reading formulas mean something else, and nothing of what is there can be used.
        if (acts.unwrap_or(self.model.acts), deadlock) == (self.reading, self.deadlock) {
            return Ok(self.clone());
        }
        Ok(Lowering::new(self.model, acts, deadlock)?.reading_first(self.arena.firsts()))
    }
}

impl<'m> Lowering<'m> {
    /// Lowers what the model itself contains; `reading` overrides the model's reading of acts. A model whose
    /// front end has validated it gives no diagnostics here, except that another reading may forbid some uses.
    pub fn new(model: &'m Model, reading: Option<ActReading>, deadlock: Deadlock) -> MaybeLowering<'m> {
        let reading = reading.unwrap_or(model.acts);
        MODELS.fetch_add(1, Ordering::Relaxed);
        let (mut arena, mut lowered) = (Arena::new(), Lowered::default());
        let mut diagnostics = Vec::new();
        let mut lowerer =
            Lowerer::new(model, reading, deadlock, (&mut arena, &mut lowered), &mut diagnostics);
        let depths: Vec<usize> = model.commitments.iter().map(|p| commitment_depth(&p.content)).collect();
        let contents = all(model.commitments.iter().zip(&depths).map(|(promise, &depth)| {
            lowerer.content(promise, Scope { limit: Some(depth), ..Scope::default() })
        }));
        let access = all(model.access.iter().map(|access| {
            let guard = lowerer.formula(&access.guard, Scope { labels_only: true, ..Scope::default() })?;
            Some(((access.debtor, access.creditor), lowerer.arena.globally(guard)))
        }));
        let fairness = all(model
            .fairness
            .iter()
            .map(|constraint| lowerer.state(&constraint.formula, Scope::default(), "a fairness constraint")));
        let steps = all(model.step_fairness.iter().map(|constraint| lowerer.fair_step(constraint)));
        match (contents, access, fairness, steps) {
            (Some(contents), Some(access), Some(mut fairness), Some(steps)) => {
                // What no step can meet is met always.
                fairness.extend(steps.iter().filter(|step| step.is_none()).map(|_| StateFormula::TRUE));
                let step_fairness = steps.into_iter().flatten().collect();
                Ok(Lowering {
                    model,
                    reading,
                    deadlock,
                    arena,
                    lowered,
                    contents,
                    depths,
                    access,
                    fairness,
                    step_fairness,
                })
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

    /// The same formulas, in which propositions read the first of equal variables: for each variable the first of those that it is equal to
    /// in every reachable state. So do all that will be lowered. Without equal variables nothing is other than it was.
    #[must_use]
    pub fn reading_first(self, firsts: Option<&Arc<[VariableId]>>) -> Self {
        let Some(firsts) = firsts else { return self };
        Lowering { arena: self.arena.reading_first(firsts), ..self }
    }

    /// The same formulas for another model in which everything that they refer to has the same number and the same meaning.
    #[must_use]
    pub fn of_slice<'s>(&self, slice: &'s Model) -> Lowering<'s>
    where
        'm: 's,
    {
        Lowering { model: slice, ..self.clone() }
    }

    /// The fairness constraints.
    pub fn fairness(&self) -> &[StateFormula] {
        &self.fairness
    }

    /// The fairness constraints of steps; those that no step can meet are among the others.
    pub fn step_fairness(&self) -> &[StepConstraint] {
        &self.step_fairness
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

    /// All that `SC` of this nesting comes down to: its body, what narrows the accessible paths, and what may be in force.
    pub fn paths_within(
        &mut self,
        (debtor, creditor): (AgentId, AgentId),
        limit: Option<usize>,
        body: PathFormula,
    ) -> Vec<PathFormula> {
        let access = self.access(debtor, creditor);
        let promises = self.promises(debtor, creditor, limit);
        [body, access].into_iter().chain(promises.iter().map(|promise| self.content(*promise))).collect()
    }

    /// The paths that commitments refer to: infinite ones, also where what is claimed of them looks like a CTL operator.
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

//! What is known of a model before anything is asked about it.

use std::sync::Arc;

use servanda_algebra::flows;
use servanda_engine::{Budget, Options};
use servanda_lower::{Lowering, StateFormula};
use servanda_model::{
    Behaviour, Bounds, Command, Expr, Flow, Footprint, Model, Mover, Places, Ranges, VariableId,
};

use crate::cone::Cone;
use crate::implied::{Guard, guards};
use crate::needs::{Needs, Style};
use crate::{equal, idle, rounds};

/// A condition that tests leave out, to see that they notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// Fairness constraints count as read by nobody.
    FairnessForgotten,
    /// What those see who know something counts as read by nobody.
    KnowledgeForgotten,
    /// Agents are left out that can be unable to act.
    BlockingForgotten,
    /// That what is left out may go on for ever is not known to the slice.
    EndlessForgotten,
    /// Commands that may fail are left out.
    FaultsForgotten,
    /// Conditions on several initial values are divided.
    InitialForgotten,
    /// All formulas count as even.
    AnyFormula,
    /// Whatever is asked of a counter counts as implied by what is asked of others.
    ImpliedUnchecked,
    /// Sums are found without a variable that commands change, though it is 0 at first.
    SumsIncomplete,
    /// What begins alike counts as always equal.
    ChangesForgotten,
}

/// What is read of variables that are always equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// The first of them, whichever is meant.
    First,
    /// Each as itself.
    Each,
}

/// Guards and values of more nodes than this in all are not looked through.
const MOST_NODES: usize = 1 << 20;

/// So many choices are tried to see that what is left out has an initial state.
const MOST_CHOICES: u32 = 10_000;

/// Finds the cones of properties in one model, and cuts slices.
pub struct Slicer<'m> {
    pub(crate) model: &'m Model,
    pub(crate) bounds: Bounds,
    /// The commands with constants folded, and what they read and write; none where agents act in rounds.
    pub(crate) commands: Vec<Command>,
    pub(crate) footprints: Vec<Footprint>,
    /// By command: the parts of its guard, and which of them the others imply.
    pub(crate) guards: Vec<Guard>,
    /// By command: can it run at all?
    pub(crate) live: Vec<bool>,
    /// The parts of the condition on initial states, with what they read.
    pub(crate) initial: Vec<(Expr, Vec<u32>)>,
    /// By variable the first of those that it is always equal to, where two are.
    pub(crate) firsts: Option<Arc<[VariableId]>>,
    pub(crate) flaws: Option<Flaw>,
}

impl<'m> Slicer<'m> {
    /// `None` where no property of the model is sliced: it is too large to be looked through, or moves may be lost in it.
    /// Where `budget` says that it is time to stop, sums that no command changes are not looked for.
    pub fn new(model: &'m Model, budget: &dyn Budget) -> Option<Self> {
        Slicer::made(model, Reading::First, None, budget)
    }

    /// The same for engines that read formulas of a slice themselves, as its users wrote them: each variable is read as itself, whether or not
    /// it is always equal to another one.
    pub fn reading_each(model: &'m Model, budget: &dyn Budget) -> Option<Self> {
        Slicer::made(model, Reading::Each, None, budget)
    }

    pub(crate) fn made(
        model: &'m Model,
        reading: Reading,
        flaws: Option<Flaw>,
        budget: &dyn Budget,
    ) -> Option<Self> {
        let mut left = MOST_NODES;
        for expr in expressions(model) {
            left = left.checked_sub(expr.size_up_to(left + 1))?;
        }
        let mut bounds = Bounds::of_runs(model);
        if let Behaviour::Rounds(programs) = &model.behaviour
            && (rounds::may_lose_moves(model, programs, &bounds) || !model.joint_acts.is_empty())
        {
            return None;
        }
        if !model.behaviour.is_rounds() {
            bounds = bounds.with_flows(sums(model, flaws, budget));
        }
        let mut commands: Vec<Command> =
            model.commands().map(|(_, command)| with_constants(command, &bounds)).collect();
        let firsts = match reading {
            Reading::First => equal::equal((model, &bounds), &commands, flaws),
            Reading::Each => None,
        };
        if let Some(firsts) = &firsts {
            commands.iter_mut().for_each(|command| *command = equal::reading_first(command, firsts));
        }
        let footprints = commands.iter().map(|command| Footprint::new(model, &bounds, command)).collect();
        let lives = |command: &Command| {
            !Ranges::where_holds(&bounds, &command.guard).is_some_and(|ranges| ranges.is_never())
        };
        let live = commands.iter().map(lives).collect();
        let guards = guards(model, &bounds, &commands, flaws);
        let places = Places::new(model);
        let initial =
            model.initial.conjuncts().into_iter().map(|part| (part.clone(), places.read_by([part])));
        let initial = initial.collect();
        let firsts = firsts.map(Arc::from);
        Some(Slicer { model, bounds, commands, footprints, guards, live, initial, firsts, flaws })
    }

    /// An expression with constants in place of the variables that never change.
    pub(crate) fn folded(&self, expr: &Expr) -> Expr {
        expr.folded(&|variable| constant_or_itself(variable, &self.bounds))
    }

    /// Formulas that read the first of equal variables, as everything that is kept does. Cones are found for those, and slices decide those.
    pub fn formulas<'a>(&self, lowering: &Lowering<'a>) -> Lowering<'a> {
        lowering.clone().reading_first(self.firsts.as_ref())
    }

    /// What a property depends on, which is one of [these](Slicer::formulas); `None` where that is everything.
    pub fn cone(
        &self,
        lowering: &mut Lowering<'_>,
        property: StateFormula,
        options: Options,
    ) -> Option<Cone> {
        // What agents remember of a run depends on all its steps.
        if options.recall.is_some() {
            return None;
        }
        let needs = Needs::of(lowering, property, options, self.flaws)?;
        let cone = if self.model.behaviour.is_rounds() {
            rounds::cone(self, &needs)
        } else {
            self.cone_of_commands(&needs)
        };
        (cone.leaves_something_out(self) && self.can_begin(&cone)).then_some(cone)
    }

    fn cone_of_commands(&self, needs: &Needs) -> Cone {
        let narrow = (needs.style != Style::Exact).then(|| Cone::of(self, needs));
        let Some(narrow) = narrow else { return Cone::of(self, needs) };
        match needs.style {
            Style::Blind => narrow,
            _ if self.flaws == Some(Flaw::EndlessForgotten) => narrow,
            _ => match idle::goes_on(self, &narrow) {
                Some(idle) => Cone { idle, ..narrow },
                None => Cone::of(self, &Needs { style: Style::Exact, ..needs.clone() }),
            },
        }
    }

    /// Is there an initial state of what is left out? Otherwise there is none of the whole.
    fn can_begin(&self, cone: &Cone) -> bool {
        if self.model.variables.iter().any(|variable| variable.initial.is_empty()) {
            return false;
        }
        let left_out = self.initial.iter().filter(|(_, read)| !read.is_empty() && !cone.keeps_one_of(read));
        let condition = Expr::and(left_out.map(|(part, _)| part.clone()));
        let mut model = Model::new("");
        model.variables = self.model.variables.clone();
        model.initial = condition;
        for (variable, kept) in model.variables.iter_mut().zip(&cone.places) {
            if *kept {
                variable.initial.truncate(1);
            }
        }
        let mut choices = 0;
        let found = Mover::new(&model).initial_states().try_next(|| {
            choices += 1;
            if choices < MOST_CHOICES { Ok(()) } else { Err(()) }
        });
        matches!(found, Ok(Some(_)))
    }
}

fn constant_or_itself(variable: VariableId, bounds: &Bounds) -> Expr {
    bounds.constant(variable).map_or(Expr::Variable(variable), Expr::Constant)
}

/// A command with constants in place of the variables that never change.
fn with_constants(command: &Command, bounds: &Bounds) -> Command {
    let folded = |expr: &Expr| expr.folded(&|variable| constant_or_itself(variable, bounds));
    let updates = command.updates.iter().map(|(variable, value)| (*variable, folded(value)));
    Command { guard: folded(&command.guard), updates: updates.collect(), ..command.clone() }
}

/// The sums that no command changes; none where that takes too long.
fn sums(model: &Model, flaws: Option<Flaw>, budget: &dyn Budget) -> Vec<Flow> {
    let mut sums = flows(model, budget).unwrap_or_default();
    if flaws == Some(Flaw::SumsIncomplete) {
        for sum in sums.iter_mut().filter(|sum| sum.terms.len() > 1) {
            sum.terms.pop_if(|(term, _)| model.variable(term.variable()).initial == [0]);
        }
    }
    sums
}

/// All guards and values of a model.
fn expressions(model: &Model) -> impl Iterator<Item = &Expr> {
    let commands = model.behaviour.commands().iter();
    let commands = commands.flat_map(|c| std::iter::once(&c.guard).chain(c.updates.iter().map(|(_, v)| v)));
    let programs = model.behaviour.programs().iter();
    let lines = programs.flat_map(|program| program.evolution.iter().flat_map(|block| &block.lines));
    let lines = lines.flat_map(|l| std::iter::once(&l.guard).chain(l.updates.iter().map(|(_, v)| v)));
    commands.chain(lines)
}

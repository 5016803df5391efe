//! What a property reads, and what it notices.

use rustc_hash::FxHashSet;
use servanda_engine::Options;
use servanda_lower::{
    Action, Lowering, Over, Path, PathFormula, Relation, State, StateFormula, is_even, is_shown_by_a_part,
};
use servanda_model::{AgentId, Expr, Model, Places};

use crate::slicer::Flaw;

/// What a property notices of steps that change nothing it depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Style {
    /// Nothing: everything it asks for is shown by finite parts of runs.
    Blind,
    /// Only whether they go on for ever.
    Even,
    /// How many there are.
    Exact,
}

/// What a property depends on, before anybody asks what that depends on.
#[derive(Clone, Debug)]
pub(crate) struct Needs {
    /// By place: is it read?
    pub(crate) places: Vec<bool>,
    /// By label: is it asked for?
    pub(crate) labels: Vec<bool>,
    /// By agent: is it asked which action it takes?
    pub(crate) actors: Vec<bool>,
    pub(crate) style: Style,
}

/// Goes through a property.
struct Reader<'l, 'm> {
    lowering: &'l mut Lowering<'m>,
    options: Options,
    flaws: Option<Flaw>,
    needs: Needs,
    states: FxHashSet<StateFormula>,
    todo: Vec<StateFormula>,
}

impl Needs {
    /// `None` where nothing can be left out for the property.
    pub(crate) fn of(
        lowering: &mut Lowering<'_>,
        property: StateFormula,
        options: Options,
        flaws: Option<Flaw>,
    ) -> Option<Self> {
        let model = lowering.model;
        let needs = Needs {
            places: vec![false; model.variables.len() + model.commitments.len()],
            labels: vec![false; model.labels.len()],
            actors: vec![false; model.agents.len()],
            style: Style::Blind,
        };
        let todo = vec![property];
        let mut reader = Reader { lowering, options, flaws, needs, states: FxHashSet::default(), todo };
        if model.has_fairness() && flaws != Some(Flaw::FairnessForgotten) {
            reader.fairness();
        }
        while let Some(state) = reader.todo.pop() {
            if reader.states.insert(state) {
                reader.state(state)?;
            }
        }
        Some(reader.needs)
    }
}

impl<'m> Reader<'_, 'm> {
    fn model(&self) -> &'m Model {
        self.lowering.model
    }

    fn notices(&mut self, style: Style) {
        self.needs.style = self.needs.style.max(style);
    }

    fn reads(&mut self, expr: &Expr) {
        let places = Places::new(self.model());
        places.read_by([expr]).into_iter().for_each(|place| self.needs.places[place as usize] = true);
    }

    /// Every run that counts meets the constraints, so every property refers to them; and on such a run something happens again and again.
    fn fairness(&mut self) {
        self.notices(Style::Even);
        self.todo.extend(self.lowering.fairness().iter().copied());
        for constraint in self.lowering.step_fairness().to_vec() {
            self.todo.push(constraint.possible);
            for label in self.lowering.arena.labels(constraint.taken) {
                self.needs.labels[label.index()] = true;
            }
        }
    }

    /// What these agents see together.
    fn sees(&mut self, agents: &[AgentId]) {
        let model = self.model();
        if agents.is_empty() || self.flaws == Some(Flaw::KnowledgeForgotten) {
            return;
        }
        for (id, variable) in model.variables() {
            self.needs.places[id.index()] |= variable.visibility.seen_by(agents);
        }
        for (id, _) in model.commitments() {
            self.needs.places[model.variables.len() + id.index()] |= model.sees_commitment(agents, id);
        }
    }

    fn state(&mut self, id: StateFormula) -> Option<()> {
        match self.lowering.arena.state(id).clone() {
            State::True => {}
            State::Proposition(proposition) => {
                let expr = self.lowering.arena.proposition_expr(proposition).clone();
                self.reads(&expr);
            }
            State::Not(a) => self.todo.push(a),
            State::And(a, b) | State::Or(a, b) => self.todo.extend([a, b]),
            State::Exists { path, over } => {
                self.path(path);
                if over != Over::AllPaths {
                    self.notices(Style::Exact);
                }
            }
            // What is said of an earlier state depends on how one came here.
            State::SomePrevious(_) | State::SomePast(_) => return None,
            State::Committed { debtor, creditor, body, .. } => {
                self.notices(Style::Even);
                let access = self.lowering.access(debtor, creditor);
                let mut paths = vec![body, access];
                let model = self.model();
                for (id, promise) in model.commitments() {
                    if (promise.debtor, promise.creditor) == (debtor, creditor) {
                        self.needs.places[model.variables.len() + id.index()] = true;
                        paths.push(self.lowering.content(id));
                    }
                }
                paths.into_iter().for_each(|path| self.path(path));
            }
            State::Knows { relation, correct, body } => {
                match relation {
                    Relation::Everywhere => {}
                    Relation::Some(agents) | Relation::All(agents) | Relation::Common(agents) => {
                        self.sees(&agents);
                    }
                }
                for agent in correct {
                    let red = self.model().agent(agent).red.clone();
                    self.reads(&red);
                }
                self.todo.push(body);
            }
            State::Able { group, goal } => {
                self.notices(Style::Exact);
                if self.options.strategies.are_uniform() {
                    self.sees(&group);
                }
                self.todo.extend(goal.parts());
            }
        }
        Some(())
    }

    fn path(&mut self, psi: PathFormula) {
        let arena = &self.lowering.arena;
        // All state formulas in it are looked at as well, and what one of them notices all notice.
        let even = is_even(arena, psi, &|_| true) || self.flaws == Some(Flaw::AnyFormula);
        let style = match even {
            false => Style::Exact,
            true if is_shown_by_a_part(arena, psi) => Style::Blind,
            true => Style::Even,
        };
        for part in arena.path_parts(&[psi]) {
            match *arena.path(part) {
                Path::State(state) => self.todo.push(state),
                Path::Action(Action::Does(set)) => {
                    arena.labels(set).iter().for_each(|label| self.needs.labels[label.index()] = true);
                }
                Path::Action(Action::Acts { agent, .. }) => self.needs.actors[agent.index()] = true,
                _ => {}
            }
        }
        self.notices(style);
    }
}

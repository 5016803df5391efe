//! The tableau: goals and the rules that take them apart.

use std::collections::{HashMap, VecDeque};

use servanda_logic::{Formula, Kind, Unary};
use servanda_syntax::Diagnostic;

use super::arena::{Node, NodeId};
use super::components::find_components;
use super::convert::Converter;
use crate::Acts;
use crate::automaton::{
    Abta, AcceptanceSet, ActionLiteral, Quantifier, Rule, Scope, State, StateId, StateKind,
};
use crate::facts::{Fact, Facts};
use crate::limits::{Limits, too_long, too_many_states};

/// What a state stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Goal {
    /// A state formula.
    State(NodeId),
    /// `E Φ` or `A Φ`.
    Set(Set),
}

/// `E Φ` or `A Φ`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Set {
    quantifier: Quantifier,
    scope: Option<Scope>,
    members: Vec<NodeId>,
    /// The until formulas (under `A` release formulas) that were met at this position, as far as they can still be
    /// postponed at it for another reason.
    met: Vec<NodeId>,
}

/// A row of the tableau.
struct Row {
    goal: Goal,
    rule: Option<Rule>,
    kind: StateKind,
    successors: Vec<usize>,
    /// The step postpones these without having met them at its position.
    postponed: Vec<NodeId>,
}

/// What a rule makes of a goal.
struct Applied {
    rule: Option<Rule>,
    kind: StateKind,
    children: Vec<Goal>,
    postponed: Vec<NodeId>,
}

struct Tableau {
    converter: Converter,
    limits: Limits,
    rows: Vec<Row>,
    members: usize,
    numbers: HashMap<Goal, usize>,
    waiting: VecDeque<usize>,
}

/// The automaton of a state formula, one state per goal.
pub(crate) fn translate(
    formula: &Formula,
    acts: Acts,
    limits: Limits,
) -> Result<(Abta, Facts), Box<Diagnostic>> {
    let mut converter = Converter::new(acts);
    let start = converter.convert(formula, true)?;
    let mut tableau = Tableau {
        converter,
        limits,
        rows: Vec::new(),
        members: 0,
        numbers: HashMap::new(),
        waiting: VecDeque::new(),
    };
    let start = tableau.state_goal(start);
    tableau.number(start)?;
    while let Some(next) = tableau.waiting.pop_front() {
        let goal = tableau.rows[next].goal.clone();
        let applied = tableau.apply(&goal);
        let mut successors = Vec::new();
        for child in applied.children {
            let child = tableau.number(child)?;
            if !successors.contains(&child) {
                successors.push(child);
            }
        }
        let row = &mut tableau.rows[next];
        (row.rule, row.kind, row.postponed) = (applied.rule, applied.kind, applied.postponed);
        row.successors = successors;
    }
    let facts = tableau.facts();
    let abta = tableau.finish()?;
    // A single state is one that asks only whether there is an accessible path.
    let cycle = abta.components.iter().any(|component| component.states.len() > 1);
    let cycle = cycle.then_some(Fact::Cycle);
    Ok((abta, facts.into_iter().chain(cycle).collect()))
}

fn literal_fact(atom: &Formula) -> Option<Fact> {
    match atom.kind() {
        Kind::Unary(Unary::Previous, _) => Some(Fact::Past),
        Kind::Unary(..) | Kind::Epistemic(_) | Kind::Strategic(_) => Some(Fact::Opaque),
        _ => None,
    }
}

/// The same set however it is ordered.
fn key(goal: &Goal) -> Goal {
    let mut key = goal.clone();
    if let Goal::Set(set) = &mut key {
        set.members.sort_unstable();
        set.met.sort_unstable();
    }
    key
}

fn rule(name: &'static str, label: impl Into<String>) -> Option<Rule> {
    Some(Rule { name, label: label.into() })
}

/// The name of a rule under either quantifier.
fn named(quantifier: Quantifier, exists: &'static str, for_all: &'static str) -> &'static str {
    match quantifier {
        Quantifier::Exists => exists,
        Quantifier::ForAll => for_all,
    }
}

impl Goal {
    fn as_set(&self) -> Option<&Set> {
        match self {
            Goal::State(_) => None,
            Goal::Set(set) => Some(set),
        }
    }
}

impl Set {
    /// The value of the set once some member has it: `false` for `E`, `true` for `A`.
    fn absorbing(&self) -> bool {
        self.quantifier == Quantifier::ForAll
    }

    /// The rest with some formulas in the place of the member at `index`.
    fn with(&self, index: usize, new: &[NodeId]) -> Set {
        let mut members: Vec<NodeId> = Vec::new();
        for (position, member) in self.members.iter().enumerate() {
            let here: &[NodeId] = if position == index { new } else { std::slice::from_ref(member) };
            for id in here {
                if !members.contains(id) {
                    members.push(*id);
                }
            }
        }
        Set { members, ..self.clone() }
    }

    fn meeting(mut self, until: NodeId) -> Set {
        if !self.met.contains(&until) {
            self.met.push(until);
        }
        self
    }
}

impl Tableau {
    fn number(&mut self, mut goal: Goal) -> Result<usize, Box<Diagnostic>> {
        if let Goal::Set(set) = &mut goal {
            let arena = &mut self.converter.arena;
            set.met.retain(|until| set.members.iter().any(|member| arena.may_postpone(*member, *until)));
        }
        let key = key(&goal);
        if let Some(&number) = self.numbers.get(&key) {
            return Ok(number);
        }
        let number = self.rows.len();
        if let Goal::Set(set) = &goal {
            self.members += set.members.len();
        }
        if number >= self.limits.states || self.members > self.limits.members() {
            return Err(too_many_states(self.limits));
        }
        self.numbers.insert(key, number);
        let (kind, successors, postponed) = (StateKind::True, Vec::new(), Vec::new());
        self.rows.push(Row { goal, rule: None, kind, successors, postponed });
        self.waiting.push_back(number);
        Ok(number)
    }

    /// A state formula as a goal; a quantified one is a set of one formula at once.
    fn state_goal(&self, id: NodeId) -> Goal {
        match self.converter.arena.node(id) {
            Node::Quantified(quantifier, scope, path) => {
                let (quantifier, scope) = (*quantifier, scope.clone());
                Goal::Set(Set { quantifier, scope, members: vec![*path], met: Vec::new() })
            }
            _ => Goal::State(id),
        }
    }

    fn leaf(kind: StateKind) -> Applied {
        Applied { rule: None, kind, children: Vec::new(), postponed: Vec::new() }
    }

    fn apply(&mut self, goal: &Goal) -> Applied {
        match goal {
            Goal::State(id) => self.apply_to_state(*id),
            Goal::Set(set) => self.apply_to_set(set),
        }
    }

    fn apply_to_state(&mut self, id: NodeId) -> Applied {
        let join = |rule, kind, left, right| Applied {
            rule,
            kind,
            children: vec![self.state_goal(left), self.state_goal(right)],
            postponed: Vec::new(),
        };
        match self.converter.arena.node(id).clone() {
            Node::And(left, right) => join(rule("S1", "∧"), StateKind::And, left, right),
            Node::Or(left, right) => join(rule("S2", "∨"), StateKind::Or, left, right),
            Node::Constant(true) => Self::leaf(StateKind::True),
            Node::Constant(false) => Self::leaf(StateKind::False),
            Node::Atom(atom, positive) => Self::leaf(StateKind::Literal { atom, positive }),
            // No goal of this kind is ever made of other nodes.
            _ => Self::leaf(StateKind::False),
        }
    }

    /// The member that is taken apart next: those that leave one goal before those that leave several.
    fn next_member(&self, set: &Set) -> Option<usize> {
        let arena = &self.converter.arena;
        let exists = set.quantifier == Quantifier::Exists;
        let rank = |id: NodeId| match arena.node(id) {
            _ if arena.is_state(id) => Some(0),
            Node::And(..) => Some(if exists { 1 } else { 3 }),
            Node::Or(..) => Some(if exists { 3 } else { 1 }),
            Node::Release(left, _) if exists && arena.is_constant(*left, false) => Some(2),
            Node::Until(left, _) if !exists && arena.is_constant(*left, true) => Some(2),
            Node::Until(..) | Node::Release(..) => Some(3),
            _ => None,
        };
        let ranked = set.members.iter().enumerate().filter_map(|(index, id)| Some((rank(*id)?, index)));
        ranked.min().map(|(_, index)| index)
    }

    fn apply_to_set(&mut self, set: &Set) -> Applied {
        let quantifier = set.quantifier;
        let (joining, splitting) = match quantifier {
            Quantifier::Exists => (StateKind::And, StateKind::Or),
            Quantifier::ForAll => (StateKind::Or, StateKind::And),
        };
        let label = |kind: &StateKind| if *kind == StateKind::And { "∧" } else { "∨" };
        let Some(index) = self.next_member(set) else { return self.step(set) };
        let member = set.members[index];
        if self.converter.arena.is_state(member) {
            if self.converter.arena.is_constant(member, set.absorbing()) {
                let leaf = if set.absorbing() { StateKind::True } else { StateKind::False };
                return Applied { rule: rule(named(quantifier, "E1", "A1"), ""), ..Self::leaf(leaf) };
            }
            let mut children = Vec::new();
            if !self.converter.arena.is_constant(member, !set.absorbing()) {
                children.push(self.state_goal(member));
            }
            let rest = set.with(index, &[]);
            // Without a scope there is always a path, so the empty set says nothing.
            if children.is_empty() || !rest.members.is_empty() || rest.scope.is_some() {
                children.push(Goal::Set(rest));
            }
            let rule = rule(named(quantifier, "E1", "A1"), label(&joining));
            return Applied { rule, kind: joining, children, postponed: Vec::new() };
        }
        let node = self.converter.arena.node(member).clone();
        let one = |name, new: &[NodeId]| Applied {
            rule: rule(name, label(&joining)),
            kind: joining.clone(),
            children: vec![Goal::Set(set.with(index, new))],
            postponed: Vec::new(),
        };
        let two = |name, first: Set, second: Set| Applied {
            rule: rule(name, label(&splitting)),
            kind: splitting.clone(),
            children: vec![Goal::Set(first), Goal::Set(second)],
            postponed: Vec::new(),
        };
        let exists = quantifier == Quantifier::Exists;
        match node {
            Node::And(left, right) if exists => one("E2", &[left, right]),
            Node::Or(left, right) if !exists => one("A2", &[left, right]),
            Node::And(left, right) | Node::Or(left, right) => {
                two(named(quantifier, "E3", "A3"), set.with(index, &[left]), set.with(index, &[right]))
            }
            Node::Until(left, right) | Node::Release(left, right) => {
                let later = self.converter.arena.next(member);
                // `true` in a conjunction and `false` in a disjunction say nothing; in `F` and `G` they stand on the left.
                let idle = self.converter.arena.is_constant(left, exists);
                let dead = self.converter.arena.is_constant(left, !exists);
                if matches!(node, Node::Until(..)) == exists {
                    let name = named(quantifier, "E4", "A4");
                    let met = set.with(index, &[right]).meeting(member);
                    let postponed =
                        if idle { set.with(index, &[later]) } else { set.with(index, &[left, later]) };
                    two(name, met, postponed)
                } else if dead {
                    one(named(quantifier, "E5", "A5"), &[right, later])
                } else {
                    let name = named(quantifier, "E5", "A5");
                    two(name, set.with(index, &[right, left]), set.with(index, &[right, later]))
                }
            }
            // Next and action literals have no rank.
            _ => self.step(set),
        }
    }

    /// Only `X` formulas and action literals are left: one step for all of them.
    fn step(&mut self, set: &Set) -> Applied {
        let quantifier = set.quantifier;
        let (mut actions, mut next, mut postponed) = (Vec::new(), Vec::new(), Vec::new());
        for member in &set.members {
            match self.converter.arena.node(*member).clone() {
                Node::Does(action, positive) => actions.push(ActionLiteral { action, positive }),
                Node::Next(operand) => {
                    next.push(operand);
                    let until = match self.converter.arena.node(operand) {
                        Node::Until(..) => quantifier == Quantifier::Exists,
                        Node::Release(..) => quantifier == Quantifier::ForAll,
                        _ => false,
                    };
                    if until && !set.met.contains(&operand) {
                        postponed.push(operand);
                    }
                }
                _ => {}
            }
        }
        if set.members.is_empty() && set.scope.is_none() {
            let leaf = if set.absorbing() { StateKind::False } else { StateKind::True };
            return Self::leaf(leaf);
        }
        let rule = rule(named(quantifier, "E6", "A6"), "X");
        let kind = match quantifier {
            Quantifier::Exists => StateKind::StepExists(actions),
            Quantifier::ForAll => StateKind::StepForAll(actions),
        };
        let after = Set { quantifier, scope: set.scope.clone(), members: next, met: Vec::new() };
        Applied { rule, kind, children: vec![Goal::Set(after)], postponed }
    }

    fn facts(&self) -> Facts {
        let arena = &self.converter.arena;
        let mut facts = Facts::new();
        for row in &self.rows {
            match &row.kind {
                StateKind::StepExists(actions) | StateKind::StepForAll(actions) => {
                    let asks = row.goal.as_set().is_some_and(|set| !set.members.is_empty());
                    facts.extend(asks.then_some(Fact::Step));
                    facts.extend((!actions.is_empty()).then_some(Fact::Action));
                }
                StateKind::Literal { atom, .. } => facts.extend(literal_fact(atom)),
                _ => {}
            }
            if let Some(set) = row.goal.as_set() {
                let paths = set.members.iter().filter(|id| !arena.is_state(**id)).count();
                let labels: Vec<bool> = set.members.iter().filter_map(|id| arena.label_sign(*id)).collect();
                facts.extend((paths - labels.len() > 1).then_some(Fact::PathSet));
                // An act is a label and what it brings about. Both are in the set if it joins them, else only one.
                let joins = |sign: &bool| usize::from(*sign == (set.quantifier == Quantifier::Exists));
                let in_company = labels.first().is_some_and(|sign| paths > 1 + joins(sign));
                facts.extend(in_company.then_some(Fact::ActInCompany));
                facts.extend(set.scope.is_some().then_some(Fact::Commitment));
            }
        }
        facts
    }

    fn shown(&mut self, ids: &[NodeId]) -> Vec<String> {
        ids.iter().map(|id| self.converter.arena.shown(*id).to_string()).collect()
    }

    fn text(&mut self, goal: &Goal) -> String {
        let set = match goal {
            Goal::State(id) => return self.converter.arena.shown(*id).to_string(),
            Goal::Set(set) => set,
        };
        let scope = match &set.scope {
            Some(scope) => format!("[{} -> {}]", scope.debtor, scope.creditor),
            None => String::new(),
        };
        let mut shown = self.shown(&set.members);
        let members = match set.quantifier {
            Quantifier::Exists if shown.is_empty() => "true".to_owned(),
            Quantifier::ForAll if shown.is_empty() => "false".to_owned(),
            Quantifier::Exists => shown.join(", "),
            Quantifier::ForAll => {
                // One formula that is a disjunction is not the set of its parts.
                for (text, id) in shown.iter_mut().zip(&set.members) {
                    if matches!(self.converter.arena.node(*id), Node::Or(..)) {
                        *text = format!("({text})");
                    }
                }
                shown.join(" | ")
            }
        };
        let met = match set.met.as_slice() {
            [] => String::new(),
            met => format!(", met: {}", self.shown(met).join(", ")),
        };
        format!("{}{scope}({members}){met}", set.quantifier)
    }

    fn finish(mut self) -> Result<Abta, Box<Diagnostic>> {
        let rows = std::mem::take(&mut self.rows);
        let mut states = Vec::with_capacity(rows.len());
        let mut length = 0_usize;
        for (index, row) in rows.iter().enumerate() {
            let text = self.text(&row.goal);
            length = length.saturating_add(text.len());
            if length > self.limits.text() {
                return Err(too_long(self.limits));
            }
            states.push(State {
                number: index + 1,
                text,
                rule: row.rule.clone(),
                kind: row.kind.clone(),
                successors: row.successors.iter().map(|child| StateId::from_index(*child)).collect(),
                quantifier: row.goal.as_set().map(|set| set.quantifier),
                scope: row.goal.as_set().and_then(|set| set.scope.clone()),
                component: None,
            });
        }
        let mut abta = Abta { states, components: Vec::new(), acceptance: Vec::new() };
        find_components(&mut abta);
        let mut acceptance = Vec::new();
        for (number, component) in abta.components.iter().enumerate() {
            let steps = || component.states.iter().filter(|id| abta.state(**id).kind.is_step());
            let mut eventualities: Vec<NodeId> = Vec::new();
            for id in steps().flat_map(|id| &rows[id.index()].postponed) {
                if !eventualities.contains(id) {
                    eventualities.push(*id);
                }
            }
            for eventuality in eventualities {
                let accepting = steps().filter(|id| !rows[id.index()].postponed.contains(&eventuality));
                acceptance.push(AcceptanceSet {
                    component: Some(number),
                    formula: self.converter.arena.shown(eventuality).to_string(),
                    states: accepting.copied().collect(),
                });
            }
        }
        abta.acceptance = acceptance;
        Ok(abta)
    }
}

//! Tableaux: rules applied until only leaves and known rows are left.

use std::collections::{HashMap, VecDeque};

use servanda_logic::{Formula, Kind, Unary};
use servanda_syntax::Diagnostic;

use crate::automaton::{Abta, Rule, State, StateId, StateKind};
use crate::goal::Goal;
use crate::limits::{Limits, too_long, too_many_states};

/// What a rule makes of a goal.
pub(crate) struct Applied {
    /// `None` for leaves.
    pub(crate) rule: Option<Rule>,
    pub(crate) kind: StateKind,
    pub(crate) children: Vec<Goal>,
    /// Sound rules: the step postpones these without having met them at its position.
    pub(crate) postponed: Vec<Formula>,
}

impl Applied {
    pub(crate) fn new(rule: Rule, kind: StateKind, children: Vec<Goal>) -> Self {
        Applied { rule: Some(rule), kind, children, postponed: Vec::new() }
    }

    pub(crate) fn leaf(kind: StateKind) -> Self {
        Applied { rule: None, kind, children: Vec::new(), postponed: Vec::new() }
    }
}

/// A row of a tableau.
pub(crate) struct Row {
    pub(crate) goal: Goal,
    pub(crate) rule: Option<Rule>,
    pub(crate) kind: StateKind,
    successors: Vec<StateId>,
    pub(crate) postponed: Vec<Formula>,
}

struct Tableau<R> {
    rules: R,
    limits: Limits,
    /// With whether it has been expanded.
    rows: Vec<(Row, bool)>,
    /// How many formulas the sets have together.
    members: usize,
    numbers: HashMap<Goal, usize>,
    waiting: VecDeque<usize>,
}

/// All rows that rules make of a goal, which is the first.
pub(crate) fn rows(
    start: Goal,
    limits: Limits,
    rules: impl Fn(&Goal) -> Result<Applied, Box<Diagnostic>>,
) -> Result<Vec<Row>, Box<Diagnostic>> {
    let (rows, numbers, waiting) = (Vec::new(), HashMap::new(), VecDeque::new());
    let mut tableau = Tableau { rules, limits, rows, members: 0, numbers, waiting };
    tableau.number(start)?;
    while let Some(next) = tableau.waiting.pop_front() {
        tableau.expand(next)?;
    }
    Ok(tableau.rows.into_iter().map(|(row, _)| row).collect())
}

impl<R: Fn(&Goal) -> Result<Applied, Box<Diagnostic>>> Tableau<R> {
    fn number(&mut self, goal: Goal) -> Result<usize, Box<Diagnostic>> {
        let key = goal.key();
        if let Some(&number) = self.numbers.get(&key) {
            return Ok(number);
        }
        let number = self.rows.len();
        self.members += goal.as_set().map_or(0, |set| set.members.len());
        if number >= self.limits.states || self.members > self.limits.members {
            return Err(too_many_states(self.limits));
        }
        self.numbers.insert(key, number);
        let (kind, successors, postponed) = (StateKind::True, Vec::new(), Vec::new());
        self.rows.push((Row { goal, rule: None, kind, successors, postponed }, false));
        self.waiting.push_back(number);
        Ok(number)
    }

    fn expand(&mut self, number: usize) -> Result<(), Box<Diagnostic>> {
        if std::mem::replace(&mut self.rows[number].1, true) {
            return Ok(());
        }
        let applied = (self.rules)(&self.rows[number].0.goal)?;
        let mut successors = Vec::new();
        for child in applied.children {
            let known = self.rows.len();
            let signed = is_signed(&child);
            let child = self.number(child)?;
            let id = StateId::from_index(child);
            if !successors.contains(&id) {
                successors.push(id);
            }
            // Sound rules number breadth first. So do the papers, but they finish a state formula that was set apart before they
            // go on: in Example 3 of the CTL*CA paper (9) and (10) are the finite states.
            if child == known && applied.kind == StateKind::Equivalent && signed {
                self.expand(child)?;
            }
        }
        let row = &mut self.rows[number].0;
        (row.rule, row.kind, row.postponed) = (applied.rule, applied.kind, applied.postponed);
        row.successors = successors;
        Ok(())
    }
}

/// Is it an atom behind a sign, `¬` or `?`?
fn is_signed(goal: &Goal) -> bool {
    matches!(goal, Goal::State(formula) if matches!(formula.kind(), Kind::Unary(Unary::Not | Unary::Challenged, _)))
}

/// The automaton with one state per row, without components and acceptance.
pub(crate) fn automaton(
    rows: &[Row],
    limits: Limits,
    text: impl Fn(&Goal) -> String,
) -> Result<Abta, Box<Diagnostic>> {
    let mut states = Vec::with_capacity(rows.len());
    let mut length = 0_usize;
    for (index, row) in rows.iter().enumerate() {
        let text = text(&row.goal);
        length = length.saturating_add(text.len());
        if length > limits.text() {
            return Err(too_long(limits));
        }
        let set = row.goal.as_set();
        states.push(State {
            number: index + 1,
            text,
            formulas: row.goal.formulas().cloned().collect(),
            rule: row.rule.clone(),
            kind: row.kind.clone(),
            successors: row.successors.clone(),
            quantifier: set.map(|set| set.quantifier),
            scope: set.and_then(|set| set.scope.clone()),
            component: None,
        });
    }
    Ok(Abta { states, components: Vec::new(), acceptance: Vec::new() })
}

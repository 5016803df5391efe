//! Colours: what can be told apart in a model by where it occurs. Colour refinement on agents, variables, values, commitments and labels
//! (McKay, "Practical graph isomorphism"); the colours are numbers that do not depend on the order in which anything was declared.
//! Values that are names ([`Classes`]) have colours too.

use servanda_model::{Arithmetic, Comparison, Expr, Model, VariableId, Visibility};

use super::classes::Classes;

/// A colour of everything in a model.
#[derive(Clone)]
pub(super) struct Colours {
    pub(super) agents: Vec<u64>,
    pub(super) variables: Vec<u64>,
    /// By class, from its least value on.
    pub(super) values: Vec<Vec<u64>>,
    pub(super) commitments: Vec<u64>,
    pub(super) labels: Vec<u64>,
}

/// A number made of two, the first of which may not be exchanged for the second.
pub(super) fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a ^ 0x9e37_79b9_7f4a_7c15) * u128::from((b ^ 0xd1b5_4a32_d192_ed03) | 1);
    let folded = (product as u64) ^ ((product >> 64) as u64);
    folded.wrapping_add(b).rotate_left(23).wrapping_mul(0xff51_afd7_ed55_8ccd)
}

fn mix_all(parts: &[u64]) -> u64 {
    parts.iter().fold(parts.len() as u64, |hash, part| mix(hash, *part))
}

fn of_text(text: &str) -> u64 {
    text.bytes().fold(11, |hash, byte| mix(hash, byte.into()))
}

impl Colours {
    /// What is seen at first sight.
    pub(super) fn new(model: &Model, classes: &Classes) -> Self {
        let name = |text: &str| of_text(&text.chars().filter(|c| !c.is_ascii_digit()).collect::<String>());
        let variables = model.variables.iter().enumerate().map(|(index, variable)| {
            let domain = &variable.domain;
            let mut seen =
                mix_all(&[domain.low() as u64, domain.size(), u64::from(variable.machine.is_some())]);
            if classes.of(VariableId::from_index(index)).is_none() {
                let initial =
                    variable.initial.iter().fold(0u64, |sum, value| sum.wrapping_add(mix(1, *value as u64)));
                seen = mix(seen, initial);
            }
            seen
        });
        Colours {
            agents: vec![1; model.agents.len()],
            variables: variables.collect(),
            values: classes.ranges.iter().map(|(_, length)| vec![2; *length]).collect(),
            commitments: vec![3; model.commitments.len()],
            labels: model.labels().map(|(id, _)| name(&model.show_label(id))).collect(),
        }
    }

    fn zero(&self) -> Self {
        let zeros = |list: &[u64]| vec![0; list.len()];
        Colours {
            agents: zeros(&self.agents),
            variables: zeros(&self.variables),
            values: self.values.iter().map(|values| zeros(values)).collect(),
            commitments: zeros(&self.commitments),
            labels: zeros(&self.labels),
        }
    }

    fn lists(&self) -> impl Iterator<Item = &Vec<u64>> {
        [&self.agents, &self.variables, &self.commitments, &self.labels].into_iter().chain(&self.values)
    }

    fn lists_mut(&mut self) -> impl Iterator<Item = &mut Vec<u64>> {
        let lists = [&mut self.agents, &mut self.variables, &mut self.commitments, &mut self.labels];
        lists.into_iter().chain(&mut self.values)
    }

    /// How many colours there are.
    pub(super) fn count(&self) -> usize {
        let mut all: Vec<u64> = self.lists().flatten().copied().collect();
        all.sort_unstable();
        all.dedup();
        all.len()
    }

    /// A number for how often each colour occurs, apart from those of values. Where two have different ones no renaming makes one of the
    /// other.
    pub(super) fn signature(&self) -> u64 {
        let kinds = [&self.agents, &self.variables, &self.commitments, &self.labels];
        mix_all(&kinds.map(|list| list.iter().fold(0, |sum: u64, colour| sum.wrapping_add(mix(*colour, 7)))))
    }

    /// Tells apart what occurs in different places.
    pub(super) fn refine(&mut self, model: &Model, classes: &Classes) {
        let seen = Round { model, classes, old: self, new: self.zero() }.look();
        for (colours, seen) in self.lists_mut().zip(seen.lists()) {
            for (colour, seen) in colours.iter_mut().zip(seen) {
                *colour = mix(*colour, *seen);
            }
        }
    }
}

/// Tags of contexts; what matters is that they differ.
const GUARD: u64 = 1;
const TARGET: u64 = 2;
const SOURCE: u64 = 3;
const LABEL: u64 = 4;
const MAKER: u64 = 5;
const ADDED: u64 = 6;
const REMOVED: u64 = 7;
const OWED: u64 = 8;
const SEEN: u64 = 9;
const INITIAL: u64 = 10;
const RED: u64 = 11;
const WHOLE: u64 = 12;

/// One round: everything is looked at, and what occurs there takes note of where it does.
struct Round<'a> {
    model: &'a Model,
    classes: &'a Classes,
    old: &'a Colours,
    new: Colours,
}

fn add(to: &mut u64, seen: u64) {
    *to = to.wrapping_add(mix(seen, 77));
}

impl Round<'_> {
    fn look(mut self) -> Colours {
        self.commands();
        for (id, variable) in self.model.variables() {
            let colour = self.old.variables[id.index()];
            let seers: &[_] = match &variable.visibility {
                Visibility::Public => &[],
                Visibility::Private(agent) => std::slice::from_ref(agent),
                Visibility::Shared(agents) => agents,
            };
            for agent in seers {
                add(&mut self.new.variables[id.index()], mix(SEEN, self.old.agents[agent.index()]));
                add(&mut self.new.agents[agent.index()], mix(SEEN, colour));
            }
            if let Some(class) = self.classes.of(id) {
                for value in &variable.initial {
                    let seen = mix(INITIAL, self.value(class, *value));
                    add(&mut self.new.variables[id.index()], seen);
                    self.note_value(class, *value, mix(INITIAL, colour));
                }
            }
        }
        for (id, promise) in self.model.commitments() {
            let [debtor, creditor] = [promise.debtor.index(), promise.creditor.index()];
            let parties = [self.old.agents[debtor], self.old.agents[creditor]];
            let seen = mix_all(&[OWED, self.old.commitments[id.index()], parties[0], parties[1]]);
            add(&mut self.new.commitments[id.index()], seen);
            add(&mut self.new.agents[debtor], mix(seen, 1));
            add(&mut self.new.agents[creditor], mix(seen, 2));
        }
        for (id, agent) in self.model.agents() {
            self.down(&agent.red, None, mix(RED, self.old.agents[id.index()]));
            let red = self.up(&agent.red, None);
            add(&mut self.new.agents[id.index()], mix(RED, red));
        }
        let model = self.model;
        for (at, condition) in [&model.initial, &model.well_formed].into_iter().chain(&model.rest).enumerate()
        {
            self.down(condition, None, mix(WHOLE, at as u64));
        }
        self.new
    }

    fn commands(&mut self) {
        for (_, command) in self.model.commands() {
            let label = self.old.labels[command.label.index()];
            let by = command.by.map_or(0, |by| self.old.agents[by.index()]);
            let guard = self.up(&command.guard, None);
            let updates: Vec<u64> = (command.updates.iter())
                .map(|(variable, value)| {
                    let value = self.up(value, self.classes.of(*variable));
                    mix(self.old.variables[variable.index()], value)
                })
                .collect();
            let sum =
                |all: &mut dyn Iterator<Item = u64>| all.fold(0u64, |sum, one| sum.wrapping_add(mix(one, 5)));
            let commitments = |ids: &[servanda_model::CommitmentId]| {
                sum(&mut ids.iter().map(|id| self.old.commitments[id.index()]))
            };
            let effect = [commitments(&command.effect.add), commitments(&command.effect.remove)];
            let all = mix_all(&[label, by, guard, sum(&mut updates.iter().copied()), effect[0], effect[1]]);
            add(&mut self.new.labels[command.label.index()], mix(all, LABEL));
            if let Some(by) = command.by {
                add(&mut self.new.agents[by.index()], mix(all, MAKER));
            }
            self.down(&command.guard, None, mix(all, GUARD));
            for ((variable, value), seen) in command.updates.iter().zip(updates) {
                add(&mut self.new.variables[variable.index()], mix_all(&[all, TARGET, seen]));
                let context = mix_all(&[all, SOURCE, self.old.variables[variable.index()]]);
                self.down(value, self.classes.of(*variable), context);
            }
            for id in &command.effect.add {
                add(&mut self.new.commitments[id.index()], mix(all, ADDED));
            }
            for id in &command.effect.remove {
                add(&mut self.new.commitments[id.index()], mix(all, REMOVED));
            }
        }
    }

    /// The colour of a value.
    fn value(&self, class: usize, value: i64) -> u64 {
        let at = value.wrapping_sub(self.classes.ranges[class].0);
        let known = usize::try_from(at).ok().and_then(|at| self.old.values[class].get(at));
        known.copied().unwrap_or_else(|| mix(INITIAL, value as u64))
    }

    fn note_value(&mut self, class: usize, value: i64, seen: u64) {
        let at = value.wrapping_sub(self.classes.ranges[class].0);
        if let Some(noted) = usize::try_from(at).ok().and_then(|at| self.new.values[class].get_mut(at)) {
            add(noted, seen);
        }
    }

    /// What an expression looks like from outside.
    fn up(&self, expr: &Expr, class: Option<usize>) -> u64 {
        let tag = tag(expr);
        match expr {
            Expr::Constant(value) => match class {
                Some(class) => mix(tag, self.value(class, *value)),
                None => mix(tag, *value as u64),
            },
            Expr::Variable(variable) => mix(tag, self.old.variables[variable.index()]),
            Expr::InForce(commitment) => mix(tag, self.old.commitments[commitment.index()]),
            Expr::Action(_) | Expr::Fault(_) => tag,
            Expr::Select { index, low, options } => {
                let of_index = self.classes.of_expr(index);
                let chosen = (*low..).zip(options).fold(0u64, |sum, (number, option)| {
                    let number = of_index.map_or(number as u64, |class| self.value(class, number));
                    sum.wrapping_add(mix(number, self.up(option, class)))
                });
                mix_all(&[tag, self.up(index, of_index), chosen])
            }
            _ => {
                let mut seen = 0u64;
                for_each_part(self.classes, expr, class, &mut |part, class, place| {
                    seen = seen.wrapping_add(mix_all(&[place, self.up(part, class)]));
                });
                mix(tag, seen)
            }
        }
    }

    /// What occurs in an expression takes note of it.
    fn down(&mut self, expr: &Expr, class: Option<usize>, context: u64) {
        match expr {
            Expr::Constant(value) => {
                if let Some(class) = class {
                    self.note_value(class, *value, context);
                }
            }
            Expr::Variable(variable) => add(&mut self.new.variables[variable.index()], context),
            Expr::InForce(commitment) => add(&mut self.new.commitments[commitment.index()], context),
            Expr::Action(_) | Expr::Fault(_) => {}
            Expr::Select { index, low, options } => {
                let inner = mix(context, self.up(expr, class));
                let of_index = self.classes.of_expr(index);
                self.down(index, of_index, mix(inner, 1));
                for (number, option) in (*low..).zip(options) {
                    let seen = of_index.map_or(number as u64, |class| self.value(class, number));
                    self.down(option, class, mix_all(&[inner, 2, seen]));
                    if let Some(of_index) = of_index {
                        let seen = mix_all(&[inner, 3, self.up(option, class)]);
                        self.note_value(of_index, number, seen);
                    }
                }
            }
            _ => {
                let inner = mix(context, self.up(expr, class));
                for_each_part(self.classes, expr, class, &mut |part, class, place| {
                    self.down(part, class, mix(inner, place));
                });
            }
        }
    }
}

/// The parts of an expression with the classes of their values and a number for their places, equal where these can be exchanged.
fn for_each_part(
    classes: &Classes,
    expr: &Expr,
    class: Option<usize>,
    see: &mut impl FnMut(&Expr, Option<usize>, u64),
) {
    match expr {
        Expr::And(_)
        | Expr::Or(_)
        | Expr::Arithmetic(Arithmetic::Add | Arithmetic::Multiply | Arithmetic::Min | Arithmetic::Max, ..) => {
            for_each_operand(expr, &mut |part| see(part, None, 0))
        }
        Expr::Compare(Comparison::Equal | Comparison::NotEqual, left, right) => {
            let class = classes.of_expr(left).or_else(|| classes.of_expr(right));
            see(left, class, 0);
            see(right, class, 0);
        }
        Expr::If(condition, then, otherwise) => {
            see(condition, None, 0);
            see(then, class, 1);
            see(otherwise, class, 2);
        }
        _ => expr.operands().zip(0..).for_each(|(part, place)| see(part, None, place)),
    }
}

/// The operands of an operator, those of the same operator directly inside taken apart.
fn for_each_operand(expr: &Expr, see: &mut impl FnMut(&Expr)) {
    let same = |part: &Expr| match (expr, part) {
        (Expr::And(_), Expr::And(_)) | (Expr::Or(_), Expr::Or(_)) => true,
        (Expr::Arithmetic(one, ..), Expr::Arithmetic(other, ..)) => one == other,
        _ => false,
    };
    for part in expr.operands() {
        if same(part) {
            for_each_operand(part, see);
        } else {
            see(part);
        }
    }
}

/// A number for the operator of an expression.
fn tag(expr: &Expr) -> u64 {
    match expr {
        Expr::Constant(_) => 1,
        Expr::Variable(_) => 2,
        Expr::InForce(_) => 3,
        Expr::Action(_) => 4,
        Expr::Not(_) => 5,
        Expr::And(_) => 6,
        Expr::Or(_) => 7,
        Expr::If(..) => 8,
        Expr::Select { .. } => 9,
        Expr::Fault(kind) => 100 + *kind as u64,
        Expr::Compare(comparison, ..) => 200 + *comparison as u64,
        Expr::Arithmetic(arithmetic, ..) => 300 + *arithmetic as u64,
    }
}

//! Walking and rewriting formulas.

use crate::tree::{
    ActPattern, ActionPattern, Arg, At, Commitment, Comprehension, Epistemic, Formula, Goal, Group, Kind,
    LabelPattern, Reference, Strategic, Tag,
};

impl Kind {
    /// Calls `visit` for every formula directly below, in the order they are written. Contents, supports, indices and
    /// bounds count.
    pub fn for_each_child(&self, mut visit: impl FnMut(&Formula)) {
        let visit: &mut dyn FnMut(&Formula) = &mut visit;
        match self {
            Kind::Bool(_) | Kind::Int(_) => {}
            Kind::Name(name) => visit_reference(name, visit),
            Kind::Unary(_, operand) => visit(operand),
            Kind::Binary(_, left, right) => {
                visit(left);
                visit(right);
            }
            Kind::Comprehension(comprehension) => {
                visit(&comprehension.low);
                visit(&comprehension.high);
                visit(&comprehension.body);
            }
            Kind::Joined(_, parts) => parts.iter().for_each(visit),
            Kind::At(at) => {
                at.machine.iter().for_each(|machine| visit_reference(machine, visit));
                visit_reference(&at.location, visit);
            }
            Kind::Does(label) => visit_label(label, visit),
            Kind::Act(act) => visit_act(act, visit),
            Kind::Commitment(commitment) => visit_commitment(commitment, visit),
            Kind::Epistemic(epistemic) => {
                epistemic.agent.iter().for_each(|agent| visit_reference(agent, visit));
                epistemic.group.iter().for_each(|group| visit_group(group, visit));
                visit(&epistemic.body);
            }
            Kind::Strategic(strategic) => {
                visit_group(&strategic.group, visit);
                match &strategic.goal {
                    Goal::Next(goal) | Goal::Finally(goal) | Goal::Globally(goal) => visit(goal),
                    Goal::Until(left, right) => {
                        visit(left);
                        visit(right);
                    }
                }
            }
        }
    }

    /// The same node with every formula directly below replaced by what `change` makes of it.
    #[must_use]
    pub fn map_children(&self, mut change: impl FnMut(&Formula) -> Formula) -> Kind {
        let change: &mut dyn FnMut(&Formula) -> Formula = &mut change;
        match self {
            Kind::Bool(_) | Kind::Int(_) => self.clone(),
            Kind::Name(name) => Kind::Name(map_reference(name, change)),
            Kind::Unary(op, operand) => Kind::Unary(*op, change(operand)),
            Kind::Binary(op, left, right) => Kind::Binary(*op, change(left), change(right)),
            Kind::Comprehension(Comprehension { join, index, low, high, body }) => {
                let (low, high, body) = (change(low), change(high), change(body));
                Kind::Comprehension(Comprehension { join: *join, index: index.clone(), low, high, body })
            }
            Kind::Joined(join, parts) => Kind::Joined(*join, parts.iter().map(change).collect()),
            Kind::At(At { machine, location }) => {
                let machine = machine.as_ref().map(|machine| map_reference(machine, change));
                Kind::At(At { machine, location: map_reference(location, change) })
            }
            Kind::Does(label) => Kind::Does(map_label(label, change)),
            Kind::Act(act) => Kind::Act(map_act(act, change)),
            Kind::Commitment(commitment) => Kind::Commitment(map_commitment(commitment, change)),
            Kind::Epistemic(Epistemic { op, agent, group, body }) => {
                let agent = agent.as_ref().map(|agent| map_reference(agent, change));
                let group = group.as_ref().map(|group| map_group(group, change));
                Kind::Epistemic(Epistemic { op: *op, agent, group, body: change(body) })
            }
            Kind::Strategic(Strategic { group, goal }) => {
                let group = map_group(group, change);
                let goal = match goal {
                    Goal::Next(goal) => Goal::Next(change(goal)),
                    Goal::Finally(goal) => Goal::Finally(change(goal)),
                    Goal::Globally(goal) => Goal::Globally(change(goal)),
                    Goal::Until(left, right) => Goal::Until(change(left), change(right)),
                };
                Kind::Strategic(Strategic { group, goal })
            }
        }
    }
}

impl Formula {
    /// Calls `visit` for every formula directly below, in the order they are written. Contents, supports, indices and
    /// bounds count.
    pub fn for_each_child(&self, visit: impl FnMut(&Formula)) {
        self.kind().for_each_child(visit);
    }

    /// The same formula at the same place, with every formula directly below replaced by what `change` makes of it.
    ///
    /// ```
    /// use servanda_logic::{Formula, Kind, parse_formula};
    ///
    /// fn shout(formula: &Formula) -> Formula {
    ///     match formula.kind() {
    ///         Kind::Int(number) => Formula::new(Kind::Int(10 * number), formula.span()),
    ///         _ => formula.map_children(shout),
    ///     }
    /// }
    /// let formula = parse_formula("AG (x[1] < 2)").unwrap();
    /// assert_eq!(shout(&formula), parse_formula("AG (x[10] < 20)").unwrap());
    /// ```
    #[must_use]
    pub fn map_children(&self, change: impl FnMut(&Formula) -> Formula) -> Formula {
        Formula::new(self.kind().map_children(change), self.span())
    }
}

type Visit<'a> = &'a mut dyn FnMut(&Formula);
type Change<'a> = &'a mut dyn FnMut(&Formula) -> Formula;

fn visit_reference(reference: &Reference, visit: Visit<'_>) {
    reference.indices.iter().for_each(visit);
}

fn visit_group(group: &Group, visit: Visit<'_>) {
    match group {
        Group::Everybody => {}
        Group::Named(name) => visit_reference(name, visit),
        Group::Listed(members) => members.iter().for_each(|member| visit_reference(member, visit)),
    }
}

fn visit_agent(agent: &Arg<Reference>, visit: Visit<'_>) {
    if let Arg::Is(agent) = agent {
        visit_reference(agent, visit);
    }
}

fn visit_argument(argument: &Arg<Formula>, visit: Visit<'_>) {
    if let Arg::Is(formula) = argument {
        visit(formula);
    }
}

fn visit_commitment(commitment: &Commitment, visit: Visit<'_>) {
    visit_agent(&commitment.debtor, visit);
    visit_agent(&commitment.creditor, visit);
    if let Some(Arg::Is(Tag::Name(name))) = &commitment.tag {
        visit_reference(name, visit);
    }
    visit_argument(&commitment.content, visit);
}

fn visit_act(act: &ActPattern, visit: Visit<'_>) {
    visit_agent(&act.actor, visit);
    visit_argument(&act.commitment, visit);
    if let Some(support) = &act.support {
        visit_argument(support, visit);
    }
}

fn visit_label(label: &LabelPattern, visit: Visit<'_>) {
    match label {
        LabelPattern::Any | LabelPattern::Shown(_) => {}
        LabelPattern::Act(act) => visit_act(act, visit),
        LabelPattern::Action(action) => {
            action.agent.iter().for_each(|agent| visit_reference(agent, visit));
            visit_reference(&action.name, visit);
            action.content.iter().for_each(visit);
        }
    }
}

fn map_reference(reference: &Reference, change: Change<'_>) -> Reference {
    let indices = reference.indices.iter().map(change).collect();
    Reference { name: reference.name.clone(), indices, span: reference.span }
}

fn map_group(group: &Group, change: Change<'_>) -> Group {
    match group {
        Group::Everybody => Group::Everybody,
        Group::Named(name) => Group::Named(map_reference(name, change)),
        Group::Listed(members) => {
            Group::Listed(members.iter().map(|member| map_reference(member, change)).collect())
        }
    }
}

fn map_arg<T, S>(argument: &Arg<T>, change: impl FnOnce(&T) -> S) -> Arg<S> {
    match argument {
        Arg::Any => Arg::Any,
        Arg::Is(value) => Arg::Is(change(value)),
    }
}

fn map_commitment(commitment: &Commitment, change: Change<'_>) -> Commitment {
    Commitment {
        debtor: map_arg(&commitment.debtor, |debtor| map_reference(debtor, change)),
        creditor: map_arg(&commitment.creditor, |creditor| map_reference(creditor, change)),
        tag: commitment.tag.as_ref().map(|tag| {
            map_arg(tag, |tag| match tag {
                Tag::Name(name) => Tag::Name(map_reference(name, change)),
                Tag::Number(number) => Tag::Number(*number),
            })
        }),
        content: map_arg(&commitment.content, change),
    }
}

fn map_act(act: &ActPattern, change: Change<'_>) -> ActPattern {
    ActPattern {
        kind: act.kind.clone(),
        actor: map_arg(&act.actor, |actor| map_reference(actor, change)),
        commitment: map_arg(&act.commitment, &mut *change),
        support: act.support.as_ref().map(|support| map_arg(support, &mut *change)),
    }
}

fn map_label(label: &LabelPattern, change: Change<'_>) -> LabelPattern {
    match label {
        LabelPattern::Any | LabelPattern::Shown(_) => label.clone(),
        LabelPattern::Act(act) => LabelPattern::Act(map_act(act, change)),
        LabelPattern::Action(action) => LabelPattern::Action(ActionPattern {
            agent: action.agent.as_ref().map(|agent| map_reference(agent, change)),
            output: action.output,
            name: map_reference(&action.name, change),
            content: action.content.as_ref().map(change),
        }),
    }
}

/// How deeply commitments nest (docs/formulas.md section 4): each `SC`, `PC` or act formula adds 1 to the deepest content
/// or support inside it. The commitment that an act is about belongs to the act and adds nothing of its own, `?ψ`
/// counts as `ψ`, and `does(..)` speaks of labels only.
///
/// ```
/// use servanda_logic::{commitment_depth, parse_formula};
///
/// let depth = |text| commitment_depth(&parse_formula(text).unwrap());
/// assert_eq!(depth("AG p"), 0);
/// assert_eq!(depth("Cr(A, SC(A, B, F p))"), 1);
/// assert_eq!(depth("SC(A, B, Cr(B, SC(B, A, q)) -> F p)"), 2);
/// ```
pub fn commitment_depth(formula: &Formula) -> usize {
    fn argument_depth(argument: &Arg<Formula>) -> usize {
        match argument {
            Arg::Any => 0,
            Arg::Is(formula) => commitment_depth(formula),
        }
    }
    match formula.kind() {
        Kind::Commitment(commitment) => 1 + argument_depth(&commitment.content),
        Kind::Act(act) => {
            let content = match &act.commitment {
                Arg::Is(commitment) => match commitment.kind() {
                    Kind::Commitment(commitment) => argument_depth(&commitment.content),
                    // The name of a commitment; what it stands for is not known here.
                    _ => 0,
                },
                Arg::Any => 0,
            };
            1 + content.max(act.support.as_ref().map_or(0, argument_depth))
        }
        Kind::Does(_) => 0,
        kind => {
            let mut deepest = 0;
            kind.for_each_child(|child| deepest = deepest.max(commitment_depth(child)));
            deepest
        }
    }
}

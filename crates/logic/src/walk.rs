//! Walking and rewriting formulas.

use servanda_syntax::{all, optional};

use crate::tree::{
    ActPattern, ActionPattern, Arg, At, Bounded, Carries, Commitment, Comprehension, Epistemic, Formula,
    Goal, Group, Kind, LabelPattern, Reference, Strategic, Tag, Within,
};

/// What becomes of the parts of a formula. `None` means that there is nothing for a part and that the reason has been reported; the other
/// parts are rewritten nevertheless, so that every reason is.
pub trait Rewrite {
    /// A formula.
    fn formula(&mut self, formula: &Formula) -> Option<Formula>;

    /// A name: its indices.
    fn reference(&mut self, reference: &Reference) -> Option<Reference> {
        let indices = all(reference.indices.iter().map(|index| self.formula(index)))?;
        Some(Reference { name: reference.name.clone(), indices, span: reference.span })
    }

    /// The name of an agent.
    fn role(&mut self, name: &Reference) -> Option<Reference> {
        self.reference(name)
    }

    /// The name of a machine.
    fn machine(&mut self, name: &Reference) -> Option<Reference> {
        self.reference(name)
    }

    /// A group of agents.
    fn group(&mut self, group: &Group) -> Option<Group> {
        Some(match group {
            Group::Everybody => Group::Everybody,
            Group::Named(name) => Group::Named(self.reference(name)?),
            Group::Listed(members) => Group::Listed(all(members.iter().map(|member| self.role(member)))?),
        })
    }

    /// The bound of an operator, in ticks.
    fn bound(&mut self, bound: &Formula) -> Option<Formula> {
        self.formula(bound)
    }

    /// The moment of a commitment.
    fn tag(&mut self, tag: &Tag) -> Option<Tag> {
        match tag {
            Tag::Name(name) => self.reference(name).map(Tag::Name),
            Tag::Number(number) => Some(Tag::Number(*number)),
        }
    }

    /// The commitment that an act or `active` is about.
    fn subject(&mut self, commitment: &Formula) -> Option<Formula> {
        self.formula(commitment)
    }

    /// The parts of a commitment.
    fn commitment(&mut self, commitment: &Commitment) -> Option<Commitment> {
        let debtor = commitment.debtor.try_map(|debtor| self.role(debtor));
        let creditor = commitment.creditor.try_map(|creditor| self.role(creditor));
        let tag = optional(&commitment.tag, |tag| tag.try_map(|tag| self.tag(tag)));
        let content = commitment.content.try_map(|content| self.formula(content));
        Some(Commitment { debtor: debtor?, creditor: creditor?, tag: tag?, content: content? })
    }

    /// The parts of an act.
    fn act(&mut self, act: &ActPattern) -> Option<ActPattern> {
        let actor = act.actor.try_map(|actor| self.role(actor));
        let commitment = act.commitment.try_map(|commitment| self.subject(commitment));
        let support = optional(&act.support, |support| support.try_map(|support| self.formula(support)));
        let third = optional(&act.third, |third| third.try_map(|third| self.role(third)));
        let (actor, commitment, support, third) = (actor?, commitment?, support?, third?);
        Some(ActPattern { kind: act.kind.clone(), actor, commitment, support, third })
    }

    /// The parts of a label.
    fn label(&mut self, label: &LabelPattern) -> Option<LabelPattern> {
        Some(match label {
            LabelPattern::Any | LabelPattern::Shown(_) => label.clone(),
            LabelPattern::Act(act) => LabelPattern::Act(self.act(act)?),
            LabelPattern::Action(action) => LabelPattern::Action(self.message(action)?),
        })
    }

    /// The parts of a message or action.
    fn message(&mut self, action: &ActionPattern) -> Option<ActionPattern> {
        let agent = optional(&action.agent, |agent| self.role(agent));
        let to = all(action.to.iter().map(|to| self.role(to)));
        let name = self.reference(&action.name);
        let mut argument = |argument: &Arg<Formula>| argument.try_map(|value| self.formula(value));
        let arguments = optional(&action.arguments, |list| all(list.iter().map(&mut argument)));
        let (agent, to, name, arguments) = (agent?, to?, name?, arguments?);
        Some(ActionPattern { agent, to, name, arguments, ..action.clone() })
    }
}

/// Rewrites formulas alone.
struct Children<F>(F);

impl<F: FnMut(&Formula) -> Formula> Rewrite for Children<F> {
    fn formula(&mut self, formula: &Formula) -> Option<Formula> {
        Some((self.0)(formula))
    }
}

impl<T> Arg<T> {
    /// What is given, unless it is the wildcard.
    pub fn given(&self) -> Option<&T> {
        match self {
            Arg::Any => None,
            Arg::Is(value) => Some(value),
        }
    }

    /// Can it stand for this?
    pub fn fits(&self, value: &T) -> bool
    where
        T: PartialEq,
    {
        self.given().is_none_or(|wanted| wanted == value)
    }

    /// The argument with something else given, if there is anything.
    pub fn try_map<S>(&self, change: impl FnOnce(&T) -> Option<S>) -> Option<Arg<S>> {
        self.given().map_or(Some(Arg::Any), |value| change(value).map(Arg::Is))
    }
}

impl ActPattern {
    /// The content and the support, as far as they are written in it.
    pub fn written(&self) -> impl Iterator<Item = &Formula> {
        let content = self.commitment.given().and_then(written_content);
        content.into_iter().chain(self.support.iter().filter_map(Arg::given))
    }
}

/// The content of the commitment that an act or `active` is about, where it is written out there.
pub fn written_content(commitment: &Formula) -> Option<&Formula> {
    match commitment.kind() {
        Kind::Commitment(commitment) => commitment.content.given(),
        // The name of a commitment; what it stands for is not known here.
        _ => None,
    }
}

impl Kind {
    /// Calls `visit` for every formula directly below, in the order they are written. Contents, supports, indices and
    /// bounds count.
    pub fn for_each_child(&self, mut visit: impl FnMut(&Formula)) {
        let visit: &mut dyn FnMut(&Formula) = &mut visit;
        match self {
            Kind::Bool(_) | Kind::Int(_) => {}
            Kind::Name(name) => visit_reference(name, visit),
            Kind::Unary(_, operand) => visit(operand),
            Kind::Binary(_, left, right) => [left, right].into_iter().for_each(visit),
            Kind::If(condition, then, otherwise) => {
                [condition, then, otherwise].into_iter().for_each(visit);
            }
            Kind::Bounded(Bounded { bound, goal }) => match goal {
                Within::Finally(operand) | Within::Globally(operand) => {
                    [bound, operand].into_iter().for_each(visit);
                }
                Within::Until(left, right) => [left, bound, right].into_iter().for_each(visit),
            },
            Kind::Comprehension(Comprehension { low, high, body, .. }) => {
                [low, high, body].into_iter().for_each(visit);
            }
            Kind::Joined(_, parts) => parts.iter().for_each(visit),
            Kind::At(at) => {
                at.machine.iter().chain([&at.location]).for_each(|name| visit_reference(name, visit));
            }
            Kind::Does(LabelPattern::Any | LabelPattern::Shown(_)) => {}
            Kind::Does(LabelPattern::Act(act)) | Kind::Act(act) => {
                act.actor.given().into_iter().for_each(|actor| visit_reference(actor, visit));
                let support = act.support.iter().filter_map(Arg::given);
                act.commitment.given().into_iter().chain(support).for_each(&mut *visit);
                let third = act.third.iter().filter_map(Arg::given);
                third.for_each(|third| visit_reference(third, visit));
            }
            Kind::Length(channel) => visit_reference(channel, visit),
            Kind::Carries(Carries { channel, message, .. }) => {
                let ActionPattern { agent, to, name, arguments, .. } = message;
                let names = [channel].into_iter().chain(agent).chain(to).chain([name]);
                names.for_each(|name| visit_reference(name, visit));
                arguments.iter().flatten().filter_map(Arg::given).for_each(visit);
            }
            Kind::Does(LabelPattern::Action(ActionPattern { agent, to, name, arguments, .. })) => {
                agent.iter().chain(to).chain([name]).for_each(|name| visit_reference(name, visit));
                arguments.iter().flatten().filter_map(Arg::given).for_each(visit);
            }
            Kind::Commitment(Commitment { debtor, creditor, tag, content }) => {
                let parties = [debtor, creditor].into_iter().filter_map(Arg::given);
                let tag = tag.iter().filter_map(|tag| match tag {
                    Arg::Is(Tag::Name(name)) => Some(name),
                    Arg::Any | Arg::Is(Tag::Number(_)) => None,
                });
                parties.chain(tag).for_each(|name| visit_reference(name, visit));
                content.given().into_iter().for_each(visit);
            }
            Kind::Active(commitment) => commitment.given().into_iter().for_each(visit),
            Kind::Epistemic(Epistemic { agent, group, body, .. }) => {
                agent
                    .iter()
                    .chain(group.iter().flat_map(Group::names))
                    .for_each(|name| visit_reference(name, visit));
                visit(body);
            }
            Kind::Strategic(Strategic { group, goal }) => {
                group.names().iter().for_each(|name| visit_reference(name, visit));
                match goal {
                    Goal::Next(goal) | Goal::Finally(goal) | Goal::Globally(goal) => visit(goal),
                    Goal::Until(left, right) => [left, right].into_iter().for_each(visit),
                }
            }
        }
    }

    /// The same node with every part directly below rewritten.
    pub fn rewrite(&self, by: &mut impl Rewrite) -> Option<Kind> {
        Some(match self {
            Kind::Bool(_) | Kind::Int(_) => self.clone(),
            Kind::Name(name) => Kind::Name(by.reference(name)?),
            Kind::Unary(op, operand) => Kind::Unary(*op, by.formula(operand)?),
            Kind::Binary(op, left, right) => {
                let (left, right) = (by.formula(left), by.formula(right));
                Kind::Binary(*op, left?, right?)
            }
            Kind::If(condition, then, otherwise) => {
                let (condition, then) = (by.formula(condition), by.formula(then));
                let otherwise = by.formula(otherwise);
                Kind::If(condition?, then?, otherwise?)
            }
            Kind::Bounded(Bounded { bound, goal }) => {
                let bound = by.bound(bound);
                let goal = match goal {
                    Within::Finally(operand) => by.formula(operand).map(Within::Finally),
                    Within::Globally(operand) => by.formula(operand).map(Within::Globally),
                    Within::Until(left, right) => {
                        let (left, right) = (by.formula(left), by.formula(right));
                        left.zip(right).map(|(left, right)| Within::Until(left, right))
                    }
                };
                Kind::Bounded(Bounded { bound: bound?, goal: goal? })
            }
            Kind::Comprehension(Comprehension { join, index, low, high, body }) => {
                let (low, high, body) = (by.formula(low), by.formula(high), by.formula(body));
                let (low, high, body) = (low?, high?, body?);
                Kind::Comprehension(Comprehension { join: *join, index: index.clone(), low, high, body })
            }
            Kind::Joined(join, parts) => Kind::Joined(*join, all(parts.iter().map(|part| by.formula(part)))?),
            Kind::At(At { machine, location }) => {
                let machine = optional(machine, |machine| by.machine(machine));
                let location = by.reference(location);
                Kind::At(At { machine: machine?, location: location? })
            }
            Kind::Length(channel) => Kind::Length(by.reference(channel)?),
            Kind::Carries(Carries { channel, oldest, message }) => {
                let (channel, message) = (by.reference(channel), by.message(message));
                Kind::Carries(Carries { channel: channel?, oldest: *oldest, message: message? })
            }
            Kind::Does(label) => Kind::Does(by.label(label)?),
            Kind::Act(act) => Kind::Act(by.act(act)?),
            Kind::Commitment(commitment) => Kind::Commitment(by.commitment(commitment)?),
            Kind::Active(commitment) => {
                Kind::Active(commitment.try_map(|commitment| by.subject(commitment))?)
            }
            Kind::Epistemic(Epistemic { op, agent, group, body }) => {
                let agent = optional(agent, |agent| by.role(agent));
                let group = optional(group, |group| by.group(group));
                let body = by.formula(body);
                Kind::Epistemic(Epistemic { op: *op, agent: agent?, group: group?, body: body? })
            }
            Kind::Strategic(Strategic { group, goal }) => {
                let group = by.group(group);
                let goal = match goal {
                    Goal::Next(goal) => by.formula(goal).map(Goal::Next),
                    Goal::Finally(goal) => by.formula(goal).map(Goal::Finally),
                    Goal::Globally(goal) => by.formula(goal).map(Goal::Globally),
                    Goal::Until(left, right) => {
                        let (left, right) = (by.formula(left), by.formula(right));
                        left.zip(right).map(|(left, right)| Goal::Until(left, right))
                    }
                };
                Kind::Strategic(Strategic { group: group?, goal: goal? })
            }
        })
    }
}

impl Group {
    /// The names in it.
    fn names(&self) -> &[Reference] {
        match self {
            Group::Everybody => &[],
            Group::Named(name) => std::slice::from_ref(name),
            Group::Listed(names) => names,
        }
    }
}

fn visit_reference(reference: &Reference, visit: &mut dyn FnMut(&Formula)) {
    reference.indices.iter().for_each(visit);
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
        let kind = self.kind().rewrite(&mut Children(change));
        Formula::new(kind.unwrap_or_else(|| self.kind().clone()), self.span())
    }
}

/// How deeply commitments nest (docs/formulas.md section 4): each `SC`, `PC` or act formula adds 1 to the deepest content
/// or support inside it. The commitment that an act is about belongs to the act and adds nothing of its own, `?ψ`
/// counts as `ψ`, `does(..)` refers to labels only, and `active(..)` of what is in force, whatever its content.
///
/// ```
/// use servanda_logic::{commitment_depth, parse_formula};
///
/// let depth = |text| commitment_depth(&parse_formula(text).unwrap());
/// assert_eq!(depth("AG p"), 0);
/// assert_eq!(depth("Cr(A, SC(A, B, F p))"), 1);
/// assert_eq!(depth("SC(A, B, Cr(B, SC(B, A, q)) -> F p)"), 2);
/// assert_eq!(depth("SC(A, B, active(SC(B, A, SC(A, B, q))) -> F p)"), 1);
/// ```
pub fn commitment_depth(formula: &Formula) -> usize {
    match formula.kind() {
        Kind::Commitment(commitment) => 1 + commitment.content.given().map_or(0, commitment_depth),
        Kind::Act(act) => 1 + act.written().map(commitment_depth).max().unwrap_or(0),
        Kind::Does(_) | Kind::Active(_) => 0,
        kind => {
            let mut deepest = 0;
            kind.for_each_child(|child| deepest = deepest.max(commitment_depth(child)));
            deepest
        }
    }
}

//! From statements to the model that they are about.

use rustc_hash::FxHashMap;
use servanda_logic::{ActPattern, Arg, Formula, Kind, LabelPattern, Reference};
use servanda_lower::{
    Context, resolve_act, resolve_action, resolve_agent, resolve_part, resolve_promise, validate,
};
use servanda_model::{
    Access, ActLabel, AgentId, Expr, Fairness, GroupDefinition, JointAct, Label, LabelId, Model,
    NamedCommitment, NamedProposition, Property, bind_boolean,
};
use servanda_syntax::{Code, Diagnostic, Findings, SourceFile, Span, has_errors};

use crate::ast::{Condition, Statement};

/// What is added to a model, while it is.
pub(crate) struct Applier<'a> {
    pub(crate) source: &'a SourceFile,
    pub(crate) model: &'a mut Model,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Where names were given here, by kind of thing.
    pub(crate) named: FxHashMap<(&'static str, String), Span>,
}

impl Applier<'_> {
    /// Names come first, then who does what, and at last formulas, which may refer to all of it.
    pub(crate) fn apply(&mut self, statements: &[Statement]) -> Vec<Property> {
        self.roles(statements);
        self.definitions(statements);
        self.commitments(statements);
        self.performances(statements);
        self.model.derive_effects();
        let commitments: Vec<Formula> =
            self.model.named_commitments.iter().map(|named| named.formula.clone()).collect();
        for commitment in &commitments {
            self.checked(commitment, Context::Content);
        }
        self.formulas(statements)
    }

    /// Notes a name; `false` where it is taken.
    fn declare(&mut self, what: &'static str, name: &Reference) -> bool {
        let Some(first) = self.named.insert((what, name.name.to_string()), name.span) else { return true };
        let message = format!("the {what} `{name}` is declared twice");
        let error = Diagnostic::error(Code::DuplicateName, message, name.span);
        self.diagnostics.push(error.label(first, "first declared here"));
        false
    }

    /// Is the file about this process? Names of processes that the other file does not have are mistakes.
    pub(crate) fn is_about(&mut self, statements: &[Statement], processes: &[String]) -> bool {
        let named: Vec<&Reference> = statements
            .iter()
            .filter_map(|statement| match statement {
                Statement::Process(names) => Some(names),
                _ => None,
            })
            .flatten()
            .collect();
        if processes.is_empty() {
            return named.is_empty();
        }
        for name in named.iter().filter(|name| !processes.contains(&name.to_string())) {
            let known = processes.iter().map(String::as_str);
            self.diagnostics.push(Diagnostic::unknown("process", &name.to_string(), name.span, known));
        }
        let mistaken = has_errors(&self.diagnostics);
        named.is_empty() || mistaken || named.iter().any(|name| *name.name == *self.model.name)
    }

    fn roles(&mut self, statements: &[Statement]) {
        let roles = statements.iter().filter_map(|statement| match statement {
            Statement::Roles(roles) => Some(roles),
            _ => None,
        });
        for role in roles.flatten() {
            let name = role.to_string();
            if !self.declare("role", role) || self.model.find_agent(&name).is_some() {
                continue;
            }
            if self.model.behaviour.is_rounds() {
                let message = format!("no agent is called `{name}`, and agents of rounds have programs");
                let known = self.model.agents.iter().map(|agent| agent.name.as_str());
                let error = Diagnostic::error(Code::UnknownName, message, role.span);
                self.diagnostics.push(error.suggest(&name, known));
            } else {
                self.model.add_agent(name, Span::default());
            }
        }
    }

    /// The reading of acts, groups and propositions.
    fn definitions(&mut self, statements: &[Statement]) {
        let mut semantics: Option<Span> = None;
        for statement in statements {
            match statement {
                Statement::Semantics(reading, span) => {
                    self.model.acts = *reading;
                    if let Some(first) = semantics.replace(*span) {
                        let message = "`semantics` can be written once";
                        let error = Diagnostic::error(Code::DuplicateStatement, message, *span);
                        self.diagnostics.push(error.label(first, "first written here"));
                    }
                }
                Statement::Group { name, members } => {
                    let members: Vec<Option<AgentId>> = members
                        .iter()
                        .map(|member| resolve_agent(self.model, member, &mut self.diagnostics))
                        .collect();
                    if self.declare("group", name)
                        && let Some(members) = members.into_iter().collect()
                    {
                        self.model.groups.push(GroupDefinition { name: name.to_string(), members });
                    }
                }
                Statement::Proposition { name, formula } => self.proposition(name, formula),
                _ => {}
            }
        }
    }

    fn proposition(&mut self, name: &Reference, formula: &Formula) {
        let condition = match asks_what_is_in_force(formula) {
            false => bind_boolean(self.model, formula, &mut self.diagnostics),
            // What can be in force is known only when all acts are.
            true => {
                let message = "a proposition here cannot ask what is in force";
                let error = Diagnostic::error(Code::NotACondition, message, formula.span());
                self.diagnostics.refuse(error.help("write `active(..)` in the formulas themselves"))
            }
        };
        let fresh = self.declare("name", name);
        if self.model.propositions.iter().any(|known| known.name == *name.name) && fresh {
            let message = format!("the model has a proposition `{name}` already");
            self.diagnostics.push(Diagnostic::error(Code::DuplicateName, message, name.span));
        } else if fresh && let Some(condition) = condition {
            self.model.propositions.push(NamedProposition { name: name.to_string(), condition });
        }
    }

    /// Commitments, in which those before them may be named.
    fn commitments(&mut self, statements: &[Statement]) {
        for statement in statements {
            let Statement::Commitment { name, formula } = statement else { continue };
            let formula = self.model.with_commitments(formula);
            if let Kind::Commitment(commitment) = formula.kind() {
                let resolved = resolve_promise(self.model, commitment, formula.span(), &mut self.diagnostics);
                if let (None, Arg::Is(content)) = (&resolved, &commitment.content) {
                    self.checked(content, Context::Content);
                }
                if self.declare("name", name)
                    && let Some(promise) = resolved
                {
                    let name = name.to_string();
                    self.model.named_commitments.push(NamedCommitment { name, formula, promise });
                }
            }
        }
    }

    fn performances(&mut self, statements: &[Statement]) {
        let mut resolved: Vec<(Vec<ActLabel>, &Condition)> = Vec::new();
        for statement in statements {
            let Statement::Performance { condition, acts } = statement else { continue };
            let acts = acts.iter().filter_map(|(act, span)| self.act(act, *span)).collect();
            resolved.push((acts, condition));
        }
        if self.model.behaviour.is_rounds() {
            for (acts, condition) in resolved {
                let Some(when) = self.joint_condition(condition) else { continue };
                let joint = acts.into_iter().map(|act| JointAct { act, when: when.clone() });
                self.model.joint_acts.extend(joint);
            }
            return;
        }
        let mut performed: Vec<(Vec<ActLabel>, Steps)> = Vec::new();
        for (acts, condition) in resolved {
            if let Some(steps) = self.steps(condition) {
                performed.push((acts, steps));
            }
        }
        self.label(&performed);
    }

    fn act(&mut self, act: &ActPattern, span: Span) -> Option<ActLabel> {
        let before = self.diagnostics.len();
        self.unknown_commitments(&Formula::new(Kind::Act(act.clone()), span));
        if self.diagnostics.len() > before {
            return None;
        }
        let expand = |argument: &Arg<Formula>| match argument {
            Arg::Is(formula) => Arg::Is(self.model.with_commitments(formula)),
            Arg::Any => Arg::Any,
        };
        let act = ActPattern {
            commitment: expand(&act.commitment),
            support: act.support.as_ref().map(expand),
            ..act.clone()
        };
        if let Some(Arg::Is(support)) = &act.support {
            self.checked(support, Context::Content);
        }
        resolve_act(self.model, &act, span, &mut self.diagnostics)
    }

    /// Reports names of commitments in acts and `active(..)` that nothing has.
    fn unknown_commitments(&mut self, formula: &Formula) {
        let subject = match formula.kind() {
            Kind::Act(act) | Kind::Does(LabelPattern::Act(act)) => Some(&act.commitment),
            Kind::Active(subject) => Some(subject),
            _ => None,
        };
        if let Some(Arg::Is(commitment)) = subject
            && let Kind::Name(name) = commitment.kind()
            && !self.named.contains_key(&("name", name.name.to_string()))
        {
            let known: Vec<&str> = self
                .named
                .keys()
                .filter(|(kind, _)| *kind == "name")
                .map(|(_, name)| name.as_str())
                .collect();
            let error = Diagnostic::unknown("commitment", &name.to_string(), name.span, known);
            self.diagnostics.push(error);
        }
        formula.for_each_child(|child| self.unknown_commitments(child));
    }

    /// A condition on joint actions.
    fn joint_condition(&mut self, condition: &Condition) -> Option<Expr> {
        match condition {
            Condition::Done { action, by, span } => {
                if let Some(by) = by {
                    let error = Diagnostic::error(Code::UnexpectedToken, "`by` is for processes", by.span);
                    return self.diagnostics.refuse(error.help(format!("write `{by}.{}`", action.name)));
                }
                let parts = resolve_part(self.model, action, *span, &mut self.diagnostics)?;
                Some(Expr::or(
                    parts
                        .into_iter()
                        .map(|(agent, action)| Expr::Action(agent).equals(Expr::Constant(action as i64))),
                ))
            }
            Condition::From(place) => {
                let message =
                    "an act of agents that act together is a matter of what they do, not of where they are";
                let error = Diagnostic::error(Code::NotACondition, message, place.span());
                self.diagnostics
                    .refuse(error.help("give the action another name where it means something else"))
            }
            Condition::Not(inner) => self.joint_condition(inner).map(Expr::negate),
            Condition::And(parts) => self.joint_conditions(parts).map(Expr::and),
            Condition::Or(parts) => self.joint_conditions(parts).map(Expr::or),
        }
    }

    fn joint_conditions(&mut self, parts: &[Condition]) -> Option<Vec<Expr>> {
        let parts: Vec<Option<Expr>> = parts.iter().map(|part| self.joint_condition(part)).collect();
        parts.into_iter().collect()
    }

    /// The commands of processes that a condition refers to.
    fn steps(&mut self, condition: &Condition) -> Option<Steps> {
        let all = |steps: Vec<Option<Steps>>| steps.into_iter().collect::<Option<Vec<Steps>>>();
        match condition {
            Condition::Done { action, by, span } => {
                let alphabet = self.model.alphabet.clone().unwrap_or_default();
                let labels = resolve_action(self.model, action, &alphabet, *span, &mut self.diagnostics);
                let by = match by {
                    Some(by) => Some(resolve_agent(self.model, by, &mut self.diagnostics)?),
                    None => None,
                };
                let labels = labels?;
                let commands = self.model.behaviour.commands().iter();
                let meant = commands.map(|command| {
                    labels.contains(&command.label) && by.is_none_or(|by| command.by == Some(by))
                });
                Some(meant.collect())
            }
            Condition::From(place) => {
                let test = bind_boolean(self.model, place, &mut self.diagnostics)?;
                let commands = self.model.behaviour.commands().iter();
                let leaves = commands.map(|command| match &command.guard {
                    Expr::And(tests) => tests.contains(&test),
                    other => *other == test,
                });
                Some(leaves.collect())
            }
            Condition::Not(inner) => Some(self.steps(inner)?.into_iter().map(|meant| !meant).collect()),
            Condition::And(parts) => {
                let parts = all(parts.iter().map(|part| self.steps(part)).collect())?;
                Some(combined(&parts, |parts, at| parts.iter().all(|part| part[at])))
            }
            Condition::Or(parts) => {
                let parts = all(parts.iter().map(|part| self.steps(part)).collect())?;
                Some(combined(&parts, |parts, at| parts.iter().any(|part| part[at])))
            }
        }
    }

    /// Gives every command a label with the acts that it performs. Commands with the same action and acts share one.
    fn label(&mut self, performed: &[(Vec<ActLabel>, Steps)]) {
        let mut labels: FxHashMap<(LabelId, Vec<usize>), LabelId> = FxHashMap::default();
        let mut used = vec![false; self.model.labels.len()];
        for index in 0..self.model.behaviour.commands().len() {
            let old = self.model.behaviour.commands()[index].label;
            let which: Vec<usize> = (0..performed.len()).filter(|at| performed[*at].1[index]).collect();
            let label = *labels.entry((old, which)).or_insert_with_key(|(old, which)| {
                let Label::Action { action, .. } = self.model.label(*old) else { return *old };
                let mut acts: Vec<ActLabel> = Vec::new();
                for act in which.iter().flat_map(|at| &performed[*at].0) {
                    if !acts.contains(act) {
                        acts.push(act.clone());
                    }
                }
                let label = Label::Action { action: action.clone(), acts };
                // The first takes the place of the label without acts, so that none is left that labels nothing.
                if std::mem::replace(&mut used[old.index()], true) {
                    self.model.labels.push(label);
                    LabelId::from_index(self.model.labels.len() - 1)
                } else {
                    self.model.labels[old.index()] = label;
                    *old
                }
            });
            self.model.commands_mut()[index].label = label;
        }
    }

    /// Access, fairness and properties.
    fn formulas(&mut self, statements: &[Statement]) -> Vec<Property> {
        let mut properties = Vec::new();
        for statement in statements {
            match statement {
                Statement::Access { debtor, creditor, guard } => {
                    let debtor = resolve_agent(self.model, debtor, &mut self.diagnostics);
                    let creditor = resolve_agent(self.model, creditor, &mut self.diagnostics);
                    let guard = self.checked(guard, Context::AccessGuard);
                    if let (Some(debtor), Some(creditor), Some(guard)) = (debtor, creditor, guard) {
                        self.model.access.push(Access { debtor, creditor, guard });
                    }
                }
                Statement::Fair(formula) => {
                    if let Some(formula) = self.checked(formula, Context::Fairness) {
                        self.model.fairness.push(Fairness { formula });
                    }
                }
                _ => {}
            }
        }
        for statement in statements {
            let Statement::Property { name, expected, formula, written } = statement else { continue };
            let checked = self.checked(formula, Context::Property);
            if self.declare("property", name)
                && let Some(formula) = checked
            {
                let text = self.source.slice(*written).split_whitespace().collect::<Vec<_>>().join(" ");
                let property = Property::new(name.to_string(), text, formula, name.span);
                properties.push(Property { expected: *expected, ..property });
            }
        }
        properties
    }

    /// A formula with the names of commitments expanded, if nothing is wrong with it.
    fn checked(&mut self, formula: &Formula, context: Context) -> Option<Formula> {
        self.unknown_commitments(formula);
        let ground = self.model.with_commitments(formula);
        let found = validate(self.model, &ground, context);
        let sound = !has_errors(&found);
        // What is wrong with the content of a commitment is said where the commitment is declared.
        let known = |found: &Diagnostic| {
            self.diagnostics
                .iter()
                .any(|other| other.span == found.span && has_errors(std::slice::from_ref(other)))
        };
        let new = found.into_iter().filter(|found| !known(found)).collect::<Vec<_>>();
        self.diagnostics.extend(new);
        sound.then_some(ground)
    }
}

/// For every command whether it is meant.
type Steps = Vec<bool>;

fn combined(parts: &[Steps], meant: impl Fn(&[Steps], usize) -> bool) -> Steps {
    (0..parts.first().map_or(0, Vec::len)).map(|at| meant(parts, at)).collect()
}

fn asks_what_is_in_force(formula: &Formula) -> bool {
    let mut found = matches!(formula.kind(), Kind::Active(_));
    formula.for_each_child(|child| found = found || asks_what_is_in_force(child));
    found
}

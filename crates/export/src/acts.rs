//! What a protocol says that CCS and ISPL have no words for, as an acts file: who performs which act by which action, and formulas in the
//! words of the new model.

use std::fmt::Write as _;

use rustc_hash::FxHashMap;
use servanda_logic::{
    ActPattern, ActionPattern, Arg, Binary, Commitment, Formula, Group, Join, Kind, LabelPattern, Reference,
    Rewrite, Tag,
};
use servanda_model::{ActReading, Expr, Label, LabelId, Model, bind_boolean};
use servanda_syntax::Span;

use crate::Subject;

/// Words of acts files that stand where a name could.
const RESERVED: &[&str] = &["is", "by", "in", "and", "or", "not", "true", "false", "expect"];

/// Names for a language in which a name is letters, digits and `_`.
#[derive(Default)]
pub(crate) struct Identifiers {
    given: FxHashMap<(&'static str, String), String>,
    taken: Vec<String>,
}

impl Identifiers {
    /// Names that have a meaning of their own.
    pub(crate) fn without(reserved: &[&str]) -> Self {
        let taken = reserved.iter().chain(RESERVED).map(|name| (*name).to_owned()).collect();
        Identifiers { given: FxHashMap::default(), taken }
    }

    /// The name for something of a kind, always the same, and that of nothing else.
    pub(crate) fn of(&mut self, kind: &'static str, name: &str) -> String {
        if let Some(known) = self.given.get(&(kind, name.to_owned())) {
            return known.clone();
        }
        let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let mut base: String = name.trim_end_matches(']').chars().map(letter).collect();
        if !base.starts_with(|c: char| c.is_ascii_alphabetic()) {
            base.insert(0, 'x');
        }
        let numbered = (2..).map(|number| format!("{base}_{number}"));
        let mut free = std::iter::once(base.clone()).chain(numbered);
        let chosen = free.find(|name| !self.taken.contains(name)).unwrap_or(base);
        self.taken.push(chosen.clone());
        self.given.insert((kind, name.to_owned()), chosen.clone());
        chosen
    }
}

/// Does it ask what is in force?
pub(crate) fn reads_commitments(expr: &Expr) -> bool {
    let mut found = false;
    expr.for_each_commitment(&mut |_| found = true);
    found
}

/// By which action of the new model a transition of the protocol is made: its label there.
pub(crate) trait Actions {
    /// The actions that stand for a label, as they are written in `does(..)`.
    fn of(&self, label: LabelId) -> Vec<ActionPattern>;
}

/// Rewrites the formulas of a protocol for a new model and collects the propositions that they need.
pub(crate) struct Formulas<'m, A> {
    pub(crate) model: &'m Model,
    pub(crate) names: Identifiers,
    pub(crate) actions: A,
    /// Does the new model keep who knows what?
    pub(crate) keeps_knowledge: bool,
    /// What is said of a state, with its name.
    pub(crate) propositions: Vec<(Formula, String, Expr)>,
    reason: Option<String>,
}

impl<'m, A: Actions> Formulas<'m, A> {
    pub(crate) fn new(model: &'m Model, names: Identifiers, actions: A, keeps_knowledge: bool) -> Self {
        Formulas { model, names, actions, keeps_knowledge, propositions: Vec::new(), reason: None }
    }

    /// A formula in the words of the new model.
    pub(crate) fn of(&mut self, formula: &Formula) -> Result<Formula, String> {
        self.formula(formula).ok_or_else(|| self.reason.take().unwrap_or_default())
    }

    fn refuse<T>(&mut self, reason: impl Into<String>) -> Option<T> {
        self.reason.get_or_insert(reason.into());
        None
    }

    /// What is said of a state, as a proposition.
    fn proposition(&mut self, formula: &Formula) -> Option<Formula> {
        if !self.propositions.iter().any(|(known, ..)| known == formula) {
            let mut found = Vec::new();
            let Some(condition) = bind_boolean(self.model, formula, &mut found) else {
                return self.refuse(format!("`{formula}` is no condition on a state"));
            };
            if reads_commitments(&condition) {
                return self.refuse(format!("`{formula}` compares what is in force"));
            }
            let name = match formula.kind() {
                // Comparisons have no short name.
                Kind::Binary(..) => self.names.of("comparison", &format!("p{}", self.propositions.len() + 1)),
                _ => self.names.of("proposition", &formula.to_string()),
            };
            self.propositions.push((formula.clone(), name, condition));
        }
        let (_, name, _) = self.propositions.iter().find(|(known, ..)| known == formula)?;
        Some(Formula::new(Kind::Name(Reference::plain(name, formula.span())), formula.span()))
    }

    fn labels(&self, pattern: &ActionPattern) -> Vec<LabelId> {
        self.model.messages_matching(pattern, &mut Vec::new()).unwrap_or_default()
    }

    /// `does(a) | does(b)`, for the actions that stand for some labels.
    fn does(&self, labels: &[LabelId], span: Span) -> Formula {
        let actions = labels.iter().flat_map(|label| self.actions.of(*label));
        let does = actions.map(|action| Formula::new(Kind::Does(LabelPattern::Action(action)), span));
        does.reduce(|any, one| any.binary(Binary::Or, one))
            .unwrap_or_else(|| Formula::new(Kind::Bool(false), span))
    }
}

impl<A: Actions> Rewrite for Formulas<'_, A> {
    fn formula(&mut self, formula: &Formula) -> Option<Formula> {
        let comparison = |op: &Binary| {
            use Binary::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
            matches!(op, Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual)
        };
        let kind = match formula.kind() {
            Kind::Name(_) | Kind::At(_) | Kind::Carries(_) | Kind::Length(_) => {
                return self.proposition(formula);
            }
            Kind::Binary(op, ..) if comparison(op) => return self.proposition(formula),
            Kind::If(condition, then, otherwise) => {
                let taken = condition.clone().binary(Binary::And, then.clone());
                let other = condition.clone().negated().binary(Binary::And, otherwise.clone());
                return self.formula(&taken.binary(Binary::Or, other));
            }
            Kind::Joined(join @ (Join::Any | Join::All), parts) => {
                let op = if *join == Join::Any { Binary::Or } else { Binary::And };
                let mut rewritten = Vec::new();
                for part in parts {
                    rewritten.push(self.formula(part)?);
                }
                let empty = Formula::new(Kind::Bool(*join == Join::All), formula.span());
                return Some(
                    rewritten.into_iter().reduce(|one, other| one.binary(op, other)).unwrap_or(empty),
                );
            }
            Kind::Does(LabelPattern::Action(action)) => {
                let labels = self.labels(action);
                return Some(self.does(&labels, formula.span()));
            }
            Kind::Does(LabelPattern::Shown(_)) => {
                return self.refuse("a label in quotation marks has other names");
            }
            Kind::Bounded(_) => {
                return self.refuse("operators with bounds count ticks, and there is no clock to count by");
            }
            Kind::Strategic(_) => {
                return self.refuse("strategies depend on who moves, which is not kept");
            }
            Kind::Epistemic(_) if !self.keeps_knowledge => {
                return self.refuse("what agents know depends on what they see, which is not kept");
            }
            kind => kind.rewrite(self)?,
        };
        Some(Formula::new(kind, formula.span()))
    }

    fn role(&mut self, name: &Reference) -> Option<Reference> {
        Some(Reference::plain(&self.names.of("agent", &name.to_string()), name.span))
    }

    fn group(&mut self, group: &Group) -> Option<Group> {
        Some(match group {
            Group::Everybody => {
                // The new model has an agent more.
                let agents: Vec<String> = self.model.agents.iter().map(|agent| agent.name.clone()).collect();
                let names = agents.iter().map(|name| self.names.of("agent", name));
                Group::Listed(names.map(|name| Reference::plain(&name, Span::default())).collect())
            }
            Group::Named(name) if self.model.find_agent(&name.to_string()).is_some() => {
                Group::Named(self.role(name)?)
            }
            Group::Named(name) => {
                Group::Named(Reference::plain(&self.names.of("group", &name.to_string()), name.span))
            }
            Group::Listed(members) => {
                Group::Listed(members.iter().map(|member| self.role(member)).collect::<Option<_>>()?)
            }
        })
    }

    fn label(&mut self, label: &LabelPattern) -> Option<LabelPattern> {
        match label {
            LabelPattern::Act(act) => self.act(act).map(LabelPattern::Act),
            other => Some(other.clone()),
        }
    }
}

/// The acts of a protocol and its formulas. The propositions are known only afterwards, so they are asked for then.
pub(crate) fn body<A: Actions>(
    subject: &Subject<'_>,
    formulas: &mut Formulas<'_, A>,
) -> Result<String, String> {
    let model = subject.model;
    let mut text = String::new();
    for (id, label) in model.labels() {
        let Label::Act(act) = label else { continue };
        let actions: Vec<String> = formulas.actions.of(id).iter().map(ToString::to_string).collect();
        if actions.is_empty() {
            continue;
        }
        let promise = &act.promise;
        let name = |agent| Reference::plain(&model.agent(agent).name, Span::default());
        let commitment = Commitment {
            debtor: Arg::Is(name(promise.debtor)),
            creditor: Arg::Is(name(promise.creditor)),
            tag: promise.tag.as_ref().map(|tag| {
                let number = tag.parse().map(Tag::Number);
                let named = || Tag::Name(Reference::plain(tag, Span::default()));
                Arg::Is(number.unwrap_or_else(|_| named()))
            }),
            content: Arg::Is(promise.content.clone()),
        };
        let pattern = ActPattern {
            kind: Arg::Is(act.kind),
            actor: Arg::Is(name(act.actor())),
            commitment: Arg::Is(Formula::new(Kind::Commitment(commitment), Span::default())),
            support: act.support.clone().map(Arg::Is),
            third: act.third.map(|third| Arg::Is(name(third))),
        };
        let act = formulas.of(&Formula::new(Kind::Act(pattern), Span::default()))?;
        let _ = writeln!(text, "{} is {act}", actions.join(" | "));
    }
    for group in &model.groups {
        let members = group.members.iter().map(|agent| formulas.names.of("agent", &model.agent(*agent).name));
        let members = members.collect::<Vec<_>>().join(", ");
        let _ = writeln!(text, "group {} = {{ {members} }}", formulas.names.of("group", &group.name));
    }
    for access in &model.access {
        let [debtor, creditor] = [access.debtor, access.creditor]
            .map(|agent| formulas.names.of("agent", &model.agent(agent).name));
        let _ = writeln!(text, "access {debtor} -> {creditor} : {}", formulas.of(&access.guard)?);
    }
    if !model.step_fairness.is_empty() {
        return Err("it demands fairness of steps, for which there are no words there".to_owned());
    }
    for fairness in &model.fairness {
        let _ = writeln!(text, "fair {}", formulas.of(&fairness.formula)?);
    }
    for property in subject.properties {
        let formula =
            formulas.of(&property.formula).map_err(|reason| format!("{}: {reason}", property.name))?;
        let expected = property.expected.map_or_else(String::new, |expected| format!(" expect {expected}"));
        let name = formulas.names.of("property", &property.name);
        let _ = writeln!(text, "property {name}{expected} = {formula}");
    }
    Ok(text)
}

/// The head of the file.
pub(crate) fn head(model: &Model) -> String {
    let reading = match model.acts {
        ActReading::Actl => "actl",
        ActReading::Scctl => "scctl",
        ActReading::Ctlca => "ctlca",
    };
    format!("// What the actions of {} mean.\nsemantics {reading}\n", model.name)
}

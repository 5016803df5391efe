//! Act formulas: which labels of the model a pattern matches, and what each reading demands besides the label.

use servanda_logic::{
    ActKind, ActPattern, Arg, Formula, LabelPattern, Outcome, Party, Reference, written_content,
};
use servanda_model::{ActLabel, ActReading, AgentId, Comparison, Expr, PromisePattern, resolve_agent};
use servanda_syntax::{Code, Diagnostic, Findings, Span, optional};

use crate::actions::{resolve_action, resolve_part};
use crate::lowerer::{Lowerer, Scope};
use crate::resolve::{not_a_third, wrong_party};
use crate::{CoreFormula, PathFormula};

/// An act pattern with its names resolved; contents and supports compare as parsed.
struct Resolved {
    kind: Arg<ActKind>,
    actor: Arg<AgentId>,
    commitment: Arg<PromisePattern>,
    support: Option<Arg<Formula>>,
    third: Option<Arg<AgentId>>,
}

impl Resolved {
    fn matches(&self, act: &ActLabel) -> bool {
        let commitment = self.commitment.given().is_none_or(|pattern| pattern.matches(&act.promise));
        let kind = self.kind.fits(&act.kind) && self.actor.fits(&act.actor());
        commitment && kind && same(&self.support, &act.support) && same(&self.third, &act.third)
    }
}

/// Does a part that not all acts have match? `Act` stands for acts with any and for those without.
fn same<T: PartialEq>(pattern: &Option<Arg<T>>, part: &Option<T>) -> bool {
    match (pattern, part) {
        (Some(wanted), Some(part)) => wanted.fits(part),
        (Some(Arg::Any), None) | (None, None) => true,
        _ => false,
    }
}

impl Lowerer<'_> {
    /// `does(..)`: the labels that match.
    pub(crate) fn does(&mut self, pattern: &LabelPattern, span: Span) -> Option<PathFormula> {
        if self.model.behaviour.is_rounds() {
            return self.joint_action(pattern, span);
        }
        let labels = match pattern {
            LabelPattern::Any => self.model.labels().map(|(id, _)| id).collect(),
            LabelPattern::Shown(text) => self.model.labels_shown(text),
            LabelPattern::Act(act) => return self.does_act(act, span),
            LabelPattern::Action(action) => match &self.model.alphabet {
                Some(alphabet) => resolve_action(self.model, action, alphabet, span, self.diagnostics)?,
                None => self.model.messages_matching(action, self.diagnostics)?,
            },
        };
        Some(self.arena.does(labels))
    }

    /// `does(..)` of an act: a step that performs it.
    fn does_act(&mut self, act: &ActPattern, span: Span) -> Option<PathFormula> {
        let resolved = self.resolve_pattern(act, span, Scope::default())?;
        let matching = self.matching(&resolved);
        Some(self.performed(&matching))
    }

    /// One of these acts is performed next.
    fn performed(&mut self, acts: &[ActLabel]) -> PathFormula {
        let mut any = self.arena.does(self.model.labels_performing(acts));
        for joint in self.model.joint_acts.iter().filter(|joint| acts.contains(&joint.act)) {
            let mut done = self.condition_on_actions(&joint.when);
            if joint.is_done_by(&[]) {
                // An implicit loop is no act.
                let round = self.any_round();
                done = self.arena.and(round, done);
            }
            any = self.arena.or(any, done);
        }
        any
    }

    /// The joint action of the next round satisfies a condition.
    fn condition_on_actions(&mut self, when: &Expr) -> PathFormula {
        match when {
            Expr::Not(inner) => {
                let inner = self.condition_on_actions(inner);
                self.arena.not(inner)
            }
            Expr::And(parts) => parts.iter().fold(PathFormula::TRUE, |all, part| {
                let part = self.condition_on_actions(part);
                self.arena.and(all, part)
            }),
            Expr::Or(parts) => parts.iter().fold(PathFormula::FALSE, |any, part| {
                let part = self.condition_on_actions(part);
                self.arena.or(any, part)
            }),
            Expr::Compare(Comparison::Equal, left, right) => match (&**left, &**right) {
                (Expr::Action(agent), Expr::Constant(action)) => self.arena.acts(*agent, *action as usize),
                _ => PathFormula::FALSE,
            },
            Expr::Constant(value) if *value != 0 => PathFormula::TRUE,
            // A condition on joint actions has no other parts.
            _ => PathFormula::FALSE,
        }
    }

    /// A round is taken next: it has some action of the first agent, and an implicit loop has none.
    fn any_round(&mut self) -> PathFormula {
        let Some((first, _)) = self.model.agents().next() else { return PathFormula::FALSE };
        let actions = self.model.behaviour.programs()[first.index()].actions.len();
        (0..actions).fold(PathFormula::FALSE, |any, action| {
            let takes = self.arena.acts(first, action);
            self.arena.or(any, takes)
        })
    }

    /// `does(..)` where agents act in rounds: someone's part of the joint action, or an act that it is.
    fn joint_action(&mut self, pattern: &LabelPattern, span: Span) -> Option<PathFormula> {
        let found = match pattern {
            LabelPattern::Any => return Some(self.any_round()),
            LabelPattern::Act(act) => return self.does_act(act, span),
            // ISPL has its own words for formulas, and these are not among them.
            LabelPattern::Shown(_) => Vec::new(),
            LabelPattern::Action(action) => resolve_part(self.model, action, span, self.diagnostics)?,
        };
        let mut any = PathFormula::FALSE;
        for (agent, action) in found {
            let acts = self.arena.acts(agent, action);
            any = self.arena.or(any, acts);
        }
        Some(any)
    }

    /// An act as a formula: the disjunction over the labels it matches, each with what its reading demands. With
    /// no matching label it is false (docs/formulas.md section 10, item 2).
    pub(crate) fn act(&mut self, pattern: &ActPattern, span: Span, scope: Scope) -> Option<PathFormula> {
        let resolved = self.resolve_pattern(pattern, span, scope)?;
        let mut result = PathFormula::FALSE;
        for act in self.matching(&resolved) {
            let one = if scope.labels_only {
                self.performed(std::slice::from_ref(&act))
            } else {
                self.one_act(&act, span, scope)?
            };
            result = self.arena.or(result, one);
        }
        Some(result)
    }

    fn matching(&self, pattern: &Resolved) -> Vec<ActLabel> {
        self.model.acts().into_iter().filter(|act| pattern.matches(act)).cloned().collect()
    }

    /// A pattern with wildcards inside a content can match an act on the very commitment it is part of. What such an act
    /// brings about would be defined by itself.
    fn one_act(&mut self, act: &ActLabel, span: Span, scope: Scope) -> Option<PathFormula> {
        if self.expanding.contains(act) {
            let message = "this pattern matches an act on a commitment that contains the pattern itself";
            return self.diagnostics.refuse(
                Diagnostic::error(Code::CircularPattern, message, span)
                    .help("name the commitment, or use `does(..)`, which looks at the label alone"),
            );
        }
        self.expanding.push(act.clone());
        let expanded = self.expanded_act(act, span, scope);
        self.expanding.pop();
        expanded
    }

    fn expanded_act(&mut self, act: &ActLabel, span: Span, scope: Scope) -> Option<PathFormula> {
        let does = self.performed(std::slice::from_ref(act));
        if self.reading == ActReading::Actl {
            let post = self.brought_about(act, scope.one_step_on())?;
            let next = self.arena.next(post);
            return Some(self.arena.and(does, next));
        }
        if act.kind == ActKind::Create {
            return self.creation(act, scope);
        }
        self.check_looking_back(
            span,
            scope,
            "in this reading the act looks back for the creation of its commitment",
        );
        let created = self.creation(act, scope)?;
        let once = self.arena.once(created);
        Some(self.arena.and(does, once))
    }

    /// "The commitment is created now", as SCCTL* and CTL*CA read it.
    fn creation(&mut self, act: &ActLabel, scope: Scope) -> Option<PathFormula> {
        let creation =
            ActLabel { kind: ActKind::Create, promise: act.promise.clone(), support: None, third: None };
        let does = self.performed(std::slice::from_ref(&creation));
        if self.reading == ActReading::Scctl {
            return Some(does);
        }
        let post = self.brought_about(&creation, scope.one_step_on())?;
        let next = self.arena.next(post);
        Some(self.arena.and(does, next))
    }

    /// What an act brings about in the next state, as ACTL* reads it.
    fn brought_about(&mut self, act: &ActLabel, scope: Scope) -> Option<PathFormula> {
        match act.kind.outcome() {
            Outcome::Owed(owed) => self.committed(&act.owed(owed), scope),
            Outcome::NotOwed => {
                let committed = self.committed(&act.promise, scope)?;
                Some(self.arena.not(committed))
            }
            Outcome::Holds => self.formula(&act.promise.content, scope),
            Outcome::Fails => {
                let content = self.formula(&act.promise.content, scope)?;
                Some(self.arena.not(content))
            }
        }
    }

    /// What conformance asks of a transition with this label: what the act brings about, read `actl`.
    pub(crate) fn post_condition(&mut self, act: &ActLabel) -> Option<PathFormula> {
        self.brought_about(act, Scope::default())
    }

    /// Resolves the names of a pattern and checks that the act can be performed by that party.
    fn resolve_pattern(&mut self, act: &ActPattern, span: Span, scope: Scope) -> Option<Resolved> {
        let actor = self.agent_arg(&act.actor);
        let third = optional(&act.third, |third| self.agent_arg(third));
        let commitment = PromisePattern::of_subject(self.model, &act.commitment, self.diagnostics);
        if let Arg::Is(commitment) = &act.commitment
            && let Some(content) = written_content(commitment)
        {
            // Only to find its mistakes: contents of acts compare as parsed.
            self.formula(content, scope.inside_argument())?;
        }
        if let Some(Arg::Is(support)) = &act.support {
            self.formula(support, scope.inside_argument())?;
        }
        let resolved = Resolved {
            kind: act.kind.clone(),
            actor: actor?,
            commitment: commitment?,
            support: act.support.clone(),
            third: third?,
        };
        self.check_party(&resolved, &act.actor, span)?;
        self.check_third(&resolved, &act.third, span)?;
        Some(resolved)
    }

    /// Whom `Del` and `Ass` bring in is neither of the two parties, as far as these are known.
    fn check_third(&mut self, act: &Resolved, third: &Option<Arg<Reference>>, span: Span) -> Option<()> {
        let (Arg::Is(kind), Some(Arg::Is(id))) = (&act.kind, &act.third) else { return Some(()) };
        let span = third.iter().find_map(Arg::given).map_or(span, |reference| reference.span);
        let parties =
            act.commitment.given().map(|pattern| [pattern.debtor.given(), pattern.creditor.given()]);
        let [debtor, creditor] = parties.unwrap_or_default();
        // Who acts is one of them.
        let [debtor, creditor] = match kind.party() {
            Party::Debtor => [act.actor.given().or(debtor), creditor],
            Party::Creditor => [debtor, act.actor.given().or(creditor)],
        };
        if debtor == Some(id) || creditor == Some(id) {
            return self.diagnostics.refuse(not_a_third(self.model, *kind, *id, debtor == Some(id), span));
        }
        Some(())
    }

    fn check_party(&mut self, act: &Resolved, actor: &Arg<Reference>, span: Span) -> Option<()> {
        let (Arg::Is(actor_id), Arg::Is(commitment)) = (&act.actor, &act.commitment) else { return Some(()) };
        let span = match actor {
            Arg::Is(reference) => reference.span,
            Arg::Any => span,
        };
        match &act.kind {
            Arg::Is(kind) => {
                let rightful = match kind.party() {
                    Party::Debtor => &commitment.debtor,
                    Party::Creditor => &commitment.creditor,
                };
                match rightful {
                    Arg::Is(rightful) if rightful != actor_id => {
                        self.diagnostics.refuse(wrong_party(self.model, *kind, *actor_id, *rightful, span))
                    }
                    _ => Some(()),
                }
            }
            Arg::Any if commitment.debtor.fits(actor_id) || commitment.creditor.fits(actor_id) => Some(()),
            Arg::Any => {
                let name = &self.model.agent(*actor_id).name;
                let message = format!("`{name}` is no party to this commitment, so it cannot act on it");
                self.diagnostics.error(Code::WrongParty, message, span)
            }
        }
    }

    fn agent_arg(&mut self, arg: &Arg<Reference>) -> Option<Arg<AgentId>> {
        arg.try_map(|reference| resolve_agent(self.model, reference, self.diagnostics))
    }
}

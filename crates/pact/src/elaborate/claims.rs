//! Claimed decompositions.

use rustc_hash::FxHashMap;
use servanda_abta::decompose::{Claim, Decomposition, Edge, Rule};
use servanda_logic::{Formula, Kind, Rewrite, Unary};
use servanda_lower::{Context, resolve_act, validate};
use servanda_syntax::{Code, Diagnostic, Span, all, has_errors};

use super::Elaborator;
use crate::ast::{DecomposeItem, EdgeItem, ItemKind, Name};
use crate::bindings::Bindings;
use crate::fold::check_constants;
use crate::unroll::{Instance, Unrolled};

impl Elaborator<'_> {
    pub(super) fn claims(&mut self, unrolled: &Unrolled<'_>) -> Vec<Claim> {
        let mut claims = Vec::new();
        for Instance { item, bindings, .. } in &unrolled.instances {
            if let ItemKind::Decompose(claim) = &item.kind {
                claims.extend(self.claim(claim, bindings, item.span));
            }
        }
        claims
    }

    fn claim(&mut self, claim: &DecomposeItem, bindings: &Bindings, span: Span) -> Option<Claim> {
        let act = self.expander(bindings).act(&claim.act);
        let act = act.and_then(|act| resolve_act(&self.model, &act, claim.act_span, &mut self.diagnostics));
        if claim.states.is_empty() {
            let error =
                Diagnostic::error(Code::NoStates, "a decomposition has at least one state", claim.act_span);
            self.diagnostics.push(error.help("write its states first, as in `0 : SC(A, B, p) ;`"));
        }
        let mut numbers: FxHashMap<&str, (usize, Span)> = FxHashMap::default();
        let mut states = Vec::new();
        for (number, state) in claim.states.iter().enumerate() {
            let name = &state.name;
            if let Some((_, first)) = numbers.insert(&name.text, (number, name.span)) {
                let message = format!("the state `{}` is declared twice", name.text);
                let error = Diagnostic::error(Code::DuplicateName, message, name.span);
                self.diagnostics.push(error.label(first, "first declared here"));
            }
            states.push(all(state.formulas.iter().map(|formula| self.claimed(formula, bindings))));
        }
        let edges = all(claim.edges.iter().map(|edge| self.claimed_edge(edge, &numbers, bindings)));
        let (states, edges) = (all(states)?, edges?);
        Some(Claim { act: act?, decomposition: Decomposition { states, edges }, span })
    }

    /// A formula of a claimed state, where `?φ` may stand.
    fn claimed(&mut self, formula: &Formula, bindings: &Bindings) -> Option<Formula> {
        let ground = self.expander(bindings).with_challenges().whole(formula)?;
        if !check_constants(&ground, &mut self.diagnostics) {
            return None;
        }
        // A challenge has no meaning of its own; what is challenged must make sense.
        let found = validate(&self.model, &without_challenges(&ground), Context::Content);
        let sound = !has_errors(&found);
        self.diagnostics.extend(found);
        sound.then_some(ground)
    }

    fn claimed_edge(
        &mut self,
        edge: &EdgeItem,
        numbers: &FxHashMap<&str, (usize, Span)>,
        bindings: &Bindings,
    ) -> Option<Edge> {
        let from = self.claimed_state(&edge.from, numbers);
        let to = self.claimed_state(&edge.to, numbers);
        let rule = match &edge.rule {
            Rule::And => Some(Rule::And),
            Rule::Or => Some(Rule::Or),
            Rule::Not => Some(Rule::Not),
            Rule::Question => Some(Rule::Question),
            Rule::Equivalent => Some(Rule::Equivalent),
            Rule::Next => Some(Rule::Next),
            Rule::Commitment(role) => {
                self.role(role, bindings).map(|agent| Rule::Commitment(self.model.agent(agent).name.clone()))
            }
        };
        Some(Edge { from: from?, rule: rule?, to: to? })
    }

    fn claimed_state(&mut self, name: &Name, numbers: &FxHashMap<&str, (usize, Span)>) -> Option<usize> {
        let found = numbers.get(&*name.text).map(|(number, _)| *number);
        if found.is_none() {
            let message = format!("this decomposition has no state `{}`", name.text);
            let error = Diagnostic::error(Code::UnknownName, message, name.span);
            self.diagnostics.push(error.suggest(&name.text, numbers.keys().copied()));
        }
        found
    }
}

fn without_challenges(formula: &Formula) -> Formula {
    match formula.kind() {
        Kind::Unary(Unary::Challenged, inner) => without_challenges(inner),
        _ => formula.map_children(without_challenges),
    }
}

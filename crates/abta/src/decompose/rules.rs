//! The rules, applied until only boolean combinations of atoms are left.

use servanda_logic::{Arg, Binary, Commitment, Formula, Kind, Reference, Tag, Unary, nnf};
use servanda_model::{ActLabel, AgentId, Model, Promise};
use servanda_syntax::Span;

use super::{Decomposition, Edge, Rule};
use crate::acts::brought_about;

/// The decomposition of an act: of what the act formula (read `actl`) demands of the next state.
pub fn decompose_act(model: &Model, act: &ActLabel) -> Decomposition {
    let (terms, span) = (terms(model, &act.promise), act.promise.content.span());
    let third = act.third.map(|third| ground_reference(&model.agent(third).name));
    decompose_formula(&brought_about(act.kind, &terms, (act.support.as_ref(), third.as_ref()), span))
}

/// A commitment in the words of formulas.
fn terms(model: &Model, promise: &Promise) -> Commitment {
    let party = |id: AgentId| Arg::Is(ground_reference(&model.agent(id).name));
    let tag = promise.tag.as_ref().map(|tag| {
        Arg::Is(match tag.parse() {
            Ok(number) => Tag::Number(number),
            Err(_) => Tag::Name(Reference::plain(tag, Span::default())),
        })
    });
    let (debtor, creditor) = (party(promise.debtor), party(promise.creditor));
    Commitment { debtor, creditor, tag, content: Arg::Is(promise.content.clone()) }
}

/// A full name such as `Bidder[1]` taken apart, so that it equals what a user writes.
fn ground_reference(full_name: &str) -> Reference {
    let mut parts = full_name.split('[');
    let mut reference = Reference::plain(parts.next().unwrap_or(full_name), Span::default());
    let index = |part: &str| part.trim_end_matches(']').parse().ok();
    reference.indices =
        parts.filter_map(index).map(|i| Formula::new(Kind::Int(i), Span::default())).collect();
    reference
}

/// The decomposition that starts from one formula.
pub fn decompose_formula(formula: &Formula) -> Decomposition {
    let mut made = Decomposition { states: vec![vec![formula.clone()]], edges: Vec::new() };
    let mut next = 0;
    while next < made.states.len() {
        let state = made.states[next].clone();
        if let Some((rule, children)) = apply(&state) {
            for child in children {
                let to = made.states.iter().position(|known| same_set(known, &child)).unwrap_or_else(|| {
                    made.states.push(child);
                    made.states.len() - 1
                });
                let edge = Edge { from: next, rule: rule.clone(), to };
                if !made.edges.contains(&edge) {
                    made.edges.push(edge);
                }
            }
        }
        next += 1;
    }
    made
}

/// Are the two states the same set of formulas?
pub(crate) fn same_set(left: &[Formula], right: &[Formula]) -> bool {
    left.iter().all(|f| right.contains(f)) && right.iter().all(|f| left.contains(f))
}

/// The rule that applies to a state and the states it leaves; `None` for a leaf.
fn apply(state: &[Formula]) -> Option<(Rule, Vec<Vec<Formula>>)> {
    for (index, formula) in state.iter().enumerate() {
        let rest: Vec<Formula> =
            state.iter().enumerate().filter(|(other, _)| *other != index).map(|(_, f)| f.clone()).collect();
        if let Some((rule, children)) = split(formula, rest.is_empty()) {
            let with_rest = |mut child: Vec<Formula>| {
                child.extend(rest.iter().filter(|f| !child.contains(f)).cloned().collect::<Vec<_>>());
                child
            };
            return Some((rule, children.into_iter().map(with_rest).collect()));
        }
    }
    let (steps, settled): (Vec<&Formula>, Vec<&Formula>) =
        state.iter().partition(|f| next_operand(f).is_some());
    if steps.is_empty() {
        return None;
    }
    if settled.is_empty() {
        let operands = steps.iter().filter_map(|f| next_operand(f)).cloned().collect();
        return Some((Rule::Next, vec![operands]));
    }
    Some((Rule::Equivalent, vec![steps.into_iter().cloned().collect()]))
}

fn next_operand(formula: &Formula) -> Option<&Formula> {
    match formula.kind() {
        Kind::Unary(Unary::Next, operand) => Some(operand),
        _ => None,
    }
}

/// Is it a boolean combination of atoms, which no rule takes apart? Acts, knowledge, strategies and past count as atoms: the
/// decomposition rules do not enter them.
fn is_settled(formula: &Formula) -> bool {
    match formula.kind() {
        Kind::Unary(op, inner) => match op {
            Unary::Not | Unary::Minus => is_settled(inner),
            Unary::Previous
            | Unary::Once
            | Unary::Historically
            | Unary::AllPrevious
            | Unary::SomePrevious
            | Unary::AllPast
            | Unary::SomePast => true,
            Unary::ForAll
            | Unary::Exists
            | Unary::Next
            | Unary::Finally
            | Unary::Globally
            | Unary::Challenged => false,
        },
        Kind::Binary(op, left, right) => match op {
            Binary::Until | Binary::WeakUntil | Binary::Release | Binary::So => false,
            Binary::Since => true,
            _ => is_settled(left) && is_settled(right),
        },
        Kind::If(condition, then, otherwise) => [condition, then, otherwise].into_iter().all(is_settled),
        Kind::Joined(_, parts) => parts.iter().all(is_settled),
        Kind::Commitment(_) => false,
        _ => true,
    }
}

/// What becomes of one formula of a state. `alone`: the state has no other formula, so that the sign of the whole
/// state can change (R4); otherwise a negation is pushed inwards.
fn split(formula: &Formula, alone: bool) -> Option<(Rule, Vec<Vec<Formula>>)> {
    if is_settled(formula) {
        return None;
    }
    let again = |operand: &Formula| operand.clone().unary(Unary::Next);
    let one = |rule, formulas| Some((rule, vec![formulas]));
    let two = |left, right| Some((Rule::Or, vec![left, right]));
    match formula.kind() {
        Kind::Commitment(commitment) => {
            let Arg::Is(content) = &commitment.content else { return None };
            let debtor = match &commitment.debtor {
                Arg::Is(reference) => reference.to_string(),
                Arg::Any => "_".to_owned(),
            };
            one(Rule::Commitment(debtor), vec![content.clone()])
        }
        Kind::Unary(op, operand) => match op {
            Unary::Challenged => one(Rule::Question, vec![operand.clone()]),
            Unary::Not if alone => one(Rule::Not, vec![operand.clone()]),
            Unary::Not => {
                let pushed = nnf(formula);
                if pushed == *formula { None } else { one(Rule::Not, vec![pushed]) }
            }
            Unary::Exists => one(Rule::Or, vec![operand.clone()]),
            Unary::ForAll => one(Rule::Not, vec![operand.clone().negated().unary(Unary::Exists)]),
            Unary::Finally => two(vec![operand.clone()], vec![again(formula)]),
            Unary::Globally => one(Rule::And, vec![operand.clone(), again(formula)]),
            _ => None,
        },
        Kind::Binary(op, left, right) => {
            let (a, b) = (left.clone(), right.clone());
            match op {
                Binary::And => one(Rule::And, vec![a, b]),
                Binary::Or => two(vec![a], vec![b]),
                Binary::Implies => two(vec![a.negated()], vec![b]),
                Binary::Iff => two(vec![a.clone(), b.clone()], vec![a.negated(), b.negated()]),
                Binary::So => {
                    let weakened = a.clone().negated().binary(Binary::Or, b);
                    one(Rule::And, vec![a, weakened.unary(Unary::Next)])
                }
                Binary::Until | Binary::WeakUntil => two(vec![b], vec![a, again(formula)]),
                Binary::Release => two(vec![a, b.clone()], vec![b, again(formula)]),
                _ => None,
            }
        }
        Kind::If(condition, then, otherwise) => {
            two(vec![condition.clone(), then.clone()], vec![condition.clone().negated(), otherwise.clone()])
        }
        Kind::Joined(join, parts) => match join {
            servanda_logic::Join::All => one(Rule::And, parts.clone()),
            servanda_logic::Join::Any => {
                Some((Rule::Or, parts.iter().map(|part| vec![part.clone()]).collect()))
            }
            servanda_logic::Join::Sum => None,
        },
        _ => None,
    }
}

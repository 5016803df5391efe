//! From formulas as written to the arena: negations moved inwards, acts and past written out.

use std::collections::HashMap;

use servanda_logic::{
    ActKind, ActPattern, Arg, Binary, Commitment, Formula, Join, Kind, LabelPattern, Unary,
};
use servanda_syntax::{Code, Diagnostic};

use super::arena::{Arena, Node, NodeId};
use super::past::looks_ahead;
use crate::Acts;
use crate::acts::PlainAct;
use crate::automaton::{Quantifier, Scope};

/// Fills an arena.
pub(crate) struct Converter {
    pub(crate) arena: Arena,
    acts: Acts,
    /// By formula and by whether it is wanted as it is or negated: nested equivalences would otherwise take
    /// exponential time.
    done: HashMap<(Formula, bool), NodeId>,
}

type Converted = Result<NodeId, Box<Diagnostic>>;

impl Converter {
    pub(crate) fn new(acts: Acts) -> Self {
        Converter { arena: Arena::default(), acts, done: HashMap::new() }
    }

    /// The normal form of a formula, or of its negation where `keep` is false.
    pub(crate) fn convert(&mut self, formula: &Formula, keep: bool) -> Converted {
        let key = (formula.clone(), keep);
        if let Some(&done) = self.done.get(&key) {
            return Ok(done);
        }
        let made = self.fresh(formula, keep)?;
        self.done.insert(key, made);
        Ok(made)
    }

    fn fresh(&mut self, formula: &Formula, keep: bool) -> Converted {
        match formula.kind() {
            Kind::Bool(value) => Ok(self.arena.constant(*value == keep)),
            Kind::Unary(op, operand) => self.unary(formula, *op, operand, keep),
            Kind::Binary(op, left, right) => self.binary(formula, *op, left, right, keep),
            Kind::Joined(join @ (Join::Any | Join::All), parts) => {
                let conjunction = (*join == Join::All) == keep;
                let mut whole = self.arena.constant(conjunction);
                for part in parts.iter().rev() {
                    let part = self.convert(part, keep)?;
                    whole =
                        if conjunction { self.arena.and(part, whole) } else { self.arena.or(part, whole) };
                }
                Ok(whole)
            }
            Kind::Does(_) => Ok(self.arena.add(Node::Does(formula.clone(), keep))),
            Kind::Act(act) => self.act(formula, act, keep),
            Kind::Commitment(commitment) => self.commitment(formula, commitment, keep),
            Kind::Int(_)
            | Kind::Name(_)
            | Kind::Comprehension(_)
            | Kind::Joined(Join::Sum, _)
            | Kind::At(_)
            | Kind::Epistemic(_)
            | Kind::Strategic(_) => Ok(self.atom(formula, keep)),
        }
    }

    fn atom(&mut self, formula: &Formula, keep: bool) -> NodeId {
        self.arena.add(Node::Atom(formula.clone(), keep))
    }

    fn unary(&mut self, formula: &Formula, op: Unary, operand: &Formula, keep: bool) -> Converted {
        match op {
            Unary::Not => self.convert(operand, !keep),
            Unary::ForAll | Unary::Exists => {
                let quantifier = match (op == Unary::Exists) == keep {
                    true => Quantifier::Exists,
                    false => Quantifier::ForAll,
                };
                let path = self.convert(operand, keep)?;
                Ok(self.arena.add(Node::Quantified(quantifier, None, path)))
            }
            Unary::Next => {
                let operand = self.convert(operand, keep)?;
                Ok(self.arena.next(operand))
            }
            Unary::Finally | Unary::Globally => {
                let operand = self.convert(operand, keep)?;
                let eventually = (op == Unary::Finally) == keep;
                let left = self.arena.constant(eventually);
                Ok(if eventually {
                    self.arena.until(left, operand)
                } else {
                    self.arena.release(left, operand)
                })
            }
            Unary::Previous => self.history(operand, keep),
            Unary::Once => {
                let now = self.convert(operand, keep)?;
                let before = self.history(formula, keep)?;
                Ok(if keep { self.arena.or(now, before) } else { self.arena.and(now, before) })
            }
            // `H φ` is `!P !φ`, so that both are remembered alike.
            Unary::Historically => {
                let once = operand.clone().negated().unary(Unary::Once);
                self.convert(&once, !keep)
            }
            Unary::Minus
            | Unary::AllPrevious
            | Unary::SomePrevious
            | Unary::AllPast
            | Unary::SomePast
            | Unary::Challenged => Ok(self.atom(formula, keep)),
        }
    }

    /// `Y operand`
    fn history(&mut self, operand: &Formula, keep: bool) -> Converted {
        if looks_ahead(operand).is_none_or(|steps| steps > 1) {
            let message = "a past operator over a formula that looks further ahead than the next state";
            return Err(Diagnostic::error(Code::PastOverFuture, message, operand.span())
                .help("only the run so far can be remembered: let the future operator stand outside")
                .into());
        }
        let literal = operand.clone().unary(Unary::Previous);
        Ok(self.atom(&literal, keep))
    }

    fn binary(
        &mut self,
        formula: &Formula,
        op: Binary,
        left: &Formula,
        right: &Formula,
        keep: bool,
    ) -> Converted {
        let op = match op {
            Binary::And | Binary::Or | Binary::Implies => {
                let a = self.convert(left, keep == (op != Binary::Implies))?;
                let b = self.convert(right, keep)?;
                let conjunction = (op == Binary::And) == keep;
                return Ok(if conjunction { self.arena.and(a, b) } else { self.arena.or(a, b) });
            }
            other => other,
        };
        match op {
            Binary::Iff => {
                let (a, b) = (self.convert(left, true)?, self.convert(right, keep)?);
                let both = self.arena.and(a, b);
                let (a, b) = (self.convert(left, false)?, self.convert(right, !keep)?);
                let neither = self.arena.and(a, b);
                Ok(self.arena.or(both, neither))
            }
            Binary::Until | Binary::Release => {
                let (a, b) = (self.convert(left, keep)?, self.convert(right, keep)?);
                let until = (op == Binary::Until) == keep;
                Ok(if until { self.arena.until(a, b) } else { self.arena.release(a, b) })
            }
            // `φ W ψ` is `ψ R (φ | ψ)`.
            Binary::WeakUntil => {
                let (a, b) = (self.convert(left, keep)?, self.convert(right, keep)?);
                if keep {
                    let either = self.arena.or(a, b);
                    Ok(self.arena.release(b, either))
                } else {
                    let neither = self.arena.and(a, b);
                    Ok(self.arena.until(b, neither))
                }
            }
            Binary::So => {
                let now = self.convert(left, keep)?;
                let (a, b) = (self.convert(left, !keep)?, self.convert(right, keep)?);
                if keep {
                    let weakened = self.arena.or(a, b);
                    let next = self.arena.next(weakened);
                    Ok(self.arena.and(now, next))
                } else {
                    let refuted = self.arena.and(a, b);
                    let next = self.arena.next(refuted);
                    Ok(self.arena.or(now, next))
                }
            }
            Binary::Since => {
                let (a, b) = (self.convert(left, keep)?, self.convert(right, keep)?);
                let before = self.history(formula, keep)?;
                Ok(if keep {
                    let longer = self.arena.and(a, before);
                    self.arena.or(b, longer)
                } else {
                    let longer = self.arena.or(a, before);
                    self.arena.and(b, longer)
                })
            }
            _ => Ok(self.atom(formula, keep)),
        }
    }

    fn commitment(&mut self, formula: &Formula, commitment: &Commitment, keep: bool) -> Converted {
        let (Arg::Is(debtor), Arg::Is(creditor), Arg::Is(content)) =
            (&commitment.debtor, &commitment.creditor, &commitment.content)
        else {
            let message = "a commitment with `_` can only be acted on";
            return Err(Diagnostic::error(Code::ActWithWildcard, message, formula.span()).into());
        };
        let scope = Scope {
            debtor: debtor.to_string(),
            creditor: creditor.to_string(),
            commitment: formula.clone(),
            content: content.clone(),
        };
        let path = self.convert(content, keep)?;
        let quantifier = if keep { Quantifier::ForAll } else { Quantifier::Exists };
        Ok(self.arena.add(Node::Quantified(quantifier, Some(scope), path)))
    }

    /// An act formula written out, and then converted.
    fn act(&mut self, formula: &Formula, act: &ActPattern, keep: bool) -> Converted {
        let plain = PlainAct::of(act, formula.span())?;
        let label = |act: ActPattern| Formula::new(Kind::Does(LabelPattern::Act(act)), formula.span());
        let both = |left: Formula, right: Formula| left.binary(Binary::And, right);
        let creation = |demand: bool| -> Result<Formula, Box<Diagnostic>> {
            let Arg::Is(commitment) = act.commitment.clone() else { return Ok(label(act.clone())) };
            let actor = match commitment.kind() {
                Kind::Commitment(terms) => terms.debtor.clone(),
                _ => Arg::Any,
            };
            let creation = ActPattern {
                kind: Arg::Is(ActKind::Create),
                actor,
                commitment: Arg::Is(commitment.clone()),
                support: None,
            };
            let does = label(creation);
            Ok(if demand { both(does, commitment.unary(Unary::Next)) } else { does })
        };
        let written_out = match (self.acts, plain.kind) {
            (Acts::Actl, _) => {
                let next = plain.brought_about()?.unary(Unary::Next);
                both(label(act.clone()), next)
            }
            (Acts::Scctl, ActKind::Create) => creation(false)?,
            (Acts::CtlCa, ActKind::Create) => creation(true)?,
            (Acts::Scctl, _) => both(label(act.clone()), creation(false)?.unary(Unary::Once)),
            (Acts::CtlCa, _) => both(label(act.clone()), creation(true)?.unary(Unary::Once)),
        };
        self.convert(&written_out, keep)
    }
}

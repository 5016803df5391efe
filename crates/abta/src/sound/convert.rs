//! From formulas as written to those that rules take apart: negations moved inwards, acts and past written out, constants folded.

use servanda_logic::{
    ActKind, ActPattern, ActionPattern, Arg, Binary, Bounded, Formula, Join, Kind, LabelPattern, OwnRule,
    Reference, Unary, Within, nnf_with,
};
use servanda_syntax::{Code, Diagnostic};

use super::past::looks_ahead;
use crate::ActReading;
use crate::acts::PlainAct;

/// The normal form of a formula, or of its negation where `keep` is false. Negations stand only before atoms, `does(..)` and
/// commitments, whose contents stay as they are written; `->`, `<->`, `so`, `W`, `P`, `H`, `S` and acts are gone.
pub(crate) fn convert(formula: &Formula, keep: bool, acts: ActReading) -> Result<Formula, Box<Diagnostic>> {
    nnf_with(formula, keep, |formula, keep| own_rule(formula, keep, acts)).map(|normal| folded(&normal))
}

fn own_rule(formula: &Formula, keep: bool, acts: ActReading) -> Result<OwnRule, Box<Diagnostic>> {
    let literal = |atom: Formula| OwnRule::Is(if keep { atom } else { atom.negated() });
    let before = |formula: &Formula| formula.clone().unary(Unary::Previous);
    Ok(match formula.kind() {
        Kind::Bool(_) | Kind::Does(_) | Kind::If(..) | Kind::Joined(Join::Any | Join::All, _) => {
            OwnRule::None
        }
        Kind::Unary(op, operand) => match op {
            Unary::Not | Unary::ForAll | Unary::Exists | Unary::Next | Unary::Finally | Unary::Globally => {
                OwnRule::None
            }
            Unary::Previous if looks_ahead(operand).is_none_or(|steps| steps > 1) => {
                let message = "a past operator over a formula that looks further ahead than the next state";
                return Err(Diagnostic::error(Code::PastOverFuture, message, operand.span())
                    .help("only the run so far can be remembered: let the future operator stand outside")
                    .into());
            }
            Unary::Previous => literal(before(operand)),
            Unary::Once => OwnRule::Instead(operand.clone().binary(Binary::Or, before(formula))),
            // `H φ` is `!P !φ`, so that both are remembered alike.
            Unary::Historically => OwnRule::Instead(operand.clone().negated().unary(Unary::Once).negated()),
            Unary::Minus
            | Unary::AllPrevious
            | Unary::SomePrevious
            | Unary::AllPast
            | Unary::SomePast
            | Unary::Challenged => literal(formula.clone()),
        },
        Kind::Binary(op, left, right) => match op {
            Binary::And
            | Binary::Or
            | Binary::Implies
            | Binary::Iff
            | Binary::Until
            | Binary::Release
            | Binary::So => OwnRule::None,
            // `φ W ψ` is `ψ R (φ | ψ)`.
            Binary::WeakUntil => {
                let either = left.clone().binary(Binary::Or, right.clone());
                OwnRule::Instead(right.clone().binary(Binary::Release, either))
            }
            Binary::Since => {
                let longer = left.clone().binary(Binary::And, before(formula));
                OwnRule::Instead(right.clone().binary(Binary::Or, longer))
            }
            _ => literal(formula.clone()),
        },
        Kind::Bounded(bounded) => OwnRule::Instead(ticks_written_out(formula, bounded)?),
        Kind::Act(act) => OwnRule::Instead(written_out(formula, act, acts)?),
        Kind::Commitment(commitment) => {
            let (Arg::Is(_), Arg::Is(_), Arg::Is(content)) =
                (&commitment.debtor, &commitment.creditor, &commitment.content)
            else {
                let message = "a commitment with `_` can only be acted on";
                return Err(Diagnostic::error(Code::ActWithWildcard, message, formula.span()).into());
            };
            // It is taken apart when its row is; what is wrong with it is said before there are rows.
            convert(content, keep, acts)?;
            literal(formula.clone())
        }
        Kind::Int(_)
        | Kind::Name(_)
        | Kind::Comprehension(_)
        | Kind::Joined(Join::Sum, _)
        | Kind::At(_)
        | Kind::Active(_)
        | Kind::Carries(_)
        | Kind::Length(_)
        | Kind::Epistemic(_)
        | Kind::Strategic(_) => literal(formula.clone()),
    })
}

/// The largest bound that is written out: some levels of a formula for each tick.
const LARGEST_BOUND: i64 = 100;

/// An operator with a bound written out: `φ U<=k ψ` is `(φ & !tick) U (ψ | φ & tick & X (φ U<=(k - 1) ψ))`, without the last part
/// where `k` is 0.
fn ticks_written_out(
    formula: &Formula,
    Bounded { bound, goal }: &Bounded,
) -> Result<Formula, Box<Diagnostic>> {
    let ticks = match *bound.kind() {
        Kind::Int(ticks @ 0..=LARGEST_BOUND) => ticks,
        Kind::Int(_) => {
            let message = format!("an automaton counts from 0 to {LARGEST_BOUND} ticks");
            return Err(Diagnostic::error(Code::BadBound, message, bound.span()).into());
        }
        _ => {
            let message = "the bound must be a number where there is no model";
            return Err(Diagnostic::error(Code::NotConstant, message, bound.span()).into());
        }
    };
    let (left, right) = match goal {
        Within::Finally(a) => (a.constant(true), a.clone()),
        Within::Globally(a) => (a.constant(true), a.clone().negated()),
        Within::Until(a, b) => (a.clone(), b.clone()),
    };
    let name = Reference::plain("tick", formula.span());
    let label = LabelPattern::Action(ActionPattern::named(name));
    let tick = Formula::new(Kind::Does(label), formula.span());
    let stays = left.clone().binary(Binary::And, tick.clone().negated());
    let passes = left.binary(Binary::And, tick);
    let mut within = stays.clone().binary(Binary::Until, right.clone());
    for _ in 0..ticks {
        let later = passes.clone().binary(Binary::And, within.unary(Unary::Next));
        within = stays.clone().binary(Binary::Until, right.clone().binary(Binary::Or, later));
    }
    Ok(if matches!(goal, Within::Globally(_)) { within.negated() } else { within })
}

/// An act formula written out.
fn written_out(formula: &Formula, act: &ActPattern, acts: ActReading) -> Result<Formula, Box<Diagnostic>> {
    let plain = PlainAct::of(act, formula.span())?;
    let label = |act: ActPattern| Formula::new(Kind::Does(LabelPattern::Act(act)), formula.span());
    let both = |left: Formula, right: Formula| left.binary(Binary::And, right);
    let does = label(act.clone());
    if acts == ActReading::Actl {
        return Ok(both(does, plain.brought_about()?.unary(Unary::Next)));
    }
    let actor = match plain.commitment.kind() {
        Kind::Commitment(terms) => terms.debtor.clone(),
        _ => Arg::Any,
    };
    let commitment = Arg::Is(plain.commitment.clone());
    let create = Arg::Is(ActKind::Create);
    let creation = label(ActPattern { kind: create, actor, commitment, support: None, third: None });
    let creation = match acts {
        ActReading::Ctlca => both(creation, plain.commitment.clone().unary(Unary::Next)),
        _ => creation,
    };
    if plain.kind == ActKind::Create {
        return Ok(creation);
    }
    // What acts on a commitment looks back for its creation.
    Ok(both(does, creation.unary(Unary::Once)))
}

/// The formula without constants under its operators, with `F` and `G` for what they stand for.
fn folded(formula: &Formula) -> Formula {
    match formula.kind() {
        Kind::Binary(op @ (Binary::And | Binary::Or), left, right) => {
            junction(*op, folded(left), folded(right))
        }
        Kind::Joined(join @ (Join::Any | Join::All), parts) => {
            let op = if *join == Join::All { Binary::And } else { Binary::Or };
            let parts = parts.iter().rev().map(folded);
            parts.fold(formula.constant(*join == Join::All), |whole, part| junction(op, part, whole))
        }
        Kind::Binary(op @ (Binary::Until | Binary::Release), left, right) => {
            let (left, right) = (folded(left), folded(right));
            match (left.kind(), right.kind()) {
                (_, Kind::Bool(_)) => right,
                (Kind::Bool(true), _) if *op == Binary::Until => right.unary(Unary::Finally),
                (Kind::Bool(false), _) if *op == Binary::Release => right.unary(Unary::Globally),
                _ => left.binary(*op, right),
            }
        }
        Kind::Unary(op @ (Unary::ForAll | Unary::Exists), path) => folded(path).unary(*op),
        Kind::Unary(op @ (Unary::Next | Unary::Finally | Unary::Globally), operand) => {
            let operand = folded(operand);
            // Every path is infinite.
            if matches!(operand.kind(), Kind::Bool(_)) { operand } else { operand.unary(*op) }
        }
        _ => formula.clone(),
    }
}

fn junction(op: Binary, left: Formula, right: Formula) -> Formula {
    let neutral = op == Binary::And;
    match (left.kind(), right.kind()) {
        _ if left == right => left,
        (Kind::Bool(value), _) => {
            if *value == neutral {
                right
            } else {
                left
            }
        }
        (_, Kind::Bool(value)) => {
            if *value == neutral {
                left
            } else {
                right
            }
        }
        _ => left.binary(op, right),
    }
}

//! Fairness constraints against formulas that say the same.

use proptest::collection::vec;
use proptest::prelude::*;
use servanda_engine::{Options, Validity};
use servanda_logic::{Binary, Commitment, Epistemic, EpistemicOp, Features, Formula, Kind, Unary};
use servanda_model::Strength;
use servanda_testkit::random::{Names, protocols, small_state_formulas, state_formulas, step_fairness};
use servanda_testkit::{Trials, Tried, load};

use crate::laws::support::{Asked, CASES, TEMPORAL};

/// The formula that says without fairness constraints what `formula` says with them: paths are fair ones, points
/// lie on fair runs.
fn relativised(formula: &Formula, fair_path: &Formula) -> Formula {
    let of = |formula: &Formula| relativised(formula, fair_path);
    let fair_point = || fair_path.clone().unary(Unary::Exists);
    let kind = match formula.kind() {
        Kind::Unary(Unary::Exists, psi) => {
            return fair_path.clone().binary(Binary::And, of(psi)).unary(Unary::Exists);
        }
        Kind::Unary(Unary::ForAll, psi) => {
            return fair_path.clone().binary(Binary::Implies, of(psi)).unary(Unary::ForAll);
        }
        Kind::Unary(op @ (Unary::SomePrevious | Unary::SomePast), phi) => {
            return fair_point().binary(Binary::And, of(phi)).unary(*op);
        }
        Kind::Unary(op @ (Unary::AllPrevious | Unary::AllPast), phi) => {
            return fair_point().binary(Binary::Implies, of(phi)).unary(*op);
        }
        Kind::Epistemic(epistemic) => {
            let body = fair_point().binary(Binary::Implies, of(&epistemic.body));
            Kind::Epistemic(Epistemic { body, ..epistemic.clone() })
        }
        Kind::Commitment(commitment) => {
            let servanda_logic::Arg::Is(content) = &commitment.content else { return formula.clone() };
            let content = fair_path.clone().binary(Binary::Implies, of(content));
            let content = servanda_logic::Arg::Is(content);
            Kind::Commitment(Commitment { content, ..commitment.clone() })
        }
        Kind::Does(_) | Kind::Active(_) => return formula.clone(),
        _ => return formula.map_children(of),
    };
    Formula::new(kind, formula.span())
}

/// Common knowledge reaches from fair point to fair point, which no formula can say.
fn uses_common_knowledge(formula: &Formula) -> bool {
    let mut found = matches!(formula.kind(), Kind::Epistemic(e) if e.op == EpistemicOp::CommonKnowledge);
    formula.for_each_child(|child| found |= uses_common_knowledge(child));
    found
}

#[test]
fn fairness_constraints_say_what_formulas_can() {
    let features = TEMPORAL
        | Features::LINEAR_PAST
        | Features::BRANCHING_PAST
        | Features::COMMITMENTS
        | Features::KNOWLEDGE
        | Features::CORRECT_BEHAVIOUR;
    let constraints = vec(small_state_formulas(Features::QUANTIFIERS | Features::FUTURE), 1..=2);
    let constraints = prop_oneof![
        (constraints.clone(), Just(Vec::new())),
        (Just(Vec::new()), vec(step_fairness(), 1..=2)),
        (constraints, vec(step_fairness(), 1)),
    ];
    // Contents with quantifiers or commitments in them would have to be relativised as well.
    let outlines =
        (protocols(Features::FUTURE | Features::DOES), constraints).prop_map(|(mut outline, constraints)| {
            (outline.fairness, outline.step_fairness) = constraints;
            outline
        });
    Trials::from_environment(2 * CASES).run(
        &(outlines, vec(state_formulas(features), 2)),
        |(outline, formulas)| {
            let plain = outline.clone().without_fairness();
            let texts = (outline.text(), plain.text());
            let protocols = (load(&texts.0), load(&texts.1));
            let names = Names::new(outline);
            let again = outline.fairness.iter().map(|c| format!("G F ({})", names.formula(c)));
            let steps = outline.step_fairness.iter().map(|(strength, step)| {
                let step = names.formula(step);
                match strength {
                    Strength::Weak => format!("G F ({step} | !E {step})"),
                    Strength::Strong => format!("(G F E {step} -> G F {step})"),
                }
            });
            let again: Vec<String> = again.chain(steps).collect();
            let fair_point = format!("E ({})", again.join(" & "));
            let Kind::Unary(_, fair_path) =
                protocols.1.formula(&fair_point).expect("a formula").kind().clone()
            else {
                return Err("not a quantifier".to_owned());
            };
            let mut decided = false;
            for validity in [Validity::Initial, Validity::Reachable] {
                let options = Options { validity, ..Options::default() };
                let (Some(mut with), Some(mut without)) =
                    (Asked::new(&protocols.0, options), Asked::new(&protocols.1, options))
                else {
                    return Ok(Tried::Skipped);
                };
                for formula in formulas {
                    let ground = protocols.0.formula(&names.formula(formula)).expect("a formula");
                    if uses_common_knowledge(&ground) {
                        continue;
                    }
                    for ground in [ground.clone(), ground.negated()] {
                        let point = fair_path.clone().unary(Unary::Exists);
                        let relative = point.binary(Binary::Implies, relativised(&ground, &fair_path));
                        let (Some(fair), Some(plain)) = (with.ground(&ground)?, without.ground(&relative)?)
                        else {
                            continue;
                        };
                        decided = true;
                        if fair != plain {
                            let (text, what) = (&texts.0, format!("{fair} of {ground}\nbut {plain}"));
                            return Err(format!(
                                "{what} without fairness of {relative}\n{validity:?}\n{text}"
                            ));
                        }
                    }
                }
            }
            Ok(if decided { Tried::Holds } else { Tried::Skipped })
        },
    );
}

#[test]
fn a_constraint_that_always_holds_changes_nothing() {
    let features = Features::ALL.without(Features::STRATEGIC);
    Trials::from_environment(CASES).run(
        &(crate::laws::support::plain_protocols(features), state_formulas(features)),
        |(outline, formula)| {
            let text = outline.text();
            let (plain, fair) = (load(&text), load(&format!("{text}fair true\n")));
            let written = Names::new(outline).formula(formula);
            let (Some(mut one), Some(mut other)) =
                (Asked::new(&plain, Options::default()), Asked::new(&fair, Options::default()))
            else {
                return Ok(Tried::Skipped);
            };
            match (one.verdict(&written)?, other.verdict(&written)?) {
                (Some(one), Some(other)) if one != other => {
                    Err(format!("{one}, but {other} with `fair true`: {written}\n{text}"))
                }
                (Some(_), Some(_)) => Ok(Tried::Holds),
                _ => Ok(Tried::Skipped),
            }
        },
    );
}

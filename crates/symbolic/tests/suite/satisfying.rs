//! The states where formulas hold, against the reference.

use servanda_engine::{Engine as _, Halt, NoLimits, Satisfying};
use servanda_enumerate::Explored;
use servanda_symbolic::Symbolic;
use servanda_testkit::{RandomModel, Trials, Tried};

/// Both engines divide the states alike, for every formula that both can evaluate.
fn alike(case: &RandomModel) -> Result<Tried, String> {
    let RandomModel { text, model, properties, options } = case;
    let explored = Explored::new(model, *options, &NoLimits);
    let symbolic = Symbolic::new(model, *options, 1 << 18, &NoLimits);
    let (Ok(mut explored), Ok(mut symbolic)) = (explored, symbolic) else { return Ok(Tried::Skipped) };
    let mut tried = Tried::Skipped;
    for property in properties {
        let reference = explored.satisfying(&property.formula, 5, &NoLimits);
        let diagrams = symbolic.satisfying(&property.formula, 5, &NoLimits);
        match (reference, diagrams) {
            (Ok(one), Ok(other)) if one == other => tried = Tried::Holds,
            (Ok(one), Ok(other)) => {
                return Err(format!("{}: enumerate {one:?}\nbdd {other:?}\n{text}", property.text));
            }
            (Err(Halt::TooLarge(_)), _) | (_, Err(Halt::TooLarge(_))) => {}
            (Err(halt), _) | (_, Err(halt)) => return Err(format!("{}: {halt}\n{text}", property.text)),
        }
    }
    Ok(tried)
}

#[test]
fn states_of_random_protocols_are_divided_as_the_reference_does() {
    Trials::from_environment(400).on_protocols(alike);
}

#[test]
fn states_of_random_ispl_models_are_divided_as_the_reference_does() {
    for case in Trials::from_environment(300).ispl_models() {
        alike(&case).unwrap();
    }
}

#[test]
fn cubes_have_all_states_and_an_order_changes_nothing() {
    for case in Trials::from_environment(100).ispl_models() {
        let RandomModel { text, model, properties, options } = &case;
        let mut usual = Symbolic::new(model, *options, 1 << 18, &NoLimits).expect("a small model");
        let mut order = servanda_symbolic::usual_order(model, &NoLimits).expect("no limits");
        order.reverse();
        let mut other =
            Symbolic::ordered(model, *options, (1 << 18, &order), &NoLimits).expect("a small model");
        assert_eq!(other.statistics().order, order, "{text}");
        other.sift(&NoLimits).expect("room");
        for property in properties {
            let Ok(found) = usual.satisfying(&property.formula, 3, &NoLimits) else { continue };
            assert_eq!(
                other.satisfying(&property.formula, 3, &NoLimits).ok().as_ref(),
                Some(&found),
                "{text}"
            );
            let (cubes, all) = usual.cubes(&property.formula, usize::MAX, &NoLimits).expect("room");
            let Satisfying { count, .. } = &found;
            assert!(all && (cubes.is_empty() == (*count == 0_u32.into())), "{text}");
            assert!(num_bigint::BigUint::from(cubes.len()) <= *count, "{text}");
        }
    }
}

//! `[φ](w)` as clauses, against the reference.

use std::collections::HashMap;

use servanda_engine::{Engine as _, Halt, NoLimits};
use servanda_enumerate::Explored;
use servanda_model::{Layout, Model};
use servanda_sat::{Cadical, Sat, SatOptions, Solver};
use servanda_testkit::Trials;

/// The clauses in a solver, and the literal of each bit of a state by its name.
fn read(text: &str) -> (Cadical<'static>, HashMap<String, i32>) {
    let (mut solver, mut bits) = (Cadical::default(), HashMap::new());
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["c", "variable", literal, "is", name @ ..] => {
                bits.insert(name.join(" "), literal.parse().expect("a literal"));
            }
            ["p", "cnf", variables, _] => {
                for _ in 0..variables.parse::<usize>().expect("a number") {
                    solver.variable();
                }
            }
            ["c", ..] => {}
            literals => {
                let clause: Vec<i32> = literals.iter().map(|word| word.parse().expect("a literal")).collect();
                solver.add_clause(&clause[..clause.len() - 1]);
            }
        }
    }
    (solver, bits)
}

/// A state as literals.
fn literals(model: &Model, layout: &Layout, state: &[u64], bits: &HashMap<String, i32>) -> Vec<i32> {
    let mut literals = Vec::new();
    for (id, variable) in model.variables() {
        let code = layout.variable(id).read(state).abs_diff(variable.domain.low());
        let alone = bits.get(&variable.name).map(|bit| (0, *bit));
        let several = (0..64).map_while(|at| Some((at, *bits.get(&format!("{}.{at}", variable.name))?)));
        for (at, bit) in alone.into_iter().chain(several) {
            literals.push(if (code >> at) & 1 == 1 { bit } else { -bit });
        }
    }
    literals
}

#[test]
fn clauses_are_satisfied_by_the_states_where_a_formula_holds() {
    let mut compared = 0;
    for case in Trials::from_environment(100).ispl_models() {
        let (Ok(mut explored), Ok(mut sat)) = (
            Explored::new(&case.model, case.options, &NoLimits),
            Sat::new(&case.model, case.options, SatOptions::default(), &NoLimits),
        ) else {
            continue;
        };
        let layout = Layout::new(&case.model);
        for property in &case.properties {
            let found = explored.satisfying(&property.formula, usize::MAX, &NoLimits);
            let text = match (&found, sat.satisfying_formula(&property.formula, &NoLimits)) {
                (Ok(_), Ok(text)) if !text.contains("remembered.") => text,
                (_, Err(Halt::Invalid(found))) => panic!("{found:?}"),
                _ => continue,
            };
            let found = found.expect("it was looked at");
            // On states that no fair run visits nothing is said.
            if found.reachable != explored.space.reachable_len().into() {
                continue;
            }
            let (mut solver, bits) = read(&text);
            for number in
                (0..explored.space.len() as u32).filter(|number| explored.space.is_reachable(*number))
            {
                let state = literals(&case.model, &layout, explored.space.state(number), &bits);
                let holds = found.first.contains(&explored.space.view(number));
                let satisfied = solver.solve(&state, u32::MAX);
                assert_eq!(
                    satisfied,
                    Some(holds),
                    "{} in {}\n{}",
                    property.text,
                    explored.space.view(number),
                    case.text
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 1000, "{compared}");
}

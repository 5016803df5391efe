//! On every short path that ends in a loop, right guesses exist exactly where the formula holds.

use servanda_circuit::{Edge, Graph};
use servanda_lower::{Arena, CoreFormula, Path, PathFormula, StateFormula};
use servanda_model::{Expr, VariableId};
use servanda_paths::{Elementary, Signs};

/// The propositions at each position, and where the last one goes back to.
struct Lasso {
    letters: Vec<[bool; 2]>,
    back: usize,
}

impl Lasso {
    fn after(&self, at: usize) -> usize {
        if at + 1 < self.letters.len() { at + 1 } else { self.back }
    }
}

/// The meaning of a formula without past, position by position.
fn holds(
    arena: &Arena,
    propositions: &[StateFormula; 2],
    lasso: &Lasso,
    formula: PathFormula,
    at: usize,
) -> bool {
    let holds = |formula, at| holds(arena, propositions, lasso, formula, at);
    match *arena.path(formula) {
        Path::State(state) if state == StateFormula::TRUE => true,
        Path::State(state) => {
            let index = propositions.iter().position(|own| *own == state).expect("one of the two");
            lasso.letters[at][index]
        }
        Path::Not(a) => !holds(a, at),
        Path::And(a, b) => holds(a, at) && holds(b, at),
        Path::Or(a, b) => holds(a, at) || holds(b, at),
        Path::Next(a) => holds(a, lasso.after(at)),
        Path::Until(a, b) => {
            let mut here = at;
            for _ in 0..2 * lasso.letters.len() {
                if holds(b, here) {
                    return true;
                }
                if !holds(a, here) {
                    return false;
                }
                here = lasso.after(here);
            }
            false
        }
        _ => panic!("not part of this test"),
    }
}

/// Are there guesses for all positions such that every step is right and the loop meets all acceptance sets?
fn guessed(graph: &Graph, letters: [Edge; 2], positions: &Elementary<Edge>, lasso: &Lasso) -> bool {
    let bits: Vec<Edge> = positions.claims.iter().map(|(claim, _)| claim.bit).collect();
    let length = lasso.letters.len();
    let value = |guess: usize, at: usize, edge: Edge| {
        let letter = letters.iter().zip(lasso.letters[at]).map(|(bit, value)| (bit.node(), value));
        let own = bits.iter().enumerate();
        let own = own.map(|(index, bit)| (bit.node(), guess >> (at * bits.len() + index) & 1 == 1));
        graph.values(&[edge], &letter.chain(own).collect())[0]
    };
    (0..1_usize << (bits.len() * length)).any(|guess| {
        let right = |at: usize| {
            positions.claims.iter().all(|(claim, claimed)| {
                let (bit, later) = (value(guess, at, claim.bit), value(guess, lasso.after(at), *claimed));
                (!claim.signs.positive || !bit || later) && (!claim.signs.negative || !later || bit)
            })
        };
        let met = |set: &Edge| (lasso.back..length).any(|at| value(guess, at, *set));
        value(guess, 0, positions.goal) && (0..length).all(right) && positions.accepting.iter().all(met)
    })
}

#[test]
fn guesses_exist_exactly_where_the_formula_holds() {
    let mut arena = Arena::new();
    let [p, q] = [0, 1].map(|index| arena.proposition(Expr::variable(VariableId::from_index(index))));
    let until = arena.until(p, q);
    let next = arena.next(p);
    let mut formulas = vec![until, next];
    formulas.extend([arena.not(until), arena.and(until, next), arena.next(until)]);
    let later = arena.next(q);
    formulas.push(arena.until(next, later));
    let always = arena.globally(until);
    formulas.extend([always, arena.not(always)]);
    for formula in formulas {
        for signs in [Signs::POSITIVE, Signs::BOTH] {
            let mut graph = Graph::new();
            let letters = [graph.input(), graph.input()];
            let known = |of: PathFormula| match arena.as_state(of)? {
                state if state == p => Some(letters[0]),
                state if state == q => Some(letters[1]),
                _ => Some(Edge::TRUE),
            };
            let add = |graph: &mut Graph, _| Ok(graph.input());
            let positions =
                Elementary::new(&arena, formula, signs, &mut graph, known, add).expect("no limits");
            for length in 1..=3_usize {
                for word in 0..1_u32 << (2 * length) {
                    let letter = |at: usize| [0, 1].map(|bit| word >> (2 * at + bit) & 1 == 1);
                    for back in 0..length {
                        let lasso = Lasso { letters: (0..length).map(letter).collect(), back };
                        let expected = holds(&arena, &[p, q], &lasso, formula, 0);
                        let found = guessed(&graph, letters, &positions, &lasso);
                        assert_eq!(found, expected, "{formula:?} {signs:?} {word:b} back to {back}");
                    }
                }
            }
        }
    }
}

//! Integers as rows of bits calculate as the model does.

use rustc_hash::FxHashMap;
use servanda_algebra::{Algebra, Number};
use servanda_circuit::{Edge, Graph};
use servanda_model::{Arithmetic, Comparison};

fn value(graph: &Graph, number: &Number<Graph>, inputs: &FxHashMap<usize, bool>) -> i64 {
    let bits = graph.values(number.bits(), inputs);
    let sign = bits.len() - 1;
    let weigh = |(at, set): (usize, &bool)| i64::from(*set) * if at == sign { -(1 << at) } else { 1 << at };
    bits.iter().enumerate().map(weigh).sum()
}

/// The inputs of a row that spell a code.
fn spelled(row: &[Edge], code: i64) -> impl Iterator<Item = (usize, bool)> {
    row.iter().enumerate().map(move |(at, bit)| (bit.node(), code >> at & 1 == 1))
}

#[test]
fn a_code_is_below_a_limit_iff_its_number_is() {
    let mut graph = Graph::new();
    let row: Vec<Edge> = (0..4).map(|_| graph.input()).collect();
    for limit in 0..=16 {
        let below = graph.below(&row, limit).expect("no limits");
        for code in 0..16_u8 {
            let inputs = spelled(&row, i64::from(code)).collect();
            assert_eq!(graph.values(&[below], &inputs), [u64::from(code) < limit], "{code} below {limit}");
        }
    }
}

#[test]
fn arithmetic_is_that_of_the_model() {
    let operators = [
        Arithmetic::Add,
        Arithmetic::Subtract,
        Arithmetic::Multiply,
        Arithmetic::Divide,
        Arithmetic::Remainder,
    ];
    let comparisons = [Comparison::Equal, Comparison::NotEqual, Comparison::Less, Comparison::LessEqual];
    for (low, high) in [(-7_i64, 8_i64), (0, 15), (3, 9), (-9, -2)] {
        for (low_2, high_2) in [(-3_i64, 4_i64), (0, 6), (1, 1), (-5, -1)] {
            let mut graph = Graph::new();
            let a: Vec<Edge> = (0..4).map(|_| graph.input()).collect();
            let b: Vec<Edge> = (0..3).map(|_| graph.input()).collect();
            let x = Number::of_code(&mut graph, a.clone(), low, low.abs_diff(high)).expect("small");
            let y = Number::of_code(&mut graph, b.clone(), low_2, low_2.abs_diff(high_2)).expect("small");
            let results = operators.map(|op| x.calculate(&mut graph, op, &y).expect("small"));
            let holds = comparisons.map(|c| x.compare(&mut graph, c, &y).expect("small"));
            for left in low..=high {
                for right in low_2..=high_2 {
                    let inputs = spelled(&a, left - low).chain(spelled(&b, right - low_2)).collect();
                    for (operator, (result, exists)) in operators.iter().zip(&results) {
                        let exists = graph.values(&[*exists], &inputs)[0];
                        let expected = operator.calculate(left, right);
                        assert_eq!(exists, expected.is_some(), "{left} {operator:?} {right}");
                        if let Some(expected) = expected {
                            let found = value(&graph, result, &inputs);
                            assert_eq!(found, expected, "{left} {operator:?} {right}");
                        }
                    }
                    for (comparison, held) in comparisons.iter().zip(&holds) {
                        let held = graph.values(&[*held], &inputs)[0];
                        assert_eq!(held, comparison.holds(left, right), "{left} {comparison:?} {right}");
                    }
                }
            }
        }
    }
}

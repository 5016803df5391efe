//! Cubes: conjunctions of bits and negated bits, by their positions in a row.

use servanda_circuit::{Edge, Graph};

/// Positions in a row with the values of the bits there, in increasing order.
pub(crate) type Cube = Vec<(usize, bool)>;

/// The cube in a row of literals.
pub(crate) fn literals(row: &[i32], cube: &Cube) -> Vec<i32> {
    cube.iter().map(|(at, set)| if *set { row[*at] } else { -row[*at] }).collect()
}

/// What excludes the cube, as a clause over a row of literals.
pub(crate) fn clause(row: &[i32], cube: &Cube) -> Vec<i32> {
    literals(row, cube).iter().map(|literal| -literal).collect()
}

/// The cube over a row of edges.
pub(crate) fn edge(graph: &mut Graph, row: &[Edge], cube: &Cube) -> Edge {
    let edges: Vec<Edge> = cube.iter().map(|(at, set)| if *set { row[*at] } else { !row[*at] }).collect();
    graph.all(&edges)
}

/// The cube of some literals of a row.
pub(crate) fn of_literals(row: &[i32], literals: &[i32]) -> Cube {
    let place = |(at, own): (usize, &i32)| {
        let literal = literals.iter().find(|literal| literal.abs() == own.abs())?;
        Some((at, literal == own))
    };
    row.iter().enumerate().filter_map(place).collect()
}

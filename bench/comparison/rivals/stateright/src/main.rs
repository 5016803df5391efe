//! Counts the states of the family that is named on the command line. What is marked is filled in by `bench/compare`.

use stateright::{Checker, Model};

// MODULES

fn count<M>(model: M) -> usize
where
    M: Model + Send + Sync + 'static,
    M::State: std::hash::Hash + Send + Sync + 'static,
{
    model.checker().threads(1).spawn_bfs().join().unique_state_count()
}

fn main() {
    let name = std::env::args().nth(1).unwrap_or_default();
    let states = match name.as_str() {
        // FAMILIES
        _ => panic!("no such family"),
    };
    println!("{states}");
}

//! Times one ISPL file: `cargo run --release -p servanda-symbolic --example time -- FILE`.
#![allow(clippy::print_stdout)] // what an example measures, it prints

use std::time::Instant;

use servanda_engine::{NoLimits, Options};
use servanda_symbolic::Symbolic;
use servanda_syntax::SourceFile;

fn main() {
    for name in std::env::args().skip(1) {
        let start = Instant::now();
        let text = std::fs::read_to_string(&name).unwrap_or_default();
        let loaded = servanda_ispl::load(&SourceFile::new(name.as_str(), text.as_str()));
        let Some(system) = loaded.system else {
            println!("{name}: {:?}", loaded.diagnostics);
            continue;
        };
        println!("{name}: loaded {:.2?}", start.elapsed());
        let mut symbolic = match Symbolic::new(&system.model, Options::default(), 1 << 25, &NoLimits) {
            Ok(symbolic) => symbolic,
            Err(halt) => {
                println!("{halt:?}");
                continue;
            }
        };
        let statistics = symbolic.statistics();
        println!(
            "  reached {:.2?}: {} states, {} iterations, {} nodes, peak {}",
            start.elapsed(),
            symbolic.states(),
            statistics.iterations,
            statistics.reachable_nodes,
            statistics.peak_nodes
        );
        let expected = servanda_ispl::verdicts_in_comments(&text);
        for (property, expected) in system.properties.iter().zip(expected) {
            let verdict = symbolic.decide(&property.formula, &NoLimits).map(|verdict| verdict.decided());
            println!("  {} {verdict:?} expected {expected:?} {:.2?}", property.name, start.elapsed());
        }
    }
}

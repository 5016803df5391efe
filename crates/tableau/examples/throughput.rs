//! How many transitions a second are explored: `throughput FILE.ccs [THREADS]`.

use std::time::Instant;

use servanda_engine::NoLimits;
use servanda_syntax::SourceFile;
use servanda_tableau::Explorer;

// A measuring program says what it measured.
#[allow(clippy::print_stdout)]
fn main() {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().expect("a CCS file");
    let threads: usize = arguments.next().map_or(1, |threads| threads.parse().expect("a number of threads"));
    let text = std::fs::read_to_string(&file).expect("the file can be read");
    let system = servanda_ccs::load(&SourceFile::new(&file, text), None).system.expect("a process");
    let words = servanda_model::Layout::new(&system.model).words();
    let started = Instant::now();
    let mut explorer = Explorer::new(&system.model, threads, &NoLimits).expect("initial states");
    explorer.explore(&NoLimits).expect("no fault");
    let seconds = started.elapsed().as_secs_f64();
    let counts = explorer.counts();
    let number = |count: &dyn std::fmt::Display| count.to_string().parse::<f64>().expect("a number");
    let (states, transitions) =
        (number(&counts.states), number(&counts.transitions.expect("all are counted")));
    println!(
        "{file}, {threads} threads: {} states, {} transitions, {} deadlocks, diameter {}: {seconds:.3} s, {:.1} million transitions/s, \
         {:.1} bytes a state beyond its {} bytes",
        states,
        transitions,
        counts.deadlocks,
        counts.diameter.expect("it is known"),
        transitions / seconds / 1e6,
        counts.bytes.expect("they are known") as f64 / states - (words * 8) as f64,
        words * 8,
    );
}

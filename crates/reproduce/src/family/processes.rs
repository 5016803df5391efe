//! Families of CCS processes.

use std::fmt::Write;

fn list(names: impl Iterator<Item = String>, separator: &str) -> String {
    names.collect::<Vec<_>>().join(separator)
}

/// Milner's scheduler: cells in a ring that start tasks in turn, and may wait for their ends in any order.
pub(super) fn scheduler(n: usize) -> String {
    let mut text = format!("* Milner's scheduler with {n} cells: no deadlock.\n");
    for i in 0..n {
        let next = (i + 1) % n;
        let again = if i == 0 { "D0" } else { &format!("C{i}") };
        let wait = if i == 0 { String::new() } else { format!("c{i}.") };
        let task = format!("'a{i}.('b{i}.'c{next}.{again} + 'c{next}.'b{i}.{again})");
        let _ = writeln!(text, "proc C{i} = {wait}{task}");
    }
    let cells = list((0..n).map(|i| format!("C{i}")), " | ");
    let inner = list((0..n).map(|i| format!("c{i}")), ", ");
    text + &format!("proc D0 = c0.C0\nproc Sched = ({cells}) \\ {{{inner}}}\n")
}

/// One-place buffers in a row.
pub(super) fn buffers(n: usize) -> String {
    let mut text = format!("* {n} one-place buffers in a row: 2^{n} states.\n");
    for i in 0..n {
        let _ = writeln!(text, "proc B{i} = m{i}.'m{}.B{i}", i + 1);
    }
    let row = list((0..n).map(|i| format!("B{i}")), " | ");
    let inner = list((1..n).map(|i| format!("m{i}")), ", ");
    text + &format!("proc Row = ({row}) \\ {{{inner}}}\n")
}

//! The process that tries inputs.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

use crate::inputs::Inputs;
use crate::tries::try_input;

/// What has been tried.
#[derive(Clone, Copy, Default)]
pub(crate) struct Tally {
    /// The input that is tried next, or now.
    pub(crate) next: u64,
    pub(crate) inputs: u64,
    pub(crate) formulas: u64,
    pub(crate) protocols: u64,
    pub(crate) properties: u64,
    pub(crate) panics: u64,
}

impl Tally {
    pub(crate) fn add(&mut self, other: &Tally) {
        self.inputs += other.inputs;
        self.formulas += other.formulas;
        self.protocols += other.protocols;
        self.properties += other.properties;
        self.panics += other.panics;
    }

    pub(crate) fn write(&self, path: &Path) -> io::Result<()> {
        let numbers = [self.next, self.inputs, self.formulas, self.protocols, self.properties, self.panics];
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        // Written in place: a reader sees an old or a new tally, which differ little.
        std::fs::write(path, bytes)
    }

    pub(crate) fn read(path: &Path) -> io::Result<Tally> {
        let bytes = std::fs::read(path)?;
        let mut numbers = bytes
            .chunks_exact(8)
            .map(|chunk| chunk.iter().rev().fold(0_u64, |number, byte| number << 8 | u64::from(*byte)));
        let mut next = || numbers.next().unwrap_or(0);
        Ok(Tally {
            next: next(),
            inputs: next(),
            formulas: next(),
            protocols: next(),
            properties: next(),
            panics: next(),
        })
    }
}

/// What the last panic said.
static LAST_PANIC: Mutex<String> = Mutex::new(String::new());

/// How many panics are shown.
const MOST_SHOWN: u64 = 20;

/// Tries one input after the other until the time is up.
pub(crate) fn work(inputs: &Inputs, from: u64, deadline: Instant, path: &Path) {
    std::panic::set_hook(Box::new(|info| {
        if let Ok(mut last) = LAST_PANIC.lock() {
            *last = info.to_string();
        }
    }));
    let mut tally = Tally { next: from, ..Tally::default() };
    while Instant::now() < deadline {
        if tally.write(path).is_err() {
            println!("the tally cannot be written");
            return;
        }
        let text = inputs.input(tally.next);
        tally.inputs += 1;
        if catch_unwind(AssertUnwindSafe(|| try_input(&text, &mut tally))).is_err() {
            tally.panics += 1;
            if tally.panics <= MOST_SHOWN {
                let reason = LAST_PANIC.lock().map(|last| last.clone()).unwrap_or_default();
                println!("=== input {} panics: {reason}\n{text}\n===", tally.next);
            }
        }
        tally.next += 1;
    }
    let _ = tally.write(path);
}

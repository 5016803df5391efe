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
    /// Inputs that were not treated as promised, without a panic.
    pub(crate) broken: u64,
}

impl Tally {
    pub(crate) fn add(&mut self, other: &Tally) {
        self.inputs += other.inputs;
        self.formulas += other.formulas;
        self.protocols += other.protocols;
        self.properties += other.properties;
        self.panics += other.panics;
        self.broken += other.broken;
    }

    pub(crate) fn write(&self, path: &Path) -> io::Result<()> {
        let Tally { next, inputs, formulas, protocols, properties, panics, broken } = *self;
        let numbers = [next, inputs, formulas, protocols, properties, panics, broken];
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
            broken: next(),
        })
    }
}

/// What the last panic said.
static LAST_PANIC: Mutex<String> = Mutex::new(String::new());

/// How many failures are shown.
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
        let failure = match catch_unwind(AssertUnwindSafe(|| try_input(&text, &mut tally))) {
            Ok(Ok(())) => None,
            Ok(Err(reason)) => {
                tally.broken += 1;
                Some(reason)
            }
            Err(_) => {
                tally.panics += 1;
                Some(LAST_PANIC.lock().map(|last| last.clone()).unwrap_or_default())
            }
        };
        if let Some(reason) = failure.filter(|_| tally.panics + tally.broken <= MOST_SHOWN) {
            println!("=== input {}: {reason}\n--- the input:\n{text}\n===", tally.next);
        }
        tally.next += 1;
    }
    let _ = tally.write(path);
}

//! What is told does not depend on how busy the machine is: on who was first to decide.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use servanda::{CheckOptions, Choices, Clock, Language, Loaded, Watch, check};
use servanda_engine::NoLimits;
use servanda_report::Style;

/// A clock that leaps, as it seems to do to threads that others keep from working.
struct Leaping {
    micros: AtomicU64,
    leap: u64,
}

impl Clock for Leaping {
    fn elapsed(&self) -> Duration {
        Duration::from_micros(self.micros.fetch_add(self.leap, Ordering::Relaxed))
    }
}

/// Counts, verdicts and findings as they are shown, without times and without who decided.
fn shown(loaded: &Loaded, leap: u64) -> String {
    let questions = loaded.questions(&[], &[]).expect("properties");
    let clock = Leaping { micros: AtomicU64::new(0), leap };
    let watch = Watch { budget: &NoLimits, clock: &clock };
    let report = check(loaded, &questions, CheckOptions::default(), watch);
    servanda_report::text::check(&report, Style::plain())
}

#[test]
fn counts_and_findings_do_not_depend_on_who_was_first() {
    let sessions = include_str!("../../../../examples/pnaws-sessions.ccs");
    let netbill = include_str!("../../../../examples/netbill.pact");
    // More states than are looked at at first, and one that no run reaches.
    let counter = "roles Ann\nvar n : 0..30000 = 0\nvar up : bool = true\nstart s\n\
                   s -- Ann: more when n < 30000 set n = n + 1 --> s\nt -- Ann: never --> s\n\
                   property small expect true = AG n <= 30000\nproperty all expect true = AF n = 30000\n";
    for (language, name, text) in [
        (Language::Ccs, "sessions.ccs", sessions),
        (Language::Pact, "netbill.pact", netbill),
        (Language::Pact, "counter.pact", counter),
    ] {
        let loaded = Loaded::read(language, name, text, Choices::default()).expect("a good file");
        let expected = shown(&loaded, 1);
        for leap in [0, 7, 300, 5_000, 40_000, 250_000] {
            assert_eq!(shown(&loaded, leap), expected, "{name} where the clock leaps by {leap} µs");
        }
    }
}

//! What is told does not depend on how busy the machine is: on who was first to decide.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use servanda::{
    BDD, CheckOptions, Choices, Clock, EngineChoice, EngineOptions, Language, Loaded, NoClock, TABLEAU,
    Traces, Watch, check,
};
use servanda_engine::{Budget, NoLimits, Progress, Stop, Verdict};
use servanda_report::{Style, Trace};
use servanda_testkit::Patience;

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

/// A clock on which every question whether to go on takes a while, and time is over after a second.
#[derive(Default)]
struct Running(AtomicU64);

impl Running {
    const STEP: Duration = Duration::from_millis(20);
    const TIMEOUT: Duration = Duration::from_secs(1);
}

impl Clock for Running {
    fn elapsed(&self) -> Duration {
        Duration::from_micros(self.0.load(Ordering::Relaxed))
    }

    fn left(&self) -> Option<Duration> {
        Some(Self::TIMEOUT.saturating_sub(self.elapsed()))
    }
}

impl Budget for Running {
    fn progress(&self, _: Progress) -> Result<(), Stop> {
        self.0.fetch_add(Self::STEP.as_micros() as u64, Ordering::Relaxed);
        if self.elapsed() < Self::TIMEOUT { Ok(()) } else { Err(Stop::Time) }
    }
}

#[test]
fn a_hard_property_does_not_starve_an_easy_one() {
    // All of 10^12 states have to be visited for the first property, and a few for the others.
    let digits = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];
    let turns =
        digits.map(|digit| format!("s -- Ann: turn_{digit} set {digit} = ({digit} + 1) % 10 --> s\n"));
    let text = format!(
        "roles Ann\nvar {} : 0..9 = 0\nstart s\n{}property hard = AG {}\n\
         property easy = EF a = 3\nproperty easy_too = AG a < 1\n",
        digits.join(", "),
        turns.concat(),
        digits.map(|digit| format!("{digit} <= 9")).join(" and ")
    );
    let loaded = Loaded::read(Language::Pact, "digits.pact", text, Choices::default()).expect("a good file");
    let questions = loaded.questions(&[], &[]).expect("properties");
    let only =
        EngineOptions { engine: EngineChoice::Only(TABLEAU), unreduced: true, ..EngineOptions::default() };
    let clock = Running::default();
    let watch = Watch { budget: &clock, clock: &clock };
    let report = check(&loaded, &questions, CheckOptions { engine: only, ..CheckOptions::default() }, watch);
    let verdicts: Vec<&Verdict> = report.properties.iter().map(|property| &property.verdict).collect();
    assert!(
        matches!(verdicts[..], [Verdict::Unknown(_), Verdict::True, Verdict::False]),
        "{verdicts:?} after {:?}",
        clock.elapsed()
    );
}

#[test]
fn evidence_that_does_not_end_leaves_that_of_others() {
    // A strategy is looked for in far more states than it needs.
    let text = "roles Ann\nvar b[1..30] : bool = false\nstart s\n\
        for i in 1..30 { s -- Ann: flip[i] set b[i] = !b[i] --> s }\n\
        property near = EF b[1]\nproperty far = <Ann>F (all i in 1..30 : b[i])\n";
    let loaded = Loaded::read(Language::Pact, "flips.pact", text, Choices::default()).expect("a good file");
    let questions = loaded.questions(&[], &[]).expect("properties");
    let budget = Patience::of(5_000);
    let options = CheckOptions {
        engine: EngineOptions { engine: EngineChoice::Only(BDD), ..EngineOptions::default() },
        traces: Traces::Shown,
        ..CheckOptions::default()
    };
    let report = check(&loaded, &questions, options, Watch { budget: &budget, clock: &NoClock });
    let shown: Vec<&Trace> = report.properties.iter().map(|property| &property.trace).collect();
    let [Trace::Evidence { .. }, Trace::GivenUp(why)] = shown[..] else { panic!("{shown:?}") };
    assert!(why.contains("time limit"), "{why}");
}

//! Walks by chance, and what they have seen.

use servanda::Course;
use servanda_engine::{Budget, Progress};
use servanda_report::{Run, Statistics, Status, WalksReport, json, text};
use servanda_sim::Tally;

use super::super::args::{Format, SimArguments};
use super::super::terminal::Terminal;
use super::session::Session;
use super::{show, stopped};

/// Makes the walks, each of as many steps as wanted, or until nothing can happen, and says how often what happened. One walk
/// is shown step by step.
pub(super) fn run(
    mut session: Session<'_, '_>,
    steps: usize,
    arguments: &SimArguments,
    (budget, terminal): (&dyn Budget, &Terminal),
) -> Status {
    let shown = arguments.walks.is_none() && arguments.format == Format::Text;
    let courses = Course::all(session.loaded);
    let mut happened: Vec<(String, u64)> = courses.iter().map(|(name, _)| (name.clone(), 0)).collect();
    let mut tally = Tally::new(session.loaded.model());
    let mut status = Status::Wanted;
    for _ in 0..arguments.walks.unwrap_or(1) {
        match walk(&mut session, steps, &mut tally, (shown, budget, terminal)) {
            Status::Wanted => {}
            other => status = other,
        }
        for ((_, course), (_, count)) in courses.iter().zip(&mut happened) {
            *count += u64::from(course.happens(session.simulation.run().1));
        }
        if status != Status::Wanted {
            break;
        }
    }
    let report = WalksReport {
        run: Run {
            parameters: session.loaded.parameters().to_vec(),
            ..Run::new(session.loaded.source.name(), "sim")
        },
        seed: arguments.seed,
        walks: tally.walks,
        steps: tally.steps,
        ends: tally.ends,
        states: tally.states(),
        labels: tally.labels,
        locations: tally.locations,
        scenarios: happened,
    };
    let words = match arguments.format {
        Format::Json => json::walks(&report),
        Format::Text => {
            let gap = if shown { "\n" } else { "" };
            let heading = if shown { String::new() } else { format!("{}\n", session.loaded.title()) };
            gap.to_owned() + &heading + &text::walks(&report, terminal.output_style(Statistics::Hidden))
        }
    };
    match arguments.format {
        Format::Json => terminal.write(&words, status),
        Format::Text => terminal.show(&words, status),
    }
}

/// One walk, from an initial state that chance chooses.
fn walk(
    session: &mut Session<'_, '_>,
    steps: usize,
    tally: &mut Tally,
    (shown, budget, terminal): (bool, &dyn Budget, &Terminal),
) -> Status {
    let tell = |text: &dyn Fn() -> String, status: Status| {
        if shown { terminal.show(&text(), status) } else { status }
    };
    session.simulation.restart();
    if session.simulation.state().is_none() {
        session.simulation.take_any(&mut session.chance);
    }
    let mut status = tell(&|| show::state(session), Status::Wanted);
    tally.begin(&session.simulation);
    for step in 0..steps {
        if let Err(halt) = (Progress::Deciding { nodes: step as u64 }).tell(budget) {
            return stopped(&halt, terminal);
        }
        if status != Status::Wanted || !session.simulation.take_any(&mut session.chance) {
            break;
        }
        tally.step(&session.simulation);
        status = tell(&|| show::step(session), status);
    }
    tally.end(&session.simulation);
    if session.simulation.choices().is_empty() {
        status = tell(&|| show::choices(&session.simulation), status);
    }
    status
}

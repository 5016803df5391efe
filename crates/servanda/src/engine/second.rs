//! A second engine, for what the first does not know.

use servanda_engine::{Halt, Options, Verdict};
use servanda_logic::Formula;
use servanda_report::{Finding, Run};
use servanda_syntax::{Code, Diagnostic, Span};

use super::prepare::{MOST_EXPLORED_AGAIN, Work};
use super::{BDD, ENUMERATE, Engine, Means, Ready};
use crate::watch::not_yet_stopped;
use crate::{Loaded, Watch, halt};

/// Another engine that is made ready when it is first needed.
pub(crate) struct Second<'m, 'w> {
    work: Work<'m, 'w>,
    state: State<'m>,
}

enum State<'m> {
    /// There is none: the user chose the first, or it was the second choice itself.
    None,
    /// It has not been needed yet.
    Asleep,
    /// It can be asked.
    Awake(Ready<'m>),
    /// It could not be made ready, and why.
    Failed(&'static str, String),
}

impl<'m, 'w> Second<'m, 'w> {
    /// The engine to ask after `first`.
    pub(crate) fn after(
        first: &Ready<'_>,
        loaded: &'m Loaded,
        readings: Options,
        means: Means,
        watch: Watch<'w>,
    ) -> Self {
        let another = means.engine == Engine::Auto && !matches!(first, Ready::Explored(_));
        let work = Work::new(loaded, readings, means, watch);
        Second { work, state: if another { State::Asleep } else { State::None } }
    }

    /// Asks what `first` does not know because of `reason`: the engine that answers, and its answer.
    pub(crate) fn ask(
        &mut self,
        formula: &Formula,
        first: &Ready<'_>,
        reason: String,
        run: &mut Run,
    ) -> (&'static str, Result<Verdict, Halt>) {
        if let State::Asleep = self.state {
            self.state = self.wake(first, run);
        }
        let watch = self.work.watch;
        let (name, answer) = match &mut self.state {
            State::None | State::Asleep => return (first.name(), Ok(Verdict::Unknown(reason))),
            State::Failed(name, why) => (*name, Ok(Verdict::Unknown(why.clone()))),
            State::Awake(ready) => {
                let answer = not_yet_stopped(watch).and_then(|()| ready.decide(formula, watch.monitor));
                (ready.name(), answer)
            }
        };
        match answer {
            Ok(Verdict::Unknown(why)) => {
                (first.name(), Ok(Verdict::Unknown(format!("{reason}; {name}: {why}"))))
            }
            answer => (name, answer),
        }
    }

    fn wake(&self, first: &Ready<'_>, run: &mut Run) -> State<'m> {
        let main = run.engine;
        let small = first.states().is_some_and(|states| states <= MOST_EXPLORED_AGAIN.into());
        let (name, ready) = match first {
            _ if small => {
                let explored = self.work.explore_up_to(MOST_EXPLORED_AGAIN, run);
                (ENUMERATE, explored.map_err(|(halt, _)| halt::words(&halt)))
            }
            Ready::Tableau(_) => (BDD, self.work.encode(run).map_err(|halt| halt::words(&halt))),
            Ready::Symbolic(_) | Ready::Explored(_) | Ready::Sat(_) => {
                (ENUMERATE, Err("the model has too many states".to_owned()))
            }
        };
        run.engine = main;
        match ready {
            Ok(ready) => {
                if first.states().is_some_and(|states| ready.states() != Some(states)) {
                    run.reject([disagreement(&run.file, first, &ready)]);
                }
                State::Awake(ready)
            }
            Err(why) => State::Failed(name, why),
        }
    }
}

/// Engines that see different models are a mistake of this program, and nothing that either says can be trusted.
fn disagreement(file: &str, one: &Ready<'_>, other: &Ready<'_>) -> Finding {
    let says = |ready: &Ready<'_>| {
        let states = ready.states().unwrap_or_default();
        format!("{} finds {states} reachable states", ready.name())
    };
    let message = format!("internal error: {file}: {}, {}", says(one), says(other));
    let error = Diagnostic::error(Code::EnginesDisagree, message, Span::default());
    Finding::general(error.help("this is a mistake of servanda and not of the file; please report it"))
}

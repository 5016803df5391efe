//! A conversation about a model.

use std::sync::Arc;

use servanda::Loaded;
use servanda_logic::{Binary, Formula, Kind};
use servanda_report::{Colour, Detail, Finding, Statistics, Style, diagnostics};
use servanda_sim::{Chance, Departure, Recording, Simulation};
use servanda_syntax::{Diagnostic, SourceFile};

use super::command::{self, Command};
use super::show;

/// What an expression of the session is called in messages.
const WATCHED: &str = "<watch>";

/// A walk through a model, and what is needed to answer questions about it.
pub(super) struct Session<'l> {
    pub(super) loaded: &'l Loaded,
    pub(super) simulation: Simulation<'l>,
    pub(super) recording: Option<Recording>,
    pub(super) chance: Chance,
}

/// The answer to a command.
pub(super) enum Turn {
    /// What was wanted.
    Answer(String),
    /// Why it cannot be done.
    Refusal(String),
    /// The session is over.
    End,
}

impl Session<'_> {
    /// Does what a line says.
    pub(super) fn turn(&mut self, line: &str) -> Turn {
        let command = match command::parse(line) {
            Ok(command) => command,
            Err(message) => return refusal(&message),
        };
        match command {
            Command::Nothing => Turn::Answer(String::new()),
            Command::Take(number) => self.take(number),
            Command::Any(count) => {
                self.repeat(count, |session| match session.simulation.take_any(&mut session.chance) {
                    true => Ok(()),
                    false => Err("nothing can happen here".to_owned()),
                })
            }
            Command::Undo(count) => {
                let undone = (0..count).take_while(|_| self.simulation.undo()).count();
                match undone {
                    0 if count > 0 => refusal("there is nothing to undo"),
                    _ => Turn::Answer(show::position(&self.simulation)),
                }
            }
            Command::Restart => {
                self.simulation.restart();
                Turn::Answer(show::position(&self.simulation))
            }
            Command::Next(count) => self.repeat(count, Session::follow),
            Command::Watch(expression) => match self.watch(&expression) {
                Ok(()) => Turn::Answer(show::watched(&self.simulation)),
                Err(findings) => {
                    let style =
                        Style { colour: Colour::Off, detail: Detail::Normal, statistics: Statistics::Hidden };
                    Turn::Refusal(diagnostics::render_findings(&findings, style))
                }
            },
            Command::Watched => Turn::Answer(show::watched(&self.simulation)),
            Command::Unwatch(number) => match self.simulation.unwatch(number.wrapping_sub(1)) {
                true => Turn::Answer(show::watched(&self.simulation)),
                false => refusal(&format!("nothing of the number {number} is watched")),
            },
            Command::State => Turn::Answer(show::position(&self.simulation)),
            Command::Trail => Turn::Answer(show::trail(&self.simulation)),
            Command::Properties => Turn::Answer(show::properties(self.loaded, &self.simulation)),
            Command::Help => Turn::Answer(command::HELP.to_owned()),
            Command::Quit => Turn::End,
        }
    }

    fn take(&mut self, number: usize) -> Turn {
        let index = number.wrapping_sub(1);
        if self.simulation.state().is_none() {
            return match self.simulation.start(index) {
                true => Turn::Answer(show::position(&self.simulation)),
                false => refusal(&format!("there is no initial state {number}")),
            };
        }
        match self.simulation.take(index) {
            true => Turn::Answer(show::arrival(&self.simulation)),
            false => refusal(&format!("there is no transition {number} here")),
        }
    }

    /// Several steps: each is shown, and at the end what can happen.
    fn repeat(&mut self, count: usize, step: impl Fn(&mut Self) -> Result<(), String>) -> Turn {
        let mut shown = String::new();
        for _ in 0..count {
            let chosen = self.simulation.state().is_none();
            if let Err(message) = step(self) {
                return Turn::Refusal(format!("{shown}{message}\n"));
            }
            shown.push_str(&match chosen {
                true => show::state(&self.simulation),
                false => show::step(&self.simulation),
            });
        }
        shown.push_str(&show::choices(&self.simulation));
        Turn::Answer(shown)
    }

    fn follow(&mut self) -> Result<(), String> {
        let Some(recording) = &self.recording else {
            return Err("there is no trace to follow; --trace FILE gives one".to_owned());
        };
        self.simulation.follow(recording).map_err(|departure| {
            let why = match departure {
                Departure::End => "the trace ends here",
                Departure::Elsewhere => "this is not where the trace is; undo or restart to come back to it",
                Departure::Impossible => {
                    "the next step of the trace cannot happen here: is it of another model?"
                }
            };
            why.to_owned()
        })
    }

    /// Watches an expression in the words of the model's language.
    pub(super) fn watch(&mut self, expression: &str) -> Result<(), Vec<Finding>> {
        let formula = self.expression(expression).map_err(|errors| {
            let source = Arc::new(SourceFile::new(WATCHED, expression));
            errors.into_iter().map(|error| Finding::placed(error, &source)).collect::<Vec<_>>()
        })?;
        self.simulation.watch(expression, &formula);
        Ok(())
    }

    /// Languages have words for conditions only. What is no condition can be compared with itself, which is one.
    fn expression(&self, text: &str) -> Result<Formula, Vec<Diagnostic>> {
        self.loaded.formula(text).or_else(|errors| {
            let doubled = [format!("({text}) = ({text})"), format!("{text} = {text}")];
            let compared = doubled.iter().find_map(|text| self.loaded.formula(text).ok());
            match compared.as_ref().map(Formula::kind) {
                Some(Kind::Binary(Binary::Equal, left, _)) => Ok(left.clone()),
                _ => Err(errors),
            }
        })
    }
}

fn refusal(message: &str) -> Turn {
    Turn::Refusal(format!("{message}\n"))
}

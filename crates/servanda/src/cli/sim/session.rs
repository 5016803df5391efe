//! A conversation about a model.

use std::cell::RefCell;
use std::sync::Arc;

use servanda::{Loaded, Present, Watch};
use servanda_engine::Verdict;
use servanda_logic::{Binary, Formula, Kind};
use servanda_report::{Finding, Style, diagnostics};
use servanda_sim::{Chance, Departure, Recording, Simulation};
use servanda_syntax::{Diagnostic, SourceFile};

use super::show;

/// What an expression of the session is called in messages.
const WATCHED: &str = "<watch>";

/// The commands, for those who ask.
const HELP: &str = "  NUMBER   take the transition of this number
  a [N]    take N random steps (any)
  u [N]    undo the last N steps
  r        restart
  n [N]    take the next N steps of the trace given with --trace
  e EXPR   evaluate a condition, an expression or any formula here
  w EXPR   the same after every step (watch); w alone shows what is watched
  x N      do not watch expression N any more
  s        show the whole state and what can happen
  t        show the trail: the steps so far
  p        show the value of every property in this state, and the commitments in force
  h        help
  q        quit
";

/// A walk through a model, and what is needed to answer questions about it.
pub(super) struct Session<'k, 'l> {
    pub(super) loaded: &'l Loaded,
    pub(super) simulation: Simulation<'l>,
    pub(super) recording: Option<Recording>,
    pub(super) chance: Chance,
    /// What formulas are worth here; finding that out changes what is known and nothing else.
    pub(super) present: RefCell<Present<'k, 'l>>,
    /// The same for scenarios, where they are not about the same runs.
    pub(super) scenarios: Option<RefCell<Present<'k, 'l>>>,
    pub(super) limits: Watch<'l>,
}

impl Session<'_, '_> {
    /// What a formula is worth in the present state, and why that is not known.
    pub(super) fn value(&self, formula: &Formula) -> (String, String) {
        self.value_in(&self.present, formula)
    }

    /// The same of the formula of a scenario.
    pub(super) fn possible(&self, formula: &Formula) -> (String, String) {
        self.value_in(self.scenarios.as_ref().unwrap_or(&self.present), formula)
    }

    fn value_in(&self, present: &RefCell<Present<'_, '_>>, formula: &Formula) -> (String, String) {
        match present.borrow_mut().value(formula, self.simulation.run(), self.limits) {
            Ok(Verdict::Unknown(reason)) => ("unknown".to_owned(), format!(" ({reason})")),
            Ok(verdict) => (verdict.word().to_owned(), String::new()),
            Err(errors) => {
                let why = errors.first().map_or("", |error| error.message.as_str());
                ("no value".to_owned(), format!(" ({why})"))
            }
        }
    }

    /// Does what a line says, and gives the answer; `None`: the session is over.
    ///
    /// # Errors
    ///
    /// Why it cannot be done.
    pub(super) fn turn(&mut self, line: &str) -> Result<Option<String>, String> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let count = || match rest {
            "" => Ok(1),
            number => number.parse().map_err(|_| format!("`{word}` takes a number, not `{number}`\n")),
        };
        // Asked before a command that takes nothing is obeyed.
        let alone = || match rest {
            "" => Ok(()),
            _ => Err(format!("`{word}` takes nothing, and `{rest}` is given\n")),
        };
        Ok(Some(match word {
            "a" | "any" => self.repeat(count()?, |session| {
                let taken = session.simulation.take_any(&mut session.chance);
                taken.then_some(()).ok_or("nothing can happen here")
            })?,
            "n" | "next" => self.repeat(count()?, Session::follow)?,
            "u" | "undo" => {
                let count = count()?;
                if (0..count).take_while(|_| self.simulation.undo()).count() == 0 && count > 0 {
                    return Err("there is nothing to undo\n".to_owned());
                }
                show::position(self)
            }
            "w" | "watch" => {
                if !rest.is_empty() {
                    self.watch(rest).map_err(|found| refusal(&found))?;
                }
                show::watched(self)
            }
            "e" | "eval" if rest.is_empty() => return Err(format!("`{word}` needs a formula\n")),
            "e" | "eval" => self.evaluate(rest)?,
            "x" | "unwatch" if rest.is_empty() => {
                return Err(format!("`{word}` needs the number of what is watched\n"));
            }
            "x" | "unwatch" => {
                let number = count()?;
                if !self.simulation.unwatch(number.wrapping_sub(1)) {
                    return Err(format!("no watched expression has the number {number}\n"));
                }
                show::watched(self)
            }
            "" => String::new(),
            "r" | "restart" => {
                alone()?;
                self.simulation.restart();
                show::position(self)
            }
            "s" | "state" => alone().map(|()| show::position(self))?,
            "t" | "trail" => alone().map(|()| show::trail(&self.simulation))?,
            "p" | "properties" => alone().map(|()| show::properties(self))?,
            "h" | "help" | "?" => alone().map(|()| HELP.to_owned())?,
            "q" | "quit" => return alone().map(|()| None),
            word => match word.parse() {
                Ok(number) => alone().and_then(|()| self.take(number))?,
                Err(_) => return Err(format!("there is no command `{word}`; h lists the commands\n")),
            },
        }))
    }

    fn take(&mut self, number: usize) -> Result<String, String> {
        let index = number.wrapping_sub(1);
        if self.simulation.state().is_none() {
            return match self.simulation.start(index) {
                true => Ok(show::position(self)),
                false => Err(format!("there is no initial state {number}\n")),
            };
        }
        match self.simulation.take(index) {
            true => Ok(show::arrival(self)),
            false => Err(format!("there is no transition {number} here\n")),
        }
    }

    /// Several steps: each is shown, and at the end what can happen.
    fn repeat(
        &mut self,
        count: usize,
        step: impl Fn(&mut Self) -> Result<(), &'static str>,
    ) -> Result<String, String> {
        let mut shown = String::new();
        for _ in 0..count {
            let chosen = self.simulation.state().is_none();
            step(self).map_err(|message| format!("{shown}{message}\n"))?;
            shown.push_str(&match chosen {
                true => show::state(self),
                false => show::step(self),
            });
        }
        Ok(shown + &show::choices(&self.simulation))
    }

    fn follow(&mut self) -> Result<(), &'static str> {
        let recording =
            self.recording.as_ref().ok_or("there is no trace to follow; --trace FILE gives one")?;
        self.simulation.follow(recording).map_err(|departure| match departure {
            Departure::End => "the trace ends here",
            Departure::Elsewhere => "this is not where the trace is; undo or restart to come back to it",
            Departure::Impossible => "the next step of the trace cannot happen here: is it of another model?",
        })
    }

    /// The value of an expression here.
    fn evaluate(&self, expression: &str) -> Result<String, String> {
        let formula = self.read(expression).map_err(|found| refusal(&found))?;
        match self.simulation.present(expression, &formula) {
            Some(observed) => Ok(format!("  {}", show::value(self, &observed))),
            None => Err("no initial state is chosen\n".to_owned()),
        }
    }

    /// An expression in the words of the model's language; one that has no value in any state is refused.
    fn read(&self, expression: &str) -> Result<Formula, Vec<Finding>> {
        let placed = |errors| Finding::all_placed(errors, &Arc::new(SourceFile::new(WATCHED, expression)));
        self.expression(expression).map_err(placed)
    }

    /// Watches an expression in the words of the model's language.
    pub(super) fn watch(&mut self, expression: &str) -> Result<(), Vec<Finding>> {
        let formula = self.read(expression)?;
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

/// What is wrong with an expression.
fn refusal(found: &[Finding]) -> String {
    diagnostics::render_findings(found, Style::plain())
}

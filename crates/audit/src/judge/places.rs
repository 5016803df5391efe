//! Is a slice in a control state?

use rustc_hash::FxHashMap;
use servanda_logic::{Formula, Parser};
use servanda_model::{Program, bind_boolean};
use servanda_syntax::{Diagnostic, has_errors};

use super::{Judge, Standing};

/// A control state that slices are asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place(u32);

/// The places asked about so far.
#[derive(Default)]
pub(super) struct Places {
    by_text: FxHashMap<String, Place>,
    /// By place, the states that are there.
    states: Vec<Vec<bool>>,
    memo: FxHashMap<(Place, u32), bool>,
}

impl Judge<'_> {
    /// A control state: `given_up`, or `Buyer in waiting` where there are several machines.
    ///
    /// # Errors
    ///
    /// What is wrong with it, with places in the text.
    pub fn place(&mut self, text: &str) -> Result<Place, Vec<Diagnostic>> {
        if let Some(known) = self.places.by_text.get(text) {
            return Ok(*known);
        }
        let formula = control_state(text)?;
        let mut diagnostics = Vec::new();
        let Some(condition) = bind_boolean(self.model, &formula, &mut diagnostics) else {
            return Err(diagnostics);
        };
        let (program, mut stack) = (Program::new(&condition, &self.space.layout), Vec::new());
        let mut is_there = |state: u32| program.holds(self.space.state(state), &mut stack).unwrap_or(false);
        let states = (0..self.space.len() as u32).map(&mut is_there).collect();
        let place = Place(self.places.states.len() as u32);
        self.places.states.push(states);
        self.places.by_text.insert(text.to_owned(), place);
        Ok(place)
    }

    /// Can the slice be in a control state: is some state that agrees with the word there?
    pub fn is_in(&mut self, at: Standing, place: Place) -> bool {
        let set = self.standings.get(at.0)[0];
        let Places { states, memo, .. } = &mut self.places;
        *memo.entry((place, set)).or_insert_with(|| {
            let states = &states[place.0 as usize];
            self.watches[0].members(set).iter().any(|state| states[*state as usize])
        })
    }
}

/// `in given_up`, whether or not the `in` is written.
fn control_state(text: &str) -> Result<Formula, Vec<Diagnostic>> {
    let has_word = text.split_whitespace().any(|word| word == "in");
    let whole = if has_word { text.to_owned() } else { format!("in {text}") };
    let back = (whole.len() - text.len()) as u32;
    let mut parser = Parser::new(&whole);
    let formula = parser.formula();
    if formula.is_some() && !parser.at_end() {
        parser.unexpected::<()>("the end of the name of a control state");
    }
    let mut diagnostics = parser.into_diagnostics();
    match formula {
        Some(formula) if !has_errors(&diagnostics) => Ok(formula),
        _ => {
            for found in &mut diagnostics {
                found.span.start = found.span.start.saturating_sub(back);
                found.span.end = found.span.end.saturating_sub(back);
            }
            Err(diagnostics)
        }
    }
}

//! From a formula to its tableau and its automaton.

use servanda_logic::{Formula, Kind, is_state_formula, path_part};
use servanda_syntax::{Code, Diagnostic};

use crate::automaton::Abta;
use crate::limits::{Limits, check_size};
use crate::notes::{Note, notes};
use crate::options::{Logic, Options, Rules, Simplify};
use crate::{paper, simplify, sound};

/// A formula with its tableau and its automaton.
#[derive(Clone, Debug)]
pub struct Translation {
    /// The formula.
    pub formula: Formula,
    /// Which rules made it.
    pub rules: Rules,
    /// Whose numbers the rules have; `None` for sound rules.
    pub logic: Option<Logic>,
    /// The tableau: one state per row.
    pub tableau: Abta,
    /// The automaton: the tableau, simplified unless it is the papers' or that was not wanted.
    pub automaton: Abta,
    /// What to know about it.
    pub notes: Vec<Note>,
}

/// Translates a state formula. Names are free: nothing is looked up in a model.
///
/// # Errors
///
/// What is wrong with the formula, or why its tableau was given up.
pub fn translate(formula: &Formula, options: Options) -> Result<Translation, Vec<Diagnostic>> {
    check(formula, options.rules)?;
    let states = options.most_states;
    let (logic, tableau) = match options.rules {
        Rules::Paper => {
            let logic = options.logic.unwrap_or_else(|| paper::usual_logic(formula));
            (Some(logic), paper::translate(formula, logic, Limits { states, members: usize::MAX }))
        }
        Rules::Sound => {
            let limits = Limits { states, members: states.saturating_mul(40) };
            (None, sound::translate(formula, options.acts, limits))
        }
    };
    let (tableau, facts) = tableau.map_err(|error| vec![*error])?;
    let automaton = match (options.rules, options.simplify) {
        (Rules::Sound, Simplify::Fully) => simplify::simplify(&tableau),
        (Rules::Paper, _) | (_, Simplify::Not) => tableau.clone(),
    };
    let notes = notes(formula, &facts, options, logic);
    Ok(Translation { formula: formula.clone(), rules: options.rules, logic, tableau, automaton, notes })
}

fn check(formula: &Formula, rules: Rules) -> Result<(), Vec<Diagnostic>> {
    if !is_state_formula(formula) {
        let message = "a property must be a state formula, but this refers to a path";
        return Err(vec![
            Diagnostic::error(Code::PathFormula, message, formula.span())
                .help(format!("say of which paths: `A ({formula})` for all, `E ({formula})` for some")),
        ]);
    }
    let mut errors = Vec::new();
    no_paths_in_comprehensions(formula, &mut errors);
    if rules == Rules::Paper {
        no_ticks(formula, &mut errors);
    }
    errors.extend(check_size(formula).err().map(|error| *error));
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// The papers have no time.
fn no_ticks(formula: &Formula, errors: &mut Vec<Diagnostic>) {
    if let Kind::Bounded(_) = formula.kind() {
        let message = "no rule of the papers counts ticks";
        errors.push(
            Diagnostic::error(Code::NotExpressible, message, formula.span()).help("write `--rules sound`"),
        );
    }
    formula.for_each_child(|child| no_ticks(child, errors));
}

/// `any`, `all` and `sum` over states are atoms; over paths they would have to be unrolled, which takes a model.
fn no_paths_in_comprehensions(formula: &Formula, errors: &mut Vec<Diagnostic>) {
    if let Kind::Comprehension(comprehension) = formula.kind()
        && let Some(part) = path_part(&comprehension.body)
    {
        let message = "a repetition of path formulas cannot be unrolled without a model";
        errors.push(Diagnostic::error(Code::RepeatedPathFormula, message, part.span()).help("write it out"));
        return;
    }
    formula.for_each_child(|child| no_paths_in_comprehensions(child, errors));
}

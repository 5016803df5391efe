//! Differences as formulas of Servanda's own logic, so that `servanda check --formula` can be asked about them.
//!
//! The implicit loop of a deadlock has no label, so no `does(..)` holds on it, and a modality is simply a path that
//! begins with its label.

use crate::difference::{Difference, Explanation};
use crate::formula::{Formula, FormulaId, Node};
use crate::show::is_small;

/// `does(a)`, or `does("a")` where `a` is no plain name, or is not known to both models: a quoted label may be one that
/// a model does not have.
pub fn usual_atom(label: &str, known_to_both: bool) -> String {
    const WORDS: [&str; 10] = ["in", "true", "false", "and", "or", "not", "any", "all", "sum", "so"];
    let plain = label.starts_with(|first: char| first.is_ascii_lowercase())
        && label.chars().all(|character| character.is_ascii_alphanumeric() || character == '_')
        && !WORDS.contains(&label);
    if plain && known_to_both { format!("does({label})") } else { format!("does(\"{label}\")") }
}

/// A formula that holds in the model that has what the other one lacks, and not in the other; `None` if it would be
/// too long to be of use. Given a label, `atom` is the path formula "the next step has this label": `does(a)`.
pub fn property(difference: &Difference, atom: &dyn Fn(&str) -> String) -> Option<String> {
    let words = Words { atom, difference };
    let of_run;
    let formula = match &difference.explanation {
        Explanation::Formula(formula) => formula,
        Explanation::Run(run) => {
            of_run = run.formula();
            &of_run
        }
    };
    is_small(formula).then(|| words.state(formula, formula.root(), true))
}

struct Words<'a> {
    atom: &'a dyn Fn(&str) -> String,
    difference: &'a Difference,
}

impl Words<'_> {
    fn atom(&self, action: servanda_lts::Action) -> String {
        (self.atom)(self.difference.labels.name(action))
    }

    fn internal(&self) -> String {
        (self.atom)(servanda_lts::Labels::INTERNAL)
    }

    /// The path formula after any number of internal steps, which there may be none of.
    fn silently(&self, path: String) -> String {
        if self.difference.internal_steps { format!("({} U {path})", self.internal()) } else { path }
    }

    /// A state formula, in parentheses where it needs any; negated unless it is to hold.
    fn state(&self, formula: &Formula, id: FormulaId, holds: bool) -> String {
        let is_true = |id: FormulaId| *formula.node(id) == Node::True;
        match formula.node(id) {
            Node::True => holds.to_string(),
            Node::Not(part) => self.state(formula, *part, !holds),
            Node::All(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.state(formula, *part, holds)).collect();
                format!("({})", parts.join(if holds { " & " } else { " | " }))
            }
            Node::Step { action, then } => {
                let label = self.atom(*action);
                match (holds, is_true(*then)) {
                    (true, true) => format!("E {label}"),
                    (true, false) => format!("E ({label} & X {})", self.state(formula, *then, true)),
                    (false, true) => format!("A !{label}"),
                    (false, false) => format!("A ({label} -> X {})", self.state(formula, *then, false)),
                }
            }
            Node::Weak { action, then } => {
                let after = || match formula.node(*then) {
                    // It begins with internal steps itself.
                    Node::Weak { .. } => self.state(formula, *then, true),
                    _ => self.exists(self.silently(self.state(formula, *then, true))),
                };
                let some = match (action.is_internal(), is_true(*then)) {
                    (true, _) => after(),
                    (false, true) => format!("E {}", self.silently(self.atom(*action))),
                    (false, false) => {
                        format!("E {}", self.silently(format!("({} & X {})", self.atom(*action), after())))
                    }
                };
                negated_unless(holds, some)
            }
            Node::Until { hold, action, then } => {
                let held = |rest: String| match is_true(*hold) {
                    true => rest,
                    false => format!("({} & {rest})", self.state(formula, *hold, true)),
                };
                let last = match (action.is_internal(), is_true(*then)) {
                    (true, _) => self.state(formula, *then, true),
                    (false, true) => held(self.atom(*action)),
                    (false, false) => {
                        let then = self.state(formula, *then, true);
                        held(format!("({} & X {then})", self.atom(*action)))
                    }
                };
                let some = match self.difference.internal_steps {
                    true => format!("E ({} U {last})", held(self.internal())),
                    false => format!("E {last}"),
                };
                negated_unless(holds, some)
            }
        }
    }

    /// `E` before what `silently` gives; without internal steps that is a state formula already.
    fn exists(&self, path: String) -> String {
        if self.difference.internal_steps { format!("E {path}") } else { path }
    }
}

fn negated_unless(holds: bool, formula: String) -> String {
    if holds { formula } else { format!("!{formula}") }
}

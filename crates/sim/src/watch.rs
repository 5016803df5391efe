//! Expressions whose value in the present state is shown.

use servanda_logic::{Formula, Kind};
use servanda_model::{Domain, Layout, Model, Program, VariableId, bind_boolean, bind_value};

/// An expression that is watched.
#[derive(Clone, Debug)]
pub(crate) struct Watch {
    text: String,
    beyond: Option<Formula>,
    parts: Vec<(String, Part)>,
}

#[derive(Clone, Debug)]
enum Part {
    Condition(Program),
    Number(Program),
    Value(VariableId),
}

/// The value of an expression in the present state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// The expression as it was written.
    pub text: String,
    /// Its value; for a formula about more than the present state the parts that refer to the present alone, with
    /// theirs.
    pub parts: Vec<(String, String)>,
    /// The formula, where it is about more than the present state: who knows the whole model can say what it is worth.
    pub beyond: Option<Formula>,
}

impl Watch {
    /// Watches a ground formula: a condition, a number, a variable, or of any other formula what it says of the present.
    pub(crate) fn new(model: &Model, layout: &Layout, text: impl Into<String>, formula: &Formula) -> Self {
        let text = text.into();
        let mut ignored = Vec::new();
        let whole = match bind_boolean(model, formula, &mut ignored) {
            Some(condition) => Some(Part::Condition(Program::new(&condition, layout))),
            None => number(model, layout, formula).or_else(|| value(model, formula)),
        };
        let beyond = whole.is_none().then(|| formula.clone());
        let parts = match whole {
            Some(part) => vec![(text.clone(), part)],
            None => {
                let mut parts = Vec::new();
                collect(model, layout, formula, &mut parts);
                parts
            }
        };
        Watch { text, beyond, parts }
    }

    pub(crate) fn observe(&self, model: &Model, layout: &Layout, state: &[u64]) -> Observation {
        let mut stack = Vec::new();
        let parts = self.parts.iter().map(|(text, part)| {
            let value = match part {
                Part::Condition(program) => program.holds(state, &mut stack).map(|truth| truth.to_string()),
                Part::Number(program) => program.evaluate(state, &mut stack).map(|number| number.to_string()),
                Part::Value(variable) => {
                    Ok(model.variable(*variable).domain.show(layout.variable(*variable).read(state)))
                }
            };
            (text.clone(), value.unwrap_or_else(|_| "no value".to_owned()))
        });
        let parts = parts.collect();
        Observation { text: self.text.clone(), parts, beyond: self.beyond.clone() }
    }
}

fn number(model: &Model, layout: &Layout, formula: &Formula) -> Option<Part> {
    let any = Domain::Range { low: i64::MIN, high: i64::MAX };
    let number = bind_value(model, formula, &any, &mut Vec::new())?;
    Some(Part::Number(Program::new(&number, layout)))
}

/// A variable of an enumeration.
fn value(model: &Model, formula: &Formula) -> Option<Part> {
    match formula.kind() {
        Kind::Name(name) => model.find_variable(&name.to_string()).map(Part::Value),
        _ => None,
    }
}

/// The largest parts that are conditions on the present state, without duplicates.
fn collect(model: &Model, layout: &Layout, formula: &Formula, parts: &mut Vec<(String, Part)>) {
    if matches!(formula.kind(), Kind::Bool(_) | Kind::Int(_)) {
        return;
    }
    match bind_boolean(model, formula, &mut Vec::new()) {
        Some(condition) => {
            let text = formula.to_string();
            if parts.iter().all(|(known, _)| *known != text) {
                parts.push((text, Part::Condition(Program::new(&condition, layout))));
            }
        }
        None => formula.for_each_child(|child| collect(model, layout, child, parts)),
    }
}

//! Formulas as ISPL text, in the shape that MCMAS accepts where there is one.

use servanda_logic::{Binary, Epistemic, Formula, Goal, Group, Kind, LabelPattern, Strategic, Unary};

/// A formula with the prefix it needs.
pub(super) fn show(formula: &Formula) -> Result<String, String> {
    if is_branching(formula) {
        return open(formula);
    }
    match formula.kind() {
        Kind::Unary(Unary::ForAll, path) if is_linear(path) => Ok(format!("LTL {}", operand(path)?)),
        _ => Ok(format!("CTL* {}", operand(formula)?)),
    }
}

/// Is every path operator right behind a path quantifier?
fn is_branching(formula: &Formula) -> bool {
    match formula.kind() {
        Kind::Unary(Unary::ForAll | Unary::Exists, path) => match path.kind() {
            Kind::Unary(Unary::Next | Unary::Finally | Unary::Globally, inner) => is_branching(inner),
            Kind::Binary(Binary::Until, left, right) => is_branching(left) && is_branching(right),
            _ => false,
        },
        Kind::Unary(Unary::Next | Unary::Finally | Unary::Globally, _) => false,
        Kind::Unary(Unary::Previous | Unary::Once | Unary::Historically, _) => false,
        Kind::Binary(Binary::Until | Binary::WeakUntil | Binary::Release | Binary::Since, ..) => false,
        _ => is_below(formula, is_branching),
    }
}

/// Are there no path quantifiers and strategies in it?
fn is_linear(formula: &Formula) -> bool {
    match formula.kind() {
        Kind::Unary(Unary::ForAll | Unary::Exists, _) | Kind::Strategic(_) => false,
        // Of a path formula nobody knows anything without a quantifier.
        Kind::Epistemic(epistemic) if !servanda_logic::is_state_formula(&epistemic.body) => false,
        _ => is_below(formula, is_linear),
    }
}

/// Is it so with everything directly below?
fn is_below(formula: &Formula, is: fn(&Formula) -> bool) -> bool {
    let mut all = true;
    formula.for_each_child(|child| all &= is(child));
    all
}

/// A formula where nothing stands beside it, so without parentheses around it.
fn open(formula: &Formula) -> Result<String, String> {
    let Kind::Binary(op, left, right) = formula.kind() else { return operand(formula) };
    let symbol = match op {
        Binary::And => "and",
        Binary::Or => "or",
        Binary::NotEqual => "<>",
        Binary::So
        | Binary::Add
        | Binary::Subtract
        | Binary::Multiply
        | Binary::Divide
        | Binary::Remainder => return Err(format!("ISPL cannot say `{formula}`")),
        other => other.symbol(),
    };
    // A chain of one operator leans to the left when it is read.
    let left = match left.kind() {
        Kind::Binary(inner, ..) if inner == op && matches!(op, Binary::And | Binary::Or) => open(left)?,
        _ => beside(left)?,
    };
    Ok(format!("{left} {symbol} {}", beside(right)?))
}

/// A formula beside an operator with two operands. `!` is looser than `U` after `LTL` and `CTL*`.
fn beside(formula: &Formula) -> Result<String, String> {
    match formula.kind() {
        Kind::Unary(..) => Ok(format!("({})", operand(formula)?)),
        _ => operand(formula),
    }
}

/// A formula behind an operator with one operand.
fn operand(formula: &Formula) -> Result<String, String> {
    match formula.kind() {
        Kind::Bool(value) => Ok(value.to_string()),
        Kind::Int(value) => Ok(value.to_string()),
        Kind::Name(name) if name.indices.is_empty() => Ok(name.name.to_string()),
        Kind::Unary(op, inner) => unary(*op, inner, formula),
        Kind::Binary(..) => Ok(format!("({})", open(formula)?)),
        Kind::Does(LabelPattern::Any) => Ok("does(_)".to_owned()),
        Kind::Does(LabelPattern::Action(action)) if action.is_plain() => {
            let agent = action.agent.as_ref().map_or(String::new(), |agent| format!("{agent}."));
            Ok(format!("does({agent}{})", action.name))
        }
        Kind::Epistemic(epistemic) => knowledge(epistemic),
        Kind::Strategic(strategic) => strategy(strategic),
        _ => Err(format!("ISPL cannot say `{formula}`")),
    }
}

fn unary(op: Unary, inner: &Formula, whole: &Formula) -> Result<String, String> {
    let quantifier = match op {
        Unary::Not => return Ok(format!("!{}", operand(inner)?)),
        Unary::ForAll => 'A',
        Unary::Exists => 'E',
        Unary::Minus | Unary::Challenged => return Err(format!("ISPL cannot say `{whole}`")),
        _ => return Ok(format!("{} {}", op.symbol(), operand(inner)?)),
    };
    match inner.kind() {
        Kind::Unary(path @ (Unary::Next | Unary::Finally | Unary::Globally), body) if is_branching(whole) => {
            Ok(format!("{quantifier}{} {}", path.symbol(), operand(body)?))
        }
        Kind::Binary(..) => Ok(format!("{quantifier}({})", open(inner)?)),
        _ => Ok(format!("{quantifier} {}", operand(inner)?)),
    }
}

fn knowledge(epistemic: &Epistemic) -> Result<String, String> {
    let Epistemic { op, agent, group, body } = epistemic;
    let mut arguments = Vec::new();
    if let Some(agent) = agent {
        arguments.push(agent.to_string());
    }
    match group {
        None | Some(Group::Everybody) => {}
        Some(group) => arguments.push(group.to_string()),
    }
    arguments.push(open(body)?);
    Ok(format!("{}({})", op.symbol(), arguments.join(", ")))
}

fn strategy(strategic: &Strategic) -> Result<String, String> {
    let group = match &strategic.group {
        Group::Everybody => return Err("ISPL has no strategies of everybody without a group".to_owned()),
        group => group.to_string(),
    };
    Ok(match &strategic.goal {
        Goal::Next(a) => format!("<{group}>X {}", operand(a)?),
        Goal::Finally(a) => format!("<{group}>F {}", operand(a)?),
        Goal::Globally(a) => format!("<{group}>G {}", operand(a)?),
        Goal::Until(a, b) => format!("<{group}>({} U {})", beside(a)?, beside(b)?),
    })
}

//! What is known of the name or the formula at a place.

use servanda_logic::{Formula, Kind, Unary, words};
use servanda_model::{Variable, Visibility};
use servanda_syntax::{Occurrence, Span, SymbolKind};

use crate::{Analysis, Language, mapping};

/// Longer statements are cut.
const MOST_LINES: usize = 12;

/// Of a variable with indices so many are shown.
const MOST_VARIABLES: usize = 4;

/// What is known of the name at an offset, or what the formula there says; as Markdown, with its place.
pub fn hover(analysis: &Analysis, offset: u32) -> Option<(Span, String)> {
    match analysis.symbols.at(offset) {
        Some(here) => {
            let words = mapping::about(here).or_else(|| named(analysis, here))?;
            Some((here.span, words))
        }
        None => {
            let formula = formula_at(analysis, offset)?;
            Some((formula.span(), says(&formula)))
        }
    }
}

fn named(analysis: &Analysis, here: &Occurrence) -> Option<String> {
    let declared = analysis.symbols.declaration(here)?;
    let mut text = format!("**{}** `{}`", here.kind.word(), here.name);
    if !here.scope.is_empty() && !here.scope.starts_with('@') {
        text.push_str(&format!(" of `{}`", here.scope));
    }
    let uses = analysis.symbols.same(here).filter(|other| !other.declares).count();
    match here.kind {
        SymbolKind::State => {
            let places = analysis.symbols.same(here);
            let statements: std::collections::BTreeSet<Span> = places.map(|place| place.statement).collect();
            text.push_str(&format!(", in {} statements", statements.len()));
        }
        SymbolKind::Foreign => {}
        _ => text.push_str(&format!(", named at {uses} other places")),
    }
    if matches!(here.kind, SymbolKind::Variable | SymbolKind::Clock) {
        text.push_str(&types(analysis, here));
    }
    let shows_statement = !matches!(here.kind, SymbolKind::State | SymbolKind::Index | SymbolKind::Machine);
    if declared.declares && shows_statement {
        let language = match analysis.language {
            // A mapping names what models declare.
            Language::Mapping if !mapping::is_own(here.kind) => "pact",
            Language::Mapping => "toml",
            Language::Pact => "pact",
            Language::Ispl => "ispl",
            Language::Ccs => "ccs",
        };
        let statement = analysis.slice(declared.statement);
        let lines: Vec<&str> = statement.lines().take(MOST_LINES).collect();
        if statement != &*here.name {
            text.push_str(&format!("\n\n```{language}\n{}\n```", lines.join("\n")));
        }
    }
    let is_formula =
        matches!(here.kind, SymbolKind::Property | SymbolKind::Proposition | SymbolKind::Commitment);
    if let (true, Some(formula)) = (is_formula, stated_in(analysis, declared.statement)) {
        text.push_str(&format!("\n\n{}", says(formula)));
    }
    Some(text)
}

/// The types of the variables of a name, and who sees them: what is known when all names are resolved.
fn types(analysis: &Analysis, here: &Occurrence) -> String {
    let Some(model) = &analysis.model else { return String::new() };
    let is_meant = |variable: &&Variable| {
        let name = match analysis.language {
            // Variables of ISPL have their agents before them.
            Language::Ispl => {
                variable.name.strip_prefix(&*here.scope).and_then(|rest| rest.strip_prefix('.'))
            }
            _ => Some(variable.name.as_str()),
        };
        variable.is_declared() && name.and_then(|name| name.split('[').next()) == Some(&*here.name)
    };
    let meant: Vec<&Variable> = model.variables.iter().filter(is_meant).collect();
    let mut lines = Vec::new();
    for variable in meant.iter().take(MOST_VARIABLES) {
        let agents = match &variable.visibility {
            Visibility::Public => &[],
            Visibility::Private(agent) => std::slice::from_ref(agent),
            Visibility::Shared(agents) => agents.as_slice(),
        };
        let names: Vec<&str> = agents.iter().map(|agent| model.agent(*agent).name.as_str()).collect();
        let seen = if names.is_empty() { String::new() } else { format!(", seen by {}", names.join(", ")) };
        lines.push(format!("`{} : {}`{seen}", variable.name, variable.domain.describe()));
    }
    if meant.len() > MOST_VARIABLES {
        lines.push(format!("and {} more", meant.len() - MOST_VARIABLES));
    }
    lines.iter().map(|line| format!("\n\n{line}")).collect()
}

/// The formula of a statement: the longest that lies in it.
fn stated_in(analysis: &Analysis, statement: Span) -> Option<&Formula> {
    let first = analysis.formulas.partition_point(|formula| formula.span().start < statement.start);
    let inside = analysis.formulas[first..].iter().take_while(|formula| formula.span().end <= statement.end);
    inside.max_by_key(|formula| formula.span().end - formula.span().start)
}

/// The smallest formula around an offset; of a pair such as `AG` both.
fn formula_at(analysis: &Analysis, offset: u32) -> Option<Formula> {
    let after = analysis.formulas.partition_point(|formula| formula.span().start <= offset);
    let mut here = analysis.formulas[..after].last().filter(|formula| offset <= formula.span().end)?.clone();
    loop {
        let next = match here.kind() {
            Kind::Unary(Unary::ForAll | Unary::Exists, operand)
                if operand.span().start == here.span().start =>
            {
                inner(operand, offset)
            }
            _ => inner(&here, offset),
        };
        match next {
            Some(next) => here = next,
            // A value says nothing.
            None => return (!matches!(here.kind(), Kind::Int(_) | Kind::Bool(_))).then_some(here),
        }
    }
}

/// The part of a formula that an offset lies in.
fn inner(formula: &Formula, offset: u32) -> Option<Formula> {
    let mut found = None;
    formula.for_each_child(|child| {
        if child.span().start <= offset && offset < child.span().end {
            found = Some(child.clone());
        }
    });
    found
}

/// What a formula says. What Markdown would take for its own is escaped.
fn says(formula: &Formula) -> String {
    let mut text = "says: ".to_owned();
    for letter in words(formula).chars() {
        if matches!(letter, '*' | '_' | '<' | '`' | '[' | ']' | '\\') {
            text.push('\\');
        }
        text.push(letter);
    }
    text
}

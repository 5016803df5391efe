//! `does(..)` where transitions are labelled with actions of processes: which labels a pattern matches.

use servanda_logic::{ActionPattern, Arg, Formula};
use servanda_model::{ActionLabel, AgentId, Alphabet, Label, LabelId, Model, Port, resolve_agent};
use servanda_syntax::{Code, Diagnostic, Findings, Span, optional};

/// Both spellings of the internal step.
const INTERNAL: [&str; 2] = ["tau", "t"];

/// The labels that a pattern matches where processes act. A synchronisation on `a` is matched by `does(a)` and `does(tau)`; a
/// pattern without content matches every content.
pub fn resolve_action(
    model: &Model,
    pattern: &ActionPattern,
    alphabet: &Alphabet,
    span: Span,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Vec<LabelId>> {
    if let Some(agent) = pattern.agent.iter().chain(&pattern.to).next() {
        let message = "the label of a process does not say who moves";
        let error = Diagnostic::error(Code::UnknownName, message, agent.span);
        return diagnostics.refuse(error.help(format!("write `does({})`", without_agent(pattern))));
    }
    let name = pattern.name.to_string();
    if INTERNAL.contains(&name.as_str()) {
        return internal_steps(model, pattern, span, diagnostics);
    }
    let name_known = alphabet.names.contains(&name);
    if !name_known {
        let known = alphabet.names.iter().map(String::as_str).chain(["tau"]);
        diagnostics.push(Diagnostic::unknown("action", &name, pattern.name.span, known));
    }
    let written = match pattern.arguments.as_deref() {
        None => None,
        Some([Arg::Is(content)]) => Some(content),
        Some(_) => {
            let message = "an action has one content";
            return diagnostics.error(Code::WrongArguments, message, span);
        }
    };
    let content = written.map(Formula::to_string);
    if let Some(content) = &content
        && !alphabet.contents.contains(content)
    {
        let message = format!("no action has the content `{content}`");
        let place = written.map_or(span, Formula::span);
        let known = alphabet.contents.iter().map(String::as_str);
        let error = Diagnostic::error(Code::UnknownName, message, place).suggest(content, known);
        return diagnostics.refuse(error);
    }
    if !name_known {
        return None;
    }
    let fits = |port: &Port| {
        port.name == name && content.as_ref().is_none_or(|wanted| port.content.as_ref() == Some(wanted))
    };
    Some(labels_of(model, |action| match action {
        ActionLabel::Output(port) => pattern.output && fits(port),
        ActionLabel::Input(port) | ActionLabel::Synchronised(port) => !pattern.output && fits(port),
        ActionLabel::Tau => false,
    }))
}

fn internal_steps(
    model: &Model,
    pattern: &ActionPattern,
    span: Span,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Vec<LabelId>> {
    if pattern.output || pattern.arguments.is_some() {
        let message = "an internal step has no other side and no content";
        let error = Diagnostic::error(Code::UnknownName, message, span).help("write `does(tau)`");
        return diagnostics.refuse(error);
    }
    Some(labels_of(model, |action| matches!(action, ActionLabel::Tau | ActionLabel::Synchronised(_))))
}

fn labels_of(model: &Model, matches: impl Fn(&ActionLabel) -> bool) -> Vec<LabelId> {
    let labels = model.labels();
    labels
        .filter(|(_, label)| matches!(label, Label::Action { action, .. } if matches(action)))
        .map(|(id, _)| id)
        .collect()
}

/// Whose parts of joint actions a pattern matches where agents act in rounds: agents with their actions.
pub fn resolve_part(
    model: &Model,
    pattern: &ActionPattern,
    span: Span,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Vec<(AgentId, usize)>> {
    let named = named_agent(model, pattern, span, diagnostics)?;
    let who: Vec<AgentId> = match named {
        None => model.agents().map(|(id, _)| id).collect(),
        Some(agent) => vec![agent],
    };
    let actions = |agent: &AgentId| &model.behaviour.programs()[agent.index()].actions;
    let name = pattern.name.to_string();
    let position = |agent: &AgentId| {
        actions(agent).iter().position(|other| *other == name).map(|position| (*agent, position))
    };
    let found: Vec<_> = who.iter().filter_map(position).collect();
    if found.is_empty() {
        let known = who.iter().flat_map(actions).map(String::as_str);
        return diagnostics.refuse(Diagnostic::unknown("action", &name, pattern.name.span, known));
    }
    Some(found)
}

/// The agent that a pattern names, where it can say nothing else.
fn named_agent(
    model: &Model,
    pattern: &ActionPattern,
    span: Span,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Option<AgentId>> {
    if !pattern.is_plain() {
        let message = "only the names of actions, `Agent.action`, occur in this model";
        return diagnostics.error(Code::UnknownName, message, span);
    }
    optional(&pattern.agent, |agent| resolve_agent(model, agent, diagnostics))
}

fn without_agent(pattern: &ActionPattern) -> ActionPattern {
    ActionPattern { agent: None, to: Vec::new(), ..pattern.clone() }
}

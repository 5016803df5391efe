//! `does(..)` where transitions are labelled with actions of processes: which labels a pattern matches.

use servanda_logic::{ActionPattern, Formula};
use servanda_model::{ActionLabel, Alphabet, Label, LabelId, Port};
use servanda_syntax::{Code, Diagnostic, Findings, Span};

use crate::lowerer::Lowerer;

/// Both spellings of the internal step.
const INTERNAL: [&str; 2] = ["tau", "t"];

impl Lowerer<'_> {
    /// The labels that a pattern matches. A synchronisation on `a` is matched by `does(a)` and `does(tau)`; a pattern
    /// without content matches every content.
    pub(crate) fn actions(
        &mut self,
        pattern: &ActionPattern,
        alphabet: &Alphabet,
        span: Span,
    ) -> Option<Vec<LabelId>> {
        if let Some(agent) = &pattern.agent {
            let message = "the label of a process does not say who moves";
            let error = Diagnostic::error(Code::UnknownName, message, agent.span);
            return self.diagnostics.refuse(error.help(format!("write `does({})`", without_agent(pattern))));
        }
        let name = pattern.name.to_string();
        if INTERNAL.contains(&name.as_str()) {
            return self.internal_steps(pattern, span);
        }
        let name_known = alphabet.names.contains(&name);
        if !name_known {
            let known = alphabet.names.iter().map(String::as_str).chain(["tau"]);
            self.diagnostics.push(Diagnostic::unknown("action", &name, pattern.name.span, known));
        }
        let content = pattern.content.as_ref().map(Formula::to_string);
        if let Some(content) = &content
            && !alphabet.contents.contains(content)
        {
            let message = format!("no action has the content `{content}`");
            let place = pattern.content.as_ref().map_or(span, Formula::span);
            let known = alphabet.contents.iter().map(String::as_str);
            let error = Diagnostic::error(Code::UnknownName, message, place).suggest(content, known);
            return self.diagnostics.refuse(error);
        }
        if !name_known {
            return None;
        }
        let fits = |port: &Port| {
            port.name == name && content.as_ref().is_none_or(|wanted| port.content.as_ref() == Some(wanted))
        };
        Some(self.labels_of(|action| match action {
            ActionLabel::Output(port) => pattern.output && fits(port),
            ActionLabel::Input(port) | ActionLabel::Synchronised(port) => !pattern.output && fits(port),
            ActionLabel::Tau => false,
        }))
    }

    fn internal_steps(&mut self, pattern: &ActionPattern, span: Span) -> Option<Vec<LabelId>> {
        if pattern.output || pattern.content.is_some() {
            let message = "an internal step has no other side and no content";
            let error = Diagnostic::error(Code::UnknownName, message, span).help("write `does(tau)`");
            return self.diagnostics.refuse(error);
        }
        Some(self.labels_of(|action| matches!(action, ActionLabel::Tau | ActionLabel::Synchronised(_))))
    }

    fn labels_of(&self, matches: impl Fn(&ActionLabel) -> bool) -> Vec<LabelId> {
        let labels = self.model.labels();
        labels
            .filter(|(_, label)| matches!(label, Label::Action(action) if matches(action)))
            .map(|(id, _)| id)
            .collect()
    }
}

fn without_agent(pattern: &ActionPattern) -> ActionPattern {
    ActionPattern { agent: None, ..pattern.clone() }
}

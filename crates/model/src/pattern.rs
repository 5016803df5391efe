//! Which labels a pattern of a message matches.

use servanda_logic::{ActionPattern, Arg, Formula};
use servanda_syntax::{Code, Diagnostic, Findings, all, optional};

use crate::{Domain, Label, LabelId, MessageLabel, Model, bind_value, resolve_agent};

impl Model {
    /// The labels of messages that a pattern, which is ground, matches; what is wrong with it is reported.
    pub fn messages_matching(
        &self,
        pattern: &ActionPattern,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Vec<LabelId>> {
        if pattern.output {
            let message = "CCS labels with `'` do not occur in this model";
            return diagnostics.error(Code::UnknownName, message, pattern.name.span);
        }
        let by = optional(&pattern.agent, |agent| resolve_agent(self, agent, diagnostics));
        let to = all(pattern.to.iter().map(|agent| resolve_agent(self, agent, diagnostics)));
        let values = self.pattern_values(pattern, diagnostics);
        let (by, to, values) = (by?, to?, values?);
        let name = pattern.name.to_string();
        let fits = |message: &MessageLabel| {
            message.name == name
                && message.received == pattern.received
                && (by.is_none() || message.by == by)
                && to.iter().all(|agent| message.is_addressed_to(*agent))
                && fit(&values, &message.values)
        };
        let messages = self.labels().filter_map(|(id, label)| match label {
            Label::Message(message) => Some((id, message)),
            Label::Act(_) | Label::Action { .. } => None,
        });
        Some(messages.filter(|(_, message)| fits(message)).map(|(id, _)| id).collect())
    }

    /// What a pattern wants of the values that the message carries: a code, nothing in particular, or what no value is.
    fn pattern_values(
        &self,
        pattern: &ActionPattern,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Vec<Arg<i64>>> {
        let (name, span) = (pattern.name.to_string(), pattern.name.span);
        let declared = self.message_type(&name);
        let names = || {
            let labelled = self.labels.iter().filter_map(|label| match label {
                Label::Message(message) => Some(message.name.as_str()),
                Label::Act(_) | Label::Action { .. } => None,
            });
            labelled.chain(self.messages.iter().map(|message| message.name.as_str()))
        };
        if declared.is_none() && names().all(|known| known != name) {
            return diagnostics.refuse(Diagnostic::unknown("message", &name, span, names()));
        }
        let Some(arguments) = &pattern.arguments else { return Some(Vec::new()) };
        let parameters = declared.map_or(&[][..], |declared| &declared.parameters);
        if arguments.len() != parameters.len() {
            let (wanted, found) = (values_in_words(parameters.len()), arguments.len());
            let message = format!("`{name}` carries {wanted}, found {found}");
            return diagnostics.error(Code::WrongArguments, message, span);
        }
        let wanted = arguments.iter().zip(parameters);
        all(wanted.map(|(argument, (_, domain))| {
            argument.try_map(|value| self.constant_of(value, domain, diagnostics))
        }))
    }

    fn constant_of(
        &self,
        value: &Formula,
        domain: &Domain,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<i64> {
        match bind_value(self, value, domain, diagnostics)?.value_of(&|_| None) {
            Some(value) => Some(value),
            None => {
                let error = Diagnostic::error(Code::NotConstant, "a constant is wanted here", value.span());
                diagnostics.refuse(error.help("what a message carries is compared with constants or `_`"))
            }
        }
    }
}

fn fit(wanted: &[Arg<i64>], values: &[i64]) -> bool {
    wanted.iter().zip(values).all(|(wanted, value)| wanted.given().is_none_or(|wanted| wanted == value))
}

/// How many values a message carries, in words.
pub fn values_in_words(values: usize) -> String {
    match values {
        0 => "nothing".to_owned(),
        1 => "1 value".to_owned(),
        n => format!("{n} values"),
    }
}

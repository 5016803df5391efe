//! What the texts of a mapping stand for: labels of a model.

use servanda_engine::{Deadlock, Halt};
use servanda_logic::{Formula, Kind, Parser};
use servanda_lower::{Action, Lowering, Path};
use servanda_model::{Behaviour, Label, LabelId, Model};
use servanda_syntax::{Diagnostic, Span, has_errors};

use super::Terms;

/// The labels of a model, by what they are called.
pub struct Labels<'m> {
    lowering: Lowering<'m>,
}

impl<'m> Labels<'m> {
    /// The labels of a model whose agents act one at a time.
    ///
    /// # Errors
    ///
    /// Where agents act in rounds, and where formulas of the model are at fault.
    pub fn new(model: &'m Model) -> Result<Self, Halt> {
        if matches!(model.behaviour, Behaviour::Rounds(_)) {
            let reason = "logs are followed in models whose agents act one at a time";
            return Err(Halt::TooLarge(reason.to_owned()));
        }
        let lowering = Lowering::new(model, None, Deadlock::Loop).map_err(Halt::Invalid)?;
        Ok(Labels { lowering })
    }

    /// The labels that a text stands for: `Client: initialize`, `Cr(Responder, answer)`, `Agent: task(submitted)`, `close`. One that
    /// the model shows exactly so is that label; any other is a pattern as in `does(..)`, with `_` for whatever there may be, and
    /// stands for every label that fits, which may be none.
    ///
    /// # Errors
    ///
    /// What is wrong with it, with places in the text: it cannot be read, or it names what the model does not have. Such a label is
    /// never possible.
    pub fn find(&mut self, text: &str) -> Result<Vec<LabelId>, Vec<Diagnostic>> {
        let text = text.trim();
        let model = self.lowering.model;
        let shown = model.labels_shown(text);
        if !shown.is_empty() {
            return Ok(shown);
        }
        let mut parser = Parser::new(text);
        let start = parser.span();
        let pattern = parser.label_pattern();
        if pattern.is_some() && !parser.at_end() {
            parser.unexpected::<()>("the end of the label");
        }
        let span = start.to(parser.previous_span());
        let diagnostics = parser.into_diagnostics();
        let Some(pattern) = pattern.filter(|_| !has_errors(&diagnostics)) else { return Err(diagnostics) };
        let does = model.with_commitments(&Formula::new(Kind::Does(pattern), span));
        let path = self.lowering.path(&does)?;
        Ok(match *self.lowering.arena.path(path) {
            Path::Action(Action::Does(labels)) => self.lowering.arena.labels(labels).to_vec(),
            _ => Vec::new(),
        })
    }

    /// All labels as people read them, in the order of the model.
    pub fn names(&self) -> impl Iterator<Item = String> + '_ {
        let model = self.lowering.model;
        model.labels().map(|(id, _)| model.show_label(id))
    }
}

/// Which labels a role takes part in: what it says, what is said to it, and acts on commitments between it and others. What is sent
/// into a channel is noticed when it is received.
pub(crate) fn seen_by(model: &Model, role: servanda_model::AgentId) -> Vec<bool> {
    let sees = |(id, label): (LabelId, &Label)| match label {
        Label::Message(message) => {
            let under_way = || model.channels.iter().any(|channel| channel.messages.contains(&id));
            let addressed = || !message.received && message.is_addressed_to(role);
            message.by == Some(role) || (addressed() && !under_way())
        }
        Label::Act(_) | Label::Action { .. } => label.acts().iter().any(|act| {
            [Some(act.promise.debtor), Some(act.promise.creditor), act.third].contains(&Some(role))
        }),
    };
    model.labels().map(sees).collect()
}

/// Which labels are heard.
pub(super) fn hears(model: &Model, terms: &Terms) -> Result<Option<Vec<bool>>, Halt> {
    let Some(role) = &terms.seen_by else { return Ok(None) };
    match model.find_agent(role) {
        Some(agent) => Ok(Some(seen_by(model, agent))),
        None => {
            let known = model.agents.iter().map(|agent| agent.name.as_str());
            Err(Halt::Invalid(vec![Diagnostic::unknown("role", role, Span::default(), known)]))
        }
    }
}

/// Which labels leave no line: those that are called silent, and those that are not heard.
pub(super) fn silent(
    model: &Model,
    labels: &mut Labels<'_>,
    terms: &Terms,
    hears: Option<&[bool]>,
) -> Result<Vec<bool>, Halt> {
    let mut silent = vec![false; model.labels.len()];
    let mut wrong = Vec::new();
    for text in &terms.silent {
        match labels.find(text) {
            Ok(found) => found.into_iter().for_each(|label: LabelId| silent[label.index()] = true),
            Err(diagnostics) => wrong.extend(diagnostics),
        }
    }
    if !wrong.is_empty() {
        return Err(Halt::Invalid(wrong));
    }
    for (silent, heard) in silent.iter_mut().zip(hears.into_iter().flatten()) {
        *silent |= !heard;
    }
    Ok(silent)
}

//! Labels and commitments in the user's words.
//!
//! A commitment that was declared has two spellings: its name, for people, and written out, which is what it is whatever it is called.
//! Names are used wherever there can be a legend; labels that are compared with those of other models are written out.

use std::fmt::{Display, Formatter, Result};

use serde::{Deserialize, Serialize};

use crate::{ActLabel, Label, LabelId, Model, Promise};

/// A commitment as people read of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CommitmentView {
    /// What its author called it, if it has a name.
    pub name: Option<String>,
    /// The commitment written out: `SC(Ann, Bob, F paid)`.
    pub text: String,
}

impl CommitmentView {
    /// A commitment without a name.
    pub fn unnamed(text: impl Into<String>) -> Self {
        CommitmentView { name: None, text: text.into() }
    }

    /// Its name, or all of it where it has none.
    pub fn called(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.text)
    }

    /// Its name with what it stands for: `paying = SC(Ann, Bob, F paid)`.
    pub fn in_full(&self) -> String {
        match &self.name {
            Some(name) => format!("{name} = {}", self.text),
            None => self.text.clone(),
        }
    }

    /// Is it called so, or written so?
    pub fn is_spelt(&self, text: &str) -> bool {
        text == self.text || self.name.as_deref() == Some(text)
    }

    /// Several of them in one line, as they are called.
    pub fn list<'a>(all: impl IntoIterator<Item = &'a CommitmentView>) -> String {
        all.into_iter().map(CommitmentView::called).collect::<Vec<_>>().join(", ")
    }

    /// Those with a name that occurs in the text: what a reader of it wants to look up.
    pub fn mentioned<'a>(all: &'a [CommitmentView], text: &str) -> Vec<&'a CommitmentView> {
        let occurs = |name: &str| text.match_indices(name).any(|(at, _)| is_word(text, at, name.len()));
        all.iter().filter(|one| one.name.as_deref().is_some_and(occurs)).collect()
    }
}

/// Does a name begin and end there, rather than a part of one?
fn is_word(text: &str, at: usize, length: usize) -> bool {
    let inside = |character: char| character.is_alphanumeric() || character == '_';
    let (before, after) = (&text[..at], &text[at + length..]);
    let mut after = after.chars();
    let follows = match (after.next(), after.next()) {
        (Some('.'), Some(next)) => inside(next),
        (Some(next), _) => inside(next) || next == '[',
        (None, _) => false,
    };
    !follows && !before.chars().next_back().is_some_and(|last| inside(last) || last == '.')
}

impl Display for CommitmentView {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(self.called())
    }
}

/// How commitments are spelt.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spelling {
    Called,
    WrittenOut,
}

impl Model {
    /// A commitment with its name and written out.
    pub fn view_promise(&self, promise: &Promise) -> CommitmentView {
        CommitmentView { name: self.name_of(promise).map(str::to_owned), text: self.write_promise(promise) }
    }

    /// The commitments with names, as they were declared.
    pub fn view_named_commitments(&self) -> Vec<CommitmentView> {
        let view = |named: &crate::NamedCommitment| CommitmentView {
            name: Some(named.name.clone()),
            text: self.write_promise(&named.promise),
        };
        self.named_commitments.iter().map(view).collect()
    }

    /// What a commitment was called first, if it was declared with a name.
    fn name_of(&self, promise: &Promise) -> Option<&str> {
        self.named_commitments.iter().find(|named| named.promise == *promise).map(|named| named.name.as_str())
    }

    /// A commitment as its author called it, or written out.
    pub fn show_promise(&self, promise: &Promise) -> String {
        self.spell(promise, Spelling::Called)
    }

    /// A commitment written out, whatever it is called.
    pub fn write_promise(&self, promise: &Promise) -> String {
        let (debtor, creditor) = (&self.agent(promise.debtor).name, &self.agent(promise.creditor).name);
        match &promise.tag {
            None => format!("SC({debtor}, {creditor}, {})", promise.content),
            Some(tag) => format!("PC({debtor}, {creditor}, {tag}, {})", promise.content),
        }
    }

    fn spell(&self, promise: &Promise, spelling: Spelling) -> String {
        let name = if spelling == Spelling::Called { self.name_of(promise) } else { None };
        name.map_or_else(|| self.write_promise(promise), str::to_owned)
    }

    /// A label as people read it, commitments called by their names; an action with the acts that it is.
    pub fn show_label(&self, label: LabelId) -> String {
        let acts = match self.label(label) {
            Label::Action { acts, .. } => acts.iter().collect(),
            Label::Message(_) | Label::Act(_) => Vec::new(),
        };
        self.show_performed(self.spell_label(label, Spelling::Called), &acts)
    }

    /// A label without the acts that it is, unless it is nothing else. Commitments are written out: this is what the label is in
    /// transition systems, where what somebody called a commitment makes no difference.
    pub fn name_label(&self, label: LabelId) -> String {
        self.spell_label(label, Spelling::WrittenOut)
    }

    fn spell_label(&self, label: LabelId, spelling: Spelling) -> String {
        match self.label(label) {
            Label::Message(message) => self.show_message(message),
            Label::Act(act) => self.spell_act(act, spelling),
            Label::Action { action, .. } => action.to_string(),
        }
    }

    /// An act as people read it, its commitment called by its name.
    pub fn show_act(&self, act: &ActLabel) -> String {
        self.spell_act(act, Spelling::Called)
    }

    fn spell_act(&self, act: &ActLabel, spelling: Spelling) -> String {
        let (actor, promise) = (&self.agent(act.actor()).name, self.spell(&act.promise, spelling));
        let support = act.support.as_ref().map_or_else(String::new, |support| format!(", {support}"));
        let third = act.third.map_or_else(String::new, |third| format!(", {}", self.agent(third).name));
        format!("{}({actor}, {promise}{support}{third})", act.kind.short())
    }

    /// The labels that are called `text`, their commitments by name or written out; internal ones are all shown as `tau`, whatever
    /// else they tell.
    pub fn labels_shown(&self, text: &str) -> Vec<LabelId> {
        let same = |id: LabelId, label: &Label| {
            let spelt = |spelling| text == self.spell_label(id, spelling);
            (label.is_internal() && text == "tau") || spelt(Spelling::WrittenOut) || spelt(Spelling::Called)
        };
        self.labels().filter(|(id, label)| same(*id, label)).map(|(id, _)| id).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_as_words() {
        let named =
            |name: &str| CommitmentView { name: Some(name.to_owned()), text: "SC(A, B, p)".to_owned() };
        let all = [named("pay"), named("pay[1]"), named("part.pay"), CommitmentView::unnamed("SC(A, B, q)")];
        let found = |text: &str| -> Vec<&str> {
            CommitmentView::mentioned(&all, text).into_iter().map(CommitmentView::called).collect()
        };
        assert_eq!(found("Cr(A, pay)"), ["pay"]);
        assert_eq!(found("Cr(A, pay[1]), repay, payment"), ["pay[1]"]);
        assert_eq!(found("in force: part.pay"), ["part.pay"]);
        assert_eq!(found("pay."), ["pay"]);
        assert_eq!(found("pay.off, pay[2]"), Vec::<&str>::new());
    }
}

//! ISPL, put together from its parts.

use std::fmt::{Display, Formatter, Result};

/// A program, in today's dialect unless its agents are of the other.
#[derive(Default)]
pub(crate) struct Program<A = Agent> {
    pub(crate) single_assignment: bool,
    pub(crate) agents: Vec<A>,
    /// Propositions and where they are true.
    pub(crate) evaluation: Vec<(String, String)>,
    pub(crate) initial: Vec<String>,
    pub(crate) groups: Vec<(&'static str, Vec<String>)>,
    /// Formulas and the verdict that is expected.
    pub(crate) formulas: Vec<(String, bool)>,
}

/// An agent, the Environment included.
#[derive(Default)]
pub(crate) struct Agent {
    pub(crate) name: String,
    /// Variables of the Environment that all see.
    pub(crate) public: Vec<(String, String)>,
    /// Variables of the Environment that this agent sees.
    pub(crate) sees: Vec<String>,
    pub(crate) vars: Vec<(String, String)>,
    pub(crate) red: Option<String>,
    pub(crate) actions: Vec<String>,
    /// Conditions and the actions that they allow.
    pub(crate) protocol: Vec<(String, Vec<String>)>,
    /// Assignments and their conditions.
    pub(crate) evolution: Vec<(String, String)>,
}

/// `(a and b)`, and `true` would be none of them: every list here has an element.
pub(crate) fn all(parts: impl IntoIterator<Item = String>) -> String {
    parts.into_iter().collect::<Vec<_>>().join(" and ")
}

/// `a or b`.
pub(crate) fn any(parts: impl IntoIterator<Item = String>) -> String {
    parts.into_iter().collect::<Vec<_>>().join(" or ")
}

/// Owned words.
pub(crate) fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(ToString::to_string).collect()
}

/// Lines of the form `left MIDDLE right;` between the header of a section and its end.
fn section(
    out: &mut Formatter<'_>,
    name: &str,
    colon: &str,
    lines: impl Iterator<Item = String>,
    indent: &str,
) -> Result {
    writeln!(out, "{indent}{name}{colon}")?;
    for line in lines {
        writeln!(out, "{indent}  {line};")?;
    }
    writeln!(out, "{indent}end {name}")
}

impl Display for Agent {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        writeln!(out, "Agent {}", self.name)?;
        let declare = |(name, kind): &(String, String)| format!("{name} : {kind}");
        if !self.public.is_empty() {
            section(out, "Obsvars", ":", self.public.iter().map(declare), "  ")?;
        }
        if !self.sees.is_empty() {
            writeln!(out, "  Lobsvars = {{{}}};", self.sees.join(", "))?;
        }
        section(out, "Vars", ":", self.vars.iter().map(declare), "  ")?;
        if let Some(red) = &self.red {
            section(out, "RedStates", ":", std::iter::once(red.clone()), "  ")?;
        }
        writeln!(out, "  Actions = {{{}}};", self.actions.join(", "))?;
        let allow = |(when, what): &(String, Vec<String>)| format!("{when} : {{{}}}", what.join(", "));
        section(out, "Protocol", ":", self.protocol.iter().map(allow), "  ")?;
        let assign = |(what, when): &(String, String)| format!("{what} if {when}");
        section(out, "Evolution", ":", self.evolution.iter().map(assign), "  ")?;
        writeln!(out, "end Agent")
    }
}

impl<A: Display> Display for Program<A> {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        if self.single_assignment {
            writeln!(out, "Semantics = SingleAssignment;")?;
        }
        self.agents.iter().try_for_each(|agent| agent.fmt(out))?;
        let evaluation = self.evaluation.iter().map(|(name, when)| format!("{name} if {when}"));
        section(out, "Evaluation", "", evaluation, "")?;
        section(out, "InitStates", "", std::iter::once(all(self.initial.iter().cloned())), "")?;
        if !self.groups.is_empty() {
            let group =
                |(name, members): &(&str, Vec<String>)| format!("{name} = {{{}}}", members.join(", "));
            section(out, "Groups", "", self.groups.iter().map(group), "")?;
        }
        writeln!(out, "Formulae")?;
        for (formula, verdict) in &self.formulas {
            writeln!(out, "  {formula}; -- {}", if *verdict { "TRUE" } else { "FALSE" })?;
        }
        writeln!(out, "end Formulae")
    }
}

/// An agent in the dialect of 2005: one flat local state.
#[derive(Default)]
pub(crate) struct OldAgent {
    pub(crate) name: String,
    pub(crate) states: Vec<String>,
    pub(crate) green: Vec<String>,
    pub(crate) actions: Vec<String>,
    /// Local states and the actions that they allow.
    pub(crate) protocol: Vec<(String, Vec<String>)>,
    /// New local states and when the agent gets there.
    pub(crate) evolution: Vec<(String, String)>,
}

impl Display for OldAgent {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        writeln!(out, "Agent {}", self.name)?;
        writeln!(out, "  Lstate = {{{}}};", self.states.join(", "))?;
        writeln!(out, "  Lgreen = {{{}}};", self.green.join(", "))?;
        writeln!(out, "  Action = {{{}}};", self.actions.join(", "))?;
        let allow = |(state, what): &(String, Vec<String>)| format!("{state}: {{{}}}", what.join(", "));
        section(out, "Protocol", ":", self.protocol.iter().map(allow), "  ")?;
        let enter = |(state, when): &(String, String)| format!("{state} if {when}");
        section(out, "Ev", ":", self.evolution.iter().map(enter), "  ")?;
        writeln!(out, "end Agent")
    }
}

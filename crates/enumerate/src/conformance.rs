//! Conformance of acts: does every act do what it says?

use std::collections::BTreeMap;

use servanda_engine::{ActConformance, Certainty, Conformance, TurnBreak};
use servanda_logic::Outcome;
use servanda_model::{ActLabel, AgentId, Label, LabelId};

use crate::Halt;
use crate::evaluate::Evaluation;
use crate::graph::NO_LABEL;

impl Evaluation<'_, '_> {
    pub(crate) fn conformance(&mut self) -> Result<Conformance, Halt> {
        let acts: Vec<ActLabel> = self.space.model.acts().into_iter().cloned().collect();
        let mut found = Vec::new();
        for act in acts {
            found.push(self.act_conformance(&act)?);
        }
        Ok(Conformance { acts: found, turns: self.turn_break() })
    }

    fn act_conformance(&mut self, act: &ActLabel) -> Result<ActConformance, Halt> {
        let model = self.space.model;
        let acts_of = |label: u32| match self.space.joint(label) {
            Some(joint) => model.joint_acts_of(joint),
            None => model.label(LabelId(label)).acts().iter().collect(),
        };
        let performs: Vec<bool> =
            (0..self.space.labels()).map(|label| acts_of(label as u32).contains(&act)).collect();
        let post = self.lowering.post_condition(act).map_err(Halt::Invalid)?;
        let (on_all, on_some) = (self.lowering.for_all(post), self.lowering.exists(post));
        self.evaluate(on_all)?;
        self.evaluate(on_some)?;
        // A transition between states is several edges where nodes remember; the runs through it are those
        // through any of them.
        let mut verdicts: BTreeMap<(u32, u32), (bool, bool)> = BTreeMap::new();
        for edge in 0..self.graph.target.len() {
            let (source, target) = (self.graph.source[edge], self.graph.target[edge]);
            let performed = performs.get(self.graph.label[edge] as usize) == Some(&true);
            if performed && self.graph.on_run[source] {
                let key = (self.graph.state[source], self.graph.state[target]);
                let entry = verdicts.entry(key).or_insert((true, false));
                entry.0 &= self.truth[&on_all][target];
                entry.1 |= self.truth[&on_some][target];
            }
        }
        let certainty = |(all, some): &(bool, bool)| match (all, some) {
            (true, _) => Certainty::Certain,
            (false, true) => Certainty::Possible,
            (false, false) => Certainty::Never,
        };
        let count = |wanted| verdicts.values().filter(|v| certainty(v) == wanted).count() as u64;
        let worst = verdicts.values().map(certainty).min().unwrap_or(Certainty::Certain);
        let example = verdicts.iter().find(|(_, v)| certainty(v) == worst).map(|(key, _)| *key);
        let why = match (worst, example) {
            (Certainty::Certain, _) | (_, None) => None,
            (_, Some((_, target))) => Some(self.explain(act, worst, target)?),
        };
        let commands = model.behaviour.commands().iter();
        let span = commands.map(|command| (performs.get(command.label.index()), command.span));
        let span = span.filter(|(performed, _)| *performed == Some(&true)).map(|(_, span)| span).next();
        Ok(ActConformance {
            label: model.show_act(act),
            certainty: worst,
            transitions: verdicts.len() as u64,
            certain: count(Certainty::Certain),
            possible: count(Certainty::Possible),
            never: count(Certainty::Never),
            why,
            span: span.unwrap_or_default(),
        })
    }

    /// Why the act's formula does not hold on all runs that go on from the state `target`.
    fn explain(&mut self, act: &ActLabel, worst: Certainty, target: u32) -> Result<String, Halt> {
        let model = self.space.model;
        let (debtor, creditor) = (act.promise.debtor, act.promise.creditor);
        let content = &act.promise.content;
        let runs = if worst == Certainty::Never { "no run" } else { "not every run" };
        Ok(match act.kind.outcome() {
            Outcome::Holds => format!("{runs} that goes on from here makes `{content}` true"),
            Outcome::Fails => format!("{runs} that goes on from here makes `{content}` false"),
            Outcome::NotOwed => {
                let accessible = self.some_path_accessible((debtor, creditor))?;
                let node = self.graph.state.iter().position(|state| *state == target);
                let keepable = node.is_some_and(|node| accessible[node]);
                let (debtor_name, creditor_name) = (&model.agent(debtor).name, &model.agent(creditor).name);
                let in_force = self.show_in_force(target, (debtor, creditor));
                let whole = model.show_promise(&act.promise);
                if keepable {
                    let because = if in_force.is_empty() {
                        "it is true on all paths without any promise".to_owned()
                    } else {
                        format!(
                            "what {debtor_name} still owes {creditor_name} implies it: {}",
                            in_force.join(", ")
                        )
                    };
                    format!("`{whole}` still holds after it: {because}")
                } else {
                    format!(
                        "no run keeps what {debtor_name} still owes {creditor_name} there ({}), so every commitment of {debtor_name} to {creditor_name} holds, also `{whole}`: unkeepable commitments",
                        in_force.join(", ")
                    )
                }
            }
            Outcome::Owed(_) => "what it brings into force does not hold after it".to_owned(),
        })
    }

    /// The first place where a role speaks twice in a row. A transition made by nobody breaks the row, and so does receiving from a
    /// channel.
    fn turn_break(&self) -> Option<TurnBreak> {
        let model = self.space.model;
        let speaker = |edge: usize| -> Option<AgentId> {
            let label = self.graph.label[edge];
            if label == NO_LABEL { None } else { model.labels.get(label as usize).and_then(Label::speaker) }
        };
        for first in 0..self.graph.target.len() {
            let Some(role) = speaker(first) else { continue };
            if !self.graph.on_run[self.graph.source[first]] {
                continue;
            }
            let between = self.graph.target[first];
            if let Some(second) = self.graph.edges(between).find(|second| speaker(*second) == Some(role)) {
                return Some(TurnBreak {
                    role: model.agent(role).name.clone(),
                    first: model.show_label(LabelId(self.graph.label[first])),
                    second: model.show_label(LabelId(self.graph.label[second])),
                    state: self.space.view(self.graph.state[between]),
                });
            }
        }
        None
    }
}

//! Runs that are followed: what shows a verdict, what has a scenario, what was recorded.

use serde_json::Value;
use servanda_evidence::Path;
use servanda_messages::Replay;
use servanda_model::{CommitmentView, StateView};
use servanda_sim::{Departure, Recording};

use super::Walker;
use crate::explain;

impl Walker<'_, '_> {
    /// Follows a run from an initial state on; each of its moments is told.
    pub(super) fn replay(&mut self, replay: &Replay) {
        let recording = match (&replay.property, &replay.scenario, &replay.itf) {
            (Some(name), None, None) | (None, Some(name), None) => self.of_property(name),
            (None, None, Some(text)) => of_itf(text),
            _ => Err("say which run: that of a property, of a scenario, or one that was recorded".to_owned()),
        };
        match recording {
            Ok(recording) => self.follow(&recording),
            Err(message) => self.desk.refuse(message),
        }
    }

    /// What shows the verdict of a property.
    fn of_property(&mut self, name: &str) -> Result<Recording, String> {
        let questions = self.loaded.questions(&[name.to_owned()], &[]).map_err(|findings| {
            let words = findings.iter().flat_map(|finding| {
                let diagnostic = &finding.diagnostic;
                [Some(diagnostic.message.clone()), diagnostic.help.clone()].into_iter().flatten()
            });
            words.collect::<Vec<_>>().join("; ")
        })?;
        let question = questions.first().ok_or("there is no such property")?;
        let options = self.desk.options(self.loaded);
        let explained = explain(self.loaded, question, options, self.desk.watch);
        match (&explained.evidence, &explained.explanation) {
            (Some(evidence), _) => Ok(of_path(&evidence.line().path)),
            (None, Some(explanation)) => Err(explanation.summary.join(" ")),
            (None, None) => {
                let undecided = explained.report.properties.first().map(|property| &property.verdict);
                Err(match undecided {
                    Some(servanda_engine::Verdict::Unknown(reason)) => {
                        format!("{name} is undecided: {reason}")
                    }
                    _ => format!("nothing shows the verdict of {name}"),
                })
            }
        }
    }

    fn follow(&mut self, recording: &Recording) {
        self.simulation.restart();
        // Where there is one initial state the simulation is in it already, and that must be the recorded one.
        if self.simulation.state().is_some() {
            if let Err(departure) = self.simulation.begins(recording) {
                self.at = None;
                return self.desk.refuse(words(departure));
            }
        } else if let Err(departure) = self.simulation.follow(recording) {
            self.at = None;
            return self.desk.refuse(words(departure));
        }
        self.enter(None);
        let first = self.nodes.len() - 1;
        let steps = recording.states.len().saturating_sub(1);
        for step in 1..=steps {
            self.tell(self.nodes.len() - 1, None);
            if !self.has_room() {
                return;
            }
            let mut departure = None;
            let made = self.step(|simulation| match simulation.follow(recording) {
                Ok(()) => true,
                Err(why) => {
                    departure = Some(why);
                    false
                }
            });
            if !made {
                let why = departure.map_or("it ends here", words);
                return self.desk.refuse(format!("after {} of {steps} steps: {why}", step - 1));
            }
        }
        self.tell(self.nodes.len() - 1, recording.loop_start.map(|start| first + start));
    }
}

fn words(departure: Departure) -> &'static str {
    match departure {
        Departure::End => "the run ends here",
        Departure::Elsewhere => "the run does not begin in an initial state of this model",
        Departure::Impossible => "the next step of the run cannot happen here: is it of another model?",
    }
}

fn of_path(path: &Path) -> Recording {
    // In a deadlock nothing happens any more, and what does not happen cannot be followed.
    let happens = |at: &usize| path.steps.get(*at).is_none_or(|step| !step.label.is_empty());
    let moments = 1 + (0..path.last()).take_while(happens).count();
    Recording {
        labels: path.steps.iter().map(|step| step.label.clone()).collect(),
        states: path.states.iter().take(moments).map(|state| state.view.clone()).collect(),
        loop_start: path.loop_to.filter(|to| *to < moments && moments == path.states.len()),
    }
}

/// Reads a run in the Informal Trace Format, as `explain --format itf` writes it.
fn of_itf(text: &str) -> Result<Recording, String> {
    let trace: Value =
        serde_json::from_str(text).map_err(|error| format!("the trace is not JSON: {error}"))?;
    let states = trace["states"].as_array().filter(|states| !states.is_empty());
    let states = states.ok_or("the trace has no `states`: it is not in the Informal Trace Format")?;
    let views: Option<Vec<StateView>> = states.iter().map(itf_state).collect();
    let label = |state: &Value| state["#meta"]["label"].as_str().map(str::to_owned);
    let labels: Option<Vec<String>> = states.iter().skip(1).map(label).collect();
    Ok(Recording {
        // Where a label is missing none is known: states are what counts.
        labels: labels.unwrap_or_default(),
        states: views.ok_or("a state of the trace is no object")?,
        loop_start: trace["loop"].as_u64().and_then(|start| usize::try_from(start).ok()),
    })
}

fn itf_state(state: &Value) -> Option<StateView> {
    let mut view = StateView::default();
    for (name, value) in state.as_object()? {
        match name.as_str() {
            "#meta" => {}
            "in" => match pairs(value) {
                Some(machines) => {
                    view.locations =
                        machines.into_iter().map(|(machine, at)| (machine, written(&at))).collect();
                }
                None => view.locations.push((String::new(), written(value))),
            },
            "under_way" => {
                let sent = |value: &Value| value.as_array().into_iter().flatten().map(written).collect();
                let channels = pairs(value).unwrap_or_default().into_iter();
                view.channels = channels.map(|(name, value)| (name, sent(&value))).collect();
            }
            "in_force" => {
                let promises = value["#set"].as_array().into_iter().flatten();
                view.in_force = promises.map(|one| CommitmentView::unnamed(written(one))).collect();
            }
            name => view.variables.push((name.to_owned(), written(value))),
        }
    }
    Some(view)
}

/// The pairs of a map.
fn pairs(value: &Value) -> Option<Vec<(String, Value)>> {
    let pair = |pair: &Value| Some((written(pair.get(0)?), pair.get(1)?.clone()));
    value.get("#map")?.as_array()?.iter().map(pair).collect()
}

/// A value as models write it.
fn written(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Object(number) if number.contains_key("#bigint") => written(&number["#bigint"]),
        value => value.to_string(),
    }
}

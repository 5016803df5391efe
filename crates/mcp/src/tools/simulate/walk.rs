//! A way through a model, step by step.

use serde_json::json;
use servanda_messages::{self as events, Choice, Event, SimulatorNode, Watched};
use servanda_syntax::nearest;

use super::{Arguments, Take};
use crate::answer::Finding;
use crate::desk::Talk;

/// A way that was gone.
#[derive(Default)]
pub(super) struct Walk {
    /// Where it went.
    pub(super) nodes: Vec<SimulatorNode>,
    /// What was watched, at its end.
    pub(super) watched: Vec<Watched>,
    /// What is to be said of the model.
    pub(super) findings: Vec<events::Finding>,
    /// Why it did not go on.
    pub(super) wrong: Vec<Finding>,
}

/// Goes the way, and gives up where it cannot be gone on.
pub(super) async fn walk(mut talk: Talk, arguments: Arguments) -> Walk {
    let mut walk = Walk::default();
    let went = walk.go(&mut talk, arguments).await;
    if let Err(Stop(Some(wrong))) = went {
        walk.wrong.push(*wrong);
    }
    walk
}

/// The way does not go on; why is known, or is what was found in the model.
struct Stop(Option<Box<Finding>>);

impl From<Finding> for Stop {
    fn from(finding: Finding) -> Self {
        Stop(Some(Box::new(finding)))
    }
}

impl Walk {
    async fn go(&mut self, talk: &mut Talk, arguments: Arguments) -> Result<(), Stop> {
        self.hear(talk).await?;
        let starts = self.last()?.initial.as_ref().map(Vec::len);
        match (arguments.initial, starts) {
            (Some(chosen), Some(_)) => {
                talk.say(&json!({ "choose": chosen })).await;
                self.hear(talk).await?;
            }
            (None, Some(count)) if !arguments.take.is_empty() || arguments.random > 0 => {
                let wrong = Finding::error(format!("there are {count} initial states"));
                return Err(wrong.help("choose one with `initial`, from 0").into());
            }
            (Some(1..), None) => return Err(Finding::error("there is one initial state, number 0").into()),
            _ => {}
        }
        for take in &arguments.take {
            let (number, at) = self.chosen(take)?;
            talk.say(&json!({ "take": number, "at": at })).await;
            self.hear(talk).await?;
        }
        for _ in 0..arguments.random {
            let last = self.last()?;
            if last.choices.is_empty() {
                break;
            }
            talk.say(&json!({ "random": 1, "at": last.node })).await;
            self.hear(talk).await?;
        }
        if self.last()?.initial.is_none() {
            self.watch(talk, &arguments.watch).await?;
        }
        Ok(())
    }

    fn last(&self) -> Result<&SimulatorNode, Stop> {
        self.nodes.last().ok_or(Stop(None))
    }

    /// Waits for the next moment.
    async fn hear(&mut self, talk: &mut Talk) -> Result<(), Stop> {
        while let Some(event) = talk.next().await {
            match event {
                Event::Node { node } => {
                    if let Some(trouble) = &node.trouble {
                        self.wrong.push(Finding::error(trouble.clone()));
                    }
                    self.nodes.push(node);
                    return Ok(());
                }
                Event::Findings { findings } => self.findings = findings,
                Event::Refused { message, findings } => {
                    self.findings.extend(findings);
                    return Err(Finding::error(message).into());
                }
                _ => {}
            }
        }
        Err(Stop(None))
    }

    /// The number of the step that is meant.
    fn chosen(&self, take: &Take) -> Result<(usize, usize), Stop> {
        let last = self.last()?;
        let step = self.nodes.iter().filter(|node| node.step.is_some()).count() + 1;
        let labels: Vec<&str> = last.choices.iter().map(|choice| choice.step.label.as_str()).collect();
        let label = match take {
            Take::Number(number) if *number < labels.len() => return Ok((*number, last.node)),
            Take::Number(number) => {
                let wrong =
                    format!("step {step}: {} can happen here, {number} cannot", numbers(labels.len()));
                return Err(Finding::error(wrong).into());
            }
            Take::Label(label) => label.trim(),
        };
        let same = |one: &&Choice| squeezed(&one.step.label) == squeezed(label);
        let found: Vec<usize> = last.choices.iter().filter(same).map(|choice| choice.index).collect();
        match found.as_slice() {
            [one] => Ok((*one, last.node)),
            [] => {
                let wrong = Finding::error(format!("step {step}: `{label}` cannot happen here"));
                let wrong = wrong.near(nearest(label, labels.iter().copied()));
                Err(wrong.help(format!("what can: {}", labels.join("; "))).into())
            }
            several => {
                let wrong = Finding::error(format!("step {step}: several steps are called `{label}`"));
                Err(wrong.help(format!("give the number instead: one of {several:?}")).into())
            }
        }
    }

    async fn watch(&mut self, talk: &mut Talk, formulas: &[String]) -> Result<(), Stop> {
        for formula in formulas {
            talk.say(&json!({ "watch": formula })).await;
            loop {
                match talk.next().await {
                    Some(Event::Watched { watched, .. }) => {
                        self.watched = watched;
                        break;
                    }
                    Some(Event::Refused { message, findings }) => {
                        // All formulas without a meaning are told.
                        self.wrong.push(Finding::error(format!("`{formula}`: {message}")));
                        self.findings.extend(findings);
                        break;
                    }
                    Some(_) => {}
                    None => return Err(Stop(None)),
                }
            }
        }
        Ok(())
    }
}

/// A label without blanks.
fn squeezed(label: &str) -> String {
    label.chars().filter(|letter| !letter.is_whitespace()).collect()
}

fn numbers(count: usize) -> String {
    match count {
        0 => "nothing".to_owned(),
        1 => "only 0".to_owned(),
        _ => format!("0 to {}", count - 1),
    }
}

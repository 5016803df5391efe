//! The graph of the states, whole or by what some variables hold.

mod build;
mod questions;

use servanda_engine::{Halt, Stop};
use servanda_messages::{Event, Graph, GraphBy, GraphWord, Say, Subject};
use servanda_model::Deadlock;
use servanda_report::Finding;
use servanda_space::Space;
use servanda_syntax::{Code, nearest};

use super::desk::Desk;
use super::scribe::Scribe;
use super::subject;
use super::survey::Survey;
use crate::{Loaded, Refusal};
use build::{GraphParts, Key};
use questions::Session;

/// So many states are looked at where nodes stand for several.
const MOST_STATES: usize = 1_000_000;

/// Gives the graph, and answers what is asked about it.
pub(super) fn run(subject: &Subject, by: &GraphBy, most: usize, desk: Desk<'_>) {
    let Some(loaded) = subject::load(subject, desk) else { return };
    let scribe = Scribe::new(&loaded);
    let key = match key(by, &scribe) {
        Ok(key) => key,
        Err(findings) => return desk.refuse_for("what the nodes should be has no meaning", &findings),
    };
    let readings = desk.options(&loaded).readings;
    let mut survey = Survey::new(loaded.model(), readings, desk.watch);
    let own = if survey.explored().is_some() { Ok(None) } else { explore(&loaded, by, most, desk).map(Some) };
    let own = match own {
        Ok(own) => own,
        Err(halt) => return refuse(halt, &loaded, desk),
    };
    let mut session =
        Session { loaded: &loaded, scribe, survey: &mut survey, own, desk, parts: GraphParts::default() };
    session.parts = session.build(&key, most);
    desk.page.tell(Event::Graph { graph: session.graph(by, most) });
    while let Some(say) = desk.page.hear() {
        match say {
            Say::Alike { alike, role } => session.alike(alike, &role),
            Say::Find { find } => session.find(&find),
            Say::Way { way } => session.way(way),
            _ => desk.refuse("that is asked of a walk, not of the graph of the states"),
        }
    }
}

/// Explores a model that is too large to be known state by state, as far as it is looked at.
fn explore<'l>(loaded: &'l Loaded, by: &GraphBy, most: usize, desk: Desk<'_>) -> Result<Space<'l>, Halt> {
    let mut space = Space::new(loaded.model(), Deadlock::Strict, desk.watch.budget)?;
    let most = if *by == GraphBy::State { most } else { MOST_STATES };
    match space.explore_up_to(most, desk.watch.budget) {
        // What was seen until then can be shown.
        Ok(_) | Err(Halt::Stopped { stop: Stop::Time, .. }) => Ok(space),
        Err(halt) => Err(halt),
    }
}

fn refuse(halt: Halt, loaded: &Loaded, desk: Desk<'_>) {
    let words = halt.to_string();
    match Refusal::new(halt, &loaded.source) {
        Refusal::Invalid(findings) => desk.refuse_for("the model does something that it must not", &findings),
        Refusal::Undecided(_) => desk.refuse(words),
    }
}

/// What nodes are told apart by.
fn key(by: &GraphBy, scribe: &Scribe<'_>) -> Result<Key, Vec<Finding>> {
    let model = scribe.model;
    match by {
        GraphBy::State => Ok(Key::State),
        GraphBy::Control if model.machines.is_empty() => {
            let error = Finding::error(Code::UnknownName, "this model has no control states");
            Err(vec![error.help("choose variables to look at instead")])
        }
        GraphBy::Control => Ok(Key::Values(model.machines.iter().map(|machine| machine.variable).collect())),
        GraphBy::Variables(names) => {
            let (mut variables, mut errors) = (Vec::new(), Vec::new());
            let known = scribe.names();
            for name in names {
                match scribe.variables_of(name) {
                    Some(found) => variables.extend(found),
                    None => {
                        let error =
                            Finding::error(Code::UnknownName, format!("no variable is called `{name}`"));
                        errors.push(match nearest(name, known.iter().map(String::as_str)) {
                            Some(best) => error.help(format!("did you mean `{best}`?")),
                            None => error.help(format!("there are {}", known.join(", "))),
                        });
                    }
                }
            }
            if errors.is_empty() { Ok(Key::Values(variables)) } else { Err(errors) }
        }
    }
}

impl Session<'_, '_> {
    /// The graph in the words of the page.
    fn graph(&self, by: &GraphBy, most: usize) -> Graph {
        let (space, parts) = (self.space(), &self.parts);
        let states = space.reachable_len();
        let word = match by {
            GraphBy::State => GraphWord::State,
            GraphBy::Control => GraphWord::Control,
            GraphBy::Variables(_) => GraphWord::Variables,
        };
        let message = if !space.is_complete() {
            Some(match by {
                GraphBy::State => format!(
                    "the model has more than {most} states, of which the nearest are shown; look at its control states, or at what some variables hold"
                ),
                _ => format!("of the states only the nearest {states} were looked at; there are more"),
            })
        } else if parts.left_out > 0 {
            let nodes = parts.nodes.len() + parts.left_out;
            Some(match by {
                GraphBy::State => format!(
                    "the model has {nodes} states, of which the nearest {most} are shown; look at its control states, or at what some variables hold"
                ),
                _ => format!(
                    "there would be {nodes} nodes, of which the nearest {most} are shown; choose fewer variables"
                ),
            })
        } else {
            None
        };
        Graph {
            by: word,
            nodes: parts.nodes.clone(),
            edges: parts.edges.clone(),
            states: states.to_string(),
            is_whole: message.is_none(),
            message,
            roles: self.scribe.roles(),
            variables: self.scribe.names(),
        }
    }
}

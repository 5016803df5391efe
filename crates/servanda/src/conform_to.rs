//! Does an agent do only what a protocol allows, and all that it must?

use std::collections::BTreeMap;

use servanda_equiv::{Comparison, Duty, Order, Preorder, Steps};
use servanda_lts::{Labels, Lts};
use servanda_model::{AgentId, Label};
use servanda_report::{Compared, DutiesReport, DutyReport, Finding, Run};
use servanda_syntax::{Code, nearest};

use crate::equiv::{NO_MEANING, Named, compared, described, property, system_report, systems};
use crate::{Loaded, Watch};

/// How the labels of an agent and of its protocol are read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Terms<'a> {
    /// The role of the protocol that the agent plays: what it does there is the agent's own.
    pub role: Option<&'a str>,
    /// Further labels that are the agent's own; `*` at the end stands for anything.
    pub own: &'a [String],
    /// Labels that become internal in both; `*` at the end stands for anything.
    pub hide: &'a [String],
    /// `LABEL=LABEL`: what the agent calls so, and what the protocol calls it.
    pub rename: &'a [String],
}

/// The questions, and what answers them.
const QUESTIONS: [(Duty, &str, Order, [&str; 2]); 2] = [
    (
        Duty::Allowed,
        "allowed",
        Order::TracesWithin,
        ["does only what is allowed", "does what is not allowed"],
    ),
    (
        Duty::Required,
        "required",
        Order::FailuresWithin,
        ["does all that it must", "does not do all that it must"],
    ),
];

/// Compares an agent with its protocol (docs/equivalences.md section 6). Without both the report says why they cannot be had.
pub fn conform_to(models: [Named<'_>; 2], terms: Terms<'_>, watch: Watch<'_>) -> DutiesReport {
    let preorder = |order| Preorder { order, steps: Steps::Weak };
    let mut report = DutiesReport {
        run: Run::new(models[0].0, "equiv"),
        systems: models.each_ref().map(system_report),
        role: terms.role.map(str::to_owned),
        own: None,
        hidden: Vec::new(),
        duties: QUESTIONS
            .iter()
            .map(|&(_, question, order, verdicts)| DutyReport {
                question,
                relation: preorder(order).word(),
                verdicts,
                outcome: Compared::Undecided(NO_MEANING.to_owned()),
            })
            .collect(),
    };
    let run = &mut report.run;
    let systems = systems(models, &mut report.systems, run, watch);
    let read = systems.map(|systems| (Reading::new(&systems, terms), systems));
    let (reading, [agent, protocol]) = match read {
        Ok((Ok(reading), systems)) => (reading, systems),
        Ok((Err(findings), _)) => {
            run.reject(findings);
            return report;
        }
        Err(reason) => {
            report.duties.iter_mut().for_each(|duty| duty.outcome = Compared::Undecided(reason.clone()));
            return report;
        }
    };
    let (agent_system, protocol_system) = (reading.agent(&agent.1), reading.protocol(&protocol.1));
    for (duty, &(asked, _, order, _)) in report.duties.iter_mut().zip(&QUESTIONS) {
        let is_own = |label: &str| reading.own.iter().flatten().any(|own| own == label);
        let own = reading.own.as_ref().map(|_| &is_own as &dyn Fn(&str) -> bool);
        let answer = servanda_equiv::conforms(&agent_system, &protocol_system, asked, own, watch.budget);
        duty.outcome = compared(answer, run, |difference| {
            // A formula refers to the models as they are, and knows no owners.
            let property = reading.is_plain().then(|| property(difference, &agent, &protocol)).flatten();
            described(difference, Comparison::Preorder(preorder(order)), property)
        });
    }
    report.own = reading.own;
    report.hidden = reading.hidden;
    report
}

/// Terms that were found to make sense: labels are those of the protocol.
#[derive(Default)]
struct Reading {
    own: Option<Vec<String>>,
    hidden: Vec<String>,
    renamed: BTreeMap<String, String>,
}

impl Reading {
    /// Everything that is wrong with the terms is an error.
    fn new([agent, protocol]: &[(&Loaded, Lts); 2], terms: Terms<'_>) -> Result<Self, Vec<Finding>> {
        let mut errors = Vec::new();
        let mut reading = Reading::default();
        for text in terms.rename {
            match renaming(text, &agent.1, &protocol.1) {
                Ok((from, to)) => {
                    if reading.renamed.insert(from.to_owned(), to.to_owned()).is_some() {
                        let message = format!("--rename: `{from}` is renamed twice");
                        errors.push(Finding::error(Code::DuplicateName, message));
                    }
                }
                Err(error) => errors.push(*error),
            }
        }
        let renamed = reading.agent(&agent.1);
        let labels: Vec<&str> = {
            let both = names(&renamed).chain(names(&protocol.1)).filter(|name| *name != Labels::INTERNAL);
            let mut labels: Vec<&str> = both.collect();
            labels.sort_unstable();
            labels.dedup();
            labels
        };
        let mut chosen = |option: &str, patterns: &[String]| {
            let mut chosen = Vec::new();
            for pattern in patterns {
                let before = chosen.len();
                chosen.extend(labels.iter().filter(|label| matches(pattern, label)).map(ToString::to_string));
                if chosen.len() == before {
                    errors.push(unknown_label(option, pattern, "neither model", labels.iter().copied()));
                }
            }
            chosen
        };
        let mut own = chosen("own", terms.own);
        let hidden = chosen("hide", terms.hide);
        if let Some(role) = terms.role {
            errors.extend(no_role(role, protocol.0));
            // What comes out of a channel must be taken as it comes.
            own.extend(labels_of(protocol.0, Label::speaker, |name| name == role));
            // What the protocol does not know is the agent's own doing, unless the agent ascribes it to somebody else.
            let ascribed = labels_of(agent.0, Label::by, |name| name != role);
            let is_known = |label: &str| protocol.1.labels().find(label).is_some();
            let strays = names(&renamed).filter(|label| !is_known(label)).map(str::to_owned);
            own.extend(strays.filter(|label| !ascribed.contains(label)));
        }
        own.sort_unstable();
        own.dedup();
        reading.own = (terms.role.is_some() || !terms.own.is_empty()).then_some(own);
        reading.hidden = hidden;
        if errors.is_empty() { Ok(reading) } else { Err(errors) }
    }

    fn is_plain(&self) -> bool {
        self.own.is_none() && self.hidden.is_empty() && self.renamed.is_empty()
    }

    fn hiding<'a>(&self, label: &'a str) -> &'a str {
        if self.hidden.iter().any(|hidden| hidden == label) { Labels::INTERNAL } else { label }
    }

    fn protocol(&self, lts: &Lts) -> Lts {
        lts.relabelled(|label| self.hiding(label))
    }

    fn agent(&self, lts: &Lts) -> Lts {
        let renamed = lts.relabelled(|label| self.renamed.get(label).map_or(label, String::as_str));
        renamed.relabelled(|label| self.hiding(label))
    }
}

/// The labels of those agents whose names are meant; `who` says whose a label is.
fn labels_of(
    loaded: &Loaded,
    who: impl Fn(&Label) -> Option<AgentId>,
    is_meant: impl Fn(&str) -> bool,
) -> Vec<String> {
    let model = loaded.model();
    let is_theirs = |label: &Label| who(label).is_some_and(|by| is_meant(&model.agent(by).name));
    model.labels().filter(|(_, label)| is_theirs(label)).map(|(id, _)| model.name_label(id)).collect()
}

/// An error if nobody is called so in the protocol.
fn no_role(role: &str, protocol: &Loaded) -> Option<Finding> {
    let (model, file) = (protocol.model(), protocol.source.name());
    let error = |code, message: String, help: String| Some(Finding::error(code, message).help(help));
    if model.labels().all(|(_, label)| label.by().is_none()) {
        let message = format!("--as: the labels of {file} do not say who acts");
        return error(Code::NoRoles, message, "name the labels of the agent with --own".to_owned());
    }
    let names: Vec<&str> = model.agents.iter().map(|agent| agent.name.as_str()).collect();
    if names.contains(&role) {
        return None;
    }
    let help = match nearest(role, names.iter().copied()) {
        Some(best) => format!("did you mean `{best}`?"),
        None => format!("its roles are {}", names.join(", ")),
    };
    error(Code::UnknownName, format!("--as: {file} has no role `{role}`"), help)
}

/// `FROM=TO`. Labels may contain the sign; the first part that is a label of the agent is meant.
fn renaming<'a>(text: &'a str, agent: &Lts, protocol: &Lts) -> Result<(&'a str, &'a str), Box<Finding>> {
    let parts = text.match_indices('=').map(|(at, _)| (text[..at].trim(), text[at + 1..].trim()));
    let known = |lts: &Lts, label: &str| lts.labels().find(label).is_some();
    let Some((from, to)) = parts.clone().find(|(from, _)| known(agent, from)) else {
        let from = parts.clone().next().map_or(text, |(from, _)| from);
        return Err(Box::new(unknown_label("rename", from, "the agent", names(agent))));
    };
    if !known(protocol, to) {
        return Err(Box::new(unknown_label("rename", to, "the protocol", names(protocol))));
    }
    Ok((from, to))
}

fn unknown_label<'a>(option: &str, label: &str, who: &str, known: impl Iterator<Item = &'a str>) -> Finding {
    let has = if who.starts_with("neither") { "has" } else { "does not have" };
    let message = format!("--{option}: {who} {has} the label `{label}`");
    let error = Finding::error(Code::UnknownLabel, message);
    match nearest(label, known) {
        Some(best) => error.help(format!("did you mean `{best}`?")),
        None => error.help("`servanda convert FILE --to aut` shows all labels"),
    }
}

fn names(lts: &Lts) -> impl Iterator<Item = &str> {
    lts.labels().all().map(|action| lts.labels().name(action))
}

fn matches(pattern: &str, label: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == label, |start| label.starts_with(start))
}

//! Messages, channels, parts and scenarios as text.

use servanda_logic::{ActionPattern, Arg, Formula, Kind, LabelPattern};

use super::element::{calculated, declared, domain_text, list};
use crate::ast::{
    ChannelItem, DomainItem, MessageItem, Name, PropertyItem, SaidItem, ScenarioItem, ScenarioStepItem, Side,
    UseItem,
};

pub(super) fn message(message: &MessageItem) -> String {
    let parameter = |(name, domain): &(Option<Name>, DomainItem)| match name {
        None => domain_text(domain),
        Some(name) => format!("{} : {}", name.text, domain_text(domain)),
    };
    let head = format!("message {}", declared(&message.name));
    match message.parameters.as_slice() {
        [] => head,
        parameters => format!("{head}({})", list(parameters, parameter)),
    }
}

pub(super) fn channel(channel: &ChannelItem) -> String {
    let mut text = format!("channel {}", channel.name);
    for (word, role) in [("from", &channel.from), ("to", &channel.to)] {
        if let Some(role) = role {
            text += &format!(" {word} {role}");
        }
    }
    if let Some(capacity) = &channel.capacity {
        text += &format!(" of capacity {}", calculated(capacity));
    }
    let words =
        [(channel.lossy, "lossy"), (channel.duplicating, "duplicating"), (channel.unordered, "unordered")];
    for (_, word) in words.iter().filter(|(is_so, _)| *is_so) {
        text += &format!(" {word}");
    }
    format!("{text} carries {}", list(&channel.carries, ToString::to_string))
}

pub(super) fn part(part: &UseItem) -> String {
    let mut text = format!("use \"{}\" as {}", part.file.text, part.name.text);
    if !part.given.is_empty() {
        let given = |(name, value): &(Name, Formula)| format!("{} = {}", name.text, calculated(value));
        text += &format!(" ({})", list(&part.given, given));
    }
    if let Some(when) = &part.when {
        text += &format!(" when {when}");
    }
    text + if part.with_properties { " with properties" } else { "" }
}

pub(super) fn said(said: &SaidItem) -> String {
    let to = list(&said.to, ToString::to_string);
    let head = match (&said.role, to.is_empty()) {
        (None, _) => String::new(),
        (Some(role), true) => format!("{role}: "),
        (Some(role), false) => format!("{role} -> {to}: "),
    };
    let side = match said.side {
        Side::Alone => "",
        Side::Sender => "!",
        Side::Receiver => "?",
    };
    let argument = |argument: &Arg<Formula>| argument.given().map_or("_".to_owned(), Formula::to_string);
    let arguments = match said.arguments.as_slice() {
        [] => String::new(),
        arguments => format!("({})", list(arguments, argument)),
    };
    format!("{head}{}{side}{arguments}", said.name)
}

pub(super) fn scenario(scenario: &ScenarioItem) -> Vec<String> {
    let expected = if scenario.impossible { "expect impossible" } else { "" };
    vec![format!("scenario {}", scenario.name), expected.to_owned(), scenario_steps(scenario)]
}

/// The steps of a scenario between their braces.
pub(crate) fn scenario_steps(scenario: &ScenarioItem) -> String {
    let step = |step: &ScenarioStepItem| match step {
        ScenarioStepItem::Anything => "...".to_owned(),
        ScenarioStepItem::Step(does) => match does.kind() {
            Kind::Does(LabelPattern::Action(action)) if action.to.is_empty() && !action.output => {
                let by = action.agent.as_ref().map_or(String::new(), |agent| format!("{agent}: "));
                format!("{by}{}", ActionPattern { agent: None, ..action.clone() })
            }
            Kind::Does(label) => label.to_string(),
            _ => does.to_string(),
        },
    };
    format!("{{ {} }}", scenario.steps.iter().map(step).collect::<Vec<_>>().join("; "))
}

/// The level and the citation of a property.
pub(super) fn weight(property: &PropertyItem) -> String {
    let level = property.level.map_or(String::new(), |level| format!(" level {}", level.word()));
    let cite = property.cite.as_ref().map_or(String::new(), |cite| format!(" cite \"{}\"", cite.text));
    format!("{level}{cite}")
}

//! The standard form of random talks: it is its own standard form and means the same.

use servanda_model::{Model, Mover, StateView};
use servanda_pact::{Protocol, format};
use servanda_testkit::random::talk::{read, talks};
use servanda_testkit::{Trials, Tried};

use super::support::{protocol, right};

/// Everything that a protocol means, without places.
fn meaning(protocol: &Protocol) -> String {
    let model: &Model = &protocol.model;
    let mut text = String::new();
    let mut line = |line: String| text.push_str(&(line + "\n"));
    for agent in &model.agents {
        line(format!("agent {} {:?}", agent.name, agent.red));
    }
    for own in &model.variables {
        line(format!(
            "{} {:?} {:?} {:?} {:?}",
            own.name, own.domain, own.initial, own.visibility, own.machine
        ));
    }
    for own in model.behaviour.commands() {
        let label = model.show_label(own.label);
        line(format!("{label} {:?} {:?} {:?} {:?}", own.guard, own.updates, own.effect, own.home));
    }
    for own in &model.commitments {
        line(model.show_promise(own));
    }
    for own in &model.fairness {
        line(format!("fair {}", own.formula));
    }
    line(format!("{:?} {:?} {:?} {:?}", model.groups, model.initial, model.rest, model.tick));
    line(format!("{}", model.step_fairness.len()));
    for own in &protocol.properties {
        line(format!("{} {:?} {:?} {}", own.name, own.expected, own.level, own.formula));
    }
    let mover = Mover::new(model);
    for state in mover.initial_states().take(20) {
        line(StateView::new(model, mover.layout(), &state).to_string());
    }
    text
}

#[test]
fn standard_form_is_its_own_and_means_the_same() {
    Trials::from_environment(600).run(&talks(), |talk| {
        let text = talk.text();
        let before = meaning(&protocol(talk)?);
        let standard = format(&text).map_err(|errors| format!("{errors:?}\n{text}"))?;
        let again = format(&standard).map_err(|errors| format!("{errors:?}\n{standard}"))?;
        if again != standard {
            return Err(format!("the standard form of\n{standard}\nis\n{again}"));
        }
        let after = meaning(&right(read(&standard, talk), &standard)?);
        if before != after {
            return Err(format!("{text}\nmeans\n{before}\nand\n{standard}\nmeans\n{after}"));
        }
        Ok(Tried::Holds)
    });
}

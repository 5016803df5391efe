//! Case studies with decompositions inside the states, as Definition 2 of the ACTL\* paper has them.
//!
//! A state of such a system is the decomposition of the act that led to it: a chain of formulas, each made of the one before by a
//! tableau rule. [`Act::chain`] gives the chain for arguments that are atoms. An act enters at the head of its chain; at the end
//! of the chain the next act can happen.
//!
//! The paper counts `|S|` as the product of the numbers of states of the two agents and of the protocol, so here the three
//! stand side by side. As CCS, an agent speaks and the protocol hears: in `Open` each can also go on by itself, which makes the
//! whole product; in `Closed` an act needs both. As ISPL, each goes on when it likes.

use std::fmt::Write;

use crate::ispl::{self, Program, any};

#[derive(Clone, Copy)]
enum Act {
    Create,
    Withdraw,
    Satisfy,
    Violate,
    Reactivate,
    Accept,
    Refuse,
    Challenge,
    Attack,
    Defend,
    Justify,
    /// What is no act has no decomposition and is one state.
    Message(&'static str),
}

impl Act {
    const ALL: [Act; 11] = [
        Act::Create,
        Act::Withdraw,
        Act::Satisfy,
        Act::Violate,
        Act::Reactivate,
        Act::Accept,
        Act::Refuse,
        Act::Challenge,
        Act::Attack,
        Act::Defend,
        Act::Justify,
    ];

    fn name(self) -> &'static str {
        match self {
            Act::Create => "create",
            Act::Withdraw => "withdraw",
            Act::Satisfy => "satisfy",
            Act::Violate => "violate",
            Act::Reactivate => "reactivate",
            Act::Accept => "accept",
            Act::Refuse => "refuse",
            Act::Challenge => "challenge",
            Act::Attack => "attack",
            Act::Defend => "defend",
            Act::Justify => "justify",
            Act::Message(name) => name,
        }
    }

    /// The rules of Table 1 along the decomposition; one state more than rules. R4 takes a negation away; the one for `?` is that
    /// of the CTL\*CA paper.
    fn chain(self) -> &'static [&'static str] {
        match self {
            Act::Satisfy | Act::Message(_) => &[],
            Act::Create | Act::Reactivate | Act::Accept => &["r16"],
            Act::Violate => &["r4"],
            Act::Withdraw => &["r4", "r16"],
            Act::Refuse => &["r16", "r4"],
            Act::Challenge => &["r16", "doubt"],
            Act::Attack | Act::Defend | Act::Justify => &["r16", "r21", "r17", "r20"],
        }
    }
}

/// One of those who stand side by side: places, and the acts that lead from one to another. The first place is the start.
struct Component {
    name: &'static str,
    /// What stands before an act in CCS: agents say it, the protocol hears it.
    voice: &'static str,
    places: Vec<&'static str>,
    /// From a place by an act to a place.
    moves: Vec<(&'static str, Act, &'static str)>,
}

impl Component {
    /// An agent that has the turn, or waits for it, and in its turn performs one of its acts.
    fn agent(name: &'static str, acts: &[Act]) -> Component {
        let mut moves: Vec<_> = acts.iter().map(|act| ("turn", *act, act.name())).collect();
        moves.extend(acts.iter().map(|act| (act.name(), Act::Message("heard"), "waits")));
        moves.push(("waits", Act::Message("told"), "turn"));
        let places = ["turn", "waits"].into_iter().chain(acts.iter().map(|act| act.name())).collect();
        Component { name, voice: "'", places, moves }
    }

    /// The rules along the decomposition that a place is: that of the act that leads there. The start has the empty one
    /// (`L(s0) = ε`), whatever leads back to it.
    fn chain(&self, place: &str) -> &'static [&'static str] {
        let chains = self.moves.iter().filter(|(_, _, to)| *to == place && place != self.places[0]);
        chains.map(|(_, act, _)| act.chain()).max_by_key(|chain| chain.len()).unwrap_or_default()
    }

    /// The names of the states of a place, from where acts enter it to where they leave it.
    fn states_of(&self, place: &str) -> Vec<String> {
        let name = |at: usize| match (place == self.places[0], at) {
            (true, _) => self.name.to_owned(),
            (false, 0) => format!("{}_{place}", self.name),
            (false, _) => format!("{}_{place}_{at}", self.name),
        };
        (0..=self.chain(place).len()).map(name).collect()
    }

    fn states(&self) -> Vec<String> {
        self.places.iter().flat_map(|place| self.states_of(place)).collect()
    }

    /// From a state by a rule or by an act, which `voice` stands before, to a state.
    fn steps(&self, voice: &str) -> Vec<(String, String, String)> {
        let mut steps = Vec::new();
        for place in &self.places {
            let states = self.states_of(place);
            for (pair, rule) in states.windows(2).zip(self.chain(place)) {
                steps.push((pair[0].clone(), (*rule).to_owned(), pair[1].clone()));
            }
            for (_, act, to) in self.moves.iter().filter(|(from, ..)| from == place) {
                let voice = if matches!(act, Act::Message(_)) { "" } else { voice };
                let end = states[states.len() - 1].clone();
                steps.push((end, format!("{voice}{}", act.name()), self.states_of(to)[0].clone()));
            }
        }
        steps
    }
}

/// A case study.
struct Study {
    name: &'static str,
    components: [Component; 3],
    /// Propositions by the places of the protocol in which they are true.
    propositions: Vec<(&'static str, Vec<&'static str>)>,
    formulas: Vec<(&'static str, bool)>,
}

impl Study {
    fn ccs(&self) -> String {
        let counts = self.components.each_ref().map(|component| component.states().len());
        let [first, second, third] = counts;
        let mut text = format!(
            "* {} with the decompositions of acts as states: {first} · {second} · {third} = {}.\n",
            self.name,
            counts.iter().product::<usize>()
        );
        for component in &self.components {
            let steps = component.steps(component.voice);
            for state in component.states() {
                let ways = steps.iter().filter(|(from, ..)| *from == state);
                let ways: Vec<String> = ways.map(|(_, label, to)| format!("{label}.{to}")).collect();
                let _ = writeln!(text, "proc {state} = {}", ways.join(" + "));
            }
        }
        let names = self.components.each_ref().map(|component| component.name).join(" | ");
        let acts = Act::ALL.map(Act::name).join(", ");
        text + &format!("proc Open = {names}\nproc Closed = Open \\ {{{acts}}}\n")
    }

    fn ispl(&self) -> String {
        let agent = |component: &Component| {
            let steps = component.steps("");
            let allowed = |state: String| {
                let ways =
                    steps.iter().filter(|(from, ..)| *from == state).map(|(_, label, _)| label.clone());
                (format!("state = {state}"), ways.chain(["stay".to_owned()]).collect())
            };
            let mut actions: Vec<String> = steps.iter().map(|(_, label, _)| label.clone()).collect();
            actions.push("stay".to_owned());
            actions.sort();
            actions.dedup();
            ispl::Agent {
                name: component.name.to_owned(),
                vars: vec![("state".to_owned(), format!("{{{}}}", component.states().join(", ")))],
                actions,
                protocol: component.states().into_iter().map(allowed).collect(),
                evolution: steps
                    .iter()
                    .map(|(from, label, to)| {
                        (format!("state = {to}"), format!("state = {from} and Action = {label}"))
                    })
                    .collect(),
                ..ispl::Agent::default()
            }
        };
        let protocol = &self.components[2];
        let proposition = |(name, places): &(&str, Vec<&str>)| {
            let states = places.iter().flat_map(|place| protocol.states_of(place));
            ((*name).to_owned(), any(states.map(|state| format!("{}.state = {state}", protocol.name))))
        };
        let starts = self.components.each_ref().map(|component| format!("{0}.state = {0}", component.name));
        Program {
            agents: self.components.iter().map(agent).collect(),
            evaluation: self.propositions.iter().map(proposition).collect(),
            initial: starts.to_vec(),
            formulas: self
                .formulas
                .iter()
                .map(|(formula, verdict)| ((*formula).to_owned(), *verdict))
                .collect(),
            ..Program::default()
        }
        .to_string()
    }
}

/// The language that a case study is written in.
#[derive(Clone, Copy)]
pub(super) enum Language {
    Ccs,
    Ispl,
}

fn written(study: &Study, language: Language) -> String {
    match language {
        Language::Ccs => study.ccs(),
        Language::Ispl => study.ispl(),
    }
}

/// Two agents with all eleven acts, and the printed protocol: 35 · 35 · 29 states.
pub(super) fn pnaws(language: Language) -> String {
    use Act::{Accept, Attack, Challenge, Create, Defend, Justify, Refuse};
    let moves = vec![
        ("start", Create, "S1"),
        ("S1", Refuse, "S2"),
        ("S1", Accept, "start"),
        ("S2", Defend, "S3"),
        ("S3", Challenge, "S4"),
        ("S3", Attack, "S6"),
        ("S3", Accept, "start"),
        ("S4", Justify, "S5"),
        ("S5", Challenge, "S4"),
        ("S5", Accept, "start"),
        ("S5", Refuse, "start"),
        ("S6", Attack, "S7"),
        ("S6", Accept, "start"),
        ("S6", Refuse, "start"),
        ("S7", Attack, "S6"),
        ("S7", Accept, "start"),
        ("S7", Refuse, "start"),
    ];
    let places = vec!["start", "S1", "S2", "S3", "S4", "S5", "S6", "S7"];
    let protocol = Component { name: "Spec", voice: "", places, moves };
    let study = Study {
        name: "PNAWS",
        components: [Component::agent("Master", &Act::ALL), Component::agent("Slave", &Act::ALL), protocol],
        propositions: vec![("complianceTermination", vec!["start", "S1", "S2", "S3"])],
        formulas: vec![("EG complianceTermination", true), ("AG complianceTermination", false)],
    };
    written(&study, language)
}

/// A customer, a merchant and the protocol with its restart: 9 · 13 · 22 states.
pub(super) fn netbill(language: Language) -> String {
    use Act::{Accept, Create, Message, Refuse, Satisfy, Violate, Withdraw};
    let again = Message("again");
    let moves = vec![
        ("idle", Create, "requested"),
        ("requested", Refuse, "rejected"),
        ("requested", Accept, "quoted"),
        ("quoted", Create, "offered"),
        ("offered", Refuse, "rejected"),
        ("offered", Accept, "agreed"),
        ("agreed", Satisfy, "payed"),
        ("agreed", Violate, "cheated"),
        ("payed", Satisfy, "done"),
        ("payed", Violate, "violated"),
        ("payed", Withdraw, "withdrawn"),
        ("withdrawn", Message("refund"), "refunded"),
        ("rejected", again, "idle"),
        ("cheated", again, "idle"),
        ("done", again, "idle"),
        ("violated", again, "idle"),
        ("refunded", again, "idle"),
    ];
    let mut places = vec!["idle"];
    places.extend(["requested", "rejected", "quoted", "offered", "agreed", "payed", "cheated"]);
    places.extend(["done", "violated", "withdrawn", "refunded"]);
    let customer = Component::agent("Customer", &[Create, Accept, Satisfy, Violate]);
    let merchant = Component::agent("Merchant", &[Refuse, Accept, Create, Satisfy, Withdraw]);
    let study = Study {
        name: "NetBill",
        components: [customer, merchant, Component { name: "NetBill", voice: "", places, moves }],
        propositions: vec![
            ("purchase_violation", vec!["cheated", "violated"]),
            ("purchase_compliance", vec!["done"]),
        ],
        formulas: vec![("AF purchase_violation", false), ("AF purchase_compliance", false)],
    };
    written(&study, language)
}

//! Bit transmission over channels that lose messages: sessions side by side, and the two faulty receivers of the MCMAS paper.

use crate::ispl::{Agent, OldAgent, Program, all, any, words};

/// Independent sessions in today's ISPL; a receiver may fail to acknowledge.
pub(super) fn sessions(k: usize) -> String {
    let channel = Agent {
        name: "Environment".to_owned(),
        vars: (1..=k).map(|i| (format!("state{i}"), "{S, R, SR, none}".to_owned())).collect(),
        actions: words(&["SR", "S", "R", "none"]),
        protocol: vec![("Other".to_owned(), words(&["SR", "S", "R", "none"]))],
        evolution: vec![("state1 = none".to_owned(), "state1 = none".to_owned())],
        ..Agent::default()
    };
    let gets_through = |one_way: &str| format!("(Environment.Action = SR or Environment.Action = {one_way})");
    let sender = |i: usize| Agent {
        name: format!("Sender{i}"),
        vars: vec![("bit".to_owned(), "boolean".to_owned()), ("ack".to_owned(), "boolean".to_owned())],
        actions: words(&["sb0", "sb1", "nothing"]),
        protocol: vec![
            ("bit = false and ack = false".to_owned(), words(&["sb0"])),
            ("bit = true and ack = false".to_owned(), words(&["sb1"])),
            ("ack = true".to_owned(), words(&["nothing"])),
        ],
        evolution: vec![(
            "ack = true".to_owned(),
            format!("ack = false and Receiver{i}.Action = sendack and {}", gets_through("R")),
        )],
        ..Agent::default()
    };
    let receiver = |i: usize| {
        let bit = |b: usize| {
            let arrives = format!("state = empty and Sender{i}.Action = sb{b} and {}", gets_through("S"));
            [
                (format!("state = r{b}"), arrives),
                (format!("state = f{b}"), format!("state = r{b} and Action = nothing")),
            ]
        };
        Agent {
            name: format!("Receiver{i}"),
            vars: vec![("state".to_owned(), "{empty, r0, r1, f0, f1}".to_owned())],
            red: Some("state = f0 or state = f1".to_owned()),
            actions: words(&["nothing", "sendack"]),
            protocol: vec![
                ("state = empty".to_owned(), words(&["nothing"])),
                ("Other".to_owned(), words(&["sendack", "nothing"])),
            ],
            evolution: (0..2).flat_map(bit).collect(),
            ..Agent::default()
        }
    };
    let proposition = |i: usize| {
        [
            (format!("recbit{i}"), format!("!(Receiver{i}.state = empty)")),
            (format!("recack{i}"), format!("Sender{i}.ack = true")),
            (format!("zero{i}"), format!("Sender{i}.bit = false")),
            (format!("one{i}"), format!("Sender{i}.bit = true")),
        ]
    };
    let begins = |i: usize| {
        [
            format!("Sender{i}.ack = false"),
            format!("Receiver{i}.state = empty"),
            format!("Environment.state{i} = none"),
        ]
    };
    let knows =
        |i: usize| format!("(recack{i} -> K(Sender{i}, K(Receiver{i}, zero{i}) or K(Receiver{i}, one{i})))");
    Program {
        agents: std::iter::once(channel).chain((1..=k).flat_map(|i| [sender(i), receiver(i)])).collect(),
        evaluation: (1..=k).flat_map(proposition).collect(),
        initial: (1..=k).flat_map(begins).collect(),
        formulas: vec![
            (format!("AG({})", all((1..=k).map(knows))), true),
            ("AG(recbit1 -> AF recack1)".to_owned(), false),
            (format!("EF({})", all((1..=k).map(|i| format!("recack{i}")))), true),
            ("AG(O(Receiver1, !recack1 or K(Sender1, recbit1)))".to_owned(), true),
        ],
        ..Program::default()
    }
    .to_string()
}

fn names(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

/// The channel passes on both ways, or one way.
fn through(one_way: &str) -> String {
    format!("((Environment.Action=SR) or (Environment.Action={one_way}))")
}

/// Who has a bit to send.
fn sender_of_2005() -> OldAgent {
    let acknowledged = |bit: usize| {
        let when = format!("(Lstate=s{bit}) and (Receiver.Action=sendack) and {}", through("R"));
        (format!("s{bit}ack"), when)
    };
    OldAgent {
        name: "Sender".to_owned(),
        states: names("s0 s1 s0ack s1ack"),
        green: names("s0 s1 s0ack s1ack"),
        actions: names("sb0 sb1 nothing"),
        protocol: [("s0", "sb0"), ("s1", "sb1"), ("s0ack", "nothing"), ("s1ack", "nothing")]
            .map(|(state, action)| (state.to_owned(), words(&[action])))
            .to_vec(),
        evolution: (0..2).map(acknowledged).collect(),
    }
}

/// Who may acknowledge too early, or not at all.
fn receiver_of_2005(too_early: bool) -> OldAgent {
    let green = names("empty r0 r1");
    let red = names(if too_early { "r0f r1f emptyf" } else { "r0f r1f" });
    let both = names("sendack nothing");
    let received = |bit: usize| {
        let arrives = format!("(Sender.Action=sb{bit}) and {}", through("S"));
        if too_early {
            // Who acknowledged too early stays faulty when the bit comes, at once or later.
            vec![
                (format!("r{bit}"), format!("(Lstate=empty) and (Action=nothing) and {arrives}")),
                (
                    format!("r{bit}f"),
                    format!("((Lstate=emptyf) or ((Lstate=empty) and (Action=sendack))) and {arrives}"),
                ),
            ]
        } else {
            vec![
                (format!("r{bit}"), format!("(Lstate=empty) and {arrives}")),
                (format!("r{bit}f"), format!("(Lstate=r{bit}) and (Action=nothing)")),
            ]
        }
    };
    let mut evolution: Vec<_> = (0..2).flat_map(received).collect();
    if too_early {
        let nothing_comes = format!("((Sender.Action=nothing) or !{})", through("S"));
        let when = format!("(Lstate=empty) and (Action=sendack) and {nothing_comes}");
        evolution.push(("emptyf".to_owned(), when));
    }
    let allowed = |state: &String| match state.as_str() {
        "empty" if !too_early => names("nothing"),
        "r0" | "r1" if too_early => names("sendack"),
        _ => both.clone(),
    };
    let states: Vec<String> = green.iter().chain(&red).cloned().collect();
    OldAgent {
        name: "Receiver".to_owned(),
        protocol: states.iter().map(|state| (state.clone(), allowed(state))).collect(),
        states,
        green,
        actions: names("nothing sendack"),
        evolution,
    }
}

/// What loses messages; it records what was sent last.
fn channel_of_2005() -> OldAgent {
    let ways = names("S SR R none");
    let sends = "((Sender.Action=sb0) or (Sender.Action=sb1))";
    let records = |state: &str, bit: &str, acknowledgement: &str| {
        (state.to_owned(), format!("{bit} and (Receiver.Action={acknowledgement})"))
    };
    OldAgent {
        name: "Environment".to_owned(),
        states: names("S R SR none"),
        green: names("S R SR none"),
        actions: ways.clone(),
        protocol: names("S R SR none").into_iter().map(|state| (state, ways.clone())).collect(),
        evolution: vec![
            records("S", sends, "nothing"),
            records("R", "(Sender.Action=nothing)", "sendack"),
            records("SR", sends, "sendack"),
            records("none", "(Sender.Action=nothing)", "nothing"),
        ],
    }
}

/// Section 5.1 of the MCMAS paper, in the dialect of its appendix. Receiver 1 may fail to acknowledge, receiver 2 may acknowledge
/// what it never got.
pub(super) fn of_2005(receiver: usize) -> String {
    let too_early = receiver == 2;
    let is = |agent: &str, states: &str| {
        any(names(states).into_iter().map(|state| format!("({agent}.Lstate={state})")))
    };
    let knows = "K(Receiver, bit0) or K(Receiver, bit1)";
    Program {
        single_assignment: false,
        agents: vec![sender_of_2005(), receiver_of_2005(too_early), channel_of_2005()],
        evaluation: [
            ("recbit", is("Receiver", "r0 r1 r0f r1f")),
            ("recack", is("Sender", "s0ack s1ack")),
            ("bit0", is("Sender", "s0 s0ack")),
            ("bit1", is("Sender", "s1 s1ack")),
        ]
        .map(|(name, when)| (name.to_owned(), when))
        .to_vec(),
        initial: vec![
            format!("({})", is("Sender", "s0 s1")),
            is("Receiver", "empty"),
            is("Environment", "none"),
        ],
        groups: vec![("g1", names("Sender Receiver"))],
        formulas: vec![
            (format!("AG(recack -> K(Sender, {knows}))"), !too_early),
            (format!("AG(recack -> KH(Sender, Receiver, {knows}))"), true),
        ],
    }
    .to_string()
}

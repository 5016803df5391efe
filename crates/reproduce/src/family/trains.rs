//! Trains that share a tunnel: in ISPL with a controller who lets one in, and as the UMC paper has them.

use crate::ispl::{Agent, Program, all, words};

/// Trains and a controller that act in rounds.
pub(super) fn with_controller(n: usize) -> String {
    let each = |prefix: &str| (1..=n).map(|i| format!("{prefix}{i}")).collect::<Vec<_>>();
    let environment = Agent {
        name: "Environment".to_owned(),
        vars: vec![("clock".to_owned(), "boolean".to_owned())],
        actions: each("go"),
        protocol: vec![("Other".to_owned(), each("go"))],
        evolution: vec![("clock = true".to_owned(), "clock = false and Action = go1".to_owned())],
        ..Agent::default()
    };
    let controller = Agent {
        name: "Controller".to_owned(),
        vars: vec![("light".to_owned(), "{green, red}".to_owned())],
        actions: each("let").into_iter().chain(words(&["hold"])).collect(),
        protocol: vec![("light = green".to_owned(), each("let")), ("Other".to_owned(), words(&["hold"]))],
        evolution: (1..=n)
            .flat_map(|i| {
                let enters = format!("light = green and Action = let{i} and Train{i}.Action = enter");
                let leaves = format!("light = red and Train{i}.Action = leave");
                [("light = red".to_owned(), enters), ("light = green".to_owned(), leaves)]
            })
            .collect(),
        ..Agent::default()
    };
    let train = |i: usize| {
        let at = |place: &str, action: &str| (format!("at = {place}"), words(&[action, "idle"]));
        let enters = format!("at = waiting and Action = enter and Controller.Action = let{i}");
        Agent {
            name: format!("Train{i}"),
            vars: vec![("at".to_owned(), "{away, waiting, tunnel}".to_owned())],
            actions: words(&["signal", "enter", "leave", "idle"]),
            protocol: vec![at("away", "signal"), at("waiting", "enter"), at("tunnel", "leave")],
            evolution: vec![
                ("at = waiting".to_owned(), "at = away and Action = signal".to_owned()),
                ("at = tunnel".to_owned(), enters),
                ("at = away".to_owned(), "at = tunnel and Action = leave".to_owned()),
            ],
            ..Agent::default()
        }
    };
    let alone = all((2..=n).map(|i| format!("!in{i}")));
    let neighbours = all((1..n).map(|i| format!("(in{i} -> !in{})", i + 1)));
    Program {
        agents: [environment, controller].into_iter().chain((1..=n).map(train)).collect(),
        evaluation: (1..=n).map(|i| (format!("in{i}"), format!("Train{i}.at = tunnel"))).collect(),
        initial: words(&["Environment.clock = false", "Controller.light = green"])
            .into_iter()
            .chain((1..=n).map(|i| format!("Train{i}.at = away")))
            .collect(),
        groups: vec![("all", each("Train"))],
        formulas: vec![
            (format!("AG(in1 -> K(Train1, {alone}))"), true),
            ("AG(!in1 -> (!K(Train1, in2) and !K(Train1, !in2)))".to_owned(), true),
            (format!("AG({neighbours})"), true),
            ("AG EF in1".to_owned(), true),
            ("AF in1".to_owned(), false),
            ("AG(in1 -> GCK(all, in1))".to_owned(), false),
        ],
        ..Program::default()
    }
    .to_string()
}

/// The interpreted system of the UMC paper: each joint action changes those who take part in it and nobody else. Two trains are the
/// paper's.
pub(super) fn of_the_umc_paper(n: usize) -> String {
    let trains = (1..=n).map(|i| format!("Train{i}")).collect::<Vec<_>>().join(", ");
    let mut text = format!(
        "protocol Tunnel\nroles {trains}, Controller\nprivate var light of Controller : {{green, red}} = green\n"
    );
    for i in 1..=n {
        text += &format!("private var t{i} of Train{i} : {{away, waiting, tunnel}} = away\n");
    }
    text += "start run\n";
    for i in 1..=n {
        let number = |step: usize| 3 * (i - 1) + step;
        text += &format!(
            "run -- Train{i}: a{} when t{i} = away                    set t{i} = waiting             --> run\n\
             run -- Train{i}: a{} when t{i} = waiting & light = green set t{i} = tunnel, light = red --> run\n\
             run -- Train{i}: a{} when t{i} = tunnel & light = red    set t{i} = away, light = green --> run\n\
             prop in_tunnel{i} = t{i} = tunnel\n",
            number(1),
            number(2),
            number(3)
        );
    }
    let away = (1..=n).map(|i| format!("t{i} = away")).collect::<Vec<_>>().join(" & ");
    text + &format!(
        "prop init       = {away} & light = green\n\
         property alpha0    expect false = !AX !in_tunnel1\n\
         property alpha1    expect true  = AG (in_tunnel1 -> K(Train1, !in_tunnel2))\n\
         property alpha2    expect true  = AG (!in_tunnel1 -> !K(Train1, in_tunnel2) & !K(Train1, !in_tunnel2))\n\
         property reachable expect true  = AG !AH !init\n"
    )
}

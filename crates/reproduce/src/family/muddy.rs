//! Muddy children: who sees `r` muddy faces and has heard nobody in `r` rounds steps forward.

use crate::ispl::{Agent, Program, all, any, words};

pub(super) fn children(n: usize) -> String {
    let environment = Agent {
        name: "Environment".to_owned(),
        public: vec![("round".to_owned(), format!("0 .. {n}")), ("spoken".to_owned(), "boolean".to_owned())],
        vars: (1..=n).map(|i| (format!("mud{i}"), "boolean".to_owned())).collect(),
        actions: words(&["ask"]),
        protocol: vec![("Other".to_owned(), words(&["ask"]))],
        evolution: (0..n)
            .map(|round| (format!("round = {}", round + 1), format!("round = {round} and spoken = false")))
            .chain(
                (1..=n).map(|i| {
                    ("spoken = true".to_owned(), format!("spoken = false and Child{i}.Action = step"))
                }),
            )
            .collect(),
        ..Agent::default()
    };
    let child = |i: usize| Agent {
        name: format!("Child{i}"),
        sees: (1..=n).filter(|other| *other != i).map(|other| format!("mud{other}")).collect(),
        vars: vec![("sees".to_owned(), format!("0 .. {n}"))],
        actions: words(&["step", "stay"]),
        protocol: vec![
            ("sees = Environment.round".to_owned(), words(&["step"])),
            ("Other".to_owned(), words(&["stay"])),
        ],
        evolution: vec![("sees = sees".to_owned(), "sees = 0".to_owned())],
        ..Agent::default()
    };
    let faces = |muddy: u64| {
        let is = |i: usize| muddy >> (i - 1) & 1 == 1;
        let sees = |i: usize| muddy.count_ones() - u32::from(is(i));
        let mud = (1..=n).map(|i| format!("Environment.mud{i} = {}", is(i)));
        format!("({})", all(mud.chain((1..=n).map(|i| format!("Child{i}.sees = {}", sees(i))))))
    };
    let evaluation = (1..=n)
        .map(|i| (format!("muddy{i}"), format!("Environment.mud{i} = true")))
        .chain((1..=n).map(|i| {
            (
                format!("forward{i}"),
                format!("Environment.spoken = true and Child{i}.sees < Environment.round"),
            )
        }))
        .chain([("spoken".to_owned(), "Environment.spoken = true".to_owned())]);
    let knows = "K(Child1, muddy1) or K(Child1, !muddy1)";
    Program {
        single_assignment: true,
        agents: std::iter::once(environment).chain((1..=n).map(child)).collect(),
        evaluation: evaluation.collect(),
        initial: vec![
            "Environment.round = 0".to_owned(),
            "Environment.spoken = false".to_owned(),
            format!("({})", any((1..1u64 << n).map(faces))),
        ],
        groups: vec![("all", (1..=n).map(|i| format!("Child{i}")).collect())],
        formulas: vec![
            ("AF spoken".to_owned(), true),
            (format!("AG(spoken -> ({knows}))"), true),
            (format!("AG(GCK(all, {}))", any((1..=n).map(|i| format!("muddy{i}")))), true),
            (knows.to_owned(), false),
        ],
    }
    .to_string()
}

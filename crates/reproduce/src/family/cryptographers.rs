//! Dining cryptographers in today's ISPL: all speak at once, or one after the other; one of them may lie.

use crate::ispl::{Agent, Program, all, any, words};

/// Whether the first cryptographer may lie.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum First {
    Honest,
    MayLie,
}

fn left(i: usize, n: usize) -> usize {
    if i == 1 { n } else { i - 1 }
}

/// Nobody pays, or exactly one does.
fn at_most_one_payer(n: usize) -> String {
    let row = |payer: usize| format!("({})", all((1..=n).map(|i| format!("C{i}.payer = {}", i == payer))));
    format!("({})", any((0..=n).map(row)))
}

fn paid(n: usize) -> Vec<(String, String)> {
    (1..=n).map(|i| (format!("paid{i}"), format!("C{i}.payer = true"))).collect()
}

fn members(n: usize) -> Vec<String> {
    (1..=n).map(|i| format!("C{i}")).collect()
}

/// Somebody other than `except` paid.
fn others(n: usize, except: usize) -> String {
    any((1..=n).filter(|i| *i != except).map(|i| format!("paid{i}")))
}

/// Anonymity, common knowledge that nobody paid, and that a payment shows: as in the paper; and that the payer is not betrayed.
fn questions(n: usize) -> Vec<(String, bool)> {
    let unknown = all((2..=n).map(|i| format!("!K(C1, paid{i})")));
    let nobody = all((1..=n).map(|i| format!("!paid{i}")));
    vec![
        (format!("AG((done and odd and !paid1) -> (K(C1, {}) and {unknown}))", others(n, 1)), true),
        (format!("AG((done and !odd) -> GCK(all, {nobody}))"), true),
        (format!("AG(({}) -> AF (done and odd))", others(n, 0)), true),
        ("AG((done and odd) -> K(C1, paid2))".to_owned(), false),
    ]
}

fn lies(n: usize) -> Vec<(String, bool)> {
    let others_paid = others(n, 2);
    vec![
        (format!("AG((done and odd and !paid2) -> K(C2, {others_paid}))"), false),
        (format!("AG((done and odd and !paid2 and C1.GreenStates) -> KH(C2, rest, {others_paid}))"), true),
        ("AG((done and odd and !paid2) -> KH(C2, rest, paid1))".to_owned(), false),
        (format!("AG(O(C1, (done and odd) -> ({})))", others(n, 0)), true),
    ]
}

/// The table with its coins.
fn environment(n: usize) -> Agent {
    Agent {
        name: "Environment".to_owned(),
        vars: (1..=n).map(|i| (format!("coin{i}"), "boolean".to_owned())).collect(),
        actions: words(&["wait"]),
        protocol: vec![("Other".to_owned(), words(&["wait"]))],
        ..Agent::default()
    }
}

/// One who sees two of the coins, and has paid or not.
fn cryptographer(i: usize, n: usize) -> Agent {
    Agent {
        name: format!("C{i}"),
        sees: vec![format!("coin{i}"), format!("coin{}", left(i, n))],
        vars: vec![("payer".to_owned(), "boolean".to_owned())],
        actions: words(&["same", "different", "wait"]),
        ..Agent::default()
    }
}

/// Everybody announces in the same round; the parity is a sum over the table.
pub(super) fn at_once(n: usize, first: First) -> String {
    let faulty = first == First::MayLie;
    let table = Agent {
        public: std::iter::once(("spoken".to_owned(), "boolean".to_owned()))
            .chain((1..=n).map(|i| (format!("said{i}"), "0 .. 1".to_owned())))
            .collect(),
        evolution: std::iter::once(("spoken = true".to_owned(), "spoken = false".to_owned()))
            .chain(
                (1..=n)
                    .map(|i| (format!("said{i} = 1"), format!("spoken = false and C{i}.Action = different"))),
            )
            .collect(),
        ..environment(n)
    };
    let seat = |i: usize| {
        let liar = faulty && i == 1;
        let (own, neighbour) = (format!("Environment.coin{i}"), format!("Environment.coin{}", left(i, n)));
        let says = |relation: &str, opposite: &str| {
            format!(
                "((payer = false and {own} {relation} {neighbour}) or (payer = true and {own} {opposite} {neighbour}))"
            )
        };
        let (same, different) = (says("=", "<>"), says("<>", "="));
        let silent = "Environment.spoken = false";
        let mut protocol = if liar {
            vec![(silent.to_owned(), words(&["same", "different"]))]
        } else {
            vec![
                (format!("{silent} and {same}"), words(&["same"])),
                (format!("{silent} and {different}"), words(&["different"])),
            ]
        };
        protocol.push(("Other".to_owned(), words(&["wait"])));
        let evolution = if liar {
            let lie = format!("(Action = same and {different}) or (Action = different and {same})");
            ("lied = true".to_owned(), format!("{silent} and ({lie})"))
        } else {
            ("payer = true".to_owned(), "payer = true".to_owned())
        };
        let mut agent = cryptographer(i, n);
        agent.vars.extend(liar.then(|| ("lied".to_owned(), "boolean".to_owned())));
        Agent { red: liar.then(|| "lied = true".to_owned()), protocol, evolution: vec![evolution], ..agent }
    };
    let total = (1..=n).map(|i| format!("Environment.said{i}")).collect::<Vec<_>>().join(" + ");
    let mut evaluation = paid(n);
    evaluation.push(("done".to_owned(), "Environment.spoken = true".to_owned()));
    evaluation.push(("odd".to_owned(), any((1..=n).step_by(2).map(|count| format!("{total} = {count}")))));
    let mut initial: Vec<String> = faulty.then(|| "C1.lied = false".to_owned()).into_iter().collect();
    initial.push("Environment.spoken = false".to_owned());
    initial.extend((1..=n).map(|i| format!("Environment.said{i} = 0")));
    initial.push(at_most_one_payer(n));
    let rest = members(n).into_iter().filter(|name| name != "C2").collect();
    Program {
        single_assignment: true,
        agents: std::iter::once(table).chain((1..=n).map(seat)).collect(),
        evaluation,
        initial,
        groups: vec![("rest", rest), ("all", members(n))],
        formulas: if faulty { lies(n) } else { questions(n) },
    }
    .to_string()
}

/// One announces after the other; a running parity keeps the text linear in their number.
pub(super) fn in_turn(n: usize) -> String {
    let turn = |i: usize| {
        let flip =
            |from: bool| (format!("odd = {}", !from), format!("odd = {from} and C{i}.Action = different"));
        [(format!("turn = {}", i + 1), format!("turn = {i}")), flip(false), flip(true)]
    };
    let table = Agent {
        public: vec![
            ("turn".to_owned(), format!("1 .. {}", n + 1)),
            ("odd".to_owned(), "boolean".to_owned()),
        ],
        evolution: (1..=n).flat_map(turn).collect(),
        ..environment(n)
    };
    let seat = |i: usize| {
        let (own, neighbour) = (format!("Environment.coin{i}"), format!("Environment.coin{}", left(i, n)));
        let says = |relation: &str, opposite: &str| {
            let honest = format!("payer = false and {own} {relation} {neighbour}");
            format!(
                "Environment.turn = {i} and (({honest}) or (payer = true and {own} {opposite} {neighbour}))"
            )
        };
        Agent {
            protocol: vec![
                (says("=", "<>"), words(&["same"])),
                (says("<>", "="), words(&["different"])),
                ("Other".to_owned(), words(&["wait"])),
            ],
            evolution: vec![("payer = true".to_owned(), "payer = true".to_owned())],
            ..cryptographer(i, n)
        }
    };
    let mut evaluation = paid(n);
    evaluation.push(("done".to_owned(), format!("Environment.turn = {}", n + 1)));
    evaluation.push(("odd".to_owned(), "Environment.odd = true".to_owned()));
    Program {
        single_assignment: true,
        agents: std::iter::once(table).chain((1..=n).map(seat)).collect(),
        evaluation,
        initial: vec![
            "Environment.turn = 1".to_owned(),
            "Environment.odd = false".to_owned(),
            at_most_one_payer(n),
        ],
        groups: vec![("all", members(n))],
        formulas: questions(n),
    }
    .to_string()
}

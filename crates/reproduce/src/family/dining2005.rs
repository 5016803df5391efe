//! The dining cryptographers as Section 5.2 of the MCMAS paper encodes them, in the dialect of 2005.
//!
//! The Environment holds who pays and how the coins fell, has one action and never changes: `(n + 1) · 2^n` local states. The
//! local state of a cryptographer is three letters: whether the coins that he sees are equal (`e`) or different (`d`), whether he
//! paid (`p`) or not (`q`), and whether the number of "different" heard is even (`v`) or odd (`o`); `n` where that is not known
//! yet, which makes the paper's 27. In the first step he learns coins and bill from the Environment, in the second all speak.

use super::cryptographers::First;
use crate::ispl::{OldAgent, Program, all, any, words};

const COINS: [char; 3] = ['n', 'e', 'd'];
const BILL: [char; 3] = ['n', 'p', 'q'];
const HEARD: [char; 3] = ['n', 'v', 'o'];

/// How the coins fell and who pays; nobody is 0.
struct Dinner {
    payer: usize,
    coins: Vec<bool>,
}

impl Dinner {
    fn all(n: usize) -> Vec<Dinner> {
        let coins = |toss: usize| (0..n).map(|i| toss >> i & 1 == 1).collect::<Vec<_>>();
        (0..=n).flat_map(|payer| (0..1 << n).map(move |toss| Dinner { payer, coins: coins(toss) })).collect()
    }

    fn name(&self) -> String {
        let coins = self.coins.iter().map(|heads| if *heads { '1' } else { '0' });
        format!("p{}c{}", self.payer, coins.collect::<String>())
    }

    /// The first two letters of a cryptographer who sits at this table.
    fn seen_by(&self, i: usize) -> String {
        let neighbour = if i == 1 { self.coins.len() } else { i - 1 };
        let coins = if self.coins[i - 1] == self.coins[neighbour - 1] { 'e' } else { 'd' };
        let bill = if self.payer == i { 'p' } else { 'q' };
        format!("{coins}{bill}")
    }
}

/// Whether an odd number of those from `from` to `to` says "different": halves are told apart so that the text stays short.
fn parity(from: usize, to: usize, own: usize, odd: bool) -> String {
    if from == to {
        let who = if from == own { String::new() } else { format!("C{from}.") };
        return format!("({who}Action={})", if odd { "saydifferent" } else { "sayequal" });
    }
    let middle = usize::midpoint(from, to);
    let halves = |first: bool| {
        format!("({} and {})", parity(from, middle, own, first), parity(middle + 1, to, own, first != odd))
    };
    format!("({} or {})", halves(false), halves(true))
}

/// All local states, as coins, bill and what was heard.
fn states() -> Vec<String> {
    let triples =
        COINS.iter().flat_map(|c| BILL.iter().flat_map(move |b| HEARD.iter().map(move |h| (c, b, h))));
    triples.map(|(c, b, h)| format!("{c}{b}{h}")).collect()
}

fn cryptographer(n: usize, i: usize, first: First) -> OldAgent {
    let liar = i == 1 && first == First::MayLie;
    let green = states();
    // A liar is red from then on: `epvf` and the like.
    let red: Vec<String> = if liar {
        green.iter().filter(|state| !state.contains('n')).map(|state| format!("{state}f")).collect()
    } else {
        Vec::new()
    };
    let honest = |state: &str| if matches!(state, "epn" | "dqn") { "saydifferent" } else { "sayequal" };
    let speaks = |state: &str| matches!(state, "epn" | "eqn" | "dpn" | "dqn");
    let allowed = |state: &String| match () {
        () if !speaks(state) => words(&["nothing"]),
        () if liar => words(&["sayequal", "saydifferent"]),
        () => words(&[honest(state)]),
    };
    let mut evolution = Vec::new();
    let dinners = Dinner::all(n);
    for seen in ["ep", "eq", "dp", "dq"] {
        let here = dinners.iter().filter(|dinner| dinner.seen_by(i) == seen);
        let here = any(here.map(|dinner| format!("(Environment.Lstate={})", dinner.name())));
        evolution.push((format!("{seen}n"), format!("(Lstate=nnn) and ({here})")));
    }
    for seen in ["ep", "eq", "dp", "dq"] {
        for (letter, odd) in [('v', false), ('o', true)] {
            let hears = format!("(Lstate={seen}n) and {}", parity(1, n, i, odd));
            if liar {
                let truth = format!("(Action={})", honest(&format!("{seen}n")));
                evolution.push((format!("{seen}{letter}"), format!("{hears} and {truth}")));
                evolution.push((format!("{seen}{letter}f"), format!("{hears} and !{truth}")));
            } else {
                evolution.push((format!("{seen}{letter}"), hears));
            }
        }
    }
    let states: Vec<String> = green.iter().chain(&red).cloned().collect();
    OldAgent {
        name: format!("C{i}"),
        protocol: states.iter().map(|state| (state.clone(), allowed(state))).collect(),
        states,
        green,
        actions: words(&["nothing", "sayequal", "saydifferent"]),
        evolution,
    }
}

pub(super) fn table(n: usize, first: First) -> String {
    let faulty = first == First::MayLie;
    let cryptographers: Vec<OldAgent> = (1..=n).map(|i| cryptographer(n, i, first)).collect();
    let dinners: Vec<String> = Dinner::all(n).iter().map(Dinner::name).collect();
    let with = |agent: &OldAgent, place: usize, letter: u8| {
        let states = agent.states.iter().filter(|state| state.as_bytes()[place] == letter);
        format!("({})", any(states.map(|state| format!("({}.Lstate={state})", agent.name))))
    };
    let heard = |letter: u8| all(cryptographers.iter().map(|agent| with(agent, 2, letter)));
    let evaluation = (cryptographers.iter().enumerate())
        .map(|(at, agent)| (format!("paid{}", at + 1), with(agent, 1, b'p')))
        .chain([("even".to_owned(), heard(b'v')), ("odd".to_owned(), heard(b'o'))])
        .collect();
    let environment = OldAgent {
        name: "Environment".to_owned(),
        states: dinners.clone(),
        green: dinners.clone(),
        actions: words(&["none"]),
        protocol: dinners.into_iter().map(|dinner| (dinner, words(&["none"]))).collect(),
        evolution: Vec::new(),
    };
    let members: Vec<String> = (1..=n).map(|i| format!("C{i}")).collect();
    let rest = members.iter().filter(|name| *name != "C2").cloned().collect();
    Program {
        single_assignment: false,
        agents: cryptographers.into_iter().chain([environment]).collect(),
        evaluation,
        initial: members.iter().map(|name| format!("({name}.Lstate=nnn)")).collect(),
        groups: vec![("g1", members), ("rest", rest)],
        formulas: if faulty { of_the_faulty(n) } else { of_the_honest(n) },
    }
    .to_string()
}

/// Who knows, and what `who` is told about all except `who`: that one of them paid, not which.
fn anonymous(n: usize, who: usize, operator: &str) -> String {
    let others: Vec<String> = (1..=n).filter(|i| *i != who).map(|i| format!("paid{i}")).collect();
    let unknown = others.iter().map(|paid| format!("!{operator}{paid})"));
    format!("AX({operator}{}) and {})", others.join(" or "), all(unknown))
}

fn of_the_honest(n: usize) -> Vec<(String, bool)> {
    let paid = any((1..=n).map(|i| format!("paid{i}")));
    let nobody = all((1..=n).map(|i| format!("!paid{i}")));
    vec![
        (format!("(odd and !paid1) -> {}", anonymous(n, 1, "K(C1, ")), true),
        (format!("({paid}) -> AF(odd)"), true),
        (format!("even -> AX(GCK(g1, {nobody}))"), true),
    ]
}

/// As printed, about a second cryptographer who paid; and about one who did not, which is what is meant.
fn of_the_faulty(n: usize) -> Vec<(String, bool)> {
    let (knows, trusting) = (anonymous(n, 2, "K(C2, "), anonymous(n, 2, "KH(C2, rest, "));
    vec![
        (format!("(odd and paid2) -> {knows}"), false),
        (format!("(odd and paid2) -> {trusting}"), false),
        (format!("(odd and !paid2) -> {knows}"), false),
        (format!("(odd and !paid2) -> {trusting}"), true),
    ]
}

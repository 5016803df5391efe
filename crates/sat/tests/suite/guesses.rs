//! Runs at random, and what they never do: which questions they answer, and that wrong models are still found out.

use std::fmt::Write as _;

use servanda_engine::{NoLimits, Options, Verdict};
use servanda_pact::Protocol;
use servanda_sat::{Sat, SatOptions, Technique};
use servanda_syntax::SourceFile;

fn load(text: &str) -> Protocol {
    let loaded = servanda_pact::load(&SourceFile::new("guess.pact", text), &[]);
    loaded.protocol.unwrap_or_else(|| panic!("{text}\n{:?}", loaded.diagnostics))
}

/// The verdict on the only property, what decided it, and how many questions that took.
fn decided(text: &str) -> (Verdict, Vec<Technique>, u64) {
    let protocol = load(text);
    let mut sat =
        Sat::new(&protocol.model, Options::default(), SatOptions::default(), &NoLimits).expect("no fault");
    let verdict = sat.decide(&protocol.properties[0].formula, &NoLimits).expect("an answer");
    if let Some(certificate) = sat.certificate().cloned() {
        assert_eq!(sat.flaw(&certificate, &NoLimits).expect("an answer"), None, "a proof that is none");
    }
    (verdict, sat.techniques().to_vec(), sat.calls())
}

/// A token goes round among stations that work while they have it. One of them may keep a copy.
fn ring(stations: usize, keeps: Option<usize>) -> String {
    let mut text =
        format!("protocol Ring\nroles Ann\nvar has[1..{stations}], busy[1..{stations}] : bool = false\n");
    text += "var fresh : bool = true\nstart s\n";
    text += "s -- Ann: begin when fresh set fresh = false, has[1] = true --> s\n";
    for at in 1..=stations {
        let next = at % stations + 1;
        let lets_go = if keeps == Some(at) { String::new() } else { format!("has[{at}] = false, ") };
        let _ = writeln!(
            text,
            "s -- Ann: a{at} when has[{at}] & !busy[{at}] set busy[{at}] = true --> s\n\
             s -- Ann: b{at} when busy[{at}] set busy[{at}] = false --> s\n\
             s -- Ann: c{at} when has[{at}] & !busy[{at}] set {lets_go}has[{next}] = true --> s"
        );
    }
    let pairs = format!("all i in 1..{stations} : all j in 1..{stations} : i = j");
    text + &format!("property alone = AG {pairs} | !(busy[i] & busy[j])")
}

#[test]
fn values_that_never_meet_prove_that_stations_exclude_each_other() {
    let (verdict, techniques, calls) = decided(&ring(14, None));
    assert_eq!(verdict, Verdict::True);
    assert!(techniques.contains(&Technique::Habits), "{techniques:?}");
    assert!(calls < 800, "{calls} questions");
    let (verdict, techniques, _) = decided(&ring(14, Some(14)));
    assert_eq!(verdict, Verdict::False);
    assert!(!techniques.contains(&Technique::Habits), "{techniques:?}");
}

/// Lamps in a square; a button flips a lamp and its neighbours. From time to time one forgets to count.
fn lights(side: usize, forgets: &str) -> String {
    let mut lamps = Vec::new();
    for row in 0..side {
        lamps.extend((0..side).map(|column| format!("x{row}_{column}")));
    }
    let mut text = format!("protocol Lights\nroles Ann\nvar {} : bool = false\n", lamps.join(", "));
    text += "var even : bool = true\nstart s\n";
    for row in 0..side {
        for column in 0..side {
            let near = |other: usize, one: usize| other.abs_diff(one);
            let mut flips: Vec<String> = (0..side * side)
                .map(|at| (at / side, at % side))
                .filter(|(r, c)| near(*r, row) + near(*c, column) <= 1)
                .map(|(r, c)| format!("x{r}_{c} = !x{r}_{c}"))
                .collect();
            if flips.len() % 2 == 1 {
                flips.push("even = !even".to_owned());
            }
            let _ = writeln!(text, "s -- Ann: p{row}_{column} set {} --> s", flips.join(", "));
        }
    }
    text += forgets;
    let dark: Vec<String> = lamps.iter().map(|lamp| format!("!{lamp}")).collect();
    text + &format!("property even = AG ({} -> even)", dark.join(" & "))
}

/// IC3 alone excludes odd patterns one by one.
#[test]
fn parities_prove_what_clauses_say_only_at_length() {
    for side in [4, 5] {
        let (verdict, techniques, calls) = decided(&lights(side, ""));
        assert_eq!(verdict, Verdict::True);
        assert!(techniques.contains(&Technique::Habits), "{techniques:?}");
        assert!(calls < 800, "{calls} questions");
    }
    let forgets = "s -- Ann: forget when x0_0 & x0_1 & !x2_2 set x0_0 = false --> s\n";
    let (verdict, ..) = decided(&lights(3, forgets));
    assert_eq!(verdict, Verdict::False);
    // In a square of four no buttons make up for what was forgotten once, so it is never dark again before it was forgotten twice.
    let (verdict, ..) = decided(&lights(4, forgets));
    assert_eq!(verdict, Verdict::True);
}

/// A mistake that shows only after many steps, to which most ways lead: a buffer is filled once too often.
#[test]
fn runs_at_random_find_what_lies_deep() {
    let text = |most: usize| {
        format!(
            "protocol Buffer\nroles Ann\nvar head, tail : 0..15 = 0\nvar held : 0..17 = 0\nstart s\n\
             s -- Ann: put when held < {most} set tail = (tail + 1) % 16, held = held + 1 --> s\n\
             s -- Ann: get when held > 0 set head = (head + 1) % 16, held = held - 1 --> s\n\
             property fits = AG (held <= 16 & (head + held) % 16 = tail)"
        )
    };
    let (verdict, techniques, calls) = decided(&text(17));
    assert_eq!((verdict, techniques), (Verdict::False, vec![Technique::Chance]));
    assert!(calls < 60, "{calls} questions");
    assert_eq!(decided(&text(16)).0, Verdict::True);
}

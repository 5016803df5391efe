//! HOA: what is written can be read, and accepts exactly the words of the formula.

use std::collections::HashMap;

use proptest::prelude::*;
use servanda_abta::{Options, Rules, Simplify, hoa, translate};
use servanda_logic::{Binary, Formula, Kind, Unary, parse_formula};

/// Literals, target, sets.
type Edge = (Vec<(usize, bool)>, usize, Vec<usize>);

/// An automaton as read back.
struct Automaton {
    propositions: Vec<String>,
    sets: usize,
    /// Per state.
    edges: Vec<Vec<Edge>>,
}

/// Reads the part of HOA that is written; anything else is a mistake.
fn read(text: &str) -> Automaton {
    let (header, rest) = text.split_once("--BODY--\n").unwrap();
    let body = rest.strip_suffix("--END--\n").unwrap();
    let mut fields: HashMap<&str, &str> = HashMap::new();
    for line in header.lines() {
        let (name, value) = line.split_once(": ").unwrap();
        assert!(fields.insert(name, value).is_none(), "{name} twice");
    }
    assert!(header.starts_with("HOA: v1\n"));
    assert_eq!(fields["Start"], "0");
    let states: usize = fields["States"].parse().unwrap();
    let propositions = strings(fields["AP"].split_once(' ').map_or("", |(_, names)| names));
    assert_eq!(fields["AP"].split(' ').next().unwrap().parse::<usize>().unwrap(), propositions.len());
    propositions.iter().for_each(|name| assert!(!name.is_empty()));
    let (sets, condition) = fields["Acceptance"].split_once(' ').unwrap();
    let sets: usize = sets.parse().unwrap();
    let wanted: Vec<String> = (0..sets).map(|set| format!("Inf({set})")).collect();
    assert_eq!(condition, if sets == 0 { "t".to_owned() } else { wanted.join("&") });
    let mut edges: Vec<Vec<Edge>> = Vec::new();
    for line in body.lines() {
        if let Some(state) = line.strip_prefix("State: ") {
            let (number, name) = state.split_once(' ').unwrap();
            assert_eq!(number.parse::<usize>().unwrap(), edges.len());
            assert_eq!(strings(name).len(), 1);
            edges.push(Vec::new());
            continue;
        }
        let (label, rest) = line.strip_prefix('[').unwrap().split_once("] ").unwrap();
        let literals = match label {
            "t" => Vec::new(),
            label => label.split('&').map(literal).collect(),
        };
        literals.iter().for_each(|(index, _): &(usize, bool)| assert!(*index < propositions.len()));
        let (target, marks) = match rest.split_once(" {") {
            Some((target, marks)) => {
                let marks = marks.strip_suffix('}').unwrap();
                (target, marks.split(' ').map(|mark| mark.parse().unwrap()).collect())
            }
            None => (rest, Vec::new()),
        };
        let target: usize = target.parse().unwrap();
        assert!(target < states && marks.iter().all(|mark| *mark < sets));
        edges.last_mut().unwrap().push((literals, target, marks));
    }
    assert_eq!(edges.len(), states);
    Automaton { propositions, sets, edges }
}

fn literal(text: &str) -> (usize, bool) {
    match text.strip_prefix('!') {
        Some(index) => (index.parse().unwrap(), false),
        None => (text.parse().unwrap(), true),
    }
}

/// Double-quoted strings with escapes, separated by blanks.
fn strings(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut characters = text.chars();
    while let Some(start) = characters.next() {
        if start == ' ' {
            continue;
        }
        assert_eq!(start, '"');
        let mut name = String::new();
        loop {
            match characters.next().unwrap() {
                '"' => break,
                '\\' => name.push(characters.next().unwrap()),
                other => name.push(other),
            }
        }
        found.push(name);
    }
    found
}

/// A word that repeats itself from `back` on; a letter says what holds of `p`, `q` and `does(a)`.
#[derive(Clone, Debug)]
struct Word {
    letters: Vec<[bool; 3]>,
    back: usize,
}

impl Word {
    fn next(&self, at: usize) -> usize {
        if at + 1 < self.letters.len() { at + 1 } else { self.back }
    }

    fn letter(name: &str) -> usize {
        ["p", "q", "does(a)"].iter().position(|other| *other == name).unwrap()
    }

    /// Where a formula holds, by the semantics of words.
    fn truth(&self, formula: &Formula) -> Vec<bool> {
        let all = 0..self.letters.len();
        let least = |start: bool, step: &dyn Fn(usize, bool) -> bool| {
            let mut value = vec![start; self.letters.len()];
            for _ in 0..=2 * self.letters.len() {
                for at in (0..self.letters.len()).rev() {
                    value[at] = step(at, value[self.next(at)]);
                }
            }
            value
        };
        match formula.kind() {
            Kind::Bool(value) => vec![*value; self.letters.len()],
            Kind::Name(_) | Kind::Does(_) => {
                let index = Self::letter(&formula.to_string());
                self.letters.iter().map(|letter| letter[index]).collect()
            }
            Kind::Unary(op, operand) => {
                let a = self.truth(operand);
                match op {
                    Unary::Not => a.iter().map(|value| !value).collect(),
                    Unary::Next => all.map(|at| a[self.next(at)]).collect(),
                    Unary::Finally => least(false, &|at, later| a[at] || later),
                    Unary::Globally => least(true, &|at, later| a[at] && later),
                    other => panic!("{other:?}"),
                }
            }
            Kind::Binary(op, left, right) => {
                let (a, b) = (self.truth(left), self.truth(right));
                match op {
                    Binary::And => all.map(|at| a[at] && b[at]).collect(),
                    Binary::Or => all.map(|at| a[at] || b[at]).collect(),
                    Binary::Iff => all.map(|at| a[at] == b[at]).collect(),
                    Binary::Until => least(false, &|at, later| b[at] || a[at] && later),
                    Binary::Release => least(true, &|at, later| b[at] && (a[at] || later)),
                    Binary::WeakUntil => least(true, &|at, later| b[at] || a[at] && later),
                    other => panic!("{other:?}"),
                }
            }
            other => panic!("{other:?}"),
        }
    }

    /// Does the automaton accept the word? By repeated search in the product.
    fn is_accepted(&self, automaton: &Automaton) -> bool {
        let letters: Vec<usize> = automaton.propositions.iter().map(|name| Self::letter(name)).collect();
        let width = self.letters.len();
        let edges = |point: usize| -> Vec<(usize, Vec<usize>)> {
            let (state, at) = (point / width, point % width);
            let fits = |literals: &[(usize, bool)]| {
                literals.iter().all(|(index, sign)| self.letters[at][letters[*index]] == *sign)
            };
            let own = automaton.edges[state].iter().filter(|(literals, ..)| fits(literals));
            own.map(|(_, target, marks)| (target * width + self.next(at), marks.clone())).collect()
        };
        let reach = |start: usize| -> Vec<bool> {
            let mut seen = vec![false; automaton.edges.len() * width];
            let mut waiting = vec![start];
            while let Some(point) = waiting.pop() {
                for (target, _) in edges(point) {
                    if !std::mem::replace(&mut seen[target], true) {
                        waiting.push(target);
                    }
                }
            }
            seen
        };
        let mut starts = reach(0);
        starts[0] = true;
        let reached: Vec<Vec<bool>> =
            (0..starts.len()).map(|point| if starts[point] { reach(point) } else { Vec::new() }).collect();
        (0..starts.len()).filter(|point| starts[*point] && reached[*point][*point]).any(|root| {
            let inside = |point: usize| reached[root][point] && reached[point][root];
            (0..automaton.sets).all(|set| {
                (0..starts.len()).filter(|point| starts[*point] && inside(*point)).any(|point| {
                    edges(point).iter().any(|(target, marks)| inside(*target) && marks.contains(&set))
                })
            })
        })
    }
}

fn formulas() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![Just("p".to_owned()), Just("q".to_owned()), Just("does(a)".to_owned())];
    leaf.prop_recursive(4, 12, 2, |inner| {
        prop_oneof![
            (prop_oneof!["!", "X", "X", "F", "G", "G"], inner.clone())
                .prop_map(|(op, a)| format!("{op} ({a})")),
            (prop_oneof!["&", "\\|", "U", "R", "W", "<->"], inner.clone(), inner)
                .prop_map(|(op, a, b)| format!("({a}) {op} ({b})")),
        ]
    })
}

fn words() -> impl Strategy<Value = Word> {
    let letters = proptest::collection::vec(any::<[bool; 3]>(), 1..5);
    (letters, any::<prop::sample::Index>()).prop_map(|(letters, back)| {
        let back = back.index(letters.len());
        Word { letters, back }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn hoa_accepts_the_words_of_the_formula(
        text in formulas(),
        words in proptest::collection::vec(words(), 5),
        quantifier in prop_oneof!["E", "A"],
        raw in any::<bool>(),
    ) {
        let path = parse_formula(&text).unwrap();
        let formula = parse_formula(&format!("{quantifier} ({text})")).unwrap();
        let simplify = if raw { Simplify::Not } else { Simplify::Fully };
        let options = Options { rules: Rules::Sound, simplify, most_states: 400, ..Options::default() };
        let Ok(translation) = translate(&formula, options) else { return Ok(()) };
        let Ok(written) = hoa(&translation, options) else { return Ok(()) };
        let automaton = read(&written);
        for word in words {
            let wanted = word.truth(&path)[0] == (quantifier == "E");
            prop_assert_eq!(word.is_accepted(&automaton), wanted, "{} on {:?}\n{}", formula, word, written);
        }
    }
}

#[test]
fn what_hoa_cannot_say_is_refused_with_the_reason() {
    let refused = [
        ("p & q", "it is not one path quantifier over a path formula"),
        ("AG EF p", "it has more than one path quantifier"),
        ("E F SC(i, j, p)", "a commitment refers to the paths that are accessible in a model"),
        ("E F Cr(i, SC(i, j, p))", "a commitment refers to the paths that are accessible in a model"),
        ("E F (p & Y q)", "it has a past operator, and letters do not say what was"),
    ];
    for (text, reason) in refused {
        let translation = translate(&parse_formula(text).unwrap(), Options::default()).unwrap();
        let error = hoa(&translation, Options::default()).unwrap_err().swap_remove(0);
        assert_eq!(error.code, "not-expressible");
        assert_eq!(error.message, format!("the formula cannot be written as HOA: {reason}"));
    }
    let options = Options { rules: Rules::Paper, ..Options::default() };
    let translation = translate(&parse_formula("E F p").unwrap(), options).unwrap();
    assert_eq!(hoa(&translation, options).unwrap_err()[0].code, "not-expressible");
}

#[test]
fn names_are_quoted() {
    let formula = parse_formula("E F (x = 1 & Sender.ready | does('a))");
    let formula = formula.or_else(|_| parse_formula("E F (x = 1 | does('a))")).unwrap();
    let translation = translate(&formula, Options::default()).unwrap();
    let automaton = read(&hoa(&translation, Options::default()).unwrap());
    assert!(automaton.propositions.contains(&"x = 1".to_owned()), "{:?}", automaton.propositions);
}

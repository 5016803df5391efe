//! Slices do not disturb each other: however the lines of several are mixed, the same is found in each.

use proptest::prelude::*;
use servanda_audit::{After, Finding, Options};

use crate::common::Setup;

const MODEL: &str = "
    roles A, B
    var n : 0..2 = 0
    commitment promise = SC(B, A, F in t)
    start s
    s -- A: ask --> t
    t -- B: answer when n < 2 set n = n + 1 --> s
    t -- A: leave --> u
    property stays = A G !in u
";

const MAPPING: &str = r#"
version = 1
[fields]
k = "/k"
m = "/m"
i = "/i"
[[table]]
name = "last"
when = 'has(m)'
key = ["k"]
value = 'm'
[[view]]
name = "v"
model = "m"
key = ["k"]
event = [
  { when = 'm = "leave" & recall("last", k) = "answer"', label = "A: leave_after_answer" },
  { when = 'm = "answer" & !increasing(i)', label = "B: answer" },
  { when = 'm = "answer"', label = "B: answer" },
  { when = 'has(m)', label = "A: {m}" },
]
"#;

fn shown(mut findings: Vec<Finding>, places: &[(usize, usize)]) -> Vec<(usize, usize, String, String)> {
    let show = |it: Finding| {
        let (key, index) = places[it.at.unwrap().line as usize - 1];
        (
            key,
            index,
            it.message,
            it.explanation.map_or(String::new(), |it| format!("{} {}", it.cost, it.changes.len())),
        )
    };
    let mut shown: Vec<_> = findings.drain(..).map(show).collect();
    shown.sort();
    shown
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn however_lines_are_mixed_the_same_is_found(
        words in prop::collection::vec(prop::collection::vec(prop::sample::select(vec!["ask", "answer", "leave", "odd"]), 0..8), 1..5),
        choices in prop::collection::vec(any::<prop::sample::Index>(), 40),
        after in prop::sample::select(vec![After::Stop, After::Skip, After::Resync]),
    ) {
        let setup = Setup::new(MAPPING, |_| MODEL.to_owned()).unwrap();
        let line = |key: usize, index: usize| format!("{{\"k\":{key},\"m\":\"{}\",\"i\":{index}}}\n", words[key][index]);
        let apart: Vec<(usize, usize)> =
            (0..words.len()).flat_map(|key| (0..words[key].len()).map(move |index| (key, index))).collect();
        let mut next = vec![0; words.len()];
        let mut mixed = Vec::new();
        let mut choices = choices.iter();
        while mixed.len() < apart.len() {
            let open: Vec<usize> = (0..words.len()).filter(|key| next[*key] < words[*key].len()).collect();
            let key = *choices.next().unwrap().get(&open);
            mixed.push((key, next[key]));
            next[key] += 1;
        }
        let audit = |places: &[(usize, usize)]| {
            let text: String = places.iter().map(|(key, index)| line(*key, *index)).collect();
            let options = Options { after, ..Options::default() };
            shown(setup.audit(&text, options, false).0, places)
        };
        prop_assert_eq!(audit(&apart), audit(&mixed));
    }
}

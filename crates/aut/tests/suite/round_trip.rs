//! Reading what was written gives the same, and reading anything gives no panic.

use proptest::prelude::*;
use servanda_aut::{load, write};
use servanda_lts::{Labels, Lts, State};
use servanda_syntax::SourceFile;

fn read(text: &str) -> servanda_aut::Loaded {
    load(&SourceFile::new("test.aut", text))
}

fn label() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("tau".to_owned()),
        "[a-d]",
        "[a-z]{1,3}\\([a-z, ]{0,5}\\)",
        // Anything on one line, quotation marks and commas included.
        "[^\\r\\n]{1,8}".prop_filter("not internal", |label| label != "i" && !label.starts_with("tau<")),
    ]
}

fn system() -> impl Strategy<Value = Lts> {
    (1usize..8).prop_flat_map(|states| {
        let state = 0..states as u32;
        let transitions = prop::collection::vec((state.clone(), label(), state.clone()), 0..20);
        (Just(states), state, transitions).prop_map(|(states, initial, transitions)| {
            let mut labels = Labels::new();
            let transitions = transitions
                .into_iter()
                .map(|(source, label, target)| (State(source), labels.number(&label), State(target)))
                .collect();
            Lts::new(states, State(initial), transitions, labels)
        })
    })
}

fn described(lts: &Lts) -> Vec<(u32, String, u32)> {
    let edges = lts.all_states().flat_map(|state| lts.edges(state).iter().map(move |edge| (state, edge)));
    let mut shown: Vec<_> = edges
        .map(|(state, edge)| (state.0, lts.labels().name(edge.action).to_owned(), edge.target.0))
        .collect();
    shown.sort();
    shown
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn written_and_read(lts in system()) {
        let text = write(&lts).unwrap();
        let loaded = read(&text);
        let again = loaded.system.ok_or_else(|| TestCaseError::fail(format!("{:?}\n{text}", loaded.diagnostics)))?;
        prop_assert_eq!(described(&lts), described(again.lts()));
        prop_assert_eq!((lts.initial(), lts.states()), (again.lts().initial(), again.lts().states()));
        prop_assert_eq!(text, write(again.lts()).unwrap());
    }

    #[test]
    fn any_text(text in "\\PC*") {
        read(&text);
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        read(&String::from_utf8_lossy(&bytes));
    }

    /// Texts that are nearly right go further than noise.
    #[test]
    fn nearly_right(lines in prop::collection::vec("(des ?)?\\(? ?[0-9]{0,11} ?,? ?\"?[a-c\"(,]{0,3}\"? ?, ?[0-9]{0,3} ?\\)?", 0..8)) {
        let text = format!("des (0, {}, 5)\n{}", lines.len(), lines.join("\n"));
        let loaded = read(&text);
        prop_assert_eq!(loaded.system.is_none(), loaded.diagnostics.iter().any(|found| found.is_error()));
        if let Some(system) = loaded.system {
            system.model();
        }
    }

    #[test]
    fn damaged(lts in system(), at in any::<prop::sample::Index>(), with in any::<char>()) {
        let mut text: Vec<char> = write(&lts).unwrap().chars().collect();
        let at = at.index(text.len());
        text[at] = with;
        read(&text.into_iter().collect::<String>());
    }
}

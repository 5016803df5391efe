//! Sets of packed states: numbers, room, order.

use super::*;

#[test]
fn states_are_numbered_in_the_order_of_their_discovery() {
    for words in 1..4 {
        let mut store = StateStore::new(words);
        let state = |k: u64| (0..words as u64).map(|w| k.wrapping_mul(w + 1) << 20).collect::<Vec<u64>>();
        for k in 0..5000 {
            assert_eq!(store.insert(&state(k)), (StateId(k as u32), true));
            assert_eq!(store.insert(&state(k / 2)), (StateId(k as u32 / 2), false));
        }
        assert_eq!(store.len(), 5000);
        assert_eq!(store.find(&state(4999)), Some(StateId(4999)));
        assert_eq!(store.find(&state(5000)), None);
        assert_eq!(store.get(StateId(77)), state(77));
        let mut many = StateStore::new(words);
        let twice: Vec<u64> = (0..5000).flat_map(|k| [state(k), state(k / 2)].concat()).collect();
        let mut number = 0;
        many.insert_all(&twice, |told, is_new| {
            assert_eq!(told, if number % 2 == 0 { state(number / 2) } else { state(number / 4) });
            assert_eq!(is_new, number % 2 == 0);
            number += 1;
        });
        assert_eq!(many.iter().collect::<Vec<_>>(), store.iter().collect::<Vec<_>>());
    }
}

#[test]
fn states_are_given_back_in_ascending_order_and_there_is_room_for_others() {
    for words in 1..7 {
        let mut store = StateStore::with_room(words, 500);
        for round in 1..4_u64 {
            let state =
                |k: u64| (0..words as u64).map(|w| (k * 7919 * round + w) % 499).collect::<Vec<u64>>();
            let mut expected: Vec<Vec<u64>> = (0..499).map(state).collect();
            assert!(expected.iter().all(|state| store.insert(state).1));
            expected.sort();
            let sorted = store.sorted(StateId(0), StateId(499));
            assert!(sorted.iter().map(|id| store.get(*id)).eq(&expected));
            let mut found = Vec::new();
            let given: Result<(), ()> = store.drain_sorted(|state| {
                found.push(state.to_vec());
                Ok(())
            });
            assert!(given.is_ok() && found == expected && store.is_empty());
            assert_eq!(store.find(&expected[0]), None);
        }
    }
}

#[test]
fn as_many_states_as_are_said_fit() {
    for words in [1, 2, 5] {
        for bytes in [1_000, 50_000, 1 << 20] {
            let states = StateStore::states_in(words, bytes);
            let mut store = StateStore::with_room(words, states);
            assert!((0..states as u64).all(|k| store.insert(&vec![k; words]).1));
            assert!(store.used_bytes() <= bytes && store.bytes() <= bytes, "{words} words, {bytes} bytes");
            assert!(store.used_bytes() * 2 > bytes, "{words} words, {bytes} bytes");
        }
    }
    assert_eq!(StateStore::states_in(1, 0), 0);
}

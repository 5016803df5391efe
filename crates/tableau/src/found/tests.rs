//! Threads that enter the same states.

use servanda_model::StateStore;

use super::*;

/// Every thread enters all states of a sequence with repetitions; gives how many each found to be new.
fn enter_from_all(found: &Found, states: &[Vec<u64>]) -> usize {
    let mut left: Vec<Vec<&Vec<u64>>> = vec![states.iter().collect(); found.threads()];
    let mut new = 0;
    while left.iter().any(|left| !left.is_empty()) {
        (0..found.threads())
            .try_for_each(|thread| found.make_room(thread, &servanda_engine::NoLimits))
            .expect("few states");
        let enter = |(thread, left): (usize, &mut Vec<&Vec<u64>>)| {
            let open = found.open();
            let mut share = open.share(thread);
            let mut new = 0;
            let mut folded = Folded::default();
            while let Some(state) = left.last() {
                let hash = [StateStore::hash(state)];
                let (kept, [hash]) = open.fold(state, &hash, &mut share, &mut folded) else { break };
                match open.enter(kept, *hash, &mut share) {
                    Entered::New => new += 1,
                    Entered::Known => {}
                    Entered::NoRoom => break,
                }
                left.pop();
            }
            drop(open);
            found.settle(&share);
            new
        };
        new += std::thread::scope(|scope| {
            let threads = left.iter_mut().enumerate();
            let threads: Vec<_> = threads.map(|own| scope.spawn(move || enter(own))).collect();
            threads.into_iter().map(|thread| thread.join().expect("no panic")).sum::<usize>()
        });
    }
    new
}

fn sorted(found: &Found) -> Vec<Vec<u64>> {
    let mut states = Vec::new();
    found.for_each(|state| states.push(state.to_vec()));
    states.sort_unstable();
    states
}

#[test]
fn each_state_is_new_once_however_many_threads_enter_it() {
    for words in [1, 2, 3, 4, 5, 9, 16] {
        for threads in 1..=3 {
            let found = Found::new(words, threads);
            let state = |k: u64| (0..words as u64).map(|w| (k % 5000).wrapping_mul(w * w + 1) << 9).collect();
            let states: Vec<Vec<u64>> = (0..20_000).map(state).collect();
            assert_eq!(enter_from_all(&found, &states), 5000, "{words} words, {threads} threads");
            assert_eq!(found.len(), 5000);
            let mut expected = states[..5000].to_vec();
            expected.sort_unstable();
            assert_eq!(sorted(&found), expected);
        }
    }
}

#[test]
fn words_at_both_ends_are_states_like_others() {
    let found = Found::new(1, 2);
    let states: Vec<Vec<u64>> = [0, 1, u64::MAX - 1, u64::MAX, 0, u64::MAX].map(|word| vec![word]).into();
    assert_eq!(enter_from_all(&found, &states), 4);
    assert_eq!(found.len(), 4);
    assert_eq!(sorted(&found), [[0], [1], [u64::MAX - 1], [u64::MAX]]);
}

#[test]
fn a_share_is_never_exceeded() {
    let found = Found::new(1, 1);
    let open = found.open();
    let mut share = open.share(0);
    let room = share.states().places()[0];
    let mut enter = |word: u64| open.enter(&[word], StateStore::hash(&[word]), &mut share);
    assert!((0..room as u64).all(|word| enter(word) == Entered::New));
    assert!(enter(room as u64) == Entered::NoRoom);
    assert!(enter(0) == Entered::Known, "what is there is found without room");
}

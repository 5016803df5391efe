//! Every engine on random talks and formulas about them.

use std::cell::RefCell;

use servanda_testkit::{Room, Trials, Tried, verdicts_of_all};

const ROOM: Room = Room { states: 1000, diagram_nodes: 1 << 16, solver_calls: 3000 };

#[test]
fn engines_agree_on_talks() {
    let counts = RefCell::new(vec![("", 0_u64); 5]);
    let asked = std::cell::Cell::new(0_u64);
    Trials::from_environment(400).on_talks(|case| {
        let mut verdicts = verdicts_of_all(&case.model, &case.properties, case.options, ROOM).into_iter();
        let Some((_, reference)) = verdicts.next() else { return Ok(Tried::Skipped) };
        if reference.iter().all(Option::is_none) {
            return Ok(Tried::Skipped);
        }
        asked.set(asked.get() + reference.iter().flatten().count() as u64);
        for (number, (engine, found)) in verdicts.enumerate() {
            let count = &mut counts.borrow_mut()[number];
            count.0 = engine;
            for (property, (wanted, found)) in case.properties.iter().zip(reference.iter().zip(&found)) {
                let (Some(wanted), Some(found)) = (wanted, found) else { continue };
                count.1 += 1;
                if wanted != found {
                    return Err(format!(
                        "enumerate says {wanted} and {engine} says {found} of\n{}\nproperty {}\nwith {:?}",
                        case.text, property.text, case.options
                    ));
                }
            }
        }
        Ok(Tried::Holds)
    });
    let asked = asked.get();
    for (engine, percent) in [("tableau", 95), ("bdd", 70), ("sat", 50), ("cluster", 25)] {
        let decided = counts.borrow().iter().find(|(own, _)| *own == engine).map_or(0, |(_, count)| *count);
        assert!(decided * 100 >= asked * percent, "{engine} decided only {decided} of {asked}");
    }
}

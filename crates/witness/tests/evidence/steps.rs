//! A step of a round is looked up without listing all joint actions; it must say what the list says.

use servanda_model::{Cause, Mover};
use servanda_testkit::{RandomModel, Trials};

/// So many states of each model are looked at.
const MOST_STATES: usize = 20;

#[test]
fn a_step_is_there_exactly_where_it_is_listed() {
    let mut asked = 0u64;
    for RandomModel { text, model, .. } in Trials::from_environment(200).ispl_models() {
        let mut mover = Mover::new(&model);
        let mut states: Vec<Vec<u64>> = mover.initial_states().take(MOST_STATES).collect();
        let mut at = 0;
        while at < states.len().min(MOST_STATES) {
            let state = states[at].clone();
            at += 1;
            let mut listed: Vec<(Vec<usize>, Vec<u64>)> = Vec::new();
            let moved = mover.for_each(&state, |cause, next| {
                let Cause::JointAction(joint) = cause else { panic!("agents act in rounds") };
                listed.push((joint.to_vec(), next.to_vec()));
            });
            moved.expect("rounds do not fail");
            let mut targets: Vec<Vec<u64>> = listed.iter().map(|(_, next)| next.clone()).collect();
            states.extend(targets.iter().filter(|next| !states.contains(next)).cloned().collect::<Vec<_>>());
            targets.extend(states.iter().take(MOST_STATES).cloned());
            targets.sort();
            targets.dedup();
            let mut joints: Vec<Vec<usize>> = listed.iter().map(|(joint, _)| joint.clone()).collect();
            // One that no protocol may permit.
            joints.push(vec![0; model.agents.len()]);
            joints.dedup();
            for joint in &joints {
                for target in &targets {
                    asked += 1;
                    let there = listed.contains(&(joint.clone(), target.clone()));
                    assert_eq!(mover.lines_to(&state, joint, target).is_some(), there, "{joint:?}\n{text}");
                }
            }
        }
    }
    assert!(asked > 10_000, "hardly anything was asked: {asked}");
}

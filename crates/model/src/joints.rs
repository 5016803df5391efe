//! Joint actions without duplicates.

use rustc_hash::FxHashMap;

use crate::AgentId;

/// The joint actions met, numbered in the order in which they were.
#[derive(Clone, Debug, Default)]
pub struct JointActions {
    numbers: FxHashMap<Vec<usize>, u32>,
    actions: Vec<Vec<usize>>,
}

impl JointActions {
    /// The number of a joint action, which is added if it is new.
    pub fn number(&mut self, joint: &[usize]) -> u32 {
        if let Some(&number) = self.numbers.get(joint) {
            return number;
        }
        let number = self.actions.len() as u32;
        self.numbers.insert(joint.to_vec(), number);
        self.actions.push(joint.to_vec());
        number
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.actions.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.actions.is_empty()
    }

    /// The joint action of a number: an action per agent.
    pub fn get(&self, number: u32) -> Option<&[usize]> {
        self.actions.get(number as usize).map(Vec::as_slice)
    }

    /// An agent's part of the joint action of a number.
    pub fn part(&self, number: u32, agent: AgentId) -> Option<usize> {
        self.get(number).map(|joint| joint[agent.index()])
    }
}

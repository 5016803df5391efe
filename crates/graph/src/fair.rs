//! Loops that keep what they must: E. A. Emerson and C.-L. Lei, "Modalities for model checking: branching time logic strikes back" (1987),
//! section 5.

use crate::try_for_each_component;

/// A graph whose steps keep something and whose nodes demand something, one bit each.
#[derive(Clone, Debug, Default)]
pub struct Demanding {
    /// By node its steps: where each leads, and what it keeps.
    pub steps: Vec<Vec<(usize, u64)>>,
    /// By node what must be kept again and again by those who visit it again and again.
    pub demands: Vec<u64>,
}

impl Demanding {
    /// Is there a path that goes on for ever and keeps all that is demanded where it passes again and again?
    ///
    /// # Errors
    ///
    /// When `go_on`, which is asked at every node, does not agree.
    pub fn has_fair_part<E>(&self, go_on: impl FnMut() -> Result<(), E>) -> Result<bool, E> {
        Ok(!self.fair_parts(1, go_on)?.is_empty())
    }

    /// At most so many of the largest strongly connected parts such that whoever goes round in one, through all of it, keeps all that
    /// its nodes demand.
    ///
    /// # Errors
    ///
    /// When `go_on`, which is asked at every node, does not agree.
    pub fn fair_parts<E>(
        &self,
        most: usize,
        mut go_on: impl FnMut() -> Result<(), E>,
    ) -> Result<Vec<Vec<usize>>, E> {
        let mut found = Vec::new();
        // By node the number of the piece of the graph it is in, and its place there. No loop leaves a piece.
        let (mut piece, mut place) = (vec![0_usize; self.steps.len()], vec![0_usize; self.steps.len()]);
        let mut todo: Vec<Vec<usize>> = vec![(0..self.steps.len()).collect()];
        let mut number = 0;
        while let Some(members) = todo.pop() {
            number += 1;
            for (at, node) in members.iter().enumerate() {
                (piece[*node], place[*node]) = (number, at);
            }
            let next = |from: usize, at: &mut usize| {
                let steps = &self.steps[members[from]];
                while let Some((target, _)) = steps.get(*at) {
                    *at += 1;
                    if piece[*target] == number {
                        return Some(place[*target]);
                    }
                }
                None
            };
            let mut components: Vec<Vec<usize>> = Vec::new();
            let visit = |component: &[usize]| {
                components.push(component.iter().map(|at| members[*at]).collect());
            };
            try_for_each_component(members.len(), |_| 0, next, &mut go_on, visit)?;
            for component in components {
                number += 1;
                component.iter().for_each(|node| piece[*node] = number);
                let inside = component.iter().flat_map(|node| &self.steps[*node]);
                let inside = inside.filter(|(target, _)| piece[*target] == number);
                let (turns, kept) = inside.fold((false, 0), |(_, all), (_, kept)| (true, all | kept));
                let missing = component.iter().fold(0, |all, node| all | self.demands[*node]) & !kept;
                if turns && missing == 0 {
                    found.push(component);
                    if found.len() == most {
                        return Ok(found);
                    }
                    continue;
                }
                // Whoever demands what is kept nowhere here cannot be visited again and again.
                let left = component.into_iter().filter(|node| self.demands[*node] & missing == 0);
                let left: Vec<usize> = left.collect();
                if turns && !left.is_empty() {
                    todo.push(left);
                }
            }
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    fn parts(steps: &[&[(usize, u64)]], demands: &[u64]) -> Vec<Vec<usize>> {
        let steps = steps.iter().map(|steps| steps.to_vec()).collect();
        let graph = Demanding { steps, demands: demands.to_vec() };
        let Ok(mut found) = graph.fair_parts(usize::MAX, || Ok::<(), Infallible>(()));
        found.iter_mut().for_each(|part| part.sort_unstable());
        found.sort_unstable();
        found
    }

    #[test]
    fn a_part_keeps_what_its_nodes_demand() {
        assert_eq!(parts(&[&[(1, 0)], &[(0, 1)]], &[1, 0]), [[0, 1]]);
        assert!(parts(&[&[(1, 0)], &[(0, 0)]], &[1, 0]).is_empty());
        assert_eq!(parts(&[&[(0, 0), (1, 0)], &[(1, 1)]], &[0, 1]), [[0], [1]]);
    }

    #[test]
    fn whoever_demands_too_much_is_avoided() {
        // 0 and 1 go round; 1 demands what is kept nowhere, but 0 can stay where it is.
        assert_eq!(parts(&[&[(0, 0), (1, 0)], &[(0, 0)]], &[0, 1]), [[0]]);
        // What is kept on the way to it is of no use without it.
        assert!(parts(&[&[(0, 0), (1, 2)], &[(0, 0)]], &[2, 1]).is_empty());
    }

    #[test]
    fn a_node_that_leads_nowhere_is_no_loop() {
        assert!(parts(&[&[(1, 0)], &[]], &[0, 0]).is_empty());
    }
}

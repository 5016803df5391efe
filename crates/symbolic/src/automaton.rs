//! `E ψ` of CTL* by the automaton of ψ: a set of states for each of its states, from where some path goes on as that demands.
//!
//! The tableau of bits ([`crate::paths`]) has one bit for each temporal operator, and goes back by single steps of positions. A small
//! automaton has few sets, and where one of its states leads to itself the way there is closed by saturation: what a formula demands
//! from some point on is mostly that, and the same for ever (Schneider, "Improving automata generation for linear temporal logic by
//! considering the automaton hierarchy"; Duret-Lutz, Klai, Poitrenaud, Thierry-Mieg, "Self-loop aggregation product").

use servanda_engine::{Budget, Halt};
use servanda_graph::components;
use servanda_lower::{Over, PathFormula};
use servanda_paths::Automaton;

use crate::diagrams::{Bdd, Operations};
use crate::fairness::Fair;
use crate::symbolic::Symbolic;

/// Automata with more states than this are left to the tableau of bits.
const MOST_STATES: u32 = 64;

/// A step of the automaton.
struct Edge {
    /// Where it can be made.
    guard: Bdd,
    next: usize,
    /// The untils that it puts off.
    postponed: u64,
}

/// States of the automaton each of which leads to each other, and the sets of those that come later.
struct Component<'a> {
    edges: &'a [Vec<Edge>],
    members: Vec<usize>,
}

impl Symbolic<'_> {
    /// Where `E ψ` holds; `None` where there is no small automaton for it, or it looks at labels.
    pub(crate) fn by_automaton(
        &mut self,
        psi: PathFormula,
        over: Over,
        budget: &dyn Budget,
    ) -> Result<Option<Bdd>, Halt> {
        let whole = match self.encoding.model.behaviour.is_rounds() {
            true => return Ok(None),
            false => Automaton::whole(&self.lowering.arena, psi, budget),
        };
        let mut automaton = match whole {
            Err(Halt::TooLarge(_)) => return Ok(None),
            automaton => automaton?,
        };
        automaton.simplify(&self.lowering.arena, budget)?;
        let looks_at_labels = automaton
            .states()
            .any(|state| automaton.made_edges(state).iter().any(|edge| edge.label.is_some()));
        let demanding = self.fair.iter().any(|fair| fair.demands.is_some() || fair.taken.is_some());
        if looks_at_labels || demanding || automaton.states().end > MOST_STATES {
            return Ok(None);
        }
        let mut edges = Vec::new();
        for state in automaton.states() {
            let mut own = Vec::new();
            for edge in automaton.made_edges(state) {
                let mut guard = self.universe.clone();
                for (literal, sign) in &edge.here {
                    let holds = self.evaluate(*literal, budget)?;
                    guard = if *sign { guard.both(&holds)? } else { guard.without(&holds)? };
                }
                if !guard.is_false() {
                    own.push(Edge { guard, next: edge.next as usize, postponed: edge.postponed });
                }
            }
            edges.push(own);
        }
        let count = edges.len();
        let component_of = components(count, |state, at| edges[state].get(at).map(|edge| edge.next)).of;
        let mut from: Vec<Bdd> = vec![self.encoding.diagrams.falsity(); count];
        for number in 0..=component_of.iter().copied().max().unwrap_or(0) {
            let members: Vec<usize> = (0..count).filter(|state| component_of[*state] == number).collect();
            if let [state] = members[..]
                && automaton.is_satisfied(state as u32)
            {
                // Nothing more is demanded but that some path goes on; where all do, the universe has what fairness asks for.
                let everywhere = self.universe.clone();
                from[state] = match over {
                    Over::AllPaths => everywhere,
                    _ => self.globally_fair(&everywhere, budget)?,
                };
                continue;
            }
            let component = Component { edges: &edges, members };
            self.leave(&component, &mut from, budget)?;
            match component.members[..] {
                [state] => self.alone(&component, state, &mut from, budget)?,
                _ => self.together(&component, &mut from, budget)?,
            }
        }
        Ok(from.into_iter().next())
    }

    /// From where the steps out of a component lead to what is known.
    fn leave(
        &mut self,
        component: &Component<'_>,
        from: &mut [Bdd],
        budget: &dyn Budget,
    ) -> Result<(), Halt> {
        for state in &component.members {
            for edge in component.edges[*state].iter().filter(|edge| !component.members.contains(&edge.next))
            {
                let before = self.before(&from[edge.next], budget)?.both(&edge.guard)?;
                from[*state] = from[*state].either(&before)?;
            }
        }
        Ok(())
    }

    /// A state of the automaton that leads at most to itself: a path stays there for ever, or comes to where it leaves.
    fn alone(
        &mut self,
        component: &Component<'_>,
        state: usize,
        from: &mut [Bdd],
        budget: &dyn Budget,
    ) -> Result<(), Halt> {
        let through = self.guards(component, state, &[state])?;
        if through.is_false() {
            return Ok(());
        }
        let mut constraints = self.fair.clone();
        for bit in component.untils() {
            let mut meets = self.encoding.diagrams.falsity();
            for edge in component.inner(state).filter(|edge| edge.postponed >> bit & 1 == 0) {
                meets = meets.either(&edge.guard)?;
            }
            constraints.push(Fair::often(meets));
        }
        let stays = if constraints.iter().any(|fair| fair.holds.is_false()) {
            self.encoding.diagrams.falsity()
        } else {
            self.globally_with(&through, &constraints, budget)?
        };
        from[state] = self.until(&through, &from[state].either(&stays)?, budget)?;
        Ok(())
    }

    /// Where a step of a state of the automaton to one of some others can be made.
    fn guards(&self, component: &Component<'_>, state: usize, to: &[usize]) -> Result<Bdd, Halt> {
        let mut all = self.encoding.diagrams.falsity();
        for edge in component.edges[state].iter().filter(|edge| to.contains(&edge.next)) {
            all = all.either(&edge.guard)?;
        }
        Ok(all)
    }

    /// Several states of the automaton that lead to each other: the greatest sets from which every constraint can be met again by steps
    /// inside (Emerson and Lei), and from where these are reached.
    fn together(
        &mut self,
        component: &Component<'_>,
        from: &mut [Bdd],
        budget: &dyn Budget,
    ) -> Result<(), Halt> {
        let members = &component.members;
        let mut stays = Vec::new();
        for state in members {
            stays.push(self.guards(component, *state, members)?);
        }
        let untils: Vec<u32> = component.untils().collect();
        let fair: Vec<Bdd> = self.fair.iter().map(|fair| fair.holds.clone()).collect();
        loop {
            self.poll(budget)?;
            let known = stays.clone();
            for bit in &untils {
                let meets = self.inside(component, &stays, |edge| edge.postponed >> bit & 1 == 0, budget)?;
                stays = self.coming_to(component, meets, Some(&stays), budget)?;
            }
            for holds in &fair {
                let mut meets = self.inside(component, &stays, |_| true, budget)?;
                for set in &mut meets {
                    *set = set.both(holds)?;
                }
                stays = self.coming_to(component, meets, Some(&stays), budget)?;
            }
            if untils.is_empty() && fair.is_empty() {
                stays = self.inside(component, &stays, |_| true, budget)?;
            }
            if stays == known {
                break;
            }
        }
        let mut goals = Vec::new();
        for (state, stays) in members.iter().zip(&stays) {
            goals.push(from[*state].either(stays)?);
        }
        for (state, set) in members.iter().zip(self.coming_to(component, goals, None, budget)?) {
            from[*state] = set;
        }
        Ok(())
    }

    /// For each member the states in its set from which some of the steps inside lead to a set of a member.
    fn inside(
        &mut self,
        component: &Component<'_>,
        sets: &[Bdd],
        which: impl Fn(&Edge) -> bool,
        budget: &dyn Budget,
    ) -> Result<Vec<Bdd>, Halt> {
        let mut before = Vec::new();
        for set in sets {
            before.push(self.before(set, budget)?);
        }
        let mut found = Vec::new();
        for (state, set) in component.members.iter().zip(sets) {
            let mut all = self.encoding.diagrams.falsity();
            for edge in component.inner(*state).filter(|edge| which(edge)) {
                let step = before[component.place(edge.next)].both(&edge.guard)?;
                all = all.either(&step.both(set)?)?;
            }
            found.push(all);
        }
        Ok(found)
    }

    /// For each member the states from which steps inside lead to the goal of a member, by states of these sets alone if there are some.
    fn coming_to(
        &mut self,
        component: &Component<'_>,
        goals: Vec<Bdd>,
        within: Option<&[Bdd]>,
        budget: &dyn Budget,
    ) -> Result<Vec<Bdd>, Halt> {
        let mut reached = goals;
        loop {
            self.poll(budget)?;
            let known = reached.clone();
            for (at, state) in component.members.iter().enumerate() {
                let bound = within.map_or(&self.universe, |within| &within[at]).clone();
                for edge in component.inner(*state).filter(|edge| edge.next != *state) {
                    let step = self.before(&reached[component.place(edge.next)], budget)?;
                    reached[at] = reached[at].either(&step.both(&edge.guard)?.both(&bound)?)?;
                }
                let through = self.guards(component, *state, &[*state])?.both(&bound)?;
                if !through.is_false() {
                    reached[at] = self.until(&through, &reached[at], budget)?;
                }
            }
            if reached == known {
                return Ok(reached);
            }
        }
    }
}

impl Component<'_> {
    /// The steps of a member that stay inside.
    fn inner(&self, state: usize) -> impl Iterator<Item = &Edge> {
        self.edges[state].iter().filter(|edge| self.members.contains(&edge.next))
    }

    /// The place of a member.
    fn place(&self, state: usize) -> usize {
        self.members.iter().position(|member| *member == state).unwrap_or(0)
    }

    /// The untils that some step inside puts off.
    fn untils(&self) -> impl Iterator<Item = u32> {
        let inner = self.members.iter().flat_map(|state| self.inner(*state));
        let all = inner.fold(0, |all, edge| all | edge.postponed);
        (0..u64::BITS).filter(move |bit| all >> bit & 1 == 1)
    }
}

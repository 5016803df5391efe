//! `E ψ`: the states together with the automaton of ψ, spread over the workers as the states are, and the points of this product from
//! which a path goes on for ever and meets every acceptance set again and again.
//!
//! The points that cannot are taken away, acceptance set by acceptance set, until nothing changes: the fixpoint of Emerson and Lei, "Modalities
//! for model checking" (1987), and the backward form of Černá and Pelánek's "Distributed explicit fair cycle detection" (OWCTY, SPIN 2003).
//! What ψ says only of what comes again and again is not in the automaton but among the acceptance sets, as fairness is.

use rustc_hash::FxHashMap;
use servanda_engine::Halt;
use servanda_lower::{CoreFormula as _, PathFormula, StateFormula};
use servanda_paths::{Automaton, Recurring, take_recurring};

use crate::board::Trouble;
use crate::evaluate::Evaluation;
use crate::fairness::Fair;
use crate::flood::Points;
use crate::links::Links;

/// The most constraints of strong fairness: all their subsets are tried.
const MOST_STRONG: usize = 6;

/// The bytes that a point takes while points are taken away: in sets, in a queue, and how many ways lead on.
const OF_POINT: usize = 12;

/// An edge of the automaton, by the state that it leads to.
struct Arrow {
    from: usize,
    /// By state of the model: is what must hold there so?
    here: Vec<bool>,
    /// By slot: does the step meet the condition? `None` where there is none.
    steps: Option<usize>,
    postponed: u64,
}

/// What must be met again and again.
#[derive(Clone, Copy)]
enum Acceptance {
    /// Whatever is done.
    Always,
    /// An until that is not put off: its bit.
    Until(u64),
    /// A fairness constraint, by number.
    Fair(usize),
}

/// The product of the states of a worker with an automaton.
pub(crate) struct Product<'a> {
    links: &'a Links,
    fair: Vec<&'a Fair>,
    pub(crate) points: Points,
    /// By state of the automaton.
    arrows: Vec<Vec<Arrow>>,
    conditions: Vec<Vec<bool>>,
    untils: u64,
}

impl Product<'_> {
    /// Calls `visit` with the points from which a slot leads to a point with this mark, and whether that meets the acceptance set.
    #[inline]
    fn sources(&self, slot: u32, mark: usize, acceptance: Acceptance, mut visit: impl FnMut(usize, bool)) {
        let state = self.links.source(slot) as usize;
        for arrow in &self.arrows[mark] {
            let goes = arrow.here[state] && arrow.steps.is_none_or(|k| self.conditions[k][slot as usize]);
            if goes {
                let meets = match acceptance {
                    Acceptance::Always => true,
                    Acceptance::Until(bit) => arrow.postponed & bit == 0,
                    Acceptance::Fair(number) => self.fair[number].is_met(self.links, slot),
                };
                visit(state * self.points.marks + arrow.from, meets);
            }
        }
    }
}

impl Evaluation<'_, '_> {
    /// Where some path satisfies ψ, which does not look back.
    ///
    /// # Errors
    ///
    /// When the work is stopped, or the automaton is too large.
    pub(crate) fn some_path(&mut self, psi: PathFormula) -> Result<Vec<bool>, Trouble> {
        let (mut rest, mut recurring) = take_recurring(&mut self.lowering.arena, psi, 1);
        let is_strong = |one: &&Recurring| one.wanted != StateFormula::TRUE && one.kept != PathFormula::FALSE;
        let strong = self.graph.fair.iter().filter(|fair| fair.demands.is_some()).count();
        if strong + recurring.iter().filter(is_strong).count() > MOST_STRONG {
            (rest, recurring) = (psi, Vec::new());
        }
        let recurring = recurring.into_iter().map(|one| self.demanded(one));
        let recurring = recurring.collect::<Result<Vec<Fair>, Trouble>>()?;
        let automaton = self.automaton(rest)?;
        let states = automaton.states().len();
        let all_edges = || automaton.states().flat_map(|state| automaton.made_edges(state));
        let literals: Vec<StateFormula> =
            all_edges().flat_map(|edge| edge.here.iter().map(|literal| literal.0)).collect();
        for id in literals {
            self.evaluate(id)?;
        }
        let mut product = Product {
            links: &self.graph.links,
            fair: self.graph.fair.iter().chain(&recurring).collect(),
            points: Points { marks: states },
            arrows: (0..states).map(|_| Vec::new()).collect(),
            conditions: Vec::new(),
            untils: 0,
        };
        let mut numbers: FxHashMap<u32, usize> = FxHashMap::default();
        for from in automaton.states() {
            for edge in automaton.made_edges(from) {
                let steps = edge.label.map(|number| {
                    *numbers.entry(number).or_insert_with(|| {
                        let condition = automaton.condition(number);
                        product.conditions.push(product.links.matching(condition, &self.lowering.arena));
                        product.conditions.len() - 1
                    })
                });
                let mut here = vec![true; self.crew.shard.len() as usize];
                for (id, sign) in &edge.here {
                    here.iter_mut().zip(&self.truth[id]).for_each(|(here, value)| *here &= value == sign);
                }
                product.untils |= edge.postponed;
                let arrow = Arrow { from: from as usize, here, steps, postponed: edge.postponed };
                product.arrows[edge.next as usize].push(arrow);
            }
        }
        let live = self.crew.live(&product)?;
        Ok(live.chunks_exact(states).map(|marks| marks[0]).collect())
    }

    /// The automaton of ψ, as small as it becomes. Every worker makes it, and it may take long: if one stops, all do.
    fn automaton(&mut self, psi: PathFormula) -> Result<Automaton, Trouble> {
        let (arena, board) = (&self.lowering.arena, self.crew.board);
        let made = Automaton::whole(arena, psi, board).and_then(|mut automaton| {
            automaton.simplify(arena, board)?;
            Ok(automaton)
        });
        let has_room = made.as_ref().map_or(true, |automaton| self.crew.has_room(automaton));
        let is_stopped = matches!(made, Err(Halt::Stopped { .. })) || !has_room;
        let [stopped] = self.crew.fabric.sum([u64::from(is_stopped)])?;
        if stopped > 0 { Err(Trouble::Stopped) } else { Ok(made?) }
    }
}

impl crate::worker::Crew<'_> {
    /// Is there memory for the product with an automaton?
    fn has_room(&self, automaton: &Automaton) -> bool {
        let states = self.shard.len() as usize;
        let edges: usize = automaton.states().map(|state| automaton.made_edges(state).len()).sum();
        self.shard.purse.take(states.saturating_mul(edges + automaton.states().len() * OF_POINT))
    }

    /// The points from which a path goes on for ever and meets all acceptance sets and fairness constraints.
    fn live(&mut self, product: &Product<'_>) -> Result<Vec<bool>, Trouble> {
        let points = product.points.of(self.shard.len())?;
        let untils = (0..64).map(|bit| 1 << bit).filter(|bit| product.untils & bit != 0);
        let (strong, weak): (Vec<usize>, Vec<usize>) =
            (0..product.fair.len()).partition(|number| product.fair[*number].demands.is_some());
        // What cannot be met must not be demanded: there is no choice.
        let (strong, hopeless): (Vec<usize>, Vec<usize>) =
            strong.into_iter().partition(|number| product.fair[*number].can_be_met);
        if strong.len() > MOST_STRONG {
            let reason = format!(
                "more than {MOST_STRONG} constraints of strong fairness, in the model and the formula, are beyond the engine cluster"
            );
            return Err(Trouble::Halt(Halt::TooLarge(reason)));
        }
        let always: Vec<Acceptance> =
            untils.map(Acceptance::Until).chain(weak.into_iter().map(Acceptance::Fair)).collect();
        if strong.is_empty() && hopeless.is_empty() {
            return self.recurring(product, vec![true; points], &always);
        }
        // From some position on a path meets no demand of some of the constraints, and meets the others again and again.
        let mut live = vec![false; points];
        for subset in 0..1_u32 << strong.len() {
            let (silent, kept): (Vec<_>, Vec<_>) =
                strong.iter().enumerate().partition(|(k, _)| subset >> k & 1 == 1);
            let mut sets = always.clone();
            sets.extend(kept.iter().map(|(_, number)| Acceptance::Fair(**number)));
            let demanded = |state: usize| {
                let is_in =
                    |number: &usize| product.fair[*number].demands.as_ref().is_some_and(|set| set[state]);
                silent.iter().map(|(_, number)| *number).chain(&hopeless).any(is_in)
            };
            let begin = (0..points).map(|point| !demanded(point / product.points.marks)).collect();
            let found = self.recurring(product, begin, &sets)?;
            live.iter_mut().zip(found).for_each(|(live, found)| *live |= found);
        }
        let queue = (0..points as u32).filter(|point| live[*point as usize]).collect();
        self.flood(product.links, product.points, queue, |slot, mark, queue| {
            product.sources(slot, mark, Acceptance::Always, |point, _| {
                if !std::mem::replace(&mut live[point], true) {
                    queue.push(point as u32);
                }
            });
        })?;
        Ok(live)
    }

    /// The points of a set from which a path goes on in it for ever and meets all acceptance sets.
    fn recurring(
        &mut self,
        product: &Product<'_>,
        mut set: Vec<bool>,
        acceptance: &[Acceptance],
    ) -> Result<Vec<bool>, Trouble> {
        let mut unchanged = 0;
        self.trim(product, &mut set)?;
        while unchanged < acceptance.len() {
            for one in acceptance {
                let before = self.count(&set)?;
                set = self.reaching(product, &set, *one)?;
                let after = self.count(&set)?;
                if after == before {
                    unchanged += 1;
                } else {
                    unchanged = 0;
                    self.trim(product, &mut set)?;
                }
                if unchanged >= acceptance.len() {
                    break;
                }
            }
        }
        Ok(set)
    }

    fn count(&mut self, set: &[bool]) -> Result<u64, Trouble> {
        let [all] = self.fabric.sum([set.iter().filter(|member| **member).count() as u64])?;
        Ok(all)
    }

    /// The points of a set from which a step within the set that meets the acceptance set can be reached.
    fn reaching(
        &mut self,
        product: &Product<'_>,
        set: &[bool],
        acceptance: Acceptance,
    ) -> Result<Vec<bool>, Trouble> {
        let mut found = vec![false; set.len()];
        let mut seeds = Vec::new();
        self.flood(product.links, product.points, members(set), |slot, mark, _| {
            product.sources(slot, mark, acceptance, |point, meets| {
                if meets && set[point] && !std::mem::replace(&mut found[point], true) {
                    seeds.push(point as u32);
                }
            });
        })?;
        self.flood(product.links, product.points, seeds, |slot, mark, queue| {
            product.sources(slot, mark, acceptance, |point, _| {
                if set[point] && !std::mem::replace(&mut found[point], true) {
                    queue.push(point as u32);
                }
            });
        })?;
        Ok(found)
    }

    /// Takes away the points from which no path goes on for ever within the set.
    fn trim(&mut self, product: &Product<'_>, set: &mut [bool]) -> Result<(), Trouble> {
        let mut ways = vec![0_u32; set.len()];
        self.flood(product.links, product.points, members(set), |slot, mark, _| {
            product.sources(slot, mark, Acceptance::Always, |point, _| ways[point] += 1);
        })?;
        let mut queue = Vec::new();
        for (point, (member, ways)) in set.iter_mut().zip(&ways).enumerate() {
            if *member && *ways == 0 {
                *member = false;
                queue.push(point as u32);
            }
        }
        self.flood(product.links, product.points, queue, |slot, mark, queue| {
            product.sources(slot, mark, Acceptance::Always, |point, _| {
                ways[point] -= 1;
                if ways[point] == 0 && std::mem::replace(&mut set[point], false) {
                    queue.push(point as u32);
                }
            });
        })
    }
}

/// The numbers of the members of a set.
pub(crate) fn members(set: &[bool]) -> Vec<u32> {
    (0..set.len() as u32).filter(|point| set[*point as usize]).collect()
}

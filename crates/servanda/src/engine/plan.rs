//! Which engines work on a model, who leads, and why.

use std::time::Duration;

use super::registry::{BDD, Entry, Kind, SAT, TABLEAU, entry};
use super::turns::Entrance;
use super::{EngineChoice, growth, shape, shape::Few};
use crate::Loaded;

/// Engines in the order in which they are considered; the first leads.
#[derive(Clone)]
pub(crate) struct Plan {
    pub(crate) members: Vec<(&'static Entry, Entrance)>,
    /// So long the first works alone where it does not look at reachable states.
    pub(crate) alone: Duration,
    /// Are a few states looked at before anything is decided?
    pub(crate) first_look: bool,
    /// How many these are; `None` where not even the initial ones are listed soon.
    pub(crate) few: Option<Few>,
    /// Does that come before anything else, since much depends on what is seen?
    pub(crate) looks_ahead: bool,
    /// Is the first heard of often, so that the others need not be there before it has worked for a while?
    pub(crate) on_call: bool,
    /// Has a first look shown that there are many states, though nobody knows how many?
    pub(crate) many: bool,
    /// Is the model so small that diagrams of it need little room?
    pub(crate) little_room: bool,
    /// The engines for so many parts of a model are kept side by side.
    pub(crate) parts: usize,
    /// Why the first leads.
    pub(crate) reason: &'static str,
}

/// Most protocols and processes are decided by then, one state after the other.
const FIRST_LOOK: Duration = Duration::from_millis(8);

/// Most models of agents that act in rounds are decided by then, with diagrams.
const DIAGRAMS_ALONE: Duration = Duration::from_millis(60);

/// Where more agents than these act in a round, a round takes long and there are hardly ever few of them; so no states are looked at first.
const MANY_AGENTS: usize = 16;

/// What is asked about few states that are known is mostly decided by then.
const STATES_ARE_KNOWN: Duration = Duration::from_millis(10);

/// Diagrams of sets of so few states are small, and so is what an operation on them takes.
const FEW_TYPED_STATES: u64 = 1 << 24;

/// Diagrams of steps between so few states are small as well.
const VERY_FEW_TYPED_STATES: u64 = 1 << 12;

/// Where no more states lie at a distance, to visit them takes less time than a step from all of them at once.
pub(super) const NARROW: usize = 32;

/// So many states take long to visit one by one.
const MANY_STATES: f64 = 65_536.0;

/// Not much more than one state at each distance.
const SINGLE: usize = 2;

/// What a solver decides and nobody else takes the others longer than this anyway.
const SOLVER_WAITS: Duration = Duration::from_millis(80);

/// The same where there are many states.
const SOLVER_WAITS_FOR_MANY: Duration = Duration::from_millis(160);

/// A solver decides most of what is merely about states that can be reached in so little time that it is asked before others have shown how
/// far they come.
const SOLVER_LOOKS: Duration = Duration::from_millis(8);

/// To encode rounds alone takes a solver longer than most of these models take with diagrams.
const SOLVER_WAITS_FOR_ROUNDS: Duration = Duration::from_secs(2);

impl Plan {
    /// The engine that the user chose, or those that suit the model.
    pub(crate) fn new(loaded: &Loaded, choice: EngineChoice) -> Self {
        if let EngineChoice::Only(name) = choice {
            return Plan::one(name, "it was asked for");
        }
        if loaded.transition_system().is_some() {
            let reason = "what a text lists state by state is not too large to be visited";
            let few = Some(Few::new(loaded.model()));
            return Plan { first_look: true, few, ..Plan::one(TABLEAU, reason) };
        }
        let plan = Plan::of_shape(loaded);
        if loaded.lists_initial_states_soon() {
            return Plan { few: Some(Few::new(loaded.model())), ..plan };
        }
        plan.knowing_no_states()
    }

    /// The plan for a model that is not listed state by state.
    fn of_shape(loaded: &Loaded) -> Self {
        let at_once = Duration::ZERO;
        let rounds = loaded.model().behaviour.is_rounds();
        let Some(alone) = shape::patience(loaded.model()) else {
            return if rounds {
                let order =
                    [(BDD, at_once, 3), (TABLEAU, DIAGRAMS_ALONE, 8), (SAT, SOLVER_WAITS_FOR_ROUNDS, 10)];
                let at_most = |most| loaded.model().typed_states().is_some_and(|states| states <= most);
                let (on_call, little_room) = (at_most(FEW_TYPED_STATES), at_most(VERY_FEW_TYPED_STATES));
                let reason = "agents that act in rounds mostly have small diagrams";
                let looks_ahead = loaded.model().behaviour.programs().len() <= MANY_AGENTS;
                Plan { on_call, little_room, looks_ahead, ..Plan::in_order(order, reason) }
            } else {
                let order = [(TABLEAU, at_once, 4), (BDD, FIRST_LOOK, 4), (SAT, SOLVER_WAITS, 6)];
                let reason = "most protocols and processes are decided by visiting few states";
                Plan { on_call: true, looks_ahead: true, ..Plan::in_order(order, reason) }
            };
        };
        let (second, third) = if rounds { (BDD, TABLEAU) } else { (TABLEAU, BDD) };
        let order = [(SAT, at_once, 2), (second, at_once, 2), (third, DIAGRAMS_ALONE, 8)];
        Plan { alone, ..Plan::in_order(order, "diagrams of products of wide numbers are large") }
    }

    /// Each with how long it waits, and one part in how many of the leader's work it does from then on.
    fn in_order(order: [(&'static str, Duration, u32); 3], reason: &'static str) -> Self {
        let members = order.map(|(name, after, share)| (entry(name), Entrance { after, share })).into();
        Plan { members, first_look: true, ..Plan::of(reason) }
    }

    /// One engine, which works on a question whatever it takes.
    pub(crate) fn one(name: &'static str, reason: &'static str) -> Self {
        let members = vec![(entry(name), Entrance { after: Duration::ZERO, share: 1 })];
        Plan { members, ..Plan::of(reason) }
    }

    /// Nobody, who has no privileges.
    fn of(reason: &'static str) -> Self {
        Plan {
            members: Vec::new(),
            alone: Duration::ZERO,
            first_look: false,
            few: None,
            looks_ahead: false,
            on_call: false,
            many: false,
            little_room: false,
            parts: 1,
            reason,
        }
    }

    /// The same where a look ahead has found all states: whoever has them leads, and most likely needs nobody else.
    pub(crate) fn knowing_all_states(mut self) -> Self {
        let Some(at) = self.members.iter().position(|(entry, _)| entry.name == TABLEAU) else { return self };
        let (visitor, _) = self.members.remove(at);
        for (_, entrance) in &mut self.members {
            entrance.after = entrance.after.max(STATES_ARE_KNOWN);
            entrance.share = entrance.share.max(3);
        }
        self.members.insert(0, (visitor, Entrance { after: Duration::ZERO, share: 4 }));
        let reason = "there are few states, and a first look has found them all";
        Plan { on_call: true, reason, ..self }
    }

    /// The same where all that is asked is which states can be reached, and commands take the steps: what is proved by induction, and what
    /// runs at random show, a solver says at once, however many states there are. Who visits states keeps no steps then, and is so much faster
    /// that sets have no more than their usual part.
    pub(crate) fn asking_what_is_reached(mut self) -> Self {
        self.many = false;
        let solver = self.members.iter().position(|(entry, _)| entry.kind == Kind::Proofs);
        if let Some(at) = solver.filter(|_| self.lead() == TABLEAU) {
            let (solver, _) = self.members.remove(at);
            self.members.insert(1, (solver, Entrance { after: SOLVER_LOOKS, share: 4 }));
        }
        self
    }

    /// The same where a first look at some of the states has found so many at each distance.
    pub(crate) fn knowing_widths(self, widths: &[usize]) -> Self {
        let many = growth::states_expected(widths) >= MANY_STATES;
        match growth::mean_width(widths) {
            Some(width) => self.knowing_width(width),
            None if many => self.knowing_many(),
            None => self,
        }
    }

    /// The same where there are many states: sets have a long turn, and a solver waits until that is over and works
    /// less.
    fn knowing_many(mut self) -> Self {
        for (entry, entrance) in &mut self.members {
            if entry.kind == Kind::Proofs {
                entrance.after = entrance.after.max(SOLVER_WAITS_FOR_MANY);
                entrance.share *= 3;
            }
        }
        Plan { many: true, ..self }
    }

    /// The same where states are far, and few at each distance: sets of them grow by little with each step, however many there are. Diagrams
    /// of commands need not go step by step, so there it must be next to one.
    fn knowing_width(mut self, width: usize) -> Self {
        if self.lead() == TABLEAU && width <= SINGLE {
            // Proofs that go step by step are as long as the way.
            for (entry, entrance) in &mut self.members {
                match entry.kind {
                    Kind::Sets => *entrance = Entrance { after: DIAGRAMS_ALONE, share: 8 },
                    Kind::Proofs => *entrance = Entrance { after: SOLVER_WAITS, share: 12 },
                    Kind::OnTheFly => {}
                }
            }
            return self;
        }
        if self.lead() != BDD || width > NARROW {
            return self;
        }
        let Some(at) = self.members.iter().position(|(entry, _)| entry.name == TABLEAU) else { return self };
        let (visitor, _) = self.members.remove(at);
        self.members[0].1 = Entrance { after: FIRST_LOOK, share: 4 };
        self.members.insert(0, (visitor, Entrance { after: Duration::ZERO, share: 4 }));
        Plan { reason: "a first look went far, and found few states at each distance", ..self }
    }

    /// The same for another part of a model where an engine has decided a part before anybody else. A solver, which sees nothing of what the
    /// others compete in, does not lead for that.
    pub(crate) fn led_by(mut self, name: &str) -> Self {
        let suits =
            |(entry, _): &(&'static Entry, Entrance)| entry.name == name && entry.kind != Kind::Proofs;
        let Some(at) = self.members.iter().position(suits).filter(|at| *at > 0) else { return self };
        let (leader, Entrance { share, .. }) = self.members.remove(at);
        self.members[0].1 = Entrance { after: FIRST_LOOK, share };
        self.members.insert(0, (leader, Entrance { after: Duration::ZERO, share }));
        Plan { reason: "it has decided another part of the model before anybody else", ..self }
    }

    /// The same where it takes long to list the initial states: whoever needs them one by one waits.
    fn knowing_no_states(mut self) -> Self {
        if let Some(at) = self.members.iter().position(|(entry, _)| entry.name == TABLEAU) {
            let (visitor, entrance) = self.members.remove(at);
            let after = entrance.after.max(DIAGRAMS_ALONE);
            self.members.push((visitor, Entrance { after, share: entrance.share.max(8) }));
        }
        if let Some((_, lead)) = self.members.first_mut() {
            *lead = Entrance { after: Duration::ZERO, share: 3 };
        }
        let reason = "there are many initial states, or it takes long to list them";
        Plan { looks_ahead: false, first_look: false, on_call: false, reason, ..self }
    }

    /// The engine that leads at first.
    pub(crate) fn lead(&self) -> &'static str {
        self.members.first().map_or("", |(entry, _)| entry.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Choices, Language};

    /// Who works on a model, in which order; then the same where a look ahead has found all its states.
    fn names(language: Language, text: &str) -> [String; 2] {
        let loaded = Loaded::read(language, "model", text, Choices::default()).expect("a good text");
        let names = |plan: &Plan| {
            let names: Vec<&str> = plan.members.iter().map(|(entry, _)| entry.name).collect();
            format!("{}{}", if plan.looks_ahead { "look, " } else { "" }, names.join(", "))
        };
        let plan = Plan::new(&loaded, EngineChoice::Auto);
        let general = names(&plan);
        [general, names(&plan.knowing_all_states())]
    }

    #[test]
    fn protocols_and_processes_are_visited() {
        let pact = "roles Ann\nvar x : 0..9 = 0\nstart s\ns -- Ann: a set x = 3 * x % 7 --> s\n";
        let order = ["look, tableau, bdd, sat"; 2];
        assert_eq!(names(Language::Pact, pact), order);
        assert_eq!(names(Language::Ccs, "proc A = a.A\n"), order);
    }

    #[test]
    fn a_solver_is_asked_soon_which_states_are_reached() {
        let pact = "roles Ann\nvar x : 0..9 = 0\nstart s\ns -- Ann: a set x = 3 * x % 7 --> s\n";
        let loaded = Loaded::read(Language::Pact, "model", pact, Choices::default()).expect("a good text");
        let plan = Plan::new(&loaded, EngineChoice::Auto).asking_what_is_reached();
        let names: Vec<&str> = plan.members.iter().map(|(entry, _)| entry.name).collect();
        assert_eq!(names, [TABLEAU, SAT, BDD]);
        assert_eq!(plan.members[1].1.after, SOLVER_LOOKS);
    }

    #[test]
    fn rounds_are_left_to_diagrams_unless_all_states_are_known() {
        let ispl = include_str!("../../../../examples/dining3.ispl");
        assert_eq!(names(Language::Ispl, ispl), ["look, bdd, tableau, sat", "look, tableau, bdd, sat"]);
    }

    #[test]
    fn rounds_that_go_far_are_visited_and_what_one_has_decided_it_goes_on_with() {
        let ispl = include_str!("../../../../examples/dining3.ispl");
        let loaded = Loaded::read(Language::Ispl, "model", ispl, Choices::default()).expect("a good text");
        let names = |plan: Plan| plan.members.iter().map(|(entry, _)| entry.name).collect::<Vec<_>>();
        let plan = Plan::new(&loaded, EngineChoice::Auto);
        assert_eq!(names(plan.clone().knowing_width(3)), [TABLEAU, BDD, SAT]);
        assert_eq!(names(plan.clone().led_by(TABLEAU)), [TABLEAU, BDD, SAT]);
        assert_eq!(names(plan.clone().led_by(SAT)), [BDD, TABLEAU, SAT]);
        let solved = plan.led_by(TABLEAU).led_by(BDD);
        assert_eq!(names(solved.clone()), [BDD, TABLEAU, SAT]);
        assert_eq!(names(solved.knowing_all_states()), [TABLEAU, BDD, SAT]);
    }

    #[test]
    fn many_states_are_expected_where_more_and_more_are_found() {
        let loaded = Loaded::read(Language::Ccs, "p.ccs", "proc A = a.A\n", Choices::default());
        let plan = Plan::new(&loaded.expect("a good text"), EngineChoice::Auto);
        let many = |widths: &[usize]| plan.clone().knowing_widths(widths).many;
        assert!(many(&[1, 8, 35, 111, 285, 628, 1230, 2191, 3051]));
        assert!(!many(&[1, 11, 57, 186, 432, 768, 1104, 1350, 1479, 1107]));
    }

    #[test]
    fn who_needs_initial_states_one_by_one_waits_where_these_take_long_to_list() {
        let pact = "roles Ann\nvar x[1..40] : 0..1\ninit (sum i in 1..40 : x[i]) > 20\nstart s\n\
                    s -- Ann: a set x[1] = 0 --> s\n";
        assert_eq!(names(Language::Pact, pact)[0], "bdd, sat, tableau");
    }

    #[test]
    fn what_is_listed_state_by_state_is_visited_and_wide_products_are_left_to_a_solver() {
        assert_eq!(names(Language::Aut, "des (0, 1, 2)\n(0, \"a\", 1)\n"), ["tableau"; 2]);
        let product = "roles Ann\nvar x, y : 0..200 = 0\nvar z : 0..40000 = 0\nstart s\n\
                       s -- Ann: a set z = x * y --> s\n";
        assert_eq!(names(Language::Pact, product)[0], "sat, tableau, bdd");
    }
}

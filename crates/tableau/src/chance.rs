//! What is found by chance: where there are many states, a walk at random often comes upon one that is looked for long before a search does that
//! takes all of them in order. It finds many mistakes, and proves nothing where it finds none.

use servanda_engine::{Budget, Halt, Validity};
use servanda_lower::{State, StateFormula};
use servanda_space::Wanted;

use crate::Tableau;
use crate::tableau::Reached;

impl Tableau<'_> {
    /// Decides what a look at the nearest states shows, or a walk at random where there are many: that one can be reached in which a
    /// condition holds. `None` where they show nothing.
    pub(crate) fn by_chance(&mut self, id: StateFormula, budget: &dyn Budget) -> Result<Option<bool>, Halt> {
        if self.options.validity != Validity::Initial || self.model.has_fairness() {
            return Ok(None);
        }
        let asked = self.all_reached_in(id);
        if asked.is_empty() || self.complete().is_some() {
            return Ok(None);
        }
        let (model, mut stack) = (self.model, Vec::new());
        for Reached { condition, wanted, .. } in &asked {
            let space = &mut self.common.space;
            let condition = Wanted::new(model, &space.layout, condition);
            match space.search(self.few, budget, |state| condition.is(state, &mut stack)) {
                Ok(Some(true)) => return Ok(Some(*wanted)),
                Ok(_) => {}
                // Whoever goes on meets the fault as well, or finds out first.
                Err(Halt::Fault(_)) => return Ok(None),
                Err(halt) => return Err(halt),
            }
        }
        if self.common.space.is_complete() {
            return Ok(None);
        }
        for Reached { condition, wanted, .. } in &asked {
            if self.walk.meets(condition, (model, &self.common.space.layout), budget)? {
                return Ok(Some(*wanted));
            }
        }
        Ok(None)
    }

    /// Conditions that decide a formula if they hold in some state that can be reached, and always have a value.
    fn all_reached_in(&self, id: StateFormula) -> Vec<Reached> {
        if let State::And(a, b) = *self.common.lowering.arena.state(id) {
            // Where one of them is valid nothing is said of both.
            let both = self.all_reached_in(a).into_iter().chain(self.all_reached_in(b));
            return both.filter(|reached| !reached.wanted).collect();
        }
        self.reached_in(id).filter(|reached| !reached.condition.can_fault()).into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use servanda_engine::{Engine as _, NoLimits, Options, Verdict};
    use servanda_enumerate::Explored;
    use servanda_logic::{Formula, parse_formula};
    use servanda_model::Model;
    use servanda_syntax::SourceFile;
    use servanda_testkit::random::Dice;

    use super::*;
    use crate::automata_tests;

    fn formula(text: &str) -> Formula {
        parse_formula(text).expect("a formula")
    }

    fn model(text: &str) -> Model {
        let loaded = servanda_pact::load(&SourceFile::new("chance.pact", text), &[]);
        loaded.protocol.unwrap_or_else(|| panic!("{text}")).model
    }

    #[test]
    fn most_of_what_many_runs_lead_to_is_met_before_all_states_are() {
        let switches = "protocol P\nroles A\nvar on[1..18] : bool = false\nvar lost : bool = false\nstart s\n\
            for i in 1..18 { s -- A: press[i] set on[i] = true --> s }\n";
        let model = model(switches);
        let mut engine = Tableau::new(&model, Options::default(), 1, &NoLimits).expect("a model");
        let all: Vec<String> = (1..=18).map(|i| format!("on[{i}]")).collect();
        let all = all.join(" & ");
        for (text, valid) in [
            (format!("EF ({all})"), true),
            (format!("AG !({all})"), false),
            (format!("AG (!lost | on[1]) & AG !({all})"), false),
        ] {
            let decided = engine.decide(&formula(&text), &NoLimits).expect("decided");
            assert_eq!(decided, Verdict::from(valid), "{text}");
        }
        assert!(!engine.is_explored(), "most of 262,144 states were never met");
        // What is nowhere is not met, and that says nothing.
        let lost = engine.decide(&formula("EF lost"), &NoLimits).expect("decided");
        assert_eq!(lost, Verdict::False);
    }

    #[test]
    fn what_is_met_by_chance_is_so() {
        let mut met = 0;
        for seed in 0..500 {
            let dice = &mut Dice::new(seed);
            let model = automata_tests::model(dice);
            let (one, other) = (automata_tests::condition(dice), automata_tests::condition(dice));
            let mut reference = Explored::new(&model, Options::default(), &NoLimits).expect("a small model");
            let mut engine = Tableau::new(&model, Options::default(), 1, &NoLimits).expect("a small model");
            engine.few = 0;
            for text in [
                format!("EF ({one})"),
                format!("AG ({one} | {other})"),
                format!("AG {one} & AG {other}"),
                format!("EF ({one}) & EF ({other})"),
            ] {
                let formula = formula(&text);
                let id = engine.common.lowering.property(&formula).expect("a good formula");
                if let Some(valid) = engine.by_chance(id, &NoLimits).expect("no limits") {
                    let expected = reference.decide(&formula, &NoLimits).expect("decided");
                    assert_eq!(Verdict::from(valid), expected, "model {seed}: {formula}");
                    met += 1;
                }
            }
        }
        assert!(met > 500, "{met} met");
    }
}

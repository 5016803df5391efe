//! Asking about random protocols.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::BoxedStrategy;
use servanda_engine::{Options, Strategies, Validity};
use servanda_enumerate::{Explored, Halt};
use servanda_logic::{Features, Formula};
use servanda_pact::Protocol;
use servanda_testkit::random::{Names, Outline, Sketch, contents_within, protocols};
use servanda_testkit::{Limits, Trials, Tried, load};

/// How many protocols a law is tried on.
pub(crate) const CASES: u32 = 200;

/// Propositions, CTL* and actions.
pub(crate) const TEMPORAL: Features = Features::QUANTIFIERS
    .with(Features::FUTURE)
    .with(Features::PATH_FORMULAS)
    .with(Features::BRANCHING)
    .with(Features::DOES);
/// That, acts, commitments and knowledge: everything that looks neither back nor at strategies.
pub(crate) const FORWARD: Features = TEMPORAL
    .with(Features::ACTS)
    .with(Features::COMMITMENTS)
    .with(Features::KNOWLEDGE)
    .with(Features::CORRECT_BEHAVIOUR);

/// A protocol and formulas written for it.
pub(crate) struct Scene {
    pub(crate) outline: Outline,
    pub(crate) names: Names,
    formulas: Vec<Sketch>,
}

impl Scene {
    pub(crate) fn new(outline: &Outline, formulas: &[Sketch]) -> Self {
        Scene { outline: outline.clone(), names: Names::new(outline), formulas: formulas.to_vec() }
    }

    /// One of the formulas, in parentheses.
    pub(crate) fn formula(&self, number: usize) -> String {
        format!("({})", self.names.formula(&self.formulas[number]))
    }

    /// One of the formulas, written so that it can stand inside branching past and strategies.
    pub(crate) fn closed(&self, number: usize) -> String {
        format!("({})", self.names.closed(&self.formulas[number]))
    }

    /// One of the roles.
    pub(crate) fn role(&self, number: usize) -> &str {
        &self.names.roles[number % self.names.roles.len()]
    }
}

/// Protocols without fairness constraints, for formulas with these features.
pub(crate) fn plain_protocols(features: Features) -> BoxedStrategy<Outline> {
    protocols(contents_within(features)).prop_map(Outline::without_fairness).boxed()
}

/// One explored protocol.
pub(crate) struct Asked<'p> {
    pub(crate) protocol: &'p Protocol,
    pub(crate) explored: Explored<'p>,
    limits: Limits,
}

/// A verdict, or none where the question is too large; a question that cannot be asked is a mistake of the test.
pub(crate) type Answer = Result<Option<bool>, String>;

impl<'p> Asked<'p> {
    /// `None` where the protocol is too large.
    pub(crate) fn new(protocol: &'p Protocol, options: Options) -> Option<Self> {
        let limits = match options.strategies {
            Strategies::PerfectInformation => Limits::default(),
            // All strategies are tried, one after the other.
            Strategies::Uniform | Strategies::Subjective => Limits { nodes: 2000, ..Limits::default() },
        };
        match Explored::new(&protocol.model, options, &limits) {
            Ok(explored) => Some(Asked { protocol, explored, limits }),
            Err(Halt::Stopped { .. } | Halt::TooLarge(_)) => None,
            Err(halt) => panic!("{halt:?}"),
        }
    }

    /// Decides a ground formula.
    pub(crate) fn ground(&mut self, formula: &Formula) -> Answer {
        match self.explored.decide(formula, &self.limits) {
            Ok(verdict) => Ok(verdict.decided()),
            Err(Halt::Stopped { .. } | Halt::TooLarge(_)) => Ok(None),
            Err(halt) => Err(format!("`{formula}` cannot be decided: {halt:?}")),
        }
    }

    /// Does a formula hold in all initial states, each looked at by itself?
    pub(crate) fn in_all_initial_states(&mut self, formula: &str) -> Answer {
        let ground = self.protocol.formula(formula);
        let ground = ground.map_err(|errors| format!("`{formula}` cannot be asked: {errors:?}"))?;
        let mut initial = self.explored.space.initial();
        match self.explored.value_by_state(&ground, &self.limits) {
            Ok(values) => {
                Ok(initial.by_ref().map(|state| values[state as usize]).collect::<Option<Vec<_>>>())
                    .map(|values| values.map(|values| values.into_iter().all(|value| value)))
            }
            Err(Halt::Stopped { .. } | Halt::TooLarge(_)) => Ok(None),
            Err(halt) => Err(format!("`{formula}` cannot be decided: {halt:?}")),
        }
    }

    /// Decides a formula as it is written.
    pub(crate) fn verdict(&mut self, formula: &str) -> Answer {
        let ground = self.protocol.formula(formula);
        self.ground(&ground.map_err(|errors| format!("`{formula}` cannot be asked: {errors:?}"))?)
    }
}

pub(crate) fn everywhere() -> Options {
    Options { validity: Validity::Reachable, ..Options::default() }
}

/// Every formula that `law` makes must hold at every reachable point of every protocol.
pub(crate) fn valid(
    outlines: BoxedStrategy<Outline>,
    formulas: BoxedStrategy<Sketch>,
    options: Options,
    law: impl Fn(&Scene) -> Vec<String>,
) {
    let options = Options { validity: Validity::Reachable, ..options };
    Trials::from_environment(CASES).run(&(outlines, vec(formulas, 2)), |(outline, formulas)| {
        let scene = Scene::new(outline, formulas);
        let text = outline.text();
        let protocol = load(&text);
        let Some(mut asked) = Asked::new(&protocol, options) else { return Ok(Tried::Skipped) };
        let mut decided = false;
        for law in law(&scene) {
            match asked.verdict(&law)? {
                Some(true) => decided = true,
                Some(false) => {
                    return Err(format!("not valid with {options:?}:\n{text}property law = {law}"));
                }
                None => {}
            }
        }
        Ok(if decided { Tried::Holds } else { Tried::Skipped })
    });
}

/// The ways in which the truth of a state formula shows in a verdict: now, somewhere, everywhere, and where a
/// condition holds.
pub(crate) fn contexts(formula: &str, condition: &str) -> Vec<String> {
    vec![
        formula.to_owned(),
        format!("EF {formula}"),
        format!("AG {formula}"),
        format!("EF ({condition} & {formula})"),
        format!("AG ({condition} -> {formula})"),
    ]
}

/// Two ways to ask must get the same answer: what `questions` makes are pairs, the first asked of the one protocol
/// with the one options, the second of the other.
pub(crate) fn same(
    outlines: BoxedStrategy<(Outline, Outline)>,
    formulas: BoxedStrategy<Sketch>,
    options: (Options, Options),
    questions: impl Fn(&Scene) -> Vec<(String, String)>,
) {
    Trials::from_environment(CASES).run(&(outlines, vec(formulas, 2)), |((one, other), formulas)| {
        let scene = Scene::new(one, formulas);
        let texts = (one.text(), other.text());
        let protocols = (load(&texts.0), load(&texts.1));
        let (Some(mut first), Some(mut second)) =
            (Asked::new(&protocols.0, options.0), Asked::new(&protocols.1, options.1))
        else {
            return Ok(Tried::Skipped);
        };
        let mut decided = false;
        for (question, again) in questions(&scene) {
            let (Some(answer), Some(other)) = (first.verdict(&question)?, second.verdict(&again)?) else {
                continue;
            };
            decided = true;
            if answer != other {
                let (text, options) = (&texts.0, options);
                return Err(format!(
                    "{answer} of {question}\nwith {:?}, but {other} of {again}\nwith {:?}:\n{text}",
                    options.0, options.1
                ));
            }
        }
        Ok(if decided { Tried::Holds } else { Tried::Skipped })
    });
}

/// A protocol against itself.
pub(crate) fn twice(outlines: BoxedStrategy<Outline>) -> BoxedStrategy<(Outline, Outline)> {
    outlines.prop_map(|outline| (outline.clone(), outline)).boxed()
}

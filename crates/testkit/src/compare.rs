//! One engine against another.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::BoxedStrategy;
use servanda_engine::{Deadlock, Engine, Halt, NoLimits, Options, Past, Strategies, Validity};
use servanda_enumerate::Explored;
use servanda_logic::Features;
use servanda_model::{Model, Property};
use servanda_syntax::SourceFile;

use crate::random::talk::talks;
use crate::random::{Case, IsplModels, cases, step_fairness};
use crate::ticks::let_control_rest;
use crate::{Decider, Limits, Trials, Tried, load, make_a_label_tick, with_bounds};

/// All readings a user can choose, but that of acts, which protocols choose themselves.
fn options() -> BoxedStrategy<Options> {
    let deadlock = prop_oneof![3 => Just(Deadlock::Loop), 1 => Just(Deadlock::Strict)];
    let past = prop_oneof![5 => Just(Past::Reachable), 1 => Just(Past::All)];
    let validity = select(vec![Validity::Initial, Validity::Reachable]);
    let strategies = prop_oneof![
        4 => Just(Strategies::PerfectInformation),
        1 => Just(Strategies::Uniform),
        1 => Just(Strategies::Subjective),
    ];
    (deadlock, past, validity, strategies)
        .prop_map(|(deadlock, past, validity, strategies)| Options {
            acts: None,
            deadlock,
            past,
            validity,
            strategies,
            recall: None,
            unreduced: false,
        })
        .boxed()
}

/// A random model with properties, and the readings to decide them in.
#[derive(Clone, Debug)]
pub struct RandomModel {
    /// The model as it is written.
    pub text: String,
    /// The model.
    pub model: Model,
    /// What is asked about it.
    pub properties: Vec<Property>,
    /// How it is read.
    pub options: Options,
}

impl Trials {
    /// Tries a claim on random protocols with formulas of the whole language, in all readings.
    ///
    /// # Panics
    /// When a case contradicts the claim; the message has the smallest such case that was found.
    pub fn on_protocols(&self, claim: impl Fn(&RandomModel) -> Result<Tried, String>) {
        self.on_protocols_within(Features::ALL, claim);
    }

    /// As [`Trials::on_protocols`], with formulas that use nothing but these features.
    ///
    /// # Panics
    /// When a case contradicts the claim.
    pub fn on_protocols_within(
        &self,
        features: Features,
        claim: impl Fn(&RandomModel) -> Result<Tried, String>,
    ) {
        self.on_cases(cases(features, 1..=4), claim);
    }

    /// As [`Trials::on_protocols_within`], on protocols whose transitions do not read what is in force, without fairness of steps.
    ///
    /// # Panics
    /// When a case contradicts the claim.
    pub fn on_protocols_blind_to_commitments(
        &self,
        features: Features,
        claim: impl Fn(&RandomModel) -> Result<Tried, String>,
    ) {
        let blind = cases(features, 1..=4).prop_map(|mut case| {
            case.outline = case.outline.without_active();
            case.outline.step_fairness.clear();
            case
        });
        self.on_cases(blind.boxed(), claim);
    }

    /// As [`Trials::on_protocols`], with fairness constraints of steps in every protocol. Strategies are left out: with fairness nobody
    /// decides them.
    ///
    /// # Panics
    /// When a case contradicts the claim.
    pub fn on_fair_protocols(&self, claim: impl Fn(&RandomModel) -> Result<Tried, String>) {
        let cases = cases(Features::ALL.without(Features::STRATEGIC), 1..=4);
        let fair = (cases, vec(step_fairness(), 1..=3)).prop_map(|(mut case, constraints)| {
            case.outline.step_fairness = constraints;
            case
        });
        self.on_cases(fair.boxed(), claim);
    }

    fn on_cases(&self, cases: BoxedStrategy<Case>, claim: impl Fn(&RandomModel) -> Result<Tried, String>) {
        self.run(&(cases, options()), |(case, options)| {
            let protocol = load(&case.text());
            // All type-correct states of a small protocol can be many.
            if options.past == Past::All && protocol.model.typed_states().is_none_or(|states| states > 3000) {
                return Ok(Tried::Skipped);
            }
            let (model, properties) = (protocol.model, protocol.properties);
            claim(&RandomModel { text: case.outline.text(), model, properties, options: *options })
        });
    }

    /// Tries a claim on random protocols of the second part of the language, in all readings; those in which something goes wrong
    /// are left out.
    ///
    /// # Panics
    /// When a case contradicts the claim.
    pub fn on_talks(&self, claim: impl Fn(&RandomModel) -> Result<Tried, String>) {
        self.run(&(talks(), options()), |(talk, options)| {
            let loaded = talk.load();
            let Some(protocol) = loaded.protocol else {
                return Err(format!("{:?}\n{}", loaded.diagnostics, talk.text()));
            };
            let (model, mut properties) = (protocol.model, protocol.properties);
            let many = options.past == Past::All && model.typed_states().is_none_or(|states| states > 3000);
            let explored = Explored::new(&model, Options::default(), &Limits::default());
            if many || explored.is_err() {
                return Ok(Tried::Skipped);
            }
            // What must be possible is asked of the model as it is, not in all readings.
            properties.retain(|property| property.scenario.is_none());
            claim(&RandomModel { text: talk.text(), model, properties, options: *options })
        });
    }

    /// Random ISPL models.
    ///
    /// # Panics
    /// When one has mistakes.
    pub fn ispl_models(&self) -> impl Iterator<Item = RandomModel> {
        let mut models = IsplModels::new(self.seed);
        (0..self.cases).map(move |_| {
            let (text, options) = models.next_model();
            let loaded = servanda_ispl::load(&SourceFile::new("random.ispl", text.as_str()));
            let system = loaded.system.unwrap_or_else(|| panic!("{:?}\n{text}", loaded.diagnostics));
            RandomModel { text, model: system.model, properties: system.properties, options }
        })
    }
}

/// Compares two engines on random protocols, formulas of the whole language and all readings.
///
/// # Panics
/// When they disagree. The message has the smallest protocol and formula found on which they do, and both verdicts.
/// No verdict disagrees with nothing.
pub fn compare(trials: Trials, a: &dyn Decider, b: &dyn Decider) {
    trials.on_protocols(|case| agreement(case, a, b));
}

/// Compares two engines on random protocols with fairness constraints of steps.
///
/// # Panics
/// When they disagree.
pub fn compare_with_fair_steps(trials: Trials, a: &dyn Decider, b: &dyn Decider) {
    trials.on_fair_protocols(|case| agreement(case, a, b));
}

/// Compares two engines on random protocols and formulas with these features, agents remembering up to three steps.
///
/// # Panics
/// When they disagree.
pub fn compare_recalling(trials: Trials, features: Features, a: &dyn Decider, b: &dyn Decider) {
    trials.on_protocols_within(features, |case| {
        let options = Options { recall: Some(case.text.len() as u32 % 4), ..case.options };
        agreement(&RandomModel { options, ..case.clone() }, a, b)
    });
}

/// Compares two engines on random protocols in which time passes, with formulas that count it.
///
/// # Panics
/// When they disagree.
pub fn compare_ticking(trials: Trials, a: &dyn Decider, b: &dyn Decider) {
    trials.on_protocols(|case| {
        let mut case = case.clone();
        let choice = case.text.len();
        make_a_label_tick(&mut case.model, choice);
        for property in &mut case.properties {
            property.formula = with_bounds(&property.formula, choice);
            property.text = format!("{} where the tick is label {:?}", property.formula, case.model.tick);
        }
        agreement(&case, a, b)
    });
}

/// Compares an engine with the reference in what is said of deadlocks and of where time stops, on random protocols in which a label ticks
/// and control may rest.
///
/// # Panics
/// When they disagree.
pub fn compare_ends(
    trials: Trials,
    make: impl for<'m> Fn(&'m Model) -> Result<Box<dyn Engine + 'm>, Halt> + Sync,
) {
    trials.on_protocols(|case| {
        let mut model = case.model.clone();
        make_a_label_tick(&mut model, case.text.len());
        let_control_rest(&mut model, case.text.len() / 3);
        let Ok(explored) = Explored::new(&model, Options::default(), &NoLimits) else {
            return Ok(Tried::Skipped);
        };
        let Ok(mut engine) = make(&model) else { return Ok(Tried::Skipped) };
        let (expected, found) =
            (explored.space.counts().deadlocks, engine.counts().map(|counts| counts.deadlocks));
        if found != Some(expected.clone()) {
            return Err(format!("{expected} deadlocks, found {found:?} in\n{}", case.text));
        }
        let (expected, found) =
            (explored.space.stopped_time(), engine.stopped_time(&NoLimits).ok().flatten());
        if found != expected {
            return Err(format!("{expected:?}\n{found:?} in\n{}with {:?} for a tick", case.text, model.tick));
        }
        Ok(Tried::Holds)
    });
}

/// Compares two engines on random ISPL models.
///
/// # Panics
/// When they disagree.
pub fn compare_on_ispl(trials: Trials, a: &dyn Decider, b: &dyn Decider) {
    for case in trials.ispl_models() {
        if let Err(difference) = agreement(&case, a, b) {
            panic!("{difference}");
        }
    }
}

/// Do the engines agree on all formulas of a case? Skipped means that there is none that both of them decide.
///
/// # Errors
/// What they differ about.
pub fn agreement(case: &RandomModel, a: &dyn Decider, b: &dyn Decider) -> Result<Tried, String> {
    let RandomModel { text, model, properties, options } = case;
    let (left, right) = (a.verdicts(model, properties, *options), b.verdicts(model, properties, *options));
    let mut tried = Tried::Skipped;
    for (property, pair) in properties.iter().zip(left.into_iter().zip(right)) {
        let (Some(left), Some(right)) = pair else { continue };
        tried = Tried::Holds;
        if left != right {
            let (a, b, name, formula) = (a.name(), b.name(), &property.name, &property.text);
            return Err(format!(
                "{a} says {left} and {b} says {right} of\n{text}property {name} = {formula}\nwith {options:?}"
            ));
        }
    }
    Ok(tried)
}

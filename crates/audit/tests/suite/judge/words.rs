//! Random protocols with words, most of which some run agrees with.

use proptest::collection::vec;
use proptest::prelude::any;
use proptest::strategy::{BoxedStrategy, Strategy};
use servanda_audit::judge::{Judge, Letter, Standing, Step, Terms};
use servanda_engine::NoLimits;
use servanda_logic::Features;
use servanda_lower::{CoreFormula as _, Lowering, PathFormula};
use servanda_model::{LabelId, Model};
use servanda_pact::Protocol;
use servanda_testkit::Walks;
use servanda_testkit::random::{
    Names, Outline, Sketch, contents_within, path_formulas, protocols, step_fairness,
};

/// A protocol, formulas about its runs, and what a word is made of.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) outline: Outline,
    pub(crate) formulas: Vec<Sketch>,
    /// Which step is taken next; a large one means any label whatever.
    pub(crate) picks: Vec<u16>,
    /// Which labels are silent, by their numbers.
    pub(crate) silent: u64,
}

/// Cases whose formulas use nothing but these features.
pub(crate) fn cases(features: Features, longest: usize) -> BoxedStrategy<Case> {
    let outlines = (protocols(contents_within(features)), vec(step_fairness(), 0..=1), any::<bool>());
    let outlines = outlines.prop_map(|(mut outline, steps, fair)| {
        outline.step_fairness = steps;
        if fair { outline } else { outline.without_fairness() }
    });
    let silent = any::<(u64, u64, bool)>().prop_map(|(a, b, some)| if some { a & b } else { 0 });
    (outlines, vec(path_formulas(features), 1..=2), vec(any::<u16>(), 0..=longest), silent)
        .prop_map(|(outline, formulas, picks, silent)| Case { outline, formulas, picks, silent })
        .boxed()
}

impl Case {
    /// The protocol with its formulas as properties of all runs.
    pub(crate) fn text(&self) -> String {
        let names = Names::new(&self.outline);
        let formulas = self.formulas.iter().enumerate();
        let properties = formulas
            .map(|(number, formula)| format!("property f{number} = A ({})\n", names.formula(formula)));
        format!("{}{}", self.outline.text(), properties.collect::<String>())
    }

    /// The text as a protocol.
    pub(crate) fn load(&self) -> Protocol {
        servanda_testkit::load(&self.text())
    }

    /// The labels that leave no line.
    pub(crate) fn silent_labels(&self, model: &Model) -> Vec<LabelId> {
        let silent = |label: &LabelId| {
            // Labels that are shown alike are heard alike.
            let same = model.labels_shown(&model.show_label(*label));
            same.first().is_some_and(|first| self.silent >> (first.0 % 64) & 1 == 1)
        };
        model.labels().map(|(label, _)| label).filter(silent).collect()
    }

    /// The terms on which its words are followed.
    pub(crate) fn terms(&self, model: &Model) -> Terms {
        let silent = self.silent_labels(model).into_iter().map(|label| model.show_label(label)).collect();
        Terms { silent, ..Terms::default() }
    }

    /// A word: what a walk leaves in the log. Now and then it is something that need not be possible.
    pub(crate) fn word(&self, walks: &Walks<'_>, model: &Model) -> Vec<LabelId> {
        let silent = self.silent_labels(model);
        let mut word = Vec::new();
        let Some(mut state) = walks.initial().first().copied() else { return word };
        for &pick in &self.picks {
            let steps = walks.steps(state);
            if pick % 16 == 15 && !model.labels.is_empty() {
                word.push(LabelId(u32::from(pick / 16) % model.labels.len() as u32));
            } else if !steps.is_empty() {
                let (command, target) = steps[usize::from(pick / 16) % steps.len()];
                word.push(model.command(command).label);
                state = target;
            }
        }
        word.retain(|label| !silent.contains(label));
        word
    }
}

/// The letters of a word.
pub(crate) fn letters(judge: &mut Judge<'_>, word: &[LabelId]) -> Vec<Letter> {
    let model = judge.model();
    word.iter().map(|label| judge.letter(&model.show_label(*label))).collect()
}

/// The standings along a word, up to where it is not possible.
pub(crate) fn standings(judge: &mut Judge<'_>, letters: &[Letter]) -> Vec<Standing> {
    let mut all = vec![judge.begin().standing];
    for letter in letters {
        match judge.step(all[all.len() - 1], *letter, &NoLimits).expect("no limits") {
            Step::Went { to, .. } => all.push(to),
            Step::NotPossible => break,
            Step::TooMany => panic!("too many standings"),
        }
    }
    all
}

/// What the labels of runs say that agree with a word and go on so.
pub(crate) fn saying(
    lowering: &mut Lowering<'_>,
    word: &[LabelId],
    silent: &[LabelId],
    then: PathFormula,
) -> PathFormula {
    let arena = &mut lowering.arena;
    let quiet = arena.does(silent.to_vec());
    let mut whole = then;
    for label in word.iter().rev() {
        let same = lowering.model.labels_shown(&lowering.model.show_label(*label));
        let (said, after) = (arena.does(same), arena.next(whole));
        let step = arena.and(said, after);
        whole = if quiet == PathFormula::FALSE { step } else { arena.until(quiet, step) };
    }
    whole
}

//! The papers' automaton of a formula over a model.

use std::ops::Range;

use servanda_abta::product::{Node, Product, System};
use servanda_abta::{Abta, Logic, Options as AbtaOptions, Rules, Translation, translate};
use servanda_chart::{Boxed, Highlight, Picture, Transition};
use servanda_engine::{Budget, Halt, Options, Verdict};
use servanda_enumerate::Explored;
use servanda_logic::Formula;
use servanda_model::{ActReading, LabelId, Model, StepKind};
use servanda_report::Finding;

use crate::{Loaded, Question, Refusal, Watch};

/// A model with all its states, as the product wants it.
struct Subject<'m>(Explored<'m>);

impl System for Subject<'_> {
    fn model(&self) -> &Model {
        self.0.space.model
    }

    fn states(&self) -> u32 {
        self.0.space.reachable_len() as u32
    }

    fn initial(&self) -> Range<u32> {
        self.0.space.initial()
    }

    fn transitions(&self) -> u64 {
        self.0.space.transitions()
    }

    fn for_each_step(&self, state: u32, visit: &mut dyn FnMut(Option<LabelId>, u32)) {
        for step in self.0.space.steps(state) {
            let label = match self.0.space.kind(step.via) {
                StepKind::Labelled(label) => Some(label),
                StepKind::Joint(_) | StepKind::Stutter => None,
            };
            visit(label, step.target);
        }
    }

    fn satisfies(&mut self, formula: &Formula, budget: &dyn Budget) -> Result<bool, Halt> {
        match self.0.decide(formula, budget)? {
            Verdict::True => Ok(true),
            Verdict::False => Ok(false),
            Verdict::Unknown(reason) => Err(Halt::TooLarge(reason)),
        }
    }

    fn holds(&mut self, formula: &Formula, budget: &dyn Budget) -> Result<Vec<Option<bool>>, Halt> {
        self.0.value_by_state(formula, budget)
    }
}

/// Makes the product of the papers' automaton and a model, and searches it as the papers print it. The sound verdict is that of the engine
/// `enumerate` in the initial states, with the reading of acts of the logic that is asked for, or else of the model. `most` is how many
/// nodes the product may have.
///
/// # Errors
///
/// What is wrong with the formula, or why there is no product.
pub fn product(
    loaded: &Loaded,
    question: &Question,
    options: AbtaOptions,
    most: usize,
    watch: Watch<'_>,
) -> Result<Product, Refusal> {
    let model = loaded.model();
    let acts = match options.logic {
        Some(Logic::Actl) => ActReading::Actl,
        Some(Logic::CtlCa) => ActReading::Ctlca,
        Some(Logic::Scctl) => ActReading::Scctl,
        None => model.acts,
    };
    let logic = options.logic.or(match model.acts {
        ActReading::Actl => None,
        ActReading::Ctlca => Some(Logic::CtlCa),
        ActReading::Scctl => Some(Logic::Scctl),
    });
    let options = AbtaOptions { rules: Rules::Paper, logic, ..options };
    let translation = translate(&question.property.formula, options).map_err(|errors| {
        let placed = errors.into_iter().map(|error| Finding::placed_if_written(error, &question.source));
        Refusal::Invalid(placed.collect())
    })?;
    let made = || {
        let explored =
            Explored::new(model, Options { acts: Some(acts), ..Options::default() }, watch.budget)?;
        Product::new(translation, &mut Subject(explored), most, watch.budget)
    };
    made().map_err(|halt| Refusal::new(halt, &question.source))
}

/// A product as a graph to look at, and in it the way to the node that makes the printed verdict wrong.
pub fn product_picture(product: &Product) -> (Picture, Highlight) {
    let rows = &product.translation.automaton;
    let boxed = |(index, node): (usize, &Node)| {
        let row = rows.state(node.row);
        let first = format!("{} ({}) {}", index + 1, row.number, product.shown(node));
        let sound = node.sound.map_or(String::new(), |sound| format!("sound: {sound}"));
        let title = format!("{first}: {}", row.text);
        Boxed {
            lines: [first, row.text.clone(), sound].into_iter().filter(|line| !line.is_empty()).collect(),
            title,
            goes_on: false,
        }
    };
    let arrows = product.nodes.iter().enumerate().flat_map(|(from, node)| {
        let to = node.successors.iter().map(|to| *to as usize);
        to.map(move |to| Transition { from, label: node.clause.to_owned(), to })
    });
    let picture = Picture {
        name: product.translation.formula.to_string(),
        description: format!("{} nodes, {} edges", product.nodes.len(), product.edges()),
        boxes: product.nodes.iter().enumerate().map(boxed).collect(),
        initial: product.roots.iter().map(|root| *root as usize).collect(),
        transitions: arrows.collect(),
        legend: Vec::new(),
    };
    let way = product.faults.first().map_or(&[][..], |fault| &fault.way);
    let states: Vec<usize> =
        way.iter().map(|call| product.search.calls[*call as usize].node as usize).collect();
    let is_on_way = |arrow: &&Transition| states.windows(2).any(|pair| pair == [arrow.from, arrow.to]);
    let transitions = picture.transitions.iter().filter(is_on_way).cloned().collect();
    (picture, Highlight { states, transitions })
}

/// An automaton as a graph to look at.
pub fn automaton_picture(translation: &Translation) -> Picture {
    let abta: &Abta = &translation.automaton;
    let boxed = |state: &servanda_abta::State| {
        let label =
            state.rule.as_ref().map_or(String::new(), |rule| format!(" {} {}", rule.name, rule.label));
        let first = format!("({}){label}", state.number);
        let title = format!("{first}: {}", state.text);
        Boxed { title, lines: vec![first, state.text.clone()], goes_on: false }
    };
    let arrows = abta.iter().flat_map(|(id, state)| {
        let to = state.successors.iter().map(|to| to.index());
        to.map(move |to| Transition { from: id.index(), label: String::new(), to })
    });
    let transitions: Vec<Transition> = arrows.collect();
    Picture {
        name: translation.formula.to_string(),
        description: format!("{} states, {} edges", abta.states.len(), transitions.len()),
        boxes: abta.states.iter().map(boxed).collect(),
        initial: vec![0],
        transitions,
        legend: Vec::new(),
    }
}

//! Conformance of acts against act formulas.

use proptest::prelude::*;
use servanda_engine::Certainty;
use servanda_logic::Features;
use servanda_model::{ActReading, Label, LabelId};
use servanda_testkit::random::protocols;
use servanda_testkit::{Limits, Trials, Tried, Walks, load};

use crate::laws::forms::has_comprehension;
use crate::laws::support::{Asked, CASES, everywhere};

#[test]
fn an_act_conforms_where_its_label_implies_its_formula() {
    let contents = Features::FUTURE | Features::LINEAR_PAST | Features::ACTS | Features::COMMITMENTS;
    let outlines = protocols(contents).prop_map(|outline| {
        let mut outline = outline.without_fairness();
        outline.reading = ActReading::Actl;
        outline
    });
    Trials::from_environment(CASES).run(&outlines, |outline| {
        let text = outline.text();
        let protocol = load(&text);
        let model = &protocol.model;
        let Some(mut asked) = Asked::new(&protocol, everywhere()) else { return Ok(Tried::Skipped) };
        let Ok(conformance) = asked.explored.conformance(&Limits::default()) else {
            return Ok(Tried::Skipped);
        };
        for (number, label) in model.labels.iter().enumerate() {
            let Label::Act(act) = label else { continue };
            if has_comprehension(&act.promise.content) || act.support.as_ref().is_some_and(has_comprehension)
            {
                continue;
            }
            let written = model.show_label(LabelId::from_index(number));
            let Some(found) = conformance.acts.iter().find(|found| found.label == written) else {
                return Err(format!("nothing is said of {written}:\n{text}"));
            };
            let certain = asked.verdict(&format!("A (does({written}) -> {written})"))?;
            let never = asked.verdict(&format!("A !{written}"))?;
            if certain.is_some_and(|certain| certain != (found.certainty == Certainty::Certain)) {
                return Err(format!("{found:?}\nbut certain: {certain:?} in\n{text}"));
            }
            if never.is_some_and(|never| never != (found.never == found.transitions)) {
                return Err(format!("{found:?}\nbut never: {never:?} in\n{text}"));
            }
        }
        Ok(Tried::Holds)
    });
}

#[test]
fn parties_take_turns_where_nobody_speaks_twice() {
    Trials::from_environment(CASES).run(&protocols(Features::FUTURE), |outline| {
        let outline = outline.clone().without_fairness();
        let text = outline.text();
        let protocol = load(&text);
        let model = &protocol.model;
        let (Some(walks), Some(mut asked)) = (Walks::new(model, 300), Asked::new(&protocol, everywhere()))
        else {
            return Ok(Tried::Skipped);
        };
        let Ok(conformance) = asked.explored.conformance(&Limits::default()) else {
            return Ok(Tried::Skipped);
        };
        let speaker = |command| model.command(command).by;
        let twice = (0..walks.len()).any(|state| {
            walks.steps(state).iter().any(|(first, middle)| {
                let role = speaker(*first);
                role.is_some() && walks.steps(*middle).iter().any(|(second, _)| speaker(*second) == role)
            })
        });
        match conformance.turns.is_some() == twice {
            true => Ok(Tried::Holds),
            false => Err(format!("{:?}\nbut twice: {twice} in\n{text}", conformance.turns)),
        }
    });
}

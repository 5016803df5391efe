//! What becomes of commitments, against a direct reading of the definitions: acts alone decide when one is in force, and its content is
//! judged from each creation on.

use servanda_audit::judge::{Decided, Event, Judge, Status, Step, Verdict};
use servanda_engine::{NoLimits, Options, Verdict as Answer};
use servanda_enumerate::Explored;
use servanda_logic::{ActKind, Features};
use servanda_lower::{CoreFormula as _, PathFormula};
use servanda_model::{CommitmentId, LabelId, Model};
use servanda_testkit::{Trials, Tried, Walks};

use super::words::{cases, letters, saying, standings};

/// One commitment along a word without silent steps.
struct Told {
    commitment: CommitmentId,
    in_force: bool,
    /// After how many lines it was created, since it came into force or was last known to be broken.
    creations: Vec<usize>,
    status: Option<Status>,
}

fn some_run(explored: &mut Explored<'_>, formula: PathFormula) -> Option<bool> {
    let lowering = explored.lowering_mut();
    let some = lowering.exists(formula);
    let none = lowering.arena.not(some);
    match explored.decide_core(none, &NoLimits) {
        Ok(Answer::True) => Some(false),
        Ok(Answer::False) => Some(true),
        Ok(Answer::Unknown(_)) | Err(_) => None,
    }
}

impl Told {
    /// Is the content true on all runs that agree with the word, on none, or on some, from each creation on?
    fn judged(&self, explored: &mut Explored<'_>, word: &[LabelId]) -> Option<Status> {
        let mut sides = Vec::new();
        for kept in [true, false] {
            let lowering = explored.lowering_mut();
            let content = lowering.content(self.commitment);
            let mut all = PathFormula::TRUE;
            for creation in &self.creations {
                let later = (0..*creation).fold(content, |later, _| lowering.arena.next(later));
                all = lowering.arena.and(all, later);
            }
            let side = if kept { all } else { lowering.arena.not(all) };
            let said = saying(lowering, word, &[], PathFormula::TRUE);
            let both = lowering.arena.and(said, side);
            sides.push(some_run(explored, both)?);
        }
        match sides[..] {
            [true, true] => Some(Status::Open),
            [true, false] => Some(Status::Kept),
            [false, true] => Some(Status::Broken),
            _ => None,
        }
    }

    /// What the last letter of a word makes of it.
    fn step(&mut self, explored: &mut Explored<'_>, model: &Model, word: &[LabelId]) -> Option<Vec<Event>> {
        let promise = model.commitment(self.commitment);
        let acts = model.label(*word.last()?).acts();
        let adds = acts.iter().any(|act| act.adds().as_ref() == Some(promise));
        let removal = acts.iter().find(|act| act.removes().any(|gone| gone == *promise));
        let was = self.in_force;
        self.in_force = adds || (was && removal.is_none());
        let before = self.status;
        let mut events = Vec::new();
        if adds {
            if !was || before == Some(Status::Broken) {
                self.creations.clear();
            }
            self.creations.push(word.len());
            events.push(Event::Created);
        }
        if !was && !self.in_force {
            self.status = None;
            return Some(events);
        }
        let known_broken = before == Some(Status::Broken) && !adds;
        let now = if known_broken { Status::Broken } else { self.judged(explored, word)? };
        self.status = Some(now);
        match now {
            Status::Kept if adds || before != Some(now) => events.push(Event::Kept),
            Status::Broken if adds || before != Some(now) => events.push(Event::Broken),
            _ => {}
        }
        if !self.in_force {
            let by = removal.map(|act| act.kind);
            match now {
                Status::Kept => {}
                _ if by == Some(ActKind::Satisfy) => events.push(Event::Claimed),
                Status::Broken => {}
                _ => events.push(Event::Released { by }),
            }
            self.status = None;
        }
        Some(events)
    }
}

#[test]
fn commitments_are_judged_from_their_creations_on() {
    let features = Features::FUTURE | Features::PATH_FORMULAS | Features::LINEAR_PAST | Features::ACTS;
    let decided = std::cell::Cell::new(0);
    Trials::from_environment(2500).run(&cases(features, 5), |case| {
        let mut case = case.clone();
        case.silent = 0;
        let protocol = case.load();
        let model = &protocol.model;
        if model.commitments.is_empty() {
            return Ok(Tried::Holds);
        }
        let Some(walks) = Walks::new(model, 60) else { return Ok(Tried::Skipped) };
        let word = case.word(&walks, model);
        if word.iter().any(|label| model.labels_shown(&model.show_label(*label)).len() != 1) {
            return Ok(Tried::Skipped);
        }
        let (Ok(mut judge), Ok(mut explored)) = (
            Judge::new(model, &[], &case.terms(model), &NoLimits),
            Explored::new(model, Options::default(), &NoLimits),
        ) else {
            return Ok(Tried::Skipped);
        };
        let mut told: Vec<Told> = model
            .commitments()
            .map(|(commitment, _)| Told { commitment, in_force: false, creations: Vec::new(), status: None })
            .collect();
        let mut at = judge.begin().standing;
        for (length, letter) in letters(&mut judge, &word).into_iter().enumerate() {
            let Step::Went { to, news } = judge.step(at, letter, &NoLimits).expect("no limits") else {
                break;
            };
            at = to;
            for one in &mut told {
                if let Some(reason) = judge.unjudged_commitment(one.commitment) {
                    return Err(format!("{reason}\n{}", case.text()));
                }
                let Some(expected) = one.step(&mut explored, model, &word[..=length]) else {
                    return Ok(Tried::Skipped);
                };
                let found = judge.news(news).iter().filter_map(|decided| match decided {
                    Decided::Commitment { commitment, event } if *commitment == one.commitment => {
                        Some(*event)
                    }
                    _ => None,
                });
                let found: Vec<Event> = found.collect();
                decided.set(decided.get() + found.len());
                let there = judge.in_force(at).into_iter().find(|there| there.commitment == one.commitment);
                let same = match there {
                    None => !one.in_force,
                    Some(there) => one.in_force && there.certainly && Some(there.status) == one.status,
                };
                if found != expected || !same {
                    let word: Vec<String> =
                        word[..=length].iter().map(|label| model.show_label(*label)).collect();
                    return Err(format!(
                        "{} after {word:?}: {found:?} and {there:?} instead of {expected:?} and {:?}\n{}",
                        model.show_promise(model.commitment(one.commitment)),
                        one.status,
                        case.text()
                    ));
                }
            }
        }
        Ok(Tried::Holds)
    });
    assert!(decided.get() > 1000, "only {} events", decided.get());
}

#[test]
fn what_is_silent_decides_nothing_more() {
    let features = Features::FUTURE | Features::PATH_FORMULAS | Features::DOES;
    Trials::from_environment(2500).run(&cases(features, 6), |case| {
        let protocol = case.load();
        let model = &protocol.model;
        let Some(walks) = Walks::new(model, 100) else { return Ok(Tried::Skipped) };
        let heard = super::words::Case { silent: 0, ..case.clone() };
        let (Ok(mut all), Ok(mut part)) = (
            Judge::new(model, &protocol.properties, &heard.terms(model), &NoLimits),
            Judge::new(model, &protocol.properties, &case.terms(model), &NoLimits),
        ) else {
            return Ok(Tried::Skipped);
        };
        let (word, silent) = (heard.word(&walks, model), case.silent_labels(model));
        let spoken = letters(&mut all, &word);
        let standings_of_all = standings(&mut all, &spoken);
        let lines: Vec<LabelId> = word[..standings_of_all.len() - 1].to_vec();
        let mut at = part.begin().standing;
        for (length, label) in lines.iter().enumerate() {
            if !silent.contains(label) {
                let letter = part.letter(&model.show_label(*label));
                let Step::Went { to, .. } = part.step(at, letter, &NoLimits).expect("no limits") else {
                    return Err(format!(
                        "a walk is not possible where some of it is silent\n{}",
                        case.text()
                    ));
                };
                at = to;
            }
            for property in 0..protocol.properties.len() {
                let (less, more) =
                    (part.verdict(at, property), all.verdict(standings_of_all[length + 1], property));
                let about_the_run = !matches!(more, Verdict::Left) && less.is_decided();
                if about_the_run && less != more {
                    return Err(format!("{less:?} from less, {more:?} from more\n{}", case.text()));
                }
            }
            let (less, more) = (part.in_force(at), all.in_force(standings_of_all[length + 1]));
            for there in less.iter().filter(|there| there.certainly) {
                if !more.iter().any(|other| other.commitment == there.commitment) {
                    return Err(format!("{there:?} is certain from less and not from more\n{}", case.text()));
                }
            }
        }
        Ok(Tried::Holds)
    });
}

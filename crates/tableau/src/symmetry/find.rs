//! Who may be alike: agents and variables whose names differ in numbers only. For two of them what else has to change places is read off
//! from colours; whether the model stays as it is then is proved afterwards, and nothing rests on what is guessed here.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use servanda_engine::{Budget, Halt, Progress};
use servanda_lower::Lowering;
use servanda_model::{AgentId, CommitmentId, LabelId, Model, VariableId};

use super::Flaw;
use super::classes::Classes;
use super::colours::{Colours, mix};
use super::form::Forms;
use super::prove::is_symmetry;
use super::renaming::{Renaming, Values};

/// Colours are refined at most so often.
const MOST_ROUNDS: usize = 10;

/// What is different at one end of a long row colours one more of the row in each round, so those who may be alike are grouped after more
/// of them; to compare two who are not takes far longer.
const MOST_ROUNDS_FOR_GROUPS: usize = 200;

/// Of more alike only so many change places.
const MOST_ALIKE: usize = 100;

/// So much work is done for a model: its size times how often it is looked at.
const MOST_WORK: usize = 10_000_000;

/// Somebody or something that may be like others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seed {
    Agent(usize),
    Variable(usize),
}

/// Several that are alike: for each two neighbours what changes places with them.
pub(super) struct Alike {
    pub(super) exchanges: Vec<Renaming>,
}

/// Finds families of those that are alike.
///
/// # Errors
///
/// When the budget says stop.
pub(super) fn find(
    lowering: &Lowering<'_>,
    forms: &mut Forms,
    flaws: Option<Flaw>,
    budget: &dyn Budget,
) -> Result<Vec<Alike>, Halt> {
    let model = lowering.model;
    let classes = Classes::new(model);
    let plain = Colours::new(model, &classes);
    let mut search = Finder { lowering, classes, plain, work: 0, size: size(model), flaws, budget };
    let mut found: Vec<Alike> = Vec::new();
    let mut plain = search.plain.clone();
    search.refine_up_to(MOST_ROUNDS_FOR_GROUPS, &mut plain)?;
    let agents = groups(model.agents.iter().map(|agent| agent.name.as_str()), &plain.agents, Seed::Agent);
    let names = model.variables.iter().map(|variable| variable.name.as_str());
    let variables = groups(names, &plain.variables, Seed::Variable);
    for group in agents.into_iter().chain(variables) {
        let moved =
            |seed: &Seed| found.iter().flat_map(|alike| &alike.exchanges).any(|one| moves(one, *seed));
        if group.iter().any(moved) {
            continue;
        }
        found.extend(search.alike(&group, forms)?);
    }
    Ok(found)
}

/// Those with one colour whose names differ in numbers only.
fn groups<'n>(
    names: impl Iterator<Item = &'n str>,
    colours: &[u64],
    seed: impl Fn(usize) -> Seed,
) -> Vec<Vec<Seed>> {
    let mut groups: BTreeMap<(String, u64), Vec<Seed>> = BTreeMap::new();
    for (index, (name, colour)) in names.zip(colours).enumerate() {
        let base: String = name.chars().filter(|c| !c.is_ascii_digit()).collect();
        if base.len() < name.len() {
            groups.entry((base, *colour)).or_default().push(seed(index));
        }
    }
    let mut groups: Vec<Vec<Seed>> = groups.into_values().filter(|group| group.len() > 1).collect();
    groups.iter_mut().for_each(|group| group.truncate(MOST_ALIKE));
    // In the order of declaration, whatever the colours are.
    groups.sort_by_key(|group| match group[0] {
        Seed::Agent(index) | Seed::Variable(index) => index,
    });
    groups
}

fn moves(renaming: &Renaming, seed: Seed) -> bool {
    match seed {
        Seed::Agent(index) => renaming.agents[index].index() != index,
        Seed::Variable(index) => renaming.variables[index].index() != index,
    }
}

/// How large a model is, in nodes of expressions.
fn size(model: &Model) -> usize {
    let commands = model.commands().map(|(_, command)| {
        let updates = command.updates.iter().map(|(_, value)| 1 + value.size_up_to(usize::MAX));
        4 + command.guard.size_up_to(usize::MAX) + updates.sum::<usize>()
    });
    commands.sum::<usize>() + model.variables.len() + model.labels.len()
}

struct Finder<'a, 'm> {
    lowering: &'a Lowering<'m>,
    classes: Classes,
    /// What is seen at first sight.
    plain: Colours,
    work: usize,
    size: usize,
    flaws: Option<Flaw>,
    budget: &'a dyn Budget,
}

impl Finder<'_, '_> {
    /// What is seen at first sight, where some have colours of their own.
    fn told_apart(&self, seeds: &[(Seed, u64)]) -> Colours {
        let mut colours = self.plain.clone();
        for (seed, number) in seeds {
            let colour = match seed {
                Seed::Agent(index) => &mut colours.agents[*index],
                Seed::Variable(index) => &mut colours.variables[*index],
            };
            *colour = mix(*colour, 1000 + number);
        }
        colours
    }

    fn refine(&mut self, colours: &mut Colours) -> Result<(), Halt> {
        Progress::Deciding { nodes: 0 }.tell(self.budget)?;
        self.work += self.size;
        colours.refine(self.lowering.model, &self.classes);
        Ok(())
    }

    /// Refines colours until there are no more, so many times at most; gives what they were known by after each.
    fn refine_up_to(&mut self, most: usize, colours: &mut Colours) -> Result<Vec<u64>, Halt> {
        let (mut signatures, mut count) = (Vec::new(), 0);
        while signatures.len() < most {
            self.refine(colours)?;
            signatures.push(colours.signature());
            let now = colours.count();
            // In the first round things may still not know what they are part of.
            if now == count && signatures.len() > 2 {
                break;
            }
            count = now;
        }
        Ok(signatures)
    }

    /// Refines colours as often as others, as long as they are like those. Most that are not differ soon.
    fn refine_like(&mut self, signatures: &[u64], mut colours: Colours) -> Result<Option<Colours>, Halt> {
        for signature in signatures {
            self.refine(&mut colours)?;
            if colours.signature() != *signature {
                return Ok(None);
            }
        }
        Ok(Some(colours))
    }

    /// The families in a group. Whoever is like the last of a family joins it.
    fn alike(&mut self, group: &[Seed], forms: &mut Forms) -> Result<Vec<Alike>, Halt> {
        let numbered: Vec<(Seed, u64)> = group.iter().copied().zip(0..).collect();
        let mut all = self.told_apart(&numbered);
        let signatures = self.refine_up_to(MOST_ROUNDS, &mut all)?;
        let mut families: Vec<(usize, Alike)> = Vec::new();
        for at in 0..group.len() {
            let mut joined = false;
            for (last, alike) in &mut families {
                if self.work > MOST_WORK {
                    break;
                }
                let mut exchanged = numbered.clone();
                (exchanged[*last].1, exchanged[at].1) = (at as u64, *last as u64);
                let other = self.refine_like(&signatures, self.told_apart(&exchanged))?;
                let renaming = other.and_then(|other| self.renaming(&all, &other));
                let proved = |renaming: &Renaming, forms: &mut Forms| {
                    self.flaws == Some(Flaw::Unproved) || is_symmetry(self.lowering, renaming, forms)
                };
                if let Some(renaming) = renaming.filter(|renaming| proved(renaming, forms)) {
                    alike.exchanges.push(renaming);
                    *last = at;
                    joined = true;
                    break;
                }
            }
            if !joined {
                families.push((at, Alike { exchanges: Vec::new() }));
            }
        }
        let families = families.into_iter().map(|(_, alike)| alike);
        Ok(families.filter(|alike| !alike.exchanges.is_empty()).collect())
    }

    /// What has one colour before becomes what has it after; of several, what stays is preferred.
    fn renaming(&self, before: &Colours, after: &Colours) -> Option<Renaming> {
        let model = self.lowering.model;
        let variables = matched(&before.variables, &after.variables)?;
        let values = model.variables().map(|(id, variable)| {
            let Some(class) = self.classes.of(id) else { return Some(Values::new()) };
            let other = self.classes.of(VariableId::from_index(variables[id.index()]))?;
            let (low, other_low) = (self.classes.ranges[class].0, self.classes.ranges[other].0);
            let codes = variable.domain.low()..=variable.domain.high();
            let target = |code: i64| {
                let colour = before.values[class].get((code - low) as usize)?;
                let same = |code: &i64| after.values[other].get((*code - other_low) as usize) == Some(colour);
                let stays = Some(code).filter(|code| *code >= other_low && same(code));
                stays.or_else(|| {
                    let length = after.values[other].len() as i64;
                    (other_low..other_low + length).find(|code| same(code))
                })
            };
            let becomes = codes.map(|code| Some((code, target(code)?))).collect::<Option<Values>>()?;
            Some(becomes.into_iter().filter(|(from, to)| from != to).collect())
        });
        Some(Renaming {
            agents: matched(&before.agents, &after.agents)?.into_iter().map(AgentId::from_index).collect(),
            values: values.collect::<Option<Vec<Values>>>()?,
            variables: variables.iter().copied().map(VariableId::from_index).collect(),
            commitments: matched(&before.commitments, &after.commitments)?
                .into_iter()
                .map(CommitmentId::from_index)
                .collect(),
            labels: matched(&before.labels, &after.labels)?.into_iter().map(LabelId::from_index).collect(),
        })
    }
}

/// For each the one that has its colour afterwards: itself if possible, and otherwise the first that nobody has taken.
fn matched(before: &[u64], after: &[u64]) -> Option<Vec<usize>> {
    let mut free: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
    for (index, colour) in after.iter().enumerate().rev() {
        if before[index] != *colour {
            free.entry(*colour).or_default().push(index);
        }
    }
    let one = |(index, colour): (usize, &u64)| {
        if after[index] == *colour { Some(index) } else { free.get_mut(colour)?.pop() }
    };
    before.iter().enumerate().map(one).collect()
}

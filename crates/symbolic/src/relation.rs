//! The transition relation in parts: images and preimages with early quantification.
//!
//! Transitions made one at a time are one part per command, which mentions only what the command reads and changes; rounds are
//! one part, a conjunction of protocols and evolutions. What is conjoined is quantified as soon as no later conjunct
//! mentions it.

use oxidd::{Subst, VarNo};
use rustc_hash::FxHashSet;
use servanda_engine::Halt;
use servanda_model::{AgentId, LabelId};

use crate::diagrams::{Bdd, Operations};
use crate::encoding::Encoding;

/// Conjuncts are merged as long as they stay below this many nodes.
const CLUSTER_NODES: usize = 800;

/// A conjunct with the variables it may mention.
#[derive(Clone)]
pub(crate) struct Conjunct {
    pub(crate) set: Bdd,
    pub(crate) support: FxHashSet<VarNo>,
}

impl Conjunct {
    /// A conjunct whose variables are read off its diagram.
    pub(crate) fn new(encoding: &Encoding<'_>, set: Bdd) -> Self {
        let support = encoding.diagrams.support(&set);
        Conjunct { set, support }
    }
}

/// Conjuncts in the order in which they are multiplied, each with what can be quantified then.
struct Schedule(Vec<(Bdd, Bdd)>);

impl Schedule {
    /// Orders conjuncts greedily: next comes the one after which most can be quantified for what it brings in.
    fn new(
        encoding: &Encoding<'_>,
        conjuncts: &[Conjunct],
        quantified: &FxHashSet<VarNo>,
    ) -> Result<Schedule, Halt> {
        let mut waiting: Vec<&Conjunct> = conjuncts.iter().collect();
        let mut left: FxHashSet<VarNo> = quantified.clone();
        let mut steps = Vec::new();
        let mut uses: rustc_hash::FxHashMap<VarNo, usize> = rustc_hash::FxHashMap::default();
        for conjunct in conjuncts {
            for variable in conjunct.support.iter().filter(|v| quantified.contains(v)) {
                *uses.entry(*variable).or_default() += 1;
            }
        }
        let mut seen: FxHashSet<VarNo> = FxHashSet::default();
        while !waiting.is_empty() {
            let score = |conjunct: &Conjunct| {
                let freed = conjunct.support.iter().filter(|v| uses.get(v) == Some(&1)).count() as i64;
                let brought = conjunct.support.iter().filter(|v| !seen.contains(v)).count() as i64;
                2 * freed - brought
            };
            let best =
                (0..waiting.len()).max_by_key(|index| (score(waiting[*index]), std::cmp::Reverse(*index)));
            let conjunct = waiting.remove(best.unwrap_or(0));
            for variable in &conjunct.support {
                seen.insert(*variable);
                if let Some(count) = uses.get_mut(variable) {
                    *count -= 1;
                }
            }
            let free: Vec<VarNo> =
                left.iter().copied().filter(|v| uses.get(v).is_none_or(|n| *n == 0)).collect();
            for variable in &free {
                left.remove(variable);
            }
            steps.push((conjunct.set.clone(), encoding.diagrams.cube(free)?));
        }
        if steps.is_empty() {
            steps.push((encoding.diagrams.truth(), encoding.diagrams.cube(left)?));
        }
        Ok(Schedule(steps))
    }

    fn run(&self, set: &Bdd) -> Result<Bdd, Halt> {
        let mut result = set.clone();
        for (conjunct, cube) in &self.0 {
            result = result.both_some(conjunct, cube)?;
            if result.is_false() {
                break;
            }
        }
        Ok(result)
    }
}

/// Merges neighbours while they stay small.
fn clusters(encoding: &Encoding<'_>, conjuncts: Vec<Conjunct>) -> Result<Vec<Conjunct>, Halt> {
    let mut conjuncts = conjuncts;
    // Conjuncts about the same region of the order stand together.
    conjuncts.sort_by_key(|conjunct| conjunct.support.iter().min().copied());
    let mut merged: Vec<Conjunct> = Vec::new();
    for conjunct in conjuncts {
        if let Some(last) = merged.last_mut() {
            let both = last.set.both(&conjunct.set)?;
            if both.size() <= CLUSTER_NODES {
                *last = Conjunct::new(encoding, both);
                continue;
            }
        }
        merged.push(conjunct);
    }
    if merged.is_empty() {
        merged.push(Conjunct { set: encoding.diagrams.truth(), support: FxHashSet::default() });
    }
    Ok(merged)
}

/// Part of the transition relation: the bits it does not change keep their values.
pub(crate) struct Part {
    pub(crate) conjuncts: Vec<Conjunct>,
    /// What the protocols of rounds permit, agent by agent.
    pub(crate) protocols: Vec<Bdd>,
    /// The bits it changes.
    changed: Vec<usize>,
    /// Who makes its transitions.
    pub(crate) agent: Option<AgentId>,
    /// Their label; `None` for rounds and for the implicit loops of deadlocks.
    pub(crate) label: Option<LabelId>,
    forward: Schedule,
    backward: Schedule,
    /// Backward, with the joint action kept.
    backward_keeping_actions: Schedule,
    to_next: Subst<Bdd>,
    to_now: Subst<Bdd>,
}

impl Part {
    pub(crate) fn new(
        encoding: &Encoding<'_>,
        conjuncts: Vec<Conjunct>,
        changed: Vec<usize>,
        agent: Option<AgentId>,
        label: Option<LabelId>,
    ) -> Result<Part, Halt> {
        let conjuncts = clusters(encoding, conjuncts)?;
        let actions = encoding.model.agents().flat_map(|(id, _)| encoding.action_variables(id).to_vec());
        let actions: Vec<VarNo> =
            if encoding.model.rounds.is_some() { actions.collect() } else { Vec::new() };
        let now = changed.iter().map(|bit| encoding.bits[*bit].now);
        let next = changed.iter().map(|bit| encoding.bits[*bit].next);
        let with_actions = |variables: &mut dyn Iterator<Item = VarNo>| -> FxHashSet<VarNo> {
            variables.chain(actions.iter().copied()).collect()
        };
        let forward = Schedule::new(encoding, &conjuncts, &with_actions(&mut now.clone()))?;
        let backward = Schedule::new(encoding, &conjuncts, &with_actions(&mut next.clone()))?;
        let backward_keeping_actions = Schedule::new(encoding, &conjuncts, &next.clone().collect())?;
        let pairs: Vec<(VarNo, VarNo)> = now.zip(next).collect();
        let back: Vec<(VarNo, VarNo)> = pairs.iter().map(|(now, next)| (*next, *now)).collect();
        Ok(Part {
            conjuncts,
            protocols: Vec::new(),
            changed,
            agent,
            label,
            forward,
            backward,
            backward_keeping_actions,
            to_next: encoding.diagrams.renaming(&pairs)?,
            to_now: encoding.diagrams.renaming(&back)?,
        })
    }

    /// The same part with further bits that change as the conjuncts say.
    pub(crate) fn extended(
        &self,
        encoding: &Encoding<'_>,
        more: Vec<Conjunct>,
        bits: impl IntoIterator<Item = usize>,
    ) -> Result<Part, Halt> {
        let conjuncts = self.conjuncts.iter().cloned().chain(more).collect();
        let changed = self.changed.iter().copied().chain(bits).collect();
        let mut part = Part::new(encoding, conjuncts, changed, self.agent, self.label)?;
        part.protocols.clone_from(&self.protocols);
        Ok(part)
    }

    /// Is it the part in which all agents act together?
    pub(crate) fn is_round(&self) -> bool {
        !self.protocols.is_empty()
    }

    /// Where the part leads from a set.
    pub(crate) fn image(&self, set: &Bdd) -> Result<Bdd, Halt> {
        self.forward.run(set)?.renamed(&self.to_now)
    }

    /// From where the part leads into a set.
    pub(crate) fn preimage(&self, set: &Bdd) -> Result<Bdd, Halt> {
        self.backward.run(&set.renamed(&self.to_next)?)
    }

    /// From where, and with which joint action, the part leads into a set.
    pub(crate) fn preimage_with_actions(&self, set: &Bdd) -> Result<Bdd, Halt> {
        self.backward_keeping_actions.run(&set.renamed(&self.to_next)?)
    }
}

/// A place where the model does what it must not: the states, and what to say of them.
pub(crate) struct Trap {
    pub(crate) states: Bdd,
    pub(crate) fault: servanda_model::StepFault,
}

/// Everything the relation is made of.
pub(crate) struct Relation {
    pub(crate) parts: Vec<Part>,
    /// Where commands fault; looked at once the reachable states are known.
    pub(crate) traps: Vec<Trap>,
    /// Where rounds lose moves, with the places of the lines; these may mention actions.
    pub(crate) lost: Vec<(servanda_syntax::Span, Bdd)>,
}

/// The relation of a model.
pub(crate) fn build(encoding: &Encoding<'_>) -> Result<Relation, Halt> {
    match encoding.model.rounds {
        None => commands(encoding),
        Some(_) => rounds(encoding),
    }
}

fn commands(encoding: &Encoding<'_>) -> Result<Relation, Halt> {
    use servanda_model::{FaultKind, StepFault};
    let model = encoding.model;
    let mut relation = Relation { parts: Vec::new(), traps: Vec::new(), lost: Vec::new() };
    for (id, command) in model.commands() {
        let mut changed: Vec<usize> = Vec::new();
        let guard = encoding.truth(&command.guard)?;
        let fault = StepFault::NoValue { command: id, kind: FaultKind::DivisionByZero };
        relation.traps.push(Trap { states: guard.defined.complement()?, fault });
        let mut set = guard.value.clone();
        for (variable, value) in &command.updates {
            let becomes = encoding.becomes(*variable, value)?;
            let lost = guard.value.without(&becomes.defined)?;
            // What the value would be is told by the reference engine; a symbolic set has many.
            let fault = StepFault::OutOfRange { command: id, variable: *variable, value: i64::MIN };
            relation.traps.push(Trap { states: lost, fault });
            set = set.both(&becomes.value)?;
            changed.extend(encoding.variable_bits(*variable));
        }
        let add = command.effect.add.iter().map(|c| (encoding.commitment_bit(*c), true));
        let remove = command.effect.remove.iter().filter(|c| !command.effect.add.contains(c));
        for (bit, in_force) in add.chain(remove.map(|c| (encoding.commitment_bit(*c), false))) {
            let next = encoding.diagrams.variable(encoding.bits[bit].next)?;
            set = if in_force { set.both(&next)? } else { set.without(&next)? };
            changed.push(bit);
        }
        changed.sort_unstable();
        changed.dedup();
        let agent = model.label(command.label).by();
        let conjunct = Conjunct::new(encoding, set);
        relation.parts.push(Part::new(encoding, vec![conjunct], changed, agent, Some(command.label))?);
    }
    Ok(relation)
}

fn rounds(encoding: &Encoding<'_>) -> Result<Relation, Halt> {
    let model = encoding.model;
    let mut conjuncts = Vec::new();
    let mut protocols = Vec::new();
    let mut lost = Vec::new();
    let programs = model.rounds.iter().flat_map(|rounds| &rounds.programs);
    for ((agent, _), program) in model.agents().zip(programs) {
        let protocol = protocol(encoding, agent, program)?;
        protocols.push(protocol.set.clone());
        conjuncts.push(protocol);
        for block in &program.evolution {
            conjuncts.push(evolution(encoding, block, &mut lost)?);
        }
    }
    let changed = (0..encoding.bits.len()).collect();
    let mut part = Part::new(encoding, conjuncts, changed, None, None)?;
    part.protocols = protocols;
    Ok(Relation { parts: vec![part], traps: Vec::new(), lost })
}

fn protocol(
    encoding: &Encoding<'_>,
    agent: AgentId,
    program: &servanda_model::AgentProgram,
) -> Result<Conjunct, Halt> {
    let any_of = |actions: &[usize]| -> Result<Bdd, Halt> {
        actions
            .iter()
            .try_fold(encoding.diagrams.falsity(), |any, action| any.either(&encoding.takes(agent, *action)?))
    };
    let mut set = encoding.diagrams.falsity();
    let mut none_applies = encoding.diagrams.truth();
    for permission in &program.permissions {
        let condition = encoding.truth(&permission.condition)?;
        // A condition without a value does not hold.
        let holds = condition.value.both(&condition.defined)?;
        none_applies = none_applies.without(&holds)?;
        set = set.either(&holds.both(&any_of(&permission.actions)?)?)?;
    }
    set = set.either(&none_applies.both(&any_of(&program.otherwise)?)?)?;
    Ok(Conjunct::new(encoding, set))
}

fn evolution(
    encoding: &Encoding<'_>,
    block: &servanda_model::Block,
    lost: &mut Vec<(servanda_syntax::Span, Bdd)>,
) -> Result<Conjunct, Halt> {
    let keep = |variables: &mut dyn Iterator<Item = &servanda_model::VariableId>| -> Result<Bdd, Halt> {
        let mut set = encoding.diagrams.truth();
        for variable in variables {
            for bit in encoding.variable_bits(*variable) {
                set = set.both(&encoding.keeps(*bit)?)?;
            }
        }
        Ok(set)
    };
    let mut set = encoding.diagrams.falsity();
    let mut none_enabled = encoding.diagrams.truth();
    for line in &block.lines {
        let guard = encoding.truth(&line.guard)?;
        let enabled = guard.value.both(&guard.defined)?;
        none_enabled = none_enabled.without(&enabled)?;
        let exists = encoding.truth(&line.defined)?;
        let mut made = exists.value.both(&exists.defined)?;
        let mut fits = made.clone();
        for (variable, value) in &line.updates {
            let becomes = encoding.becomes(*variable, value)?;
            made = made.both(&becomes.value)?;
            fits = fits.both(&becomes.defined)?;
        }
        let assigned =
            |variable: &&servanda_model::VariableId| line.updates.iter().any(|(v, _)| v == *variable);
        made = made.both(&keep(&mut block.variables.iter().filter(|v| !assigned(v)))?)?;
        let nowhere = enabled.without(&fits)?;
        if !nowhere.is_false() {
            lost.push((line.span, nowhere));
        }
        set = set.either(&enabled.both(&made)?)?;
    }
    set = set.either(&none_enabled.both(&keep(&mut block.variables.iter())?)?)?;
    Ok(Conjunct::new(encoding, set))
}

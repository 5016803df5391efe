//! The transition relation of a model: one part per command, or one part of all protocols and evolutions.

use oxidd::{Subst, VarNo};
use rustc_hash::FxHashSet;
use servanda_algebra::{Algebra, Guarded};
use servanda_engine::{Budget, Halt};
use servanda_model::{Behaviour, Block};
use servanda_syntax::Span;

use crate::diagrams::{Bdd, Operations};
use crate::encoding::Encoding;
use crate::relation::Part;
use crate::schedule::Conjunct;

/// Evolutions may grow to this many nodes when actions are replaced by what determines them.
const SUBSTITUTED_NODES: usize = 20_000;

/// Everything the relation is made of.
pub(crate) struct Relation {
    pub(crate) parts: Vec<Part>,
    /// Where commands do what they must not; looked at once the reachable states are known.
    pub(crate) traps: Vec<Bdd>,
    /// Where rounds lose moves, with the places of the lines; these may mention actions.
    pub(crate) lost: Vec<(Span, Bdd)>,
}

/// The relation of a model.
pub(crate) fn build(encoding: &Encoding<'_>, budget: &dyn Budget) -> Result<Relation, Halt> {
    match encoding.model.behaviour {
        Behaviour::Commands(_) => commands(encoding, budget),
        Behaviour::Rounds(_) => rounds(encoding, budget),
    }
}

fn commands(encoding: &Encoding<'_>, budget: &dyn Budget) -> Result<Relation, Halt> {
    let mut relation = Relation { parts: Vec::new(), traps: Vec::new(), lost: Vec::new() };
    let mut algebra = encoding.algebra(budget);
    for (_, command) in encoding.model.commands() {
        algebra.poll()?;
        let guarded = encoding.functions.command(&mut algebra, command)?;
        relation.traps.push(guarded.defined.complement()?);
        let mut enabled = guarded.holds.clone();
        for fits in &guarded.fits {
            relation.traps.push(guarded.holds.without(fits)?);
            enabled = enabled.both(fits)?;
        }
        let set = encoding.becomes(&enabled, &guarded.changes, budget)?;
        let mut changed: Vec<usize> = guarded.changes.iter().map(|(bit, _)| *bit).collect();
        changed.sort_unstable();
        changed.dedup();
        let conjunct = Conjunct::new(encoding, set);
        relation.parts.push(Part::new(encoding, vec![conjunct], changed, command.by, Some(command.label))?);
    }
    Ok(relation)
}

fn rounds(encoding: &Encoding<'_>, budget: &dyn Budget) -> Result<Relation, Halt> {
    let model = encoding.model;
    let mut protocols = Vec::new();
    let mut evolutions = Vec::new();
    let mut lost = Vec::new();
    let mut changed = Vec::new();
    for ((agent, _), program) in model.agents().zip(model.behaviour.programs()) {
        let mut algebra = encoding.algebra(budget);
        let protocol = encoding.functions.protocol(&mut algebra, agent, program)?;
        protocols.push(Conjunct::new(encoding, protocol.permitted));
        for block in &program.evolution {
            algebra.poll()?;
            let set = evolution(encoding, block, &mut lost, budget)?;
            evolutions.push(without_constants(encoding, block, set, &mut changed)?);
        }
    }
    for promised in encoding.functions.in_force_after_round(&mut encoding.algebra(budget))? {
        changed.push(promised.0);
        let set = encoding.becomes(&encoding.diagrams.truth(), &[promised], budget)?;
        evolutions.push(Conjunct::new(encoding, set));
    }
    let conjuncts = without_determined_actions(encoding, &protocols, &evolutions)?;
    let all = protocols.iter().chain(&evolutions).cloned().collect();
    let protocols = protocols.into_iter().map(|protocol| protocol.set).collect();
    let part = Part::new(encoding, conjuncts, changed, None, None)?.of_rounds(encoding, all, protocols)?;
    Ok(Relation { parts: vec![part], traps: Vec::new(), lost })
}

/// Variables that never change are left out of the evolution and of what a round changes: images and preimages need not
/// carry them from one copy to the other.
fn without_constants(
    encoding: &Encoding<'_>,
    block: &Block,
    evolution: Bdd,
    changed: &mut Vec<usize>,
) -> Result<Conjunct, Halt> {
    let mut set = evolution;
    for variable in &block.variables {
        let bits = encoding.functions.variable_bits(*variable);
        let mut keeps = encoding.diagrams.truth();
        for bit in bits {
            keeps = keeps.both(&encoding.keeps(*bit)?)?;
        }
        if set.without(&keeps)?.is_false() {
            let next = bits.iter().map(|bit| encoding.bits[*bit].next);
            set = set.some(&encoding.diagrams.cube(next)?)?;
        } else {
            changed.extend(bits);
        }
    }
    Ok(Conjunct::new(encoding, set))
}

/// An agent whose local state leaves it no choice acts as a function of the state. Put in place of its action, the function
/// does away with the action's bits, and with them most of what makes images and preimages large. Where an evolution would
/// grow too much by it, the action stays.
fn without_determined_actions(
    encoding: &Encoding<'_>,
    protocols: &[Conjunct],
    evolutions: &[Conjunct],
) -> Result<Vec<Conjunct>, Halt> {
    let mut functions: Vec<(VarNo, Bdd)> = Vec::new();
    let mut determined = vec![false; protocols.len()];
    for ((agent, _), protocol) in encoding.model.agents().zip(protocols) {
        let variables = encoding.action_variables(agent);
        let cube = encoding.diagrams.cube(variables.iter().copied())?;
        let mut own = Vec::new();
        for variable in variables {
            let bit = encoding.diagrams.variable(*variable)?;
            let set = protocol.set.both_some(&bit, &cube)?;
            let clear = protocol.set.without(&bit)?.some(&cube)?;
            if !set.both(&clear)?.is_false() {
                break;
            }
            own.push((*variable, set));
        }
        if own.len() == variables.len() {
            determined[agent.index()] = true;
            functions.extend(own);
        }
    }
    let (from, to): (Vec<VarNo>, Vec<Bdd>) = functions.into_iter().unzip();
    let known: FxHashSet<VarNo> = from.iter().copied().collect();
    let substitution = Subst::new(from, to);
    let mut conjuncts = Vec::new();
    for evolution in evolutions {
        if evolution.support.is_disjoint(&known) {
            conjuncts.push(evolution.clone());
            continue;
        }
        let replaced = evolution.set.renamed(&substitution)?;
        let grown = replaced.size() > SUBSTITUTED_NODES && replaced.size() > 4 * evolution.set.size();
        conjuncts.push(if grown { evolution.clone() } else { Conjunct::new(encoding, replaced) });
    }
    for ((agent, _), protocol) in encoding.model.agents().zip(protocols) {
        let variables = encoding.action_variables(agent);
        let mentioned =
            |conjunct: &Conjunct| variables.iter().any(|variable| conjunct.support.contains(variable));
        let kept = if determined[agent.index()] && !conjuncts.iter().any(mentioned) {
            let cube = encoding.diagrams.cube(variables.iter().copied())?;
            Conjunct::new(encoding, protocol.set.some(&cube)?)
        } else {
            protocol.clone()
        };
        conjuncts.push(kept);
    }
    Ok(conjuncts)
}

fn evolution(
    encoding: &Encoding<'_>,
    block: &Block,
    lost: &mut Vec<(Span, Bdd)>,
    budget: &dyn Budget,
) -> Result<Bdd, Halt> {
    let mut algebra = encoding.algebra(budget);
    // What no line assigns keeps its value.
    let bits = block.variables.iter().flat_map(|variable| encoding.functions.variable_bits(*variable));
    let kept: Vec<(usize, Bdd)> = bits.map(|bit| (*bit, encoding.functions.state[*bit].clone())).collect();
    let (mut made, mut enabled) = (Vec::new(), Vec::new());
    for line in &block.lines {
        let Guarded { holds, fits, mut changes, .. } = encoding.functions.line(&mut algebra, line)?;
        let fits = holds.both(&algebra.all(&fits)?)?;
        let nowhere = holds.without(&fits)?;
        if !nowhere.is_false() {
            lost.push((line.span, nowhere));
        }
        let others = kept.iter().filter(|(bit, _)| !changes.iter().any(|(changed, _)| changed == bit));
        let others: Vec<(usize, Bdd)> = others.cloned().collect();
        changes.extend(others);
        made.push(encoding.becomes(&fits, &changes, budget)?);
        enabled.push(holds);
    }
    let stays = algebra.any(&enabled)?.complement()?;
    made.push(encoding.becomes(&stays, &kept, budget)?);
    algebra.any(&made)
}

//! Properties that share a slice.

use servanda_model::Model;

use crate::cone::Cone;

/// A slice must save so many bits of a state, or it is not worth its own space.
const WORTH_BITS: f64 = 2.0;

/// More slices than this are not made of one model.
const MOST_SLICES: usize = 8;

/// Properties with one cone, or with cones of which one contains the others.
#[derive(Clone, Debug)]
pub struct Group {
    /// What they depend on.
    pub cone: Cone,
    /// Their positions among those that were asked.
    pub properties: Vec<usize>,
}

/// Divides properties among slices, each known by its cone; those in no group are better asked of the whole model.
pub fn grouped(model: &Model, cones: Vec<Option<Cone>>) -> Vec<Group> {
    let all: f64 = model.variables.iter().map(|variable| (variable.domain.size() as f64).log2()).sum();
    let all = all + model.commitments.len() as f64;
    let cones = cones.into_iter().enumerate().filter_map(|(number, cone)| Some((number, cone?)));
    let mut sliced: Vec<(usize, Cone, f64)> = cones
        .map(|(number, cone)| {
            let bits = cone.bits(model);
            (number, cone, bits)
        })
        .filter(|(_, _, bits)| all - bits >= WORTH_BITS)
        .collect();
    // The largest first, so that smaller ones can join; of equal ones those first that are right for more properties.
    sliced.sort_by(|one, other| other.2.total_cmp(&one.2).then(other.1.style.cmp(&one.1.style)));
    let mut groups: Vec<(Group, f64)> = Vec::new();
    for (number, cone, bits) in sliced {
        let near = |(group, known): &&mut (Group, f64)| {
            (*known - bits < WORTH_BITS && group.cone.serves(&cone)) || group.cone == cone
        };
        match groups.iter_mut().find(near) {
            Some((group, _)) => group.properties.push(number),
            None => groups.push((Group { cone, properties: vec![number] }, bits)),
        }
    }
    let mut groups: Vec<Group> = groups.into_iter().map(|(group, _)| group).collect();
    // The smallest ones bring most.
    if groups.len() > MOST_SLICES {
        groups.drain(..groups.len() - MOST_SLICES);
    }
    groups.iter_mut().for_each(|group| group.properties.sort_unstable());
    groups
}

//! Which values neighbouring variables can have together, where a sum that no command changes ties them to each other.
//!
//! Of ten places one of which has the only token, ten digits of two values say what one digit of ten values says. As one digit, a step that
//! moves the token is a step of one digit, and every set has a tenth of the levels (in the manner of Pastor and Cortadella, "Efficient
//! encoding schemes for symbolic analysis of Petri nets"). What the sum rules out is reached by nobody, so it needs no value.

use servanda_model::{Domain, Flow, Model, Range, VariableId};

/// A digit of several variables has at most so many values.
const MOST_CODES: usize = 64;

/// Their bits in all are at most so many, so that one number holds them.
const MOST_BITS: usize = 60;

/// What the bits of a digit can spell together, in order. The most significant bit is that of the topmost level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Codes(Vec<u64>);

impl Codes {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The number of a code, if it is one.
    pub(crate) fn number(&self, code: u64) -> Option<usize> {
        self.0.binary_search(&code).ok()
    }

    /// Is there a code that begins so, with so many bits to come?
    pub(crate) fn begins(&self, prefix: u64, left: usize) -> bool {
        let at = self.0.partition_point(|code| code >> left < prefix);
        self.0.get(at).is_some_and(|code| code >> left == prefix)
    }

    /// All of them.
    pub(crate) fn all(&self) -> &[u64] {
        &self.0
    }
}

/// A variable in the order of the diagrams, and its bits, the most significant first. A bit is given by its place in the code of the value.
#[derive(Clone, Debug)]
pub(crate) struct Neighbour {
    pub(crate) variable: VariableId,
    /// By bit from the top: which bit of the code it is.
    pub(crate) places: Vec<usize>,
}

/// Variables that follow each other in the order and are tied by sums.
struct Run<'r> {
    model: &'r Model,
    neighbours: &'r [Option<Neighbour>],
    flows: Vec<&'r Flow>,
}

/// How many of the variables at the front of a list make one digit, and what its bits can spell; `None` where the first stands alone.
/// A place in the list may be something that no sum can tie.
pub(crate) fn tied(
    model: &Model,
    flows: &[Flow],
    neighbours: &[Option<Neighbour>],
) -> Option<(usize, Codes)> {
    let first = neighbours.first()?.as_ref()?;
    let mut common: Vec<&Flow> = flows.iter().filter(|flow| counts(flow, first.variable)).collect();
    let (mut bits, mut found) = (first.places.len(), None);
    for (length, next) in (2..).zip(neighbours[1..].iter().map_while(Option::as_ref)) {
        common.retain(|flow| counts(flow, next.variable));
        bits += next.places.len();
        if common.is_empty() || bits > MOST_BITS {
            break;
        }
        let run = Run { model, neighbours: &neighbours[..length], flows: common.clone() };
        let Some(codes) = run.codes() else { break };
        found = Some((length, codes));
    }
    found
}

fn counts(flow: &Flow, variable: VariableId) -> bool {
    flow.terms.iter().any(|(term, _)| term.variable() == variable)
}

/// The least and the most that a variable with a value in this range adds to a sum.
fn adds(flow: &Flow, variable: VariableId, range: Range) -> (i128, i128) {
    let own = flow.terms.iter().filter(|(term, _)| term.variable() == variable);
    let parts = own.map(|(term, weight)| {
        let ((low, high), weight) = (term.range(range), i128::from(*weight));
        (i128::from(low) * weight, i128::from(high) * weight)
    });
    parts.fold((0, 0), |(low, high), (least, most)| (low + least, high + most))
}

/// The values that a domain has.
fn whole(domain: &Domain) -> Range {
    (domain.low(), domain.high())
}

impl Run<'_> {
    /// The codes that the sums allow; `None` if they are too many.
    fn codes(&self) -> Option<Codes> {
        // What all that is not looked at yet can add to each sum.
        let mut open: Vec<(i128, i128)> = Vec::new();
        for flow in &self.flows {
            let mut variables: Vec<VariableId> = flow.terms.iter().map(|(term, _)| term.variable()).collect();
            variables.sort_unstable();
            variables.dedup();
            let extents = variables.iter().map(|id| adds(flow, *id, whole(&self.model.variable(*id).domain)));
            open.push(extents.fold((0, 0), |(low, high), (least, most)| (low + least, high + most)));
        }
        let nothing = vec![0_i128; self.flows.len()];
        let mut begun: Vec<(u64, Vec<i128>)> = vec![(0, nothing)];
        for neighbour in self.neighbours.iter().flatten() {
            let domain = &self.model.variable(neighbour.variable).domain;
            for (open, flow) in open.iter_mut().zip(&self.flows) {
                let (least, most) = adds(flow, neighbour.variable, whole(domain));
                *open = (open.0 - least, open.1 - most);
            }
            let mut longer = Vec::new();
            for (code, sums) in &begun {
                for value in domain.low()..=domain.high() {
                    let sums: Vec<i128> = sums
                        .iter()
                        .zip(&self.flows)
                        .map(|(sum, flow)| sum + adds(flow, neighbour.variable, (value, value)).0)
                        .collect();
                    let possible = |((sum, flow), (low, high)): ((&i128, &&Flow), &(i128, i128))| {
                        let left = i128::from(flow.total) - sum;
                        (*low..=*high).contains(&left)
                    };
                    if !sums.iter().zip(&self.flows).zip(&open).all(possible) {
                        continue;
                    }
                    let own = value.abs_diff(domain.low());
                    let spelt = neighbour.places.iter().fold(*code, |code, at| code << 1 | own >> at & 1);
                    longer.push((spelt, sums));
                    if longer.len() > MOST_CODES {
                        return None;
                    }
                }
            }
            begun = longer;
        }
        let mut codes: Vec<u64> = begun.into_iter().map(|(code, _)| code).collect();
        codes.sort_unstable();
        Some(Codes(codes))
    }
}

//! Where things stand in a drawing of characters.

use crate::data::NOTHING_HAPPENS;
use crate::layout::{lanes, length};
use crate::{Bar, Chart, Happening};

/// Lifelines are at least so far apart.
const LEAST_GAP: usize = 12;

/// A label longer than this does not keep lifelines apart; it is written above its arrow.
const LONGEST_IN_GAP: usize = 36;

/// Room for what the state is like, if that is written beside the drawing.
const LEAST_FACTS: usize = 22;

/// The columns of a drawing.
pub(super) struct Columns {
    /// The width of everything.
    pub(super) width: usize,
    /// Where each lifeline stands.
    pub(super) lifelines: Vec<usize>,
    /// Where the region of lifelines begins and ends.
    pub(super) region: (usize, usize),
    /// Every bar with its column.
    pub(super) bars: Vec<(usize, Bar)>,
    /// Where facts are written: beside the drawing from this column on, or below.
    pub(super) facts: Option<usize>,
}

impl Columns {
    /// The widest arrangement that fits.
    pub(super) fn new(chart: &Chart, width: usize) -> Option<Self> {
        let wide = gaps(chart, LONGEST_IN_GAP);
        let narrow = gaps(chart, 0);
        let beside = |gaps: &Gaps| Columns::arranged(chart, gaps, width, LEAST_FACTS);
        let below = |gaps: &Gaps| Columns::arranged(chart, gaps, width, 0);
        beside(&wide).or_else(|| beside(&narrow)).or_else(|| below(&wide)).or_else(|| below(&narrow))
    }

    fn arranged(chart: &Chart, gaps: &Gaps, width: usize, facts: usize) -> Option<Self> {
        let begin = 3 + length(&chart.steps.len().to_string());
        let mut at = begin + gaps.left;
        let mut lifelines = vec![at];
        for gap in &gaps.between {
            at += gap;
            lifelines.push(at);
        }
        let end = at + gaps.right + 1;
        let (placed, columns) = lanes(chart);
        let tag = chart.commitments.iter().map(|commitment| length(&commitment.tag)).max().unwrap_or(0);
        let lane = |number: usize| end + 1 + number * (tag + 1);
        let right = if columns == 0 { end } else { lane(columns) };
        let facts_at = right + 1;
        if facts_at + facts > width {
            return None;
        }
        Some(Columns {
            width,
            lifelines,
            region: (begin, end),
            bars: placed.into_iter().map(|(number, bar)| (lane(number), bar)).collect(),
            facts: (facts > 0).then_some(facts_at),
        })
    }
}

/// The room around lifelines.
struct Gaps {
    left: usize,
    between: Vec<usize>,
    right: usize,
}

/// How far apart lifelines must be for names, actions and labels of at most so many characters.
fn gaps(chart: &Chart, longest: usize) -> Gaps {
    let count = chart.lifelines.len();
    // What stands centred on a lifeline.
    let mut centred: Vec<usize> = chart.lifelines.iter().map(|name| length(name)).collect();
    let mut between = vec![LEAST_GAP; count.saturating_sub(1)];
    let mut right = 0;
    // The longest label that stands over all lifelines.
    let mut across = 0;
    for step in &chart.steps {
        match &step.happening {
            Happening::Together(actions) => {
                for (width, action) in centred.iter_mut().zip(actions) {
                    *width = (*width).max(length(action));
                }
            }
            Happening::Message { from, to, label } if from.abs_diff(*to) == 1 => {
                let needed = length(label) + 7;
                if needed <= longest + 7 {
                    let gap = &mut between[*from.min(to)];
                    *gap = (*gap).max(needed);
                }
            }
            Happening::Own { at, label } if length(label) <= longest => match between.get_mut(*at) {
                Some(gap) => *gap = (*gap).max(length(label) + 5),
                None => right = right.max(length(label) + 4),
            },
            Happening::Nobody(label) if length(label) <= longest => across = across.max(length(label) + 6),
            Happening::Deadlock => across = across.max(length(NOTHING_HAPPENS) + 6),
            _ => {}
        }
    }
    for (index, gap) in between.iter_mut().enumerate() {
        *gap = (*gap).max(centred[index] / 2 + centred[index + 1] / 2 + 3);
    }
    let half = |index: usize| centred.get(index).map_or(0, |width| width / 2);
    let (left, right) = (half(0), right.max(half(count.saturating_sub(1)) + 1));
    let all = left + between.iter().sum::<usize>() + right;
    match between.first_mut() {
        // A little more room between few lifelines; many have room enough.
        Some(gap) => *gap += across.saturating_sub(all),
        None => return Gaps { left, between, right: right + across.saturating_sub(all) },
    }
    Gaps { left, between, right }
}

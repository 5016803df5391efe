//! Where things stand in a drawing of characters.

use crate::data::NOTHING_HAPPENS;
use crate::layout::{Berth, Side, berths, lanes, length, nearest};
use crate::{Bar, Chart, Happening};

/// Lifelines are at least so far apart.
const LEAST_GAP: usize = 12;

/// A label longer than this does not keep lifelines apart; it is written above its arrow.
const LONGEST_IN_GAP: usize = 36;

/// Room for what the state is like, if that is written beside the drawing.
const LEAST_FACTS: usize = 22;

/// A name of a commitment longer than this is shortened beside its bar; the list below the drawing has all of it.
const LONGEST_TAG: usize = 12;

/// From a lifeline to the first message that waits beside it, and from that to the next.
const FIRST_BERTH: usize = 3;
const NEXT_BERTH: usize = 2;

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
    /// The most characters of a name beside a bar.
    pub(super) tag: usize,
    /// The column of every message under way.
    pub(super) flights: Vec<usize>,
    /// Where facts are written: beside the drawing from this column on, or below.
    pub(super) facts: Option<usize>,
}

/// How generous an arrangement is.
#[derive(Clone, Copy)]
struct Room {
    /// Labels of at most so many characters keep lifelines apart.
    label: usize,
    /// Names beside bars have at most so many.
    tag: usize,
    /// The least width of what is written beside the drawing; 0: it goes below.
    facts: usize,
}

impl Columns {
    /// The widest arrangement that fits.
    pub(super) fn new(chart: &Chart, width: usize) -> Option<Self> {
        let rooms = [LEAST_FACTS, 0].into_iter().flat_map(|facts| {
            let room = move |label, tag| Room { label, tag, facts };
            [
                room(LONGEST_IN_GAP, LONGEST_TAG),
                room(LONGEST_IN_GAP, 5),
                room(0, LONGEST_TAG),
                room(0, 5),
                room(0, 1),
            ]
        });
        rooms.into_iter().find_map(|room| Columns::arranged(chart, room, width))
    }

    fn arranged(chart: &Chart, room: Room, width: usize) -> Option<Self> {
        let berths = berths(chart);
        let gaps = gaps(chart, &berths, room.label);
        let begin = 3 + length(&chart.steps.len().to_string());
        let mut at = begin + gaps.left;
        let mut lifelines = vec![at];
        for gap in &gaps.between {
            at += gap;
            lifelines.push(at);
        }
        let end = at + gaps.right + 1;
        let (placed, columns) = lanes(chart);
        // A lane is as wide as the longest name in it.
        let mut lane_at = vec![end + 1];
        for number in 0..columns {
            let here = placed.iter().filter(|(lane, _)| *lane == number);
            let tag = here.map(|(_, bar)| chart.tag(bar).map_or(0, length).min(room.tag)).max().unwrap_or(0);
            lane_at.push(lane_at[number] + tag.max(1) + 1);
        }
        let right = if columns == 0 { end } else { lane_at[columns] };
        let facts_at = right + 1;
        if facts_at + room.facts > width {
            return None;
        }
        let flights = berths.iter().map(|berth| match berth.side {
            Side::Left => lifelines[berth.at] - FIRST_BERTH - NEXT_BERTH * berth.lane,
            Side::Right => lifelines[berth.at] + FIRST_BERTH + NEXT_BERTH * berth.lane,
        });
        Some(Columns {
            width,
            flights: flights.collect(),
            lifelines,
            region: (begin, end),
            bars: placed.into_iter().map(|(number, bar)| (lane_at[number], bar)).collect(),
            tag: room.tag,
            facts: (room.facts > 0).then_some(facts_at),
        })
    }
}

/// The room around lifelines.
struct Gaps {
    left: usize,
    between: Vec<usize>,
    right: usize,
}

/// How far apart lifelines must be for names, actions, messages under way, and labels of at most so many characters.
fn gaps(chart: &Chart, berths: &[Berth], longest: usize) -> Gaps {
    let count = chart.lifelines.len();
    // What stands centred on a lifeline.
    let mut centred: Vec<usize> = chart.lifelines.iter().map(|name| length(name)).collect();
    let waiting = waiting(count, berths);
    let mut between: Vec<usize> =
        waiting.iter().take(count.saturating_sub(1)).map(|waiting| LEAST_GAP + waiting).collect();
    let mut right = waiting.last().map_or(0, |waiting| if *waiting > 0 { waiting + 2 } else { 0 });
    // The longest label that stands over all lifelines.
    let mut across = 0;
    if longest > 0 {
        across = chart.folds.iter().map(|fold| length(&fold.words()) + 6).max().unwrap_or(0);
    }
    let widen = |between: &mut [usize], gap: usize, needed: usize| {
        if let Some(gap) = between.get_mut(gap) {
            *gap = (*gap).max(needed);
        }
    };
    for (index, step) in chart.steps.iter().enumerate() {
        let label = step.happening.label().map_or(0, length);
        let fits = label <= longest;
        match &step.happening {
            Happening::Together(actions) => {
                for (width, action) in centred.iter_mut().zip(actions) {
                    *width = (*width).max(length(action));
                }
            }
            Happening::Message { from, to, .. } => {
                if let Some(to) = nearest(*from, to)
                    && from.abs_diff(to) == 1
                    && fits
                {
                    let gap = *from.min(&to);
                    widen(&mut between, gap, label + 7 + waiting[gap]);
                }
            }
            Happening::Sent { from, .. } => {
                let berth = chart.flights.iter().position(|flight| flight.is_sent_at(index + 1));
                let gap = berth.map_or(*from, |berth| gap_of(&berths[berth]));
                if fits && (gap == *from || gap + 1 == *from) {
                    match between.get_mut(gap) {
                        Some(width) => *width = (*width).max(label + 7 + waiting[gap]),
                        None => right = right.max(label + 7 + waiting[gap]),
                    }
                }
            }
            Happening::Own { at, .. } | Happening::Received { at, .. } if fits => {
                match between.get_mut(*at) {
                    Some(gap) => *gap = (*gap).max(label + 5 + waiting[*at]),
                    None => right = right.max(label + 4 + waiting[*at]),
                }
            }
            // Something in a channel is marked in the line, beside the label.
            Happening::Nobody(_) if fits && chart.is_marked(index + 1) => across = across.max(2 * label + 12),
            Happening::Tick(_) | Happening::Nobody(_) if fits => across = across.max(label + 6),
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

/// The gap in which a message waits: that to the right of the lifeline of this number.
fn gap_of(berth: &Berth) -> usize {
    match berth.side {
        Side::Left => berth.at.saturating_sub(1),
        Side::Right => berth.at,
    }
}

/// The width that messages under way need in each gap; the last is that beside the last lifeline.
fn waiting(count: usize, berths: &[Berth]) -> Vec<usize> {
    let mut lanes = vec![[0; 2]; count.max(1)];
    for berth in berths {
        let side = usize::from(berth.side == Side::Right);
        if let Some(gap) = lanes.get_mut(gap_of(berth)) {
            gap[side] = gap[side].max(berth.lane + 1);
        }
    }
    let width = |lanes: usize| if lanes == 0 { 0 } else { FIRST_BERTH - 1 + NEXT_BERTH * (lanes - 1) };
    lanes.iter().map(|[left, right]| width(*left) + width(*right)).collect()
}

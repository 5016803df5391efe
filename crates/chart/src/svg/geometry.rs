//! Where things stand in a drawing of lines.

use crate::data::Shown;
use crate::layout::{lanes, length, nearest, wrap, wrap_items};
use crate::{Bar, Chart, Happening, Moment};

/// The width of a character of the labels' font, in tenths.
pub(super) const CHARACTER: usize = 79;

/// The height of a line of text.
pub(super) const LINE: usize = 18;

/// The height of the boxes with the names of lifelines.
pub(super) const HEAD: usize = 28;

/// Characters in a line of a label.
const LABEL: usize = 34;

/// Characters in a line of the column on the right.
const FACTS: usize = 46;

/// The width of a bar, and the least of its column.
pub(super) const BAR: usize = 10;
const LANE: usize = 34;

/// A name of a commitment longer than this is shortened beside its bar; pointing at it shows all of it, and so does the list below.
pub(super) const TAG: usize = 14;

/// After so many rows the names of the lifelines are written again.
const ROWS_TO_A_HEAD: usize = 25;

/// The places of everything in a chart.
pub(super) struct Geometry {
    pub(super) width: usize,
    pub(super) height: usize,
    /// The lifelines from left to right.
    pub(super) lifelines: Vec<usize>,
    /// Half of the width of the boxes with names.
    pub(super) half_names: Vec<usize>,
    /// Where the region of lifelines begins and ends.
    pub(super) region: (usize, usize),
    /// Bars with their places.
    pub(super) bars: Vec<(usize, Bar)>,
    /// Where the column with facts and notes begins, and how wide it is.
    pub(super) facts: (usize, usize),
    /// The rows; the first is the beginning.
    pub(super) rows: Vec<Row>,
    /// The row of every moment.
    row_of: Vec<usize>,
}

/// A row of a chart.
pub(super) struct Row {
    /// The step or steps that it shows; nothing at the beginning.
    pub(super) moments: (usize, usize),
    /// Where the names of the lifelines are written again above it, if they are.
    pub(super) heads: Option<usize>,
    /// Where it begins.
    pub(super) top: usize,
    /// Where the arrow is.
    pub(super) arrow: usize,
    /// Where it ends.
    pub(super) bottom: usize,
    /// The lines of the label.
    pub(super) label: Vec<String>,
    pub(super) facts: Vec<String>,
    /// Every note with its lines.
    pub(super) notes: Vec<Vec<String>>,
}

/// The width of so many characters.
pub(super) fn width_of(characters: usize) -> usize {
    (characters * CHARACTER).div_ceil(10)
}

impl Geometry {
    pub(super) fn new(chart: &Chart) -> Self {
        let numbers = width_of(length(&chart.steps.len().to_string())) + 20;
        let gaps = Gaps::new(chart);
        let begin = numbers + 8;
        let mut x = begin + gaps.centred.first().map_or(0, |width| width / 2);
        let mut lifelines = vec![x];
        for gap in &gaps.between {
            x += gap;
            lifelines.push(x);
        }
        let end = x + gaps.right;
        let (placed, columns) = lanes(chart);
        let tag = chart.commitments.iter().map(|commitment| length(&commitment.tag).min(TAG)).max();
        // In the small font, in which a character is a little narrower.
        let lane = LANE.max(BAR + 8 + width_of(tag.unwrap_or(0) * 12 / 13));
        let bars = placed.into_iter().map(|(number, bar)| (end + 16 + number * lane, bar)).collect();
        let facts = end + 16 + columns * lane + 12;
        let (rows, row_of) = rows(chart);
        let facts_width = width_of(FACTS);
        let height = rows.last().map_or(HEAD, |row| row.bottom) + 12;
        let half_names = chart.lifelines.iter().map(|name| width_of(length(name)) / 2 + 10).collect();
        Geometry {
            width: facts + facts_width,
            height,
            lifelines,
            half_names,
            region: (begin, end),
            bars,
            facts: (facts, facts_width),
            rows,
            row_of,
        }
    }

    /// The row of a moment.
    pub(super) fn row(&self, moment: usize) -> Option<&Row> {
        self.row_of.get(moment).and_then(|row| self.rows.get(*row))
    }
}

/// The rows, and which of them shows each moment.
fn rows(chart: &Chart) -> (Vec<Row>, Vec<usize>) {
    let mut y = HEAD + 8;
    let (mut rows, mut row_of) = (Vec::new(), vec![0]);
    let beginning = std::iter::once((None, &chart.first));
    let shown = chart.shown().into_iter().map(|shown| match shown {
        Shown::Step(index) => (Some(shown), &chart.steps[index].after),
        Shown::Fold(fold) => (Some(shown), &fold.after),
    });
    for (shown, Moment { facts, notes }) in beginning.chain(shown) {
        let facts = wrap_items(facts, FACTS);
        let notes: Vec<Vec<String>> = notes.iter().map(|note| wrap(note, FACTS - 2)).collect();
        let label = match shown {
            Some(Shown::Step(index)) => {
                let mut lines = label_lines(&chart.steps[index].happening);
                // Room for a cross between the label and its line.
                if chart.is_marked(index + 1) && matches!(chart.steps[index].happening, Happening::Nobody(_))
                {
                    lines.push(String::new());
                }
                lines
            }
            Some(Shown::Fold(fold)) => wrap(&fold.words(), LABEL),
            None => Vec::new(),
        };
        let moments = shown.map_or((0, 0), Shown::moments);
        let heads = (!rows.is_empty() && rows.len() % ROWS_TO_A_HEAD == 0).then_some(y);
        y += heads.map_or(0, |_| HEAD + 8);
        // Room for the name of the part that repeats.
        let again = usize::from(moments.0 > 0 && chart.repeats_from == Some(moments.0 - 1)) * (LINE + 6);
        let top = y + again;
        let arrow = top + label.len() * 16 + if moments.0 == 0 { 8 } else { 14 };
        let beside = 4 + facts.len() * 16 + notes.iter().map(|note| note.len() * 16 + 12).sum::<usize>();
        let bottom = (arrow + 18).max(arrow.saturating_sub(10) + beside + 10);
        row_of.resize(moments.1 + 1, rows.len());
        rows.push(Row { moments, heads, top, arrow, bottom, label, facts, notes });
        y = bottom;
    }
    (rows, row_of)
}

fn label_lines(happening: &Happening) -> Vec<String> {
    happening.label().map_or(Vec::new(), |label| wrap(label, LABEL))
}

/// The room that lifelines need.
struct Gaps {
    /// The widths of what is centred on each lifeline.
    centred: Vec<usize>,
    between: Vec<usize>,
    right: usize,
}

impl Gaps {
    fn new(chart: &Chart) -> Self {
        let count = chart.lifelines.len();
        let mut centred: Vec<usize> =
            chart.lifelines.iter().map(|name| width_of(length(name)) + 24).collect();
        let mut between = vec![120; count.saturating_sub(1)];
        let mut right = 0;
        let mut whole = 0;
        for fold in &chart.folds {
            let lines = wrap(&fold.words(), LABEL);
            whole = whole.max(width_of(lines.iter().map(|line| length(line)).max().unwrap_or(0)) + 28);
        }
        for step in &chart.steps {
            let lines = label_lines(&step.happening);
            let label = width_of(lines.iter().map(|line| length(line)).max().unwrap_or(0)) + 28;
            match &step.happening {
                Happening::Together(actions) => {
                    for (width, action) in centred.iter_mut().zip(actions) {
                        *width = (*width).max(width_of(length(action)) + 24);
                    }
                }
                Happening::Message { from, to, .. } => {
                    // The label stands over the part that goes to the nearest.
                    if let Some(to) = nearest(*from, to) {
                        widen(&mut between, *from.min(&to), *from.max(&to), label);
                    }
                }
                // The label stands beside the lifeline where it leaves.
                Happening::Sent { from, .. } if from + 1 < count => {
                    widen(&mut between, *from, from + 1, label)
                }
                Happening::Sent { from, .. } if *from > 0 => widen(&mut between, from - 1, *from, label),
                Happening::Own { at, .. } | Happening::Received { at, .. } if at + 1 < count => {
                    widen(&mut between, *at, at + 1, label + 24);
                }
                Happening::Own { .. } | Happening::Sent { .. } | Happening::Received { .. } => {
                    right = right.max(label + 24);
                }
                Happening::Tick(_) | Happening::Nobody(_) | Happening::Deadlock => whole = whole.max(label),
            }
        }
        for (index, gap) in between.iter_mut().enumerate() {
            *gap = (*gap).max((centred[index] + centred[index + 1]) / 2 + 12);
        }
        let (left, last) = (centred.first().map_or(0, |w| w / 2), centred.last().map_or(0, |w| w / 2));
        let mut right = right.max(last);
        let sum = left + between.iter().sum::<usize>() + right;
        right += whole.saturating_sub(sum);
        Gaps { centred, between, right }
    }
}

/// Makes the gaps from one lifeline to another wide enough together.
fn widen(between: &mut [usize], from: usize, to: usize, needed: usize) {
    let Some(gaps) = between.get_mut(from..to) else { return };
    let missing = needed.saturating_sub(gaps.iter().sum());
    if let Some(last) = gaps.last_mut() {
        *last += missing;
    }
}

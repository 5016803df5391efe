//! Which lines a rule orders, where those of several senders may have come in another order than that of the log.

use crate::finding::Line;
use crate::mapping::{Event, Node, NodeId, Part, Piece, Program, View};

/// The lines of its slice that a line came after, whatever the window allows: a rule says so.
#[derive(Clone, Debug, Default)]
pub(crate) struct Behind {
    /// Its rule asks how the slice stands, so it came after all that had been said.
    all: bool,
    /// Its rule recalls what these lines stored, or they started the timer that speaks.
    lines: Vec<Line>,
}

impl Behind {
    /// Did the line come after this one?
    pub(super) fn orders(&self, line: Line) -> bool {
        self.all || self.lines.contains(&line)
    }

    pub(super) fn line(at: Line) -> Self {
        Behind { all: false, lines: vec![at] }
    }
}

/// By rule: does its condition ask how the slice stands? And the recalls that were asked before it was chosen, in order.
pub(super) struct Asked(Vec<(bool, Vec<NodeId>)>);

impl Asked {
    /// What the rules of a view ask.
    pub(super) fn new(program: &Program, view: &View) -> Self {
        let is_recall = |node: &NodeId| matches!(program.nodes[*node as usize], Node::Recall(..));
        let rule = |(number, event): (usize, &Event)| {
            let whens = view.events[..=number].iter().map(|event| event.when);
            let key = program.keys[view.keys[event.key] as usize].iter().filter_map(|part| match part {
                Part::Value(node) => Some(*node),
                Part::Every => None,
            });
            let labels =
                event.labels.iter().flat_map(|label| &label.pieces).filter_map(|piece| match piece {
                    Piece::Value(node) => Some(*node),
                    Piece::Text(_) => None,
                });
            let mut recalls = program.below(whens.chain(key).chain(labels));
            recalls.retain(is_recall);
            recalls.sort_unstable();
            (program.of_slice[event.when as usize], recalls)
        };
        Asked(view.events.iter().enumerate().map(rule).collect())
    }

    /// What a line came after that a rule has given its meaning: the lines whose words it repeats.
    pub(super) fn behind(&self, rule: usize, recalled: &[(NodeId, Line)]) -> Behind {
        let Some((all, recalls)) = self.0.get(rule) else { return Behind::default() };
        let lines = recalled.iter().filter(|(node, _)| recalls.binary_search(node).is_ok());
        Behind { all: *all, lines: lines.map(|(_, line)| *line).collect() }
    }
}

//! How far a run has come, for programs: a line of JSON now and then.

use serde::Serialize;
use servanda_engine::{Progress, Share, Spread};

/// One line. What is not known is left out.
#[derive(Serialize)]
pub(super) struct Line<'l> {
    pub(super) r#type: &'static str,
    pub(super) seconds: f64,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(super) task: &'l str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) states: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) transitions: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) lines: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rate: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) memory_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) level: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) balance: Option<f64>,
    #[serde(skip_serializing_if = "<[Share]>::is_empty")]
    pub(super) workers: &'l [Share],
    #[serde(skip_serializing_if = "Option::is_none", flatten)]
    pub(super) fleet: Option<Tally>,
}

/// How far a fleet has come.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Tally {
    pub(crate) done: usize,
    pub(crate) at_work: usize,
    pub(crate) of: usize,
}

impl Tally {
    /// In words.
    pub(super) fn words(&self) -> String {
        let Tally { done, at_work, of } = self;
        format!("{done} of {of} done, {at_work} at work")
    }
}

impl<'l> Line<'l> {
    /// What is known of a search, and of its workers where it has any.
    pub(super) fn new(progress: Option<Progress>, spread: &'l Spread) -> Self {
        let (mut states, mut transitions, mut nodes, mut lines) = (None, None, None, None);
        match progress {
            Some(Progress::Exploring { states: found, transitions: taken }) => {
                (states, transitions) = (Some(found), Some(taken));
            }
            Some(Progress::Deciding { nodes: made }) => nodes = Some(made),
            Some(Progress::Reading { lines: read }) => lines = Some(read),
            None => {}
        }
        let is_spread = !spread.workers.is_empty();
        Line {
            r#type: "progress",
            seconds: 0.0,
            task: "",
            states,
            transitions,
            nodes,
            lines,
            rate: None,
            memory_bytes: None,
            level: is_spread.then_some(spread.level),
            balance: is_spread.then(|| spread.balance()),
            workers: &spread.workers,
            fleet: None,
        }
    }

    /// With its end.
    pub(super) fn text(&self) -> String {
        // Only keys that are no strings make this fail, and there are none.
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_is_left_out() {
        let exploring = Progress::Exploring { states: 12, transitions: 30 };
        let spread = Spread::default();
        let line = Line { seconds: 1.5, ..Line::new(Some(exploring), &spread) };
        assert_eq!(line.text(), "{\"type\":\"progress\",\"seconds\":1.5,\"states\":12,\"transitions\":30}\n");
        let workers = vec![Share { states: 1, bytes: 8 }, Share { states: 3, bytes: 8 }];
        let spread = Spread { states: 4, transitions: 5, level: 2, workers };
        let text = Line { rate: Some(2.0), ..Line::new(Some(exploring), &spread) }.text();
        assert!(
            text.contains(r#""rate":2.0,"level":2,"balance":1.5,"workers":[{"states":1,"bytes":8},"#),
            "{text}"
        );
        let fleet = Some(Tally { done: 1, at_work: 2, of: 5 });
        let text = Line { fleet, ..Line::new(None, &Spread::default()) }.text();
        assert_eq!(text, "{\"type\":\"progress\",\"seconds\":0.0,\"done\":1,\"at_work\":2,\"of\":5}\n");
    }
}

//! Messages under way in channels.

/// A message that is under way in a channel from one moment to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flight {
    /// The message.
    pub label: String,
    /// The lifeline of who sent it, if somebody did.
    pub sender: Option<usize>,
    /// The lifeline of who receives it, or for whom it was meant; nobody where that is not known.
    pub receiver: Option<usize>,
    /// The first moment at which it is under way; 0 also where it was sent before the chart begins.
    pub from: usize,
    /// Where it is a copy that the channel made: the flight of which it is one.
    pub copy_of: Option<usize>,
    /// How it ends.
    pub end: Landing,
}

/// How a message under way ends. Moments are the first at which it is no longer under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Landing {
    /// It was received.
    Received(usize),
    /// It was lost.
    Lost(usize),
    /// It is still under way where the chart ends.
    UnderWay,
}

impl Landing {
    /// The first moment at which it is no longer under way, if there is one.
    pub fn moment(self) -> Option<usize> {
        match self {
            Landing::Received(at) | Landing::Lost(at) => Some(at),
            Landing::UnderWay => None,
        }
    }
}

impl Flight {
    /// Was it sent at this moment, by the step that leads there?
    pub(crate) fn is_sent_at(&self, moment: usize) -> bool {
        moment > 0 && self.from == moment
    }

    /// Where it came from and what became of it, in words.
    pub(crate) fn words(&self, lifelines: &[String]) -> String {
        let name = |index: Option<usize>| index.and_then(|index| lifelines.get(index));
        let sender = name(self.sender).map_or(String::new(), |sender| format!(" from {sender}"));
        let receiver = name(self.receiver).map_or(String::new(), |receiver| format!(" to {receiver}"));
        let since = match (self.from, self.copy_of) {
            (0, _) => "under way from the beginning".to_owned(),
            (from, Some(_)) => format!("repeated at {from}"),
            (from, None) => format!("sent at {from}"),
        };
        let end = match self.end {
            Landing::Received(at) => format!("received at {at}"),
            Landing::Lost(at) => format!("lost at {at}"),
            Landing::UnderWay => "still under way".to_owned(),
        };
        format!("{}{sender}{receiver}: {since}, {end}", self.label)
    }
}

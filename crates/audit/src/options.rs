//! How a log is audited, and what is counted.

servanda_syntax::named! {
    /// What becomes of a slice after a line that is not possible.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum After {
        /// It is given up.
        Stop = "stop",
        /// The line is ignored.
        Skip = "skip",
        /// It goes on from the cheapest explanation.
        #[default]
        Resync = "resync",
    }
}

/// How a log is audited.
#[derive(Clone, Debug)]
pub struct Options {
    /// What becomes of a slice after a line that is not possible.
    pub after: After,
    /// The role whose part of the log counts.
    pub seen_by: Option<String>,
    /// How many keys each view and each table may have; those not used for longest are dropped.
    pub max_keys: usize,
    /// How many sets of states each view may have.
    pub max_sets: usize,
    /// The view that is followed; none: all.
    pub view: Option<String>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            after: After::default(),
            seen_by: None,
            max_keys: 1_000_000,
            max_sets: crate::judge::MOST_STANDINGS,
            view: None,
        }
    }
}

/// What an audit has counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Lines read.
    pub lines: u64,
    /// Records: a line may hold several, or none.
    pub records: u64,
    /// Lines that could not be read.
    pub bad: u64,
    /// Lines that were tried and do not count: see [`crate::Auditor::admit`].
    pub refused: u64,
    /// Lines that came too late for their place.
    pub late: u64,
    /// Lines that no rule of a view matched that reports them.
    pub unmatched: u64,
    /// Labels that lines stood for.
    pub labels: u64,
    /// Slices begun.
    pub slices: u64,
    /// Slices that are there now.
    pub live: u64,
    /// Slices forgotten since the mapping says so.
    pub forgotten: u64,
    /// Slices and entries of tables dropped since there were too many.
    pub dropped: u64,
    /// Slices given up since there were too many sets.
    pub lost: u64,
    /// Sets of states known.
    pub sets: u64,
    /// Entries of tables.
    pub stored: u64,
    /// Lines that were not possible.
    pub violations: u64,
    /// Lines that were possible in another order only.
    pub reordered: u64,
    /// Changes that would have put all slices in order.
    pub cost: u64,
    /// Verdicts that stayed open at the end of slices.
    pub open: u64,
}

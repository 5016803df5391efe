//! Lines that are tried before they count.

use servanda_engine::{Budget, Halt};

use super::{Auditor, is_blank, unreadable};
use crate::finding::{Finding, Kind, Line, Sink};
use crate::follow::Aside;
use crate::order::Sorter;
use crate::read::{Records, plain};

impl Auditor<'_> {
    /// Reads a line, without its end, unless that would bring a finding that `refuses` says no to. Then what is found is told,
    /// and otherwise it is in every view as if the line had never come; the
    /// answer is the first such finding.
    ///
    /// Whoever tries a line is where it comes from: what is kept back to be put in order is judged before it.
    ///
    /// # Errors
    ///
    /// When the budget says stop.
    pub fn admit(
        &mut self,
        line: &[u8],
        at: Line,
        refuses: impl Fn(&Finding) -> bool,
        sink: &mut dyn Sink,
        budget: &dyn Budget,
    ) -> Result<Option<Finding>, Halt> {
        while let Some(held) = self.sorter.as_mut().and_then(Sorter::rest) {
            self.sorted(&held.text, held.at, sink, budget)?;
        }
        let found = self.tried(line, at, sink, budget)?;
        let Some(why) = found.iter().find(|finding| refuses(finding)).cloned() else {
            self.push(line, at, sink, budget)?;
            return Ok(None);
        };
        self.stats.lines += 1;
        self.stats.records += 1;
        self.stats.refused += 1;
        self.stats.bad += found.iter().filter(|finding| finding.kind == Kind::BadLine).count() as u64;
        found.into_iter().for_each(|finding| sink.finding(finding));
        Ok(Some(why))
    }

    /// What a line would bring. One that is not a whole record by itself brings nothing here: what it does is told when it counts.
    fn tried(
        &mut self,
        line: &[u8],
        at: Line,
        sink: &mut dyn Sink,
        budget: &dyn Budget,
    ) -> Result<Vec<Finding>, Halt> {
        let mut found: Vec<Finding> = Vec::new();
        let text = match (&self.records, std::str::from_utf8(plain(line, at.line == 1))) {
            (Records::Lines, Ok(text)) if !is_blank(text) => text,
            (Records::Lines, Err(_)) => return Ok(vec![unreadable("it is not UTF-8", at)]),
            _ => return Ok(found),
        };
        let slots = &mut self.slots[..self.mapping.pointers.slots()];
        if let Err(bad) = self.mapping.pointers.read(text, slots) {
            return Ok(vec![unreadable(&bad.to_string(), at)]);
        }
        // Time passes whatever becomes of the line.
        let moment = self.reached(text, at, sink, budget)?;
        let counted = self.stats;
        let mut asides: Vec<Aside> = self.followers.iter_mut().map(|follower| follower.aside()).collect();
        self.tables.try_out(true);
        let tried =
            self.parts(text, |auditor| auditor.views((text, moment), Some(&mut asides), &mut found, budget));
        self.tables.try_out(false);
        self.stats = counted;
        tried.map(|()| found)
    }
}

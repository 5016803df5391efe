//! What is said of a claim at its place, and what is shown for it elsewhere.

use servanda_evidence::{Because, Claim, Doubt, PathEvidence, called};

use super::{Builder, Piece};

impl<'e> Builder<'e> {
    /// The notes for a claim. The path that was joined to the chart, if one was, needs no chart of its own.
    pub(super) fn words(&mut self, claim: &'e Claim, joined: Option<&'e PathEvidence>) -> Vec<String> {
        let said = claim.says();
        let is_joined = |evidence: &PathEvidence| joined.is_some_and(|joined| std::ptr::eq(joined, evidence));
        match &claim.because {
            Because::State => vec![said],
            Because::Everywhere(reason) | Because::NotShown(reason) => vec![format!("{said}: {reason}")],
            Because::Parts(parts) => {
                let mut notes = Vec::new();
                for part in parts {
                    notes.extend(self.words(part, joined));
                }
                notes
            }
            Because::Path(evidence) if is_joined(evidence) => {
                vec![format!("{said}: from here `{}`", evidence.text)]
            }
            Because::Path(evidence) => {
                let title = format!("Why {said}: a run with `{}`", evidence.text);
                self.refer(said, Piece::Path { title, evidence })
            }
            Because::Accessible(accessible) => {
                let (kept, evidence) = (accessible.kept(self.agents), &accessible.evidence);
                if is_joined(evidence) {
                    return vec![format!("{said}: from here {kept} `{}`", evidence.text)];
                }
                let title = format!("Why {said}: {kept} `{}`", evidence.text);
                self.refer(said, Piece::Path { title, evidence })
            }
            Because::CannotTell(doubt) => self.doubt(said, doubt),
            Because::Before(before) => {
                let at = before.position;
                let title = format!("Why {said}: see moment {at} of this run, where {}", before.claim.says());
                self.refer(said, Piece::Run { title, run: before.run.clone(), claim: None })
            }
            Because::Strategy(strategy) => {
                let group = strategy
                    .group
                    .iter()
                    .map(|agent| called(self.agents, *agent))
                    .collect::<Vec<_>>()
                    .join(", ");
                let title = format!("How {group} can bring about `{}`", strategy.goal);
                self.refer(said, Piece::Strategy { title, strategy })
            }
        }
    }

    fn doubt(&mut self, said: String, doubt: &'e Doubt) -> Vec<String> {
        let last = doubt.steps.len().saturating_sub(1);
        let mut numbers = Vec::new();
        for (index, step) in doubt.steps.iter().enumerate() {
            let title = step.title(self.agents);
            let claim = (index == last).then_some(&doubt.claim);
            numbers.extend(self.add(Piece::Run { title, run: step.run.clone(), claim }));
        }
        let charts: Vec<String> = numbers.iter().map(|number| format!("chart {number}")).collect();
        match charts.is_empty() {
            true => vec![said],
            false => vec![format!("{said}: see {}", charts.join(", "))],
        }
    }

    fn refer(&mut self, said: String, piece: Piece<'e>) -> Vec<String> {
        match self.add(piece) {
            Some(number) => vec![format!("{said}: see chart {number}")],
            None => vec![said],
        }
    }
}

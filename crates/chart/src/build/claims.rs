//! What is said of a claim at its place, and what is shown for it elsewhere.

use servanda_evidence::{Because, Claim, Doubt, PathEvidence};
use servanda_model::AgentId;

use super::{Builder, Piece};

impl<'e> Builder<'e> {
    /// The notes for a claim. The path that was joined to the chart, if one was, needs no chart of its own.
    pub(super) fn words(&mut self, claim: &'e Claim, joined: Option<&'e PathEvidence>) -> Vec<String> {
        let said = says(claim);
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
                let (debtor, creditor) = (self.agent(accessible.debtor), self.agent(accessible.creditor));
                let kept = match accessible.in_force.is_empty() {
                    true => format!("{debtor} owes {creditor} nothing, and"),
                    false => format!("{debtor} keeps all that it owes {creditor}, and yet"),
                };
                let evidence = &accessible.evidence;
                if is_joined(evidence) {
                    return vec![format!("{said}: from here {kept} `{}`", evidence.text)];
                }
                let title = format!("Why {said}: {kept} `{}`", evidence.text);
                self.refer(said, Piece::Path { title, evidence })
            }
            Because::CannotTell(doubt) => self.doubt(said, doubt),
            Because::Before(before) => {
                let at = before.position;
                let title = format!("Why {said}: see moment {at} of this run, where {}", says(&before.claim));
                self.refer(said, Piece::Run { title, run: before.run.clone(), claim: None })
            }
            Because::Strategy(strategy) => {
                let group =
                    strategy.group.iter().map(|agent| self.agent(*agent)).collect::<Vec<_>>().join(", ");
                let title = format!("How {group} can bring about `{}`", strategy.goal);
                self.refer(said, Piece::Strategy { title, strategy })
            }
        }
    }

    fn doubt(&mut self, said: String, doubt: &'e Doubt) -> Vec<String> {
        let last = doubt.steps.len().saturating_sub(1);
        let mut numbers = Vec::new();
        for (index, step) in doubt.steps.iter().enumerate() {
            let who = step.agents.iter().map(|agent| self.agent(*agent)).collect::<Vec<_>>().join(", ");
            let title = match who.as_str() {
                "" => "Another run, at whose end it fails".to_owned(),
                who => format!("What {who} cannot rule out: a run whose end looks the same to {who}"),
            };
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

    fn agent(&self, id: AgentId) -> &'e str {
        self.agents.get(id.index()).map_or("somebody", String::as_str)
    }
}

fn says(claim: &Claim) -> String {
    format!("`{}` is {}", claim.text, claim.holds)
}

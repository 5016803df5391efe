//! Evidence as a tree of runs.
//!
//! The evidence is a tree of claims. What follows on each other is joined to one run, as in [`Evidence::line`]; every path that branches
//! off becomes a run of its own, at the moment that it is about.

use servanda_evidence::{
    Because, Claim, Doubt, Evidence, EvidenceKind, Path, PathEvidence, Strategy, called, only_path,
};
use servanda_messages::{Branch, EvidenceWord, Judged, Legend, Moment, Run, StepData};
use servanda_model::{CommitmentView, StepKind};

use super::scribe::Scribe;
use super::survey::Survey;
use crate::Watch;

/// More runs than this explain nothing.
const MOST_RUNS: usize = 30;

/// So many states of a strategy are listed.
const MOST_CHOICES: usize = 24;

/// The evidence in the words of the page; `title` is what its main run is called.
pub(super) fn shown(
    evidence: &Evidence,
    title: String,
    (scribe, survey): (&mut Scribe<'_>, &mut Survey<'_>),
    watch: Watch<'_>,
) -> servanda_messages::Evidence {
    let mut builder =
        Builder { agents: &evidence.agents, scribe, survey, watch, legend: Vec::new(), runs: 0, left_out: 0 };
    let run = builder.run(title, evidence.start.clone(), Some(&evidence.claim));
    if builder.left_out > 0 {
        let text = format!("{} more runs that belong to it are not shown", builder.left_out);
        builder.legend.push(Legend { name: "…".to_owned(), text });
    }
    let mut said = String::new();
    words(&run, &mut said);
    let named = CommitmentView::mentioned(&evidence.commitments, &said).into_iter();
    let named = named.map(|one| Legend { name: one.called().to_owned(), text: one.text.clone() });
    servanda_messages::Evidence {
        kind: match evidence.kind {
            EvidenceKind::Counterexample => EvidenceWord::Counterexample,
            EvidenceKind::Witness => EvidenceWord::Witness,
        },
        roles: evidence.agents.clone(),
        legend: named.chain(std::mem::take(&mut builder.legend)).collect(),
        runs: vec![run],
    }
}

/// All words of a run in which commitments may be called by their names.
fn words(run: &Run, said: &mut String) {
    let steps = run.moments.iter().filter_map(|moment| moment.step.as_ref()).chain(&run.loop_step);
    let labels = steps.map(|step: &StepData| step.label.as_str());
    let in_force = run.moments.iter().flat_map(|moment| &moment.state.in_force).map(|one| one.name.as_str());
    let judged = run.judged.iter().map(|judged| judged.text.as_str());
    for text in labels.chain(in_force).chain(judged).chain([run.title.as_str()]) {
        said.push_str(text);
        said.push('\n');
    }
    run.branches.iter().for_each(|branch| words(&branch.run, said));
}

struct Builder<'b, 'l, 'm> {
    agents: &'b [String],
    scribe: &'b mut Scribe<'l>,
    survey: &'b mut Survey<'m>,
    watch: Watch<'b>,
    legend: Vec<Legend>,
    /// How many runs were begun, and how many were not.
    runs: usize,
    left_out: usize,
}

/// A run that is still to be shown at a moment of another one.
struct Piece<'e> {
    at: usize,
    why: String,
    title: String,
    path: Path,
    /// What the path is evidence for, or what is claimed of its end.
    rests_on: Rest<'e>,
}

enum Rest<'e> {
    Path(&'e PathEvidence),
    End(Option<&'e Claim>),
}

/// A run while it is being followed.
struct Followed<'e> {
    path: Path,
    judged: Vec<Judged>,
    pieces: Vec<Piece<'e>>,
}

impl<'b> Builder<'b, '_, '_> {
    /// A run, the claim being about its end.
    fn run(&mut self, title: String, path: Path, claim: Option<&Claim>) -> Run {
        let mut followed = Followed { path, judged: Vec::new(), pieces: Vec::new() };
        self.follow(&mut followed, claim);
        self.finish(title, followed)
    }

    /// Joins what the claim about the end of a run rests on, and so on while there is one way to go.
    fn follow<'e>(&mut self, followed: &mut Followed<'e>, claim: Option<&'e Claim>) {
        let mut next = claim;
        while let Some(claim) = next.take() {
            let at = followed.path.last();
            let joined = only_path(claim);
            self.judge(followed, claim, at, joined);
            let Some(evidence) = joined else { return };
            followed.path.go_on(&evidence.path);
            next = self.judge_all(followed, evidence, at);
        }
    }

    /// Judges what is claimed of the positions of a path that begins at `offset`; the claim with which it goes on is returned.
    fn judge_all<'e>(
        &mut self,
        followed: &mut Followed<'e>,
        evidence: &'e PathEvidence,
        offset: usize,
    ) -> Option<&'e Claim> {
        for (at, claim) in evidence.aside() {
            self.judge(followed, claim, at + offset, None);
        }
        evidence.following()
    }

    /// Notes what a claim says of a position, and what has to be shown for it elsewhere.
    fn judge<'e>(
        &mut self,
        followed: &mut Followed<'e>,
        claim: &'e Claim,
        at: usize,
        joined: Option<&'e PathEvidence>,
    ) {
        let judged = Judged { at, text: claim.text.clone(), value: claim.holds };
        if !followed.judged.contains(&judged) {
            followed.judged.push(judged);
        }
        let said = claim.says();
        let is_joined = |evidence: &PathEvidence| joined.is_some_and(|joined| std::ptr::eq(joined, evidence));
        match &claim.because {
            Because::State => {}
            Because::Everywhere(reason) | Because::NotShown(reason) => self.explain(said, reason.clone()),
            Because::Parts(parts) => {
                parts.iter().for_each(|part| self.judge(followed, part, at, joined));
            }
            Because::Path(evidence) if is_joined(evidence) => {}
            Because::Accessible(accessible) if is_joined(&accessible.evidence) => {}
            Because::Path(evidence) => {
                let title = format!("A run with `{}`", evidence.text);
                followed.pieces.push(piece(at, said, title, evidence));
            }
            Because::Accessible(accessible) => {
                let evidence = &accessible.evidence;
                let title = format!("{} `{}`", accessible.kept(self.agents), evidence.text);
                followed.pieces.push(piece(at, said, title, evidence));
            }
            Because::CannotTell(doubt) => self.doubt(followed, at, &said, doubt),
            Because::Before(before) => {
                let title = format!("At moment {} of this run {}", before.position, before.claim.says());
                let (path, rests_on) = (before.run.clone(), Rest::End(None));
                followed.pieces.push(Piece { at, why: said, title, path, rests_on });
            }
            Because::Strategy(strategy) => self.strategy(strategy),
        }
    }

    fn doubt<'e>(&mut self, followed: &mut Followed<'e>, at: usize, said: &str, doubt: &'e Doubt) {
        let last = doubt.steps.len().saturating_sub(1);
        for (index, step) in doubt.steps.iter().enumerate() {
            let title = step.title(self.agents);
            let rests_on = Rest::End((index == last).then_some(&doubt.claim));
            followed.pieces.push(Piece { at, why: said.to_owned(), title, path: step.run.clone(), rests_on });
        }
    }

    /// What a coalition does is no run: it is told in words.
    fn strategy(&mut self, strategy: &Strategy) {
        let names: Vec<&str> = strategy.group.iter().map(|agent| called(self.agents, *agent)).collect();
        let title = format!("How {} can bring about `{}`", names.join(", "), strategy.goal);
        for choice in strategy.choices.iter().take(MOST_CHOICES) {
            let moves = names.iter().zip(&choice.moves).map(|(name, taken)| match taken {
                Some(taken) => format!("{name}: {}", taken.text()),
                None => format!("{name}: nothing"),
            });
            let text = format!("where {}: {}", choice.state.view, moves.collect::<Vec<_>>().join("; "));
            self.legend.push(Legend { name: title.clone(), text });
        }
        let more = strategy.choices.len().saturating_sub(MOST_CHOICES);
        if more > 0 {
            self.legend.push(Legend { name: title, text: format!("and so on in {more} more states") });
        }
    }

    fn explain(&mut self, name: String, text: String) {
        let legend = Legend { name, text };
        if !legend.text.is_empty() && !self.legend.contains(&legend) {
            self.legend.push(legend);
        }
    }

    /// The moments of a run, and the runs that branch off.
    fn finish(&mut self, title: String, followed: Followed<'_>) -> Run {
        self.runs += 1;
        let Followed { path, judged, pieces } = followed;
        let moments = (0..path.states.len()).map(|at| self.moment(&path, at)).collect();
        let last = path.last();
        let back = path.loop_to.zip(path.steps.get(last)).filter(|(_, step)| step.kind != StepKind::Stutter);
        let loop_step = back.map(|(to, step)| {
            self.scribe.step(&path.states[last].packed, &step.kind, &path.states[to].packed)
        });
        let mut branches = Vec::new();
        for piece in pieces {
            if self.runs >= MOST_RUNS {
                self.left_out += 1;
                continue;
            }
            let Piece { at, why, title, path, rests_on } = piece;
            let mut followed = Followed { path, judged: Vec::new(), pieces: Vec::new() };
            let claim = match rests_on {
                Rest::Path(evidence) => self.judge_all(&mut followed, evidence, 0),
                Rest::End(claim) => claim,
            };
            self.follow(&mut followed, claim);
            let run = self.finish(title, followed);
            branches.push(Branch { at, run, why });
        }
        Run { title, moments, loop_to: path.loop_to, loop_step, branches, judged }
    }

    fn moment(&mut self, path: &Path, at: usize) -> Moment {
        let packed = &path.states[at].packed;
        let before = at.checked_sub(1).map(|before| (&path.states[before].packed, &path.steps[before].kind));
        let mut state = self.scribe.state(packed);
        self.survey.complete(&mut state, packed, self.watch);
        Moment {
            step: before.map(|(before, kind)| self.scribe.step(before, kind, packed)),
            changed: before.map_or_else(Vec::new, |(before, _)| self.scribe.changed(before, packed)),
            knows: self.survey.knows(packed),
            state,
        }
    }
}

fn piece(at: usize, why: String, title: String, evidence: &PathEvidence) -> Piece<'_> {
    Piece { at, why, title, path: evidence.path.clone(), rests_on: Rest::Path(evidence) }
}

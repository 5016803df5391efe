//! Evidence for people: a path of which each state shows only what changed, and then why it shows the verdict.

use std::fmt::Write as _;

use servanda_evidence::{
    Because, Checked, Claim, Doubt, Evidence, Line, Path, PathEvidence, Strategy, only_path,
};
use servanda_model::{AgentId, CommitmentView, StateView};

use super::number;
use crate::path_words::{changes, extent};
use crate::style::Ink;
use crate::{Detail, Style, Trace};

/// Strategies are shown up to so many states unless more is wanted.
const FEW_CHOICES: usize = 12;

/// What shows a verdict, every line after `indent`.
pub(crate) fn trace(trace: &Trace, indent: &str, style: Style) -> String {
    let mut writer = Writer { text: String::new(), indent: indent.to_owned(), style, agents: &[] };
    match trace {
        Trace::NotAsked => {}
        Trace::Nothing(reason) | Trace::GivenUp(reason) => {
            if style.detail == Detail::Verbose {
                writer.faint(&format!("no trace: {reason}"));
            }
        }
        Trace::Evidence { evidence, .. } => {
            writer.agents = &evidence.agents;
            writer.evidence(evidence);
            writer.legend(&evidence.commitments);
        }
    }
    writer.text
}

/// A run, every line after `indent`.
pub(crate) fn run(evidence: &Evidence, indent: &str, style: Style) -> String {
    let mut writer =
        Writer { text: String::new(), indent: indent.to_owned(), style, agents: &evidence.agents };
    writer.path(&evidence.start);
    writer.text
}

/// What the reader of a claim has been told already.
#[derive(Clone, Copy)]
struct Told<'a> {
    /// The state that the claim is about.
    here: &'a StateView,
    /// The path of the claim, where it goes on from here on the path that was shown.
    joined: Option<&'a PathEvidence>,
    /// Was the same claim made before, elsewhere?
    repeated: bool,
}

impl<'a> Told<'a> {
    fn new(here: &'a StateView) -> Self {
        Told { here, joined: None, repeated: false }
    }
}

struct Writer<'e> {
    text: String,
    indent: String,
    style: Style,
    agents: &'e [String],
}

impl<'e> Writer<'e> {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{}{line}", self.indent);
    }

    fn faint(&mut self, line: &str) {
        let line = self.style.colour.paint(Ink::Faint, line);
        self.line(&line);
    }

    fn indented(&mut self, write: impl FnOnce(&mut Self)) {
        let before = self.indent.len();
        self.indent.push_str("  ");
        write(self);
        self.indent.truncate(before);
    }

    fn names(&self, agents: &[AgentId]) -> String {
        let names = agents.iter().filter_map(|agent| self.agents.get(agent.index()));
        names.map(String::as_str).collect::<Vec<_>>().join(" and ")
    }

    fn evidence(&mut self, evidence: &'e Evidence) {
        let mut line = evidence.line();
        let kind = self.style.colour.paint(Ink::Bold, evidence.kind.word());
        let length = extent(&line.path);
        self.line(&format!("{kind}{length}:"));
        self.indented(|writer| writer.path(&line.path));
        // That the path shows the property is said by its heading.
        line.claims.retain(|(_, claim)| {
            !std::ptr::eq(*claim, &evidence.claim) || !matches!(claim.because, Because::Path(_))
        });
        self.indented(|writer| writer.claims(&line));
        if evidence.checked == Checked::ByEngine && self.style.detail == Detail::Verbose {
            self.faint("(what no path shows was decided by one engine only)");
        }
    }

    /// What the names of commitments stand for, those that were mentioned.
    fn legend(&mut self, commitments: &[CommitmentView]) {
        let shown = std::mem::take(&mut self.text);
        let mentioned = CommitmentView::mentioned(commitments, &shown);
        self.text = shown;
        self.indented(|writer| {
            mentioned.iter().for_each(|one| writer.line(&format!("where {}", one.in_full())))
        });
    }

    /// Every state with what changed in it, and the steps between.
    fn path(&mut self, path: &Path) {
        let width = path.last().to_string().len();
        for (at, state) in path.states.iter().enumerate() {
            let shown = match at.checked_sub(1) {
                None => state.view.to_string(),
                Some(before) => changes(&path.states[before].view, &state.view),
            };
            self.line(format!("{at:>width$}  {shown}").trim_end());
            if let Some(step) = path.steps.get(at) {
                let label = match step.label.as_str() {
                    "" => "nothing more can happen".to_owned(),
                    label => self.style.colour.paint(Ink::Blue, label),
                };
                let back = match path.loop_to {
                    Some(to) if at == path.last() => format!(", back to {to}"),
                    _ => String::new(),
                };
                self.line(&format!("{:>width$}  | {label}{back}", ""));
            }
        }
    }

    /// What matters on a path: first what states show, then the rest by position.
    fn claims(&mut self, line: &Line<'e>) {
        for (claim, positions) in state_claims(&line.claims) {
            let word = if claim.holds { "true" } else { "false" };
            self.line(&format!("`{}` is {word} at {positions}", claim.text));
        }
        let others: Vec<&(usize, &'e Claim)> =
            line.claims.iter().filter(|(_, claim)| !matches!(claim.because, Because::State)).collect();
        for (number, (position, claim)) in others.iter().enumerate() {
            // A path that was joined to this one goes on here.
            let joined = only_path(claim).filter(|evidence| is_on(&line.path, *position, &evidence.path));
            let repeated = others[..number].iter().any(|(_, other)| other.text == claim.text);
            let here = &line.path.states[*position].view;
            self.claim(claim, &format!("at {position}: "), Told { here, joined, repeated });
        }
    }

    fn claim(&mut self, claim: &'e Claim, place: &str, told: Told<'_>) {
        let word = if claim.holds { "holds" } else { "fails" };
        let head = format!("{place}`{}` {word}", claim.text);
        match &claim.because {
            Because::State => {
                let word = if claim.holds { "true" } else { "false" };
                self.line(&format!("{place}`{}` is {word}", claim.text));
            }
            Because::Parts(parts) => {
                self.line(&format!("{head}:"));
                self.indented(|writer| {
                    for part in parts {
                        writer.claim(part, "", told);
                    }
                });
            }
            Because::Path(evidence) => self.branch(&head, evidence, "", told),
            Because::Accessible(accessible) => {
                let pair = format!(
                    "{} towards {}",
                    self.names(&[accessible.debtor]),
                    self.names(&[accessible.creditor])
                );
                let kept = match accessible.in_force.as_slice() {
                    [] => format!("; nothing is in force of {pair}"),
                    kept => format!(
                        ", which keeps all that is in force of {pair}: {}",
                        CommitmentView::list(kept)
                    ),
                };
                self.branch(&head, &accessible.evidence, &kept, told);
            }
            Because::CannotTell(doubt) => self.doubt(&head, doubt, told.here),
            Because::Before(before) => {
                self.line(&format!("{head}, since one can come here so:"));
                self.indented(|writer| {
                    writer.path(&before.run);
                    let here = &before.run.states[before.position].view;
                    writer.claim(&before.claim, &format!("at {}: ", before.position), Told::new(here));
                });
            }
            Because::Strategy(strategy) => self.strategy(&head, strategy),
            Because::Everywhere(reason) => self.line(&format!("{head}: {reason}")),
            Because::NotShown(reason) => self.line(&format!("{head} (not shown: {reason})")),
        }
    }

    /// A path of its own, unless it goes on from here on the path that was shown. `more` is said of it.
    fn branch(&mut self, head: &str, evidence: &'e PathEvidence, more: &str, told: Told<'_>) {
        if told.joined.is_some() {
            self.line(&format!("{head}, on the path from there on{more}"));
            return;
        }
        if told.repeated && self.style.detail != Detail::Verbose {
            self.line(&format!("{head}, on a path of its own{more}"));
            return;
        }
        self.line(&format!("{head}, on this path{more}:"));
        self.indented(|writer| {
            writer.path(&evidence.path);
            let claims = evidence.claims.iter().map(|(at, claim)| (*at, claim)).collect();
            writer.claims(&Line { path: evidence.path.clone(), claims });
        });
    }

    fn doubt(&mut self, head: &str, doubt: &'e Doubt, here: &StateView) {
        self.line(&format!("{head}:"));
        self.indented(|writer| {
            let mut from = here;
            let mut place = "in this very state ";
            for step in &doubt.steps {
                let state = &step.run.states[step.run.last()].view;
                if state == from {
                    continue;
                }
                let differs = changes(from, state);
                match step.agents.as_slice() {
                    [] => {
                        writer.line(&format!("it refers to all states, also to one that differs: {differs}"))
                    }
                    agents => {
                        let cannot = if agents.len() == 1 { "cannot tell" } else { "together cannot tell" };
                        let names = writer.names(agents);
                        writer.line(&format!("{names} {cannot} this state from one that differs: {differs}"));
                    }
                }
                if step.run.last() > 0 {
                    writer.line("which is reached so:");
                    writer.indented(|writer| writer.path(&step.run));
                }
                (from, place) = (state, "there ");
            }
            writer.claim(&doubt.claim, place, Told::new(from));
        });
    }

    fn strategy(&mut self, head: &str, strategy: &Strategy) {
        let group = self.names(&strategy.group);
        self.line(&format!("{head}, with this strategy of {group}:"));
        self.indented(|writer| {
            let all = writer.style.detail == Detail::Verbose;
            let most = if all { strategy.choices.len() } else { FEW_CHOICES };
            for choice in strategy.choices.iter().take(most) {
                let moves: Vec<String> = strategy
                    .group
                    .iter()
                    .zip(&choice.moves)
                    .map(|(agent, made)| match made {
                        Some(made) => {
                            let name = writer.names(&[*agent]);
                            // A message names its sender already.
                            let does = made.text().strip_prefix(&format!("{name}: ")).unwrap_or(made.text());
                            format!("{name} does {does}")
                        }
                        None => format!("{} can do nothing", writer.names(&[*agent])),
                    })
                    .collect();
                writer.line(&format!("{}: {}", choice.state.view, moves.join(", ")));
            }
            if strategy.choices.len() > most {
                let more = number(strategy.choices.len() - most, "more state", "more states");
                writer.line(&format!("... and so on for {more}"));
            }
        });
    }
}
/// Is the second path a part of the first one, from this position on?
fn is_on(whole: &Path, position: usize, part: &Path) -> bool {
    whole.states.get(position..).is_some_and(|rest| rest.starts_with(&part.states))
        && whole.steps.get(position..).is_some_and(|rest| rest.starts_with(&part.steps))
        && (part.loop_to.is_none() || part.loop_to.map(|to| to + position) == whole.loop_to)
}

/// The claims that states show, each once, with their positions in words.
fn state_claims<'e>(claims: &[(usize, &'e Claim)]) -> Vec<(&'e Claim, String)> {
    let mut found: Vec<(&'e Claim, Vec<usize>)> = Vec::new();
    for (position, claim) in claims.iter().filter(|(_, claim)| matches!(claim.because, Because::State)) {
        let same = |(other, _): &&mut (&Claim, Vec<usize>)| {
            (other.formula, other.holds) == (claim.formula, claim.holds)
        };
        match found.iter_mut().find(same) {
            Some((_, positions)) => positions.push(*position),
            None => found.push((claim, vec![*position])),
        }
    }
    found.into_iter().map(|(claim, positions)| (claim, ranges(&positions))).collect()
}

/// `0 to 3 and 7`
fn ranges(positions: &[usize]) -> String {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for &position in positions {
        match ranges.last_mut() {
            Some((_, last)) if position == *last || position == *last + 1 => *last = position,
            _ => ranges.push((position, position)),
        }
    }
    let mut words: Vec<String> = Vec::new();
    for (first, last) in ranges {
        match last - first {
            0 => words.push(first.to_string()),
            1 => words.extend([first.to_string(), last.to_string()]),
            _ => words.push(format!("{first} to {last}")),
        }
    }
    match words.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

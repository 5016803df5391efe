//! The static structure of a system: which agents it has, of which sequential parts they consist, and what is around
//! them.

use rustc_hash::FxHashMap;

use crate::automaton::{Automaton, MOST_STATES, MOST_STATES_GROWING, explore};
use crate::fresh::Fresh;
use crate::steps::Steps;
use crate::term::{Term, TermId};
use crate::words::Word;

/// Parallel compositions, restrictions and relabellings around sequential parts.
#[derive(Debug)]
pub(crate) enum Node {
    /// The number of a part.
    Part(usize),
    Parallel(Vec<Node>),
    Restrict(Box<Node>, Box<[Word]>),
    Relabel(Box<Node>, Box<[(Word, Word)]>),
}

/// A sequential part.
#[derive(Debug)]
pub(crate) struct Part {
    /// The agent it belongs to.
    pub(crate) agent: usize,
    /// The number of its automaton: equal parts share one.
    pub(crate) automaton: usize,
}

/// A system taken apart.
pub(crate) struct Layout {
    /// The names of the agents.
    pub(crate) agents: Vec<String>,
    pub(crate) parts: Vec<Part>,
    pub(crate) automata: Vec<Automaton>,
    pub(crate) root: Node,
}

/// A part with too many states, and the definition it stands in.
#[derive(Debug)]
pub(crate) struct LargePart {
    pub(crate) home: Word,
    pub(crate) states: usize,
}

/// Takes a process apart. Its state must not be too deep to be walked over, nor have too many parts.
pub(crate) fn lay_out(
    steps: &mut Steps<'_>,
    process: Word,
    grows: &dyn Fn(Word) -> bool,
) -> Result<Layout, LargePart> {
    let mut builder = Builder {
        steps,
        grows,
        names: Fresh::default(),
        known: FxHashMap::default(),
        agents: Vec::new(),
        parts: Vec::new(),
        automata: Vec::new(),
    };
    let (term, home) = builder.resolved_name(process);
    let root = builder.node(term, home, None)?;
    if builder.agents.is_empty() {
        builder.agents.push(builder.steps.file.words.text(process).to_owned());
    }
    let Builder { agents, parts, automata, .. } = builder;
    Ok(Layout { agents, parts, automata, root })
}

struct Builder<'s, 'f> {
    steps: &'s mut Steps<'f>,
    grows: &'s dyn Fn(Word) -> bool,
    names: Fresh,
    /// The automata by term and definition.
    known: FxHashMap<(TermId, Word), usize>,
    agents: Vec<String>,
    parts: Vec<Part>,
    automata: Vec<Automaton>,
}

impl Builder<'_, '_> {
    /// What a constant stands for, as far as it is static, and the definition that it is written in. A constant for
    /// something sequential stays what it is.
    fn resolved_name(&mut self, constant: Word) -> (TermId, Word) {
        let mut home = constant;
        loop {
            let body = if self.steps.is_static(home) { self.steps.body(home) } else { None };
            match body.map(|body| (body, self.steps.terms.get(body))) {
                Some((_, Term::Constant(next))) => home = *next,
                Some((body, _)) => return (body, home),
                None => {
                    let span = servanda_syntax::Span::default();
                    return (self.steps.terms.add(Term::Constant(home), span), home);
                }
            }
        }
    }

    fn resolved(&mut self, term: TermId, home: Word) -> (TermId, Word) {
        match self.steps.terms.get(term) {
            Term::Constant(name) => self.resolved_name(*name),
            _ => (term, home),
        }
    }

    /// The structure of a term that is no static constant. Without an agent it is that of the whole system so far.
    fn node(&mut self, term: TermId, home: Word, agent: Option<usize>) -> Result<Node, LargePart> {
        Ok(match self.steps.terms.get(term).clone() {
            Term::Restrict(inner, names) => {
                let (inner, home) = self.resolved(inner, home);
                Node::Restrict(Box::new(self.node(inner, home, agent)?), names)
            }
            Term::Relabel(inner, pairs) => {
                let (inner, home) = self.resolved(inner, home);
                Node::Relabel(Box::new(self.node(inner, home, agent)?), pairs)
            }
            Term::Parallel(parts) => {
                let mut nodes = Vec::new();
                for part in self.components(&parts) {
                    let agent = match agent {
                        Some(agent) => agent,
                        None => self.new_agent(part),
                    };
                    let (part, home) = self.resolved(part, home);
                    nodes.push(self.node(part, home, Some(agent))?);
                }
                Node::Parallel(nodes)
            }
            Term::Nil | Term::Prefix(..) | Term::Sum(_) | Term::Constant(_) => {
                let automaton = self.automaton(term, home)?;
                self.parts.push(Part { agent: agent.unwrap_or(0), automaton });
                Node::Part(self.parts.len() - 1)
            }
        })
    }

    /// The components of a parallel composition; one that is directly inside another is part of it.
    fn components(&self, parts: &[TermId]) -> Vec<TermId> {
        let mut components = Vec::new();
        let mut open: Vec<TermId> = parts.iter().rev().copied().collect();
        while let Some(part) = open.pop() {
            match self.steps.terms.get(part) {
                Term::Parallel(parts) => open.extend(parts.iter().rev()),
                _ => components.push(part),
            }
        }
        components
    }

    /// An agent is called as its component, if that has a name, else by its position.
    fn new_agent(&mut self, component: TermId) -> usize {
        let mut term = component;
        let name = loop {
            match self.steps.terms.get(term) {
                Term::Restrict(inner, _) | Term::Relabel(inner, _) => term = *inner,
                Term::Constant(name) => break self.steps.file.words.text(*name).to_owned(),
                _ => break format!("P{}", self.agents.len() + 1),
            }
        };
        self.agents.push(self.names.name(&name));
        self.agents.len() - 1
    }

    fn automaton(&mut self, term: TermId, home: Word) -> Result<usize, LargePart> {
        if let Some(known) = self.known.get(&(term, home)) {
            return Ok(*known);
        }
        let most = if (self.grows)(home) { MOST_STATES_GROWING } else { MOST_STATES };
        let automaton = explore(self.steps, term, home, most).map_err(|states| LargePart { home, states })?;
        self.automata.push(automaton);
        self.known.insert((term, home), self.automata.len() - 1);
        Ok(self.automata.len() - 1)
    }
}

//! Knowledge: the points of runs by local state, found as they are asked for.

use rustc_hash::FxHashMap;
use servanda_engine::{Budget, Halt};
use servanda_lower::{Relation, StateFormula};
use servanda_model::{AgentId, Program, Sight};
use servanda_space::Canonical as _;

use crate::evaluate::Evaluation;
use crate::layers::Node;
use crate::symmetry::Order;

/// The nodes of a layer by what some agents see together.
struct Classes {
    sight: Sight,
    /// Where states stand for others: how what is seen of them is put in order.
    order: Option<Order>,
    numbers: FxHashMap<Vec<u64>, u32>,
    /// The class of each node looked at so far.
    of_node: Vec<u32>,
    members: Vec<Vec<u32>>,
}

impl Classes {
    /// What is seen of a state, or of those that it stands for.
    fn seen(&self, state: &[u64]) -> Vec<u64> {
        let mut seen = self.sight.of(state);
        if let Some(order) = &self.order {
            order.canonise(&mut seen);
        }
        seen
    }
}

/// How far a class has been looked through for a point where something fails.
#[derive(Clone, Copy, Default)]
struct Progress {
    looked_at: usize,
    fails: bool,
}

/// The nodes that lead to one another by steps that somebody cannot tell.
struct Components {
    of_node: Vec<u32>,
    members: Vec<Vec<u32>>,
    /// The nodes that are points of runs.
    speaks: Vec<bool>,
}

/// Who cannot tell what from what.
#[derive(Default)]
pub(crate) struct Knowledge {
    classes: FxHashMap<(usize, Vec<AgentId>), Classes>,
    progress: FxHashMap<(StateFormula, Vec<AgentId>, u32), Progress>,
    /// For common knowledge.
    components: FxHashMap<(usize, Vec<AgentId>), Components>,
    red: FxHashMap<AgentId, Program>,
}

/// A knowledge formula, and the layer whose nodes decide its body.
#[derive(Clone, Copy)]
pub(crate) struct Question<'a> {
    pub(crate) id: StateFormula,
    pub(crate) relation: &'a Relation,
    /// Who must behave correctly at the points that count.
    pub(crate) correct: &'a [AgentId],
    pub(crate) body: StateFormula,
    pub(crate) layer: usize,
}

impl Evaluation<'_> {
    /// Does the body hold at every point of every run that is related to a state? Nothing else about the present point
    /// matters.
    pub(crate) fn knows(
        &mut self,
        question: &Question<'_>,
        state: &[u64],
        budget: &dyn Budget,
    ) -> Result<bool, Halt> {
        match question.relation {
            Relation::Everywhere => self.class_knows(question, &[], state, budget),
            Relation::All(agents) => self.class_knows(question, agents, state, budget),
            Relation::Some(agents) => {
                for agent in agents {
                    if !self.class_knows(question, &[*agent], state, budget)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Relation::Common(agents) => self.common(question, agents, state, budget),
        }
    }

    /// The same where the nodes at hand are not only points of runs: an evaluation that knows only those is asked.
    pub(crate) fn known_on_runs(
        &mut self,
        question: &Question<'_>,
        state: &[u64],
        budget: &dyn Budget,
    ) -> Result<bool, Halt> {
        let mut on_runs = match self.on_runs.remove(&question.id) {
            Some(on_runs) => on_runs,
            None => {
                // The same formulas have the same numbers in both.
                let mut fresh = Evaluation::new(&self.lowering, self.options)?;
                fresh.prepare(question.id)?;
                Box::new(fresh)
            }
        };
        let known = self.lend(&mut on_runs, |on_runs| on_runs.knows(question, state, budget));
        self.on_runs.insert(question.id, on_runs);
        known
    }

    /// Does no point that the agents together cannot tell from this state falsify the body? Stops at the first that does; only a
    /// positive answer needs all points.
    fn class_knows(
        &mut self,
        question: &Question<'_>,
        agents: &[AgentId],
        state: &[u64],
        budget: &dyn Budget,
    ) -> Result<bool, Halt> {
        let layer = question.layer;
        let Some(class) = self.class_of(layer, agents, state, budget)? else { return Ok(true) };
        let place = (layer, agents.to_vec());
        self.holds_at_all(question, agents, class, budget, |this, at| {
            loop {
                this.classify(layer, agents);
                let member = this.knowledge.classes[&place].members[class as usize].get(at).copied();
                if member.is_some() || this.explore_more(layer, budget)? && !this.classify(layer, agents) {
                    return Ok(member);
                }
            }
        })
    }

    /// Does the body hold at all members of a class or component that count? `member` gives them by their position. Goes on where it was
    /// left, and stops at the first where the body fails.
    fn holds_at_all(
        &mut self,
        question: &Question<'_>,
        agents: &[AgentId],
        class: u32,
        budget: &dyn Budget,
        mut member: impl FnMut(&mut Self, usize) -> Result<Option<u32>, Halt>,
    ) -> Result<bool, Halt> {
        let key = (question.id, agents.to_vec(), class);
        let mut progress = self.knowledge.progress.get(&key).copied().unwrap_or_default();
        while !progress.fails
            && let Some(node) = member(self, progress.looked_at)?
        {
            progress.looked_at += 1;
            let at = Node { layer: question.layer, number: node };
            progress.fails =
                self.speaks(at, question.correct, budget)? && !self.holds(question.body, at, budget)?;
        }
        self.knowledge.progress.insert(key, progress);
        Ok(!progress.fails)
    }

    /// Is the point on a run, and does everybody named behave correctly there?
    pub fn speaks(&mut self, at: Node, correct: &[AgentId], budget: &dyn Budget) -> Result<bool, Halt> {
        let state = self.projected(at, 0);
        if !self.space.is_reachable(state) || !self.is_fair(state, budget)? {
            return Ok(false);
        }
        let mut stack = Vec::new();
        for agent in correct {
            let space = &self.space;
            let red = self
                .knowledge
                .red
                .entry(*agent)
                .or_insert_with(|| Program::new(&space.model.agent(*agent).red, &space.layout));
            // A condition without a value is not fulfilled.
            if red.holds(space.state(state), &mut stack) == Ok(true) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Enters all nodes met so far into the classes; says whether there were new ones.
    fn classify(&mut self, layer: usize, agents: &[AgentId]) -> bool {
        let key = (layer, agents.to_vec());
        let mut classes = self.knowledge.classes.remove(&key).unwrap_or_else(|| {
            let sight = self.space.layout.sight(self.space.model, agents);
            let divided = self.divided.as_ref();
            let order = divided.map(|divided| divided.order.seen_by(&self.space.layout, &sight));
            Classes { sight, order, numbers: FxHashMap::default(), of_node: Vec::new(), members: Vec::new() }
        });
        let known = classes.of_node.len();
        for node in known..self.met(layer) {
            let state = self.projected(Node { layer, number: node as u32 }, 0);
            let seen = classes.seen(self.space.state(state));
            let fresh = classes.numbers.len() as u32;
            let class = *classes.numbers.entry(seen).or_insert(fresh);
            if class == fresh {
                classes.members.push(Vec::new());
            }
            classes.of_node.push(class);
            classes.members[class as usize].push(node as u32);
        }
        let grown = classes.of_node.len() > known;
        self.knowledge.classes.insert(key, classes);
        grown
    }

    /// The class of what the agents see in a state; `None` where no point of a run looks like this to them.
    fn class_of(
        &mut self,
        layer: usize,
        agents: &[AgentId],
        state: &[u64],
        budget: &dyn Budget,
    ) -> Result<Option<u32>, Halt> {
        let key = (layer, agents.to_vec());
        loop {
            self.classify(layer, agents);
            let classes = &self.knowledge.classes[&key];
            if let Some(&class) = classes.numbers.get(&classes.seen(state)) {
                return Ok(Some(class));
            }
            if self.explore_more(layer, budget)? && !self.classify(layer, agents) {
                return Ok(None);
            }
        }
    }

    /// Does the body hold wherever steps of not telling apart lead, through points of runs?
    fn common(
        &mut self,
        question: &Question<'_>,
        agents: &[AgentId],
        state: &[u64],
        budget: &dyn Budget,
    ) -> Result<bool, Halt> {
        let layer = question.layer;
        let place = (layer, agents.to_vec());
        if !self.knowledge.components.contains_key(&place) {
            let components = self.components(agents, layer, budget)?;
            self.knowledge.components.insert(place.clone(), components);
        }
        // From a point of a run every agent leads to the same component; from a state that no run visits (`--past all`) each
        // may lead to one of its own.
        for agent in agents {
            let Some(class) = self.class_of(layer, &[*agent], state, budget)? else { continue };
            let look_alikes = &self.knowledge.classes[&(layer, vec![*agent])].members[class as usize];
            let components = &self.knowledge.components[&place];
            let speaks = |node: &&u32| components.speaks.get(**node as usize) == Some(&true);
            let Some(&near) = look_alikes.iter().find(speaks) else { continue };
            let component = components.of_node[near as usize];
            let holds = self.holds_at_all(question, agents, component, budget, |this, at| {
                Ok(this.knowledge.components[&place].members[component as usize].get(at).copied())
            });
            if !holds? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The nodes of a layer that lead to one another by steps that some agent cannot tell; all nodes are expanded first.
    fn components(
        &mut self,
        agents: &[AgentId],
        layer: usize,
        budget: &dyn Budget,
    ) -> Result<Components, Halt> {
        self.explore_all(layer, budget)?;
        let count = self.met(layer);
        let mut speaks = Vec::with_capacity(count);
        for node in 0..count as u32 {
            speaks.push(self.speaks(Node { layer, number: node }, &[], budget)?);
        }
        let mut leader: Vec<u32> = (0..count as u32).collect();
        for agent in agents {
            self.classify(layer, &[*agent]);
            let classes = &self.knowledge.classes[&(layer, vec![*agent])];
            let mut first: Vec<Option<u32>> = vec![None; classes.members.len()];
            for node in (0..count as u32).filter(|node| speaks[*node as usize]) {
                match &mut first[classes.of_node[node as usize] as usize] {
                    Some(other) => {
                        let (a, b) = (find(&mut leader, *other), find(&mut leader, node));
                        leader[a.max(b) as usize] = a.min(b);
                    }
                    none => *none = Some(node),
                }
            }
        }
        let of_node: Vec<u32> = (0..count as u32).map(|node| find(&mut leader, node)).collect();
        let mut members = vec![Vec::new(); count];
        for (node, component) in of_node.iter().enumerate() {
            members[*component as usize].push(node as u32);
        }
        Ok(Components { of_node, members, speaks })
    }
}

fn find(leader: &mut [u32], mut node: u32) -> u32 {
    while leader[node as usize] != node {
        let above = leader[leader[node as usize] as usize];
        leader[node as usize] = above;
        node = above;
    }
    node
}

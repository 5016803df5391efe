//! Knowledge: the points of runs by local state, found as they are asked for.

use rustc_hash::FxHashMap;
use servanda_engine::{Halt, Monitor};
use servanda_lower::{CoreId, Relation};
use servanda_model::{AgentId, Program};

use crate::evaluate::Evaluation;

/// The nodes of a layer by what some agents see together.
struct Classes {
    mask: Vec<u64>,
    numbers: FxHashMap<Vec<u64>, u32>,
    /// The class of each node looked at so far.
    of_node: Vec<u32>,
    members: Vec<Vec<u32>>,
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
}

/// Who cannot tell what from what.
#[derive(Default)]
pub(crate) struct Knowledge {
    classes: FxHashMap<(usize, Vec<AgentId>), Classes>,
    progress: FxHashMap<(CoreId, Vec<AgentId>, u32), Progress>,
    /// For common knowledge.
    components: FxHashMap<(usize, Vec<AgentId>), Components>,
    red: FxHashMap<AgentId, Program>,
}

impl Evaluation<'_> {
    /// Does the body hold at every related point of every run where `correct` all behave correctly?
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn knows(
        &mut self,
        id: CoreId,
        relation: &Relation,
        correct: &[AgentId],
        body: CoreId,
        layer: usize,
        node: u32,
        monitor: &dyn Monitor,
    ) -> Result<bool, Halt> {
        match relation {
            Relation::Everywhere => self.class_knows(id, &[], correct, body, layer, node, monitor),
            Relation::All(agents) => self.class_knows(id, agents, correct, body, layer, node, monitor),
            Relation::Some(agents) => {
                for agent in agents {
                    if !self.class_knows(id, &[*agent], correct, body, layer, node, monitor)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Relation::Common(agents) => self.common(id, agents, correct, body, layer, node, monitor),
        }
    }

    /// Does no point that the agents together cannot tell from this one falsify the body? Stops at the first that does; only a
    /// positive answer needs all points.
    #[allow(clippy::too_many_arguments)]
    fn class_knows(
        &mut self,
        id: CoreId,
        agents: &[AgentId],
        correct: &[AgentId],
        body: CoreId,
        layer: usize,
        node: u32,
        monitor: &dyn Monitor,
    ) -> Result<bool, Halt> {
        let class = self.class_of(layer, agents, node);
        let key = (id, agents.to_vec(), class);
        let Progress { mut looked_at, fails } =
            self.knowledge.progress.get(&key).copied().unwrap_or_default();
        if fails {
            return Ok(false);
        }
        loop {
            self.classify(layer, agents);
            let place = (layer, agents.to_vec());
            let member = self.knowledge.classes[&place].members[class as usize].get(looked_at).copied();
            let Some(member) = member else {
                if self.explore_more(layer, monitor)? && !self.classify(layer, agents) {
                    break;
                }
                continue;
            };
            looked_at += 1;
            if self.speaks(layer, member, correct, monitor)? && !self.holds(body, layer, member, monitor)? {
                self.knowledge.progress.insert(key, Progress { looked_at, fails: true });
                return Ok(false);
            }
        }
        self.knowledge.progress.insert(key, Progress { looked_at, fails: false });
        Ok(true)
    }

    /// Is the point on a run, and does everybody named behave correctly there?
    pub(crate) fn speaks(
        &mut self,
        layer: usize,
        node: u32,
        correct: &[AgentId],
        monitor: &dyn Monitor,
    ) -> Result<bool, Halt> {
        let state = self.projected(layer, node, 0);
        if !self.space.on_run(state) || !self.is_fair(state, monitor)? {
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
            let mut mask = vec![0u64; self.space.layout.words()];
            for agent in agents {
                let local = self.space.layout.local_state(self.space.model, *agent);
                mask.iter_mut().zip(local).for_each(|(all, one)| *all |= one);
            }
            Classes { mask, numbers: FxHashMap::default(), of_node: Vec::new(), members: Vec::new() }
        });
        let known = classes.of_node.len();
        for node in known..self.met(layer) {
            let state = self.projected(layer, node as u32, 0);
            let seen = self.space.state(state).iter().zip(&classes.mask).map(|(word, mask)| word & mask);
            let fresh = classes.numbers.len() as u32;
            let class = *classes.numbers.entry(seen.collect()).or_insert(fresh);
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

    fn class_of(&mut self, layer: usize, agents: &[AgentId], node: u32) -> u32 {
        self.classify(layer, agents);
        self.knowledge.classes[&(layer, agents.to_vec())].of_node[node as usize]
    }

    /// Does the body hold wherever steps of not telling apart lead, through points of runs?
    #[allow(clippy::too_many_arguments)]
    fn common(
        &mut self,
        id: CoreId,
        agents: &[AgentId],
        correct: &[AgentId],
        body: CoreId,
        layer: usize,
        node: u32,
        monitor: &dyn Monitor,
    ) -> Result<bool, Halt> {
        let place = (layer, agents.to_vec());
        let known = self.knowledge.components.get(&place);
        if known.is_none_or(|components| components.of_node.len() <= node as usize) {
            let components = self.components(agents, layer, monitor)?;
            self.knowledge.components.insert(place.clone(), components);
        }
        if !self.speaks(layer, node, &[], monitor)? {
            // From a state that no run visits (`--past all`) the first step leads to where runs are, if anywhere.
            for agent in agents {
                if let Some(first) = self.first_speaking(layer, *agent, node, monitor)?
                    && !self.common(id, agents, correct, body, layer, first, monitor)?
                {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        let components = &self.knowledge.components[&place];
        let component = components.of_node[node as usize];
        let members = components.members[component as usize].clone();
        let key = (id, agents.to_vec(), component);
        let Progress { mut looked_at, fails } =
            self.knowledge.progress.get(&key).copied().unwrap_or_default();
        if fails {
            return Ok(false);
        }
        while let Some(&member) = members.get(looked_at) {
            looked_at += 1;
            if self.speaks(layer, member, correct, monitor)? && !self.holds(body, layer, member, monitor)? {
                self.knowledge.progress.insert(key, Progress { looked_at, fails: true });
                return Ok(false);
            }
        }
        self.knowledge.progress.insert(key, Progress { looked_at, fails: false });
        Ok(true)
    }

    /// The first point of a run that an agent cannot tell from a node.
    fn first_speaking(
        &mut self,
        layer: usize,
        agent: AgentId,
        node: u32,
        monitor: &dyn Monitor,
    ) -> Result<Option<u32>, Halt> {
        let class = self.class_of(layer, &[agent], node);
        let members = self.knowledge.classes[&(layer, vec![agent])].members[class as usize].clone();
        for member in members {
            if self.speaks(layer, member, &[], monitor)? {
                return Ok(Some(member));
            }
        }
        Ok(None)
    }

    /// The nodes of a layer that lead to one another by steps that some agent cannot tell; all nodes are expanded first.
    fn components(
        &mut self,
        agents: &[AgentId],
        layer: usize,
        monitor: &dyn Monitor,
    ) -> Result<Components, Halt> {
        self.explore_all(layer, monitor)?;
        let count = self.met(layer);
        let mut speaks = Vec::with_capacity(count);
        for node in 0..count as u32 {
            speaks.push(self.speaks(layer, node, &[], monitor)?);
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
        Ok(Components { of_node, members })
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

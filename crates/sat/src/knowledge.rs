//! Knowledge and correct behaviour: quantification over what an agent does not see.

use servanda_circuit::Edge;
use servanda_engine::{Budget, Halt};
use servanda_lower::Relation;
use servanda_model::AgentId;

use crate::Technique;
use crate::effort::Effort;
use crate::gates::Gates;
use crate::project::{satisfiable, some};
use crate::sat::Sat;

impl Sat<'_> {
    /// Where the body is known.
    pub(crate) fn knows(
        &mut self,
        relation: &Relation,
        correct: &[AgentId],
        body: Edge,
        budget: &dyn Budget,
    ) -> Result<Edge, Halt> {
        let mut speaks = self.universe;
        for agent in correct {
            let red = self.system.truth(&self.system.encoding.model.agent(*agent).red)?;
            speaks = self.system.graph.without(speaks, red.value);
        }
        let doubted = self.system.graph.without(speaks, body);
        match relation {
            Relation::Everywhere => Ok(Edge::constant(self.reachable(doubted, budget)?.is_none())),
            Relation::Some(agents) => Ok(!self.some_doubts(agents, doubted, budget)?),
            Relation::All(agents) => Ok(!self.doubts(agents, doubted, budget)?),
            Relation::Common(agents) => {
                let mut doubts = Edge::FALSE;
                let care = self.care();
                loop {
                    let more = self.system.graph.and(speaks, doubts);
                    let more = self.system.graph.or(doubted, more);
                    let again = self.some_doubts(agents, more, budget)?;
                    let new = self.system.graph.without(again, doubts);
                    let new = self.system.graph.and(new, care);
                    let effort = Effort::new(budget, &self.calls);
                    if !satisfiable(&self.system.graph, new, &effort)? {
                        return Ok(!doubts);
                    }
                    doubts = again;
                }
            }
        }
    }

    fn some_doubts(&mut self, agents: &[AgentId], doubted: Edge, budget: &dyn Budget) -> Result<Edge, Halt> {
        let mut any = Edge::FALSE;
        for agent in agents {
            let doubts = self.doubts(&[*agent], doubted, budget)?;
            any = self.system.graph.or(any, doubts);
        }
        Ok(any)
    }

    /// Where the agents together cannot exclude that they are at a reachable point of the set.
    fn doubts(&mut self, agents: &[AgentId], doubted: Edge, budget: &dyn Budget) -> Result<Edge, Halt> {
        let care = self.care();
        let doubted = self.system.graph.and(doubted, care);
        let seen: Vec<Edge> = self
            .system
            .encoding
            .visible_to(agents)
            .into_iter()
            .map(|bit| self.system.encoding.state[bit])
            .collect();
        if doubted == Edge::FALSE {
            return Ok(Edge::FALSE);
        }
        if seen.is_empty() {
            return Ok(Edge::constant(self.reachable(doubted, budget)?.is_some()));
        }
        if let Some(reached) = self.reached(budget)? {
            let effort = Effort::new(budget, &self.calls);
            let graph = &mut self.system.graph;
            let points = graph.and(reached, doubted);
            return some(graph, points, &seen, Edge::TRUE, &effort);
        }
        self.refine(&seen, doubted, budget)
    }

    /// The same without knowing the reachable states: what the agents may see is looked at one by one, and for each it is
    /// asked whether such a point is reachable. What IC3 learns on the way excludes others.
    fn refine(&mut self, seen: &[Edge], doubted: Edge, budget: &dyn Budget) -> Result<Edge, Halt> {
        self.note(Technique::Refinement);
        let mut find = Gates::new(budget);
        find.require(&self.system.graph, doubted);
        let row = find.row(&self.system.graph, seen);
        let mut learnt = 0;
        let mut views = Vec::new();
        loop {
            let state = find.row(&self.system.graph, &self.machine.state);
            let cubes = self.ic3.as_ref().map(|ic3| ic3.invariant()).unwrap_or_default();
            for cube in &cubes[learnt.min(cubes.len())..] {
                let clause: Vec<i32> =
                    cube.iter().map(|(at, set)| if *set { -state[*at] } else { state[*at] }).collect();
                find.add(&clause);
            }
            learnt = cubes.len();
            if !find.solve(&[], &Effort::new(budget, &self.calls))? {
                return Ok(self.system.graph.any(&views));
            }
            let view = find.assigned(&row);
            let edges: Vec<Edge> = row
                .iter()
                .zip(seen)
                .zip(&view)
                .map(|((own, edge), literal)| if own == literal { *edge } else { !*edge })
                .collect();
            let looks = self.system.graph.all(&edges);
            let target = self.system.graph.and(looks, doubted);
            if self.reachable(target, budget)?.is_some() {
                views.push(looks);
            }
            find.add(&view.iter().map(|literal| -literal).collect::<Vec<i32>>());
        }
    }
}

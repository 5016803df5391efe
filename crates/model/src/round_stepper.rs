//! Successors of packed states in models that act in rounds.

use servanda_syntax::Span;

use crate::line_index::LineIndex;
use crate::stepper::Update;
use crate::{AgentId, AgentProgram, Block, Expr, Field, Layout, Line, Model, Program, VariableId};

/// A line of an evolution ready to run.
struct ReadyLine {
    guard: Program,
    defined: Program,
    updates: Vec<Update>,
    span: Span,
}

/// An agent's behaviour ready to run.
struct ReadyAgent {
    action: Field,
    permissions: Vec<(Program, Vec<usize>)>,
    otherwise: Vec<usize>,
    blocks: Vec<ReadyBlock>,
}

/// Variables that evolve together, ready to run.
struct ReadyBlock {
    variables: Vec<Field>,
    /// The agents whose actions its lines read: as long as these do the same, so does the block.
    reads: Vec<usize>,
    lines: Vec<ReadyLine>,
    index: LineIndex,
}

/// What a block may become: the fields that change, with their values, and the first line that says so.
struct Outcome {
    changes: Vec<(Field, i64)>,
    line: Option<Span>,
}

impl Outcome {
    fn write(&self, state: &mut [u64]) {
        self.changes.iter().for_each(|(field, value)| field.write(state, *value));
    }
}

/// The programs of the agents ready to run, with the scratch space they need.
pub(crate) struct RoundStepper {
    agents: Vec<ReadyAgent>,
    /// For every commitment where it is in force after a round.
    commitments: Vec<(Field, Program)>,
    stack: Vec<i64>,
}

impl RoundStepper {
    /// Compiles the programs of the model's agents.
    pub(crate) fn new(model: &Model, programs: &[AgentProgram], layout: &Layout) -> Self {
        let ready = |(index, program)| ReadyAgent::new(model, AgentId::from_index(index), program, layout);
        let in_force = |id| (layout.commitment(id), Program::new(&model.in_force_after_round(id), layout));
        RoundStepper {
            agents: programs.iter().enumerate().map(ready).collect(),
            commitments: model.commitments().map(|(id, _)| in_force(id)).collect(),
            stack: Vec::new(),
        }
    }

    /// Calls `visit` with every joint action and every state it leads to, and `lost` with the place of every enabled line whose values
    /// do not exist or do not fit, as long as `go_on` agrees.
    pub(crate) fn for_each_successor<E>(
        &mut self,
        layout: &Layout,
        state: &[u64],
        mut go_on: impl FnMut() -> Result<(), E>,
        mut visit: impl FnMut(&[usize], &[u64]),
        mut lost: impl FnMut(Span),
    ) -> Result<(), E> {
        let permitted = self.permitted(layout, state);
        let (mut row, stack) = (row(layout, state), &mut self.stack);
        let (mut next, mut promised) = (state.to_vec(), state.to_vec());
        let blocks: Vec<&ReadyBlock> = self.agents.iter().flat_map(|agent| &agent.blocks).collect();
        // What each block makes of the present joint action; kept where the next one is the same to it.
        let mut made: Vec<Option<Vec<Outcome>>> = blocks.iter().map(|_| None).collect();
        let mut joint: Vec<usize> = Vec::new();
        try_for_each_combination(&permitted, |actions| {
            go_on()?;
            let is_other = |agent: usize| joint.get(agent) != Some(actions[agent]);
            for (block, made) in blocks.iter().zip(&mut made) {
                if block.reads.iter().any(|agent| is_other(*agent)) {
                    *made = None;
                }
            }
            joint.clear();
            joint.extend(actions.iter().map(|action| **action));
            for (agent, action) in self.agents.iter().zip(&joint) {
                agent.action.write(&mut row, *action as i64);
            }
            for (block, made) in blocks.iter().zip(&mut made) {
                if made.is_none() {
                    *made = Some(block.outcomes((&row, &joint), stack, &mut lost));
                }
            }
            promise(&self.commitments, &row, stack, &mut promised);
            let outcomes: Vec<&[Outcome]> = made.iter().map(|made| made.as_deref().unwrap_or(&[])).collect();
            try_for_each_combination(&outcomes, |chosen| {
                next.copy_from_slice(&promised);
                chosen.iter().for_each(|outcome| outcome.write(&mut next));
                visit(&joint, &next);
                go_on()
            })
        })
    }

    /// The lines by which a joint action leads from one state to another.
    pub(crate) fn lines_to(
        &mut self,
        layout: &Layout,
        state: &[u64],
        joint: &[usize],
        target: &[u64],
    ) -> Option<Vec<(AgentId, Span)>> {
        let (mut row, stack) = (row(layout, state), &mut self.stack);
        let permitted = self.agents.len() == joint.len()
            && self.agents.iter().zip(joint).all(|(agent, a)| agent.permitted(&row, stack).contains(a));
        if !permitted {
            return None;
        }
        for (agent, action) in self.agents.iter().zip(joint) {
            agent.action.write(&mut row, *action as i64);
        }
        let agents = self.agents.iter().enumerate();
        let blocks = agents.flat_map(|(agent, ready)| ready.blocks.iter().map(move |block| (agent, block)));
        let mut next = state.to_vec();
        promise(&self.commitments, &row, stack, &mut next);
        let mut lines = Vec::new();
        for (agent, block) in blocks {
            // Blocks change different variables, so each can be compared by itself.
            let outcomes = block.outcomes((&row, joint), stack, &mut |_| ());
            let outcome = outcomes.into_iter().find(|outcome| {
                let mut made = state.to_vec();
                outcome.write(&mut made);
                block.variables.iter().all(|field| field.read(&made) == field.read(target))
            })?;
            outcome.write(&mut next);
            lines.extend(outcome.line.map(|span| (AgentId::from_index(agent), span)));
        }
        (next == target).then_some(lines)
    }

    /// What each agent may do in a state.
    pub(crate) fn permitted(&mut self, layout: &Layout, state: &[u64]) -> Vec<Vec<usize>> {
        let row = row(layout, state);
        self.agents.iter().map(|agent| agent.permitted(&row, &mut self.stack)).collect()
    }
}

/// Writes what is in force after a round to the state after it.
fn promise(commitments: &[(Field, Program)], row: &[u64], stack: &mut Vec<i64>, next: &mut [u64]) {
    for (field, in_force) in commitments {
        // What is in force and what is done always have a value.
        field.write(next, i64::from(in_force.holds(row, stack) == Ok(true)));
    }
}

/// A state with room for a joint action behind it.
fn row(layout: &Layout, state: &[u64]) -> Vec<u64> {
    let mut row = state.to_vec();
    row.resize(layout.row_words(), 0);
    row
}

/// Calls `visit` with one of each list, in all ways; that of the first list changes fastest.
fn try_for_each_combination<T, E>(
    lists: &[impl AsRef<[T]>],
    mut visit: impl FnMut(&[&T]) -> Result<(), E>,
) -> Result<(), E> {
    let lists: Vec<&[T]> = lists.iter().map(AsRef::as_ref).collect();
    let Some(mut chosen) = lists.iter().map(|list| list.first()).collect::<Option<Vec<&T>>>() else {
        return Ok(());
    };
    let mut positions = vec![0; lists.len()];
    loop {
        visit(&chosen)?;
        let Some(next) = (0..lists.len()).find(|list| positions[*list] + 1 < lists[*list].len()) else {
            return Ok(());
        };
        positions[..next].fill(0);
        positions[next] += 1;
        for list in 0..=next {
            chosen[list] = &lists[list][positions[list]];
        }
    }
}

impl ReadyBlock {
    /// What the enabled lines make of it under a joint action, which also stands in the row; with none enabled nothing changes.
    fn outcomes(
        &self,
        (row, joint): (&[u64], &[usize]),
        stack: &mut Vec<i64>,
        lost: &mut impl FnMut(Span),
    ) -> Vec<Outcome> {
        let mut enabled = false;
        let mut found: Vec<Outcome> = Vec::new();
        for line in self.index.lines(joint).map(|line| &self.lines[line]) {
            // A condition without a value (a division by zero) does not hold.
            if line.guard.holds(row, stack) != Ok(true) {
                continue;
            }
            enabled = true;
            match line.changes(row, stack) {
                Some(changes) if found.iter().any(|known| known.changes == changes) => {}
                Some(changes) => found.push(Outcome { changes, line: Some(line.span) }),
                None => lost(line.span),
            }
        }
        if !enabled {
            found.push(Outcome { changes: Vec::new(), line: None });
        }
        found
    }
}

impl ReadyLine {
    fn new(model: &Model, line: &Line, layout: &Layout) -> Self {
        let update = |(variable, value): &(VariableId, Expr)| Update::new(model, *variable, value, layout);
        ReadyLine {
            guard: Program::new(&line.guard, layout),
            defined: Program::new(&line.defined, layout),
            updates: line.updates.iter().map(update).collect(),
            span: line.span,
        }
    }

    /// The new values, if they exist and fit.
    fn changes(&self, row: &[u64], stack: &mut Vec<i64>) -> Option<Vec<(Field, i64)>> {
        if self.defined.holds(row, stack) != Ok(true) {
            return None;
        }
        self.updates.iter().map(|update| update.value(row, stack).ok()?.ok()).collect()
    }
}

/// The agents whose actions the lines of a block read.
fn actions_read(block: &Block) -> Vec<usize> {
    let mut agents = Vec::new();
    for line in &block.lines {
        let values = line.updates.iter().map(|(_, value)| value);
        for expr in values.chain([&line.guard, &line.defined]) {
            expr.for_each_action(&mut |agent| agents.push(agent.index()));
        }
    }
    agents.sort_unstable();
    agents.dedup();
    agents
}

impl ReadyAgent {
    fn new(model: &Model, agent: AgentId, program: &AgentProgram, layout: &Layout) -> Self {
        let permissions = program.permissions.iter();
        let ready = |block: &Block| ReadyBlock {
            variables: block.variables.iter().map(|variable| layout.variable(*variable)).collect(),
            reads: actions_read(block),
            lines: block.lines.iter().map(|line| ReadyLine::new(model, line, layout)).collect(),
            index: LineIndex::new(&block.lines),
        };
        ReadyAgent {
            action: layout.action(agent),
            permissions: permissions
                .map(|p| (Program::new(&p.condition, layout), p.actions.clone()))
                .collect(),
            otherwise: program.otherwise.clone(),
            blocks: program.evolution.iter().map(ready).collect(),
        }
    }

    /// The permitted actions in increasing order.
    fn permitted(&self, row: &[u64], stack: &mut Vec<i64>) -> Vec<usize> {
        let mut actions = Vec::new();
        let mut none_applies = true;
        for (condition, permitted) in &self.permissions {
            if condition.holds(row, stack) == Ok(true) {
                none_applies = false;
                actions.extend(permitted);
            }
        }
        if none_applies {
            actions.extend(&self.otherwise);
        }
        actions.sort_unstable();
        actions.dedup();
        actions
    }
}

//! What an agent may do and how its variables evolve.

use rustc_hash::FxHashSet;
use servanda_logic::Binary;
use servanda_model::{AgentId, AgentProgram, Block, Domain, Expr, Line, Permission, VariableId};
use servanda_syntax::{Code, Diagnostic, Findings, Span, all};

use super::ratio::related;
use super::values::{Translator, Value, View, dotted_places};
use crate::ast::{self, Assignment, EvolutionLine, Semantics, TermKind};

impl Translator<'_> {
    /// The behaviour of an agent. Mistakes are reported; what they leave is not to be used.
    pub(crate) fn program(&mut self, agent: &ast::Agent, id: AgentId, semantics: Semantics) -> AgentProgram {
        self.view = View::State(id);
        let (permissions, otherwise) = self.protocol(agent, id);
        self.view = View::Round(id);
        let evolution = self.evolution(agent, id, semantics);
        AgentProgram { actions: self.cast.player(id).actions.clone(), permissions, otherwise, evolution }
    }

    fn protocol(&mut self, agent: &ast::Agent, id: AgentId) -> (Vec<Permission>, Vec<usize>) {
        let everything: Vec<usize> = (0..self.cast.player(id).actions.len()).collect();
        let mut permissions = Vec::new();
        let mut otherwise = Vec::new();
        for (position, line) in agent.protocol.iter().enumerate() {
            let (mut actions, mut listed): (Vec<usize>, FxHashSet<usize>) = Default::default();
            for name in &line.actions {
                match self.action(id, &name.text, name.span) {
                    Some(action) if listed.insert(action) => actions.push(action),
                    _ => {}
                }
            }
            match &line.condition {
                Some(condition) => {
                    if let Some(condition) = self.condition(condition) {
                        permissions.push(Permission { condition, actions });
                    }
                }
                None => {
                    otherwise.extend(actions);
                    if position + 1 < agent.protocol.len() {
                        let message =
                            "`Other` refers to the states that no line matches, the lines after it included";
                        self.diagnostics.push(
                            Diagnostic::warning(Code::OtherNotLast, message, line.span).help("write it last"),
                        );
                    }
                }
            }
        }
        // Without any line nothing is forbidden, and who has no actions always does nothing.
        if agent.protocol.is_empty() || self.cast.player(id).has_no_actions {
            return (Vec::new(), everything);
        }
        otherwise.sort_unstable();
        otherwise.dedup();
        (permissions, otherwise)
    }

    fn evolution(&mut self, agent: &ast::Agent, id: AgentId, semantics: Semantics) -> Vec<Block> {
        let variables: Vec<VariableId> = self.cast.player(id).variables.iter().map(|(_, id)| *id).collect();
        let mut blocks: Vec<Block> = match semantics {
            _ if variables.is_empty() => Vec::new(),
            Semantics::MultiAssignment => vec![Block { variables, lines: Vec::new() }],
            Semantics::SingleAssignment => {
                variables.iter().map(|v| Block { variables: vec![*v], lines: Vec::new() }).collect()
            }
        };
        for line in &agent.evolution {
            if semantics == Semantics::SingleAssignment && line.assignments.len() > 1 {
                let message = "with `SingleAssignment` a line assigns to one variable";
                self.diagnostics.push(
                    Diagnostic::error(Code::SeveralAssignments, message, line.span)
                        .help("write one line for every variable, or use `Semantics = MultiAssignment;`"),
                );
            }
            let Some(lines) = self.lines(line, id) else { continue };
            let target = lines.first().and_then(|line| line.updates.first()).map(|(variable, _)| *variable);
            let block = blocks.iter_mut().find(|block| target.is_none_or(|v| block.variables.contains(&v)));
            if let Some(block) = block {
                block.lines.extend(lines);
            }
        }
        blocks
    }

    /// The lines of the model that a written line becomes: one, or one for every value of an enumeration variable
    /// that is assigned to another one with different codes.
    fn lines(&mut self, line: &EvolutionLine, id: AgentId) -> Option<Vec<Line>> {
        let guard = self.condition(&line.guard);
        let assigned = all(line.assignments.iter().map(|assignment| self.assignment(assignment, id)));
        let (guard, assigned) = (guard?, assigned?);
        let mut lines = vec![Line { guard, defined: Expr::TRUE, updates: Vec::new(), span: line.span }];
        for ((variable, cases), assignment) in assigned.iter().zip(&line.assignments) {
            lines =
                lines.iter().flat_map(|line| cases.iter().map(|case| case.extend(line, *variable))).collect();
            if lines.iter().any(|line| line.updates.iter().filter(|(v, _)| v == variable).count() > 1) {
                self.assigned_twice(&mut lines, *variable, assignment.value.span);
            }
        }
        Some(lines)
    }

    /// Two assignments to one variable must agree, or the move is lost.
    fn assigned_twice(&mut self, lines: &mut [Line], variable: VariableId, span: Span) {
        let name = &self.model.variable(variable).name;
        let message = format!("`{name}` is assigned twice; where the values differ the move is lost");
        self.diagnostics.push(Diagnostic::warning(Code::AssignedTwice, message, span));
        for line in lines {
            let Some(first) = line.updates.iter().position(|(v, _)| *v == variable) else { continue };
            let Some((_, second)) = line.updates.pop() else { continue };
            let agree = related(Binary::Equal, line.updates[first].1.clone(), second);
            line.defined = Expr::and([line.defined.clone(), agree]);
        }
    }

    fn assignment(&mut self, assignment: &Assignment, id: AgentId) -> Option<(VariableId, Vec<Case>)> {
        let variable = self.target(assignment, id)?;
        let value = &assignment.value;
        let cases = match &self.model.variable(variable).domain {
            Domain::Bool => vec![Case::value(self.truth(value)?)],
            Domain::Range { .. } => {
                let (value, defined) = self.number(value)?.into_integer();
                self.warn_if_out_of_range(variable, &value, &defined, assignment);
                vec![Case { when: Expr::TRUE, defined, value }]
            }
            Domain::Enumeration(literals) => {
                let own = match &value.kind {
                    // What is written is a literal, even if a variable has the same name and other values.
                    TermKind::Name if literals.iter().any(|l| **l == *self.slice(value.span)) => {
                        match self.value(value)? {
                            Value::Choice(source, theirs) if theirs.iter().any(|l| literals.contains(l)) => {
                                Value::Choice(source, theirs)
                            }
                            _ => Value::Loose(self.slice(value.span)),
                        }
                    }
                    _ => self.value(value)?,
                };
                match own {
                    Value::Loose(name) => {
                        let code = self.literal(literals, name, value.span)?;
                        vec![Case::value(Expr::Constant(code))]
                    }
                    Value::Choice(source, theirs) if theirs == *literals => {
                        vec![Case::value(Expr::variable(source))]
                    }
                    Value::Choice(source, theirs) => theirs
                        .iter()
                        .zip(0..)
                        .map(|(literal, code)| {
                            let when = Expr::variable(source).equals(Expr::Constant(code));
                            match literals.iter().position(|own| own == literal) {
                                Some(own) => Case { when, ..Case::value(Expr::Constant(own as i64)) },
                                None => Case { when, defined: Expr::FALSE, value: Expr::Constant(0) },
                            }
                        })
                        .collect(),
                    _ => {
                        let message = format!("expected one of {{{}}}", literals.join(", "));
                        return self.diagnostics.error(Code::Type, message, value.span);
                    }
                }
            }
        };
        Some((variable, cases))
    }

    /// The variable that is assigned to.
    fn target(&mut self, assignment: &Assignment, id: AgentId) -> Option<VariableId> {
        let player = self.cast.player(id);
        let agent_name = &self.model.agent(id).name;
        let (name, span) = match assignment.target.as_ref().map(|target| (&target.kind, target.span)) {
            None if player.local_state.is_some() => return player.local_state,
            None => {
                let message = "a line says which variable gets which value";
                return self.diagnostics.refuse(
                    Diagnostic::error(Code::UnexpectedToken, message, assignment.value.span)
                        .help("write `variable = value if condition;`"),
                );
            }
            Some((TermKind::Name, span)) => (self.slice(span), span),
            Some((TermKind::Dotted { agent, name }, span)) if self.owner(span, *agent) == agent_name => {
                let (_, place) = dotted_places(span, *agent, *name);
                (self.slice(place), place)
            }
            Some((_, span)) => {
                let message = format!("`{agent_name}` can assign only to variables of its own");
                return self.diagnostics.error(Code::NotItsOwn, message, span);
            }
        };
        let found = player.variable(name);
        if found.is_none() && !self.excused.contains(name) {
            let known = player.variables.iter().map(|(name, _)| &**name);
            let message = format!("`{agent_name}` has no variable called `{name}`");
            self.diagnostics.push(Diagnostic::error(Code::UnknownName, message, span).suggest(name, known));
        }
        found
    }

    fn owner(&self, span: Span, length: u32) -> &str {
        self.slice(dotted_places(span, length, 0).0)
    }

    fn warn_if_out_of_range(
        &mut self,
        variable: VariableId,
        value: &Expr,
        defined: &Expr,
        assignment: &Assignment,
    ) {
        let variable = self.model.variable(variable);
        let reason = match (value, defined) {
            (Expr::Constant(value), _) if !variable.domain.contains(*value) => {
                format!(
                    "`{}` cannot become {value}: its values are {}",
                    variable.name,
                    variable.domain.describe()
                )
            }
            (Expr::Arithmetic(_, top, bottom), _)
                if matches!((&**top, &**bottom), (Expr::Constant(_), Expr::Constant(_)))
                    && *defined != Expr::TRUE =>
            {
                format!("`{}` cannot become this: it is not an integer", variable.name)
            }
            _ => return,
        };
        self.diagnostics.push(
            Diagnostic::warning(Code::OutOfRange, reason, assignment.value.span)
                .help("where this line is chosen the move is lost"),
        );
    }
}

/// What a variable becomes under a condition.
struct Case {
    when: Expr,
    defined: Expr,
    value: Expr,
}

impl Case {
    fn value(value: Expr) -> Self {
        Case { when: Expr::TRUE, defined: Expr::TRUE, value }
    }

    fn extend(&self, line: &Line, variable: VariableId) -> Line {
        let mut updates = line.updates.clone();
        updates.push((variable, self.value.clone()));
        Line {
            guard: Expr::and([line.guard.clone(), self.when.clone()]),
            defined: Expr::and([line.defined.clone(), self.defined.clone()]),
            updates,
            span: line.span,
        }
    }
}

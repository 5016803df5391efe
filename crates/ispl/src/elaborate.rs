//! From the parts of a file to a model.

mod behaviour;
mod cast;
pub(crate) mod ratio;
mod values;

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashSet;
use servanda_logic::Formula;
use servanda_lower::{Context, validate};
use servanda_model::{
    AgentProgram, Behaviour, Expr, Fairness, GroupDefinition, Model, NamedProposition, Property,
};
use servanda_syntax::{Code, Diagnostic, SourceFile, Span, Token, has_errors};

use crate::ast::{File, Name, Semantics};
use crate::elaborate::cast::{Cast, ENVIRONMENT};
use crate::elaborate::values::{Translator, View};
use crate::formula;

/// What a file means. The diagnostics tell whether it can be used.
pub(crate) fn elaborate(
    source: &SourceFile,
    tokens: &[Token],
    file: File,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Model, Vec<Property>) {
    let mut model = Model::new(model_name(source.name()));
    let excused: FxHashSet<Arc<str>> = source.words_in(tokens, &file.broken).map(Arc::from).collect();
    // MCMAS adds an environment without variables where there is none, so files may refer to it.
    let mentioned = tokens.iter().any(|token| source.slice(token.span) == ENVIRONMENT);
    let declared = file.agents.iter().any(|agent| &*agent.name.text == ENVIRONMENT);
    if file.agents.is_empty() && !has_errors(diagnostics) {
        let error = Diagnostic::error(Code::NoAgent, "there is no agent in this file", Span::default());
        diagnostics.push(error.help("a file has at least one `Agent` block"));
    }
    let cast = Cast::new(&file, mentioned && !declared, &mut model, diagnostics);

    let mut programs = Vec::new();
    if mentioned && !declared {
        let actions = cast.players[0].actions.clone();
        programs.push(AgentProgram { actions, permissions: vec![], otherwise: vec![0], evolution: vec![] });
    }
    let semantics = file.semantics.unwrap_or(Semantics::MultiAssignment);
    let first = programs.len();
    let mut reds = vec![Expr::FALSE; first];
    let mut translator = Translator {
        text: source.text(),
        model: &model,
        cast: &cast,
        excused: &excused,
        view: View::World,
        diagnostics,
    };
    for (position, agent) in file.agents.iter().enumerate() {
        let id = servanda_model::AgentId::from_index(first + position);
        programs.push(translator.program(agent, id, semantics));
        reds.push(translator.red(agent, id));
    }
    translator.view = View::World;
    let initial = file.initial.as_ref().map_or(Some(Expr::TRUE), |condition| translator.condition(condition));
    let mut propositions = translator.propositions(&file);
    let groups = translator.groups(&file);

    for (agent, red) in model.agents.iter_mut().zip(reds) {
        agent.red = red;
        let green = agent.red.clone().negate();
        propositions.push(NamedProposition { name: format!("{}.GreenStates", agent.name), condition: green });
        propositions.push(NamedProposition {
            name: format!("{}.RedStates", agent.name),
            condition: agent.red.clone(),
        });
    }
    model.behaviour = Behaviour::Rounds(programs);
    model.initial = initial.unwrap_or(Expr::FALSE);
    model.propositions = propositions;
    model.groups = groups;

    warn_about_names(&model, diagnostics);
    let read = Formulas { source, tokens, excused: &excused };
    for range in file.fairness {
        let formula = read.formula(range, &model, Context::Fairness, diagnostics);
        model.fairness.extend(formula.map(|formula| Fairness { formula }));
    }
    let mut properties = Vec::new();
    for (position, range) in file.formulae.into_iter().enumerate() {
        let span = match (tokens.get(range.start), tokens.get(range.end.saturating_sub(1))) {
            (Some(start), Some(end)) => start.span.to(end.span),
            _ => Span::default(),
        };
        if let Some(formula) = read.formula(range, &model, Context::Property, diagnostics) {
            let name = format!("formula_{}", position + 1);
            let text = without_comments(source.slice(span));
            properties.push(Property::new(name, text, formula, span));
        }
    }
    (model, properties)
}

/// The text that formulas are read from.
struct Formulas<'t> {
    source: &'t SourceFile,
    tokens: &'t [Token],
    /// Names whose declarations could not be read.
    excused: &'t FxHashSet<Arc<str>>,
}

impl Formulas<'_> {
    /// The formula that some tokens are; what is wrong with it is reported.
    fn formula(
        &self,
        range: Range<usize>,
        model: &Model,
        context: Context,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Formula> {
        let Formulas { source, tokens, excused } = self;
        let formula = formula::parse_range(source.text(), tokens, range, model, excused, diagnostics)?;
        diagnostics.extend(validate(model, &formula, context));
        Some(formula)
    }
}

impl Translator<'_> {
    /// The propositions of the file; of several of one name the last.
    fn propositions(&mut self, file: &File) -> Vec<NamedProposition> {
        let mut propositions: Vec<NamedProposition> = Vec::new();
        for proposition in &file.evaluation {
            let name = &proposition.name;
            // A proposition is known even where its condition is not, so that formulas are judged on their own.
            let condition = self.condition(&proposition.condition).unwrap_or(Expr::FALSE);
            let condition = NamedProposition { name: name.text.to_string(), condition };
            match propositions.iter_mut().find(|before| before.name == *name.text) {
                Some(before) => {
                    self.diagnostics.push(replaced("proposition", name));
                    *before = condition;
                }
                None => propositions.push(condition),
            }
        }
        propositions
    }

    /// Where the behaviour of an agent is not correct.
    fn red(&mut self, agent: &crate::ast::Agent, id: servanda_model::AgentId) -> Expr {
        self.view = View::State(id);
        let mut red: Vec<Expr> = agent.red.iter().filter_map(|condition| self.condition(condition)).collect();
        if let (Some(green), Some(variable)) = (&agent.green, self.cast.player(id).local_state) {
            let servanda_model::Domain::Enumeration(literals) = &self.model.variable(variable).domain else {
                return Expr::or(red);
            };
            let green: Vec<Option<i64>> =
                green.iter().map(|name| self.literal(literals, &name.text, name.span)).collect();
            let is_red = |code: &i64| !green.contains(&Some(*code));
            let codes = (0..literals.len() as i64).filter(is_red);
            red.extend(codes.map(|code| Expr::variable(variable).equals(Expr::Constant(code))));
        }
        Expr::or(red)
    }

    fn groups(&mut self, file: &File) -> Vec<GroupDefinition> {
        let mut groups: Vec<GroupDefinition> = Vec::new();
        for group in &file.groups {
            let mut members = Vec::new();
            for name in &group.members {
                match self.cast.agent(&name.text) {
                    Some(agent) if members.contains(&agent) => {}
                    Some(agent) => members.push(agent),
                    None if self.excused.contains(&name.text) => {}
                    None => {
                        let known = self.model.agents.iter().map(|agent| agent.name.as_str());
                        self.diagnostics.push(Diagnostic::unknown("agent", &name.text, name.span, known));
                    }
                }
            }
            members.sort_unstable();
            let definition = GroupDefinition { name: group.name.text.to_string(), members };
            match groups.iter_mut().find(|before| before.name == *group.name.text) {
                Some(before) => {
                    self.diagnostics.push(replaced("group", &group.name));
                    *before = definition;
                }
                None => groups.push(definition),
            }
        }
        groups
    }
}

fn replaced(what: &str, name: &Name) -> Diagnostic {
    let message = format!("a second {what} called `{}`; this one counts", name.text);
    Diagnostic::warning(Code::DuplicateName, message, name.span)
}

/// A variable that is called like a literal makes `x = name` hard to read; MCMAS refuses it.
fn warn_about_names(model: &Model, diagnostics: &mut Vec<Diagnostic>) {
    let mut literals: FxHashSet<&str> = FxHashSet::default();
    for variable in &model.variables {
        if let servanda_model::Domain::Enumeration(names) = &variable.domain {
            literals.extend(names.iter().map(|name| &**name));
        }
    }
    for variable in &model.variables {
        let name = variable.name.split_once('.').map_or("", |(_, name)| name);
        if literals.contains(name) {
            let message = format!("`{name}` is the name of a value of an enumeration as well");
            diagnostics.push(
                Diagnostic::warning(Code::AmbiguousName, message, variable.span)
                    .help("in a comparison the variable is meant where its values fit"),
            );
        }
    }
}

/// The model is called like its file.
fn model_name(file: &str) -> String {
    let base = file.rsplit(['/', '\\']).next().unwrap_or(file);
    base.strip_suffix(".ispl").unwrap_or(base).to_owned()
}

/// A formula on one line, as people see it.
fn without_comments(text: &str) -> String {
    let lines = text.lines().map(|line| line.split_once("--").map_or(line, |(before, _)| before));
    lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

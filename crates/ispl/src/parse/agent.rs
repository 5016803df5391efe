//! `Agent` blocks, in both dialects.

use servanda_syntax::{Code, Diagnostic, Findings, Span, nearest};

use super::{AGENT_SECTIONS, FILE_SECTIONS, Reader};
use crate::ast::{Agent, Assignment, Domain, EvolutionLine, Name, Observability, ProtocolLine, Variable};

impl Reader<'_> {
    pub(super) fn agent(&mut self) {
        let start = self.cursor.bump();
        let name = self.cursor.name("the name of an agent");
        let nameless = name.is_none();
        let name = name.unwrap_or(Name { text: "".into(), span: start });
        self.file.agents.push(Agent { name, ..Agent::default() });
        self.agent_sections(start);
        if nameless {
            self.file.agents.pop();
        }
    }

    fn agent_sections(&mut self, start: Span) {
        loop {
            match self.cursor.word(0) {
                Some("end") => return self.closing("Agent", start),
                Some("Lobsvars") => self.list("the name of an environment variable", |agent, names, _| {
                    agent.observed.extend(names);
                }),
                Some("Obsvars") => {
                    self.agent_section("Obsvars", |reader| reader.variable(Observability::Everybody))
                }
                Some("Vars") => self.agent_section("Vars", |reader| reader.variable(Observability::Owner)),
                Some("RedStates") => self.agent_section("RedStates", |reader| {
                    let condition = reader.term()?;
                    reader.cursor.expect(";")?;
                    reader.current(|agent| agent.red.push(condition));
                    Some(())
                }),
                Some("Actions" | "Action") => {
                    self.list("the name of an action", |agent, names, _| agent.actions.extend(names));
                }
                Some("Protocol") => self.agent_section("Protocol", Self::protocol_line),
                Some(word @ ("Evolution" | "Ev")) => self.agent_section(word, Self::evolution_line),
                Some("Lstate") => self.list("the name of a local state", |agent, names, span| {
                    agent.local_states = Some((names, span));
                }),
                Some("Lgreen") => {
                    self.list("the name of a local state", |agent, names, _| agent.green = Some(names));
                }
                Some(word) if FILE_SECTIONS.contains(&word) => return self.not_closed("Agent", start),
                None if self.cursor.at_end() => return self.not_closed("Agent", start),
                _ if self.cursor.eat(";") => {}
                _ => self.statement(Self::no_agent_section),
            }
        }
    }

    /// Changes the agent that is being read.
    fn current(&mut self, change: impl FnOnce(&mut Agent)) {
        if let Some(agent) = self.file.agents.last_mut() {
            change(agent);
        }
    }

    fn no_agent_section(&mut self) -> Option<()> {
        let word = self.cursor.word(0).unwrap_or("");
        let best = nearest(word, AGENT_SECTIONS.iter().copied());
        self.cursor.unexpected_with(
            "`Vars`, `Actions`, `Protocol`, `Evolution`, another section of an agent, or `end Agent`",
            best.map(|best| format!("did you mean `{best}`?")),
        )
    }

    fn agent_section(&mut self, word: &str, line: impl Fn(&mut Self) -> Option<()>) {
        let start = self.cursor.bump();
        self.cursor.expect(":");
        self.lines(word, start, line);
    }

    /// `Word = {a, b};`, with what it says of the agent; the place is that of the word.
    fn list(&mut self, what: &str, say: impl FnOnce(&mut Agent, Vec<Name>, Span)) {
        self.statement(|reader| {
            let word = reader.cursor.bump();
            reader.cursor.expect("=")?;
            let names = reader.cursor.names(what)?;
            reader.cursor.expect(";")?;
            reader.current(|agent| say(agent, names, word));
            Some(())
        });
    }

    fn variable(&mut self, observability: Observability) -> Option<()> {
        let name = self.cursor.name("the name of a variable")?;
        self.cursor.expect(":")?;
        let domain = self.domain()?;
        self.cursor.expect(";")?;
        self.current(|agent| agent.variables.push(Variable { name, domain, observability }));
        Some(())
    }

    fn domain(&mut self) -> Option<Domain> {
        if self.cursor.eat("boolean") {
            return Some(Domain::Boolean);
        }
        if self.cursor.at("{") {
            let open = self.cursor.span();
            let literals = self.cursor.names("the name of a value")?;
            if literals.is_empty() {
                let span = open.to(self.cursor.previous_span());
                let error = Diagnostic::error(Code::EmptyDomain, "this variable has no values", span);
                return self.cursor.diagnostics.refuse(error.help("name at least one"));
            }
            return Some(Domain::Enumeration(literals));
        }
        let start = self.cursor.span();
        let number = self.cursor.at("-") || self.cursor.number().is_some();
        if !number {
            let meant = matches!(self.cursor.spelling(0), "bool" | "Boolean" | "BOOLEAN");
            let help = meant.then(|| "did you mean `boolean`?".to_owned());
            return self.cursor.unexpected_with("`boolean`, `{a, b}` or `low .. high`", help);
        }
        let low = self.integer()?;
        self.cursor.expect("..")?;
        let high = self.integer()?;
        if low > high {
            let span = start.to(self.cursor.previous_span());
            let message = format!("no value lies in `{low} .. {high}`");
            return self.cursor.diagnostics.refuse(
                Diagnostic::error(Code::EmptyRange, message, span).help("write the smaller bound first"),
            );
        }
        Some(Domain::Range(low, high))
    }

    fn integer(&mut self) -> Option<i64> {
        let negative = self.cursor.eat("-");
        match self.cursor.number() {
            Some(value) => {
                self.cursor.bump();
                Some(if negative { -value } else { value })
            }
            None => self.cursor.unexpected("an integer"),
        }
    }

    fn protocol_line(&mut self) -> Option<()> {
        let start = self.cursor.span();
        let condition = match self.cursor.word(0) {
            Some("Other") if self.cursor.at_nth(1, ":") => {
                self.cursor.bump();
                None
            }
            _ => Some(self.term()?),
        };
        self.cursor.expect(":")?;
        let actions = self.cursor.names("the name of an action")?;
        self.cursor.expect(";")?;
        let span = start.to(self.cursor.previous_span());
        self.current(|agent| agent.protocol.push(ProtocolLine { condition, actions, span }));
        Some(())
    }

    fn evolution_line(&mut self) -> Option<()> {
        let start = self.cursor.span();
        let mut assignments = Vec::new();
        self.assignments(&mut assignments)?;
        if !self.cursor.eat("if") {
            return self.cursor.unexpected("`and` or `if`");
        }
        let guard = self.term()?;
        self.cursor.expect(";")?;
        let span = start.to(self.cursor.previous_span());
        self.current(|agent| agent.evolution.push(EvolutionLine { assignments, guard, span }));
        Some(())
    }

    /// Assignments joined with `and`, some of them perhaps in parentheses.
    fn assignments(&mut self, found: &mut Vec<Assignment>) -> Option<()> {
        loop {
            if self.cursor.eat("(") {
                self.cursor.deeper()?;
                self.assignments(found)?;
                self.cursor.shallower();
                self.cursor.expect(")")?;
            } else {
                found.push(self.assignment()?);
            }
            if !self.cursor.eat("and") {
                return Some(());
            }
        }
    }

    fn assignment(&mut self) -> Option<Assignment> {
        let target = self.name_or_dotted("a variable to assign to", "the name of a variable")?;
        if self.cursor.eat("=") {
            return Some(Assignment { target: Some(target), value: self.value()? });
        }
        // The 2005 dialect names the next local state alone.
        if self.cursor.at("if") || self.cursor.at(")") {
            return Some(Assignment { target: None, value: target });
        }
        self.cursor.unexpected("`=`")
    }
}

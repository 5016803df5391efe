//! From text to the parts of a file.
//!
//! Reading never stops at a mistake: a statement that cannot be read is reported and stepped over up to its semicolon
//! or the end of its section. Sections may stand in any order, and any of them may be empty or left out.

mod agent;
mod chain;
mod term;

use servanda_syntax::{Code, Diagnostic, Span, Token, nearest};

use crate::ast::{File, Group, Proposition, Semantics};
use crate::cursor::Cursor;

/// The sections of a file.
const FILE_SECTIONS: &[&str] =
    &["Semantics", "Agent", "Evaluation", "InitStates", "Groups", "Fairness", "Formulae"];

/// The sections of an agent in MCMAS's own dialect.
const AGENT_SECTIONS: &[&str] =
    &["Lobsvars", "Obsvars", "Vars", "RedStates", "Actions", "Protocol", "Evolution"];

/// Reads a file.
pub(crate) fn parse(text: &str, tokens: &[Token]) -> File {
    let mut reader = Reader { cursor: Cursor::new(text, tokens), file: File::default() };
    reader.sections();
    let mut file = reader.file;
    file.diagnostics = std::mem::take(&mut reader.cursor.diagnostics);
    file
}

struct Reader<'t> {
    cursor: Cursor<'t>,
    file: File,
}

/// Does the word begin or end a section? Such words are never names.
fn is_structural(word: &str) -> bool {
    word == "end" || FILE_SECTIONS.contains(&word) || AGENT_SECTIONS.contains(&word)
}

impl Reader<'_> {
    fn sections(&mut self) {
        while !self.cursor.at_end() {
            match self.cursor.word(0) {
                Some("Semantics") => self.statement(Self::semantics),
                Some("Agent") => self.agent(),
                Some("Evaluation") => self.section("Evaluation", Self::proposition),
                Some("InitStates") => self.section("InitStates", Self::initial),
                Some("Groups") => self.section("Groups", Self::group),
                Some("Fairness") => self.section("Fairness", |reader| {
                    reader.formula().map(|range| reader.file.fairness.push(range))
                }),
                Some("Formulae") => self.section("Formulae", |reader| {
                    reader.formula().map(|range| reader.file.formulae.push(range))
                }),
                _ if self.cursor.eat(";") => {}
                _ => self.no_section(),
            }
        }
    }

    /// Does a section begin or end here? In `Agent.RedStates` none does.
    fn at_structural(&self) -> bool {
        self.cursor.word(0).is_some_and(is_structural) && !self.cursor.after(".")
    }

    /// Reports something that begins no section, and goes on at the next section.
    fn no_section(&mut self) {
        let start = self.cursor.span();
        let word = self.cursor.word(0).unwrap_or("");
        let best = nearest(word, FILE_SECTIONS.iter().copied());
        self.cursor.unexpected_with::<()>(
            "`Agent`, `Evaluation`, `InitStates`, `Groups`, `Fairness` or `Formulae`",
            best.map(|best| format!("did you mean `{best}`?")),
        );
        loop {
            let ends = self.cursor.eat("end");
            if ends {
                self.cursor.bump();
            }
            let at_section = self.cursor.word(0).is_some_and(|word| FILE_SECTIONS.contains(&word));
            if self.cursor.at_end() || (at_section && !ends) {
                break;
            }
            if !ends {
                self.cursor.bump();
            }
        }
        self.file.broken.push(start.to(self.cursor.previous_span()));
    }

    /// Reads a statement; after a mistake what is left of it is skipped.
    fn statement(&mut self, rule: impl FnOnce(&mut Self) -> Option<()>) {
        let start = self.cursor.span();
        let position = self.cursor.position();
        if rule(self).is_some() {
            return;
        }
        let here = self.cursor.position();
        self.cursor.go_to(here);
        while !self.cursor.at_end() {
            if self.cursor.eat(";") || self.at_structural() {
                break;
            }
            self.cursor.bump();
        }
        if self.cursor.position() == position {
            self.cursor.bump();
        }
        self.file.broken.push(start.to(self.cursor.previous_span()));
    }

    /// Reads a section of the file: its word, its lines, `end` and its word again.
    fn section(&mut self, word: &str, line: impl Fn(&mut Self) -> Option<()>) {
        let start = self.cursor.bump();
        self.cursor.eat(":");
        self.lines(word, start, line);
    }

    /// Reads lines up to the end of the section.
    fn lines(&mut self, section: &str, start: Span, line: impl Fn(&mut Self) -> Option<()>) {
        loop {
            if self.cursor.at("end") {
                return self.closing(section, start);
            }
            if self.cursor.at_end() || self.at_structural() {
                return self.not_closed(section, start);
            }
            if !self.cursor.eat(";") {
                self.statement(&line);
            }
        }
    }

    fn not_closed(&mut self, section: &str, start: Span) {
        self.cursor.missing::<()>(&format!("`end {section}`"), start, format!("`{section}` begins here"));
    }

    /// Reads `end SECTION`. The `end` of something around this section is left for what is around it.
    fn closing(&mut self, section: &str, start: Span) {
        match self.cursor.word(1) {
            Some(word) if word == section => {
                self.cursor.bump();
                self.cursor.bump();
                self.cursor.eat(";");
            }
            Some("Agent") => self.not_closed(section, start),
            Some(word) if FILE_SECTIONS.contains(&word) && section == "Agent" => {
                self.not_closed(section, start)
            }
            found => {
                let end = self.cursor.bump();
                self.cursor.unexpected::<()>(&format!("`{section}` after `end`"));
                if let Some(error) = self.cursor.diagnostics.last_mut() {
                    error.span = end.to(error.span);
                }
                if found.is_some() {
                    self.cursor.bump();
                    self.cursor.eat(";");
                }
            }
        }
    }

    fn semantics(&mut self) -> Option<()> {
        self.cursor.bump();
        self.cursor.expect("=")?;
        let semantics = match self.cursor.word(0) {
            Some("MultiAssignment" | "MA") => Semantics::MultiAssignment,
            Some("SingleAssignment" | "SA") => Semantics::SingleAssignment,
            _ => return self.cursor.unexpected("`MultiAssignment` or `SingleAssignment`"),
        };
        let span = self.cursor.bump();
        self.cursor.expect(";")?;
        if self.file.semantics.is_some_and(|before| before != semantics) {
            let message = "the semantics is said twice, and differently";
            self.cursor.report(Diagnostic::error(Code::DuplicateName, message, span));
        }
        self.file.semantics = Some(semantics);
        Some(())
    }

    fn proposition(&mut self) -> Option<()> {
        let name = self.cursor.name("the name of a proposition")?;
        self.cursor.expect("if")?;
        let condition = self.term()?;
        self.cursor.expect(";")?;
        self.file.evaluation.push(Proposition { name, condition });
        Some(())
    }

    fn initial(&mut self) -> Option<()> {
        let condition = self.term()?;
        self.cursor.expect(";")?;
        if self.file.initial.is_some() {
            let message = "a second condition on initial states";
            let error = Diagnostic::error(Code::DuplicateName, message, condition.span);
            self.cursor.report(error.help("join the conditions with `and`"));
            return Some(());
        }
        self.file.initial = Some(condition);
        Some(())
    }

    fn group(&mut self) -> Option<()> {
        let name = self.cursor.name("the name of a group")?;
        self.cursor.expect("=")?;
        let members = self.cursor.names("the name of an agent")?;
        self.cursor.expect(";")?;
        self.file.groups.push(Group { name, members });
        Some(())
    }

    /// Finds the end of a formula, which is read later.
    fn formula(&mut self) -> Option<std::ops::Range<usize>> {
        let start = self.cursor.position();
        while !self.cursor.at_end() && !self.cursor.at(";") && !self.at_structural() {
            self.cursor.bump();
        }
        let end = self.cursor.position();
        self.cursor.expect(";")?;
        Some(start..end)
    }
}

//! From expressions as they are written to a program: names resolved, types checked.

use regex::Regex;
use rustc_hash::FxHashMap;
use servanda_syntax::{Code, Diagnostic, Findings, Span};

use super::functions::{FUNCTIONS, function};
use super::program::{DEEPEST, Node, NodeId, Program};
use super::tree::{Operator, Tree, TreeKind};
use crate::read::ValueKind;

/// What is known of a value before any line is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    Truth,
    Text,
    Number,
    Any,
}

/// A definition, and how far it has come.
enum Define {
    Waiting(Tree),
    /// Being compiled: whoever needs it now goes round in a circle.
    Open,
    Done(Option<(NodeId, Sort)>),
}

/// What names stand for, and the program made so far.
#[derive(Default)]
pub(crate) struct Compiler {
    pub(crate) program: Program,
    /// The slot of each field.
    pub(crate) fields: FxHashMap<String, u32>,
    /// The position of each table, and how many values its key has.
    pub(crate) tables: FxHashMap<String, (u32, usize)>,
    defines: FxHashMap<String, Define>,
    pub(crate) found: Vec<Diagnostic>,
}

impl Compiler {
    pub(crate) fn define(&mut self, name: &str, tree: Option<Tree>) {
        let define = tree.map_or(Define::Done(None), Define::Waiting);
        self.defines.insert(name.to_owned(), define);
    }

    /// Compiles a definition whether it is used or not: its mistakes are mistakes.
    pub(crate) fn settle(&mut self, name: &str, span: Span) {
        if matches!(self.defines.get(name), Some(Define::Waiting(_))) {
            self.defined(name, span);
        }
    }

    fn defined(&mut self, name: &str, span: Span) -> Option<(NodeId, Sort)> {
        let define = self.defines.get_mut(name)?;
        match std::mem::replace(define, Define::Open) {
            Define::Done(done) => {
                *define = Define::Done(done);
                done
            }
            Define::Open => {
                let message = format!("`{name}` is defined by itself");
                self.found.error(Code::CircularDefinition, message, span)
            }
            Define::Waiting(tree) => {
                let done = self.value(&tree);
                self.defines.insert(name.to_owned(), Define::Done(done));
                done
            }
        }
    }

    /// A condition.
    pub(crate) fn condition(&mut self, tree: &Tree) -> Option<NodeId> {
        let (node, sort) = self.value(tree)?;
        match sort {
            Sort::Truth => Some(node),
            Sort::Any => self.add(Node::Holds(node), tree.span),
            Sort::Text | Sort::Number => {
                self.found.error(Code::NotACondition, "this is a value, not a condition", tree.span)
            }
        }
    }

    /// A value, and what is known of it.
    pub(crate) fn value(&mut self, tree: &Tree) -> Option<(NodeId, Sort)> {
        let (node, sort) = match &tree.kind {
            TreeKind::Name(name) => return self.name(name, tree.span),
            TreeKind::Text(text) => return Some((self.program.constant(ValueKind::Text, text), Sort::Text)),
            TreeKind::Number(text) => {
                return Some((self.program.constant(ValueKind::Number, text), Sort::Number));
            }
            TreeKind::Truth(truth) => (Node::Truth(*truth), Sort::Truth),
            TreeKind::Not(inner) => (Node::Not(self.condition(inner)?), Sort::Truth),
            TreeKind::All(parts) => (Node::All(self.conditions(parts)?), Sort::Truth),
            TreeKind::Any(parts) => (Node::Any(self.conditions(parts)?), Sort::Truth),
            TreeKind::Binary(operator, left, right) => self.binary(*operator, left, right, tree.span)?,
            TreeKind::Call(name, arguments) => return self.call(name, arguments, tree.span),
        };
        Some((self.add(node, tree.span)?, sort))
    }

    fn add(&mut self, node: Node, span: Span) -> Option<NodeId> {
        let node = self.program.node(node);
        if self.program.depth(node) <= DEEPEST {
            return Some(node);
        }
        self.found.error(Code::NestingTooDeep, "with its definitions this is nested too deeply", span)
    }

    fn conditions(&mut self, trees: &[Tree]) -> Option<Box<[NodeId]>> {
        let found: Vec<Option<NodeId>> = trees.iter().map(|tree| self.condition(tree)).collect();
        found.into_iter().collect()
    }

    fn name(&mut self, name: &str, span: Span) -> Option<(NodeId, Sort)> {
        if let Some(slot) = self.fields.get(name) {
            return Some((self.program.node(Node::Field(*slot)), Sort::Any));
        }
        if self.defines.contains_key(name) {
            return self.defined(name, span);
        }
        let message = format!("no field and no definition is called `{name}`");
        let mut error = Diagnostic::error(Code::UnknownName, message, span);
        if function(name).is_some() {
            error = error.help(format!("`{name}` is a function: write `{name}(..)`"));
        } else {
            let known = self.fields.keys().chain(self.defines.keys()).map(String::as_str);
            error = error.suggest(name, known);
            if error.help.is_none() {
                error = error.help(format!("a text stands between quotation marks: `\"{name}\"`"));
            }
        }
        self.found.refuse(error)
    }

    fn binary(&mut self, operator: Operator, left: &Tree, right: &Tree, span: Span) -> Option<(Node, Sort)> {
        let (left_value, right_value) = (self.value(left), self.value(right));
        let ((a, sort_a), (b, sort_b)) = left_value.zip(right_value)?;
        if matches!(operator, Operator::Plus | Operator::Minus) {
            for (tree, sort) in [(left, sort_a), (right, sort_b)] {
                if matches!(sort, Sort::Text | Sort::Truth) {
                    return self.found.error(Code::Type, "expected a number", tree.span);
                }
            }
            let node = if operator == Operator::Plus { Node::Add(a, b) } else { Node::Subtract(a, b) };
            return Some((node, Sort::Number));
        }
        if sort_a != sort_b && sort_a != Sort::Any && sort_b != Sort::Any {
            let message = "these two are never equal: they are of different types";
            return self.found.error(Code::Type, message, span);
        }
        if !matches!(operator, Operator::Equal | Operator::NotEqual) {
            if sort_a == Sort::Truth || sort_b == Sort::Truth {
                let message = "conditions have no order: use `=` or `!=`";
                return self.found.error(Code::Type, message, span);
            }
            return Some((Node::Compare(operator, a, b), Sort::Truth));
        }
        // Whoever compares with a number of his own means numbers, also where the log has texts, as CSV does.
        let (a, b) = match (sort_a, sort_b) {
            (Sort::Number, Sort::Any) => (a, self.add(Node::Number(b), right.span)?),
            (Sort::Any, Sort::Number) => (self.add(Node::Number(a), left.span)?, b),
            _ => (a, b),
        };
        Some((Node::Compare(operator, a, b), Sort::Truth))
    }

    fn call(&mut self, name: &str, arguments: &[Tree], span: Span) -> Option<(NodeId, Sort)> {
        let Some(function) = function(name) else {
            let error = Diagnostic::error(Code::UnknownName, format!("no function is called `{name}`"), span);
            let error = error.suggest(name, FUNCTIONS.iter().map(|function| function.name));
            let sign = match name.to_ascii_lowercase().as_str() {
                "not" => Some("write `!(..)`, not `not(..)`"),
                "and" => Some("write `a & b`, not `and(a, b)`"),
                "or" => Some("write `a | b`, not `or(a, b)`"),
                _ => None,
            };
            if let Some(sign) = sign {
                return self.found.refuse(error.help(sign));
            }
            let names: Vec<&str> = FUNCTIONS.iter().map(|function| function.name).collect();
            let help =
                error.help.clone().unwrap_or_else(|| format!("the functions are {}", names.join(", ")));
            return self.found.refuse(error.help(help));
        };
        let (least, most) = function.takes;
        if arguments.len() < least || arguments.len() > most {
            let wanted = match (least, most) {
                (1, 1) => "one value".to_owned(),
                (least, most) if least == most => format!("{least} values"),
                (1, _) => "at least one value".to_owned(),
                (least, _) => format!("at least {least} values"),
            };
            let message = format!("`{name}` takes {wanted}, found {}", arguments.len());
            let error = Diagnostic::error(Code::UnexpectedToken, message, span);
            return self.found.refuse(error.help(format!("write `{}`", function.call)));
        }
        self.called(name, arguments, span)
    }

    fn called(&mut self, name: &str, arguments: &[Tree], span: Span) -> Option<(NodeId, Sort)> {
        match name {
            "recall" => return self.recall(arguments, span),
            "slice_in" => {
                let state = self.literal(&arguments[0])?;
                return Some((self.program.state(&state), Sort::Truth));
            }
            "if" => {
                let condition = self.condition(&arguments[0]);
                let (then, otherwise) = (self.value(&arguments[1]), self.value(&arguments[2]));
                let ((a, sort_a), (b, sort_b)) = then.zip(otherwise)?;
                let sort = if sort_a == sort_b { sort_a } else { Sort::Any };
                return Some((self.add(Node::If(condition?, a, b), span)?, sort));
            }
            "matches" => {
                let value = self.text(&arguments[0]);
                let pattern = self.pattern(&arguments[1]);
                return Some((self.add(Node::Matches(value?, pattern?), span)?, Sort::Truth));
            }
            _ => {}
        }
        let values: Vec<Option<(NodeId, Sort)>> = match name {
            "has" | "first" | "increasing" | "text" => {
                arguments.iter().map(|argument| self.value(argument)).collect()
            }
            _ => arguments.iter().map(|argument| Some((self.text(argument)?, Sort::Any))).collect(),
        };
        let values: Vec<(NodeId, Sort)> = values.into_iter().collect::<Option<_>>()?;
        let at = |position: usize| values[position].0;
        let (node, sort) = match name {
            "has" => (Node::Has(at(0)), Sort::Truth),
            "first" => {
                let sorts = values.iter().map(|(_, sort)| *sort);
                let sort = sorts.reduce(|a, b| if a == b { a } else { Sort::Any }).unwrap_or(Sort::Any);
                (Node::First(values.iter().map(|(node, _)| *node).collect()), sort)
            }
            "increasing" => return Some((self.program.increasing(at(0)), Sort::Truth)),
            "text" => (Node::Text(at(0)), Sort::Text),
            "number" => (Node::Number(at(0)), Sort::Number),
            "length" => (Node::Length(at(0)), Sort::Number),
            "lower" => (Node::Lower(at(0)), Sort::Text),
            "upper" => (Node::Upper(at(0)), Sort::Text),
            "strip" => (Node::Strip(at(0), at(1)), Sort::Text),
            "starts" => (Node::Starts(at(0), at(1)), Sort::Truth),
            "ends" => (Node::Ends(at(0), at(1)), Sort::Truth),
            _ => (Node::Contains(at(0), at(1)), Sort::Truth),
        };
        Some((self.add(node, span)?, sort))
    }

    /// A value that may be a text.
    fn text(&mut self, tree: &Tree) -> Option<NodeId> {
        let (node, sort) = self.value(tree)?;
        match sort {
            Sort::Text | Sort::Any => Some(node),
            Sort::Truth | Sort::Number => self.found.error(Code::Type, "expected a text", tree.span),
        }
    }

    /// What has to be known before any line is read.
    fn literal(&mut self, tree: &Tree) -> Option<String> {
        match &tree.kind {
            TreeKind::Text(text) => Some(text.clone()),
            _ => {
                let error = Diagnostic::error(
                    Code::UnexpectedToken,
                    "expected a text between quotation marks",
                    tree.span,
                );
                self.found.refuse(error)
            }
        }
    }

    fn pattern(&mut self, tree: &Tree) -> Option<u32> {
        let text = self.literal(tree)?;
        match Regex::new(&text) {
            Ok(pattern) => Some(self.program.pattern(pattern)),
            Err(error) => {
                let why = error.to_string();
                let why = why.lines().last().unwrap_or_default().trim_start_matches("error: ");
                self.found.error(Code::BadValue, format!("this pattern cannot be used: {why}"), tree.span)
            }
        }
    }

    fn recall(&mut self, arguments: &[Tree], span: Span) -> Option<(NodeId, Sort)> {
        let keys: Vec<Option<NodeId>> =
            arguments[1..].iter().map(|argument| self.value(argument).map(|(node, _)| node)).collect();
        let name = self.literal(&arguments[0])?;
        let Some((table, length)) = self.tables.get(&name).copied() else {
            let known = self.tables.keys().map(String::as_str);
            let error = Diagnostic::unknown("table", &name, arguments[0].span, known);
            return self.found.refuse(error);
        };
        if keys.len() != length {
            let message = format!("the key of `{name}` has {length} values, found {}", keys.len());
            return self.found.error(Code::UnexpectedToken, message, span);
        }
        let keys = keys.into_iter().collect::<Option<_>>()?;
        let node = self.program.recall(table, keys);
        Some((self.add(node, span)?, Sort::Any))
    }
}

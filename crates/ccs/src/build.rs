//! From a file without mistakes and the name of a process to a model.

use servanda_graph::components_of;
use servanda_model::{Alphabet, Model};
use servanda_syntax::{Code, Diagnostic, Span};

use crate::automaton::{MOST_STATES, MOST_STATES_GROWING};
use crate::check::{action_names, references};
use crate::compose::{TooManyCommands, compose};
use crate::file::{File, Reference};
use crate::layout::{LargePart, lay_out};
use crate::steps::Steps;
use crate::term::{Action, Term};
use crate::words::Word;

/// Deepest static structure that is laid out: each level costs stack.
const DEEPEST_STRUCTURE: u32 = 2000;

/// Parts of a system, at most.
const MOST_PARTS: u64 = 1_000_000;

/// The model of the process with this number.
pub(crate) fn build(file: &mut File, number: usize) -> Result<Model, Box<Diagnostic>> {
    let alphabet = alphabet(file);
    let (process, span) = (file.processes[number].name, file.processes[number].span);
    let name = file.words.text(process).to_owned();
    let growth = Growth::new(file);
    let terms = std::mem::take(&mut file.terms);
    let mut steps = Steps::new(file, terms);
    let constant = steps.terms.add(Term::Constant(process), span);
    let state = steps.state(constant);
    if steps.terms.depth(state) > DEEPEST_STRUCTURE {
        let message = format!("the structure of `{name}` is nested too deeply");
        let error = Diagnostic::error(Code::NestingTooDeep, message, span);
        return Err(Box::new(
            error.help(format!("{DEEPEST_STRUCTURE} levels of `|`, `\\` and `[]` are possible")),
        ));
    }
    if steps.terms.parts(state) > MOST_PARTS {
        let message = format!("`{name}` has more than {MOST_PARTS} parts");
        return Err(Box::new(Diagnostic::error(Code::TooManyParts, message, span)));
    }
    let layout = lay_out(&mut steps, process, &|home| growth.place(file, home).is_some())
        .map_err(|large| Box::new(growth.too_large(file, &large)))?;
    let composed = compose(&name, &layout, &file.words, span);
    let mut model = composed.map_err(|TooManyCommands| {
        let message = format!("the parts of `{name}` can synchronise in too many ways");
        Box::new(Diagnostic::error(Code::TooManyTransitions, message, span))
    })?;
    model.alphabet = Some(alphabet);
    Ok(model)
}

/// The words of the whole file: a formula may refer to what this process never does.
fn alphabet(file: &File) -> Alphabet {
    let text = |word: Word| file.words.text(word).to_owned();
    let contents = file.terms.iter().filter_map(|term| match term {
        Term::Prefix(Action::Input(port) | Action::Output(port), _) => port.content,
        _ => None,
    });
    let mut contents: Vec<Word> = contents.collect();
    contents.sort_unstable();
    contents.dedup();
    Alphabet {
        names: action_names(file).into_iter().map(text).collect(),
        contents: contents.into_iter().map(text).collect(),
    }
}

/// Where recursion goes through a parallel composition, a restriction or a relabelling, and so makes a term that is
/// larger each time.
struct Growth {
    by_name: Vec<Option<usize>>,
    /// For every definition those it names.
    edges: Vec<Vec<usize>>,
    /// For every definition a reference that makes it grow.
    growing: Vec<Option<Reference>>,
}

impl Growth {
    fn new(file: &File) -> Self {
        let by_name = file.by_name();
        let edges = references(file, |_| true);
        let of = components_of(&edges).of;
        let grows = |number: usize| {
            file.processes[number].references.iter().copied().find(|reference| {
                let target = by_name[reference.name.index()];
                reference.inside.is_some() && target.is_some_and(|target| of[target] == of[number])
            })
        };
        let growing = (0..file.processes.len()).map(grows).collect();
        Growth { by_name, edges, growing }
    }

    /// A reference that makes the process grow, and the definition it stands in.
    fn place(&self, file: &File, process: Word) -> Option<(Word, Reference)> {
        if self.growing.iter().all(Option::is_none) {
            return None;
        }
        let first = self.by_name[process.index()]?;
        let mut seen = vec![false; self.edges.len()];
        let mut open = vec![first];
        seen[first] = true;
        while let Some(number) = open.pop() {
            if let Some(reference) = self.growing[number] {
                return Some((file.processes[number].name, reference));
            }
            for &next in &self.edges[number] {
                if !std::mem::replace(&mut seen[next], true) {
                    open.push(next);
                }
            }
        }
        None
    }

    fn too_large(&self, file: &File, large: &LargePart) -> Diagnostic {
        let home = file.words.text(large.home);
        let number = self.by_name[large.home.index()];
        let span = number.map_or(Span::default(), |number| file.processes[number].span);
        let Some((definition, reference)) = self.place(file, large.home) else {
            let message = format!("a part of `{home}` has too many states: more than {}", large.states);
            let help = format!(
                "a process inside of an action, a sum or a recursion is one part, with at most {MOST_STATES} states; \
                 a parallel composition outside of these has no bound"
            );
            return Diagnostic::error(Code::TooManyStates, message, span).help(help);
        };
        let (definition, inner) = (file.words.text(definition), file.words.text(reference.name));
        let message =
            format!("`{definition}` has too many states: each time it comes to `{inner}` here it has grown");
        let place = reference.inside.unwrap_or(reference.span);
        Diagnostic::error(Code::TooManyStates, message, place).help(format!(
            "recursion through `|`, `\\` and `[]` makes a larger process each time; {MOST_STATES_GROWING} states \
             were looked at"
        ))
    }
}

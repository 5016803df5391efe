//! From statements to a model.
//!
//! The order matters only for mistakes: each is to be reported once and where it was made. So names are collected
//! first, definitions are checked where they stand before anything uses them, and what is wrong with a definition
//! silences its uses.

mod assignments;
mod channels;
mod claims;
mod commands;
mod declarations;
mod definitions;
mod labels;
mod machines;
mod partly;
mod payload;
mod properties;
mod scenarios;
mod time;
mod updates;
mod variables;
mod warnings;

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use servanda_abta::decompose::Claim;
use servanda_logic::{Formula, Reference, lex_at};
use servanda_lower::{Context, validate};
use servanda_model::{AgentId, Label, LabelId, Model, Property, VariableId};
use servanda_syntax::{Code, Diagnostic, SourceFile, Span, has_errors};

use crate::bindings::Bindings;
use crate::expand::{Expander, Progress};
use crate::fold::check_constants;
use crate::names;
use crate::parse::File;
use crate::scope::Scope;
use crate::unroll::{Unrolled, unroll};
use crate::{Loaded, Protocol};

pub(crate) use declarations::parameters;

/// Finds the meaning of a file; the findings are those of reading it and those made here, in the order of the text.
pub(crate) fn elaborate(source: &SourceFile, file: &File, overrides: &[(String, i64)]) -> Loaded {
    let mut diagnostics = Vec::new();
    let names = names::collect(&file.items, &mut diagnostics);
    let parameters = declarations::parameters(&file.items, &names, overrides, &mut diagnostics);
    let unrolled = unroll(&file.items, &names, &parameters, &mut diagnostics);
    let mut elaborator = Elaborator {
        source,
        model: Model::new(declarations::default_name(source.name())),
        scope: Scope::new(names, parameters),
        progress: Progress::new(0),
        diagnostics,
        clocks: Vec::new(),
        label_numbers: FxHashMap::default(),
        suspects: FxHashSet::default(),
    };
    let (properties, claims) = elaborator.run(&unrolled, file);
    let unknown: Vec<Span> = file.broken.iter().chain(&unrolled.unknown).copied().collect();
    let Elaborator { model, scope, diagnostics, mut suspects, .. } = elaborator;
    for span in &unknown {
        let (tokens, _) = lex_at(source.slice(*span), span.start as usize);
        suspects.extend(source.words_in(&tokens, &[*span]).map(Arc::from));
    }
    let inside = |at: Span| unknown.iter().any(|span| span.start <= at.start && at.end <= span.end);
    let certain = |found: &Diagnostic| inside(found.span) || !is_suspected(source, found, &suspects);
    let (mut diagnostics, doubtful): (Vec<Diagnostic>, Vec<Diagnostic>) =
        diagnostics.into_iter().partition(certain);
    diagnostics.extend(file.diagnostics.iter().cloned());
    if !has_errors(&diagnostics) {
        diagnostics.extend(doubtful);
    }
    let diagnostics = in_order(diagnostics);
    let protocol = (!has_errors(&diagnostics)).then_some(Protocol { model, properties, claims, scope });
    Loaded { protocol, diagnostics }
}

/// Is an unknown name one that a statement with a mistake may have declared?
fn is_suspected(source: &SourceFile, found: &Diagnostic, suspects: &FxHashSet<Arc<str>>) -> bool {
    if found.code != Code::UnknownName {
        return false;
    }
    let word = source.slice(found.span).split(|c: char| !c.is_alphanumeric() && c != '_').next();
    word.is_some_and(|word| suspects.contains(word))
}

/// In the order of the text; what repetition made several of is kept once.
fn in_order(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut seen = FxHashSet::default();
    diagnostics.retain(|found| found.span == Span::default() || seen.insert((found.span, found.code)));
    diagnostics.sort_by_key(|found| found.span);
    diagnostics
}

struct Elaborator<'a> {
    source: &'a SourceFile,
    model: Model,
    scope: Scope,
    progress: Progress,
    diagnostics: Vec<Diagnostic>,
    /// The variables that count ticks.
    clocks: Vec<VariableId>,
    /// The labels of the model by what they are.
    label_numbers: FxHashMap<Label, LabelId>,
    /// Names whose declarations failed: not knowing them is no further mistake.
    suspects: FxHashSet<Arc<str>>,
}

impl Elaborator<'_> {
    fn run(&mut self, unrolled: &Unrolled<'_>, file: &File) -> (Vec<Property>, Vec<Claim>) {
        self.header(unrolled);
        self.roles(unrolled);
        self.groups(unrolled);
        self.types(unrolled);
        self.variables(unrolled);
        self.messages(unrolled);
        self.definitions(unrolled);
        self.said_in_parts(unrolled);
        let plan = self.machines(unrolled, file);
        self.rests(&plan);
        let channels = self.channels(unrolled);
        let promises = self.promises();
        let steps = self.commands(&plan, channels);
        self.tick_label();
        self.model.derive_effects();
        self.hide(&promises);
        self.check_definitions();
        self.red_states(unrolled);
        self.guards_and_assignments(&steps);
        self.channel_steps(&steps.channels);
        self.check_time(&plan, &steps.heads);
        self.tick(&plan);
        self.initial_states(unrolled);
        let properties = self.properties(unrolled);
        let claims = self.claims(unrolled);
        self.check_parts();
        // A mistake may be the cause of anything odd, so only sound files are warned about.
        if !has_errors(&self.diagnostics) && file.diagnostics.is_empty() {
            self.warnings(&plan, &steps, &promises);
            self.lonely_channels(&steps.channels, &steps.heads);
            self.public_machines(&plan, &steps, &properties, file);
        }
        (properties, claims)
    }

    fn expander(&mut self, bindings: &Bindings) -> Expander<'_> {
        Expander::new(&self.scope, &mut self.progress, bindings, &mut self.diagnostics)
    }

    /// A role by name.
    fn role(&mut self, role: &Reference, bindings: &Bindings) -> Option<AgentId> {
        self.expander(bindings).agent(role).map(|(agent, _)| agent)
    }

    /// The indices of a name that is declared. Without them what it declares is not known.
    fn declared_indices(&mut self, name: &Reference, bindings: &Bindings) -> Option<Vec<i64>> {
        let indices = self.expander(bindings).indices(name);
        if indices.is_none() {
            self.suspects.insert(name.name.clone());
        }
        indices
    }

    /// Makes a formula ground and checks its constants.
    fn ground(&mut self, formula: &Formula, bindings: &Bindings) -> Option<Formula> {
        let ground = self.expander(bindings).whole(formula)?;
        check_constants(&ground, &mut self.diagnostics).then_some(ground)
    }

    /// Makes a formula ground and checks it completely.
    fn checked(&mut self, formula: &Formula, bindings: &Bindings, context: Context) -> Option<Formula> {
        let ground = self.ground(formula, bindings)?;
        self.validated(ground, context)
    }

    /// Checks a ground formula. Only what lies in it is reported: lowering it may meet the contents of acts elsewhere,
    /// which are checked where they stand.
    fn validated(&mut self, ground: Formula, context: Context) -> Option<Formula> {
        let whole = ground.span();
        let found = validate(&self.model, &ground, context);
        let sound = !has_errors(&found);
        let is_inside = |found: &Diagnostic| whole.start <= found.span.start && found.span.end <= whole.end;
        let (inside, outside): (Vec<Diagnostic>, Vec<Diagnostic>) = found.into_iter().partition(is_inside);
        if inside.is_empty() {
            // A content that is in order where it stands may still be unfit for the use made of it here. Other
            // mistakes in it have been reported, unless nothing has been.
            let nothing = !has_errors(&self.diagnostics);
            let new = outside.into_iter().filter(|found| nothing || found.code == Code::PastReachesOut);
            self.diagnostics.extend(new.map(|found| Diagnostic { span: whole, ..found }));
        }
        self.diagnostics.extend(inside);
        sound.then_some(ground)
    }
}

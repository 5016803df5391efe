//! The languages that can be read, in one table.
//!
//! A language is a crate with its front end, a file in `language` with its [`FrontEnd`] and what its texts mean, and a row below.
//! Everything else in the program, the endings of files, `--input` and the help texts included, asks the table.

use std::fmt::Debug;

use servanda_abta::decompose::Claim;
use servanda_engine::Validity;
use servanda_logic::Formula;
use servanda_lts::Lts;
use servanda_model::{CommandId, Model, Property};
use servanda_syntax::{Diagnostic, SourceFile, Span};

use crate::TABLEAU;

macro_rules! languages {
    ($($(#[$doc:meta])* $name:ident $module:ident,)*) => {
        $(mod $module;)*

        /// The languages that can be read.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Language {
            $($(#[$doc])* $name,)*
        }

        impl Language {
            /// All of them.
            pub const ALL: &[Language] = &[$(Language::$name),*];

            /// What is known of it.
            pub fn front_end(self) -> &'static FrontEnd {
                match self {
                    $(Language::$name => &$module::FRONT_END,)*
                }
            }
        }
    };
}

languages! {
    /// Pact: protocols of agents that act one at a time.
    Pact pact,
    /// ISPL: agents that act together in rounds.
    Ispl ispl,
    /// CCS: processes that synchronise on names.
    Ccs ccs,
    /// The `.aut` format of Aldebaran: numbered states and labelled transitions.
    Aut aut,
}

/// Writes a text in standard form, or says what is wrong with it.
pub type StandardForm = fn(&str) -> Result<String, Vec<Diagnostic>>;

/// What the program must know of a language.
pub struct FrontEnd {
    /// The ending of its files, which is also its name for `--input`.
    pub ending: &'static str,
    /// Its name, with the article that its files take.
    pub name: (&'static str, &'static str),
    /// Has a file parameters that can be set?
    pub has_parameters: bool,
    /// Does a file define several processes, of which one is meant?
    pub has_processes: bool,
    /// Is there a file beside it that says which actions are which acts?
    pub has_acts: bool,
    /// A file in standard form, where the language has one.
    pub standard_form: Option<StandardForm>,
    /// What is said where no state is initial.
    pub(crate) no_initial_state: &'static str,
    /// Are control states that no run reaches worth a warning? Not where a part is often more than the others let it be.
    pub(crate) warns_of_unreachable: bool,
    /// The engine that usually leads.
    pub(crate) usual_engine: &'static str,
    /// How formulas name the labels of its transitions.
    pub(crate) labels: Labelling,
    /// Reads a text; those that it uses are added to it.
    pub(crate) load: fn(&mut SourceFile, Choices<'_>) -> Read,
}

/// How formulas name the labels of transitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Labelling {
    /// Agent by agent: a label is a joint action.
    Joint,
    /// As they are written: a name means just that label.
    AsWritten,
    /// By patterns: a name may stand for several labels.
    Patterns,
}

/// What most languages are like; what a language is not like goes before it.
const USUAL: FrontEnd = FrontEnd {
    ending: "",
    name: ("a", ""),
    has_parameters: false,
    has_processes: false,
    has_acts: false,
    standard_form: None,
    no_initial_state: "there is no initial state, so every formula is vacuously true",
    warns_of_unreachable: true,
    usual_engine: TABLEAU,
    labels: Labelling::Patterns,
    load: |_, _| (None, Vec::new()),
};

/// What a user can choose when a text is read.
#[derive(Clone, Copy, Default)]
pub struct Choices<'a> {
    /// Values of parameters, which override those of the text.
    pub parameters: &'a [(String, i64)],
    /// The process that is meant.
    pub process: Option<&'a str>,
    /// The file that says which actions are which acts.
    pub acts: Option<ActsFile<'a>>,
    /// How a text finds those that it uses; without it, not at all.
    pub find: Option<&'a FindText<'a>>,
}

/// Finds a text that another one uses: given what that one is called and the path as it is written there, what the text is called and
/// what stands in it; or why there is none, without a place.
pub type FindText<'a> = dyn Fn(&str, &str) -> Result<(String, String), Box<Diagnostic>> + 'a;

/// A file that says which actions of a model are which acts.
#[derive(Clone, Copy, Debug)]
pub struct ActsFile<'a> {
    /// Its name.
    pub name: &'a str,
    /// What stands in it.
    pub text: &'a str,
    /// Is it meant in any case? One that was found beside a model may be about another process.
    pub is_given: bool,
}

/// What a text means, if it means anything, and everything that is to be said of it.
pub(crate) type Read = (Option<Box<dyn Meaning>>, Vec<Diagnostic>);

/// What a text means.
pub trait Meaning: Debug + Send + Sync {
    /// The model.
    fn model(&self) -> &Model;

    /// The processes of the text, of which the model is one.
    fn processes(&self) -> &[String] {
        &[]
    }

    /// The model, for what an acts file says of it.
    fn model_mut(&mut self) -> Option<&mut Model> {
        None
    }

    /// Reads a further formula in the words of the text's language.
    ///
    /// # Errors
    ///
    /// What is wrong with it; places are places in `text`.
    fn formula(&self, text: &str) -> Result<Formula, Vec<Diagnostic>>;

    /// The properties that the text declares.
    fn properties(&self) -> &[Property] {
        &[]
    }

    /// The decompositions that the text claims.
    fn claims(&self) -> &[Claim] {
        &[]
    }

    /// Where properties must hold unless the user says otherwise (docs/formulas.md section 9).
    fn usual_validity(&self) -> Validity {
        Validity::Initial
    }

    /// The transition system, where the text is nothing else.
    fn transition_system(&self) -> Option<&Lts> {
        None
    }

    /// Where commands of the model were written, as far as that is known.
    fn places(&self, _source: &SourceFile, commands: &[CommandId]) -> Vec<Option<Span>> {
        commands.iter().map(|command| Some(self.model().command(*command).span)).collect()
    }
}

/// Something that was read, as what it means.
fn boxed<M: Meaning + 'static>(meaning: Option<M>) -> Option<Box<dyn Meaning>> {
    meaning.map(|meaning| Box::new(meaning) as Box<dyn Meaning>)
}

impl Language {
    /// The language whose files end so.
    pub fn with_ending(ending: &str) -> Option<Language> {
        Language::ALL.iter().copied().find(|language| language.front_end().ending == ending)
    }

    /// The endings of all files that can be read, as a list in words: `.a, .b and .c`.
    pub fn endings(last: &str) -> String {
        listed(last, |front_end| format!(".{}", front_end.ending))
    }

    /// What can be written to say which language is meant, as a list in words.
    pub fn options(last: &str) -> String {
        listed(last, |front_end| format!("--input {}", front_end.ending))
    }
}

/// All languages in words, with `last` before the last one.
fn listed(last: &str, word: impl Fn(&FrontEnd) -> String) -> String {
    let words: Vec<String> = Language::ALL.iter().map(|language| word(language.front_end())).collect();
    match words.split_last() {
        Some((end, before)) if !before.is_empty() => format!("{} {last} {end}", before.join(", ")),
        _ => words.concat(),
    }
}

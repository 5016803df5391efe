//! What a translation is asked for.

use servanda_model::ActReading;

servanda_syntax::named! {
    /// Which rules make the automaton.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
    pub enum Rules {
        /// Rules with which the automaton accepts exactly the models of the formula.
        #[default]
        Sound = "sound",
        /// The papers' rules, as their worked examples use them.
        Paper = "paper",
    }
}

servanda_syntax::named! {
    /// Which paper's rules and numbers.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Logic {
        /// ACTL*: rules R1 to R22.
        Actl = "actl",
        /// CTL*CA: rules R1 to R27, with `?`, `X-` and `U-`, and with `!Ac` rewritten to `Ref`.
        CtlCa = "ctlca",
        /// SCCTL*: the rules of CTL* without numbers, `<C>` for creations and `<Act>` for all other acts.
        Scctl = "scctl",
    }
}

impl Logic {
    /// The name as papers write it.
    pub fn name(self) -> &'static str {
        match self {
            Logic::Actl => "ACTL*",
            Logic::CtlCa => "CTL*CA",
            Logic::Scctl => "SCCTL*",
        }
    }
}

/// Whether the automaton is made smaller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Simplify {
    /// Constants are propagated, acceptance sets minimised, states with the same behaviour merged.
    #[default]
    Fully,
    /// The automaton has one state per row of the tableau.
    Not,
}

/// What a translation is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Which rules.
    pub rules: Rules,
    /// Whose numbers; for [`Rules::Paper`]. `None`: CTL*CA's where the formula has `PC`, `React` or a past operator,
    /// ACTL*'s otherwise.
    pub logic: Option<Logic>,
    /// How acts are read (docs/formulas.md section 4); for [`Rules::Sound`].
    pub acts: ActReading,
    /// Whether the automaton is made smaller; for [`Rules::Sound`].
    pub simplify: Simplify,
    /// The most states that a tableau may have: their number can be exponential in the size of the formula.
    pub most_states: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            rules: Rules::default(),
            logic: None,
            acts: ActReading::default(),
            simplify: Simplify::default(),
            most_states: 10_000,
        }
    }
}

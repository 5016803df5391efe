//! The codes of findings.
//!
//! A code never changes its name: programs and baselines know findings by it. A new one is a row here, a page
//! `docs/errors/<code>.md` with an example, and a row in the overview of that directory; a test asks for all three.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Severity;

macro_rules! codes {
    ($($name:ident $severity:ident $word:literal,)*) => {
        /// What a finding is about: the stable, hyphenated name that every output format shows.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum Code {
            $(#[doc = concat!("`", $word, "`: docs/errors/", $word, ".md")] $name,)*
        }

        impl Code {
            /// All of them, in the order of their names.
            pub const ALL: &[Code] = &[$(Code::$name),*];

            /// The stable name.
            pub fn word(self) -> &'static str {
                match self {
                    $(Code::$name => $word,)*
                }
            }

            /// How serious a finding with this code is, unless the place where it is found makes it more or less so.
            pub fn usual_severity(self) -> Severity {
                match self {
                    $(Code::$name => Severity::$severity,)*
                }
            }
        }
    };
}

codes! {
    ActWithWildcard Error "act-with-wildcard",
    ActionNotReadable Error "action-not-readable",
    AmbiguousName Warning "ambiguous-name",
    AssignedTwice Error "assigned-twice",
    BadBound Error "bad-bound",
    BadGoal Error "bad-goal",
    BadHeader Error "bad-header",
    BadName Error "bad-name",
    BadNumber Error "bad-number",
    BadPart Error "bad-part",
    BadTransition Error "bad-transition",
    BadValue Error "bad-value",
    CannotConvert Error "cannot-convert",
    CannotDraw Error "cannot-draw",
    CannotRead Error "cannot-read",
    CannotWrite Error "cannot-write",
    Certificate Note "certificate",
    ChainedComparison Error "chained-comparison",
    ChannelMessage Error "channel-message",
    CircularDefinition Error "circular-definition",
    CircularPattern Error "circular-pattern",
    CircularUse Error "circular-use",
    ConflictingAssignments Error "conflicting-assignments",
    Deadlock Note "deadlock",
    DifferentProcesses Error "different-processes",
    DivisionByZero Error "division-by-zero",
    DomainTooLarge Error "domain-too-large",
    DuplicateName Error "duplicate-name",
    DuplicateStatement Error "duplicate-statement",
    EmptyDomain Error "empty-domain",
    EmptyModel Error "empty-model",
    EmptyRange Error "empty-range",
    EmptyScenario Error "empty-scenario",
    EnginesDisagree Error "engines-disagree",
    ForeignComment Error "foreign-comment",
    FormulaTooDeep Error "formula-too-deep",
    FormulaTooLarge Error "formula-too-large",
    FormulaTooLong Error "formula-too-long",
    IndexOutOfRange Error "index-out-of-range",
    InitialStates Error "initial-states",
    InputKept Note "input-kept",
    InternalError Error "internal-error",
    InternalStep Error "internal-step",
    LostMove Warning "lost-move",
    MisplacedChallenge Error "misplaced-challenge",
    MisplacedStatement Error "misplaced-statement",
    MisplacedWildcard Error "misplaced-wildcard",
    MissingKey Error "missing-key",
    NeedsParentheses Error "needs-parentheses",
    NestingTooDeep Error "nesting-too-deep",
    NeverCreated Warning "never-created",
    NoActsFile Error "no-acts-file",
    NoAgent Error "no-agent",
    NoCertificate Note "no-certificate",
    NoClock Error "no-clock",
    NoFairRun Warning "no-fair-run",
    NoHeader Error "no-header",
    NoInitialState Warning "no-initial-state",
    NoLabel Error "no-label",
    NoOldestMessage Error "no-oldest-message",
    NoParameters Error "no-parameters",
    NoPartner Warning "no-partner",
    NoProcess Error "no-process",
    NoProcesses Error "no-processes",
    NoProperty Note "no-property",
    NoRoles Error "no-roles",
    NoStart Error "no-start",
    NoStates Error "no-states",
    NoTrace Error "no-trace",
    NobodyReceives Warning "nobody-receives",
    NobodySends Warning "nobody-sends",
    NotACommitment Error "not-a-commitment",
    NotACondition Error "not-a-condition",
    NotAVariable Error "not-a-variable",
    NotConstant Error "not-constant",
    NotExpressible Error "not-expressible",
    NotItsOwn Error "not-its-own",
    NotKnown Note "not-known",
    NotObservable Error "not-observable",
    NotObserved Error "not-observed",
    NotTheEnvironment Error "not-the-environment",
    NotUtf8 Error "not-utf-8",
    NumberTooLarge Error "number-too-large",
    OtherNotLast Warning "other-not-last",
    OtherSide Warning "other-side",
    OutOfRange Error "out-of-range",
    OutsideMachines Error "outside-machines",
    Overflow Error "overflow",
    PactOnly Error "pact-only",
    PastOverFuture Error "past-over-future",
    PastReachesOut Error "past-reaches-out",
    PathFormula Error "path-formula",
    ProjectSyntax Error "project-syntax",
    PublicMachine Note "public-machine",
    RefusedProperty Warning "refused-property",
    RepeatedPathFormula Error "repeated-path-formula",
    ReservedName Error "reserved-name",
    RunTimeFault Error "run-time-fault",
    SeveralAddressees Error "several-addressees",
    SeveralAssignments Error "several-assignments",
    ShadowingBinder Error "shadowing-binder",
    StoppedTime Warning "stopped-time",
    TermTooLong Error "term-too-long",
    TooLarge Error "too-large",
    TooManyElements Error "too-many-elements",
    TooManyMistakes Error "too-many-mistakes",
    TooManyParts Error "too-many-parts",
    TooManyRepetitions Error "too-many-repetitions",
    TooManyStates Error "too-many-states",
    TooManyTransitions Error "too-many-transitions",
    TooManyValues Error "too-many-values",
    Type Error "type",
    UndeclaredPayload Error "undeclared-payload",
    UnexpectedToken Error "unexpected-token",
    UnguardedRecursion Error "unguarded-recursion",
    UnkeepableCommitment Warning "unkeepable-commitment",
    UnknownAct Error "unknown-act",
    UnknownCharacter Error "unknown-character",
    UnknownContent Error "unknown-content",
    UnknownInput Error "unknown-input",
    UnknownKey Error "unknown-key",
    UnknownLabel Error "unknown-label",
    UnknownName Error "unknown-name",
    UnknownOperator Error "unknown-operator",
    UnknownParameter Error "unknown-parameter",
    UnknownProperty Error "unknown-property",
    UnknownRule Error "unknown-rule",
    UnknownState Error "unknown-state",
    UnknownStatement Error "unknown-statement",
    UnreachableLocation Warning "unreachable-location",
    UnreachableState Warning "unreachable-state",
    UnreachableStates Warning "unreachable-states",
    UnterminatedComment Error "unterminated-comment",
    UnterminatedLabel Error "unterminated-label",
    UnusableCheckpoint Error "unusable-checkpoint",
    UnusedBinder Warning "unused-binder",
    UnusedName Warning "unused-name",
    VacuousProperty Warning "vacuous-property",
    WhichMachine Error "which-machine",
    WhichProcess Error "which-process",
    WrongArguments Error "wrong-arguments",
    WrongCount Error "wrong-count",
    WrongEnd Error "wrong-end",
    WrongIndices Error "wrong-indices",
    WrongParty Error "wrong-party",
    WrongType Error "wrong-type",
}

impl Code {
    /// The page about it, as a path in the repository.
    pub fn page(self) -> String {
        format!("docs/errors/{self}.md")
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// So that a code can be compared with what a file or a test says.
impl PartialEq<&str> for Code {
    fn eq(&self, other: &&str) -> bool {
        self.word() == *other
    }
}

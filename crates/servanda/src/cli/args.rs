//! The command line: commands and their options.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::TypedValueParser as _;
use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use servanda::{Drawing, EngineChoice, EngineOptions, Language, Loaded};
use servanda_engine as engine;
use servanda_equiv::Relation;
use servanda_report::{Finding, Statistics};

use super::audit::protocol::{OptionalProtocolArguments, ProtocolArguments};
use super::input;
use super::setting::{self, Setting};
use super::values::{
    self, AbtaLogic, AbtaRules, Acts, AfterValue, ComparisonChoice, ConversionTarget, DrawingKind,
    EngineValue, InputKind, LevelValue, Past, RelationChoice, Validity,
};

/// Verifies models of communicating agents: temporal properties, commitments, knowledge, ability.
#[derive(Parser, Debug)]
#[command(
    name = "servanda",
    version,
    max_term_width = 100,
    propagate_version = true,
    after_help = "\
Exit status: 0 everything is as wanted; 1 something is not; 2 bad usage or bad input; 3 undecided.

Examples:
  servanda check examples/netbill.pact
  servanda check examples/dining3.ispl"
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) display: DisplayArguments,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// How much is said, and how.
#[derive(Args, Debug)]
#[command(next_help_heading = "Display")]
pub(crate) struct DisplayArguments {
    /// Say only what is not as wanted
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Explain more
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
    /// Use colours
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = ColourChoice::Auto)]
    pub(crate) color: ColourChoice,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Decide the properties of models
    #[command(after_help = "\
Without a file the project is checked: the models that servanda.toml lists, which is looked for in
this directory and in those above it. Options given here go before those that it sets.

Exit status: 0 every property is true, or has the verdict its `expect` states; 1 some verdict is not
what was wanted; 2 bad usage or bad input; 3 undecided.

Examples:
  servanda check examples/netbill.pact
  servanda check --project examples --format junit
  servanda check examples/netbill.pact --property always_compliant --format json
  servanda check examples/auction2.pact --param N=3 --formula 'EF won[3]' --timeout 60s
  servanda check examples/auction2.pact --param N=1..4 --plot growth.svg
  servanda check examples/pnaws.pact --property can_argue_forever --trace
  servanda check examples/dining3.ispl --engine bdd --stats
  servanda check examples/pnaws.ccs:Closed --formula 'AG EF does(create)'
  servanda check - --input ispl < examples/trains3.ispl")]
    Check(CheckArguments),
    /// Count reachable states, transitions and deadlocks
    #[command(after_help = "\
The engine bdd, which auto uses for ISPL and for large protocols, counts transitions only with
--stats; initial states and the diameter are counted by the engine enumerate.

Examples:
  servanda size examples/auction2.pact --param N=3
  servanda size examples/auction2.pact --param N=1..4 --format csv
  servanda size examples/dining3.ispl --engine enumerate
  servanda size examples/pnaws.ccs --process Closed")]
    Size(SizeArguments),
    /// Show the states where a formula holds
    #[command(after_help = "\
How many of the reachable states satisfy the formula, and the first of them; or cubes: sets of
states with what they have in common. With --format set the whole set in the notation of its engine:
a decision diagram in the DOT language (bdd), or the formula over the bits of a state that is true
in these states, as clauses in the DIMACS format (sat).

Exit status: 0 the states are known; 2 bad usage or bad input; 3 undecided.

Examples:
  servanda states examples/netbill.pact --formula 'EF delivered'
  servanda states examples/dining3.ispl --formula 'K(C1, paid1)' --cubes
  servanda states examples/trains3.ispl --formula 'AF in1' --format set > set.dot
  servanda states examples/trains3.ispl --formula 'EF in1' --engine sat --format set")]
    States(StatesArguments),
    /// Draw why a verdict is what it is
    #[command(after_help = "\
Decides one property and draws the run that shows the verdict: a counterexample, or a witness.
Agents are lifelines, acts and messages are arrows, commitments are bars from their creation to
their end. Where no single run shows it, the reason is given in words.

Exit status: 0 there is an explanation, whatever the verdict; 2 bad usage or bad input; 3 undecided.

Examples:
  servanda explain examples/pnaws.pact --property always_agree
  servanda explain examples/netbill.pact --property always_compliant --format svg > netbill.svg
  servanda explain examples/pnaws.ccs:Closed --formula 'AG !does(create)' --format html > pnaws.html")]
    Explain(ExplainArguments),
    /// Judge whether acts do what they say, or whether an agent keeps to a protocol
    #[command(after_help = "\
For every act: does its formula hold on every run through its transitions (certain), on some
(possible) or on none (never)? Also: do the parties take turns, what are the decompositions of the
acts, and are those that the file claims the ones that the rules make?

With --to: does the agent do only what the protocol allows (its visible traces are within those of
the protocol), and all that it must (after each of them it refuses only what the protocol may
refuse)? With --as or --own some labels are the agent's own: of these it must offer one where the
protocol has any, of all others every one; and what others do unforeseen is not its fault.

Exit status: 0 every act is certain and every claim is right, or the agent keeps to the protocol;
1 not so; 2 bad usage or bad input; 3 undecided.

Examples:
  servanda conform examples/pnaws.pact -v
  servanda conform examples/customer.pact --to examples/netbill.pact --as Cus
  servanda conform agent.ccs:Buyer --to protocol.ccs:Buying --own \"'*\"")]
    Conform(ConformArguments),
    /// Write files in standard form
    #[command(after_help = "\
Examples:
  servanda fmt examples/netbill.pact            prints it
  servanda fmt --check examples/*.pact          exit status 1 if some file is not in standard form
  servanda fmt --write examples/netbill.pact    rewrites it")]
    Fmt(FmtArguments),
    /// Write a model in another language
    #[command(after_help = format!("\
The text is written to standard output.

{}Examples:
  servanda convert examples/transmission1-2005.ispl --to ispl
  servanda convert examples/netbill.pact --to aut
  servanda convert examples/netbill.pact --to dot | dot -Tsvg > netbill.svg", values::about_targets()))]
    Convert(ConvertArguments),
    /// Compare the behaviour of two models
    #[command(after_help = "\
Are the transition systems of two models related, and if not, why? A difference is a formula that
holds in one and not in the other, or a trace that only one of them has, perhaps with what it can
refuse then.

  strong      bisimilar step by step
  branching   the same, but internal steps (tau) that change nothing do not count
  weak        the same, with any number of internal steps around a visible one
  trace       the same visible traces
  simulation  each can do, step by step, what the other does

One way, where A and B stand as on the command line:

  simulates        A can do, step by step, what B does
  ready-simulates  the same, and on the way A has no label that B lacks
  traces-within    the traces of A are traces of B
  failures-within  and A refuses after a trace only what B can refuse

With weak- in front internal steps do not count, as in weak-traces-within.

Exit status: 0 the relation holds; 1 it does not; 2 bad usage or bad input; 3 undecided.

Examples:
  servanda equiv implementation.aut specification.aut --relation weak-failures-within
  servanda equiv specification.aut implementation.aut --relation branching
  servanda equiv examples/netbill.pact netbill.aut")]
    Equiv(EquivArguments),
    /// Write the smallest model with equivalent behaviour
    #[command(after_help = "\
The result is written to standard output as .aut, and its size to standard error. The relations are
the equivalences of `servanda equiv`; for trace it is the smallest deterministic model.

Example:
  servanda minimise examples/netbill.pact --relation branching > netbill.aut")]
    Minimise(MinimiseArguments),
    /// Show the tableau and the automaton of a formula
    #[command(after_help = "\
Names are free: there is no model. With --rules paper the tableau is the one that the ACTL* and
CTL*CA papers make, and the output says where it is wrong. HOA is for formulas that are one path
quantifier over a path formula; under A it describes the words that refute it.

With --model the formula is about the model, and the papers' automaton runs on it: the product graph
with its signs, the search that the papers print, the verdict of a sound engine beside it, and where
the two differ.

Exit status: 0 there is an automaton or a product; 2 the formula or the model is wrong, too large,
or does not fit the format; 3 a limit was reached.

Examples:
  servanda abta 'E G F p'
  servanda abta 'AG (paid -> F delivered)' --format dot
  servanda abta 'A (F G Ac(Ag2, PC(Ag1, Ag2, t, phi)))' --rules paper
  servanda abta 'AF delivered' --model examples/netbill.pact")]
    Abta(AbtaArguments),
    /// Step through a model
    #[command(after_help = "\
Commands are read from standard input, one per line: the number of a transition takes it, `h` lists
the others. With --random the walk is made without asking, and tables say how often what happened.

Exit status: 0, or 2 for bad usage or bad input.

Examples:
  servanda sim examples/netbill.pact
  servanda sim examples/dining3.ispl --random 20 --seed 7
  servanda sim examples/netbill.pact --random 50 --walks 1000
  echo '1 1 w paid 2 q' | tr ' ' '\\n' | servanda sim examples/netbill.pact
  servanda check shop.pact --trace --format json > out.json; servanda sim shop.pact --trace out.json")]
    Sim(SimArguments),
    /// Judge recorded conversations against protocols
    #[command(
        args_conflicts_with_subcommands = true,
        after_help = "\
Logs are files, one after the other, or `-` for standard input; a mapping says what their lines mean
and which models they follow. A finding is told as soon as its line is read.

Exit status: 0 nothing is wrong; 1 a finding of the level asked for; 2 bad usage, mapping, model or
line; 3 a limit was reached, or with --complete something stayed open.

Examples:
  servanda audit session.jsonl --library mcp/2025-11-25
  servanda audit - --library mcp/2025-11-25 < session.jsonl
  servanda audit chats.jsonl --map policy.audit.toml --complete --explain
  servanda audit agent.log --library a2a/1.0 --follow --format jsonl
  servanda audit init unknown.jsonl > first.audit.toml
  servanda audit init unknown.jsonl --model > conversation.pact"
    )]
    Audit(Box<AuditArguments>),
    /// Stand between an MCP client and its server: pass on, record, judge
    #[command(after_help = "\
Give a client this command in place of its server. Every byte passes unchanged; with --log what
passes is recorded, with --library or --map it is judged and findings go to standard error; with
--enforce a request that breaks the protocol is answered with an error instead of being passed on.

Exit status: that of the command; where it is 0, 1 if there was a finding of the level asked for.

Example:
  servanda tap --library mcp/2025-11-25 --log session.jsonl -- python server.py")]
    Tap(Box<TapArguments>),
    /// Stand between HTTP clients and an agent or MCP server: pass on, record, judge
    #[command(after_help = "\
Point clients at the address that is listened on. Bodies pass unchanged; requests, answers and each
server-sent event are recorded, without headers that may be secrets. Ctrl-C ends it.

Exit status: 0; 1 if there was a finding of the level asked for; 2 bad usage, mapping or model.

Example:
  servanda proxy --listen 127.0.0.1:9000 --target https://agent.example --library a2a/1.0 --log agent.jsonl")]
    Proxy(Box<ProxyArguments>),
    /// List, show and copy the protocols that logs are judged by
    #[command(after_help = "\
Examples:
  servanda library list
  servanda library show mcp/2025-11-25
  servanda library copy a2a/1.0 my-protocols")]
    Library {
        /// What to do
        #[command(subcommand)]
        command: LibraryCommand,
    },
    /// Serve editors: findings as you type, names, fixes, checks
    #[command(after_help = "\
Speaks the Language Server Protocol over standard input and output, for Pact, ISPL and CCS files; an
editor starts it. Checks that the editor asks for run in the background, each with the limits given
here, and end when the file is changed. How to set up editors is in docs/editors.md.

Exit status: 0 the editor said goodbye; 2 it did not keep to the protocol, or is gone.

Example:
  servanda lsp --timeout 30s --memory 4G")]
    Lsp(LspArguments),
    /// Do one job of the workbench
    #[command(
        hide = true,
        after_help = "\
Reads one request from the first line of standard input and tells events, one line of JSON each, as
web/src/protocol.ts describes them; what is said to a job that converses comes in the further lines.
Ends at once when standard input is closed. Reads files below this directory only.

Exit status: 0 finished; 2 the request has no meaning; 3 the limit of time was reached; 4 the limit
of memory was reached; 130 standard input was closed, or a signal came, before the work was done."
    )]
    Job,
    /// Serve the workbench: models, verdicts and charts in a browser
    #[command(after_help = "\
Prints the address to open, with a token that keeps others out: whoever has it may read and write
the models of the directory and run checks. Listens on this machine only, unless told otherwise.
Each check is a process of its own with the limits given here. More is in docs/workbench.md.

Exit status: 0 it was told to end, as with Ctrl-C; 2 the directory or the address is not usable.

Examples:
  servanda serve
  servanda serve examples --open
  servanda serve protocols --listen 127.0.0.1:0 --timeout 60s --memory 4G")]
    Serve(ServeArguments),
    /// Write a completion script for a shell
    #[command(after_help = "\
Example:
  servanda completions bash > ~/.local/share/bash-completion/completions/servanda")]
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Write a manual page
    #[command(after_help = "\
Examples:
  servanda man > servanda.1
  servanda man check > servanda-check.1")]
    Man {
        /// The command it is about; without it, the page of servanda itself
        command: Option<String>,
    },
}

/// `check`
#[derive(Args, Debug)]
pub(crate) struct CheckArguments {
    #[arg(value_name = "FILE", help = values::any_file("Files to check") + "; without any, the project")]
    pub(crate) files: Vec<String>,
    /// The project to check: its servanda.toml, or the directory that holds it
    #[arg(long, value_name = "PATH", conflicts_with = "files")]
    pub(crate) project: Option<PathBuf>,
    /// Decide only this property (may be repeated)
    #[arg(long, value_name = "NAME")]
    pub(crate) property: Vec<String>,
    /// Decide this formula (may be repeated); without --property, only formulas given here are decided
    #[arg(long, value_name = "FORMULA", allow_hyphen_values = true)]
    pub(crate) formula: Vec<String>,
    /// Show the counterexample or witness with each verdict that one path can show
    #[arg(long)]
    pub(crate) trace: bool,
    /// Write a proof of each property AG φ that holds, as files that any SAT solver can check
    #[arg(long, value_name = "DIR", conflicts_with = "bound")]
    pub(crate) certificate: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) engine: EngineArguments,
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    /// The form of the results: json, junit (XML) and sarif are one document on standard output, csv is a table with a row for
    /// each file and each setting of its parameters, github is one annotation of a pull request per line
    #[arg(long, value_enum, default_value_t = CheckFormat::Text)]
    pub(crate) format: CheckFormat,
    #[command(flatten)]
    pub(crate) plot: PlotArguments,
    #[command(flatten)]
    pub(crate) demands: DemandArguments,
    #[command(flatten)]
    pub(crate) readings: ReadingArguments,
}

/// What has to be as wanted.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct DemandArguments {
    /// A verdict that is not as wanted is a failure at this level and above: must, should, may [default: must]
    #[arg(long, value_enum, value_name = "LEVEL", hide_possible_values = true)]
    pub(crate) level: Option<LevelValue>,
}

/// `size`
#[derive(Args, Debug)]
pub(crate) struct SizeArguments {
    #[command(flatten)]
    pub(crate) engine: EngineArguments,
    #[command(flatten)]
    pub(crate) subject: SubjectArguments,
    /// The form of the results; json is one object on standard output, csv is a table with a row for each setting of the parameters
    #[arg(long, value_enum, default_value_t = SizeFormat::Text)]
    pub(crate) format: SizeFormat,
    #[command(flatten)]
    pub(crate) plot: PlotArguments,
}

/// The forms of sizes.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SizeFormat {
    Text,
    Json,
    Csv,
}

/// Whether growth is drawn.
#[derive(Args, Debug)]
pub(crate) struct PlotArguments {
    /// Draw how states, time and memory grow with a parameter that has several values, as SVG
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,
}

/// `states`
#[derive(Args, Debug)]
#[command(group(ArgGroup::new("what").required(true).args(["property", "formula"])))]
pub(crate) struct StatesArguments {
    /// The property that the states satisfy
    #[arg(long, value_name = "NAME")]
    pub(crate) property: Option<String>,
    /// The formula that the states satisfy
    #[arg(long, value_name = "FORMULA", allow_hyphen_values = true)]
    pub(crate) formula: Option<String>,
    /// Show at most so many states or cubes
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) limit: usize,
    /// Show cubes instead of states
    #[arg(long)]
    pub(crate) cubes: bool,
    /// Put these variables on top of the order of the diagrams' variables; --stats shows the order
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) order: Vec<String>,
    /// Look for a better order of the diagrams' variables first (sifting)
    #[arg(long)]
    pub(crate) reorder: bool,
    /// The form of the result
    #[arg(long, value_enum, default_value_t = SetFormat::Text)]
    pub(crate) format: SetFormat,
    #[command(flatten)]
    pub(crate) engine: EngineArguments,
    #[command(flatten)]
    pub(crate) subject: SubjectArguments,
    #[command(flatten)]
    pub(crate) readings: ReadingArguments,
}

/// The forms of sets of states.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SetFormat {
    Text,
    Json,
    /// In the notation of the engine
    Set,
}

/// `explain`
#[derive(Args, Debug)]
#[command(group(ArgGroup::new("what").required(true).args(["property", "formula"])))]
pub(crate) struct ExplainArguments {
    /// The property whose verdict is explained
    #[arg(long, value_name = "NAME")]
    pub(crate) property: Option<String>,
    /// The formula whose verdict is explained
    #[arg(long, value_name = "FORMULA", allow_hyphen_values = true)]
    pub(crate) formula: Option<String>,
    /// What to draw with: text for the terminal, svg, mermaid, html for a page with everything, dot for the state graph with the
    /// path highlighted; or itf: the path alone as an ITF trace, for programs
    #[arg(long, value_enum, default_value_t = DrawingKind(Drawing::Text))]
    pub(crate) format: DrawingKind,
    /// The most characters in a line of text
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u16).range(40..=1000))]
    pub(crate) width: u16,
    /// Draw every step, also of long runs that repeat themselves
    #[arg(long)]
    pub(crate) full: bool,
    #[command(flatten)]
    pub(crate) engine: EngineArguments,
    #[command(flatten)]
    pub(crate) subject: SubjectArguments,
    #[command(flatten)]
    pub(crate) readings: ReadingArguments,
}

/// `conform`
#[derive(Args, Debug)]
#[command(mut_arg("file", |file| file.help("File to judge: .pact, or `-` for standard input; with --to any model")))]
pub(crate) struct ConformArguments {
    #[command(flatten)]
    pub(crate) to: ConformToArguments,
    #[command(flatten)]
    pub(crate) subject: SubjectArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

/// What an agent is compared with, and how labels are read.
#[derive(Args, Debug)]
pub(crate) struct ConformToArguments {
    /// Compare the file, an agent, with this protocol
    #[arg(long, value_name = "PROTOCOL")]
    pub(crate) to: Option<String>,
    /// The role of the protocol that the agent plays: what the role does is the agent's own to choose
    #[arg(long = "as", value_name = "ROLE", requires = "to")]
    pub(crate) role: Option<String>,
    /// A label that is the agent's own to choose; `*` at the end stands for anything (may be repeated)
    #[arg(long, value_name = "LABEL", requires = "to")]
    pub(crate) own: Vec<String>,
    /// A label that becomes internal in both; `*` at the end stands for anything (may be repeated)
    #[arg(long, value_name = "LABEL", requires = "to")]
    pub(crate) hide: Vec<String>,
    /// What the agent calls so, and what the protocol calls it (may be repeated)
    #[arg(long, value_name = "LABEL=LABEL", requires = "to", value_parser = values::renaming)]
    pub(crate) rename: Vec<String>,
}

/// `fmt`
#[derive(Args, Debug)]
pub(crate) struct FmtArguments {
    /// Files to format: .pact, or `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,
    /// Write nothing but the names of files that are not in standard form; exit status 1 if there are any
    #[arg(long, conflicts_with = "write")]
    pub(crate) check: bool,
    /// Rewrite the files
    #[arg(long)]
    pub(crate) write: bool,
    #[command(flatten)]
    pub(crate) input: InputArguments,
}

/// `audit`
#[derive(Args, Debug)]
pub(crate) struct AuditArguments {
    #[command(subcommand)]
    pub(crate) command: Option<AuditCommand>,
    /// The logs; `-` is standard input
    #[arg(required = true, value_name = "LOG")]
    pub(crate) logs: Vec<String>,
    #[command(flatten)]
    pub(crate) by: ProtocolArguments,
    /// The log is whole: what is open is judged on runs that go no further
    #[arg(long)]
    pub(crate) complete: bool,
    /// Go on reading as files grow, also when they are cut or begun anew
    #[arg(long, conflicts_with = "complete")]
    pub(crate) follow: bool,
    /// What has to be kept for exit status 0 [default: should]
    #[arg(long, value_enum)]
    pub(crate) level: Option<LevelValue>,
    /// Follow only this view of the mapping
    #[arg(long, value_name = "NAME")]
    pub(crate) view: Option<String>,
    /// Tell only of the slice with this key, its parts with / between them
    #[arg(long, value_name = "KEY")]
    pub(crate) key: Option<String>,
    /// After a line that is not possible: give the slice up, ignore the line, or go on from the cheapest explanation
    #[arg(long, value_enum, default_value = "resync")]
    pub(crate) after: AfterValue,
    /// Judge by what this role could see of the conversation
    #[arg(long, value_name = "ROLE")]
    pub(crate) seen_by: Option<String>,
    /// The form of the results; text, jsonl and github are written as lines are read
    #[arg(long, value_enum, default_value_t = AuditFormat::Text)]
    pub(crate) format: AuditFormat,
    /// The most sets of states that are told apart in a view; beyond, verdicts stay open
    #[arg(long, value_name = "N", default_value_t = 1 << 20)]
    pub(crate) limit: usize,
    /// The most slices of a view, and entries of a table, that are kept; those not used for longest are dropped
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub(crate) max_keys: usize,
    /// Lines that cannot be read: fail, or are counted
    #[arg(long, value_enum, default_value_t = BadLines::Fail)]
    pub(crate) bad_lines: BadLines,
    /// Report lines, slices, sets, rate and memory
    #[arg(long)]
    pub(crate) stats: bool,
    /// Draw the slice of each finding
    #[arg(long)]
    pub(crate) explain: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
}

/// What else `audit` does.
#[derive(Subcommand, Debug)]
pub(crate) enum AuditCommand {
    /// Propose a mapping for a log: its fields, keys that may cut it into slices, labels
    Init(AuditInitArguments),
}

/// `audit init`
#[derive(Args, Debug)]
pub(crate) struct AuditInitArguments {
    /// The log; `-` is standard input
    #[arg(value_name = "LOG")]
    pub(crate) log: String,
    /// Write the model that goes with the mapping instead of the mapping
    #[arg(long)]
    pub(crate) model: bool,
    /// What the mapping calls the model
    #[arg(long, value_name = "FILE", default_value = "conversation.pact")]
    pub(crate) model_name: String,
    /// Look at so many lines
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub(crate) lines: u64,
}

/// What a `tap` and a `proxy` do with what passes.
#[derive(Args, Debug)]
pub(crate) struct PassingArguments {
    #[command(flatten)]
    pub(crate) by: OptionalProtocolArguments,
    /// Record what passes, at the end of this file
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,
    /// Answer requests that break the protocol with an error instead of passing them on
    #[arg(long, requires = "judged")]
    pub(crate) enforce: bool,
    /// What has to be kept for exit status 0 [default: should]
    #[arg(long, value_enum)]
    pub(crate) level: Option<LevelValue>,
    /// The form of findings on standard error
    #[arg(long, value_enum, default_value_t = PassingFormat::Text)]
    pub(crate) format: PassingFormat,
    /// Longer messages are passed on without being kept, longer requests to a proxy are refused: 512K, 16M
    #[arg(long, value_name = "AMOUNT", value_parser = values::bytes, default_value = "16M")]
    pub(crate) longest: u64,
}

/// `tap`
#[derive(Args, Debug)]
pub(crate) struct TapArguments {
    #[command(flatten)]
    pub(crate) passing: PassingArguments,
    /// What the conversation is called in records [default: the number of the process]
    #[arg(long, value_name = "NAME")]
    pub(crate) session: Option<String>,
    /// The server and its arguments
    #[arg(required = true, last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}

/// `proxy`
#[derive(Args, Debug)]
pub(crate) struct ProxyArguments {
    /// Where to listen; on loopback unless told otherwise
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:0")]
    pub(crate) listen: SocketAddr,
    /// Where everything goes: http://127.0.0.1:8000, https://agent.example/base
    #[arg(long, value_name = "URL")]
    pub(crate) target: String,
    /// A name by which clients may address the proxy besides its address (may be repeated)
    #[arg(long, value_name = "NAME")]
    pub(crate) host: Vec<String>,
    /// The most connections at a time
    #[arg(long, value_name = "N", default_value_t = 1024)]
    pub(crate) connections: usize,
    #[command(flatten)]
    pub(crate) passing: PassingArguments,
}

/// What `library` does.
#[derive(Subcommand, Debug)]
pub(crate) enum LibraryCommand {
    /// What there is
    List,
    /// The page of an entry: every rule with its level and where it stands
    Show {
        /// The entry
        name: String,
    },
    /// Write the models, mappings and recordings of an entry to a directory
    Copy {
        /// The entry
        name: String,
        /// The directory, which is made where there is none
        directory: PathBuf,
    },
}

/// `lsp`
#[derive(Args, Debug)]
pub(crate) struct LspArguments {
    /// Speak over standard input and output, as is done without it too: some editors say so
    #[arg(long)]
    pub(crate) stdio: bool,
    /// Read nothing outside of this directory: `file:///a/b.pact` is a/b.pact in it
    #[arg(long, value_name = "DIR")]
    pub(crate) within: Option<String>,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
}

/// `serve`
#[derive(Args, Debug)]
pub(crate) struct ServeArguments {
    /// The directory whose models are shown
    #[arg(value_name = "DIR", default_value = ".")]
    pub(crate) directory: PathBuf,
    /// The address to listen on; port 0 stands for any that is free
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8420")]
    pub(crate) listen: String,
    /// Open the address in a browser
    #[arg(long)]
    pub(crate) open: bool,
    /// Run at most so many checks, simulations and the like at a time
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=256).map(usize::from))]
    pub(crate) jobs: usize,
    #[command(flatten)]
    pub(crate) limits: JobLimitArguments,
}

/// What a job of the workbench may use.
#[derive(Args, Debug)]
pub(crate) struct JobLimitArguments {
    /// End a job after this time: 500ms, 60s, 2m, 1h
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = values::duration)]
    pub(crate) timeout: Duration,
    /// End a job that holds more memory than this: 512M, 8G
    #[arg(long, value_name = "AMOUNT", default_value = "2G", value_parser = values::bytes)]
    pub(crate) memory: u64,
}

/// `convert`
#[derive(Args, Debug)]
pub(crate) struct ConvertArguments {
    /// The language to write
    #[arg(long, value_enum, value_name = "KIND")]
    pub(crate) to: ConversionTarget,
    /// Where to write the acts of a Pact protocol that becomes CCS or ISPL
    #[arg(long, value_name = "FILE")]
    pub(crate) write_acts: Option<String>,
    #[command(flatten)]
    pub(crate) subject: SubjectArguments,
}

/// `equiv`
#[derive(Args, Debug)]
pub(crate) struct EquivArguments {
    #[arg(value_name = "A", help = values::any_file("The first model"))]
    pub(crate) left: String,
    /// The second model
    #[arg(value_name = "B")]
    pub(crate) right: String,
    /// The relation
    #[arg(long, value_enum, value_name = "RELATION", default_value_t = ComparisonChoice(Relation::Strong.into()))]
    pub(crate) relation: ComparisonChoice,
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

/// `minimise`
#[derive(Args, Debug)]
pub(crate) struct MinimiseArguments {
    /// The relation
    #[arg(long, value_enum, value_name = "RELATION", default_value_t = RelationChoice(Relation::Strong))]
    pub(crate) relation: RelationChoice,
    #[command(flatten)]
    pub(crate) subject: SubjectArguments,
}

/// `sim`
#[derive(Args, Debug)]
pub(crate) struct SimArguments {
    #[arg(value_name = "FILE", help = format!("File to step through: {}", Language::endings("or")))]
    pub(crate) file: String,
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    /// Take this many steps at random, say how often what happened, and end
    #[arg(long, value_name = "STEPS")]
    pub(crate) random: Option<usize>,
    /// Make so many walks of that many steps, and show nothing but how often what happened
    #[arg(long, value_name = "N")]
    pub(crate) walks: Option<u64>,
    /// The form of what --random says; json is one object on standard output
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    /// Where chance begins; the same number makes the same walk
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Watch this condition or expression from the beginning (may be repeated)
    #[arg(long, value_name = "EXPRESSION", allow_hyphen_values = true)]
    pub(crate) watch: Vec<String>,
    /// The results of a check as JSON, with a trace: the command `n` follows it
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    /// The property whose trace is followed [default: the first that has one]
    #[arg(long, value_name = "NAME", requires = "trace")]
    pub(crate) property: Option<String>,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    #[command(flatten)]
    pub(crate) readings: ReadingArguments,
}

/// `abta`
#[derive(Args, Debug)]
pub(crate) struct AbtaArguments {
    /// The formula, a state formula
    #[arg(value_name = "FORMULA", allow_hyphen_values = true)]
    pub(crate) formula: String,
    /// The rules: sound ones, or the papers' own [default: sound, with --model paper]
    #[arg(long, value_enum)]
    pub(crate) rules: Option<AbtaRules>,
    /// Whose rules and numbers, with --rules paper [default: ctlca if the formula has PC, React or a past operator,
    /// else actl; with --model, how the model reads acts]
    #[arg(long, value_enum)]
    pub(crate) logic: Option<AbtaLogic>,
    /// How act formulas are read, with --rules sound [default: actl]
    #[arg(long, value_enum, value_name = "LOGIC")]
    pub(crate) acts: Option<Acts>,
    /// The form of the output
    #[arg(long, value_enum, default_value_t = AbtaFormat::Text)]
    pub(crate) format: AbtaFormat,
    /// Keep one state per row of the tableau, with --rules sound
    #[arg(long)]
    pub(crate) no_simplify: bool,
    /// The most rows that the tableau may have
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub(crate) states: usize,
    /// Show length, closure and order of the formula and the bounds that the papers derive from them, with --rules paper
    #[arg(long)]
    pub(crate) closure: bool,
    #[arg(long, value_name = "FILE", help = values::any_file("Make the product with this model and search it as the papers do"))]
    pub(crate) model: Option<String>,
    /// The most nodes that the product may have [default: 1000000]
    #[arg(long, value_name = "N", requires = "model")]
    pub(crate) nodes: Option<usize>,
    #[command(flatten)]
    pub(crate) reading: ModelArguments,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
}

/// Who does the work.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct EngineArguments {
    /// The engine: tableau explores on the fly what the answer needs, bdd keeps sets of states as decision diagrams,
    /// sat asks a SAT solver, enumerate is the plain reference; auto picks what suits and asks another one where the
    /// first does not know [default: auto]
    #[arg(long, value_enum)]
    pub(crate) engine: Option<EngineValue>,
    /// Threads that look for states, where the engine is tableau [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MOST_THREADS))]
    pub(crate) threads: Option<u16>,
    /// Look for runs of at most K steps and do nothing else; with auto the engine is then sat
    #[arg(long, value_name = "K")]
    pub(crate) bound: Option<usize>,
    /// Report time per phase, peak memory and all counts
    #[arg(long)]
    pub(crate) stats: bool,
}

impl EngineArguments {
    /// What is said here, and where nothing is said what is said there.
    pub(crate) fn or(&self, other: &Self) -> Self {
        EngineArguments {
            engine: self.engine.or(other.engine),
            threads: self.threads.or(other.threads),
            bound: self.bound.or(other.bound),
            stats: self.stats || other.stats,
        }
    }

    /// Whether counts and times are wanted.
    pub(crate) fn statistics(&self) -> Statistics {
        if self.stats { Statistics::Shown } else { Statistics::Hidden }
    }

    pub(crate) fn choice(&self) -> EngineChoice {
        self.engine.map_or(EngineChoice::Auto, |engine| engine.0)
    }

    /// What cannot be asked together.
    pub(crate) fn mistake(&self) -> Option<&'static str> {
        let bounded =
            matches!(self.choice(), EngineChoice::Auto) || self.choice() == EngineChoice::Only(servanda::SAT);
        (self.bound.is_some() && !bounded).then_some("--bound: only the engine sat searches within a bound")
    }

    /// In the words of the façade.
    pub(crate) fn chosen(&self, limits: &LimitArguments) -> EngineOptions {
        let engine = match self.choice() {
            // Only this engine searches within a bound.
            EngineChoice::Auto if self.bound.is_some() => EngineChoice::Only(servanda::SAT),
            choice => choice,
        };
        EngineOptions {
            engine,
            nodes: limits.memory.map_or(EngineOptions::USUAL_NODES, nodes_in),
            threads: self.threads.unwrap_or(1).into(),
            bound: self.bound,
            statistics: self.statistics(),
        }
    }
}

/// The most threads that can be asked for.
pub(crate) const MOST_THREADS: i64 = 256;

/// What a node of a decision diagram takes, with its share of the tables around it.
const BYTES_OF_NODE: u64 = 48;

/// The nodes for which there is room, neither too few to begin with nor more than can be numbered.
fn nodes_in(bytes: u64) -> usize {
    usize::try_from(bytes / BYTES_OF_NODE).unwrap_or(usize::MAX).clamp(1 << 16, 1 << 28)
}

/// The language of the input.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct InputArguments {
    /// The language of the input, whatever the file is called
    #[arg(long, value_enum, value_name = "KIND")]
    pub(crate) input: Option<InputKind>,
}

/// Which model is meant.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ModelArguments {
    #[command(flatten)]
    pub(crate) input: InputArguments,
    /// Set a parameter of the protocol (may be repeated); check and size also go through ranges and lists of values: N=2..8,
    /// N=2,4,8
    #[arg(long, value_name = "NAME=NUMBER", value_parser = setting::parameter)]
    pub(crate) param: Vec<Setting>,
    /// The process of a CCS file; FILE:NAME says the same
    #[arg(long, value_name = "NAME")]
    pub(crate) process: Option<String>,
    /// The file that says which actions of a CCS or ISPL file are which acts on which commitments; usually the one beside it that is
    /// called as it, with the ending .acts
    #[arg(long, value_name = "FILE")]
    pub(crate) acts_file: Option<String>,
}

/// One file with a model, whatever the language, and when to give up on it.
#[derive(Args, Debug)]
pub(crate) struct SubjectArguments {
    #[arg(value_name = "FILE", help = values::any_file("File with the model"))]
    pub(crate) file: String,
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
}

impl SubjectArguments {
    /// Reads and loads the model.
    pub(crate) fn load(&self) -> Result<Loaded, Vec<Finding>> {
        input::load(&self.file, &self.model)
    }

    /// The name that messages and reports use for it.
    pub(crate) fn name(&self) -> &str {
        input::shown_name(&self.file)
    }
}

/// When to give up.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct LimitArguments {
    /// Stop after this time: 500ms, 60s, 2m, 1h
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    pub(crate) timeout: Option<Duration>,
    /// Stop when the program holds more memory than this: 512M, 8G
    #[arg(long, value_name = "AMOUNT", value_parser = values::bytes)]
    pub(crate) memory: Option<u64>,
}

impl LimitArguments {
    /// What is said here, and where nothing is said what is said there.
    pub(crate) fn or(&self, other: &Self) -> Self {
        LimitArguments { timeout: self.timeout.or(other.timeout), memory: self.memory.or(other.memory) }
    }
}

/// The form of results.
#[derive(Args, Debug)]
pub(crate) struct OutputArguments {
    /// The form of the results; json is one object on standard output
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}

/// The readings a user can choose between.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Readings")]
pub(crate) struct ReadingArguments {
    /// How act formulas are read [default: as the file says, else actl]
    #[arg(long, value_enum, value_name = "LOGIC")]
    pub(crate) acts: Option<Acts>,
    /// The states that branching past sees: those that can be reached, or all that are type-correct [default:
    /// reachable]
    #[arg(long, value_enum, value_name = "STATES")]
    pub(crate) past: Option<Past>,
    /// Where a property must hold: in every initial state, or in every reachable one [default: initial; reachable for
    /// ISPL files in the dialect of 2005]
    #[arg(long, value_enum, value_name = "STATES")]
    pub(crate) validity: Option<Validity>,
    /// A state without successor: loop continues it by an implicit loop, strict takes the transitions as they are, error
    /// is loop with a reachable deadlock being a failure [default: loop]
    #[arg(long, value_enum, value_name = "READING")]
    pub(crate) deadlock: Option<Deadlock>,
    /// A coalition's choices depend on what its members know, not on the whole state
    #[arg(long)]
    pub(crate) uniform: bool,
    /// What agents know rests on all that they saw since the beginning, on runs of at most so many steps; what these do not decide
    /// is unknown
    #[arg(long, value_name = "STEPS", value_parser = clap::value_parser!(u32).range(0..=MOST_RECALLED))]
    pub(crate) recall: Option<u32>,
}

/// The most steps that agents remember.
pub(crate) const MOST_RECALLED: i64 = 1000;

impl ReadingArguments {
    /// What is said here, and where nothing is said what is said there.
    pub(crate) fn or(&self, other: &Self) -> Self {
        ReadingArguments {
            acts: self.acts.or(other.acts),
            past: self.past.or(other.past),
            validity: self.validity.or(other.validity),
            deadlock: self.deadlock.or(other.deadlock),
            uniform: self.uniform || other.uniform,
            recall: self.recall.or(other.recall),
        }
    }

    /// In the words of the façade; `usual` is where properties must hold if the user does not say.
    pub(crate) fn options(&self, usual: engine::Validity, chosen: EngineOptions) -> servanda::CheckOptions {
        let readings = engine::Options {
            acts: self.acts.map(|acts| acts.0),
            deadlock: match self.deadlock {
                Some(Deadlock::Strict) => engine::Deadlock::Strict,
                None | Some(Deadlock::Loop | Deadlock::Error) => engine::Deadlock::Loop,
            },
            past: self.past.map_or_else(engine::Past::default, |past| past.0),
            validity: self.validity.map_or(usual, |validity| validity.0),
            strategies: match self.uniform {
                false => engine::Strategies::PerfectInformation,
                true => engine::Strategies::Uniform,
            },
            recall: self.recall,
        };
        let reached_deadlock = match self.deadlock {
            Some(Deadlock::Error) => servanda::ReachedDeadlock::Failure,
            None | Some(Deadlock::Loop | Deadlock::Strict) => servanda::ReachedDeadlock::Noted,
        };
        servanda::CheckOptions {
            readings,
            reached_deadlock,
            engine: chosen,
            ..servanda::CheckOptions::default()
        }
    }
}

/// The forms of what an audit finds.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AuditFormat {
    Text,
    Json,
    Jsonl,
    Junit,
    Sarif,
    Github,
}

/// The forms of findings that are told beside a conversation.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PassingFormat {
    Text,
    Jsonl,
}

/// What becomes of lines that cannot be read.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BadLines {
    Fail,
    Skip,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColourChoice {
    Auto,
    Always,
    Never,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AbtaFormat {
    Text,
    Json,
    Dot,
    Svg,
    Hoa,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Text,
    Json,
}

/// The forms of the results of `check`.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CheckFormat {
    Text,
    Json,
    Junit,
    Sarif,
    Csv,
    Github,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum Deadlock {
    Loop,
    Strict,
    Error,
}

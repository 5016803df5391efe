//! The command line: commands, and what they say about themselves. Their options are in a file for each group of commands; what several
//! groups share is in `engine`, `model` and `readings`.

mod abta;
mod audit;
mod check;
mod cluster;
mod compare;
mod engine;
mod model;
mod passing;
mod readings;
mod servers;
mod sim;
mod storage;
mod texts;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

pub(crate) use abta::*;
pub(crate) use audit::*;
pub(crate) use check::*;
pub(crate) use cluster::*;
pub(crate) use compare::*;
pub(crate) use engine::*;
pub(crate) use model::*;
pub(crate) use passing::*;
pub(crate) use readings::*;
pub(crate) use servers::*;
pub(crate) use sim::*;
pub(crate) use storage::*;
pub(crate) use texts::*;

use super::values;

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

/// The same with no other command than the one that is used most: to describe all of them takes longer than to check a small model.
#[derive(Parser, Debug)]
struct Checking {
    #[command(flatten)]
    display: DisplayArguments,
    #[command(subcommand)]
    command: OnlyCheck,
}

#[derive(Subcommand, Debug)]
enum OnlyCheck {
    Check(CheckArguments),
}

impl Arguments {
    /// The arguments of `check`, as they were given to another process of this program.
    pub(crate) fn of_check(words: &[OsString]) -> Result<CheckArguments, clap::Error> {
        let words = std::iter::once(OsString::from("servanda")).chain(words.iter().cloned());
        let Checking { command: OnlyCheck::Check(check), .. } = Checking::try_parse_from(words)?;
        Ok(check)
    }

    /// What was given to the program. Whoever asks for help, or makes a mistake, is answered by the whole description, and the program ends.
    pub(crate) fn read() -> Self {
        let checks = std::env::args_os().any(|word| word == "check");
        match checks.then(Checking::try_parse) {
            Some(Ok(Checking { display, command: OnlyCheck::Check(check) })) => {
                Arguments { display, command: Command::Check(check) }
            }
            _ => Arguments::parse(),
        }
    }
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
    /// Show on standard error how far the run has come: auto on a terminal, jsonl as lines of JSON for programs, whatever it is
    #[arg(long, global = true, value_enum, value_name = "HOW", default_value_t = ProgressChoice::Auto)]
    pub(crate) progress: ProgressChoice,
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
    /// Serve coding assistants: checks, explanations, simulations and audits as their tools
    #[command(after_help = "\
Speaks the Model Context Protocol over standard input and output; an assistant starts it. With
--http it listens on this machine, unless told otherwise, and prints the address and the header with
the token that assistants send; SERVANDA_MCP_TOKEN chooses the token. Each call is a process of its
own with the limits given here. How to set up assistants is in docs/mcp.md.

Exit status: 0 the assistant said goodbye, or it was told to end, as with Ctrl-C; 2 the directory or
the address is not usable.

Examples:
  servanda mcp --within protocols
  servanda mcp --http --timeout 60s --memory 4G")]
    Mcp(McpArguments),
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
    /// Check one part of what `check --jobs` spreads over processes
    #[command(
        hide = true,
        after_help = "\
Reads from the first line of standard input which part of the check that the arguments describe it
is to do, and tells what comes of it, one line of JSON each; a further line asks it to stop. Ends at
once when standard input is closed.

Exit status: that of `check` for this part; 130 standard input was closed before the work was done."
    )]
    Part(PartArguments),
    /// Serve the workbench: models, verdicts and charts in a browser
    #[command(after_help = "\
Prints the address to open, with a token that keeps others out: whoever has it may read and write
the models of the directory and run checks. Listens on this machine only, unless stated otherwise.
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
  servanda man check > servanda-check.1
  servanda man --all share/man/man1")]
    Man {
        /// The command it is about; without it, the page of servanda itself
        command: Option<String>,
        /// Write the pages of servanda and of all its commands into a directory instead
        #[arg(long, value_name = "DIR", conflicts_with = "command")]
        all: Option<PathBuf>,
    },
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProgressChoice {
    Auto,
    Never,
    Jsonl,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColourChoice {
    Auto,
    Always,
    Never,
}

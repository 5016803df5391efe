//! The tools: a file for each.

pub(crate) mod audit;
pub(crate) mod check;
pub(crate) mod describe_error;
pub(crate) mod explain;
pub(crate) mod format;
pub(crate) mod simulate;

use rmcp::model::{CallToolResult, JsonObject, Tool, ToolAnnotations};
use schemars::JsonSchema;

use crate::arguments::schema;
use crate::desk::{Call, Desk};

/// The names of the tools, with what each is.
pub(crate) fn all() -> Vec<Tool> {
    vec![
        tool::<check::Arguments, check::Answer>(
            "check",
            "Check a protocol",
            "Decide the properties of a protocol model (Pact, ISPL or CCS). Gives a verdict for each property, with a counterexample and the \
             source lines of its steps for those that are not as wanted, and every mistake and suspicious spot of the model with its line. \
             Only the status `ok` is a pass. Call it after every change of a model.",
        ),
        tool::<explain::Arguments, explain::Answer>(
            "explain",
            "Explain a verdict",
            "Say why one property or formula is true or false: a run that shows it as a message chart, with the source lines of its steps.",
        ),
        tool::<simulate::Arguments, simulate::Answer>(
            "simulate",
            "Step through a protocol",
            "Follow given steps through the model, then random ones, and tell the run, the state it ends in, which commitments are in force, \
             the values of formulas there, and what can happen next.",
        ),
        tool::<format::Arguments, format::Answer>(
            "format",
            "Format a protocol",
            "Write a Pact model in standard form. The text is answered; no file is changed.",
        ),
        tool::<audit::Arguments, audit::Answer>(
            "audit",
            "Audit a log",
            "Judge a recorded conversation (JSON lines, CSV, ..) by a protocol: one of the library (`mcp/2025-11-25`, `a2a/1.0`, ..) or your own \
             with a mapping. Tells which lines break which rule, and who still owes what.",
        ),
        tool::<describe_error::Arguments, describe_error::Answer>(
            "describe_error",
            "Describe a finding",
            "Explain the code of a finding: what it means, an example, and how to correct it.",
        ),
    ]
}

fn tool<I: JsonSchema + 'static, O: JsonSchema + 'static>(
    name: &'static str,
    title: &str,
    about: &'static str,
) -> Tool {
    let hints = ToolAnnotations::with_title(title).read_only(true).open_world(false);
    Tool::new(name, about, schema::<I>())
        .with_title(title)
        .with_raw_output_schema(schema::<O>())
        .with_annotations(hints)
}

/// Calls a tool; none: there is no such tool.
pub(crate) async fn call(
    name: &str,
    given: Option<JsonObject>,
    desk: &Desk,
    call: &Call,
) -> Option<CallToolResult> {
    macro_rules! told {
        ($tool:ident) => {
            $tool::told($tool::answered(given, desk, call).await.unwrap_or_else($tool::invalid))
        };
    }
    Some(match name {
        "check" => told!(check),
        "explain" => told!(explain),
        "simulate" => told!(simulate),
        "format" => told!(format),
        "audit" => told!(audit),
        "describe_error" => describe_error::call(given),
        _ => return None,
    })
}

//! The list of entries. A file that lies in the library and is not named here is found by a test.

use super::{Entry, Mapping, Recording, Text};

macro_rules! text {
    ($path:expr) => {
        Text { path: $path, text: include_str!($path) }
    };
}

macro_rules! entry {
    (
        $name:literal $version:literal $title:literal $about:literal
        models: $($model:literal)*;
        mappings: $($source:literal $mapping:literal)*;
        $($from:literal: [$($recording:literal)*])*
    ) => {
        Entry {
            name: $name,
            version: $version,
            title: $title,
            about: $about,
            models: &[$(text!($model)),*],
            mappings: &[$(Mapping { source: $source, path: $mapping, text: include_str!($mapping) }),*],
            page: text!(concat!($name, "/README.md")),
            recordings: &[$($(Recording {
                source: $from,
                path: concat!($name, "/recordings/", $from, "/", $recording, ".jsonl"),
                text: include_str!(concat!($name, "/recordings/", $from, "/", $recording, ".jsonl")),
            },)*)*],
            expected: text!(concat!($name, "/recordings/expected.tsv")),
        }
    };
}

/// All entries: protocols of one kind together, newest last.
pub fn entries() -> &'static [Entry] {
    &ENTRIES
}

static ENTRIES: [Entry; 9] = [
    entry! {
        "a2a/1.0" "1.0" "A2A 1.0 over HTTP (JSON-RPC)"
        "Streams, calls and tasks of agents that speak A2A 1.0: how a stream begins and ends, what is refused, what stays over."
        models: "a2a/stream.pact" "a2a/call.pact" "a2a/task.pact";
        mappings:
            "http" "a2a/1.0/http.audit.toml"
            "otlp" "a2a/otlp.audit.toml";
        "http": [
            "good" "headless" "message-in-task-stream" "two-messages" "other-task" "other-context"
            "status-after-the-end" "two-ends" "artifact-after-the-end" "cut" "lingers" "back-to-submitted"
            "headless-subscription" "subscribed-when-over" "message-when-over" "streamed-message-when-over"
            "canceled-when-over" "leaves-its-end" "wrong-context-accepted" "new-task-instead"
            "result-and-error" "neither-result-nor-error"
        ]
        "otlp": [
            "good" "leaves-its-end"
        ]
    },
    entry! {
        "a2a/0.3" "0.3" "A2A 0.3 over HTTP (JSON-RPC)"
        "The same for protocol 0.3, with `kind` and `final`."
        models: "a2a/stream.pact" "a2a/call.pact" "a2a/task.pact";
        mappings:
            "http" "a2a/0.3/http.audit.toml"
            "otlp" "a2a/otlp.audit.toml";
        "http": [
            "good" "headless" "message-in-task-stream" "two-messages" "other-task" "other-context"
            "status-after-the-end" "two-ends" "artifact-after-the-end" "cut" "lingers" "back-to-submitted"
            "headless-subscription" "subscribed-when-over" "message-when-over" "streamed-message-when-over"
            "canceled-when-over" "leaves-its-end" "wrong-context-accepted" "new-task-instead" "after-final"
            "result-and-error" "neither-result-nor-error"
        ]
        "otlp": [
            "good" "leaves-its-end"
        ]
    },
    entry! {
        "mcp/2024-11-05" "2024-11-05" "MCP 2024-11-05"
        "Sessions and requests: handshake, ids, answers, cancellation, progress."
        models: "mcp/session.pact" "mcp/request.pact";
        mappings:
            "stdio" "mcp/2024-11-05/stdio.audit.toml"
            "http" "mcp/2024-11-05/http.audit.toml"
            "otlp" "mcp/otlp.audit.toml";
        "stdio": [
            "good" "late-server" "early-request" "early-server-request" "never-initialized" "initialize-twice"
            "undeclared-capability" "undeclared-by-client" "id-used-twice" "id-is-null" "answer-to-nothing"
            "answered-twice" "answered-after-cancel" "cut-off" "progress-falls" "progress-repeats"
            "progress-late" "progress-unasked" "cancel-of-nothing" "cancel-of-initialize" "noise"
            "result-and-error" "neither-result-nor-error" "answer-without-id" "answered-again-after-the-end"
        ]
        "http": [
            "good" "early-request" "answer-to-nothing"
        ]
    },
    entry! {
        "mcp/2025-03-26" "2025-03-26" "MCP 2025-03-26"
        "The same with batches and Streamable HTTP."
        models: "mcp/session.pact" "mcp/request.pact";
        mappings:
            "stdio" "mcp/2025-03-26/stdio.audit.toml"
            "http" "mcp/2025-03-26/http.audit.toml"
            "otlp" "mcp/otlp.audit.toml";
        "stdio": [
            "good" "late-server" "early-request" "early-server-request" "never-initialized" "initialize-twice"
            "undeclared-capability" "undeclared-by-client" "id-used-twice" "id-is-null" "answer-to-nothing"
            "answered-twice" "answered-after-cancel" "cut-off" "progress-falls" "progress-repeats"
            "progress-late" "progress-unasked" "cancel-of-nothing" "cancel-of-initialize" "noise"
            "initialize-in-batch"
            "result-and-error" "neither-result-nor-error" "answer-without-id" "answered-again-after-the-end"
        ]
        "http": [
            "good" "id-used-twice" "answered-twice" "progress-falls" "undeclared-by-client"
        ]
    },
    entry! {
        "mcp/2025-06-18" "2025-06-18" "MCP 2025-06-18"
        "The same with elicitation and the version header; only what was negotiated may be used."
        models: "mcp/session.pact" "mcp/request.pact";
        mappings:
            "stdio" "mcp/2025-06-18/stdio.audit.toml"
            "http" "mcp/2025-06-18/http.audit.toml"
            "otlp" "mcp/otlp.audit.toml";
        "stdio": [
            "good" "late-server" "early-request" "early-server-request" "never-initialized" "initialize-twice"
            "undeclared-capability" "undeclared-by-client" "id-used-twice" "id-is-null" "answer-to-nothing"
            "answered-twice" "answered-after-cancel" "cut-off" "progress-falls" "progress-repeats"
            "progress-late" "progress-unasked" "cancel-of-nothing" "cancel-of-initialize" "noise"
            "result-and-error" "neither-result-nor-error" "answer-without-id" "answered-again-after-the-end"
        ]
        "http": [
            "good" "id-used-twice" "answered-twice" "progress-falls" "undeclared-by-client" "no-version-header"
        ]
    },
    entry! {
        "mcp/2025-11-25" "2025-11-25" "MCP 2025-11-25"
        "The same with tasks."
        models: "mcp/session.pact" "mcp/request.pact" "mcp/task.pact";
        mappings:
            "stdio" "mcp/2025-11-25/stdio.audit.toml"
            "http" "mcp/2025-11-25/http.audit.toml"
            "otlp" "mcp/otlp.audit.toml";
        "stdio": [
            "good" "late-server" "early-request" "early-server-request" "never-initialized" "initialize-twice"
            "undeclared-capability" "undeclared-by-client" "id-used-twice" "id-is-null" "answer-to-nothing"
            "answered-twice" "answered-after-cancel" "cut-off" "progress-falls" "progress-repeats"
            "progress-late" "progress-unasked" "cancel-of-nothing" "cancel-of-initialize" "noise"
            "task-born-done" "task-leaves-its-end" "task-cancelled-when-over" "task-cancelled-by-notification"
            "result-and-error" "neither-result-nor-error" "answer-without-id" "answered-again-after-the-end"
        ]
        "http": [
            "good" "id-used-twice" "answered-twice" "progress-falls" "undeclared-by-client" "no-version-header"
        ]
        "otlp": [
            "good" "early-request" "id-used-twice"
        ]
    },
    entry! {
        "mcp/2026-07-28" "2026-07-28" "MCP 2026-07-28"
        "The stateless protocol: no handshake, no requests by servers; asking back, subscriptions, logs that were asked for."
        models: "mcp/2026-07-28/session.pact" "mcp/2026-07-28/request.pact";
        mappings:
            "stdio" "mcp/2026-07-28/stdio.audit.toml"
            "http" "mcp/2026-07-28/http.audit.toml"
            "otlp" "mcp/2026-07-28/otlp.audit.toml";
        "stdio": [
            "good" "late-server" "server-asks" "client-answers" "log-unasked" "no-result-type"
            "asks-back-in-vain" "asks-back-for-nothing" "state-not-given" "no-version" "id-is-null"
            "id-in-flight" "answer-to-nothing" "progress-falls" "progress-unasked" "not-acknowledged"
            "answered-after-cancel" "cancel-of-nothing" "cut-off" "noise"
            "result-and-error" "neither-result-nor-error" "answer-without-id"
        ]
        "http": [
            "good" "version-differs" "log-unasked" "server-asks"
        ]
        "otlp": [
            "good" "server-asks"
        ]
    },
    entry! {
        "agents/confirm" "" "Nothing is changed without a yes"
        "A policy for agents that serve people, over chats with tool calls: copy it and say which tools change something."
        models: "agents/confirm/confirm.pact";
        mappings:
            "chat" "agents/confirm/chat.audit.toml";
        "chat": [
            "good" "change-without-yes" "yes-then-something-else" "unknown-person" "after-hand-over"
        ]
    },
    entry! {
        "agents/lifecycle" "" "The task lifecycle of arXiv:2510.14133"
        "The published properties of tasks and host agents, as printed and as corrected, and logs of states judged by them."
        models: "agents/lifecycle/task.pact" "agents/lifecycle/task-as-printed.pact" "agents/lifecycle/host.pact";
        mappings:
            "states" "agents/lifecycle/states.audit.toml";
        "states": [
            "good" "completed-from-nowhere" "leaves-canceled" "retry-of-what-did-not-fail"
            "waits-and-is-dispatched"
        ]
    },
];

//! `audit`

mod broken;

use std::collections::BTreeMap;

use rmcp::model::{CallToolResult, JsonObject};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use servanda_messages::{
    AuditFinding, AuditKind, AuditWord, Audited, CommitmentWord, Event, Level, Severity,
};
use servanda_serve::Folder;

use crate::answer::{self, Finding, Outline, Said, Status, are_wrong};
use crate::arguments;
use crate::desk::{Allowed, Call, Desk, Talk};
use crate::subject::{self, Texts};
use broken::Broken;

/// So many broken rules are told, unless said otherwise, and at most.
const USUAL: usize = 10;
const MOST: usize = 200;

/// A log, and what it is judged by.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Arguments {
    /// The log itself. Give this or `file`.
    log: Option<String>,
    /// A file with the log, as a path below the directory of the server. Give this or `log`.
    file: Option<String>,
    /// The protocol of the library that it is judged by, as in `mcp/2025-11-25`. Give this, or a mapping.
    library: Option<String>,
    /// How the log was recorded, where the protocol of the library has several readers: `stdio`, `http`, `otlp`.
    source: Option<String>,
    /// The text of a mapping (servanda://docs/mapping.md).
    mapping: Option<String>,
    /// A file with a mapping, as a path below the directory.
    mapping_file: Option<String>,
    /// The models that the mapping names, by their paths; what is not here is read below the directory.
    models: BTreeMap<String, String>,
    /// The log goes on to the end: what is still owed then is broken.
    complete: bool,
    /// Rules of this level and above count; `should` unless said, which leaves out what is only observed.
    level: Option<Level>,
    /// So many findings are answered; 10 unless said.
    #[schemars(range(min = 1, max = 200))]
    most: Option<usize>,
    #[serde(flatten)]
    allowed: Allowed,
}

/// What was found.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(crate) struct Answer {
    /// `ok` where conversations were judged and no rule was broken.
    status: Status,
    /// So many lines were read.
    lines: u64,
    /// So many conversations were judged.
    conversations: usize,
    /// The rules that were broken, worst first.
    broken: Vec<Broken>,
    /// How many more there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<usize>,
    /// What is still owed at the end.
    owed: Vec<String>,
    findings: Vec<Finding>,
}

/// What a job told.
#[derive(Default)]
struct Heard {
    said: Said,
    audited: Option<Audited>,
}

/// Judges a log.
pub(crate) async fn answered(
    given: Option<JsonObject>,
    desk: &Desk,
    call: &Call,
) -> Result<Answer, Vec<Finding>> {
    let arguments: Arguments = arguments::read(given)?;
    let (log, request) = request(&arguments, &desk.folder)?;
    let hear = |talk: Talk| talk.keep_all(Heard::keep);
    let (heard, trouble) = desk.run(call, (request, arguments.allowed), hear).await?;
    Ok(judged(heard, trouble, &log, &arguments))
}

/// The name of the log.
fn name(arguments: &Arguments) -> &str {
    arguments.file.as_deref().unwrap_or("log")
}

/// The log, and what the job is asked.
fn request(arguments: &Arguments, folder: &Folder) -> Result<(String, Value), Vec<Finding>> {
    let mut wrong = Vec::new();
    let log = match (&arguments.log, &arguments.file) {
        (Some(log), None) => Ok(log.clone()),
        (None, Some(file)) => subject::text(file, folder),
        _ => Err(Box::new(Finding::error("give the log as `log`, or its path as `file`"))),
    };
    let log = log.map_err(|finding| wrong.push(*finding));
    let mapping = match (&arguments.library, &arguments.mapping, &arguments.mapping_file) {
        (Some(_), None, None) => Ok(None),
        (None, Some(mapping), None) => Ok(Some(mapping.clone())),
        (None, None, Some(file)) => subject::text(file, folder).map(Some),
        _ => {
            let names: Vec<&str> = servanda_library::entries().iter().map(|entry| entry.name).collect();
            let finding = Finding::error("say by what: one of `library`, `mapping` and `mapping_file`");
            Err(Box::new(finding.help(format!("the library has {}", names.join(", ")))))
        }
    };
    let mapping = mapping.map_err(|finding| wrong.push(*finding));
    if arguments.source.is_some() && arguments.library.is_none() {
        wrong.push(Finding::error(
            "`source` goes with `library`: a mapping says itself how its log was recorded",
        ));
    }
    let (Ok(log), Ok(mapping)) = (log, mapping) else { return Err(wrong) };
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let request = json!({
        "kind": "audit",
        "log": log,
        "logName": name(arguments),
        "library": arguments.library,
        "source": arguments.source,
        "mapping": mapping,
        "models": arguments.models,
        "complete": arguments.complete,
    });
    Ok((log, request))
}

impl Heard {
    fn keep(&mut self, event: Event) {
        if let Some(Event::Audited { audited }) = self.said.keep(event) {
            self.audited = Some(audited);
        }
    }
}

pub(crate) fn invalid(findings: Vec<Finding>) -> Answer {
    Answer { status: answer::refused(&findings), findings, ..Answer::default() }
}

fn judged(heard: Heard, trouble: Option<Finding>, log: &str, arguments: &Arguments) -> Answer {
    let mut texts = Texts::default();
    texts.known.insert(name(arguments), log);
    if let Some(mapping) = &arguments.mapping {
        texts.known.insert("mapping", mapping);
    }
    let models = heard.audited.as_ref().into_iter().flat_map(|audited| &audited.models);
    texts.known.extend(models.map(|(name, text)| (name.as_str(), text.as_str())));
    let mut findings = heard.said.told(&texts);
    let is_cut = trouble.is_some();
    findings.splice(0..0, trouble);
    let Some(audited) = &heard.audited else {
        if !is_cut && !are_wrong(&findings) {
            findings.push(Finding::error("nothing was judged"));
        }
        return Answer {
            status: if is_cut { Status::Undecided } else { Status::Invalid },
            ..invalid(findings)
        };
    };
    let status = status(audited, is_cut, arguments);
    let shown = audited.findings.iter().filter(|found| is_told(found, arguments));
    let mut broken: Vec<Broken> = shown.map(|found| Broken::new(found, name(arguments), &texts)).collect();
    broken.sort_by_key(|one| one.level);
    let most = arguments.most.unwrap_or(USUAL).clamp(1, MOST);
    let left_out = broken.len().saturating_sub(most);
    broken.truncate(most);
    if let Some(message) = &audited.message {
        findings.push(Finding { severity: Severity::Note, ..Finding::error(message.clone()) });
    }
    let owed = audited.slices.iter().flat_map(|slice| {
        let open = slice
            .commitments
            .iter()
            .filter(|one| matches!(one.outcome, CommitmentWord::Open | CommitmentWord::Owed));
        open.map(|one| {
            let (debtor, creditor, name) = (&one.debtor, &one.creditor, &one.name);
            format!("{} {}: {debtor} to {creditor}: {name}", slice.view, slice.key)
        })
    });
    Answer {
        status,
        lines: audited.lines,
        conversations: audited.slices.len(),
        broken,
        left_out: (left_out > 0).then_some(left_out),
        owed: owed.take(MOST).collect(),
        findings,
    }
}

/// Is a finding told? What is below the level that was asked for is not.
fn is_told(found: &AuditFinding, arguments: &Arguments) -> bool {
    let level = arguments.level.unwrap_or(Level::Should);
    found.level <= level || matches!(found.kind, AuditKind::BadLine | AuditKind::Limit)
}

/// What follows from the findings, as `servanda audit` has it: what may be otherwise in another order breaks nothing, and a log of which
/// nothing was judged has not passed.
fn status(audited: &Audited, is_cut: bool, arguments: &Arguments) -> Status {
    let told = || audited.findings.iter().filter(|found| is_told(found, arguments));
    let has = |kind| told().any(|found| found.kind == kind);
    let mut verdicts = audited.slices.iter().flat_map(|slice| &slice.verdicts);
    let is_open = arguments.complete && verdicts.any(|one| one.verdict == AuditWord::Open);
    if has(AuditKind::BadLine) {
        Status::Invalid
    } else if told().any(|found| found.is_certain && found.kind != AuditKind::Limit) {
        Status::Failed
    } else if has(AuditKind::Limit) || is_cut || is_open || audited.slices.is_empty() {
        Status::Undecided
    } else {
        Status::Ok
    }
}

pub(crate) fn told(answer: Answer) -> CallToolResult {
    let mut text = Outline::default();
    let all = answer.broken.len() + answer.left_out.unwrap_or(0);
    let words = match answer.status {
        Status::Invalid if answer.broken.is_empty() => "nothing was judged".to_owned(),
        Status::Undecided if answer.conversations == 0 => {
            format!("no conversation was found in {} lines, so nothing was judged", answer.lines)
        }
        _ => format!("{all} findings in {} conversations, {} lines", answer.conversations, answer.lines),
    };
    text.line(format!("{}: {words}", answer.status.word()));
    text.findings(&answer.findings);
    for (index, broken) in answer.broken.iter().enumerate() {
        if text.len() > 50 {
            text.line(format!("… {} more are in the structured content", answer.broken.len() - index));
            break;
        }
        broken.told(&mut text);
    }
    if let Some(left_out) = answer.left_out {
        text.line(format!("… and {left_out} more: call again with a greater `most`, or another `level`"));
    }
    for owed in answer.owed.iter().take(5) {
        text.line(format!("still owed: {owed}"));
    }
    if answer.owed.len() > 5 {
        text.line(format!("… and {} more are owed", answer.owed.len() - 5));
    }
    answer::result(&answer, &text, answer.status, &answer.findings)
}

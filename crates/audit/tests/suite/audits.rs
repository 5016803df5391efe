//! Audits of small logs: what is found, where, and what is said about it.

use servanda_audit::{After, Certainty, Finding, Kind, Options, Stats};

use crate::common::Setup;

const MODEL: &str = "
    roles Client, Agent
    start idle
    idle -- Client: ask --> asked
    asked -- Agent: work --> asked
    asked -- Agent: answer --> idle
    asked -- timeout --> late
    late -- Agent: answer --> idle
    idle -- close --> over
    asked -- close --> cut
    property in_time level should cite \"the manual, 1\" = A G !in late
    property not_cut level should = A G !in cut
    property used level may = A F in asked
";

/// A mapping of `{"k": key, "say": label}`, with more in its parts.
fn mapping(source: &str, view: &str) -> String {
    format!(
        r#"
version = 1
[source]
time = "/t"
{source}
[fields]
k = "/k"
j = "/j"
say = "/say"
n = "/n"
[define]
say_any = 'has(say) & !(say = "end")'
[[view]]
name = "talk"
model = "m.pact"
key = ["k", "j"]
{view}
event = [
  {{ when = 'starts(say, "up") & increasing(n)', label = "Agent: work" }},
  {{ when = 'starts(say, "up")', label = "Agent: work_down" }},
  {{ when = 'say = "end"', key = ["k", "*"], label = "close" }},
  {{ when = 'starts(say, "c:")', label = 'Client: {{strip("c:", say)}}' }},
  {{ when = 'starts(say, "a:")', label = 'Agent: {{strip("a:", say)}}' }},
  {{ when = 'say = "both"', label = ["Client: ask", "Agent: answer"] }},
  {{ when = 'say = "nothing"', label = "" }},
]
"#
    )
}

fn setup(source: &str, view: &str) -> Setup {
    Setup::new(&mapping(source, view), |_| MODEL.to_owned()).unwrap_or_else(|found| panic!("{found:#?}"))
}

/// `1.5 k c:ask` and so on as lines.
fn log(text: &str) -> String {
    let line = |line: &str| {
        let mut words = line.split_whitespace();
        let (t, k, say) = (words.next()?, words.next()?, words.next()?);
        let (k, j) = k.split_once('.').unwrap_or((k, "0"));
        let n = words.next().map_or(String::new(), |n| format!(",\"n\":{n}"));
        Some(format!("{{\"t\":{t},\"k\":\"{k}\",\"j\":{j},\"say\":\"{say}\"{n}}}\n"))
    };
    text.split(';').filter_map(line).collect()
}

fn brief(findings: &[Finding]) -> Vec<String> {
    let one = |it: &Finding| {
        let line = it.at.map_or("end".to_owned(), |at| at.line.to_string());
        let why = it.explanation.as_ref().map_or(String::new(), |it| format!("; {}", it.text));
        format!("{line} {} {}: {}{why}", it.kind.word(), it.key.join("."), it.message)
    };
    findings.iter().map(one).collect()
}

fn audit(setup: &Setup, text: &str, options: Options) -> (Vec<String>, Stats) {
    let (findings, stats) = setup.audit(&log(text), options, false);
    (brief(&findings), stats)
}

fn found(source: &str, view: &str, text: &str) -> Vec<String> {
    audit(&setup(source, view), text, Options::default()).0
}

#[test]
fn what_is_not_possible_is_explained() {
    let text = "1 k c:ask; 2 k a:answer; 3 k a:answer; 4 k c:ask";
    let (findings, _) = setup("", "").audit(&log(text), Options::default(), false);
    assert_eq!(
        brief(&findings),
        [
            "3 not-possible k.0: `Agent: answer` is not possible here; in order if `Client: ask` had come before line 3"
        ]
    );
    let finding = &findings[0];
    assert_eq!(finding.since.unwrap().line, 2);
    assert_eq!(finding.labels, ["Agent: answer"]);
    let possible: Vec<(Option<&str>, usize)> =
        finding.possible.iter().map(|it| (it.role.as_deref(), it.labels.len())).collect();
    assert_eq!(possible, [(Some("Client"), 1), (None, 1)]);
    assert_eq!(finding.steps.iter().map(|step| step.at.line).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(finding.rule.as_ref().unwrap().model, "m.pact");
}

#[test]
fn after_a_violation_a_slice_stops_skips_or_goes_on() {
    let text = "1 k c:ask; 2 k c:ask; 3 k a:answer; 4 k a:answer; 5 k a:answer";
    let lines = |after| {
        let options = Options { after, ..Options::default() };
        let (found, stats) = audit(&setup("", ""), text, options);
        (
            found.iter().map(|it| it.split(' ').next().unwrap().to_owned()).collect::<Vec<_>>().join(" "),
            stats.cost,
        )
    };
    assert_eq!(lines(After::Stop).0, "2");
    assert_eq!(lines(After::Skip).0, "2 4 5");
    assert_eq!(lines(After::Resync), ("2 4 5".to_owned(), 3));
}

#[test]
fn a_line_that_begins_anew_under_a_used_key_is_one_violation() {
    let model = "roles A, B\nstart s\ns -- A: ask --> t\nt -- B: answer --> u\n";
    let setup = Setup::new(
        &mapping("", "").replace("Client", "A").replace("Agent", "B").replace("\"close\"", "\"\""),
        |_| model.to_owned(),
    );
    let setup = setup.unwrap_or_else(|found| panic!("{found:#?}"));
    let (found, _) =
        audit(&setup, "1 k c:ask; 2 k a:answer; 3 k c:ask; 4 k a:answer; 5 k a:answer", Options::default());
    let lines: Vec<&str> = found.iter().map(|it| &it[..1]).collect();
    assert_eq!(lines, ["3", "5"], "{found:?}");
}

#[test]
fn several_labels_of_a_line_are_one_violation() {
    assert_eq!(found("", "", "1 k both; 2 k both").len(), 0);
    assert_eq!(found("", "", "1 k c:ask; 2 k both; 3 k both").len(), 1);
}

#[test]
fn properties_are_said_once_with_level_and_citation() {
    let source = "";
    let view = "timer = [ { after = \"Client: ask\", unless = \"Agent: answer\", within = \"2s\", label = \"timeout\" } ]";
    let text =
        "1 k c:ask; 2 k a:work; 3 k a:answer; 4 k c:ask; 6.5 x c:ask; 7 k a:answer; 8 k c:ask; 20 x a:answer";
    let (findings, _) = setup(source, view).audit(&log(text), Options::default(), false);
    let said: Vec<(u64, &str)> = findings.iter().map(|it| (it.at.unwrap().line, it.code.as_str())).collect();
    assert_eq!(said, [(5, "in_time"), (8, "in_time")], "{:?}", brief(&findings));
    assert_eq!(findings[0].citation.as_deref(), Some("the manual, 1"));
    assert_eq!(findings[0].level, servanda_model::Level::Should);
}

#[test]
fn a_timer_is_stopped_by_any_label_where_none_is_named() {
    let view = "timer = [ { after = \"Client: ask\", within = \"2s\", label = \"timeout\" } ]";
    assert!(found("", view, "1 k c:ask; 2 k a:work; 9 k a:answer").is_empty());
    assert_eq!(found("", view, "1 k c:ask; 9 k a:answer").len(), 1);
}

#[test]
fn a_star_means_all_slices_and_an_end_forgets_them() {
    let text = "1 k.1 c:ask; 2 k.2 c:ask; 3 k.2 a:answer; 4 l.1 c:ask; 5 k end; 6 k.1 c:ask; 7 l.1 a:answer";
    let cut = ["5 property k.1: `not_cut` is false: A G !in cut"];
    assert_eq!(found("", "end = \"close\"", text), cut);
    // Without an end the slice is still there, and nothing is possible in it any more.
    assert_eq!(found("", "", text).len(), 2);
}

#[test]
fn at_the_end_of_a_complete_log_what_is_open_is_judged() {
    let text = log("1 k c:ask; 2 l c:ask; 3 l a:answer");
    let model =
        MODEL.replace("property used", "property answered = A G (in asked -> F in idle)\n property used");
    let setup = Setup::new(&mapping("", ""), |_| model.clone()).unwrap_or_else(|found| panic!("{found:#?}"));
    assert!(setup.audit(&text, Options::default(), false).0.is_empty());
    let (findings, stats) = setup.audit(&text, Options::default(), true);
    let said = brief(&findings);
    assert_eq!(said, ["end property k.0: `answered` is false: A G (in asked -> F in idle)"]);
    assert_eq!(stats.live, 0);
}

#[test]
fn numbers_that_should_increase_are_compared_in_their_slice() {
    let text = "1 k c:ask; 2 k up 1; 3 k up 9007199254740992; 4 l c:ask; 5 l up 1; 6 k up 9007199254740993; 7 k up 9007199254740993; 8 k up 1e300";
    let found = found("", "", text);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("7 not-possible k.0: `Agent: work_down`"), "{found:?}");
}

#[test]
fn lines_are_sorted_within_the_window_and_late_ones_reported() {
    let source = "order = \"time\"\nwindow = \"5s\"";
    assert!(found(source, "", "2 k a:answer; 1 k c:ask; 4 k a:answer; 3 k c:ask").is_empty());
    let late =
        found(source, "", "1 k c:ask; 2 k a:answer; 30 k c:ask; 40 k a:answer; 3 l c:ask; 50 l a:answer");
    assert_eq!(late.len(), 1, "{late:?}");
    assert!(late[0].starts_with("5 late-line"), "{late:?}");
}

#[test]
fn lines_of_several_senders_may_have_come_in_another_order() {
    let source = "order = \"per-sender\"\nwindow = \"5s\"";
    let (findings, stats) = setup(source, "").audit(
        &log("1 k a:answer; 2 k c:ask; 3 k c:ask; 4 k a:answer"),
        Options::default(),
        false,
    );
    assert_eq!(findings.len(), 1, "{:?}", brief(&findings));
    assert_eq!((findings[0].certainty, findings[0].at.unwrap().line), (Certainty::SomeOrders, 1));
    assert_eq!(stats.reordered, 1);
    // No order puts two answers before one question.
    let (findings, _) = setup(source, "").audit(
        &log("1 k c:ask; 2 k a:answer; 3 k a:answer; 20 k c:ask; 21 k a:answer"),
        Options::default(),
        false,
    );
    assert_eq!(findings.len(), 1, "{:?}", brief(&findings));
    assert_eq!((findings[0].certainty, findings[0].at.unwrap().line), (Certainty::Certain, 3));
    // Too far apart to have come in another order.
    let (findings, _) = setup(source, "").audit(&log("1 k a:answer; 9 k c:ask"), Options::default(), false);
    assert_eq!(findings[0].certainty, Certainty::Certain);
}

#[test]
fn what_the_tap_saw_before_its_side_spoke_came_before() {
    let text = log("1 k a:answer; 2 k c:ask");
    let certainty = |tap: &str| {
        let source = format!("order = \"per-sender\"\nwindow = \"5s\"\ntap = \"{tap}\"");
        setup(&source, "").audit(&text, Options::default(), false).0[0].certainty
    };
    assert_eq!(certainty("Client"), Certainty::Certain);
    assert_eq!(certainty("Agent"), Certainty::SomeOrders);
}

#[test]
fn keys_are_bounded_and_forgotten() {
    let text: String = (0..100).map(|key| format!("{key} k{key} c:ask;")).collect();
    let options = Options { max_keys: 10, ..Options::default() };
    let (found, stats) = audit(&setup("", ""), &text, options);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("limit"), "{found:?}");
    assert_eq!((stats.live, stats.dropped, stats.slices), (10, 90, 100));
    let (found, stats) = audit(&setup("", "forget = \"10s\""), &text, Options::default());
    assert_eq!((found.len(), stats.live, stats.forgotten), (0, 11, 89));
    let (_, stats) = audit(&setup("", "forget = 10"), &text, Options::default());
    assert_eq!(stats.live, 11);
}

#[test]
fn lines_that_cannot_be_read_or_match_nothing_are_reported() {
    let setup = setup("", "unmatched = \"report\"");
    let text = "{\"k\":1\n\n{\"say\":\"what\"}\n{\"say\":\"nothing\"}\n[1,]\n";
    let (findings, stats) = setup.audit(text, Options::default(), false);
    let kinds: Vec<(u64, Kind)> = findings.iter().map(|it| (it.at.unwrap().line, it.kind)).collect();
    assert_eq!(kinds, [(1, Kind::BadLine), (3, Kind::Unmatched), (5, Kind::BadLine)]);
    assert_eq!((stats.bad, stats.unmatched, stats.lines), (2, 1, 5));
}

#[test]
fn what_has_no_key_stands_for_itself() {
    let text = "{\"t\":1,\"say\":\"a:answer\",\"j\":1}\n{\"t\":2,\"say\":\"c:ask\",\"j\":1}\n{\"t\":3,\"say\":\"a:answer\",\"j\":1}\n";
    let (findings, stats) = setup("", "").audit(text, Options::default(), false);
    assert_eq!(findings.len(), 2, "{:?}", brief(&findings));
    assert_eq!(stats.live, 0);
    assert_eq!(findings[0].key, ["(missing)", "1"]);
}

#[test]
fn timers_of_lines_without_a_time_are_said_not_to_run() {
    let timer = r#"timer = [ { after = "Client: ask", within = "2s", label = "timeout" } ]"#;
    let setup_of = setup;
    let setup = setup_of("", timer);
    let text =
        "{\"k\":\"k\",\"j\":1,\"say\":\"c:ask\"}\n{\"t\":\"soon\",\"k\":\"l\",\"j\":1,\"say\":\"c:ask\"}\n";
    let (findings, _) = setup.audit(text, Options::default(), false);
    let kinds: Vec<(u64, Kind)> = findings.iter().map(|it| (it.at.unwrap().line, it.kind)).collect();
    assert_eq!(kinds, [(1, Kind::Limit)], "once");
    assert!(findings[0].message.contains("no time that can be read"), "{}", findings[0].message);
    // A line that means nothing to the view needs no time; nor does a log without timers.
    let nothing = "{\"k\":\"k\",\"say\":\"nothing\"}\n{\"t\":1,\"k\":\"k\",\"j\":1,\"say\":\"c:ask\"}\n";
    assert_eq!(setup.audit(nothing, Options::default(), false).0, []);
    assert_eq!(setup_of("", "").audit(text, Options::default(), false).0, []);
    let sorted = setup_of("order = \"time\"\nwindow = \"1s\"", "").audit(text, Options::default(), false);
    assert_eq!(sorted.0.iter().map(|it| it.kind).collect::<Vec<_>>(), [Kind::Limit]);
}

#[test]
fn what_ends_a_slice_may_be_said_without_its_role() {
    for end in ["Agent: answer", "answer"] {
        let (_, stats) =
            audit(&setup("", &format!("end = [\"{end}\"]")), "1 k c:ask; 2 k a:answer", Options::default());
        assert_eq!((stats.slices, stats.live), (1, 0), "{end}");
    }
    let timer = r#"timer = [ { after = "ask", unless = "answer", within = "2s", label = "timeout" } ]"#;
    let (found, _) = audit(&setup("", timer), "1 k c:ask; 9 l c:ask; 10 l a:answer", Options::default());
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("in_time"), "{found:?}");
}

#[test]
fn a_mark_before_the_first_line_and_ends_of_other_systems_are_no_part_of_the_log() {
    let text = "\u{feff}{\"t\":1,\"k\":\"k\",\"j\":1,\"say\":\"c:ask\"}\r\n{\"t\":2,\"k\":\"k\",\"j\":1,\"say\":\"a:answer\"}\r\n";
    let setup = setup("", "");
    let mut auditor = servanda_audit::Auditor::new(
        &setup.mapping,
        &setup.asked(),
        Options::default(),
        &servanda_engine::NoLimits,
    )
    .unwrap();
    let mut findings = Vec::new();
    for (number, line) in text.split_terminator('\n').enumerate() {
        let at = servanda_audit::Line { file: 0, line: number as u64 + 1 };
        auditor.push(line.as_bytes(), at, &mut findings, &servanda_engine::NoLimits).unwrap();
    }
    assert_eq!(findings, []);
    assert_eq!((auditor.stats().labels, auditor.stats().bad), (2, 0));
}

#[test]
fn the_transition_that_was_nearest_is_named() {
    let setup = setup("", "");
    let (findings, _) = setup.audit(&log("1 k c:ask; 2 k a:answr"), Options::default(), false);
    let rule = findings[0].rule.as_ref().unwrap();
    let command = setup.protocols[0].model.command(rule.nearest.unwrap());
    let text = &MODEL[command.span.start as usize..command.span.end as usize];
    assert!(text.contains("asked -- Agent: answer --> idle"), "{text}");
}

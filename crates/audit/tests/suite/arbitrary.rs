//! Whatever comes, nothing panics.

use proptest::prelude::*;
use servanda_audit::mapping::Mapping;
use servanda_audit::{Auditor, Line, Options};
use servanda_engine::NoLimits;
use servanda_syntax::SourceFile;

use crate::common::Setup;

const MAPPING: &str = r#"
version = 1
[source]
format = "FORMAT"
time = "/t"
ORDER
each = "/e"
[fields]
k = "/k"
m = "/each/m"
n = "/data"
[define]
sum = 'number(text(n)) + n - 1'
[[table]]
name = "t"
when = 'has(k)'
key = ["k"]
value = 'first(sum, m, k)'
[[view]]
name = "v"
model = "m"
key = ["k", 'recall("t", k)']
forget = 3
timer = [ { after = "A: ask", within = "1s", label = "B: answer" } ]
event = [
  { when = 'increasing(sum) | matches(m, "\d") | slice_in("t")', label = "A: ask" },
  { when = 'upper(lower(m)) < m | length(m) > 1 | contains(k, m) | ends(k, m)', key = ["k", "*"], label = "B: answer" },
  { when = 'k', label = ["A: {m}", "B: {n}{k}"] },
]
"#;

const MODEL: &str = "roles A, B\nstart s\ns -- A: ask --> t\nt -- B: answer --> s\n";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn lines_may_be_anything(
        lines in prop::collection::vec(
            prop_oneof![
                prop::collection::vec(any::<u8>(), 0..60),
                r#"\{("[ktmen]"|"data"|"each"):[0-9e"\[\]{},:tru-]{0,12}\}"#.prop_map(String::into_bytes),
                r#"\{"t":-?[0-9]{1,20}(\.[0-9]{0,12})?,"k":("[a-z\\n]{0,3}"|[0-9]{1,25}|true),"e":\[\{"m":"[a-z0-9]{0,3}"\},[0-9]\],"data":[0-9]{1,3}e?[0-9]{0,4}\}"#.prop_map(String::into_bytes),
                "(data|event|id|time,k,m|\"a\"|x):? ?[a-z{}\",:]{0,10}".prop_map(String::into_bytes),
            ],
            0..30,
        ),
        format in prop::sample::select(vec!["jsonl", "otlp", "sse", "csv"]),
        order in prop::sample::select(vec!["", "order = \"time\"\nwindow = \"1s\"", "order = \"per-sender\"\nwindow = \"1s\""]),
        max_keys in 0usize..4,
    ) {
        let setup = Setup::new(&MAPPING.replace("FORMAT", format).replace("ORDER", order), |_| MODEL.to_owned()).unwrap();
        let options = Options { max_keys, ..Options::default() };
        let mut auditor = Auditor::new(&setup.mapping, &setup.asked(), options, &NoLimits).unwrap();
        let mut findings = Vec::new();
        for (number, line) in lines.iter().enumerate() {
            let at = Line { file: (number % 2) as u32, line: number as u64 };
            auditor.push(line, at, &mut findings, &NoLimits).unwrap();
        }
        auditor.finish(true, &mut findings, &NoLimits).unwrap();
        prop_assert_eq!(auditor.stats().live, 0);
    }

    #[test]
    fn mappings_may_be_anything(text: String) {
        let _ = Mapping::read(&SourceFile::new("m", text));
    }

    #[test]
    fn mappings_may_be_changed_anywhere(at: prop::sample::Index, length in 0usize..6, with in "[a-z\"'\\[\\]{}=&|!()<>+.,*é \n-]{0,4}") {
        let mut text = MAPPING.replace("FORMAT", "jsonl").replace("ORDER", "");
        let start = at.index(text.len());
        let end = (start + length).min(text.len());
        if text.is_char_boundary(start) && text.is_char_boundary(end) {
            text.replace_range(start..end, &with);
        }
        let source = SourceFile::new("m", text.clone());
        let (mapping, found) = Mapping::read(&source);
        for it in &found {
            prop_assert!(it.span.end as usize <= text.len(), "{it:?}");
        }
        prop_assert!(mapping.is_some() || !found.is_empty());
    }
}

use std::collections::BTreeSet;
use std::path::Path;

use super::*;

fn files_in(folder: &Path, below: &str, found: &mut BTreeSet<String>) {
    for file in std::fs::read_dir(folder).unwrap() {
        let file = file.unwrap();
        let name = file.file_name().into_string().unwrap();
        let path = if below.is_empty() { name } else { format!("{below}/{name}") };
        if file.file_type().unwrap().is_dir() {
            files_in(&file.path(), &path, found);
        } else if path.contains('/') {
            found.insert(path);
        }
    }
}

#[test]
fn every_file_of_the_directory_belongs_to_an_entry() {
    let mut lying = BTreeSet::new();
    files_in(Path::new(env!("CARGO_MANIFEST_DIR")), "", &mut lying);
    let named = entries().iter().flat_map(Entry::texts).map(|text| text.path.to_owned()).collect();
    assert_eq!(lying, named);
}

#[test]
fn names_are_unique_and_versions_are_part_of_them() {
    let names: BTreeSet<&str> = entries().iter().map(|entry| entry.name).collect();
    assert_eq!(names.len(), entries().len());
    for entry in entries() {
        assert!(entry.name.ends_with(entry.version), "{}", entry.name);
        assert!(!entry.title.is_empty() && entry.about.ends_with('.'), "{}", entry.name);
    }
}

/// Every recording has a row, a good one for every source with recordings, and every bad one breaks one rule at one line.
#[test]
fn every_rule_has_a_recording_that_breaks_it_and_one_that_does_not() {
    for entry in entries() {
        let sources: BTreeSet<&str> = entry.recordings.iter().map(|recording| recording.source).collect();
        for source in sources {
            assert!(entry.mapping(source).is_some(), "{}: {source}", entry.name);
            let of_source = || entry.recordings.iter().filter(|recording| recording.source == source);
            assert!(
                of_source().any(|recording| entry.expected(recording).is_empty()),
                "{} {source}",
                entry.name
            );
            for recording in of_source() {
                let row = recording.path.split_once("/recordings/").unwrap().1;
                let rows = entry.expected.text.lines().filter(|line| line.starts_with(&format!("{row}\t")));
                assert_eq!(rows.count(), 1, "{}", recording.path);
                let lines = recording.text.lines().count() as u64;
                for expected in entry.expected(recording) {
                    assert!((1..=lines).contains(&expected.line), "{}: {expected:?}", recording.path);
                    assert!(matches!(expected.level, "must" | "should" | "may"), "{expected:?}");
                }
            }
        }
        let rows = entry.expected.text.lines().filter(|line| !line.starts_with('#'));
        assert_eq!(rows.count(), entry.recordings.len(), "{}", entry.name);
    }
}

#[test]
fn paths_are_found_from_where_they_are_written() {
    assert_eq!(join("mcp/2025-11-25/stdio.audit.toml", "../session.pact"), "mcp/session.pact");
    assert_eq!(join("mcp/otlp.audit.toml", "./session.pact"), "mcp/session.pact");
    assert_eq!(join("a.toml", "../../b.pact"), "b.pact");
}

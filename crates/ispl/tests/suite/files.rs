//! Files that must be read.

use std::path::PathBuf;

use crate::support::{examples, findings, outside, sample};

#[test]
fn every_example_is_read_without_a_finding() {
    let examples = examples();
    assert!(examples.len() >= 5);
    for (path, text) in examples {
        assert_eq!(findings(&text), [""; 0], "{}", path.display());
    }
}

fn assert_read(files: Vec<(PathBuf, String)>) {
    for (path, text) in files {
        let errors: Vec<String> = findings(&text).into_iter().filter(|f| !f.contains(" warning ")).collect();
        assert_eq!(errors, [""; 0], "{}", path.display());
    }
}

#[test]
fn every_file_of_the_sample_is_read() {
    assert_read(sample());
}

#[test]
#[ignore = "needs the corpora outside of the repository, in the folder SERVANDA_CORPUS"]
fn every_file_of_the_corpora_is_read() {
    assert_read(outside());
}

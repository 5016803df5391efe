//! Files that must be read.

use crate::support::{corpus, examples, findings};

#[test]
fn every_example_is_read_without_a_finding() {
    let examples = examples();
    assert!(examples.len() >= 5);
    for (path, text) in examples {
        assert_eq!(findings(&text), [""; 0], "{}", path.display());
    }
}

#[test]
fn every_file_of_the_corpus_is_read() {
    for (path, text) in corpus() {
        let errors: Vec<String> = findings(&text).into_iter().filter(|f| !f.contains(" warning ")).collect();
        assert_eq!(errors, [""; 0], "{}", path.display());
    }
}

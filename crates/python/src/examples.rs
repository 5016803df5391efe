//! The examples of the repository.

use pyo3::prelude::*;
use servanda_gallery::{beside, example};

/// Name, title, what it is about, language and group of each.
type Told = (&'static str, String, String, &'static str, &'static str);

/// The examples, in the order in which they are shown.
#[pyfunction]
pub(crate) fn examples() -> Vec<Told> {
    let all = servanda_gallery::examples().into_iter();
    all.map(|one| (one.name, one.title, one.about, one.language, one.group.word())).collect()
}

/// The texts of an example by their paths: it first, then those that it needs; none where there is no such example.
#[pyfunction]
pub(crate) fn example_texts(name: &str) -> Vec<(&'static str, &'static str)> {
    let Some(found) = example(name) else { return Vec::new() };
    std::iter::once((found.name, found.text)).chain(beside(&found)).collect()
}

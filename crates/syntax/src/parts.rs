//! Results made of parts, where the search for mistakes goes on after the first.

/// All parts, unless one is missing. Every one is asked for, so that every mistake is reported.
pub fn all<T>(parts: impl IntoIterator<Item = Option<T>>) -> Option<Vec<T>> {
    let parts: Vec<Option<T>> = parts.into_iter().collect();
    parts.into_iter().collect()
}

/// What is made of a part that may have been left out; `None` where it was not and nothing can be made of it.
pub fn optional<T, S>(part: &Option<T>, make: impl FnOnce(&T) -> Option<S>) -> Option<Option<S>> {
    part.as_ref().map_or(Some(None), |part| make(part).map(Some))
}

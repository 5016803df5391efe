//! The documentation, as texts in the program: every page of `docs`, in Markdown.

static PAGES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// A page by its path below `docs`, as in `formulas.md`.
pub fn page(path: &str) -> Option<&'static str> {
    let index = PAGES.binary_search_by_key(&path, |&(name, _)| name).ok()?;
    // That the pages are texts is tested below.
    std::str::from_utf8(PAGES[index].1).ok()
}

/// The page about a code of a finding; `README` is the overview.
pub fn error_page(code: &str) -> Option<&'static str> {
    page(&format!("errors/{code}.md"))
}

/// The paths of all pages.
pub fn pages() -> impl Iterator<Item = &'static str> {
    PAGES.iter().map(|(path, _)| *path)
}

/// The codes that have a page.
pub fn codes() -> impl Iterator<Item = &'static str> {
    let errors = pages().filter_map(|path| path.strip_prefix("errors/")?.strip_suffix(".md"));
    errors.filter(|code| *code != "README")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_is_found_by_its_path_and_by_its_code() {
        assert!(codes().count() > 100);
        for code in codes() {
            assert!(error_page(code).unwrap().starts_with(&format!("# `{code}`\n")), "{code}");
        }
        assert!(pages().all(|path| page(path).unwrap().contains("# ")));
        assert!(page("formulas.md").is_some() && error_page("README").is_some());
        assert!(error_page("no-such-code").is_none() && error_page("README.md").is_none());
    }
}

//! The pages about codes of findings, as texts in the program: every file of `docs/errors`.

static PAGES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The page about a code, as Markdown; `README` is the overview.
pub fn error_page(code: &str) -> Option<&'static str> {
    let (_, text) = PAGES.iter().find(|(path, _)| path.strip_suffix(".md") == Some(code))?;
    // That the pages are texts is tested below.
    std::str::from_utf8(text).ok()
}

/// The codes that have a page.
pub fn codes() -> impl Iterator<Item = &'static str> {
    PAGES.iter().filter_map(|(path, _)| path.strip_suffix(".md")).filter(|code| *code != "README")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_is_found_by_its_code() {
        assert!(codes().count() > 100);
        for code in codes() {
            assert!(error_page(code).unwrap().starts_with(&format!("# `{code}`\n")), "{code}");
        }
        assert!(error_page("README").is_some());
        assert!(error_page("no-such-code").is_none() && error_page("README.md").is_none());
    }
}

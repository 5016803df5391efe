//! The pages of the workbench: every file of `web/dist`, as it was built from its sources. Building the program needs no Node.

/// A file of the workbench.
#[derive(Clone, Copy, Debug)]
pub struct File {
    /// Its address below the root of the server, as in `assets/main.js`.
    pub path: &'static str,
    /// What a browser is told that it is.
    pub content_type: &'static str,
    /// What it contains.
    pub bytes: &'static [u8],
}

static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// All files, in the order of their paths.
pub fn files() -> impl Iterator<Item = File> {
    FILES.iter().map(|&(path, bytes)| File { path, content_type: content_type(path), bytes })
}

/// The file with an address.
pub fn file(path: &str) -> Option<File> {
    let index = FILES.binary_search_by_key(&path, |&(name, _)| name).ok()?;
    let (path, bytes) = FILES[index];
    Some(File { path, content_type: content_type(path), bytes })
}

/// What browsers are told by the ending of the name; they are told not to guess, so what is not listed here is not executed or shown.
pub fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "wasm" => "application/wasm",
        "md" | "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_there_and_every_file_has_a_type() {
        let page = file("index.html").unwrap();
        assert_eq!(page.content_type, "text/html; charset=utf-8");
        assert!(file("nothing.html").is_none());
        for built in files() {
            assert_ne!(built.content_type, "application/octet-stream", "{}", built.path);
            assert_eq!(file(built.path).unwrap().bytes, built.bytes);
        }
    }

    /// What the server does not allow by its policy of content must not be in the page.
    #[test]
    fn the_page_has_no_script_or_style_in_itself() {
        let page = std::str::from_utf8(file("index.html").unwrap().bytes).unwrap();
        assert!(page.contains(r#"<meta name="csp-nonce" content="{{nonce}}""#), "{page}");
        assert!(!page.contains("<style") && !page.contains("style="), "{page}");
        for script in page.split("<script").skip(1) {
            assert!(script.split('>').next().unwrap().contains("src="), "{script}");
        }
    }
}

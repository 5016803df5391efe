//! Every crate can be packaged: what manifests say, and that what is compiled into the program is in the packages.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

/// Crates that only tests and benchmarks of this repository use, and the module for Python, which is packaged as a wheel.
const AT_HOME: [&str; 3] = ["servanda-python", "servanda-reproduce", "servanda-testkit"];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What cargo says; neither a registry nor a network is asked.
fn cargo(arguments: &[&str]) -> String {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo).args(arguments).arg("--offline").current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn packages() -> Vec<Value> {
    let described = cargo(&["metadata", "--no-deps", "--format-version", "1"]);
    let Value::Object(mut described) = serde_json::from_str(&described).unwrap() else { panic!("an object") };
    let Some(Value::Array(packages)) = described.remove("packages") else { panic!("packages") };
    assert!(packages.len() > 40);
    packages
}

#[test]
fn crates_say_what_they_are_and_which_versions_they_need() {
    for package in packages() {
        let name = package["name"].as_str().unwrap();
        let about = package["description"].as_str().unwrap_or_default();
        assert!(about.len() > 20 && about.ends_with('.'), "{name}: a sentence that says what it is");
        assert_eq!(package["license"], "MIT OR Apache-2.0", "{name}");
        assert_eq!(package["version"], env!("CARGO_PKG_VERSION"), "{name}");
        let is_published = package["publish"].is_null();
        assert_eq!(is_published, !AT_HOME.contains(&name), "{name}: publish");
        for needed in package["dependencies"].as_array().unwrap() {
            let (other, version) = (needed["name"].as_str().unwrap(), needed["req"].as_str().unwrap());
            if needed["path"].is_null() {
                assert_ne!(version, "*", "{name}: {other} needs a version");
            } else if needed["kind"] == "dev" {
                assert_eq!(version, "*", "{name}: {other} is for tests, so it is named by its path alone");
            } else {
                assert_eq!(
                    version,
                    concat!("^", env!("CARGO_PKG_VERSION")),
                    "{name}: the version of {other}"
                );
                assert!(!is_published || !AT_HOME.contains(&other), "{name} needs {other}, which stays here");
            }
        }
    }
}

/// The files in the package of a crate.
fn packaged(name: &str) -> BTreeSet<String> {
    let listed = cargo(&["package", "--list", "--allow-dirty", "--package", name]);
    listed.lines().map(|line| line.replace('\\', "/")).collect()
}

fn holds<'a>(name: &str, files: impl IntoIterator<Item = &'a str>) {
    let packaged = packaged(name);
    let mut count = 0;
    for file in files {
        count += 1;
        assert!(
            packaged.contains(file),
            "{file} is compiled into the program and not in the package of {name}"
        );
    }
    assert!(count > 3, "{name}");
    let foreign = packaged.iter().find(|file| file.contains("node_modules") || file.starts_with("target/"));
    assert_eq!(foreign, None, "{name}");
}

#[test]
fn packages_hold_what_is_compiled_into_the_program() {
    holds("servanda-docs", servanda_docs::pages().chain(["build.rs", "lib.rs"]));
    let examples: Vec<&str> = servanda_gallery::examples().iter().map(|example| example.name).collect();
    holds("servanda-gallery", examples.into_iter().chain(["build.rs", "lib.rs", "pnaws.acts"]));
    let texts = servanda_library::entries().iter().flat_map(servanda_library::Entry::texts);
    holds("servanda-library", texts.map(|text| text.path).chain(["lib.rs"]));
    let pages: Vec<String> = servanda_web::files().map(|file| format!("dist/{}", file.path)).collect();
    holds("servanda-web", pages.iter().map(String::as_str).chain(["build.rs", "lib.rs"]));
    holds("servanda", ["Cargo.toml", "README.md", "src/lib.rs", "src/main.rs"]);
}

/// A release has one version, wherever it is written.
#[test]
fn the_version_is_the_same_everywhere() {
    let read = |path: &str| std::fs::read_to_string(root().join(path)).unwrap();
    let version = env!("CARGO_PKG_VERSION");
    assert!(read("CITATION.cff").contains(&format!("\nversion: {version}\n")));
    for path in ["editors/vscode/package.json", "web/package.json"] {
        let manifest: Value = serde_json::from_str(&read(path)).unwrap();
        assert_eq!(manifest["version"], version, "{path}");
    }
}

/// What workflows run is there, and what they take from others has a version.
#[test]
fn workflows_run_what_there_is() {
    for name in ["ci", "fuzz", "release"] {
        let workflow = root().join(format!(".github/workflows/{name}.yml"));
        let text = std::fs::read_to_string(workflow).unwrap();
        let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || "./-_".contains(c)));
        let ours: Vec<&str> =
            words.filter(|word| word.starts_with("packaging/") || word.starts_with(".ci/")).collect();
        assert!(!ours.is_empty() || name == "fuzz", "{name}");
        for script in ours {
            assert!(root().join(script).is_file(), "{name}: {script}");
        }
        for used in text.lines().filter_map(|line| line.split_once("uses: ")) {
            let version = used.1.split_once("@v").map_or("", |(_, version)| version);
            assert_eq!(version.split('.').count(), 3, "{name}: {} is not pinned", used.1);
        }
    }
}

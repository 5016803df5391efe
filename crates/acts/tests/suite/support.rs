//! Models with acts files.

use servanda_model::{Model, Property};
use servanda_syntax::SourceFile;

/// A model and the properties of its acts file, or what is wrong with the file: place, code, message and help.
pub(crate) type Read = Result<(Model, Vec<Property>), Vec<String>>;

/// A CCS process with its acts.
pub(crate) fn ccs(text: &str, process: Option<&str>, acts: &str) -> Read {
    let loaded = servanda_ccs::load(&SourceFile::new("test.ccs", text), process);
    let system = loaded.system.unwrap_or_else(|| panic!("{:?}\n{text}", loaded.diagnostics));
    with_acts(system.model, &system.processes, acts)
}

/// An ISPL model with its acts.
pub(crate) fn ispl(text: &str, acts: &str) -> Read {
    let loaded = servanda_ispl::load(&SourceFile::new("test.ispl", text));
    let system = loaded.system.unwrap_or_else(|| panic!("{:?}\n{text}", loaded.diagnostics));
    with_acts(system.model, &[], acts)
}

fn with_acts(mut model: Model, processes: &[String], acts: &str) -> Read {
    let source = SourceFile::new("test.acts", acts);
    let added = servanda_acts::add(&source, &mut model, processes);
    if added.diagnostics.is_empty() {
        return Ok((model, added.properties));
    }
    let shown = added.diagnostics.iter().map(|found| {
        let place = source.place(found.span.start);
        let help = found.help.as_ref().map_or_else(String::new, |help| format!(" ({help})"));
        format!("{}:{} {}: {}{help}", place.line, place.column, found.code.word(), found.message)
    });
    Err(shown.collect())
}

/// A file of the examples.
pub(crate) fn example(name: &str) -> String {
    let path = format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

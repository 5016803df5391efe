//! `check --certificate DIR`: proofs of properties that hold, written where others can check them.

use std::path::Path;

use servanda::{Certified, Loaded, Question, Watch, certify};
use servanda_engine::{Options, Verdict};
use servanda_report::{CheckReport, Finding};
use servanda_syntax::Code;

/// Writes the proofs of all properties of a report that hold, and says in it where they are, or why there are none.
pub(crate) fn write(
    directory: &Path,
    loaded: &Loaded,
    questions: &[Question],
    readings: Options,
    watch: Watch<'_>,
    report: &mut CheckReport,
) {
    let holds =
        questions.iter().zip(&report.properties).filter(|(_, property)| property.verdict == Verdict::True);
    let proved: Vec<&Question> = holds.map(|(question, _)| question).collect();
    for (question, certified) in proved.iter().zip(certify(loaded, &proved, readings, watch)) {
        let name = &question.property.name;
        let proof = match certified {
            Certified::Proof(proof) => proof,
            Certified::Nothing(why) => {
                let message = format!("no certificate of `{name}`: {why}");
                report.run.findings.push(Finding::note(Code::NoCertificate, message));
                continue;
            }
        };
        let stem = format!("{}.{}", stem(loaded.source.name()), plain(name));
        for (part, text) in proof.named() {
            let path = directory.join(format!("{stem}.{part}.cnf"));
            let made = std::fs::create_dir_all(directory).and_then(|()| std::fs::write(&path, text));
            if let Err(why) = made {
                let message = format!("{} cannot be written: {why}", path.display());
                report.run.reject([Finding::error(Code::CannotWrite, message)]);
                return;
            }
        }
        let place = directory.join(format!("{stem}.*.cnf"));
        let message = format!(
            "the certificate of `{name}` is {}: no SAT solver may satisfy any of them",
            place.display()
        );
        report.run.findings.push(Finding::note(Code::Certificate, message));
    }
}

/// What a file is called, without its directory and its ending.
fn stem(file: &str) -> String {
    let stem = Path::new(file).file_stem().and_then(|stem| stem.to_str());
    plain(stem.unwrap_or("input"))
}

/// A name that can be part of the name of a file everywhere.
fn plain(name: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    name.chars().map(|c| if fits(c) { c } else { '_' }).collect()
}

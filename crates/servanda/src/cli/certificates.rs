//! `check --certificate DIR`: proofs of properties that hold, written where others can check them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use servanda::host::store;
use servanda::{Certified, Loaded, Question, Watch, certify};
use servanda_engine::{Options, Verdict};
use servanda_report::{CheckReport, Finding, Run, visible};
use servanda_syntax::Code;

/// The names of certificates that a run has written, each with the file that it is about.
#[derive(Debug, Default)]
pub(crate) struct Names(BTreeMap<String, String>);

impl Names {
    /// Gives a file its name before others have theirs, whoever writes its certificates.
    pub(crate) fn reserve(&mut self, run: &Run) {
        self.stem(run);
    }

    /// What the certificates of a file begin with: no two files of a run share it, whatever they are called.
    fn stem(&mut self, run: &Run) -> String {
        let path = Path::new(&run.file);
        let short = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or("input");
        let set: String =
            run.parameters.iter().map(|(name, value)| format!(",{}={value}", plain(name))).collect();
        let short = plain(short) + &set;
        let owner = self.0.entry(short.clone()).or_insert_with(|| run.file.clone());
        // The name of the whole path is taken by nobody else.
        if *owner == run.file { short } else { plain(&run.file) + &set }
    }
}

/// Writes the proofs of all properties of a report that hold, and says in it where they are, or why there are none.
pub(crate) fn write(
    (directory, names): (&Path, &mut Names),
    (loaded, questions, readings): (&Loaded, &[Question], Options),
    watch: Watch<'_>,
    report: &mut CheckReport,
) {
    let holds =
        questions.iter().zip(&report.properties).filter(|(_, property)| property.verdict == Verdict::True);
    let proved: Vec<&Question> = holds.map(|(question, _)| question).collect();
    let file = names.stem(&report.run);
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
        let stem = format!("{file}.{}", plain(name));
        for (part, text) in proof.named() {
            let path = directory.join(format!("{stem}.{part}.cnf"));
            let made = std::fs::create_dir_all(directory).and_then(|()| store::write(&path, text));
            if let Err(why) = made {
                let message = format!("{} cannot be written: {why}", visible(&path.display().to_string()));
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

/// A name that can be part of the name of a file everywhere; no two names become the same.
fn plain(name: &str) -> String {
    let mut shown = String::with_capacity(name.len());
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' => shown.push(char::from(byte)),
            byte => {
                let _ = write!(shown, "%{byte:02X}");
            }
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_things_share_a_name() {
        let mut names = Names::default();
        let mut stem = |file: &str, set: &[(&str, i64)]| {
            let mut run = Run::new(file, "sat");
            run.parameters = set.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
            names.stem(&run)
        };
        assert_eq!(stem("a/x.pact", &[]), "x");
        assert_eq!(stem("b/x.pact", &[]), "b%2Fx%2Epact");
        assert_eq!(stem("a/x.pact", &[("N", 3)]), "x,N=3");
        assert_eq!(stem("b/x.pact", &[("N", 3)]), "b%2Fx%2Epact,N=3");
        assert_eq!(stem("a/x.pact", &[]), "x");
        assert_ne!(plain("p[1]"), plain("p_1_"));
    }
}

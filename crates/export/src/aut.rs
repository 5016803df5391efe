//! The transition system of a model as `.aut` text.

use crate::{Failure, Subject, Writer};

pub(crate) const WRITER: Writer = Writer {
    name: "aut",
    about: "explores the model and writes its states and transitions in the format of Aldebaran. It must have exactly one \
            initial state.",
    write,
    acts: None,
};

fn write(subject: &Subject<'_>) -> Result<String, Failure> {
    let system = (subject.system)().map_err(Failure::Unexplored)?;
    servanda_aut::write(&system).map_err(|reason| Failure::Unfit { target: ".aut", reason })
}

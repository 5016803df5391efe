//! The functions that expressions of mappings may call: a fixed list.

/// A function: its name, how it is called, and what it gives.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// How it is called.
    pub call: &'static str,
    /// What it gives, in one sentence.
    pub gives: &'static str,
    /// How many values it takes, at least and at most.
    pub(crate) takes: (usize, usize),
}

const fn row(name: &'static str, call: &'static str, gives: &'static str, takes: (usize, usize)) -> Function {
    Function { name, call, gives, takes }
}

/// All of them, in the order of their names.
pub const FUNCTIONS: [Function; 16] = [
    row("contains", "contains(text, part)", "whether the part stands somewhere in the text", (2, 2)),
    row("ends", "ends(text, part)", "whether the text ends with the part", (2, 2)),
    row("first", "first(a, b, ..)", "the first of the values that is there", (1, usize::MAX)),
    row("has", "has(a)", "whether there is a value, be it null", (1, 1)),
    row(
        "if",
        "if(condition, a, b)",
        "the first value where the condition holds, otherwise the second",
        (3, 3),
    ),
    row(
        "increasing",
        "increasing(n)",
        "whether the number is larger than the last one asked about in this slice",
        (1, 1),
    ),
    row("length", "length(text)", "how many characters the text has", (1, 1)),
    row("lower", "lower(text)", "the text in small letters", (1, 1)),
    row(
        "matches",
        "matches(text, \"PATTERN\")",
        "whether the regular expression matches somewhere in the text",
        (2, 2),
    ),
    row("number", "number(text)", "the number that the text is, if it is one", (1, 1)),
    row(
        "recall",
        "recall(\"TABLE\", key..)",
        "what an earlier line stored in the table under the key",
        (2, usize::MAX),
    ),
    row(
        "slice_in",
        "slice_in(\"STATE\")",
        "whether the slice may be in the control state before this line",
        (1, 1),
    ),
    row("starts", "starts(text, part)", "whether the text starts with the part", (2, 2)),
    row("strip", "strip(prefix, text)", "the text without the prefix, if it starts with it", (2, 2)),
    row("text", "text(a)", "the value as it is written, as a text", (1, 1)),
    row("upper", "upper(text)", "the text in capital letters", (1, 1)),
];

/// The function with a name.
pub(crate) fn function(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|function| function.name == name)
}

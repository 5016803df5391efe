//! Source files, spans, diagnostics and name suggestions; and what lexers and parsers share.
//!
//! Every front end reports what it finds as [`Diagnostic`] values that point into a [`SourceFile`]; nothing here
//! knows a language or prints anything. Rendering is the business of the report crate.
//!
//! ```
//! use servanda_syntax::{Code, Diagnostic, SourceFile, Span};
//!
//! let file = SourceFile::new("example.pact", "roles Cus\nroles Mer\n");
//! let error = Diagnostic::error(Code::DuplicateName, "a second list of roles", Span::new(10, 15));
//! let place = file.place(error.span.start);
//! assert_eq!((place.line, place.column), (2, 1));
//! ```

mod code;
mod cursor;
mod diagnostic;
mod named;
mod nearest;
mod parts;
mod scanner;
mod source;
mod symbols;
mod token;
mod toml;
mod uri;

pub use code::Code;
pub use cursor::{Cursor, Found};
pub use diagnostic::{Diagnostic, Findings, Label, Severity, has_errors};
pub use nearest::{distance, nearest};
pub use parts::{all, optional};
pub use scanner::Scanner;
pub use source::{Place, SourceFile, Span};
pub use symbols::{Occurrence, Outlined, Stated, SymbolKind, Symbols};
pub use token::{Symbol, Token, TokenKind};
pub use toml::{Text, Toml, TomlTable, TomlValue, toml_span};
pub use uri::percent_encoded;

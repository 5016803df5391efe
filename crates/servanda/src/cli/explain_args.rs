//! The options of `explain`.

use clap::{ArgGroup, Args, ValueEnum};
use servanda::Drawing;

use super::args::{EngineArguments, ReadingArguments, SubjectArguments};

/// `explain`
#[derive(Args, Debug)]
#[command(group(ArgGroup::new("what").required(true).args(["property", "formula"])))]
pub(crate) struct ExplainArguments {
    /// The property whose verdict is explained
    #[arg(long, value_name = "NAME")]
    pub(crate) property: Option<String>,
    /// The formula whose verdict is explained
    #[arg(long, value_name = "FORMULA", allow_hyphen_values = true)]
    pub(crate) formula: Option<String>,
    /// What to draw with: text for the terminal, svg, mermaid, html for a page with everything, dot for the state graph with the
    /// path highlighted; or itf: the path alone as an ITF trace, for programs
    #[arg(long, value_enum, default_value_t = DrawingKind::Text)]
    format: DrawingKind,
    /// The most characters in a line of text
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u16).range(40..=1000))]
    width: u16,
    #[command(flatten)]
    pub(crate) engine: EngineArguments,
    #[command(flatten)]
    pub(crate) subject: SubjectArguments,
    #[command(flatten)]
    pub(crate) readings: ReadingArguments,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum DrawingKind {
    Text,
    Svg,
    Mermaid,
    Html,
    Dot,
    Itf,
}

impl ExplainArguments {
    /// In the words of the façade.
    pub(crate) fn drawing(&self) -> Drawing {
        match self.format {
            DrawingKind::Text => Drawing::Text(self.width.into()),
            DrawingKind::Svg => Drawing::Svg,
            DrawingKind::Mermaid => Drawing::Mermaid,
            DrawingKind::Html => Drawing::Html,
            DrawingKind::Dot => Drawing::Dot,
            DrawingKind::Itf => Drawing::Itf,
        }
    }
}

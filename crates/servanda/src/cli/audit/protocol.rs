//! What logs are judged by: an entry of the library, or a mapping of the user's own.

use clap::{ArgGroup, Args};
use servanda::Rules;
use servanda_report::Finding;
use servanda_syntax::Code;

use super::super::input;
use super::super::setting::{self, Setting};

/// What logs are judged by.
#[derive(Args, Clone, Debug)]
#[group(skip)]
#[command(group(ArgGroup::new("protocol").required(true).args(["library", "map"])))]
pub(crate) struct ProtocolArguments {
    /// Judge by this entry of the library: `servanda library list`
    #[arg(long, value_name = "NAME")]
    pub(crate) library: Option<String>,
    /// Judge by this mapping, and the models that it names
    #[arg(long, value_name = "FILE")]
    pub(crate) map: Option<String>,
    /// How the log was taken, where an entry of the library knows several ways: stdio, http, otlp
    #[arg(long, value_name = "NAME", requires = "library", conflicts_with = "map")]
    pub(crate) source: Option<String>,
    /// Set a parameter of the models (may be repeated)
    #[arg(long, value_name = "NAME=NUMBER", value_parser = setting::parameter)]
    pub(crate) param: Vec<Setting>,
}

/// What a conversation is judged by, if it is.
#[derive(Args, Clone, Debug)]
pub(crate) struct OptionalProtocolArguments {
    /// Judge by this entry of the library: `servanda library list`
    #[arg(long, value_name = "NAME", group = "judged")]
    library: Option<String>,
    /// Judge by this mapping, and the models that it names
    #[arg(long, value_name = "FILE", group = "judged")]
    map: Option<String>,
    /// How an entry of the library reads the records, where it knows several ways
    #[arg(long, value_name = "NAME", requires = "library", conflicts_with = "map")]
    source: Option<String>,
    /// Set a parameter of the models (may be repeated)
    #[arg(long, value_name = "NAME=NUMBER", value_parser = setting::parameter, requires = "judged")]
    param: Vec<Setting>,
}

impl OptionalProtocolArguments {
    /// What to judge by, if there is something; where the user does not say how the log is taken, it is in this way.
    pub(crate) fn given(&self, source: &str) -> Option<ProtocolArguments> {
        let OptionalProtocolArguments { library, map, param, .. } = self.clone();
        let source = self.source.clone().or_else(|| library.as_ref().map(|_| source.to_owned()));
        (library.is_some() || map.is_some()).then_some(ProtocolArguments { library, map, source, param })
    }
}

impl ProtocolArguments {
    /// What it is called.
    pub(crate) fn name(&self) -> String {
        self.library.clone().or_else(|| self.map.clone()).unwrap_or_default()
    }

    /// Reads all of it.
    pub(crate) fn rules(&self) -> Result<Rules, Vec<Finding>> {
        let parameters = setting::single(&self.param)?;
        match (&self.library, &self.map) {
            (Some(name), _) => Rules::of_library(name, self.source.as_deref(), &parameters),
            (None, Some(file)) => {
                let text = input::read_text(file)?;
                Rules::read(input::shown_name(file), &text, &parameters, &input::beside)
            }
            (None, None) => {
                Err(vec![Finding::error(Code::CannotRead, "there is nothing to judge by".to_owned())])
            }
        }
    }
}

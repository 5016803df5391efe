//! Values of `servanda.toml` that options of the command line take as well.

use clap::ValueEnum;
use servanda_syntax::TomlValue;

use super::read::Reader;

impl Reader<'_> {
    /// One of the words that an option of the command line takes.
    pub(super) fn choice<T: ValueEnum>(&mut self, value: &TomlValue<'_>) -> Option<T> {
        let names: Vec<(String, T)> = T::value_variants()
            .iter()
            .filter_map(|variant| Some((variant.to_possible_value()?.get_name().to_owned(), variant.clone())))
            .collect();
        let named: Vec<(&str, T)> =
            names.iter().map(|(name, variant)| (name.as_str(), variant.clone())).collect();
        self.toml.one_of(value, &named)
    }
}

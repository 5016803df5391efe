//! A model as ISPL text.
use servanda_model::{Model, Property};
/// stub
pub fn print(_model: &Model, _properties: &[Property]) -> Result<String, String> {
    Err(String::new())
}

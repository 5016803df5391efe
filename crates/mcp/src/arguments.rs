//! The arguments of a call, with everything that is wrong with them.

use rmcp::handler::server::common::schema_for_type;
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;
use servanda_syntax::nearest;

use crate::answer::Finding;

/// The schema of a type, as tools declare it.
pub(crate) fn schema<T: JsonSchema + 'static>() -> std::sync::Arc<JsonObject> {
    let mut schema = (*schema_for_type::<T>()).clone();
    // The name of a type of ours says nothing to others.
    schema.remove("title");
    std::sync::Arc::new(schema)
}

/// Reads arguments: one after the other first, so that each that is wrong is told.
pub(crate) fn read<T>(given: Option<JsonObject>) -> Result<T, Vec<Finding>>
where
    T: DeserializeOwned + JsonSchema + 'static,
{
    let given = given.unwrap_or_default();
    let schema = schema_for_type::<T>();
    let known: Vec<&str> = names(&schema);
    let mut wrong = Vec::new();
    for (name, value) in &given {
        if !known.contains(&name.as_str()) {
            let found = Finding::error(format!("there is no argument `{name}`"));
            let near = nearest(name, known.iter().copied());
            wrong.push(match near {
                Some(_) => found.near(near),
                None => found.help(format!("the arguments are {}", known.join(", "))),
            });
            continue;
        }
        let alone = JsonObject::from_iter([(name.clone(), value.clone())]);
        if let Err(error) = serde_json::from_value::<T>(Value::Object(alone)) {
            wrong.push(Finding::error(format!("the argument `{name}`: {error}")));
        }
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    serde_json::from_value(Value::Object(given)).map_err(|error| vec![Finding::error(error.to_string())])
}

fn names(schema: &JsonObject) -> Vec<&str> {
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.into_iter().flatten().map(|(name, _)| name.as_str()).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::tools::check::Arguments;

    #[test]
    fn all_that_is_wrong_is_told_at_once() {
        let given = json!({ "modle": "x", "timeout": "soon", "properties": 3, "zzz": 1, "engine": "bdd" });
        let wrong = read::<Arguments>(given.as_object().cloned()).unwrap_err();
        let told: Vec<&str> = wrong.iter().map(|finding| finding.message.as_str()).collect();
        assert_eq!(told.len(), 4, "{told:?}");
        assert!(wrong.iter().any(|finding| finding.nearest.as_deref() == Some("model")), "{wrong:?}");
        assert!(told.iter().any(|message| message.starts_with("the argument `timeout`: invalid type")));
        assert!(read::<Arguments>(None).is_ok());
    }
}

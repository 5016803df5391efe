//! Prompts: what a person may ask an assistant to do with the tools.

use rmcp::ErrorData;
use rmcp::model::{
    ContentBlock, GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Resource, Role,
};
use serde_json::Value;
use servanda_syntax::nearest;

const MODEL: &str = "model_this_api";
const WHY: &str = "why_does_this_fail";

/// The prompts.
pub(crate) fn all() -> Vec<Prompt> {
    let argument = |name: &str, required, about: &str| {
        PromptArgument::new(name).with_description(about).with_required(required)
    };
    let model = [
        argument("api", true, "The API: its description, an OpenAPI document, or where its code is"),
        argument("worries", false, "What must never happen, or must always happen in the end"),
        argument("file", false, "The file to write the model to, as in `protocols/order.pact`"),
    ];
    let why = [
        argument("file", false, "The file with the model; or give `model`"),
        argument("model", false, "The text of the model; or give `file`"),
        argument("property", false, "The property that fails; without it, all that do"),
    ];
    vec![
        Prompt::new(MODEL, Some("Write a protocol for an API in Pact, and verify it"), Some(model.to_vec()))
            .with_title("Model this API"),
        Prompt::new(WHY, Some("Find out why a property fails, and correct it"), Some(why.to_vec()))
            .with_title("Why does this fail?"),
    ]
}

/// A prompt with its arguments.
pub(crate) fn get(name: &str, given: Option<&JsonObject>) -> Result<GetPromptResult, ErrorData> {
    let Some(prompt) = all().into_iter().find(|prompt| prompt.name == name) else {
        let near = nearest(name, [MODEL, WHY]).map(|near| format!("; did you mean {near}?"));
        let message = format!("there is no prompt {name}{}", near.unwrap_or_default());
        return Err(ErrorData::invalid_params(message, None));
    };
    let given = Given::read(&prompt, given)?;
    let messages = if name == MODEL { model(&given) } else { why(&given)? };
    Ok(GetPromptResult::new(messages).with_description(prompt.description.unwrap_or_default()))
}

/// The arguments of a prompt.
struct Given<'g>(Vec<(&'g str, &'g str)>);

impl<'g> Given<'g> {
    /// Reads them; all that is wrong with them is told at once.
    fn read(prompt: &Prompt, given: Option<&'g JsonObject>) -> Result<Self, ErrorData> {
        let known = prompt.arguments.as_deref().unwrap_or_default();
        let (mut read, mut wrong) = (Vec::new(), Vec::new());
        for (name, value) in given.into_iter().flatten() {
            match value {
                _ if known.iter().all(|argument| argument.name != *name) => {
                    let names: Vec<&str> = known.iter().map(|argument| argument.name.as_str()).collect();
                    wrong.push(format!("there is no argument `{name}`, only {}", names.join(", ")));
                }
                Value::String(value) => read.push((name.as_str(), value.as_str())),
                _ => wrong.push(format!("the argument `{name}` is a text")),
            }
        }
        let required = known.iter().filter(|argument| argument.required == Some(true));
        for argument in required.filter(|argument| read.iter().all(|(name, _)| *name != argument.name)) {
            wrong.push(format!("the argument `{}` is missing", argument.name));
        }
        if wrong.is_empty() {
            Ok(Given(read))
        } else {
            Err(ErrorData::invalid_params(wrong.join("; "), None))
        }
    }

    fn get(&self, wanted: &str) -> Option<&'g str> {
        let found = self.0.iter().find(|(name, _)| *name == wanted).map(|(_, value)| value.trim());
        found.filter(|value| !value.is_empty())
    }
}

fn model(given: &Given<'_>) -> Vec<PromptMessage> {
    let api = given.get("api").unwrap_or("the API of this project");
    let worries = given.get("worries").map_or_else(
        || "Ask yourself what can go wrong: paid and not delivered, promised and impossible to keep, stuck forever, done twice.".to_owned(),
        |worries| format!("These matter most: {worries}"),
    );
    let file = given.get("file").map_or_else(String::new, |file| format!(" Write it to `{file}`."));
    let text = format!(
        "Model this API as a protocol in Pact, the language of Servanda, and verify it.{file}\n\n\
         The API:\n{api}\n\n{worries}\n\n\
         1. Who takes part? These are the roles. Which requests and answers pass between them? These are the steps. What does each \
         promise by them? These are the commitments.\n\
         2. Write the smallest model that has them: control states, the steps between them, variables only where a guard needs them. \
         Bound all numbers.\n\
         3. Write properties for what must hold, and `expect false` for what must be possible to fail. Say in a comment what each means.\n\
         4. Call `check`. Correct the lines it names; `describe_error` explains codes. Repeat until it has no errors.\n\
         5. For every verdict that is not as wanted decide whether the model, the property or the API is wrong, with `explain`. Never \
         weaken a property only to make it pass, and say so where the API is wrong.\n\
         6. Call `simulate` to see that the model can do what the API does. Call `format`. Report the verdicts, and what is unknown as unknown.\n\n\
         A whole file, for the syntax:\n\n{}",
        glance()
    );
    let mut messages = vec![PromptMessage::new_text(Role::User, text)];
    messages.extend(["docs/pact.md", "docs/formulas.md", "examples/netbill.pact"].map(link));
    messages
}

/// A whole file that shows the syntax, as the reference has it.
fn glance() -> &'static str {
    let page = servanda_docs::page("pact.md").unwrap_or_default();
    let section = page.split("\n## A file at a glance\n").nth(1).unwrap_or_default();
    section.split("\n## ").next().unwrap_or_default().trim()
}

/// A link to a resource.
fn link(path: &str) -> PromptMessage {
    let (uri, mime) =
        (format!("servanda://{path}"), if path.ends_with(".md") { "text/markdown" } else { "text/plain" });
    PromptMessage::new(Role::User, ContentBlock::resource_link(Resource::new(uri, path).with_mime_type(mime)))
}

fn why(given: &Given<'_>) -> Result<Vec<PromptMessage>, ErrorData> {
    let subject = match (given.get("file"), given.get("model")) {
        (Some(file), None) => format!("The model is the file `{file}`: give it to the tools as `file`."),
        (None, Some(model)) => format!("The model, to be given to the tools as `model`:\n\n{model}"),
        _ => {
            return Err(ErrorData::invalid_params("give `file` or `model`", None));
        }
    };
    let what = given.get("property").map_or_else(
        || "Call `check` and look at each property that is not as wanted.".to_owned(),
        |property| format!("Call `explain` with the property `{property}`."),
    );
    let text = format!(
        "Find out why this fails in Servanda, and correct it.\n\n{subject}\n\n\
         1. {what} Where there are errors, correct the lines they name first; `describe_error` explains codes.\n\
         2. Follow the run of the chart step by step, and name the first step that should not have been possible, with its line.\n\
         3. Say which of three it is: the model allows too much, the property says something else than is meant, or the protocol itself \
         is wrong. Say which, and why, before you change anything.\n\
         4. Change as few lines as possible, and call `check` again on all properties: what held must still hold. A property that is \
         `unknown` has not passed.\n\
         5. Show what was changed, and the run that is no longer possible."
    );
    let mut messages = vec![PromptMessage::new_text(Role::User, text)];
    messages.push(link("docs/formulas.md"));
    Ok(messages)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::resources;

    fn of(name: &str, given: &Value) -> Result<String, String> {
        let given = given.as_object().cloned();
        let got = get(name, given.as_ref()).map_err(|error| error.message.into_owned())?;
        assert!(got.messages.iter().skip(1).all(|message| match &message.content {
            ContentBlock::ResourceLink(link) => resources::found(&link.uri).is_some(),
            _ => false,
        }));
        Ok(got.messages[0].content.as_text().unwrap().text.clone())
    }

    #[test]
    fn prompts_name_what_they_are_given() {
        let text = of(MODEL, &json!({ "api": "POST /orders", "worries": "paid twice" })).unwrap();
        assert!(text.contains("POST /orders") && text.contains("paid twice"), "{text}");
        assert!(text.contains("```pact\n") && text.contains("protocol Quotes"), "{text}");
        let text = of(WHY, &json!({ "file": "a.pact", "property": "safe" })).unwrap();
        assert!(text.contains("`a.pact`") && text.contains("`safe`"), "{text}");
    }

    #[test]
    fn all_that_is_wrong_with_arguments_is_told() {
        let wrong = of(MODEL, &json!({ "worry": "x", "file": 3 })).unwrap_err();
        for part in ["no argument `worry`", "`file` is a text", "`api` is missing"] {
            assert!(wrong.contains(part), "{wrong}");
        }
        assert!(of("model_this_ap", &json!({})).unwrap_err().ends_with("did you mean model_this_api?"));
        assert!(of(WHY, &json!({})).is_err());
    }
}

//! What is asked in the protocol, and who answers it.

use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult, CustomRequest,
    CustomResult, ErrorCode, GetPromptRequestParams, GetPromptResponse, Implementation, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, Reference, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use servanda_syntax::nearest;

use crate::desk::{Call, Desk};
use crate::{prompts, resources, tools};

/// What assistants are told first.
const INSTRUCTIONS: &str = "Servanda verifies protocols between agents that make promises to each other. Write a model in Pact \
    (servanda://docs/pact.md has the language, servanda://examples/netbill.pact a whole model), call `check`, change the lines it names, and \
    call it again. `explain` says why a verdict is what it is, `simulate` steps through the model, `audit` judges recorded conversations, \
    `describe_error` explains the code of a finding. Only the status `ok` is a pass: `undecided` and `unknown` are not.";

/// The server of one conversation.
#[derive(Clone)]
pub(crate) struct Handler {
    pub(crate) desk: Arc<Desk>,
    /// The version of the program.
    pub(crate) version: &'static str,
}

/// There is one page of everything.
fn one_page(request: Option<&PaginatedRequestParams>) -> Result<(), ErrorData> {
    match request.and_then(|request| request.cursor.as_ref()) {
        None => Ok(()),
        Some(_) => Err(ErrorData::invalid_params("there is no such cursor: everything is on one page", None)),
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_completions()
            .enable_prompts()
            .enable_resources()
            .enable_tools()
            .build();
        ServerConfig::new(capabilities)
            .with_server_info(
                Implementation::new("servanda", self.version)
                    .with_title("Servanda")
                    .with_description("Verification of protocols between agents"),
            )
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        one_page(request.as_ref())?;
        Ok(ListToolsResult::with_all_items(tools::all()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::all().into_iter().find(|tool| tool.name == name)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let call = Call::new(&context);
        let called = tools::call(&request.name, request.arguments, &self.desk, &call);
        // What is dropped here ends, its process included.
        let called = tokio::select! {
            called = called => called,
            () = context.ct.cancelled() => return Err(ErrorData::internal_error("the call was cancelled", None)),
            () = self.desk.over.cancelled() => return Err(ErrorData::internal_error("the server ends", None)),
        };
        called.map(CallToolResponse::from).ok_or_else(|| {
            let tools = tools::all();
            let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
            let help = match nearest(&request.name, names.iter().copied()) {
                Some(near) => format!("did you mean {near}?"),
                None => format!("the tools are {}", names.join(", ")),
            };
            ErrorData::invalid_params(format!("there is no tool {}; {help}", request.name), None)
        })
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        one_page(request.as_ref())?;
        Ok(ListResourcesResult::with_all_items(resources::all()))
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        one_page(request.as_ref())?;
        Ok(ListResourceTemplatesResult::with_all_items(resources::templates()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        resources::read(&request.uri).map(ReadResourceResponse::from)
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        one_page(request.as_ref())?;
        Ok(ListPromptsResult::with_all_items(prompts::all()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        prompts::get(&request.name, request.arguments.as_ref()).map(GetPromptResponse::from)
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let argument = &request.argument;
        match &request.r#ref {
            Reference::Resource(template) => {
                resources::complete(&template.uri, &argument.name, &argument.value).map(CompleteResult::new)
            }
            Reference::Prompt(prompt) => {
                let known = prompts::all().into_iter().find(|known| known.name == prompt.name);
                let arguments = known.and_then(|known| known.arguments).unwrap_or_default();
                match arguments.iter().any(|known| known.name == argument.name) {
                    // What can be said is free text.
                    true => Ok(CompleteResult::default()),
                    false => {
                        let message = format!("no prompt {} has an argument {}", prompt.name, argument.name);
                        Err(ErrorData::invalid_params(message, None))
                    }
                }
            }
            _ => Err(ErrorData::invalid_params("only templates and prompts have arguments", None)),
        }
    }

    /// What is no request that is known; or one, with parameters that make no sense.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        const KNOWN: [&str; 7] = [
            "completion/complete",
            "initialize",
            "prompts/get",
            "prompts/list",
            "resources/read",
            "tools/call",
            "tools/list",
        ];
        let method = request.method;
        Err(if KNOWN.contains(&method.as_str()) {
            ErrorData::invalid_params(format!("the parameters of {method} make no sense"), None)
        } else {
            ErrorData::new(ErrorCode::METHOD_NOT_FOUND, format!("there is no method {method}"), None)
        })
    }
}

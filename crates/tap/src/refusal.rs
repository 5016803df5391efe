//! What is answered where a message may not pass.

use serde_json::value::RawValue;

/// Why a message may not pass, in words for whoever sent it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The code of what was found.
    pub code: String,
    /// What is wrong with the message.
    pub message: String,
}

/// "Invalid Request" of JSON-RPC: the message is well-formed and makes no sense here.
const INVALID_REQUEST: i32 = -32600;

/// What is looked at in a message: is it a request, and of which number? The number is kept as it was written.
#[derive(serde::Deserialize)]
struct Head<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Option<&'a RawValue>,
}

/// The number of the request that a message is, as it is written; `None` for everything else.
pub(crate) fn request_id(message: &[u8]) -> Option<String> {
    let head: Head<'_> = serde_json::from_slice(message).ok()?;
    head.method?;
    Some(head.id?.get().to_owned())
}

impl Refusal {
    /// The answer to a request with this number, as JSON-RPC has it, without an end of line.
    pub(crate) fn answer(&self, id: &str) -> String {
        let text = serde_json::Value::from(format!("not passed on: {}", self.message));
        let code = serde_json::Value::from(self.code.as_str());
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{INVALID_REQUEST},"message":{text},"data":{{"servanda":{code}}}}}}}"#
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_requests_are_kept_as_written() {
        let id = |text: &str| request_id(text.as_bytes());
        assert_eq!(
            id(r#"{"id":12345678901234567890123,"method":"m"}"#),
            Some("12345678901234567890123".into())
        );
        assert_eq!(id(r#"{"method":"m","id":"a\"b"}"#), Some(r#""a\"b""#.into()));
        assert_eq!(id(r#"{"method":"m"}"#), None);
        assert_eq!(id(r#"{"id":1,"result":{}}"#), None);
        assert_eq!(id("nonsense"), None);
    }

    #[test]
    fn an_answer_is_json_whatever_is_in_it() {
        let refusal = Refusal { code: "not-possible".into(), message: "a \"quote\"\nand a line".into() };
        let answer: serde_json::Value = serde_json::from_str(&refusal.answer("7")).unwrap();
        assert_eq!(answer["id"], 7);
        assert_eq!(answer["error"]["code"], INVALID_REQUEST);
        assert_eq!(answer["error"]["message"], "not passed on: a \"quote\"\nand a line");
    }
}

//! Why a request is not answered.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

/// A request that is refused, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    status: StatusCode,
    message: String,
}

impl Refused {
    /// Refused with this status.
    pub fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Refused { status, message: message.into() }
    }

    /// There is nothing there.
    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Refused::new(StatusCode::NOT_FOUND, message)
    }

    /// It is not allowed, whoever asks.
    pub(crate) fn forbidden(message: impl Into<String>) -> Self {
        Refused::new(StatusCode::FORBIDDEN, message)
    }

    /// It is more than is taken.
    pub(crate) fn too_large(message: impl Into<String>) -> Self {
        Refused::new(StatusCode::PAYLOAD_TOO_LARGE, message)
    }
}

impl std::fmt::Display for Refused {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Refused {}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        (self.status, self.message).into_response()
    }
}

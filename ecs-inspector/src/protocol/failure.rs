//! Errors of requests: a code for programs, a message for people.

use std::fmt;

use serde::Serialize;

/// An error of the protocol.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Failure {
    pub(crate) code: Code,
    pub(crate) message: String,
}

/// The kinds of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Code {
    BadRequest,
    Unauthorized,
    BadHost,
    BadOrigin,
    ReadOnly,
    UnknownQuery,
    UnknownCommand,
    UnknownContext,
    UnknownComponent,
    UnknownEntity,
    UnknownGroup,
    UnknownTemplate,
    UnknownSystem,
    UnknownMark,
    BadMethod,
    Rejected,
    TooLarge,
    BadContentType,
    Busy,
    Timeout,
}

impl Code {
    /// Returns the HTTP status.
    pub(crate) fn status(self) -> u16 {
        match self {
            Self::BadRequest => 400,
            Self::Unauthorized => 401,
            Self::BadHost | Self::BadOrigin | Self::ReadOnly => 403,
            Self::UnknownQuery
            | Self::UnknownCommand
            | Self::UnknownContext
            | Self::UnknownComponent
            | Self::UnknownEntity
            | Self::UnknownGroup
            | Self::UnknownTemplate
            | Self::UnknownSystem
            | Self::UnknownMark => 404,
            Self::BadMethod => 405,
            Self::Rejected => 409,
            Self::TooLarge => 413,
            Self::BadContentType => 415,
            Self::Busy => 429,
            Self::Timeout => 504,
        }
    }

    /// Creates an error of this kind.
    pub(crate) fn because(self, message: impl fmt::Display) -> Failure {
        Failure {
            code: self,
            message: message.to_string(),
        }
    }
}

//! What others say to a connection, and why it ends.

use ecs_rooms::Reason;

/// What others have to say to a connection.
#[derive(Debug)]
pub(crate) enum Event {
    /// The room of this join is over, or cannot be shown.
    Left(u64, String),
    TooSlow,
    TakenOver,
    Kicked(String),
}

/// Why a connection ends.
#[derive(Debug)]
pub(crate) enum End {
    /// The client has closed it, or is not there any more.
    Gone,
    Malformed(String),
    Rejected(String),
    Silent,
    TooSlow,
    TooManyInputs,
    TakenOver,
    Kicked(String),
    /// The room does not know the connection of the player any more.
    Forgotten,
    /// The client should connect again.
    Moves,
}

impl End {
    pub(crate) fn malformed(text: impl Into<String>) -> Self {
        Self::Malformed(text.into())
    }

    /// Because inputs are not accepted any more.
    pub(crate) fn of(reason: Reason) -> Self {
        match reason {
            Reason::TakenOver => Self::TakenOver,
            Reason::Expired => Self::Moves,
            Reason::Forgotten => Self::Forgotten,
            reason => Self::Kicked(reason.to_string()),
        }
    }

    /// The code and the text of the close frame.
    pub(crate) fn code(self) -> Option<(u16, String)> {
        let text = |text: &str| text.to_owned();
        Some(match self {
            Self::Gone => return None,
            Self::Moves => (1001, text("connect again")),
            Self::Rejected(reason) => (4000, reason),
            Self::Malformed(reason) => (4001, reason),
            Self::Silent => (4002, text("nothing was heard for too long")),
            Self::TooSlow => (4003, text("the client reads too slowly")),
            Self::TooManyInputs => (4004, text("too many inputs have no outcome yet")),
            Self::TakenOver => (4005, Reason::TakenOver.to_string()),
            Self::Kicked(reason) => (4006, reason),
            Self::Forgotten => (4007, Reason::Forgotten.to_string()),
        })
    }
}

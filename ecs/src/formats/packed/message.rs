//! Errors of formats.

use alloc::boxed::Box;
use alloc::string::{String, ToString as _};
use core::fmt;

/// An error of the encoding, or of the type being written or read.
#[derive(Debug)]
pub struct Message(Option<Box<MessageText>>);

/// Boxed, so that a number or an error is returned in registers.
#[derive(Debug)]
struct MessageText {
    text: String,
    /// The path to the value that the text describes; empty for the whole value.
    path: Option<String>,
}

impl Message {
    /// An error that is never shown.
    pub(crate) const fn none() -> Self {
        Self(None)
    }

    /// Creates an error with this text.
    pub(crate) fn new(text: impl fmt::Display) -> Self {
        let text = text.to_string();
        Self(Some(Box::new(MessageText { text, path: None })))
    }

    /// Creates an error that says what a value is.
    pub(super) fn of_value(text: impl fmt::Display) -> Self {
        let text = text.to_string();
        let path = Some(String::new());
        Self(Some(Box::new(MessageText { text, path })))
    }

    /// Prepends a step to the path of the value.
    #[cold]
    pub(super) fn inside(mut self, step: impl fmt::Display) -> Self {
        if let Some(path) = self.0.as_mut().and_then(|text| text.path.as_mut()) {
            let dot = match path.starts_with('[') || path.is_empty() {
                true => "",
                false => ".",
            };
            *path = alloc::format!("{step}{dot}{path}");
        }
        self
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(message) = &self.0 else {
            return Ok(());
        };
        match message.path.as_deref() {
            Some("") => f.write_str("its value is ")?,
            Some(path) => write!(f, "its field `{path}` is ")?,
            None => {}
        }
        f.write_str(&message.text)
    }
}

impl core::error::Error for Message {}

/// The text for invalid input.
impl From<Message> for String {
    fn from(error: Message) -> Self {
        alloc::format!("the bytes are broken: {error}")
    }
}

impl serde::ser::Error for Message {
    fn custom<T: fmt::Display>(text: T) -> Self {
        Self::new(text)
    }
}

impl serde::de::Error for Message {
    fn custom<T: fmt::Display>(text: T) -> Self {
        Self::new(text)
    }
}

//! Why something could not be written or read, as a text.

use alloc::boxed::Box;
use alloc::string::{String, ToString as _};
use core::fmt;

/// An error of the encoding, or of the type that is written or read.
#[derive(Debug)]
pub struct Message(Option<Box<Text>>);

/// Behind a thin pointer, so that a number or an error is returned in registers.
#[derive(Debug)]
struct Text(String);

impl Message {
    /// An error that nobody is told of.
    pub(crate) const fn none() -> Self {
        Self(None)
    }

    /// An error with this text.
    pub(crate) fn new(text: impl fmt::Display) -> Self {
        Self(Some(Box::new(Text(text.to_string()))))
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_ref().map_or("", |text| &text.0))
    }
}

impl core::error::Error for Message {}

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

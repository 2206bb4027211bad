//! The component kinds of trace scripts, `A` to `H`, and their values as text. This file is
//! independent of entities.

use std::fmt;

/// A component kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    A,
    B,
    C,
    D,
    E,
    F,
    G,
    H,
}

impl Kind {
    pub(crate) const ALL: [Self; 8] = [
        Self::A,
        Self::B,
        Self::C,
        Self::D,
        Self::E,
        Self::F,
        Self::G,
        Self::H,
    ];

    /// Parses the name of a kind.
    pub(crate) fn parse(word: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.to_string() == word)
            .ok_or_else(|| {
                format!("`{word}` is no kind of component; kinds are the letters A to H")
            })
    }

    /// Returns whether components of this kind have no value.
    pub(crate) fn is_flag(self) -> bool {
        matches!(self, Self::G | Self::H)
    }
}

/// Writes the letter.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// A component as written in scripts and logs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    pub(crate) kind: Kind,
    /// The value of the component; 0 for a flag, which has none.
    pub(crate) number: i64,
}

impl Value {
    /// Parses a component: `A 5`, `G -`.
    pub(crate) fn parse(kind: &str, content: &str) -> Result<Self, String> {
        let kind = Kind::parse(kind)?;
        let number = match (kind.is_flag(), content) {
            (true, "-") => 0,
            (true, _) => {
                return Err(format!(
                    "{kind} is a flag and holds no value; write `{kind} -` instead of \
                     `{kind} {content}`"
                ));
            }
            (false, "-") => {
                return Err(format!(
                    "{kind} holds an integer; write it in place of `-`, as in `{kind} 5`"
                ));
            }
            (false, _) => integer(content)?,
        };
        Ok(Self { kind, number })
    }

    /// Returns the value as text: `5`, or `-` for a flag.
    pub(crate) fn content(self) -> String {
        if self.kind.is_flag() {
            "-".into()
        } else {
            self.number.to_string()
        }
    }

    /// Returns the form that `show` prints: `A=5`, or just the name of a flag.
    pub(crate) fn shown(self) -> String {
        if self.kind.is_flag() {
            self.kind.to_string()
        } else {
            format!("{}={}", self.kind, self.number)
        }
    }
}

/// Parses an integer.
pub(crate) fn integer(word: &str) -> Result<i64, String> {
    word.parse().map_err(|_| {
        format!(
            "`{word}` is no integer; write one from {} to {}",
            i64::MIN,
            i64::MAX
        )
    })
}

//! Names of entities: the id, and the text of the label if there is one.

use alloc::string::String;
use core::fmt::{self, Display, Write as _};

use crate::words::entity_id::RawEntityId;

/// The maximum number of characters shown of a label.
const MOST_CHARACTERS: usize = 64;

/// An entity's name in logs and messages: its id, and its label if it has one, such as
/// `9v2 "Hero"`. Returned by [`Context::name_of`](crate::Context::name_of).
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// #[derive(Component)]
/// #[component(context = Game, label)]
/// struct Name(String);
///
/// let mut game = Game::new();
/// let hero = game.create_with(Name("Hero".into())).id();
/// let name = game.name_of(hero);
/// assert_eq!((name.id(), name.label()), (hero.raw(), Some("Hero")));
/// assert_eq!(name.to_string(), r#"0v1 "Hero""#);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct EntityName {
    id: RawEntityId,
    label: Option<String>,
}

impl EntityName {
    pub(crate) fn new(id: RawEntityId, label: Option<String>) -> Self {
        Self { id, label }
    }

    /// Returns the entity's id.
    pub fn id(&self) -> RawEntityId {
        self.id
    }

    /// Returns the entity's label; `None` if it has none or is dead.
    pub fn label(&self) -> Option<&str> {
        self.label.as_deref()
    }
}

impl Display for EntityName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_name(f, self.id, self.label())
    }
}

impl fmt::Debug for EntityName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

/// Writes `9v2` or `9v2 "Hero"`.
pub(crate) fn write_name(
    f: &mut fmt::Formatter<'_>,
    id: RawEntityId,
    label: Option<&str>,
) -> fmt::Result {
    write!(f, "{id}")?;
    label.map_or(Ok(()), |label| write!(f, " {label:?}"))
}

/// Returns the printed text, cut to the maximum length and followed by `…` if it was longer.
pub(crate) fn shortened(label: impl Display) -> String {
    let mut text = Shortened(String::new());
    if write!(text, "{label}").is_err() && text.0.chars().count() == MOST_CHARACTERS {
        text.0.push('…');
    }
    text.0
}

/// Accepts as many characters as are shown, then fails.
struct Shortened(String);

impl fmt::Write for Shortened {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = MOST_CHARACTERS - self.0.chars().count();
        match text.char_indices().nth(room) {
            Some((end, _)) => {
                self.0.push_str(&text[..end]);
                Err(fmt::Error)
            }
            None => {
                self.0.push_str(text);
                Ok(())
            }
        }
    }
}

/// Types that can be shown as a label. Used by generated code only.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be shown as a label, because it is not `Display`",
    label = "not `Display`",
    note = "the label of a struct with one field is that field, as in `struct Name(String);`, else it is the component itself: write `impl core::fmt::Display for {Self}`"
)]
pub trait LabelText {
    /// Prints the value.
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
}

#[diagnostic::do_not_recommend]
impl<T: Display + ?Sized> LabelText for T {
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fmt(f)
    }
}

/// Prints a label.
pub fn write_label<T: LabelText + ?Sized>(value: &T, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    value.write(f)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_label_is_cut_between_characters() {
        let long = "é".repeat(MOST_CHARACTERS);
        assert_eq!(shortened(&long), long);
        assert_eq!(shortened(format_args!("{long}{long}")), long.clone() + "…");
        assert_eq!(shortened(format_args!("a{long}")).chars().count(), 65);
    }
}

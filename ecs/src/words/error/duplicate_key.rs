//! The key that two entities would share.

use alloc::string::String;

/// A key of a primary index that is taken, for messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DuplicateKey {
    pub(crate) field: &'static str,
    pub(crate) lookup: &'static str,
    pub(crate) text: Option<String>,
}

impl DuplicateKey {
    /// Returns the name of the indexed field.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.create_entity().add_seat(7);
    /// let error = game.create_entity().try_add_seat(7).map(drop).unwrap_err();
    /// let key = error.key().unwrap();
    /// assert_eq!(key.field(), "number");
    /// ```
    pub fn field(&self) -> &'static str {
        self.field
    }

    /// Returns the method that looks entities up by it, as in `entity_with_id`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.create_entity().add_seat(7);
    /// let error = game.create_entity().try_add_seat(7).map(drop).unwrap_err();
    /// let key = error.key().unwrap();
    /// assert_eq!(key.lookup(), "entity_with_seat");
    /// ```
    pub fn lookup(&self) -> &'static str {
        self.lookup
    }

    /// Returns the key as text, if its type has `Debug`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.create_entity().add_seat(7);
    /// let error = game.create_entity().try_add_seat(7).map(drop).unwrap_err();
    /// let key = error.key().unwrap();
    /// assert_eq!(key.text(), Some("7"));
    /// ```
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }
}

//! What a component says of its indexed fields, in terms that need nothing of what
//! an index is made of: functions that the derive takes from the floors above.

use alloc::boxed::Box;
use alloc::string::String;
use core::any::Any;

use crate::words::entity_id::RawEntityId;

/// One indexed field of component `T`.
///
/// Made by [`field_index`](crate::__private::field_index) alone.
#[doc(hidden)]
pub struct FieldIndex<T> {
    pub(crate) primary: bool,
    /// Gives a core (which it is handed as a value of any type) the index.
    pub(crate) install: fn(&mut dyn Any),
    pub(crate) taken: TakenFn<T>,
}

/// Looks in a core for another entity that has a key of one of these values; also
/// among the values themselves.
pub(crate) type TakenFn<T> = fn(&dyn Any, &[(RawEntityId, &T)]) -> Option<Box<Taken>>;

/// A key of a primary index that two entities would share.
pub(crate) struct Taken {
    /// The entity that cannot have it.
    pub(crate) entity: RawEntityId,
    /// The one that has it.
    pub(crate) owner: RawEntityId,
    pub(crate) key: DuplicateKey,
}

/// A key of a primary index that is taken, for messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DuplicateKey {
    pub(crate) field: &'static str,
    pub(crate) lookup: &'static str,
    pub(crate) text: Option<String>,
}

impl DuplicateKey {
    /// The name of the indexed field.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component, Clone)] #[component(context = Game)]
    /// # struct Seat { #[component(primary_index)] number: u32 }
    /// let mut game = Game::new();
    /// game.create_entity().add_seat(7);
    /// let error = game.create_entity().try_add_seat(7).map(drop).unwrap_err();
    /// let Error::DuplicateKey { key, .. } = error else { unreachable!() };
    /// assert_eq!(key.field(), "number");
    /// ```
    pub fn field(&self) -> &'static str {
        self.field
    }

    /// The method that looks entities up by it, as in `entity_with_id`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component, Clone)] #[component(context = Game)]
    /// # struct Seat { #[component(primary_index)] number: u32 }
    /// let mut game = Game::new();
    /// game.create_entity().add_seat(7);
    /// let error = game.create_entity().try_add_seat(7).map(drop).unwrap_err();
    /// let Error::DuplicateKey { key, .. } = error else { unreachable!() };
    /// assert_eq!(key.lookup(), "entity_with_seat");
    /// ```
    pub fn lookup(&self) -> &'static str {
        self.lookup
    }

    /// The key as text, where its type has `Debug`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component, Clone)] #[component(context = Game)]
    /// # struct Seat { #[component(primary_index)] number: u32 }
    /// let mut game = Game::new();
    /// game.create_entity().add_seat(7);
    /// let error = game.create_entity().try_add_seat(7).map(drop).unwrap_err();
    /// let Error::DuplicateKey { key, .. } = error else { unreachable!() };
    /// assert_eq!(key.text(), Some("7"));
    /// ```
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }
}

/// Whether one of the indexes is a primary one.
pub(crate) const fn has_primary<T>(indexes: &[FieldIndex<T>]) -> bool {
    let mut at = 0;
    while at < indexes.len() {
        if indexes[at].primary {
            return true;
        }
        at += 1;
    }
    false
}

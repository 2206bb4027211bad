//! State of the context that a save does not contain.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::{Buffered, Storage};
use crate::records::save::Save;
use crate::state::{HasCore, internal_collectors, undelivered};

/// Unread data that a save of the context does not contain.
///
/// Returned by [`Save::pending`](crate::Save::pending).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pending {
    /// The kind of its owner.
    pub kind: PendingKind,
    /// What the owner collects: matchers with events, the type of a message, or the type of a
    /// removed value. Empty for listeners.
    pub name: String,
    /// The name of the reactive system that reads it, if it was created for one. If a list of
    /// systems has several closures of one function, it appends a number to the name.
    pub system: Option<String>,
    /// The number of entities, messages, values or events.
    pub count: usize,
}

/// The owner of pending data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PendingKind {
    /// A [`Collector`](crate::Collector), such as that of a reactive system.
    Collector,
    /// An [`Inbox`](crate::Inbox).
    Inbox,
    /// A list of [`RemovedValues`](crate::RemovedValues).
    RemovedValues,
    /// Undelivered events for listeners of [`Events`](crate::Events).
    Listeners,
}

impl<C: HasCore> Save<'_, C> {
    /// Returns what the context contains but the save does not: the contents of collectors, inboxes
    /// and lists of removed values, and undelivered events.
    ///
    /// If it is empty, a program that loads the save and creates the same systems continues exactly
    /// as this one, except for the orders that [`Context::save`](crate::Context::save) names.
    /// Otherwise this program will still react to something that is unknown to the loaded one: save
    /// at another time, or clear what is pending in this program too. See the guide's page
    /// [saving](crate::guide::saving#continuing-exactly).
    ///
    /// Collectors of feeds are excluded. Fields of systems and actions in a
    /// [`Deferred`](crate::Deferred) queue are not part of the context, so they are not reported.
    ///
    /// Complexity: linear in the collectors, inboxes and lists, and in the undelivered events.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut systems = Systems::new().for_each_changed(
    ///     &mut game,
    ///     Game::all_of::<Health>().updated(),
    ///     |game: &mut Game, id| {
    ///         game.entity_mut(id).update_health(|health| health.0 -= 1); // triggers itself
    ///     },
    /// );
    /// let id = game.create_with(Health(9)).id();
    /// assert!(game.save().pending().is_empty());
    ///
    /// game.entity_mut(id).replace_health(5);
    /// systems.execute(&mut game);
    /// let pending = game.save().pending();
    /// assert!(pending[0].to_string().starts_with("collector of AllOf(Health) {Updated}, read by"));
    /// assert_eq!(pending[0].count, 1);
    ///
    /// systems.clear(&mut game); // this program discards the change, too
    /// assert!(game.save().pending().is_empty());
    /// ```
    pub fn pending(&self) -> Vec<Pending> {
        of(self.context)
    }
}

/// The pending data of a context: collectors, inboxes, removed values, events.
fn of<C: HasCore>(context: &C) -> Vec<Pending> {
    let (core, storage) = (context.core(), || Storage::new(context));
    let internal = internal_collectors(&core.subs);
    let mut collectors = storage().collectors();
    collectors.retain(|collector| !internal.contains(&collector.number));
    let kinds = [
        (PendingKind::Collector, collectors),
        (PendingKind::Inbox, storage().inboxes()),
        (PendingKind::RemovedValues, storage().removed_values()),
    ];
    let each = |(kind, all): (PendingKind, Vec<Buffered>)| {
        let all = all.into_iter().filter(|buffered| buffered.count > 0);
        all.map(move |buffered| Pending {
            kind,
            name: buffered.name,
            system: buffered.system,
            count: buffered.count,
        })
    };
    let events = undelivered(context);
    let events = (events > 0).then(|| Pending {
        kind: PendingKind::Listeners,
        name: String::new(),
        system: None,
        count: events,
    });
    kinds.into_iter().flat_map(each).chain(events).collect()
}

/// Prints the owner, the reading system and the count.
impl fmt::Display for Pending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        match self.kind {
            PendingKind::Collector => write!(f, "collector of {name}")?,
            PendingKind::Inbox => write!(f, "inbox of {name}")?,
            PendingKind::RemovedValues => write!(f, "removed values of {name}")?,
            PendingKind::Listeners => f.write_str("listeners")?,
        }
        if let Some(system) = &self.system {
            write!(f, ", read by `{system}`")?;
        }
        write!(f, ": {}", self.count)
    }
}

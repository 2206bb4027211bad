//! Lists of what waits in a context to be read: collectors, inboxes, removed values and indexes,
//! with their sizes.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::storage::Storage;
use crate::state::HasCore;
use crate::storage::registry::numbering;

/// A collector, an inbox, a list of removed values or an index, and its size.
///
/// Returned by [`Storage::collectors`](crate::Storage::collectors),
/// [`inboxes`](crate::Storage::inboxes), [`removed_values`](crate::Storage::removed_values) and
/// [`indexes`](crate::Storage::indexes).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Buffered {
    /// Its number among those of its kind. Numbers of released ones are reused.
    pub number: usize,
    /// What it collects: matchers with events, the type of a message or value, or the matcher of an
    /// index.
    pub name: String,
    /// The name of the reactive system that reads it, if it was created for one. If a list of
    /// systems has several closures of one function, it appends a number to the name.
    pub system: Option<String>,
    /// The number of entities in it, or of unread messages or values.
    pub count: usize,
}

impl<C: HasCore> Storage<'_, C> {
    /// Returns all collectors, with the number of entities in each.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let collector = game.collector(Game::all_of::<Health>().entered());
    /// game.create_with(Health(3));
    /// let collectors = game.storage().collectors();
    /// assert_eq!(collectors[0].name, "AllOf(Health) {Entered}");
    /// assert_eq!(collectors[0].count, 1);
    /// ```
    pub fn collectors(self) -> Vec<Buffered> {
        let core = self.context().core();
        let buffered = |(number, groups): (usize, &[_])| Buffered {
            number,
            name: each(groups.iter().map(|(group, events)| {
                format!("{:?} {events:?}", core.world.matcher::<C>(*group))
            })),
            system: core.subs.collectors().reader(number),
            count: core.subs.collectors().buffered(number),
        };
        core.subs.collectors().all().map(buffered).collect()
    }

    /// Returns all inboxes, with the number of unread messages in each.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let inbox = game.inbox::<u32>();
    /// game.send(7_u32);
    /// let inboxes = game.storage().inboxes();
    /// assert_eq!((&*inboxes[0].name, inboxes[0].count), ("u32", 1));
    /// ```
    pub fn inboxes(self) -> Vec<Buffered> {
        let mut inboxes = Vec::new();
        self.context()
            .core()
            .subs
            .messages()
            .visit(&mut |name, count, handle| {
                inboxes.push(Buffered {
                    number: inboxes.len(),
                    name: String::from(name),
                    system: handle.reader(),
                    count,
                });
            });
        inboxes
    }

    /// Returns all lists of removed values, with the number of values in each.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let lost = game.removed_values::<Health>();
    /// game.create_with(Health(3)).remove_health();
    /// assert_eq!(game.storage().removed_values()[0].count, 1);
    /// ```
    pub fn removed_values(self) -> Vec<Buffered> {
        let logs = self.context().core().subs.removed().summaries();
        let buffered = logs.map(|(number, (name, count), handle)| Buffered {
            number,
            name: String::from(name),
            system: handle.reader(),
            count,
        });
        buffered.collect()
    }

    /// Returns all indexes, including those of relations, with the number of entities in each.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let index = game.entity_index(Game::all_of::<Health>(), |entity| entity.health().0);
    /// game.create_with(Health(3));
    /// let indexes = game.storage().indexes();
    /// let of_health = indexes.iter().find(|each| &*each.name == "AllOf(Health)").unwrap();
    /// assert_eq!(of_health.count, 1);
    /// ```
    pub fn indexes(self) -> Vec<Buffered> {
        let core = self.context().core();
        let buffered = |(number, group, relation)| {
            let matcher = core.world.matcher::<C>(group);
            let name = match relation {
                Some(component) => format!("links of {}", numbering::<C>().name(component)),
                None => format!("{matcher:?}"),
            };
            Buffered {
                number,
                name,
                system: None,
                count: core.world.group_len(group),
            }
        };
        core.subs.indexes().all().map(buffered).collect()
    }
}

fn each(names: impl Iterator<Item = String>) -> String {
    names.collect::<Vec<_>>().join(" or ")
}

//! What gathers in a context until somebody reads it: collectors, inboxes, indexes, with the number of
//! what each of them holds.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::storage::Storage;
use crate::state::HasCore;
use crate::storage::registry::numbering;

/// A collector, an inbox or an index, and how much it holds. Returned by
/// [`Storage::collectors`](crate::Storage::collectors), [`inboxes`](crate::Storage::inboxes) and
/// [`indexes`](crate::Storage::indexes).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Gathered {
    /// Its number among those of its kind; that of one that has ended is used again.
    pub number: usize,
    /// What it follows: matchers with events, the type of a message, the matcher of an index.
    pub name: String,
    /// The entities that it holds, or the messages that it has not read.
    pub count: usize,
}

impl<C: HasCore> Storage<'_, C> {
    /// Returns the collectors, with how many entities each holds.
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
    pub fn collectors(self) -> Vec<Gathered> {
        let core = self.context().core();
        let gathered = |(number, groups): (usize, &[_])| Gathered {
            number,
            name: each(
                groups
                    .iter()
                    .map(|(group, events)| format!("{:?} {events:?}", core.matcher(*group))),
            ),
            count: core.collectors.held(number),
        };
        core.collectors.all().map(gathered).collect()
    }

    /// Returns the inboxes, with how many messages each has not read.
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
    pub fn inboxes(self) -> Vec<Gathered> {
        let mut inboxes = Vec::new();
        self.context().core().messages.visit(&mut |name, count| {
            inboxes.push(Gathered {
                number: inboxes.len(),
                name: String::from(name),
                count,
            });
        });
        inboxes
    }

    /// Returns the indexes, those of relations too, with how many entities are in each.
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
    pub fn indexes(self) -> Vec<Gathered> {
        let core = self.context().core();
        let gathered = |(number, group, relation)| {
            let matcher = core.matcher(group);
            let name = match relation {
                Some(component) => format!("links of {}", numbering::<C>().name(component)),
                None => format!("{matcher:?}"),
            };
            Gathered {
                number,
                name,
                count: core.groups.members(group).len(),
            }
        };
        core.indexes.all().map(gathered).collect()
    }
}

fn each(names: impl Iterator<Item = String>) -> String {
    names.collect::<Vec<_>>().join(" or ")
}

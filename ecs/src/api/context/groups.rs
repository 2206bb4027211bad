//! The methods of a [`Group`]: reading, iterating, observing.

use alloc::format;
use alloc::vec::Vec;
use core::fmt;

use super::group_iter::GroupIter;
use crate::api::entity::{Entity, EntityMut, Handles};
use crate::matching::group::{Group, GroupData};
use crate::matching::matcher::{GroupEvent, Matcher};
use crate::matching::members::Members;
use crate::reactions::change::Change;
use crate::reactions::notification::of_changes;
use crate::reactions::subscription::{Subject, Subscription};
use crate::state::{self, check_own, subscribe};
use crate::words::demands::{Confined, FitsIn};
use crate::words::entity_id::EntityId;
use crate::words::printed::from_fn;

impl<C: Handles> Group<C> {
    #[inline]
    #[track_caller]
    fn data(self, context: &C) -> &GroupData {
        let core = context.core();
        check_own(&core.world, self.instance, "group");
        core.world.groups().get(self.index)
    }

    #[inline]
    #[track_caller]
    fn members(self, context: &C) -> Members<'_> {
        self.data(context);
        context.core().world.members(self.index)
    }

    /// Returns the number of members.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.create_entity().add_frozen();
    /// let frozen = game.group(Game::all_of::<Frozen>());
    /// assert_eq!(frozen.len(&game), 1);
    /// ```
    #[inline]
    #[track_caller]
    pub fn len(self, context: &C) -> usize {
        self.data(context);
        context.core().world.group_len(self.index)
    }

    /// Returns whether the group has no members.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let frozen = game.group(Game::all_of::<Frozen>());
    /// assert!(frozen.is_empty(&game));
    /// ```
    #[inline]
    #[track_caller]
    pub fn is_empty(self, context: &C) -> bool {
        self.members(context).words().next().is_none()
    }

    /// Returns whether the entity is alive and matches.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let frozen = game.group(Game::all_of::<Frozen>());
    /// let id = game.create_entity().id();
    /// assert!(!frozen.contains(&game, id));
    /// ```
    #[inline]
    #[track_caller]
    pub fn contains(self, context: &C, id: EntityId<C>) -> bool {
        self.data(context);
        context.core().world.is_member(self.index, id)
    }

    /// Returns the members, read-only, in ascending order of their [rows](crate::guide::glossary):
    /// the order of the slots, unless entities have been moved.
    ///
    /// The iterator borrows the context, so nothing can change meanwhile. To change members, use
    /// [`for_each`](Self::for_each) or get the [`ids`](Self::ids) first.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let living = game.group(Game::all_of::<Health>());
    /// game.create_many([Health(3), Health(4)]);
    /// let total: u32 = living.iter(&game).map(|entity| entity.health().0).sum();
    /// assert_eq!(total, 7);
    /// ```
    #[inline]
    #[track_caller]
    pub fn iter(self, context: &C) -> GroupIter<'_, C> {
        GroupIter::new(self.members(context).iter(), context)
    }

    /// Returns the ids of the members, in the order of [`iter`](Self::iter).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let frozen = game.group(Game::all_of::<Frozen>());
    /// let ids = game.create_many([Frozen, Frozen]);
    /// assert_eq!(frozen.ids(&game), ids);
    /// ```
    #[track_caller]
    pub fn ids(self, context: &C) -> Vec<EntityId<C>> {
        let mut ids = Vec::new();
        self.collect_into(context, &mut ids);
        ids
    }

    /// Replaces the contents of `ids` with the ids of the members, so that one list can be reused.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let frozen = game.group(Game::all_of::<Frozen>());
    /// let id = game.create_entity().add_frozen().id();
    /// let mut ids = vec![id; 7];
    /// frozen.collect_into(&game, &mut ids);
    /// assert_eq!(ids, [id]);
    /// ```
    #[track_caller]
    pub fn collect_into(self, context: &C, ids: &mut Vec<EntityId<C>>) {
        ids.clear();
        let slots = context.core().world.slots();
        ids.extend(
            self.members(context)
                .iter()
                .filter_map(|row| slots.id_in(row)),
        );
    }

    /// Returns the only member, or `None` if the group is empty.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let players = game.group(Game::all_of::<Player>());
    /// assert!(players.single(&game).is_none());
    /// let id = game.create_entity().add_player().id();
    /// assert_eq!(players.single(&game).unwrap().id(), id);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if there are several.
    #[track_caller]
    pub fn single(self, context: &C) -> Option<C::Entity<'_>> {
        let mut members = self.iter(context);
        let only = members.next();
        if members.next().is_some() {
            self.reject_several(context);
        }
        only
    }

    #[cold]
    #[track_caller]
    fn reject_several(self, context: &C) -> ! {
        const SHOWN: usize = 5;
        let (matcher, members) = (self.matcher(context), self.members(context));
        let entities = members
            .iter()
            .take(SHOWN)
            .map(|row| Entity::in_row(context, row));
        let entities: Vec<_> = entities.map(|entity| format!("{entity:?}")).collect();
        let more = if members.len() > SHOWN { ", …" } else { "" };
        panic!(
            "group {matcher:?} of context `{}` has {} entities where one was asked for: {}{more}; \
             use `iter`, or narrow the matcher",
            C::NAME,
            members.len(),
            entities.join(", "),
        )
    }

    /// Calls `each` for every entity that is a member at the time of the call, in the order of
    /// [`iter`](Self::iter).
    ///
    /// `each` may change anything.
    ///
    /// A member that has been destroyed by its turn is skipped; one that only stopped matching is
    /// not.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let living = game.group(Game::all_of::<Health>());
    /// game.create_many([Health(1), Health(2)]);
    /// living.for_each(&mut game, |mut entity| match entity.health().0 {
    ///     1 => entity.destroy(),
    ///     health => drop(entity.replace_health(health - 1)),
    /// });
    /// assert_eq!(living.single(&game).unwrap().health().0, 1);
    /// ```
    #[track_caller]
    pub fn for_each(self, context: &mut C, mut each: impl FnMut(C::EntityMut<'_>)) {
        self.data(context);
        state::for_each_member(context, self.index, |context, id| {
            each(EntityMut::new(context, id).into());
        });
    }

    /// Returns all groups of a context, in order of creation.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let frozen = game.group(Game::all_of::<Frozen>());
    /// assert!(Group::all(&game).contains(&frozen));
    /// ```
    pub fn all(context: &C) -> Vec<Self> {
        let core = context.core();
        let groups = core.world.groups().of_matchers();
        groups
            .map(|index| Self::new(core.world.instance(), index))
            .collect()
    }

    /// Returns the matcher of the group.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let frozen = game.group(Game::all_of::<Frozen>());
    /// assert_eq!(frozen.matcher(&game), &Game::all_of::<Frozen>());
    /// ```
    #[track_caller]
    pub fn matcher(self, context: &C) -> &Matcher<C> {
        Matcher::of(&self.data(context).condition)
    }

    /// Returns the group as text, with its matcher and the number of its members.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let frozen = game.group(Game::all_of::<Frozen>());
    /// assert_eq!(frozen.display(&game).to_string(), "Group(AllOf(Frozen), entities: 0)");
    /// ```
    #[track_caller]
    pub fn display(self, context: &C) -> impl fmt::Display + '_ {
        let (matcher, len) = (self.matcher(context), self.len(context));
        from_fn(move |f| write!(f, "Group({matcher:?}, entities: {len})"))
    }

    /// Calls `observer` whenever an entity starts to match.
    ///
    /// Observers are called once all state is final: groups in order of creation, within a group in
    /// order of subscription. Changes made by an observer take effect at once; their notifications
    /// are queued until all observers have been notified of the current change. The observer is not
    /// called for existing members.
    ///
    /// Undo, redo, [`restore`](crate::Context::restore) and loads notify no observer; the guide
    /// lists [who is notified](crate::guide::undo_and_rollback#who-is-notified). A view of all
    /// changes needs a collector of a trigger [`with_rewinds`](crate::Trigger::with_rewinds).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let both = game.group(Game::all_of::<(Burning, Wet)>());
    /// both.on_entered(&mut game, |game: &mut Game, change: &Change<Game>| {
    ///     game.entity_mut(change.entity()).remove_burning();
    /// });
    /// let id = game.create_entity().add_burning().add_wet().id();
    /// assert!(!game.entity(id).has_burning());
    /// ```
    #[track_caller]
    pub fn on_entered(
        self,
        context: &mut C,
        observer: impl FnMut(&mut C, &Change<'_, C>) + FitsIn<C>,
    ) -> Subscription {
        self.subscribe(context, GroupEvent::Entered, observer)
    }

    /// Calls `observer` whenever an entity stops matching, or is destroyed: then its id is already
    /// dead.
    ///
    /// See [`on_entered`](Self::on_entered) for when it is called.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let frozen = game.group(Game::all_of::<Frozen>());
    /// frozen.on_left(&mut game, |game, change| {
    ///     if game.contains(change.entity()) {
    ///         game.entity_mut(change.entity()).add_wet();
    ///     }
    /// });
    /// assert!(game.create_with(Frozen).remove_frozen().is_wet());
    /// ```
    #[track_caller]
    pub fn on_left(
        self,
        context: &mut C,
        observer: impl FnMut(&mut C, &Change<'_, C>) + FitsIn<C>,
    ) -> Subscription {
        self.subscribe(context, GroupEvent::Left, observer)
    }

    /// Calls `observer` whenever a component in the matcher's all-of or any-of set is replaced or
    /// updated on a member.
    ///
    /// See [`on_entered`](Self::on_entered) for when it is called, and for [rewinds and
    /// restores](crate::guide::undo_and_rollback#who-is-notified), which do not notify it.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let living = game.group(Game::all_of::<Health>());
    /// living.on_updated(&mut game, |game, change| {
    ///     let before = change.previous::<Health>().map(|health| health.0);
    ///     assert_eq!(before, Some(3));
    ///     game.entity_mut(change.entity()).add_poisoned();
    /// });
    /// assert!(game.create_with(Health(3)).replace_health(2).is_poisoned());
    /// ```
    #[track_caller]
    pub fn on_updated(
        self,
        context: &mut C,
        observer: impl FnMut(&mut C, &Change<'_, C>) + FitsIn<C>,
    ) -> Subscription {
        self.subscribe(context, GroupEvent::Updated, observer)
    }

    #[track_caller]
    fn subscribe(
        self,
        context: &mut C,
        event: GroupEvent,
        observer: impl FnMut(&mut C, &Change<'_, C>) + FitsIn<C>,
    ) -> Subscription {
        self.data(context);
        let subject = Subject::group(self.index, event);
        let core = context.core_mut();
        subscribe(
            &mut core.world,
            &mut core.subs,
            subject,
            of_changes(Confined::new::<C>(observer)),
        )
    }

    /// Removes all observers of the group. Collectors and lists of removed values stay.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let frozen = game.group(Game::all_of::<Frozen>());
    /// frozen.on_entered(&mut game, |_, _| panic!("never called"));
    /// frozen.clear_observers(&mut game);
    /// game.create_entity().add_frozen();
    /// assert_eq!(frozen.len(&game), 1);
    /// ```
    #[track_caller]
    pub fn clear_observers(self, context: &mut C) {
        self.data(context);
        let subjects = GroupEvent::ALL.map(|event| Subject::group(self.index, event));
        state::end_observers(context, &subjects);
    }
}

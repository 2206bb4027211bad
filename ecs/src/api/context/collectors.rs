//! The methods of a [`Collector`]: draining, pausing, releasing.

use alloc::vec::Vec;
use core::fmt;

use crate::matching::matcher::GroupEvent;
use crate::reactions::collector::Collector;
use crate::state::{self, Core, HasCore, check_own, release_collector, set_collecting};
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::printed::from_fn;

impl<C: HasCore> Collector<C> {
    #[inline]
    #[track_caller]
    fn core<'c>(&self, context: &'c C) -> &'c Core<C> {
        let core = context.core();
        check_own(&core.world, self.instance, "collector");
        core
    }

    #[inline]
    #[track_caller]
    fn core_mut<'c>(&self, context: &'c mut C) -> &'c mut Core<C> {
        self.core(context);
        context.core_mut()
    }

    /// Returns the number of collected entities.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let collector = game.collector(Game::all_of::<Frozen>().entered());
    /// game.create_many([Frozen, Frozen]);
    /// assert_eq!(collector.len(&game), 2);
    /// ```
    #[track_caller]
    pub fn len(&self, context: &C) -> usize {
        self.core(context).subs.collectors().buffered(self.index)
    }

    /// Returns whether no entities are collected.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let collector = game.collector(Game::all_of::<Frozen>().entered());
    /// assert!(collector.is_empty(&game));
    /// ```
    #[track_caller]
    pub fn is_empty(&self, context: &C) -> bool {
        self.len(context) == 0
    }

    /// Returns the collected entities, in order of first collection, including dead ones.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let collector = game.collector(Game::all_of::<Frozen>().entered());
    /// let id = game.create_entity().add_frozen().id();
    /// game.destroy(id);
    /// assert_eq!(collector.ids(&game), [id]);
    /// ```
    #[inline]
    #[track_caller]
    pub fn ids<'c>(&self, context: &'c C) -> &'c [EntityId<C>] {
        let core = self.core(context);
        UntypedId::typed_all(core.subs.collectors().ids(core.world.slots(), self.index))
    }

    /// Returns the collected entities, in order of first collection, including dead ones, and
    /// empties the collector.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let collector = game.collector(Game::all_of::<Frozen>().entered());
    /// let id = game.create_entity().add_frozen().id();
    /// assert_eq!(collector.drain(&mut game), [id]);
    /// assert_eq!(collector.drain(&mut game), []);
    /// ```
    #[track_caller]
    pub fn drain(&self, context: &mut C) -> Vec<EntityId<C>> {
        let mut ids = Vec::new();
        self.drain_into(context, &mut ids);
        ids
    }

    /// Like [`drain`](Self::drain), but stores the entities in `ids`, whose contents are dropped.
    ///
    /// The two lists are swapped, so that repeated calls do not allocate.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let collector = game.collector(Game::all_of::<Frozen>().entered());
    /// let id = game.create_entity().add_frozen().id();
    /// let mut ids = Vec::new();
    /// collector.drain_into(&mut game, &mut ids);
    /// assert_eq!(ids, [id]);
    /// ```
    #[track_caller]
    pub fn drain_into(&self, context: &mut C, ids: &mut Vec<EntityId<C>>) {
        let core = self.core_mut(context);
        EntityId::change_untyped(ids, |ids| {
            state::drain_collector(&core.world, &mut core.subs, self.index, ids)
        });
    }

    /// Puts drained entities back, before those collected since.
    pub(crate) fn put_back(&self, context: &mut C, ids: &[EntityId<C>]) {
        let Core { world, subs, .. } = self.core_mut(context);
        state::put_back_collected(world, subs, self.index, EntityId::untyped_all(ids));
    }

    /// Empties the collector.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let collector = game.collector(Game::all_of::<Frozen>().entered());
    /// game.create_entity().add_frozen();
    /// collector.clear(&mut game);
    /// assert!(collector.is_empty(&game));
    /// ```
    #[track_caller]
    pub fn clear(&self, context: &mut C) {
        let core = self.core_mut(context);
        state::clear_collector(&mut core.subs, self.index);
    }

    /// Returns whether the collector is active.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let collector = game.collector(Game::all_of::<Frozen>().entered());
    /// assert!(collector.is_active(&game));
    /// collector.deactivate(&mut game);
    /// assert!(!collector.is_active(&game));
    /// ```
    #[track_caller]
    pub fn is_active(&self, context: &C) -> bool {
        self.core(context).subs.collectors().is_active(self.index)
    }

    /// Resumes collecting after [`deactivate`](Self::deactivate); changes in between are not
    /// collected.
    ///
    /// Does nothing if the collector is already active.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let collector = game.collector(Game::all_of::<Frozen>().entered());
    /// collector.deactivate(&mut game);
    /// collector.activate(&mut game);
    /// let id = game.create_entity().add_frozen().id();
    /// assert_eq!(collector.ids(&game), [id]);
    /// ```
    #[track_caller]
    pub fn activate(&self, context: &mut C) {
        self.set_active(context, true);
    }

    /// Empties the collector and stops collecting until [`activate`](Self::activate).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let collector = game.collector(Game::all_of::<Frozen>().entered());
    /// game.create_entity().add_frozen();
    /// collector.deactivate(&mut game);
    /// game.create_entity().add_frozen();
    /// collector.activate(&mut game);
    /// assert!(collector.is_empty(&game));
    /// ```
    #[track_caller]
    pub fn deactivate(&self, context: &mut C) {
        self.set_active(context, false);
    }

    #[track_caller]
    fn set_active(&self, context: &mut C, active: bool) {
        let core = self.core_mut(context);
        set_collecting(&mut core.world, &mut core.subs, self.index, active);
    }

    /// Releases the collector; its slot is reused by a later one.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let collector = game.collector(Game::all_of::<Frozen>().entered());
    /// collector.release(&mut game);
    /// game.create_entity().add_frozen();
    /// ```
    #[track_caller]
    pub fn release(self, context: &mut C) {
        let core = self.core_mut(context);
        release_collector(&mut core.world, &mut core.subs, self.index);
    }

    /// Returns the collector as text, with its triggers.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let collector = game.collector(Game::all_of::<Frozen>().left());
    /// assert_eq!(collector.display(&game).to_string(), "Collector(AllOf(Frozen) {Left}, entities: 0)");
    /// ```
    #[track_caller]
    pub fn display<'c>(&self, context: &'c C) -> impl fmt::Display + 'c {
        let (core, index) = (self.core(context), self.index);
        from_fn(move |f| {
            f.write_str("Collector(")?;
            for &(group, events) in core.subs.collectors().groups(index) {
                write!(f, "{:?} {{", core.world.matcher::<C>(group))?;
                let events = GroupEvent::ALL
                    .into_iter()
                    .filter(|event| events.contains(*event));
                for (at, event) in events.enumerate() {
                    write!(f, "{}{event:?}", if at == 0 { "" } else { ", " })?;
                }
                f.write_str("}, ")?;
            }
            write!(f, "entities: {})", core.subs.collectors().buffered(index))
        })
    }
}

//! Logs of removed values.
//!
//! An observer of the group "has the component" receives each value that is removed, and appends a
//! copy to a log of the context. Logs are found by number and checked by the types they hold, so a
//! wrong number finds nothing.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;
use core::fmt;
use core::marker::PhantomData;

use crate::reactions::handle::{HandleWatch, Watched};
use crate::reactions::subscription::Subscription;
use crate::storage::heap::{Heap, heap};
use crate::storage::slab::Slab;
use crate::words::demands::{Confined, FitsIn};
use crate::words::entity_id::EntityId;

/// Collects the removed values of a component, with the entities that lost it, by removal or
/// because they were destroyed.
///
/// Created by [`Context::removed_values`](crate::Context::removed_values). From then on it collects
/// every removal, in order: an entity that loses the component twice appears twice. A replaced
/// value is not removed.
///
/// Values are collected as observers are notified: after a change is complete, and not if a panic
/// in an observer prevents their notification. A value that an observer *takes* (by `take_health`,
/// say) belongs to that observer and is not collected.
///
/// It is a handle of the context that created it; every method takes that context and panics if
/// given another one. Dropping it ends the collection, and the collected values are dropped at the
/// next removal, or when the context [shrinks](crate::StorageMut::shrink_to_fit).
/// [`release`](RemovedValues::release) does so immediately.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// let lost = game.removed_values::<Name>();
/// let id = game.create_with(Name("Ada")).id();
/// game.destroy(id);
/// assert_eq!(lost.drain(&mut game), [(id, Name("Ada"))]);
/// ```
#[must_use = "values that are not drained take up memory"]
pub struct RemovedValues<C, T> {
    pub(crate) instance: u64,
    pub(crate) log: usize,
    pub(crate) subscription: Subscription,
    watched: Watched,
    marker: PhantomData<fn() -> (C, T)>,
}

impl<C, T> RemovedValues<C, T> {
    pub(crate) fn new(
        instance: u64,
        log: usize,
        subscription: Subscription,
        watched: Watched,
    ) -> Self {
        Self {
            instance,
            log,
            subscription,
            watched,
            marker: PhantomData,
        }
    }

    /// Sets the name of the system that reads it.
    pub(crate) fn set_reader(&self, system: &str) {
        self.watched.set_reader(system);
    }
}

impl<C, T> fmt::Debug for RemovedValues<C, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RemovedValues({})", self.log)
    }
}

/// Removed values, with their entities.
pub(crate) struct Log<C, T> {
    pub(crate) values: Confined<Vec<(EntityId<C>, T)>>,
    pub(crate) active: bool,
    watch: HandleWatch,
    /// The observer that fills it.
    subscription: Option<Subscription>,
}

heap!(Log<C, T>: values, watch);

impl<C, T> Log<C, T> {
    /// The observer that fills it, if its handle has been dropped.
    pub(crate) fn left_by(&self) -> Option<Subscription> {
        self.subscription.filter(|_| self.watch.is_dropped())
    }

    /// Sets the observer that fills it; returns the part of the handle to watch.
    pub(crate) fn watch(&mut self, subscription: Subscription) -> Watched {
        let watched = Watched::new();
        self.watch = watched.watch();
        self.subscription = Some(subscription);
        watched
    }
}

/// A log of unknown types.
trait AnyLog: Any + Send + Sync + Heap {
    /// Empties it, and returns the contents, to be dropped.
    fn empty(&mut self) -> Box<dyn Any>;
    /// A copy of the contents, if there are any.
    fn copy(&self) -> Option<Box<dyn Any + Send + Sync>>;
    /// Clones such a copy.
    fn clone_of(&self, copy: &dyn Any) -> Option<Box<dyn Any + Send + Sync>>;
    /// Replaces the contents by a copy; returns the old contents, to be dropped.
    fn put_back(&mut self, copy: Box<dyn Any + Send + Sync>) -> Box<dyn Any>;
    /// The bytes of the values themselves.
    fn used(&self) -> usize;
    /// The observer that fills it, if its handle has been dropped.
    fn left_by(&self) -> Option<Subscription>;
    fn handle(&self) -> &HandleWatch;
    /// Whether it collects.
    fn is_active(&self) -> bool;
    /// The type of its values, and their number.
    fn summary(&self) -> (&'static str, usize);
}

impl<C: 'static, T: Clone + FitsIn<C>> AnyLog for Log<C, T> {
    fn empty(&mut self) -> Box<dyn Any> {
        Box::new(core::mem::take(&mut *self.values))
    }

    fn copy(&self) -> Option<Box<dyn Any + Send + Sync>> {
        (!self.values.is_empty()).then(|| Box::new(self.values.clone()) as _)
    }

    fn clone_of(&self, copy: &dyn Any) -> Option<Box<dyn Any + Send + Sync>> {
        let values: &Confined<Vec<(EntityId<C>, T)>> = copy.downcast_ref()?;
        Some(Box::new(values.clone()))
    }

    fn put_back(&mut self, copy: Box<dyn Any + Send + Sync>) -> Box<dyn Any> {
        let copy: Box<dyn Any> = copy;
        match copy.downcast() {
            Ok(values) => Box::new(core::mem::replace(&mut self.values, *values)),
            Err(other) => other,
        }
    }

    fn used(&self) -> usize {
        size_of_val(&**self.values)
    }

    fn left_by(&self) -> Option<Subscription> {
        self.left_by()
    }

    fn handle(&self) -> &HandleWatch {
        &self.watch
    }

    fn is_active(&self) -> bool {
        self.active
    }

    fn summary(&self) -> (&'static str, usize) {
        (core::any::type_name::<T>(), self.values.len())
    }
}

/// The contents of a log at a checkpoint.
pub(crate) struct LogCopy {
    log: usize,
    handle: HandleWatch,
    values: Box<dyn Any + Send + Sync>,
    /// The bytes of the values themselves.
    used: usize,
}

impl Heap for LogCopy {
    fn bytes(&self) -> usize {
        size_of_val(&*self.values) + self.used
    }
}

#[derive(Default)]
pub(crate) struct Logs {
    logs: Slab<Box<dyn AnyLog>>,
}

impl Heap for Logs {
    fn bytes(&self) -> usize {
        self.logs.bytes() + self.logs.values().map(Heap::bytes).sum::<usize>()
    }

    fn trim(&mut self) {
        self.logs.values_mut().for_each(Heap::trim);
        self.logs.trim();
    }
}

impl Logs {
    pub(crate) fn len(&self) -> usize {
        self.logs.len()
    }

    /// Adds an empty log; returns its number.
    pub(crate) fn add<C: 'static, T: Clone + FitsIn<C>>(&mut self) -> usize {
        self.logs.insert(Box::new(Log::<C, T> {
            values: Confined::all::<C, T>(Vec::new()),
            active: true,
            watch: HandleWatch::default(),
            subscription: None,
        }))
    }

    /// Removes a log, and returns it to be dropped.
    pub(crate) fn release(&mut self, log: usize) -> impl Sized + use<> {
        self.logs.remove(log)
    }

    /// The logs whose handles have been dropped, with the observers that fill them.
    pub(crate) fn dropped(&self) -> Vec<(usize, Subscription)> {
        let logs = self.logs.iter();
        let dropped = logs.filter_map(|(at, log)| Some((at, log.left_by()?)));
        dropped.collect()
    }

    pub(crate) fn get<C: 'static, T: 'static>(&self, log: usize) -> Option<&Log<C, T>> {
        let log: &dyn Any = &**self.logs.get(log)?;
        log.downcast_ref()
    }

    pub(crate) fn get_mut<C: 'static, T: 'static>(&mut self, log: usize) -> Option<&mut Log<C, T>> {
        let log: &mut dyn Any = &mut **self.logs.get_mut(log)?;
        log.downcast_mut()
    }

    /// The logs whose handles exist: number, type and number of values, handle.
    pub(crate) fn summaries(
        &self,
    ) -> impl Iterator<Item = (usize, (&'static str, usize), &HandleWatch)> {
        let logs = self.logs.iter().filter(|(_, log)| log.left_by().is_none());
        logs.map(|(number, log)| (number, log.summary(), log.handle()))
    }

    /// Copies the logs that are not empty.
    pub(crate) fn copy_all(&self) -> Vec<LogCopy> {
        let copies = self.logs.iter().filter_map(|(log, state)| {
            Some(LogCopy {
                log,
                handle: state.handle().clone(),
                values: state.copy()?,
                used: state.used(),
            })
        });
        copies.collect()
    }

    /// The log of a copy, if it still exists and collects.
    fn origin(&self, copy: &LogCopy) -> Option<&dyn AnyLog> {
        let log = &**self.logs.get(copy.log)?;
        (*log.handle() == copy.handle && log.is_active()).then_some(log)
    }

    /// Clones the copies of logs that still exist and collect.
    pub(crate) fn clones_of(&self, copies: &[LogCopy]) -> Vec<LogCopy> {
        let clone = |copy: &LogCopy| {
            Some(LogCopy {
                log: copy.log,
                handle: copy.handle.clone(),
                values: self.origin(copy)?.clone_of(&*copy.values)?,
                used: copy.used,
            })
        };
        copies.iter().filter_map(clone).collect()
    }

    /// Puts the clones into their logs and empties all others; returns the old contents, to be
    /// dropped.
    pub(crate) fn put_back(&mut self, clones: Vec<LogCopy>) -> impl Sized + use<> {
        let emptied: Vec<_> = self.empty_all();
        for LogCopy { log, values, .. } in clones {
            if let Some(log) = self.logs.get_mut(log) {
                drop(log.put_back(values)); // nothing is dropped: the log was emptied
            }
        }
        emptied
    }

    /// Panics if a paused log has values.
    #[cfg(any(test, feature = "__checks"))]
    pub(crate) fn check_invariants(&self) {
        for (at, log) in self.logs.iter() {
            let is_idle = !log.is_active();
            assert!(
                !is_idle || log.used() == 0,
                "removed values: {at} is paused, and holds"
            );
        }
    }

    /// Empties all logs; returns the contents, to be dropped.
    pub(crate) fn empty_all(&mut self) -> Vec<impl Sized + use<>> {
        let logs = self.logs.values_mut();
        logs.map(|log| log.empty()).collect()
    }
}

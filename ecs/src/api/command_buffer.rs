//! Changes that are recorded while a context is read or iterated, and applied later.

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::any::{Any, TypeId};
use core::{fmt, mem};

use hashbrown::{HashMap, hash_map};

use super::bundle::Bundle;
use super::create;
use super::entity::EntityMut;
use crate::state::user_code::Session;
use crate::state::{self, HasCore};
use crate::words::component::Component;
use crate::words::demands::{Confined, FitsIn, Holds, ThreadSafe};
use crate::words::entity_id::EntityId;
use crate::words::error::{Error, ErrorKind, expect};

/// A list of changes, recorded while a context is iterated and applied later in one call: create,
/// destroy, add, replace, insert and remove, and [`run`](Self::run) for everything else.
///
/// A buffer does not borrow the context. [`apply`](Self::apply) makes the changes in the order in
/// which they were recorded, with the same events as the methods of entities; histories and feeds
/// record them too. An applied buffer can be reused and keeps its memory.
///
/// Parallel loops record in the order of a sequential loop: `query.par_for_each_with(&mut buffer,
/// ..)` (feature `rayon`). Your own threads fill one buffer each; [`append`](Self::append) combines
/// them in an order of your choice.
///
/// Other libraries call this `Commands` (bevy) or `EntityCommandBuffer` (Unity).
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// let ids = game.create_many([(Health(0), Strength(1)), (Health(2), Strength(9))]);
///
/// let mut buffer = CommandBuffer::new();
/// for (id, health, strength) in &game.query::<(EntityId<Game>, &Health, &Strength)>() {
///     if health.0 == 0 {
///         buffer.destroy(id);
///         buffer.create(Name("Ghost".into()));
///     } else if strength.0 > 5 {
///         buffer.add(id, Burning);
///     }
/// }
/// buffer.apply(&mut game);
/// assert!(!game.contains(ids[0]) && game.entity(ids[1]).is_burning());
/// assert_eq!(game.query::<&Name>().single().unwrap().0, "Ghost");
/// ```
#[doc(alias = "Commands")]
#[doc(alias = "CommandQueue")]
pub struct CommandBuffer<C: 'static> {
    commands: VecDeque<Command<C>>,
    values: QueuedValues,
    /// Why changes were skipped since the last call that made all changes.
    skipped: Vec<Error>,
    _holds: Holds<C>,
}

/// Makes a change with the first queued value of its type.
type Command<C> = fn(&mut QueuedValues, &mut C) -> Result<(), Error>;

impl<C: HasCore> CommandBuffer<C> {
    /// Creates an empty buffer.
    #[must_use]
    pub fn new() -> Self {
        Self {
            commands: VecDeque::new(),
            values: QueuedValues::default(),
            skipped: Vec::new(),
            _holds: Holds::NEW,
        }
    }

    /// Records the creation of an entity with the components of a bundle.
    pub fn create<B: Bundle<C> + FitsIn<C>>(&mut self, bundle: B) {
        self.record(Confined::new::<C>(bundle), |values, context| {
            let bundle: Confined<B> = values.pop();
            create::try_with(context, bundle.into_inner()).map(drop)
        });
    }

    /// Records the destruction of an entity.
    pub fn destroy(&mut self, id: EntityId<C>) {
        self.record(id, |values, context| {
            state::destroy::<C>(context, values.pop())
        });
    }

    /// Records the addition of a component to an entity, which must lack it when the buffer is
    /// applied.
    pub fn add<T: Component<C>>(&mut self, id: EntityId<C>, value: T) {
        self.record((id, Confined::new::<C>(value)), |values, context| {
            let (id, value): (_, Confined<T>) = values.pop();
            let mut entity = EntityMut::new(context, id);
            entity.try_add(value.into_inner()).map(drop)
        });
    }

    /// Records the replacement of a component of an entity; it is added if it is missing.
    pub fn replace<T: Component<C>>(&mut self, id: EntityId<C>, value: T) {
        self.record((id, Confined::new::<C>(value)), |values, context| {
            let (id, value): (_, Confined<T>) = values.pop();
            let mut entity = EntityMut::new(context, id);
            entity.try_replace(value.into_inner()).map(drop)
        });
    }

    /// Records the insertion of a bundle into an entity, in one change; present components are
    /// replaced.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_with((Health(1), Frozen)).id();
    /// let mut buffer = CommandBuffer::new();
    /// buffer.insert(id, (Health(2), Strength(7)));
    /// buffer.replace(id, Health(3));
    /// buffer.remove::<Frozen>(id);
    /// assert_eq!(buffer.len(), 3);
    /// buffer.apply(&mut game);
    /// let entity = game.entity(id);
    /// assert_eq!((entity.health().0, entity.strength().0), (3, 7));
    /// assert!(!entity.is_frozen() && buffer.is_empty());
    /// ```
    pub fn insert<B: Bundle<C> + FitsIn<C>>(&mut self, id: EntityId<C>, bundle: B) {
        self.record((id, Confined::new::<C>(bundle)), |values, context| {
            let (id, bundle): (_, Confined<B>) = values.pop();
            let mut entity = EntityMut::new(context, id);
            entity.try_insert(bundle.into_inner()).map(drop)
        });
    }

    /// Records the removal of `T` from an entity, which must have it when the buffer is applied.
    pub fn remove<T: Component<C>>(&mut self, id: EntityId<C>) {
        self.record(id, |values, context| {
            let id = values.pop();
            EntityMut::new(context, id).try_remove::<T>().map(drop)
        });
    }

    /// Records a call of a closure with the context: for changes without a method here, such as
    /// creating an entity with a child.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut buffer = CommandBuffer::new();
    /// buffer.run(|game: &mut Game| {
    ///     let parent = game.create_with(Health(9)).id();
    ///     game.create_with(ChildOf { parent });
    /// });
    /// buffer.apply(&mut game);
    /// assert_eq!(game.len(), 2);
    /// ```
    pub fn run<F: FnOnce(&mut C) + FitsIn<C>>(&mut self, action: F) {
        self.record(Confined::new::<C>(action), |values, context| {
            let action: Confined<F> = values.pop();
            Session::new(context).call(action.into_inner());
            Ok(())
        });
    }

    fn record<V: ThreadSafe>(&mut self, value: V, command: Command<C>) {
        self.values.push(value);
        self.commands.push_back(command);
    }

    /// Appends all changes of another buffer, and empties it.
    ///
    /// Complexity: linear in the changes of the other buffer.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut buffers = [CommandBuffer::new(), CommandBuffer::new()];
    /// std::thread::scope(|scope| {
    ///     for (n, buffer) in buffers.iter_mut().enumerate() {
    ///         scope.spawn(move || buffer.create(Health(n as u32)));
    ///     }
    /// });
    /// let [mut first, mut second] = buffers;
    /// first.append(&mut second);
    ///
    /// let mut game = Game::new();
    /// first.apply(&mut game);
    /// let healths = game.query::<&Health>();
    /// assert!(healths.iter().map(|health| health.0).eq([0, 1]));
    /// ```
    pub fn append(&mut self, other: &mut Self) {
        self.commands.append(&mut other.commands);
        self.skipped.append(&mut other.skipped);
        self.values.append(&mut other.values);
    }

    /// Makes all changes in the order in which they were recorded, and empties the buffer.
    ///
    /// Returns how many were skipped because their entity was dead, or the target of their relation:
    /// two loops may destroy the same entity.
    ///
    /// Events: those of each change, one after the other.
    ///
    /// # Panics
    ///
    /// Panics if [`try_apply`](Self::try_apply) would return an error, or if a closure of
    /// [`run`](Self::run) replaces the context: the later changes are for the one that is gone.
    #[track_caller]
    pub fn apply(&mut self, context: &mut C) -> usize {
        expect(self.try_apply(context)).len()
    }

    /// Like [`apply`](Self::apply), but returns an error instead of panicking.
    ///
    /// Returns the reasons of the changes that were skipped, also by calls that returned an error before.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let ids = game.create_many([Health(1), Health(2)]);
    /// let mut buffer = CommandBuffer::new();
    /// buffer.add(ids[0], Health(7));
    /// buffer.destroy(ids[1]);
    /// buffer.destroy(ids[1]);
    /// let error = buffer.try_apply(&mut game).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::AlreadyHasComponent);
    /// let skipped = buffer.try_apply(&mut game).unwrap(); // the second destroy
    /// assert_eq!(skipped[0].entity(), Some(ids[1].raw()));
    /// assert_eq!(game.len(), 1);
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the error of the first change that is rejected for a reason other than a dead entity
    /// or target. Earlier changes have been made, later ones are still in the buffer, also if an
    /// observer panics.
    pub fn try_apply(&mut self, context: &mut C) -> Result<Vec<Error>, Error> {
        while let Some(command) = self.commands.pop_front() {
            let Err(error) = command(&mut self.values, context) else {
                continue;
            };
            match error.kind() {
                ErrorKind::NotAlive | ErrorKind::TargetNotAlive => self.skipped.push(error),
                _ => return Err(error),
            }
        }
        Ok(mem::take(&mut self.skipped))
    }

    /// Discards all recorded changes, also if a value panics in its drop.
    pub fn clear(&mut self) {
        self.commands.clear();
        self.skipped.clear();
        self.values.clear();
    }

    /// Returns the number of recorded changes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.commands.len()
    }

    /// Returns whether no changes are recorded.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.commands.is_empty()
    }
}

impl<C: HasCore> Default for CommandBuffer<C> {
    fn default() -> Self {
        Self::new()
    }
}

impl<C> fmt::Debug for CommandBuffer<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CommandBuffer({} commands)", self.commands.len())
    }
}

/// The values of commands, in one queue per type.
#[derive(Default)]
struct QueuedValues(HashMap<TypeId, Box<dyn CommandQueue>>);

impl QueuedValues {
    fn push<V: ThreadSafe>(&mut self, value: V) {
        let new = || Box::new(VecDeque::<V>::new());
        let queue = self.0.entry(TypeId::of::<V>()).or_insert_with(|| new());
        let queue: &mut dyn Any = &mut **queue;
        let queue = queue.downcast_mut::<VecDeque<V>>();
        queue.expect("a queue is kept by its type").push_back(value);
    }

    /// The first value of a type, pushed by the command that is being executed.
    fn pop<V: ThreadSafe>(&mut self) -> V {
        let queue = self.0.get_mut(&TypeId::of::<V>());
        let queue = queue.and_then(|queue| {
            let queue: &mut dyn Any = &mut **queue;
            queue.downcast_mut::<VecDeque<V>>()
        });
        let value = queue.and_then(VecDeque::pop_front);
        value.expect("each command has recorded its value")
    }

    fn clear(&mut self) {
        RestOfQueues(self.0.values_mut()).clear();
    }

    fn append(&mut self, other: &mut Self) {
        for (ty, queue) in &mut other.0 {
            let own = self.0.entry(*ty).or_insert_with(|| queue.new_empty());
            own.append(&mut **queue);
        }
    }
}

/// Drops the values of all queues, also if one of them panics: a value that stayed would be that of
/// a later command.
struct RestOfQueues<'a>(hash_map::ValuesMut<'a, TypeId, Box<dyn CommandQueue>>);

impl RestOfQueues<'_> {
    fn clear(&mut self) {
        self.0.by_ref().for_each(|queue| queue.clear());
    }
}

impl Drop for RestOfQueues<'_> {
    fn drop(&mut self) {
        self.clear();
    }
}

/// A queue of values of one type.
trait CommandQueue: Any + Send + Sync {
    fn new_empty(&self) -> Box<dyn CommandQueue>;

    /// Appends the values of a queue of the same type.
    fn append(&mut self, other: &mut dyn CommandQueue);

    fn clear(&mut self);
}

impl<V: ThreadSafe> CommandQueue for VecDeque<V> {
    fn new_empty(&self) -> Box<dyn CommandQueue> {
        Box::new(Self::new())
    }

    fn append(&mut self, other: &mut dyn CommandQueue) {
        let other: &mut dyn Any = other;
        if let Some(other) = other.downcast_mut::<Self>() {
            self.append(other);
        }
    }

    fn clear(&mut self) {
        self.clear();
    }
}

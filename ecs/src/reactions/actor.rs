//! The system running on this thread and why it runs, tracked while systems are measured, so that
//! a history can record who changed something and why. Without the standard library nothing is
//! tracked.

#[cfg(feature = "std")]
pub(crate) use self::threads::{
    Acting, Causing, changes, is_acting, next_number, with_cause, with_current,
};

#[cfg(not(feature = "std"))]
pub(crate) use self::untracked::{
    NotActing as Acting, NotCausing as Causing, is_not_acting as is_acting, next_number,
    no_changes as changes, with_cause, with_current,
};

use alloc::string::String;
use core::fmt;

use crate::words::component::typed::ComponentIndex;
use crate::words::entity_id::RawEntityId;
use crate::words::signature::RawComponentSet;

/// Why a reactive system runs: the entities passed to it. Returned by
/// [`caused_by`](crate::stats::caused_by).
#[derive(Clone, PartialEq, Eq)]
pub struct Cause {
    context: &'static str,
    entity: RawEntityId,
    count: usize,
    components: RawComponentSet,
    drain: Drain,
}

/// When a system took the changes that it reacts to.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Drain {
    /// Distinguishes it from all others.
    pub(crate) number: u64,
    /// The number of the context.
    pub(crate) instance: u64,
    /// The number of the next entry of the context's history, if there was one.
    pub(crate) entry: Option<u64>,
}

impl Cause {
    pub(crate) fn new(
        context: &'static str,
        entity: RawEntityId,
        count: usize,
        components: RawComponentSet,
        drain: Drain,
    ) -> Self {
        Self {
            context,
            entity,
            count,
            components,
            drain,
        }
    }

    /// Returns the name of the entities' context.
    pub fn context(&self) -> &'static str {
        self.context
    }

    /// Returns the entity that the closure is called with, or the first one passed to the system.
    pub fn entity(&self) -> RawEntityId {
        self.entity
    }

    /// Returns the number of entities.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns whether the component is one of those that the system's trigger names.
    pub fn waits_for<C>(&self, component: ComponentIndex<C>) -> bool {
        self.components.contains(component.untyped())
    }

    /// Returns a number that is the same for all calls made in one run of a system, and differs for
    /// each run. What the system changed in that run is not its cause.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.observers().on_destroyed(|game, _| {
    ///     let run = ecs::stats::caused_by().unwrap().run();
    ///     game.send(run);
    /// });
    /// let runs = game.inbox::<u64>();
    /// let dead = Game::all_of::<Health>().entered();
    /// let mut systems = Systems::new().for_each_changed(&mut game, dead, |game, id| game.destroy(id));
    /// systems.measure(true);
    /// for _ in 0..2 {
    ///     game.create_many([Health(1), Health(2)]);
    ///     systems.execute(&mut game);
    /// }
    /// let runs: Vec<u64> = runs.drain(&mut game).iter().copied().collect();
    /// assert!(runs[0] == runs[1] && runs[1] != runs[2]);
    /// ```
    pub fn run(&self) -> u64 {
        self.drain.number
    }

    pub(crate) fn components(&self) -> &RawComponentSet {
        &self.components
    }

    pub(crate) fn drain(&self) -> Drain {
        self.drain
    }
}

impl fmt::Debug for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cause")
            .field("context", &self.context)
            .field("entity", &self.entity)
            .field("count", &self.count)
            .finish_non_exhaustive()
    }
}

/// Returns why the reactive system on this thread runs, so that an observer can tell why something
/// changed.
///
/// Tracked only while systems are [measured](crate::Systems::measure). Returns `None` for other
/// systems, and for those that react to queries, messages, states and removed values.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// let hurt = game.create_with(Health(1)).id();
/// game.observers().on_destroyed(|_, id| {
///     let cause = ecs::stats::caused_by().unwrap();
///     assert_eq!((cause.entity(), cause.count()), (id.raw(), 1));
/// });
/// let dead = Game::all_of::<Health>().updated();
/// let mut systems = Systems::new().for_each_changed(&mut game, dead, |game, id| game.destroy(id));
/// systems.measure(true);
/// game.entity_mut(hurt).replace_health(0);
/// systems.execute(&mut game);
/// assert_eq!((game.len(), ecs::stats::caused_by()), (0, None));
/// ```
pub fn caused_by() -> Option<Cause> {
    with_cause(|cause| cause.cloned())
}

/// Returns the name of the system running on this thread, so that an observer can tell who changed
/// something. Tracked only while systems are [measured](crate::Systems::measure).
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// game.observers().on_created(|_, _| {
///     assert_eq!(ecs::stats::running_system().as_deref(), Some("spawn"));
/// });
/// fn spawn(game: &mut Game) { game.create_entity(); }
/// let mut systems = Systems::new().add(spawn);
/// systems.measure(true);
/// systems.execute(&mut game);
/// assert_eq!(ecs::stats::running_system(), None);
/// ```
pub fn running_system() -> Option<String> {
    with_current(|name| name.map(String::from))
}

#[cfg(feature = "std")]
mod threads {
    use core::cell::{Cell, RefCell};

    use alloc::string::String;
    use alloc::vec::Vec;

    use super::Cause;
    use crate::words::atomic::{AtomicU64, Ordering};

    /// The running systems, outermost first, with their names concatenated.
    #[derive(Default)]
    struct Stack {
        names: String,
        frames: Vec<Frame>,
    }

    /// A running system.
    struct Frame {
        /// The start of its name in `names`.
        start: usize,
        cause: Option<Cause>,
    }

    std::thread_local! {
        static RUNNING: RefCell<Stack> = RefCell::default();
        static CHANGES: Cell<u64> = const { Cell::new(0) };
    }

    /// Returns a number that no other call has returned.
    pub(crate) fn next_number() -> u64 {
        static LAST: AtomicU64 = AtomicU64::new(0); // 64 bits, so no number repeats
        LAST.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Records that the running system, or its cause, has changed.
    fn record_change() {
        CHANGES.set(next_number());
    }

    /// Returns a number that changes with the system running on this thread. It is unique across
    /// threads, except for zero: no system has run on the thread yet.
    #[inline]
    pub(crate) fn changes() -> u64 {
        CHANGES.get()
    }

    /// Calls `read` with the name of the running system, if it is tracked.
    pub(crate) fn with_current<R>(read: impl FnOnce(Option<&str>) -> R) -> R {
        RUNNING.with_borrow(|stack| {
            let frame = stack.frames.last();
            read(frame.map(|frame| &stack.names[frame.start..]))
        })
    }

    /// Calls `read` with the cause of the running system, if it is tracked.
    pub(crate) fn with_cause<R>(read: impl FnOnce(Option<&Cause>) -> R) -> R {
        RUNNING.with_borrow(|stack| read(stack.frames.last().and_then(|it| it.cause.as_ref())))
    }

    /// Returns whether the running system is tracked.
    #[inline]
    pub(crate) fn is_acting() -> bool {
        RUNNING.with_borrow(|stack| !stack.frames.is_empty())
    }

    /// Guard of a reaction. Holds the cause before it.
    pub(crate) struct Causing(Option<Cause>);

    impl Causing {
        /// Sets the cause of the running system, if it is tracked.
        pub(crate) fn start(cause: impl FnOnce() -> Option<Cause>) -> Option<Self> {
            is_acting().then(|| Self(swap(cause())))
        }
    }

    impl Drop for Causing {
        fn drop(&mut self) {
            swap(self.0.take());
        }
    }

    fn swap(cause: Option<Cause>) -> Option<Cause> {
        let before = RUNNING.with_borrow_mut(|stack| {
            let frame = stack.frames.last_mut()?;
            core::mem::replace(&mut frame.cause, cause)
        });
        record_change();
        before
    }

    /// Guard of a running system.
    pub(crate) struct Acting(());

    impl Acting {
        /// Records that the system with this name starts running.
        pub(crate) fn start(name: &str) -> Self {
            RUNNING.with_borrow_mut(|stack| {
                let start = stack.names.len();
                stack.frames.push(Frame { start, cause: None });
                stack.names.push_str(name);
            });
            record_change();
            Self(())
        }
    }

    impl Drop for Acting {
        fn drop(&mut self) {
            RUNNING.with_borrow_mut(|stack| {
                let frame = stack.frames.pop();
                stack.names.truncate(frame.map_or(0, |frame| frame.start));
            });
            record_change();
        }
    }
}

#[cfg(not(feature = "std"))]
mod untracked {
    use super::Cause;

    #[inline]
    pub(crate) fn no_changes() -> u64 {
        0
    }

    pub(crate) fn next_number() -> u64 {
        0
    }

    pub(crate) struct NotCausing;

    impl NotCausing {
        pub(crate) fn start(_: impl FnOnce() -> Option<Cause>) -> Option<Self> {
            None
        }
    }

    pub(crate) struct NotActing;

    impl NotActing {
        pub(crate) fn start(_: &str) -> Self {
            Self
        }
    }

    pub(crate) fn is_not_acting() -> bool {
        false
    }

    pub(crate) fn with_cause<R>(read: impl FnOnce(Option<&Cause>) -> R) -> R {
        read(None)
    }

    pub(crate) fn with_current<R>(read: impl FnOnce(Option<&str>) -> R) -> R {
        read(None)
    }
}

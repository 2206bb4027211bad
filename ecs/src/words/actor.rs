//! The system running on this thread and what woke it, tracked while systems are measured, so that
//! a history can record who changed something and why. Without the standard library nothing is
//! tracked.

#[cfg(feature = "std")]
pub(crate) use self::threads::{Acting, Waking, changes, is_acting, with_current, with_wake};

#[cfg(not(feature = "std"))]
pub(crate) use self::untracked::{
    NotActing as Acting, NotWaking as Waking, is_not_acting as is_acting, no_changes as changes,
    with_current, with_wake,
};

use alloc::string::String;
use core::fmt;

use crate::words::component::typed::ComponentIndex;
use crate::words::entity_id::RawEntityId;
use crate::words::signature::RawComponentSet;

/// What woke a reactive system: the entities passed to it. Returned by
/// [`woken_by`](crate::stats::woken_by).
#[derive(Clone, PartialEq, Eq)]
pub struct Wake {
    context: &'static str,
    entity: RawEntityId,
    count: usize,
    components: RawComponentSet,
}

impl Wake {
    pub(crate) fn new(
        context: &'static str,
        entity: RawEntityId,
        count: usize,
        components: RawComponentSet,
    ) -> Self {
        Self {
            context,
            entity,
            count,
            components,
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

    pub(crate) fn components(&self) -> &RawComponentSet {
        &self.components
    }
}

impl fmt::Debug for Wake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Wake")
            .field("context", &self.context)
            .field("entity", &self.entity)
            .field("count", &self.count)
            .finish_non_exhaustive()
    }
}

/// Returns what woke the reactive system running on this thread, so that an observer can tell why
/// something changed.
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
///     let wake = ecs::stats::woken_by().unwrap();
///     assert_eq!((wake.entity(), wake.count()), (id.raw(), 1));
/// });
/// let dead = Game::all_of::<Health>().updated();
/// let mut systems = Systems::new().for_each_changed(&mut game, dead, |game, id| game.destroy(id));
/// systems.measure(true);
/// game.entity_mut(hurt).replace_health(0);
/// systems.execute(&mut game);
/// assert_eq!((game.len(), ecs::stats::woken_by()), (0, None));
/// ```
pub fn woken_by() -> Option<Wake> {
    with_wake(|wake| wake.cloned())
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

    use super::Wake;
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
        wake: Option<Wake>,
    }

    std::thread_local! {
        static RUNNING: RefCell<Stack> = RefCell::default();
        static CHANGES: Cell<u64> = const { Cell::new(0) };
    }

    /// Records that the running system, or what woke it, has changed.
    fn record_change() {
        static LAST: AtomicU64 = AtomicU64::new(0); // 64 bits, so no number repeats
        CHANGES.set(LAST.fetch_add(1, Ordering::Relaxed) + 1);
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

    /// Calls `read` with what woke the running system, if it is tracked.
    pub(crate) fn with_wake<R>(read: impl FnOnce(Option<&Wake>) -> R) -> R {
        RUNNING.with_borrow(|stack| read(stack.frames.last().and_then(|it| it.wake.as_ref())))
    }

    /// Returns whether the running system is tracked.
    #[inline]
    pub(crate) fn is_acting() -> bool {
        RUNNING.with_borrow(|stack| !stack.frames.is_empty())
    }

    /// Guard of a woken system. Holds what woke it before.
    pub(crate) struct Waking(Option<Wake>);

    impl Waking {
        /// Sets what woke the running system, if it is tracked.
        pub(crate) fn start(wake: impl FnOnce() -> Option<Wake>) -> Option<Self> {
            is_acting().then(|| Self(swap(wake())))
        }
    }

    impl Drop for Waking {
        fn drop(&mut self) {
            swap(self.0.take());
        }
    }

    fn swap(wake: Option<Wake>) -> Option<Wake> {
        let before = RUNNING.with_borrow_mut(|stack| {
            let frame = stack.frames.last_mut()?;
            core::mem::replace(&mut frame.wake, wake)
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
                stack.frames.push(Frame { start, wake: None });
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
    #[inline]
    pub(crate) fn no_changes() -> u64 {
        0
    }

    use super::Wake;

    pub(crate) struct NotWaking;

    impl NotWaking {
        pub(crate) fn start(_: impl FnOnce() -> Option<Wake>) -> Option<Self> {
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

    pub(crate) fn with_wake<R>(read: impl FnOnce(Option<&Wake>) -> R) -> R {
        read(None)
    }

    pub(crate) fn with_current<R>(read: impl FnOnce(Option<&str>) -> R) -> R {
        read(None)
    }
}

//! Which system runs on this thread, where systems are measured: so that a history can say who has
//! changed something. Without the standard library nobody is known.

#[cfg(feature = "std")]
pub(crate) use self::threads::{Acting, changes, with_current};

#[cfg(not(feature = "std"))]
pub(crate) use self::nobody::{no_changes as changes, with_current};

use alloc::string::String;

/// Returns the name of the system that runs on this thread, where systems are
/// [measured](crate::Systems::measure): so that an observer can say who has changed something.
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
    use core::sync::atomic::{AtomicU64, Ordering};

    use alloc::string::String;
    use alloc::vec::Vec;

    /// The names of the systems that run, the outermost first, one behind the other.
    #[derive(Default)]
    struct Stack {
        names: String,
        starts: Vec<usize>,
    }

    std::thread_local! {
        static RUNNING: RefCell<Stack> = RefCell::default();
        static CHANGES: Cell<u64> = const { Cell::new(0) };
    }

    /// Notes that another system has come to run on this thread.
    fn note_change() {
        static LAST: AtomicU64 = AtomicU64::new(0); // so wide that no number comes twice
        CHANGES.set(LAST.fetch_add(1, Ordering::Relaxed) + 1);
    }

    /// A number that another one takes the place of when another system comes to run on this thread.
    /// No two threads have the same one, but for zero: no system has run there.
    #[inline]
    pub(crate) fn changes() -> u64 {
        CHANGES.get()
    }

    /// Lends the name of the system that runs, if one is known.
    pub(crate) fn with_current<R>(read: impl FnOnce(Option<&str>) -> R) -> R {
        RUNNING.with_borrow(|stack| {
            let start = stack.starts.last();
            read(start.map(|start| &stack.names[*start..]))
        })
    }

    /// A system that runs, until it is dropped.
    pub(crate) struct Acting(());

    impl Acting {
        /// Notes that the system with this name runs from now on.
        pub(crate) fn start(name: &str) -> Self {
            RUNNING.with_borrow_mut(|stack| {
                stack.starts.push(stack.names.len());
                stack.names.push_str(name);
            });
            note_change();
            Self(())
        }
    }

    impl Drop for Acting {
        fn drop(&mut self) {
            RUNNING.with_borrow_mut(|stack| {
                let start = stack.starts.pop().unwrap_or(0);
                stack.names.truncate(start);
            });
            note_change();
        }
    }
}

#[cfg(not(feature = "std"))]
mod nobody {
    /// No system ever comes to be known.
    #[inline]
    pub(crate) fn no_changes() -> u64 {
        0
    }

    /// Nobody's name is known.
    pub(crate) fn with_current<R>(read: impl FnOnce(Option<&str>) -> R) -> R {
        read(None)
    }
}

//! What a system is: logic in four phases.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use super::name;
use super::stats::Reactions;
use super::status::SystemStatus;

/// Logic that works on a world `W`, in four phases.
///
/// A *world* is what the systems of a program share: one context, or a struct of several with
/// `#[derive(Contexts)]`.
///
/// All methods have empty defaults, so write those that you need. A closure
/// `FnMut(&mut W)` or a function `fn(&mut W)` is a system that executes; with
/// [`Phase::system`](crate::Phase::system) it serves another phase.
///
/// `activate`, `deactivate`, `clear` and `release` are for systems that gather something
/// between two passes, as [`Reactive`](crate::Reactive) systems gather changes.
/// [`Systems`](crate::Systems) passes each call on to every system that it holds.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
/// struct Spawn { per_pass: usize }
/// impl System<Game> for Spawn {
///     fn execute(&mut self, game: &mut Game) {
///         for _ in 0..self.per_pass { game.create_with(Health(3)); }
///     }
/// }
/// let mut game = Game::new();
/// Systems::new().add(Spawn { per_pass: 2 }).execute(&mut game);
/// assert_eq!(game.len(), 2);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a system of the world `{W}`",
    label = "not a system of `{W}`",
    note = "write `impl System<{W}> for {Self}`, or hand over a closure that names its argument: `|world: &mut {W}| ..`; a `ReactiveSystem` is added by `add_reactive`"
)]
pub trait System<W> {
    /// Runs once, before the first execute.
    fn initialize(&mut self, world: &mut W) {
        let _ = world;
    }

    /// Runs in every pass (a frame, a tick).
    fn execute(&mut self, world: &mut W) {
        let _ = world;
    }

    /// Runs in every pass, after all systems have executed.
    fn cleanup(&mut self, world: &mut W) {
        let _ = world;
    }

    /// Runs once, at the end.
    fn tear_down(&mut self, world: &mut W) {
        let _ = world;
    }

    /// The name of the system in reports and for
    /// [`Systems::set_enabled`](crate::Systems::set_enabled).
    ///
    /// By default it is the name of the type without paths, `Move` or `Regenerate<Health>`, and
    /// for a closure the function that contains it, `closure in main`, with a number if the list
    /// has such a one already, `closure in main 2`. It is asked for once, when the system is added.
    fn name(&self) -> String {
        name::of::<Self>()
    }

    /// Gathers changes again after [`deactivate`](Self::deactivate).
    fn activate(&mut self, world: &mut W) {
        let _ = world;
    }

    /// Forgets the changes that were gathered, and gathers none until
    /// [`activate`](Self::activate).
    fn deactivate(&mut self, world: &mut W) {
        let _ = world;
    }

    /// Forgets the changes that were gathered.
    fn clear(&mut self, world: &mut W) {
        let _ = world;
    }

    /// Stops gathering changes for good, and gives back what the system keeps in the world.
    ///
    /// Dropping a system has the same effect at a later change of the world; `release` gives
    /// the memory back at once.
    fn release(&mut self, world: &mut W) {
        let _ = world;
    }

    /// How often the system has reacted so far, if it is one that reacts to changes.
    fn reactions(&self) -> Option<Reactions> {
        None
    }

    /// Shows the systems of a list with how deep they are nested, each list before what it holds.
    #[doc(hidden)]
    fn visit<'s>(&'s self, depth: usize, visitor: &mut Visitor<'_, 's>) {
        let _ = (depth, visitor);
    }

    /// Lends the status of every system of a list, those of nested lists too.
    #[doc(hidden)]
    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut SystemStatus)) {
        let _ = visitor;
    }

    /// Moves the systems of this name out of a list and the lists nested in it.
    #[doc(hidden)]
    fn take_named(&mut self, name: &str, taken: &mut Vec<Box<dyn System<W>>>) {
        let _ = (name, taken);
    }
}

/// What is called for each system of a list: how deep it is nested, its status, how often it
/// reacted.
pub(super) type Visitor<'v, 's> = dyn FnMut(usize, &'s SystemStatus, Option<Reactions>) + 'v;

impl<W, F: FnMut(&mut W)> System<W> for F {
    fn execute(&mut self, world: &mut W) {
        self(world);
    }
}

/// Writes what all traits of systems have: the name and the phases other than the one in which a
/// system works. Passes each call on to what is at a place in `$this`, by its own trait.
macro_rules! forward_phases {
    ($this:ident => $inner:expr, $trait:path) => {
        fn initialize(&mut self, world: &mut W) {
            let $this = self;
            <_ as $trait>::initialize(&mut $inner, world);
        }
        fn cleanup(&mut self, world: &mut W) {
            let $this = self;
            <_ as $trait>::cleanup(&mut $inner, world);
        }
        fn tear_down(&mut self, world: &mut W) {
            let $this = self;
            <_ as $trait>::tear_down(&mut $inner, world);
        }
        fn name(&self) -> alloc::string::String {
            let $this = self;
            <_ as $trait>::name(&$inner)
        }
    };
}
pub(super) use forward_phases;

/// Writes the methods of an `impl System<W>` that passes every call on to the system at a place
/// in `$this`.
macro_rules! forward_to {
    ($this:ident => $inner:expr) => {
        crate::systems::system::forward_phases!($this => $inner, System<W>);

        fn execute(&mut self, world: &mut W) {
            let $this = self;
            System::<W>::execute(&mut $inner, world);
        }
        fn activate(&mut self, world: &mut W) {
            let $this = self;
            System::<W>::activate(&mut $inner, world);
        }
        fn deactivate(&mut self, world: &mut W) {
            let $this = self;
            System::<W>::deactivate(&mut $inner, world);
        }
        fn clear(&mut self, world: &mut W) {
            let $this = self;
            System::<W>::clear(&mut $inner, world);
        }
        fn release(&mut self, world: &mut W) {
            let $this = self;
            System::<W>::release(&mut $inner, world);
        }
        fn reactions(&self) -> Option<crate::systems::stats::Reactions> {
            let $this = self;
            System::<W>::reactions(&$inner)
        }
    };
}
pub(super) use forward_to;

impl<W> System<W> for Box<dyn System<W>> {
    forward_to!(this => **this);

    fn visit<'s>(&'s self, depth: usize, visitor: &mut Visitor<'_, 's>) {
        (**self).visit(depth, visitor);
    }

    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut SystemStatus)) {
        (**self).visit_mut(visitor);
    }

    fn take_named(&mut self, name: &str, taken: &mut Vec<Box<dyn System<W>>>) {
        (**self).take_named(name, taken);
    }
}

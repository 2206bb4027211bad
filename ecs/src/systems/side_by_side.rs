//! Two lists on two contexts of a world, each on a thread.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::api::context::{Context, Missed};
use crate::systems::contexts::HasContexts;
use crate::systems::error::SystemError;

use crate::systems::phase::Phase;
use crate::systems::stats::{NestedSystems, Reactions};
use crate::systems::system::{System, Systems};
use crate::words::demands::SharedContext;

/// Runs two lists at once. Each field is a list whose only system is the list that was added, as in a list
/// of both, so that this one is named, enabled and measured as any other.
struct SideBySide<A, B> {
    first: Systems<A>,
    second: Systems<B>,
}

impl<A: Context + Send, B: Context + Send> SideBySide<A, B> {
    /// Runs a phase of both lists, each up to its first system that fails.
    fn run<W: HasContexts<A, B>>(
        &mut self,
        phase: Phase,
        world: &mut W,
    ) -> Result<(), SystemError> {
        let (a, b) = world.contexts_mut();
        let Self { first, second } = self;
        match rayon::join(|| first.run(phase, a), || second.run(phase, b)) {
            (Err(error), Err(other)) => Err(error.and_also(other)),
            (first, second) => first.and(second),
        }
    }
}

/// Forwards methods that control a system to both lists.
macro_rules! control_both {
    ($($method:ident),*) => {$(
        fn $method(&mut self, world: &mut W) {
            let (a, b) = world.contexts_mut();
            self.first.$method(a);
            self.second.$method(b);
        }
    )*};
}

impl<W, A, B> System<W, Result<(), SystemError>> for SideBySide<A, B>
where
    W: HasContexts<A, B>,
    A: Context + Send,
    B: Context + Send,
{
    control_both!(attach, activate, deactivate, clear, discard, release);

    fn initialize(&mut self, world: &mut W) -> Result<(), SystemError> {
        self.run(Phase::Initialize, world)
    }

    fn resume(&mut self, world: &mut W) -> Result<(), SystemError> {
        self.run(Phase::Resume, world)
    }

    fn execute(&mut self, world: &mut W) -> Result<(), SystemError> {
        self.run(Phase::Execute, world)
    }

    fn cleanup(&mut self, world: &mut W) -> Result<(), SystemError> {
        self.run(Phase::Cleanup, world)
    }

    fn tear_down(&mut self, world: &mut W) -> Result<(), SystemError> {
        self.run(Phase::TearDown, world)
    }

    fn name(&self) -> String {
        let [first, second] = [self.first.names(), self.second.names()];
        format!("{} beside {}", first[0], second[0])
    }

    fn remove_named(&mut self, world: &mut W, name: &str) -> bool {
        let (a, b) = world.contexts_mut();
        self.first.remove_all(a, name) | self.second.remove_all(b, name)
    }

    fn lists<'s>(&'s self) -> [Option<&'s dyn NestedSystems>; 2]
    where
        W: 's,
    {
        [Some(&self.first), Some(&self.second)]
    }

    fn lists_mut<'s>(&'s mut self) -> [Option<&'s mut dyn NestedSystems>; 2]
    where
        W: 's,
    {
        [Some(&mut self.first), Some(&mut self.second)]
    }

    fn reactions(&self) -> Option<Reactions> {
        let both = [self.first.total_reactions(), self.second.total_reactions()];
        both.into_iter().flatten().reduce(Reactions::and)
    }

    fn missed(&self) -> Vec<Missed> {
        [self.first.all_missed(), self.second.all_missed()].concat()
    }
}

impl<W> Systems<W> {
    /// Adds two lists that run at once, each on a context of its own: in each phase, the second runs on another
    /// thread of the current `rayon` pool, and the phase ends when both have.
    ///
    /// Neither can see the other's context, so the result is that of the two lists one after another, on any
    /// number of threads. To pass something from one context to the other, add a system before or after them
    /// that works on the world. If a system fails, the other list still ends its phase; if both fail, the error
    /// is that of the first, and [`also`](crate::SystemError::also) returns the other. If a system panics, the panic goes
    /// on once the other list has ended its phase; if both do, that of the first.
    ///
    /// It saves time if both lists have about as much to do. With changes of single entities, on two processors,
    /// it was 1.3 to 2.0 times as fast for lists that take equally long, 1.2 to 1.3 at four to one, and slower than
    /// one after the other below half a millisecond. Loops over values are as fast by
    /// [`par_for_each`](Self::par_for_each).
    ///
    /// Needs the feature `rayon`. [`stage`](Self::stage) does not find lists inside these two, whose world is
    /// another type.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// #[derive(Contexts)]
    /// struct World { game: Game, ui: Ui }
    ///
    /// let rules = Systems::with_name("Rules").add(|game: &mut Game| drop(game.create_with(Health(3))));
    /// let view = Systems::with_name("View").add(|ui: &mut Ui| drop(ui.create_with(Label("New".into()))));
    /// let mut systems = Systems::<World>::new().side_by_side(rules, view);
    ///
    /// let mut world = World { game: Game::new(), ui: Ui::new() };
    /// systems.execute(&mut world);
    /// assert_eq!((world.game.len(), world.ui.len()), (1, 1));
    /// ```
    #[must_use = "the list is returned"]
    pub fn side_by_side<A, B>(self, first: Systems<A>, second: Systems<B>) -> Self
    where
        W: HasContexts<A, B>,
        A: Context + SharedContext + Send,
        B: Context + SharedContext + Send,
    {
        let first = Systems::new().add(first);
        let mut both = SideBySide {
            first,
            second: Systems::new(),
        };
        both.second.added = 1; // so that the paths of the two differ
        both.second.push(second);
        self.add(both)
    }
}

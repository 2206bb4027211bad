//! What is said of the system added last: its name, and what it does while it takes no part.

use alloc::string::ToString as _;

use super::listed::Listed;
use super::systems::Systems;

impl<W> Systems<W> {
    /// Renames the system added last.
    ///
    /// # Panics
    ///
    /// Panics if the list is empty.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut systems = Systems::new().add(|_: &mut Game| ()).named("Nothing");
    /// systems.set_enabled("Nothing", false);
    /// assert_eq!(systems.is_enabled("Nothing"), Some(false));
    /// ```
    #[must_use = "the list is returned"]
    #[track_caller]
    pub fn named(mut self, name: &str) -> Self {
        self.last().status.name = name.to_string();
        self
    }

    /// Lets the system added last forget the changes that happen while it does not take part:
    /// what it gathered is discarded at each execute that passes it over. For a list this goes for
    /// all reactive systems in it.
    ///
    /// # Panics
    ///
    /// Panics if the list is empty.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut systems = Systems::new()
    ///     .for_each_changed(&mut game, Game::all_of::<Frozen>().entered(), |_, _| ())
    ///     .named("Melt")
    ///     .discard_while_disabled();
    /// for enabled in [false, true] {
    ///     game.create_with(Frozen);
    ///     systems.set_enabled("Melt", enabled);
    ///     systems.execute(&mut game);
    /// }
    /// assert_eq!(systems.reactions().unwrap().total, 1);
    /// ```
    #[must_use = "the list is returned"]
    #[track_caller]
    pub fn discard_while_disabled(mut self) -> Self {
        self.last().status.discards = true;
        self
    }

    #[track_caller]
    fn last(&mut self) -> &mut Listed<W> {
        match self.systems.last_mut() {
            Some(listed) => listed,
            None => panic!(
                "the list `{}` has no system yet; `named` and `discard_while_disabled` \
                 are about the system added last",
                self.name
            ),
        }
    }

    /// Makes each execute of this list repeat until nothing is left to react to, as
    /// [`execute_until_quiet`](Self::execute_until_quiet) does. What is left after `at_most`
    /// rounds waits for the next execute.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let weaken = |game: &mut Game, id| match game.entity(id).health().0 {
    ///     0 => game.destroy(id),
    ///     health => { game.entity_mut(id).replace_health(health - 1); }
    /// };
    /// let mut systems = Systems::new()
    ///     .for_each_changed(&mut game, Game::all_of::<Health>().entered_or_updated(), weaken)
    ///     .until_quiet(100);
    /// game.create_with(Health(7));
    /// systems.execute(&mut game);
    /// assert!(game.is_empty());
    /// ```
    #[must_use = "the list is returned"]
    pub fn until_quiet(mut self, at_most: usize) -> Self {
        self.rounds = Some(at_most);
        self
    }
}

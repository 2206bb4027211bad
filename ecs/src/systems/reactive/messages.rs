//! Reactive systems that receive messages.

use alloc::string::String;
use alloc::vec::Vec;
use core::convert::Infallible;
use core::mem;

use super::reaction::{ChangeSource, Control, React, Reaction};
use crate::api::context::Context;
use crate::reactions::messages::{Inbox, Messages};
use crate::state::user_code;
use crate::systems::contexts::HasContext;
use crate::systems::name;
use crate::systems::outcome::{AnyError, IntoOutcome, Outcome as _};
use crate::systems::system::{Sendable, Systems};
use crate::words::demands::{FitsIn, ThreadSafe};

/// An inbox, and the messages that were drained last.
struct InboxSource<C, T> {
    /// `None` while it is deactivated or released.
    inbox: Option<Inbox<C, T>>,
    released: bool,
    /// The name of the system, which an inbox shows as its reader.
    system: String,
    messages: Messages<T>,
    /// Those drained before, if the system failed for one of them.
    left: Vec<Messages<T>>,
    /// How many of `left` the system has received.
    read: usize,
}

impl<C, T> InboxSource<C, T> {
    /// Drops what was left.
    fn forget_left(&mut self) {
        self.read = 0;
        self.left.clear(); // user code
    }
}

impl<C: Context, W: HasContext<C>, T: ThreadSafe + FitsIn<C>> ChangeSource<W>
    for InboxSource<C, T>
{
    /// Messages are not filtered.
    type Candidate<'a> = Infallible;

    #[track_caller]
    fn drain(&mut self, world: &mut W, _: impl FnMut(Infallible) -> bool) -> usize {
        self.messages.clear();
        if let Some(inbox) = &self.inbox {
            inbox.drain_into(world.context_mut(), &mut self.messages);
        }
        let left: usize = self.left.iter().map(Messages::len).sum();
        left - self.read + self.messages.len()
    }

    fn discard(&mut self) {
        self.messages.clear();
    }

    fn control(&mut self, world: &mut W, control: Control) {
        if !matches!(control, Control::Attach | Control::Activate) {
            self.forget_left();
        }
        match (control, &self.inbox) {
            (Control::Activate, None) if !self.released => {
                let inbox = world.context_mut().inbox();
                inbox.set_reader(&self.system);
                self.inbox = Some(inbox);
            }
            (Control::Clear | Control::Discard, Some(inbox)) => inbox.clear(world.context_mut()),
            (Control::Deactivate, _) => self.inbox = None,
            (Control::Release, _) => (self.inbox, self.released) = (None, true),
            _ => {}
        }
    }
}

/// Calls a closure for each message.
struct ForEachMessage<F>(F);

impl<W, C, T, F, R> React<W, InboxSource<C, T>, Result<(), AnyError>> for ForEachMessage<F>
where
    W: HasContext<C>,
    C: Context,
    T: ThreadSafe + FitsIn<C>,
    F: FnMut(&mut W, &T) -> R + Sendable,
    R: IntoOutcome,
{
    fn react(&mut self, world: &mut W, received: &mut InboxSource<C, T>) -> Result<(), AnyError> {
        let (mut left, read) = (mem::take(&mut received.left), mem::take(&mut received.read));
        let all = left.iter().chain([&received.messages]).flatten();
        let failure = all.enumerate().skip(read).find_map(|(at, message)| {
            let outcome = user_code::call(world, W::context, |world| (self.0)(world, message));
            let error = outcome.into_outcome().into_result().err()?;
            Some((at, error))
        });
        let Some((at, error)) = failure else {
            return Ok(());
        };
        left.push(mem::take(&mut received.messages));
        (received.left, received.read) = (left, at + 1);
        Err(error)
    }

    fn name(&self) -> String {
        name::of::<F>()
    }
}

impl<W> Systems<W> {
    /// Adds a system that calls `react` at execute, for each message that the inbox has received since the
    /// last execute.
    ///
    /// It receives each message once, wherever it is in the list; messages sent by later systems arrive
    /// in the next pass. If the closure [fails](crate::Systems#systems-that-fail), the messages
    /// behind the one it failed for wait for the next pass.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// struct Explosion { at: f32 }
    ///
    /// let mut game = Game::new();
    /// let mut systems = Systems::new()
    ///     .on_message(game.inbox::<Explosion>(), |game: &mut Game, explosion| {
    ///         game.create_with((Burning, Position(explosion.at)));
    ///     });
    /// game.send(Explosion { at: 1.5 });
    /// systems.execute(&mut game);
    /// assert_eq!(game.entities().next().unwrap().position().0, 1.5);
    /// ```
    #[must_use = "the list is returned"]
    pub fn on_message<C: Context, T: ThreadSafe + FitsIn<C>, R: IntoOutcome>(
        self,
        inbox: Inbox<C, T>,
        react: impl FnMut(&mut W, &T) -> R + Sendable + 'static,
    ) -> Self
    where
        W: HasContext<C>,
    {
        let system = name::of_value(&react);
        inbox.set_reader(&system);
        let received = InboxSource {
            inbox: Some(inbox),
            released: false,
            system,
            messages: Messages::new(),
            left: Vec::new(),
            read: 0,
        };
        self.add(Reaction::new(ForEachMessage(react), received))
    }
}

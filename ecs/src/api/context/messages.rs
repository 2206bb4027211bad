//! What users do with messages: send them, read them from inboxes, observe them.

use crate::reactions::messages::{Channel, Inbox, Messages};
use crate::state::{self, HasCore, check_own};
use crate::words::demands::ThreadSafe;

impl<C: HasCore, T: ThreadSafe> Inbox<C, T> {
    #[track_caller]
    fn channel<'c>(&self, context: &'c C) -> &'c Channel<T> {
        self.check(context);
        let channel = context.core().messages().get(self.channel);
        channel.expect("an inbox's channel is there")
    }

    /// Panics unless the inbox is of this context.
    #[inline]
    #[track_caller]
    fn check(&self, context: &C) {
        check_own(context.core(), self.instance, "inbox");
    }

    /// Returns the messages that it has not read, in the order in which they were sent.
    ///
    /// # Panics
    ///
    /// Panics if the inbox is one of another context.
    ///
    /// Complexity: constant if it is the only inbox for these messages; else what was sent since
    /// anybody read is moved once.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let (sounds, sparks) = (game.inbox::<char>(), game.inbox::<char>());
    /// game.send('a');
    /// assert!(sounds.drain(&mut game).iter().eq(&['a']));
    /// game.send('b');
    /// assert!(sounds.drain(&mut game).iter().eq(&['b']));
    /// assert!(sparks.drain(&mut game).iter().eq(&['a', 'b']));
    /// ```
    #[track_caller]
    pub fn drain(&self, context: &mut C) -> Messages<T> {
        let mut messages = Messages::new();
        self.drain_into(context, &mut messages);
        messages
    }

    /// Replaces what is in `messages` by those that it has not read, and uses the memory again:
    /// for inboxes that are read again and again.
    ///
    /// # Panics
    ///
    /// Panics if the inbox is one of another context.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::{Messages, prelude::*};
    /// # use sample::*;
    /// let (mut game, mut messages) = (Game::new(), Messages::new());
    /// let inbox = game.inbox::<u32>();
    /// for round in 0..3 {
    ///     game.send(round);
    ///     inbox.drain_into(&mut game, &mut messages);
    ///     assert!(messages.iter().eq(&[round]));
    /// }
    /// ```
    #[inline]
    #[track_caller]
    pub fn drain_into(&self, context: &mut C, messages: &mut Messages<T>) {
        self.check(context);
        messages.clear(); // user code
        state::read_messages(context.core_mut(), (self.channel, self.place), messages);
    }

    /// Returns how many messages it has not read.
    ///
    /// # Panics
    ///
    /// Panics if the inbox is one of another context.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let inbox = game.inbox::<u32>();
    /// game.send(7_u32);
    /// assert_eq!(inbox.len(&game), 1);
    /// ```
    #[track_caller]
    pub fn len(&self, context: &C) -> usize {
        self.channel(context).len(self.place)
    }

    /// Returns whether it has read all messages.
    ///
    /// # Panics
    ///
    /// Panics if the inbox is one of another context.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// assert!(game.inbox::<u32>().is_empty(&game));
    /// ```
    #[track_caller]
    pub fn is_empty(&self, context: &C) -> bool {
        self.len(context) == 0
    }

    /// Passes over the messages that it has not read.
    ///
    /// # Panics
    ///
    /// Panics if the inbox is one of another context.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let inbox = game.inbox::<u32>();
    /// game.send(7_u32);
    /// inbox.clear(&mut game);
    /// assert!(inbox.is_empty(&game));
    /// ```
    #[track_caller]
    pub fn clear(&self, context: &mut C) {
        drop(self.drain(context));
    }
}

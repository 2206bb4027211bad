//! The methods of an inbox.

use crate::reactions::messages::{Channel, Inbox, Messages};
use crate::state::{self, HasCore, check_own};
use crate::words::demands::FitsIn;

impl<C: HasCore, T: FitsIn<C>> Inbox<C, T> {
    #[track_caller]
    fn channel<'c>(&self, context: &'c C) -> &'c Channel<T> {
        self.check(context);
        let channel = context.core().subs.messages().get(self.channel);
        channel.expect("an inbox's channel is there")
    }

    /// Panics unless the inbox belongs to this context.
    #[inline]
    #[track_caller]
    fn check(&self, context: &C) {
        check_own(&context.core().world, self.instance, "inbox");
    }

    /// Returns the unread messages, in the order in which they were sent.
    ///
    /// Complexity: constant if it is the only inbox for these messages; otherwise the messages sent
    /// since any inbox was last read are moved once.
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
    ///
    /// # Panics
    ///
    /// Panics if the inbox belongs to another context.
    #[track_caller]
    pub fn drain(&self, context: &mut C) -> Messages<T> {
        let mut messages = Messages::new();
        self.drain_into(context, &mut messages);
        messages
    }

    /// Replaces the contents of `messages` with the unread messages and reuses the memory: for
    /// inboxes that are read repeatedly.
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
    ///
    /// # Panics
    ///
    /// Panics if the inbox belongs to another context.
    #[inline]
    #[track_caller]
    pub fn drain_into(&self, context: &mut C, messages: &mut Messages<T>) {
        self.check(context);
        messages.clear(); // user code
        {
            let core = context.core_mut();
            state::read_messages(&mut core.subs, (self.channel, self.place), messages)
        };
    }

    /// Returns the number of unread messages.
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
    ///
    /// # Panics
    ///
    /// Panics if the inbox belongs to another context.
    #[track_caller]
    pub fn len(&self, context: &C) -> usize {
        self.channel(context).len(self.place)
    }

    /// Returns whether there are no unread messages.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// assert!(game.inbox::<u32>().is_empty(&game));
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the inbox belongs to another context.
    #[track_caller]
    pub fn is_empty(&self, context: &C) -> bool {
        self.len(context) == 0
    }

    /// Discards the unread messages.
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
    ///
    /// # Panics
    ///
    /// Panics if the inbox belongs to another context.
    #[track_caller]
    pub fn clear(&self, context: &mut C) {
        drop(self.drain(context));
    }
}

//! Sending a message: to inboxes first, then to observers, in order. Creating inboxes and
//! observers, and reading an inbox.

use alloc::boxed::Box;
use alloc::sync::Arc;

use super::core::{Core, HasCore};
use super::dispatch::notify_queued;
use super::subscribe::subscribe;
use crate::reactions::messages::{ChannelNumber, Inbox, Messages};
use crate::reactions::notification::{Notification, Observer};
use crate::reactions::queue::{QueuedMessage, Step};
use crate::reactions::subscribers::Subscribers;
use crate::reactions::subscription::{Subject, Subscription};
use crate::words::demands::{Confined, FitsIn};
use crate::world::World;

/// Sends a message to the inboxes and observers of its type; drops it if there are none.
#[inline]
pub(crate) fn send<C: HasCore, T: FitsIn<C>>(context: &mut C, message: T) {
    match context.core_mut().subs.messages.recent_mut() {
        Some(channel) if !channel.is_observed() => channel.send(message),
        _ => send_outlined(context, message),
    }
}

#[inline(never)] // keeps messages without observers short
fn send_outlined<C: HasCore, T: FitsIn<C>>(context: &mut C, message: T) {
    let core = context.core_mut();
    let Some(number) = core.subs.messages.find::<T>() else {
        return;
    };
    if !core.subs.observers.is_empty(Subject::Message(number)) {
        return send_to_observers(context, number, message);
    }
    if let Some(channel) = core.subs.messages.get_mut(number) {
        channel.set_observed(false);
        channel.send(message);
    }
}

fn send_to_observers<C: HasCore, T: FitsIn<C>>(context: &mut C, number: ChannelNumber, message: T) {
    let core = context.core_mut();
    let Some(channel) = core.subs.messages.get_mut::<T>(number) else {
        return;
    };
    let message = channel.send_shared::<C>(message);
    let queued = QueuedMessage {
        number: core.subs.queue.next_change(),
        channel: number,
        message: Box::new(message),
    };
    core.subs.queue.steps.push_back(Step::Message(queued));
    notify_queued(context);
}

/// Creates an inbox for messages of a type.
pub(crate) fn add_inbox<C, T: FitsIn<C>>(world: &World, subs: &mut Subscribers) -> Inbox<C, T> {
    let number = subs.messages.find_or_add::<C, T>();
    match subs.messages.get_mut::<T>(number) {
        Some(channel) => Inbox::new(world.instance, number, channel.add_inbox::<C>()),
        None => unreachable!("the channel was found by its type"),
    }
}

/// Moves the messages of an inbox, which is a place in a channel, to a list.
#[inline]
pub(crate) fn read_messages<T: 'static>(
    subs: &mut Subscribers,
    (channel, place): (ChannelNumber, usize),
    messages: &mut Messages<T>,
) {
    if let Some(channel) = subs.messages.get_mut(channel) {
        channel.read(place, messages);
    }
}

/// Adds an observer of messages of a type.
pub(crate) fn observe_messages<C: 'static, T: FitsIn<C>>(
    core: &mut Core<C>,
    observer: Confined<impl FnMut(&mut C, &T) + 'static>,
) -> Subscription {
    let number = core.subs.messages.find_or_add::<C, T>();
    if let Some(channel) = core.subs.messages.get_mut::<T>(number) {
        channel.set_observed(true);
    }
    subscribe(
        &mut core.world,
        &mut core.subs,
        Subject::Message(number),
        of_messages(observer),
    )
}

/// Converts an observer of messages to the common type of observers.
fn of_messages<C: 'static, T: 'static>(
    mut observer: Confined<impl FnMut(&mut C, &T) + 'static>,
) -> Observer {
    Observer::new(move |context: &mut C, notification| {
        if let Notification::Message(message) = notification
            && let Some([message]) = message
                .downcast_ref()
                .map(|message: &Confined<Arc<[T]>>| &***message)
        {
            observer(context, message);
        }
    })
}

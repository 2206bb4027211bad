//! Values that come later, for programs with an async runtime; any will do.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_channel::oneshot::{Receiver, Sender, channel};

use crate::client::{Guarded, shielded};
use crate::error::Error;
use crate::store::Done;

/// The future of what a store or a host answers. It needs no runtime of a certain kind, and may be dropped.
///
/// # Examples
///
/// See [`Player::play`](crate::Player::play).
#[must_use = "futures do nothing unless polled"]
pub struct Later<T>(Receiver<Result<T, Error>>);

/// What answers a [`Later`]; if it is dropped, the answer is [`Error::Unknown`]. It wakes, which may panic.
pub(crate) struct Promise<T>(Guarded<Sender<Result<T, Error>>>);

impl<T> Later<T> {
    pub(crate) fn new() -> (Promise<T>, Self) {
        let (sender, receiver) = channel();
        (Promise(Guarded::new(sender)), Self(receiver))
    }

    pub(crate) fn failed(error: Error) -> Self {
        let (promise, later) = Self::new();
        promise.answer(Err(error));
        later
    }
}

impl Later<u64> {
    /// Of a write.
    pub(crate) fn of(write: impl FnOnce(Done)) -> Self {
        let (promise, later) = Self::new();
        write(Box::new(|outcome| promise.answer(outcome)));
        later
    }
}

impl<T> Promise<T> {
    pub(crate) fn answer(self, answer: Result<T, Error>) {
        let _ = shielded(|| self.0.into_inner().send(answer));
    }
}

impl<T> Future for Later<T> {
    type Output = Result<T, Error>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let answer = Pin::new(&mut self.get_mut().0).poll(context);
        let none = |_| Err(Error::Unknown("there is no answer".to_owned()));
        answer.map(|answer| answer.unwrap_or_else(none))
    }
}

impl<T> fmt::Debug for Later<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Later { .. }")
    }
}

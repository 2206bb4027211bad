//! Values that come later, for programs with an async runtime; any will do.

use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use crate::client::{lock, shielded};
use crate::error::Error;
use crate::store::Done;

/// The future of what a store or a host answers. It needs no runtime of a certain kind, and may be dropped.
///
/// # Examples
///
/// See [`Player::play`](crate::Player::play).
#[must_use = "futures do nothing unless polled"]
pub struct Later<T>(Arc<Mutex<Slot<T>>>);

struct Slot<T> {
    answer: Option<Result<T, Error>>,
    is_answered: bool,
    waker: Option<Waker>,
}

/// What answers a [`Later`]; if it is dropped, the answer is [`Error::Unknown`].
pub(crate) struct Promise<T>(Arc<Mutex<Slot<T>>>);

impl<T> Later<T> {
    pub(crate) fn new() -> (Promise<T>, Self) {
        let slot = Arc::new(Mutex::new(Slot {
            answer: None,
            is_answered: false,
            waker: None,
        }));
        (Promise(slot.clone()), Self(slot))
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
        self.put(answer);
    }

    /// The first answer counts.
    fn put(&self, answer: Result<T, Error>) {
        let mut slot = lock(&self.0);
        if std::mem::replace(&mut slot.is_answered, true) {
            return;
        }
        slot.answer = Some(answer);
        let waker = slot.waker.take();
        drop(slot);
        let _ = shielded(|| waker.map(Waker::wake));
    }
}

impl<T> Drop for Promise<T> {
    fn drop(&mut self) {
        self.put(Err(Error::Unknown("there is no answer".to_owned())));
    }
}

impl<T> Future for Later<T> {
    type Output = Result<T, Error>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut slot = lock(&self.0);
        match slot.answer.take() {
            Some(answer) => Poll::Ready(answer),
            None => {
                slot.waker = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }
}

impl<T> fmt::Debug for Later<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Later { .. }")
    }
}

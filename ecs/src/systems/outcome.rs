//! What a system returns: nothing, or a `Result` if it can fail.

use alloc::boxed::Box;
use core::error::Error;

/// An error of any type.
pub(super) type AnyError = Box<dyn Error + Send + Sync>;

/// What the phases of a system return: `()`, or a `Result<(), E>` if they can fail. The error is of
/// any type that a `Box<dyn Error + Send + Sync>` can be made from: an error, or a text.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// fn check(game: &mut Game) -> Result<(), String> {
///     if game.is_empty() { Err("nobody is left".to_string()) } else { Ok(()) }
/// }
/// let mut systems = Systems::new().add(check);
/// let error = systems.try_execute(&mut Game::new()).unwrap_err();
/// assert_eq!(error.to_string(), "system `check` failed at execute: nobody is left");
/// ```
#[diagnostic::on_unimplemented(
    message = "a system does not return `{Self}`",
    label = "neither `()` nor a `Result<(), E>` whose error can be sent to other threads",
    note = "end a system that cannot fail with `;`; the error of one that can is `Send + Sync`: a `Box<dyn Error + Send + Sync>`, not a `Box<dyn Error>`, or a text"
)]
pub trait Outcome: Sized + 'static {
    /// Returns what a system returns that has done all it had to do.
    fn done() -> Self;

    /// Returns whether it is an error.
    fn has_failed(&self) -> bool;

    /// Returns the error, if there is one, as one of any type.
    fn into_result(self) -> Result<(), Box<dyn Error + Send + Sync>>;
}

impl Outcome for () {
    #[inline]
    fn done() {}

    #[inline]
    fn has_failed(&self) -> bool {
        false
    }

    #[inline]
    fn into_result(self) -> Result<(), AnyError> {
        Ok(())
    }
}

#[diagnostic::do_not_recommend]
impl<E: Into<AnyError> + 'static> Outcome for Result<(), E> {
    #[inline]
    fn done() -> Self {
        Ok(())
    }

    #[inline]
    fn has_failed(&self) -> bool {
        self.is_err()
    }

    #[inline]
    fn into_result(self) -> Result<(), AnyError> {
        self.map_err(E::into)
    }
}

/// What the closure of a system may return: what is an [`Outcome`], or `!`, if it never returns.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut systems = Systems::new().add_if(|game: &Game| game.len() > 9, |_: &mut Game| panic!("too many"));
/// systems.execute(&mut Game::new());
/// ```
#[diagnostic::on_unimplemented(
    message = "a system does not return `{Self}`",
    label = "neither `()` nor a `Result<(), E>` whose error can be sent to other threads",
    note = "end a system that cannot fail with `;`; the error of one that can is `Send + Sync`: a `Box<dyn Error + Send + Sync>`, not a `Box<dyn Error>`, or a text"
)]
pub trait IntoOutcome {
    /// What the phases of the system return.
    type Outcome: Outcome;

    /// Returns the outcome.
    fn into_outcome(self) -> Self::Outcome;
}

#[diagnostic::do_not_recommend]
impl<R: Outcome> IntoOutcome for R {
    type Outcome = R;

    #[inline]
    fn into_outcome(self) -> R {
        self
    }
}

#[diagnostic::do_not_recommend]
impl IntoOutcome for Never {
    type Outcome = ();

    fn into_outcome(self) {
        self
    }
}

/// The type `!`, of which a closure is that only panics. It cannot be written by its name yet.
type Never = <fn() -> ! as Returns>::Output;

/// A function, with what it returns: public because `IntoOutcome` is for what it returns.
pub trait Returns {
    type Output;
}

impl<T> Returns for fn() -> T {
    type Output = T;
}

/// The first failure of calls that are made one after the other until one fails.
#[inline]
pub(super) fn first_failure<R: IntoOutcome>(calls: impl Iterator<Item = R>) -> R::Outcome {
    calls
        .map(R::into_outcome)
        .find(R::Outcome::has_failed)
        .unwrap_or_else(R::Outcome::done)
}

//! The return type of systems: `()`, or a `Result` if they can fail.

use alloc::boxed::Box;
use core::error::Error;
use core::fmt;

use crate::words::entity_id::RawEntityId;

/// An error of any type.
pub(super) type AnyError = Box<dyn Error + Send + Sync>;

/// The return type of a system's phases: `()`, or a `Result<(), E>` if they can fail. `E` is any type
/// that converts into `Box<dyn Error + Send + Sync>`: an error, or a string.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// fn check(game: &mut Game) -> Result<(), String> {
///     if game.is_empty() { Err("all are dead".to_string()) } else { Ok(()) }
/// }
/// let mut systems = Systems::new().add(check);
/// let error = systems.try_execute(&mut Game::new()).unwrap_err();
/// assert_eq!(error.to_string(), "system `check` failed at execute: all are dead");
/// ```
#[diagnostic::on_unimplemented(
    message = "a system does not return `{Self}`",
    label = "neither `()` nor a `Result<(), E>` whose error can be sent to other threads",
    note = "end a system that cannot fail with `;`; the error of one that can is `Send + Sync`: a `Box<dyn Error + Send + Sync>`, not a `Box<dyn Error>`, or a text"
)]
pub trait Outcome: Sized + 'static {
    /// Returns the value for success.
    fn done() -> Self;

    /// Converts into a `Result` with a boxed error.
    fn into_result(self) -> Result<(), Box<dyn Error + Send + Sync>>;
}

impl Outcome for () {
    #[inline]
    fn done() {}

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
    fn into_result(self) -> Result<(), AnyError> {
        self.map_err(E::into)
    }
}

/// The return type of a closure that is a system: an [`Outcome`], or `!` if it never returns.
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
    /// The return type of the system.
    type Outcome: Outcome;

    /// Converts into the outcome.
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

/// The type `!`, returned by a closure that only panics. Stable Rust cannot name it yet.
type Never = <fn() -> ! as Returns>::Output;

/// The return type of a function pointer. Public because `IntoOutcome` is implemented for `Never`.
pub trait Returns {
    type Output;
}

impl<T> Returns for fn() -> T {
    type Output = T;
}

/// The outcome of a call for one entity, as that of the system.
#[inline]
pub(super) fn result_for(outcome: impl IntoOutcome, entity: RawEntityId) -> Result<(), AnyError> {
    let result = outcome.into_outcome().into_result();
    result.map_err(|error| FailedFor { entity, error }.into())
}

/// The error of a call for one entity; a [`SystemError`](super::SystemError) takes it apart.
#[derive(Debug)]
pub(super) struct FailedFor {
    pub(super) entity: RawEntityId,
    pub(super) error: AnyError,
}

impl fmt::Display for FailedFor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "entity {}: {}", self.entity, self.error)
    }
}

impl Error for FailedFor {}

//! The error of a list: which system failed, in which phase, and why.

use alloc::boxed::Box;
use alloc::string::{String, ToString as _};
use core::error::Error;
use core::fmt;

use super::outcome::{AnyError, FailedFor};
use super::phase::Phase;
use crate::words::entity_id::RawEntityId;

/// The error of a list of [`Systems`](crate::Systems): which system failed, in which phase, and why.
///
/// Its text contains the system's error, which [`error`](Self::error) returns. So
/// [`source`](Error::source) returns the source of that error.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// fn load(game: &mut Game) -> Result<(), std::num::ParseIntError> {
///     for _ in 0.."two".parse()? { game.create_entity(); }
///     Ok(())
/// }
/// let mut systems = Systems::new().add(Systems::with_name("Start").on(Phase::Initialize, load));
/// let error = systems.try_initialize(&mut Game::new()).unwrap_err();
/// assert_eq!((error.system(), error.phase()), ("load", Phase::Initialize));
/// assert_eq!(error.list(), Some("Start"));
/// assert!(error.error().is::<std::num::ParseIntError>());
/// ```
#[derive(Debug)]
pub struct SystemError(Box<ErrorParts>);

#[derive(Debug)]
struct ErrorParts {
    system: String,
    /// The nested list that the system is in.
    list: Option<String>,
    phase: Phase,
    /// For which the system failed.
    entity: Option<RawEntityId>,
    error: AnyError,
    /// The error of the list beside it, in the same phase.
    also: Option<SystemError>,
}

impl SystemError {
    /// The error of a system in a list, or of a nested list. That names its system already.
    #[cold]
    pub(super) fn of(system: &str, phase: Phase, error: AnyError) -> Self {
        match error.downcast::<Self>() {
            Ok(mut nested) => {
                nested.0.list.get_or_insert_with(|| system.to_string());
                *nested
            }
            Err(error) => {
                let (entity, error) = match error.downcast::<FailedFor>() {
                    Ok(failed) => (Some(failed.entity), failed.error),
                    Err(error) => (None, error),
                };
                Self(Box::new(ErrorParts {
                    system: system.to_string(),
                    list: None,
                    phase,
                    entity,
                    error,
                    also: None,
                }))
            }
        }
    }

    /// Adds the error of a list that ran at the same time.
    #[cfg(feature = "rayon")]
    pub(super) fn and_also(mut self, other: Self) -> Self {
        self.0.also = Some(other);
        self
    }

    /// Returns the error of the second of two lists that ran side by side, by `Systems::side_by_side`, if both
    /// failed: this is that of the first.
    pub fn also(&self) -> Option<&Self> {
        self.0.also.as_ref()
    }

    /// Returns the name of the system, not that of its list.
    pub fn system(&self) -> &str {
        &self.0.system
    }

    /// Returns the name of the nested list that the system is in, if it is in one.
    pub fn list(&self) -> Option<&str> {
        self.0.list.as_deref()
    }

    /// Returns the phase in which it failed.
    pub fn phase(&self) -> Phase {
        self.0.phase
    }

    /// Returns the entity for which it failed, if the system is a closure that is called for each:
    /// by [`for_each_changed`](crate::Systems::for_each_changed) or
    /// [`for_each_in`](crate::Systems::for_each_in).
    pub fn entity(&self) -> Option<RawEntityId> {
        self.0.entity
    }

    /// Returns the error of the system, for `downcast_ref`.
    pub fn error(&self) -> &(dyn Error + Send + Sync + 'static) {
        &*self.0.error
    }

    /// Returns the error of the system as a value, for `downcast`.
    pub fn into_error(self) -> Box<dyn Error + Send + Sync> {
        self.0.error
    }
}

impl fmt::Display for SystemError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ErrorParts {
            system,
            list,
            phase,
            entity,
            error,
            also,
        } = &*self.0;
        write!(f, "system `{system}`")?;
        if let Some(list) = list {
            write!(f, " of `{list}`")?;
        }
        write!(f, " failed at {phase}")?;
        if let Some(entity) = entity {
            write!(f, " for entity {entity}")?;
        }
        write!(f, ": {error}")?;
        also.iter().try_for_each(|also| write!(f, "; {also}"))
    }
}

impl Error for SystemError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.error.source()
    }
}

/// Panics with the error of a system, and names the twin method that returns it.
#[track_caller]
pub(super) fn expect<T>(result: Result<T, SystemError>, twin: &str) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("{error}; `{twin}` returns this instead of panicking"),
    }
}

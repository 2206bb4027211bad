//! Why a mirror does not apply a delta.

use core::fmt;

use crate::words::entity_id::RawEntityId;
use crate::words::error::{Error, ErrorKind};

/// Why a [`Mirror`](crate::Mirror) did not apply a [`Delta`](crate::Delta).
///
/// What is not applied has changed nothing, with the exception of [`Incomplete`](Self::Incomplete). After every error but [`Repeated`](Self::Repeated) and
/// [`OtherFeed`](Self::OtherFeed) the remedy is a delta that is everything:
/// [`Feed::take_all`](crate::Feed::take_all).
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// use ecs::{ApplyError, Mirror};
///
/// let (mut game, mut other) = (Game::new(), Game::new());
/// let (feed, mut mirror) = (game.feed::<Health>(), Mirror::new());
/// mirror.apply(&mut other, &feed.take(&mut game)).unwrap();
/// game.create_with(Health(1));
/// let lost = feed.take(&mut game);
/// let next = feed.take(&mut game);
/// let rejected = mirror.apply(&mut other, &next);
/// assert_eq!(rejected, Err(ApplyError::Missing { expected: 2, found: 3 }));
/// mirror.apply(&mut other, &feed.take_all(&mut game)).unwrap();
/// assert_eq!(other.len(), 1);
/// # drop(lost);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ApplyError {
    /// The delta is of another feed than those before.
    OtherFeed,
    /// A delta before this one has not been applied.
    Missing {
        /// The number of the delta that comes next.
        expected: u64,
        /// The number of this one.
        found: u64,
    },
    /// This delta, or a later one, has been applied.
    Repeated {
        /// The number of the delta.
        number: u64,
    },
    /// An apply, this one or the one before, was cut short: by a panic, or by values that no feed
    /// sends, such as a circle of relations.
    Incomplete,
    /// Somebody else destroyed an entity of the mirror.
    Destroyed {
        /// Which entity of the origin it stood for.
        entity: RawEntityId,
    },
    /// An entity that is not the mirror's is in the way: it has a unique component or a key of a
    /// primary index. Or the context cannot have as many entities.
    Rejected(Error),
    /// No feed makes such a delta: what it was read from is broken.
    Malformed,
}

impl fmt::Display for ApplyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherFeed => f.write_str(
                "the delta is of another feed; a mirror is good for one feed, make another one",
            ),
            Self::Missing { expected, found } => write!(
                f,
                "delta {found} cannot be applied: delta {expected} is missing; apply that first, \
                 or have the feed send everything by `take_all`"
            ),
            Self::Repeated { number } => write!(
                f,
                "delta {number} cannot be applied: it, or a later one, has been; leave it out"
            ),
            Self::Incomplete => f.write_str(
                "the mirror is incomplete because an apply was cut short; have the feed send \
                 everything by `take_all`",
            ),
            Self::Destroyed { entity } => write!(
                f,
                "the entity that stands for {entity} was destroyed by somebody else than the \
                 mirror; have the feed send everything by `take_all`"
            ),
            Self::Rejected(error) if error.kind() == ErrorKind::TooManyEntities => {
                write!(f, "the entities of the delta do not fit in: {error}")
            }
            Self::Rejected(error) => write!(
                f,
                "an entity that is not the mirror's is in the way: {error}"
            ),
            Self::Malformed => f.write_str(
                "no feed makes such a delta, so what it was read from is broken; have the feed \
                 send everything by `take_all`",
            ),
        }
    }
}

impl core::error::Error for ApplyError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Rejected(error) => Some(error),
            _ => None,
        }
    }
}

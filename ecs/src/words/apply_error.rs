//! Errors of applying a delta to a mirror.

use core::fmt;

use crate::words::entity_id::RawEntityId;
use crate::words::error::{Error, ErrorKind};

/// Why a [`Mirror`](crate::Mirror) did not apply a [`Delta`](crate::Delta).
///
/// A rejected delta has changed nothing, except for [`Incomplete`](Self::Incomplete). After any
/// error except [`Repeated`](Self::Repeated), [`OtherFeed`](Self::OtherFeed) and
/// [`Unreadable`](Self::Unreadable), apply a complete delta from
/// [`Feed::everything`](crate::Feed::everything).
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
/// mirror.apply(&mut other, &feed.everything(&game)).unwrap();
/// assert_eq!(other.len(), 1);
/// # drop(lost);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ApplyError {
    /// The delta is from a different feed than the previous ones. If the origin has moved, use
    /// [`Mirror::rebase`](crate::Mirror::rebase).
    OtherFeed,
    /// An earlier delta has not been applied.
    Missing {
        /// The number of the next delta to apply.
        expected: u64,
        /// The number of this delta.
        found: u64,
    },
    /// This delta or a later one has already been applied.
    Repeated {
        /// The number of the delta.
        number: u64,
    },
    /// This or the previous apply did not complete: it panicked, or the delta has values that no
    /// feed sends, such as a relation cycle.
    Incomplete,
    /// An entity of the mirror was destroyed by other code.
    Destroyed {
        /// The corresponding entity of the feed's context.
        entity: RawEntityId,
    },
    /// An entity not created by the mirror has a unique component or a primary key of the delta, or
    /// the context cannot hold that many entities.
    Rejected(Error),
    /// The delta was received as bytes with only changes, and the mirror cannot read it: the delta
    /// is damaged, or of another feed, or far from the last one that was applied, or the mirror has not
    /// applied everything of the feed yet. Skip the delta; if the next one is missing it, apply
    /// everything.
    Unreadable,
    /// The delta was not made by a feed: its source is corrupt.
    Malformed,
}

impl fmt::Display for ApplyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherFeed => f.write_str(
                "the delta is of another feed; if the origin has moved, pass what that feed's \
                 `Feed::everything` returns to `Mirror::rebase`",
            ),
            Self::Missing { expected, found } => write!(
                f,
                "delta {found} cannot be applied: delta {expected} is missing; apply that first, \
                 or what `Feed::everything` returns"
            ),
            Self::Repeated { number } => write!(
                f,
                "delta {number} cannot be applied: it, or a later one, has been applied already; skip it"
            ),
            Self::Incomplete => f.write_str(
                "the mirror is incomplete because an apply was cut short; apply what \
                 `Feed::everything` returns",
            ),
            Self::Destroyed { entity } => write!(
                f,
                "the entity that stands for {entity} was destroyed by something other than the \
                 mirror; apply what `Feed::everything` returns"
            ),
            Self::Rejected(error) if error.kind() == ErrorKind::TooManyEntities => {
                write!(f, "the entities of the delta do not fit in: {error}")
            }
            Self::Rejected(error) => write!(
                f,
                "an entity that is not the mirror's is in the way: {error}"
            ),
            Self::Unreadable => f.write_str(
                "the delta is damaged, of another feed or far away; apply what `Feed::everything` returns",
            ),
            Self::Malformed => f.write_str(
                "no feed makes such a delta, so what it was read from is broken; apply what \
                 `Feed::everything` returns",
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

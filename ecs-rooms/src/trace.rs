//! Events and spans of `tracing`, if the feature is on.

#![cfg_attr(
    not(feature = "tracing"),
    expect(unused, reason = "the feature is off")
)]

use crate::core::seat::{End, Note};

/// What a span is about.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    /// The saves of a shard are listed and loaded.
    Load,
    /// Records are read as a follower: the ticks of others are played.
    Replay,
    /// From the claim to the first own tick.
    TakeOver,
    /// Records are read as the owner: a tick is played.
    Tick,
    /// Until the store acknowledges it.
    Save,
}

pub(crate) fn note(shard: u32, note: &Note) {
    #[cfg(feature = "tracing")]
    match note {
        Note::TakenOver(tick) => tracing::info!(target: "ecs_rooms", shard, tick, "taken over"),
        Note::Played { played, .. } => {
            tracing::trace!(target: "ecs_rooms", shard, rooms = played, replayed = false, "tick");
        }
        Note::Replayed(played) => {
            tracing::trace!(target: "ecs_rooms", shard, rooms = played, replayed = true, "tick");
        }
        Note::Skipped => tracing::debug!(target: "ecs_rooms", shard, "record skipped"),
        Note::Rejected => tracing::info!(target: "ecs_rooms", shard, "mark rejected"),
        Note::Failed(error) => tracing::error!(target: "ecs_rooms", shard, %error, "room failed"),
        Note::StoreFailed => tracing::debug!(target: "ecs_rooms", shard, "the store has failed"),
        Note::Saved | Note::Times(_) => {} // they are spans
        Note::Ended(End::Unfit(error)) => {
            tracing::error!(target: "ecs_rooms", shard, %error, "shard given up");
        }
        Note::Ended(end) => tracing::info!(target: "ecs_rooms", shard, ?end, "shard given up"),
    }
}

#[cfg(feature = "tracing")]
pub(crate) use tracing::Span;

/// Something that takes time, as long as the span is not dropped.
#[cfg(feature = "tracing")]
pub(crate) fn span(part: Part, shard: u32) -> Span {
    match part {
        Part::Load => tracing::info_span!(target: "ecs_rooms", "load", shard),
        Part::Replay => tracing::debug_span!(target: "ecs_rooms", "replay", shard),
        Part::TakeOver => tracing::info_span!(target: "ecs_rooms", "take_over", shard),
        Part::Tick => tracing::trace_span!(target: "ecs_rooms", "tick", shard),
        Part::Save => tracing::debug_span!(target: "ecs_rooms", "save", shard),
    }
}

#[cfg(not(feature = "tracing"))]
pub(crate) struct Span;

#[cfg(not(feature = "tracing"))]
pub(crate) fn span(_: Part, _: u32) -> Span {
    Span
}

#[cfg(not(feature = "tracing"))]
impl Span {
    pub(crate) fn in_scope<T>(&self, call: impl FnOnce() -> T) -> T {
        call()
    }
}

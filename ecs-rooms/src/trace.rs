//! Events of `tracing`, if the feature is on.

use crate::core::seat::{End, Note};

#[cfg(feature = "tracing")]
pub(crate) fn note(shard: u32, note: &Note) {
    match note {
        Note::TakenOver { tick } => tracing::info!(target: "ecs_rooms", shard, tick, "taken over"),
        Note::Played {
            played,
            is_replayed,
            ..
        } => {
            tracing::trace!(target: "ecs_rooms", shard, rooms = played, replayed = is_replayed, "tick");
        }
        Note::Skipped => tracing::debug!(target: "ecs_rooms", shard, "record skipped"),
        Note::Rejected => tracing::info!(target: "ecs_rooms", shard, "mark rejected"),
        Note::Failed(error) => tracing::error!(target: "ecs_rooms", shard, %error, "room failed"),
    }
}

#[cfg(feature = "tracing")]
pub(crate) fn end(shard: u32, end: &End) {
    tracing::info!(target: "ecs_rooms", shard, ?end, "shard given up");
}

#[cfg(not(feature = "tracing"))]
pub(crate) fn note(_: u32, _: &Note) {}

#[cfg(not(feature = "tracing"))]
pub(crate) fn end(_: u32, _: &End) {}

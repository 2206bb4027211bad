//! Who played which shard when, by the marks that were accepted.

use std::collections::BTreeMap;

/// A mark that the server has accepted.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    /// Microseconds.
    pub(crate) time: u64,
    pub(crate) shard: u32,
    /// The number of the worker.
    pub(crate) owner: usize,
}

/// What happened to a worker.
pub(crate) struct Event {
    pub(crate) name: &'static str,
    pub(crate) worker: &'static str,
    /// Microseconds.
    pub(crate) time: u64,
    /// The longest time that a room was not seen to move until the next event.
    pub(crate) unseen: f64,
}

/// Times in seconds, one for each room that moved.
#[derive(Clone, Default)]
pub(crate) struct Moves {
    /// From the event to the first tick of the next owner.
    pub(crate) after: Vec<f64>,
    /// From the last tick of one owner to the first of the next.
    pub(crate) gaps: Vec<f64>,
}

/// Returns what moved to or from worker `who` between two times. `rooms` has the number of rooms of each shard.
pub(crate) fn moves(
    marks: &[Mark],
    rooms: &BTreeMap<u32, usize>,
    who: usize,
    times: std::ops::Range<u64>,
) -> Moves {
    let mut moves = Moves::default();
    let mut last: BTreeMap<u32, Mark> = BTreeMap::new();
    for mark in marks {
        let Some(before) = last.insert(mark.shard, *mark) else {
            continue;
        };
        let is_of = (before.owner == who) != (mark.owner == who);
        if is_of && times.contains(&mark.time) {
            let seconds = |from: u64| mark.time.saturating_sub(from) as f64 / 1e6;
            let count = rooms.get(&mark.shard).copied().unwrap_or(0);
            let each = |time| std::iter::repeat_n(time, count);
            moves.after.extend(each(seconds(times.start)));
            moves.gaps.extend(each(seconds(before.time)));
        }
    }
    moves.after.sort_by(f64::total_cmp);
    moves.gaps.sort_by(f64::total_cmp);
    moves
}

/// The median and the last of sorted times.
pub(crate) fn median_and_last(times: &[f64]) -> Option<(f64, f64)> {
    Some((*times.get(times.len() / 2)?, *times.last()?))
}

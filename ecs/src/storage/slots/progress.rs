//! The progress of moving entities in small steps. Part of the context's state, so that copies,
//! saves and rewinds continue with the same moves.

#[cfg(feature = "serde")]
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use crate::storage::heap::heap;

/// See the [module](self).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Progress {
    /// The number of calls to skip before the next sweep.
    pub(crate) rest: u32,
    /// Whether counting is finished, so that each class has its rows.
    pub(crate) moving: bool,
    /// Whether the sweep has found a misplaced entity.
    pub(crate) met_misplaced: bool,
    /// The next row.
    pub(crate) next: u32,
    /// The number of counted rows whose class differs from that of the previous row.
    pub(crate) breaks: u32,
    /// Such breaks when the sweep before this one had counted them; zero after a rest.
    breaks_before: u32,
    /// How many times in a row changes have undone what sweeps had moved.
    undone: u32,
    /// The signatures that had entities when they were counted, followed by the free slots. In the
    /// order of rows during counting, then by key.
    pub(crate) classes: Vec<Class>,
}

heap!(Progress: classes);

/// The entities of one signature.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Class {
    /// A key of its components that is the same in every program.
    pub(crate) key: u64,
    /// The first row.
    pub(crate) start: u32,
    /// The end of its rows, or during counting their number.
    pub(crate) end: u32,
    /// The first of its rows that may have an entity of another class.
    pub(crate) cursor: u32,
}

impl Class {
    pub(crate) fn rows(&self) -> Range<u32> {
        self.start..self.end
    }
}

impl Progress {
    /// Creates the state that skips the next `rest` calls.
    pub(crate) fn resting(rest: u32) -> Self {
        Self {
            rest,
            ..Self::default()
        }
    }

    /// Creates the state that begins another sweep.
    pub(crate) fn next_sweep(&self) -> Self {
        Self {
            breaks_before: self.breaks,
            undone: self.undone,
            ..Self::default()
        }
    }

    /// Whether changes have undone most of what the last sweep has moved.
    pub(crate) fn is_undone(&self) -> bool {
        self.breaks_before > 0 && self.breaks > self.breaks_before / 3
    }

    /// Creates the state that skips some calls: four times as many as the last time, up to 32 times `rest`.
    pub(crate) fn resting_longer(&self, rest: u32) -> Self {
        let undone = self.undone.saturating_add(1).min(3);
        Self {
            undone,
            ..Self::resting(rest << (2 * undone).min(5))
        }
    }

    /// The classes without that of the free slots.
    pub(crate) fn signatures(&self) -> &[Class] {
        self.classes.split_last().map_or(&[], |(_, all)| all)
    }

    /// Adds a class for a signature, or for free slots if it is the first one; returns its place.
    pub(crate) fn add_class(&mut self, key: u64) -> usize {
        let place = self.signatures().len();
        let class = Class {
            key,
            ..Class::default()
        };
        self.classes.insert(place, class);
        place
    }

    /// Switches from counting to moving.
    pub(crate) fn start_moving(&mut self) {
        let signatures = self.signatures().len();
        self.classes[..signatures].sort_unstable_by_key(|class| class.key);
        let mut start = 0;
        for class in &mut self.classes {
            (class.start, class.cursor) = (start, start);
            class.end += start;
            start = class.end;
        }
        (self.next, self.moving) = (0, true);
    }
}

#[cfg(feature = "serde")]
impl Progress {
    /// Returns the state as numbers; empty before the first call.
    pub(crate) fn saved(&self) -> Vec<u64> {
        if *self == Self::default() {
            return Vec::new();
        }
        let Self { moving, next, .. } = *self;
        let flags = u64::from(moving) | u64::from(self.met_misplaced) << 1;
        let flags = flags | u64::from(self.undone) << 2 | u64::from(self.breaks_before) << 32;
        let head = [self.rest.into(), flags, next.into(), self.breaks.into()];
        let classes = self.classes.iter().flat_map(|class| {
            let rows = [class.start, class.end, class.cursor].map(u64::from);
            [class.key, rows[0], rows[1], rows[2]]
        });
        head.into_iter().chain(classes).collect()
    }

    /// Restores the state of a context with `rows` rows from numbers, or returns what is wrong.
    pub(super) fn restore(saved: &[u64], rows: usize) -> Result<Self, String> {
        if saved.is_empty() {
            return Ok(Self::default());
        }
        Self::read(saved)
            .filter(|progress| progress.fits(rows))
            .ok_or_else(|| "the progress of moving entities together is invalid".into())
    }

    fn read(saved: &[u64]) -> Option<Self> {
        let (&[rest, flags, next, breaks], classes) = saved.split_first_chunk::<4>()?;
        let (classes, []) = classes.as_chunks::<4>() else {
            return None;
        };
        let number = |number: u64| u32::try_from(number).ok();
        let class = |&[key, start, end, cursor]: &[u64; 4]| {
            Some(Class {
                key,
                start: number(start)?,
                end: number(end)?,
                cursor: number(cursor)?,
            })
        };
        Some(Self {
            rest: number(rest)?,
            moving: flags & 1 != 0,
            met_misplaced: flags & 2 != 0,
            next: number(next)?,
            breaks: number(breaks)?,
            breaks_before: (flags >> 32) as u32,
            undone: flags as u32 >> 2,
            classes: classes.iter().map(class).collect::<Option<_>>()?,
        })
    }

    /// Returns whether all numbers are consistent with the number of rows.
    fn fits(&self, rows: usize) -> bool {
        let mut end = 0;
        let fit = self.classes.iter().all(|class| match self.moving {
            true => {
                let follows = class.start as usize == end;
                end = class.end as usize;
                follows && (class.start..=class.end).contains(&class.cursor)
            }
            false => {
                end += class.end as usize;
                (class.start, class.cursor) == (0, 0)
            }
        });
        fit && end <= rows
            && [self.next, self.breaks]
                .iter()
                .all(|&at| at as usize <= rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(counts: [u32; 4]) -> Progress {
        let class = |end| Class {
            end,
            ..Class::default()
        };
        Progress {
            classes: counts.map(class).to_vec(),
            ..Progress::default()
        }
    }

    #[test]
    fn the_rows_of_classes_follow_one_another() {
        let mut progress = counted([2, 0, 5, 1]);
        progress.start_moving();
        let rows: Vec<_> = progress.classes.iter().map(Class::rows).collect();
        assert_eq!(rows, [0..2, 2..2, 2..7, 7..8]);
        let cursors: Vec<_> = progress.classes.iter().map(|one| one.cursor).collect();
        assert_eq!(cursors, [0, 2, 2, 7]);
    }

    #[test]
    #[cfg(feature = "serde")]
    fn what_is_saved_is_restored() {
        let counting = counted([2, 0, 5, 1]);
        let mut moving = counting.clone();
        moving.start_moving();
        let resting = Progress {
            undone: 3,
            ..Progress::resting(7)
        };
        let again = Progress {
            breaks_before: u32::MAX,
            ..counting.clone()
        };
        for progress in [Progress::default(), resting, counting, again, moving] {
            assert_eq!(Progress::restore(&progress.saved(), 8), Ok(progress));
        }
    }

    #[test]
    #[cfg(feature = "serde")]
    fn inconsistent_saves_are_rejected() {
        let mut moving = counted([2, 0, 5, 1]);
        moving.start_moving();
        let mut gap = moving.clone();
        gap.classes[1].start = 3;
        let mut beyond = moving.clone();
        beyond.classes[3].cursor = 9;
        let mut broken = moving.clone();
        broken.breaks = u32::MAX;
        for wrong in [
            broken.saved(),
            gap.saved(),
            beyond.saved(),
            vec![1, 2],
            vec![0, 0, 0, 0, 1],
            vec![u64::MAX; 4],
        ] {
            assert!(Progress::restore(&wrong, 8).is_err(), "{wrong:?}");
        }
        assert!(Progress::restore(&moving.saved(), 7).is_err());
        assert!(Progress::restore(&counted([4, 4, 1, 0]).saved(), 8).is_err());
    }
}

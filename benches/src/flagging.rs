//! W9 and W10: Flag is added to every entity and removed again, and entities that enter or leave
//! "Position and Flag" are handled. A system implements [`Flags`] for that.

use crate::types::{Position, position};
use crate::workload::{Tally, Workload, steady};

/// A world whose entities have Position, with consumers of entering and leaving.
pub trait Flags: 'static {
    /// Adds Flag to each entity, then handles those that have entered.
    fn add(&mut self);

    /// Removes Flag from each, then handles those that have left.
    fn remove(&mut self);

    /// Counts the members of the groups that name Flag (W10).
    fn count(&mut self);

    /// Returns what has been handled so far, and how many members have been counted.
    fn seen(&self) -> (Tally, usize);

    /// Returns the position of an entity, and whether it has Flag.
    fn found(&self, index: usize) -> (Position, bool);
}

/// Panics unless each entity has its position, and no Flag now but Flag after it was added to all.
fn check(state: &mut impl Flags, entities: usize) {
    let check = |state: &dyn Flags, flagged| {
        for index in 0..entities {
            assert_eq!(state.found(index), (position(index), flagged));
        }
    };
    check(state, false);
    state.add();
    check(state, true);
    state.remove();
}

/// W9.
pub fn group_events(state: impl Flags, entities: usize) -> Box<dyn Workload> {
    let run = |state: &mut _| {
        Flags::add(state);
        Flags::remove(state);
    };
    let mut checks = 0;
    steady(state, run, move |state, runs| {
        check(state, entities);
        checks += 1;
        assert_eq!(state.seen().0, Tally::of_all(entities, 2 * (runs + checks)));
    })
}

/// W10.
pub fn many_groups(state: impl Flags, entities: usize) -> Box<dyn Workload> {
    let run = |state: &mut _| {
        Flags::add(state);
        Flags::count(state);
        Flags::remove(state);
        Flags::count(state);
    };
    let mut checks = 0;
    steady(state, run, move |state, runs| {
        check(state, entities);
        checks += 1;
        let tally = Tally::of_all(entities, 2 * (runs + checks));
        assert_eq!(state.seen(), (tally, 5 * entities * runs as usize));
    })
}

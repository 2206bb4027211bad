//! W9 and W10: Flag comes to every entity and goes again, and whoever enters or leaves
//! «Position and Flag» is handled. What a system needs for that is [`Flags`].

use crate::workload::{Tally, Workload, steady};

/// A world whose entities have Position, with consumers of entering and leaving.
pub trait Flags: 'static {
    /// Adds Flag to each entity, then handles those that have entered.
    fn add(&mut self);

    /// Removes it from each, then handles those that have left.
    fn remove(&mut self);

    /// Counts the members of the groups that name Flag (W10).
    fn count(&mut self);

    /// What has been handled so far, and how many members have been counted.
    fn seen(&self) -> (Tally, usize);
}

/// W9.
pub fn group_events(state: impl Flags, entities: usize) -> Box<dyn Workload> {
    let run = |state: &mut _| {
        Flags::add(state);
        Flags::remove(state);
    };
    steady(state, run, move |state, runs| {
        assert_eq!(state.seen().0, Tally::of_all(entities, 2 * runs));
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
    steady(state, run, move |state, runs| {
        let tally = Tally::of_all(entities, 2 * runs);
        assert_eq!(state.seen(), (tally, 5 * entities * runs as usize));
    })
}

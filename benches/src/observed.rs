//! W8e for systems without observers: the observer is a boxed function, called by the code that
//! writes.

use crate::checks::check_positions;
use crate::types::Position;
use crate::workload::{Heard, Workload, steady};

/// Called with an entity and its new position.
pub type Observer<E> = Box<dyn FnMut(E, &Position)>;

/// A world whose entities have Position, and the observer of each update.
pub struct Observed<W, E> {
    /// The world.
    pub world: W,
    /// Its entities.
    pub ids: Vec<E>,
    /// The observer.
    pub observer: Observer<E>,
}

/// W8e, where `replace_all` replaces every position, [`stale`](crate::types::stale) at
/// first, and tells the observer of it; `read` reads one for the check.
pub fn event_callback<W: 'static, E: Copy + 'static>(
    (world, ids): (W, Vec<E>),
    replace_all: impl FnMut(&mut Observed<W, E>) + 'static,
    read: impl Fn(&W, E) -> Position + 'static,
) -> Box<dyn Workload> {
    let entities = ids.len();
    let heard = Heard::default();
    let notified = heard.clone();
    let state = Observed {
        world,
        ids,
        observer: Box::new(move |_, position| notified.of(position)),
    };
    steady(state, replace_all, move |state, runs| {
        heard.check(entities, runs);
        check_positions(&state.ids, |id| read(&state.world, id));
    })
}

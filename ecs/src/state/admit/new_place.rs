//! The place for the next value of an entity that is being made.

use crate::matching::graph::Steps;
use crate::state::core::Core;
use crate::storage::column::Place;
use crate::storage::slots::Row;
use crate::words::component::Component;
use crate::words::signature::ComponentSet;

/// The place for a value if a block is to be opened or a column to be made, or the steps cannot
/// take its component; or refuses it. The value stays where it is: handed over, it would have
/// to be in memory for the usual way, too.
#[cold]
#[inline(never)]
#[track_caller]
pub(super) fn prepare<'c, C: 'static, T: Component<C>>(
    core: &'c mut Core<C>,
    row: Row,
    steps: Steps,
) -> (Steps, Place<'c, T>) {
    let (component, column) = core.columns.columns.with_index::<T>();
    let Some(place) = column.place(row) else {
        twice(T::NAMES.context, T::NAMES.component);
    };
    if let Some(steps) = steps.with(component) {
        return (steps, place);
    }
    if steps.are_all() {
        core.first = ComponentSet::new();
    }
    core.first.extend(steps.iter().chain([component]));
    (Steps::AFTER_OTHERS, place)
}

#[cold]
#[track_caller]
pub(crate) fn twice(context: &str, component: &str) -> ! {
    panic!(
        "cannot give an entity of context `{context}` its components: its bundle has component \
         `{component}` twice; an entity has at most one of each kind"
    )
}

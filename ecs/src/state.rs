//! Everything that changes a [`World`](crate::world::World) and tells its subscribers: creating and destroying
//! entities, writing components, notifying observers.

mod announcing;
pub(crate) mod bulk;
pub(crate) mod bundle_plan;
mod capacity;
pub(crate) mod collectors;
pub(crate) mod commit;
pub(crate) mod core;
pub(crate) mod defragment;
mod destroy;
mod destroy_plan;
pub(crate) mod dispatch;
pub(crate) mod dropped;
pub(crate) mod entity_indexes;
pub(crate) mod events;
pub(crate) mod groups;
mod incremental;
mod insert;
#[cfg(any(test, feature = "__checks"))]
mod invariants;
mod keys;
mod lifecycle;
pub(crate) mod matcher_groups;
mod memory;
mod merge;
mod missed;
mod observe_changes;
pub(crate) mod pending;
mod query_update;
pub(crate) mod recording;
pub(crate) mod reindex;
pub(crate) mod rejection;
pub(crate) mod relation;
mod removed;
pub(crate) mod reorder;
mod running;
mod runs;
mod send;
pub(crate) mod steps;
mod subscribe;
pub(crate) mod terms;
mod untracked;
pub(crate) mod untyped;
mod update;
pub(crate) mod user_code;
pub(crate) mod validate;
mod with_structure;
pub(crate) mod write;

pub(crate) use self::bulk::{
    Creation, add_many, remove_from, remove_many, replace_many, update_many,
};
pub(crate) use self::bundle_plan::BundlePlan;
pub(crate) use self::capacity::{
    clear_pool, clear_pools, reserve, reserve_entities, shrink_to_fit,
};
pub(crate) use self::collectors::{
    clear_collector, collector, drain_collector, drain_rows, keep_holding, put_back_collected,
    release_collector, set_collecting, spare_rows, take_rows, taken_ids,
};
pub(crate) use self::core::check_own;
pub use self::core::{Core, HasCore};
pub(crate) use self::defragment::defragment;
pub(crate) use self::destroy::{destroy, destroy_all, destroy_living, destroy_many};
pub(crate) use self::dropped::{look_for_dropped, unsubscribe_on_drop};
pub(crate) use self::entity_indexes::{activate_index, add_index, deactivate_index, refresh_index};
pub use self::entity_indexes::{field_index, structure_index};
pub(crate) use self::events::{
    clear_events, clear_listeners, deliver_events, listen, replay, set_events_active, set_warning,
    undelivered,
};
pub(crate) use self::groups::for_each_member;
pub(crate) use self::incremental::{defragment_for, tidy};
pub(crate) use self::insert::insert;
#[cfg(any(test, feature = "__checks"))]
pub(crate) use self::invariants::check_invariants;
pub(crate) use self::keys::owner_of;
pub(crate) use self::lifecycle::{arrive_as, create, reset};
pub(crate) use self::matcher_groups::group;
pub use self::memory::{ComponentMemory, Memory};
pub(crate) use self::merge::Present;
pub(crate) use self::missed::missed;
pub(crate) use self::observe_changes::observe_changes;
pub(crate) use self::pending::PendingEntities;
pub(crate) use self::query_update::{QueryUpdate, RowRecorder, Visit};
pub use self::query_update::{Written, WrittenRows};
pub(crate) use self::recording::check_movable;
pub(crate) use self::rejection::{Rejection, rejected};
pub use self::relation::relation_index;
pub(crate) use self::relation::{SourceOrder, entries, links, orders_of_copies};
pub(crate) use self::removed::{end_log, keep_removed, set_keeping_removed, swap_removed};
pub(crate) use self::send::{add_inbox, observe_messages, read_messages, send};
pub(crate) use self::steps::{
    end_step, restore_place, source_before, start_restoring, start_step, target_in,
};
#[cfg(feature = "serde")]
pub(crate) use self::subscribe::internal_collectors;
pub(crate) use self::subscribe::{end_observers, subscribe, unsubscribe};
pub(crate) use self::untracked::{
    are_any_updates_observed, are_updates_observed, check_untracked, reject_untracked,
    relies_on_reports,
};
pub(crate) use self::untyped::{remove_all, remove_at, take_at};
pub(crate) use self::update::{swap, update, update_with};
pub use self::validate::bundle_writer::BundleWriter;
pub(crate) use self::validate::bundle_writer::twice;
pub(crate) use self::validate::new_rows::{NewRows, NewValues};
pub(crate) use self::validate::{check_owner, check_vacant};
pub(crate) use self::with_structure::with_structure;
pub(crate) use self::write::{add, add_moved, filled, remove, replace, replace_moved, take};

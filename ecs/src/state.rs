//! The registries of a context, and everything that changes them together: creating and destroying
//! entities, writing components, notifying observers.

mod announcing;
mod arrange;
mod bulk;
mod bundle_plan;
mod capacity;
mod changes;
#[cfg(any(test, feature = "__checks"))]
mod check;
mod collectors;
mod commit;
mod core;
mod defragment;
mod destroy;
mod destroy_plan;
mod destroy_together;
mod dispatch;
mod dropped;
mod events;
mod groups;
mod incremental;
mod index;
mod insert;
mod keys;
mod labels;
mod layout;
mod lifecycle;
mod memory;
mod merge;
mod missed;
mod pending;
mod previous;
mod propagate;
mod query_update;
mod queueing;
mod recording;
pub(crate) mod records;
mod rejection;
mod relation;
mod removed;
mod running;
mod runs;
mod send;
mod steps;
mod subscribe;
mod untracked;
mod untyped;
mod update;
pub(crate) mod user_code;
mod validate;
mod write;

pub use self::arrange::Fragmentation;
pub(crate) use self::core::Registries;
pub use self::core::{Core, HasCore};
pub use self::validate::bundle_writer::BundleWriter;

pub(crate) use self::bulk::{
    Creation, add_many, destroy_many, remove_from, remove_many, replace_many, update_many,
};
pub(crate) use self::bundle_plan::BundlePlan;
pub(crate) use self::capacity::{
    clear_pool, clear_pools, reserve, reserve_entities, shrink_to_fit,
};
pub(crate) use self::changes::observe_changes;
#[cfg(any(test, feature = "__checks"))]
pub(crate) use self::check::check_invariants;
pub(crate) use self::collectors::{
    clear_collector, collector, drain_collector, drain_rows, keep_holding, spare_rows, take_rows,
};
pub(crate) use self::core::check_own;
pub(crate) use self::dropped::{look_for_dropped, unsubscribe_on_drop};
pub(crate) use self::events::{
    clear_events, clear_listeners, deliver_events, listen, replay, set_events_active, set_warning,
    undelivered,
};
pub(crate) use self::groups::{for_each_member, group};
pub use self::index::field_index;
pub(crate) use self::index::{activate_index, add_index, deactivate_index};
pub(crate) use self::insert::insert;
pub(crate) use self::keys::owner_of;
pub(crate) use self::lifecycle::{arrive_as, create, destroy, destroy_all, destroy_listed, reset};
pub use self::memory::{ComponentMemory, Memory};
pub(crate) use self::merge::Present;
pub(crate) use self::missed::missed;
pub(crate) use self::pending::PendingEntities;
pub(crate) use self::query_update::{QueryUpdate, RowRecorder, Visit};
pub use self::query_update::{Written, WrittenRows};
pub(crate) use self::queueing::limit_notifications;
pub(crate) use self::recording::check_movable;
pub(crate) use self::rejection::Rejection;
pub(crate) use self::relation::SourceOrder;
pub use self::relation::relation_index;
pub(crate) use self::removed::{end_log, keep_removed, set_keeping_removed, swap_removed};
pub(crate) use self::send::{add_inbox, observe_messages, read_messages, send};
pub(crate) use self::subscribe::{end_observers, unsubscribe};
pub(crate) use self::untracked::{check_untracked, reject_untracked};
pub(crate) use self::untyped::{remove_all, remove_at, take_at};
pub(crate) use self::update::swap;
pub(crate) use self::update::{update, update_with};
pub(crate) use self::validate::bundle_writer::twice;
pub(crate) use self::validate::new_rows::{NewRows, NewValues};
pub(crate) use self::write::{add, add_moved, filled, remove, replace, replace_moved, take};

//! What a delta does with the values of one component, as functions that know its type. Each
//! component pays for them when a program is compiled, whether it is ever fed or not, so they do
//! nothing that could be done without the type.

#[cfg(feature = "serde")]
use alloc::vec::Vec;

use crate::api::bundle::BundleWriter;
use crate::state::{Core, HasCore, MapTarget, check_mirrored, map_targets, set_mirrored};
use crate::storage::value_list::ValueList;
use crate::words::component::{Component, is_compared};
use crate::words::entity_id::EntityId;
use crate::words::error::Error;
use crate::words::field_index::has_relation;
#[cfg(feature = "serde")]
use crate::words::packed::{Message, Packer};

/// Whether an entity keeps what it has.
type Keeps<'k, C> = &'k dyn Fn(EntityId<C>) -> bool;

/// Refuses values for entities if one that keeps what it has is in the way.
type Check<C> = fn(&mut Core<C>, &[EntityId<C>], &ValueList, Keeps<'_, C>) -> Result<(), Error>;

/// Has relations lead where a map says.
type MapAll<C> = fn(&mut ValueList, MapTarget<'_, C>);

/// Gives entities values.
type Set<C> = fn(&mut C, &[Option<EntityId<C>>], &mut ValueList) -> Result<(), Error>;

/// The functions of one component of context `C`.
pub(crate) struct FedValues<C: 'static> {
    /// Refuses values for entities if one that keeps what it has is in the way; `None` if values are
    /// not compared with those of other entities.
    pub(crate) check: Option<Check<C>>,
    /// Has relations lead where the map says; `None` if this is none.
    pub(crate) map_targets: Option<MapAll<C>>,
    /// Gives a new entity the first value.
    pub(crate) put_first: fn(&mut ValueList, &mut BundleWriter<'_, C>),
    /// Gives entities the values, as far as they live.
    pub(crate) set: Set<C>,
    /// Appends the version of the component and the values.
    #[cfg(feature = "serde")]
    pub(crate) pack: fn(&ValueList, &mut Packer) -> Result<(), Message>,
}

impl<C: HasCore> FedValues<C> {
    pub(crate) const fn of<T: Component<C>>() -> Self {
        Self {
            check: match is_compared::<C, T>() {
                true => Some(check::<C, T>),
                false => None,
            },
            map_targets: match has_relation(T::INDEXES) {
                true => Some(map_all_targets::<C, T>),
                false => None,
            },
            put_first: put_first::<C, T>,
            set: set_mirrored::<C, T>,
            #[cfg(feature = "serde")]
            pack: match (T::FLAG, &T::SAVING.codec) {
                (Some(_), _) => pack_flags,
                (None, Some(_)) => pack::<C, T>,
                (None, None) => refuse,
            },
        }
    }
}

fn check<C: HasCore, T: Component<C>>(
    core: &mut Core<C>,
    ids: &[EntityId<C>],
    values: &ValueList,
    keeps: Keeps<'_, C>,
) -> Result<(), Error> {
    let values = values.as_slice::<T>().unwrap_or_default();
    for (&id, value) in ids.iter().zip(values) {
        check_mirrored(core, id, value, keeps)?;
    }
    Ok(())
}

fn map_all_targets<C: HasCore, T: Component<C>>(values: &mut ValueList, map: MapTarget<'_, C>) {
    for value in values.as_mut_slice::<T>().unwrap_or_default() {
        map_targets::<C, T>(value, map);
    }
}

fn put_first<C: HasCore, T: Component<C>>(
    values: &mut ValueList,
    writer: &mut BundleWriter<'_, C>,
) {
    if let Some(value) = values.pop_first::<T>() {
        writer.put_outlined(value);
    }
}

#[cfg(feature = "serde")]
fn pack<C: HasCore, T: Component<C>>(values: &ValueList, to: &mut Packer) -> Result<(), Message> {
    let saving = const { &T::SAVING };
    let Some(codec) = &saving.codec else {
        return Err(not_written());
    };
    to.number(saving.version.into());
    let mut list: Vec<&T> = Vec::with_capacity(values.len());
    for value in values.as_slice().unwrap_or_default() {
        list.push(value);
    }
    (codec.pack)(&list, to)
}

/// A flag has nothing to be written.
#[cfg(feature = "serde")]
fn pack_flags(_: &ValueList, _: &mut Packer) -> Result<(), Message> {
    Ok(())
}

#[cfg(feature = "serde")]
fn refuse(_: &ValueList, _: &mut Packer) -> Result<(), Message> {
    Err(not_written())
}

#[cfg(feature = "serde")]
fn not_written() -> Message {
    Message::new(
        "its type is not both `Serialize` and `Deserialize`, or it is `transient`; derive them, or \
         leave it out of the feed",
    )
}

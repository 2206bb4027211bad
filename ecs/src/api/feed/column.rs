//! The part of a delta that is about one component: values of a type that the delta does not know.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;
use core::cell::RefCell;
use core::{fmt, mem};

use crate::api::bundle::BundleWriter;
use crate::state::{
    Core, HasCore, MapTarget, check_mirrored, has, map_targets, remove_present, set_many,
};
use crate::storage::slots::Row;
use crate::words::component::{Component, ComponentNames};
use crate::words::entity_id::EntityId;
use crate::words::error::Error;
use crate::words::field_index::are_checked;
#[cfg(feature = "serde")]
use crate::words::packed::{Message, Packer, Unpacker};

/// Which entities have got a component, or another value of it, and which have lost it.
pub(crate) struct Values<C, T> {
    pub(crate) ids: Vec<EntityId<C>>,
    pub(crate) values: Vec<T>,
    pub(crate) removed: Vec<EntityId<C>>,
}

/// [`Values`] of any type.
pub(crate) trait Column<C: 'static>: Send + Sync {
    fn names(&self) -> &'static ComponentNames;
    fn any(&self) -> &dyn Any;
    /// The entities with a value, in the order of the values.
    fn set(&self) -> &[EntityId<C>];
    fn removed(&self) -> &[EntityId<C>];
    /// Takes in clones of values, and who has lost the component.
    fn fill(&mut self, core: &Core<C>, set: &[(EntityId<C>, Row)], removed: Vec<EntityId<C>>);
    /// Each entity that a value leads to, if this is a relation.
    fn each_target(&mut self, each: &mut dyn FnMut(EntityId<C>));
    /// A copy of it.
    fn boxed(&self) -> Box<dyn Column<C>>;
    /// Clones of the values, to be put in place.
    fn stage(&self) -> Box<dyn StagedColumn<C>>;
    /// Refuses the values if an entity that keeps what it has is in the way.
    fn check(
        &self,
        core: &mut Core<C>,
        ids: &[EntityId<C>],
        keeps: &dyn Fn(EntityId<C>) -> bool,
    ) -> Result<(), Error>;
    /// Whether others may come along with the component.
    fn requires(&self) -> bool;
    /// Whether an entity lives and has the component.
    fn is_on(&self, core: &Core<C>, id: EntityId<C>) -> bool;
    /// Takes the component from those that have it.
    fn remove_from(&self, context: &mut C, ids: &[EntityId<C>]);
    fn debug(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
    /// The full path of the component's type.
    #[cfg(feature = "serde")]
    fn type_name(&self) -> &'static str;
    /// Appends the version of the component and the values.
    #[cfg(feature = "serde")]
    fn pack(&self, to: &mut Packer) -> Result<(), Message>;
    /// Takes in who is in it, and reads the values.
    #[cfg(feature = "serde")]
    fn unpack(
        &mut self,
        from: &mut Unpacker<'_>,
        set: Vec<EntityId<C>>,
        removed: Vec<EntityId<C>>,
    ) -> Result<(), Message>;
}

/// Values to be put in place.
pub(crate) trait StagedColumn<C: 'static> {
    /// Whether the values can be part of a new entity from the start: not if they are checked
    /// against other entities.
    fn comes_with_entity(&self) -> bool;
    /// Each entity that a value leads to, if this is a relation.
    fn each_target(&mut self, each: &mut dyn FnMut(EntityId<C>));
    /// Has relations lead where the map says.
    fn map_targets(&mut self, map: MapTarget<'_, C>);
    /// Gives a new entity one of the values.
    fn put(&mut self, at: usize, writer: &mut BundleWriter<'_, C>);
    /// Gives those values that are left to these entities.
    fn set_all(&mut self, context: &mut C, ids: &[Option<EntityId<C>>]) -> Result<(), Error>;
}

/// An empty column of component `T`.
pub(crate) fn empty<C: HasCore, T: Component<C>>() -> Box<dyn Column<C>> {
    Box::new(Values::<C, T> {
        ids: Vec::new(),
        values: Vec::new(),
        removed: Vec::new(),
    })
}

/// Clones of values, as far as the type has `Clone`.
fn clone_all<C: 'static, T: Component<C>>(values: &[T]) -> impl Iterator<Item = T> + '_ {
    let clone = T::CLONE;
    values.iter().filter_map(move |value| Some(clone?(value)))
}

/// Hands over each entity that a value leads to: it is mapped to itself.
fn each_target_of<'v, C: HasCore, T: Component<C>>(
    values: impl Iterator<Item = &'v mut T>,
    each: &mut dyn FnMut(EntityId<C>),
) {
    let each = RefCell::new(each);
    for value in values {
        map_targets::<C, T>(value, &|target| {
            each.borrow_mut()(target);
            target
        });
    }
}

impl<C: HasCore, T: Component<C>> Column<C> for Values<C, T> {
    fn names(&self) -> &'static ComponentNames {
        T::NAMES
    }

    fn any(&self) -> &dyn Any {
        self
    }

    fn set(&self) -> &[EntityId<C>] {
        &self.ids
    }

    fn removed(&self) -> &[EntityId<C>] {
        &self.removed
    }

    fn fill(&mut self, core: &Core<C>, set: &[(EntityId<C>, Row)], removed: Vec<EntityId<C>>) {
        self.removed = removed;
        let (Some(clone), Some(column)) = (T::CLONE, core.columns.of::<T>()) else {
            return;
        };
        self.ids.reserve(set.len());
        self.values.reserve(set.len());
        for &(id, row) in set {
            if let Some(value) = column.get(row) {
                self.values.push(clone(value));
                self.ids.push(id);
            }
        }
    }

    fn each_target(&mut self, each: &mut dyn FnMut(EntityId<C>)) {
        each_target_of::<C, T>(self.values.iter_mut(), each);
    }

    fn boxed(&self) -> Box<dyn Column<C>> {
        Box::new(Self {
            ids: self.ids.clone(),
            values: clone_all::<C, T>(&self.values).collect(),
            removed: self.removed.clone(),
        })
    }

    fn stage(&self) -> Box<dyn StagedColumn<C>> {
        let values = clone_all::<C, T>(&self.values).map(Some);
        Box::new(StagedValues::<T>(values.collect()))
    }

    fn check(
        &self,
        core: &mut Core<C>,
        ids: &[EntityId<C>],
        keeps: &dyn Fn(EntityId<C>) -> bool,
    ) -> Result<(), Error> {
        if !T::UNIQUE && !const { are_checked(T::INDEXES) } {
            return Ok(());
        }
        let mut all = ids.iter().zip(&self.values);
        all.try_for_each(|(&id, value)| check_mirrored(core, id, value, keeps))
    }

    fn requires(&self) -> bool {
        T::REQUIRES
    }

    fn is_on(&self, core: &Core<C>, id: EntityId<C>) -> bool {
        has::<C, T>(core, id)
    }

    fn remove_from(&self, context: &mut C, ids: &[EntityId<C>]) {
        remove_present::<C, T>(context, ids);
    }

    fn debug(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let debug = |value| fmt::from_fn(move |f| debug_value::<C, T>(value, f));
        let set = self.ids.iter().zip(self.values.iter().map(debug));
        f.debug_map().entries(set).finish()
    }

    #[cfg(feature = "serde")]
    fn type_name(&self) -> &'static str {
        core::any::type_name::<T>()
    }

    #[cfg(feature = "serde")]
    fn pack(&self, to: &mut Packer) -> Result<(), Message> {
        if T::FLAG.is_some() {
            return Ok(()); // a flag has nothing to be written
        }
        let saving = const { &T::SAVING };
        let codec = saving.codec.as_ref().ok_or_else(not_written)?;
        to.number(saving.version.into());
        let values: Vec<&T> = self.values.iter().collect();
        (codec.pack)(&values, to)
    }

    #[cfg(feature = "serde")]
    fn unpack(
        &mut self,
        from: &mut Unpacker<'_>,
        set: Vec<EntityId<C>>,
        removed: Vec<EntityId<C>>,
    ) -> Result<(), Message> {
        (self.ids, self.removed) = (set, removed);
        if let Some(value) = T::FLAG {
            self.values.extend(self.ids.iter().map(|_| value()));
            return Ok(());
        }
        let version = u32::try_from(from.number()?).ok();
        let reader = version.and_then(|version| const { &T::SAVING }.reader(version));
        let reader = reader.ok_or_else(|| Message::new("its version is not known"))?;
        (reader.unpack)(from, self.ids.len(), &mut self.values)
    }
}

fn debug_value<C, T: Component<C>>(value: &T, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match T::DEBUG {
        Some(debug) => debug(value, f),
        None => f.write_str(T::NAMES.component),
    }
}

#[cfg(feature = "serde")]
fn not_written() -> Message {
    Message::new(
        "its type is not both `Serialize` and `Deserialize`, or it is `transient`; derive them, or \
         leave it out of the feed",
    )
}

/// Values of which some have been put in place.
struct StagedValues<T>(Vec<Option<T>>);

impl<C: HasCore, T: Component<C>> StagedColumn<C> for StagedValues<T> {
    fn comes_with_entity(&self) -> bool {
        !T::UNIQUE && !const { are_checked(T::INDEXES) }
    }

    fn each_target(&mut self, each: &mut dyn FnMut(EntityId<C>)) {
        each_target_of::<C, T>(self.0.iter_mut().flatten(), each);
    }

    fn map_targets(&mut self, map: MapTarget<'_, C>) {
        for value in self.0.iter_mut().flatten() {
            map_targets::<C, T>(value, map);
        }
    }

    fn put(&mut self, at: usize, writer: &mut BundleWriter<'_, C>) {
        if let Some(value) = self.0[at].take() {
            writer.put(value);
        }
    }

    fn set_all(&mut self, context: &mut C, ids: &[Option<EntityId<C>>]) -> Result<(), Error> {
        let core = context.core();
        let values = mem::take(&mut self.0).into_iter().zip(ids);
        let left = values.filter_map(|(value, &id)| Some((id?, value?)));
        let left = left.filter(|(id, _)| core.slots.get(*id).is_some());
        let (ids, values): (Vec<_>, Vec<_>) = left.unzip();
        set_many(context, &ids, values)
    }
}

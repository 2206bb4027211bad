//! The part of a delta for one component: the entities for which it was set or removed.

#[cfg(feature = "serde")]
use alloc::format;
#[cfg(feature = "serde")]
use alloc::string::String;
use alloc::vec::{self, Vec};
use core::cell::RefCell;
use core::fmt;
use core::iter::Peekable;

#[cfg(feature = "serde")]
use serde::{Deserialize as _, Serialize as _};

#[cfg(feature = "serde")]
use super::cells::ColumnCells;
use super::mirroring::{check_mirrored, set_mirrored};
#[cfg(feature = "serde")]
use crate::formats::packed::{Message, Packer, Unpacker};
#[cfg(feature = "serde")]
use crate::reactions::feeds::{EntityImages, Images};
#[cfg(feature = "serde")]
use crate::records::bytes::read_values;
use crate::state::core::{Core, HasCore};
use crate::state::relation::map_targets;
use crate::state::validate::bundle_writer::BundleWriter;
use crate::storage::chunk::Chunk;
use crate::storage::descriptor::ComponentDescriptor;
use crate::storage::slots::Row;
use crate::storage::value_list::ValueList;
use crate::words::component::{Component, RawComponentIndex};
use crate::words::demands::Holds;
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::error::Error;
use crate::words::map_ids::IdMap;
use crate::words::printed::from_fn;
#[cfg(feature = "serde")]
use crate::words::saving::cells::write_value;
#[cfg(feature = "serde")]
use crate::words::saving::ids::LoadScope;

/// The entities for which a component was set or removed.
pub(crate) struct DeltaColumn<C: 'static> {
    /// The entities with their values.
    pub(crate) set: Chunk<Vec<EntityId<C>>>,
    pub(crate) removed: Vec<EntityId<C>>,
    /// For each entity of `set`, the source before it, if the component is an ordered relation;
    /// empty otherwise.
    pub(crate) predecessors: Vec<Option<EntityId<C>>>,
    /// Its values as cells, if deltas divide them.
    #[cfg(feature = "serde")]
    pub(crate) cells: Option<ColumnCells>,
    /// The version of the component in the feed's program.
    #[cfg(feature = "serde")]
    pub(crate) version: u32,
    _holds: Holds<C>,
}

/// Clones of the values of a column, to be moved to new and to existing entities.
pub(crate) struct PendingColumn<C: 'static> {
    /// Values for new entities, with the positions of those, ascending.
    created: Chunk<Peekable<vec::IntoIter<usize>>>,
    /// Values for existing entities, with their ids in the origin.
    others: Chunk<Vec<EntityId<C>>>,
}

impl<C: HasCore> DeltaColumn<C> {
    /// Creates an empty column.
    pub(crate) fn new(
        component: RawComponentIndex,
        descriptor: &'static ComponentDescriptor,
    ) -> Self {
        Self {
            set: Chunk::new(component, descriptor),
            removed: Vec::new(),
            predecessors: Vec::new(),
            #[cfg(feature = "serde")]
            cells: None,
            #[cfg(feature = "serde")]
            version: descriptor.saving.version,
            _holds: Holds::NEW,
        }
    }

    /// The index of the component.
    pub(crate) fn component(&self) -> RawComponentIndex {
        self.set.component
    }

    /// The descriptor of the component.
    pub(crate) fn descriptor(&self) -> &'static ComponentDescriptor {
        self.set.descriptor()
    }

    /// The values, if the component is `T`.
    pub(crate) fn values<T: Component<C>>(&self) -> Option<&[T]> {
        self.set.values.as_slice()
    }

    /// Clones the values of its entities, which are in these rows. Of those that have no row, receivers have had the
    /// last image.
    pub(crate) fn fill(
        &mut self,
        core: &Core<C>,
        rows: &[Row],
        #[cfg(feature = "serde")] images: Option<&Images>,
    ) {
        let Some(column) = core.world.columns().at(self.component()) else {
            return;
        };
        let values = &mut self.set.values;
        values.reserve(rows.len());
        #[cfg(feature = "serde")]
        let mut unknown = Vec::new();
        for (&row, id) in rows.iter().zip(&self.set.owners) {
            match column.view(row) {
                Some(value) => _ = values.push_clone(value),
                #[cfg(feature = "serde")]
                None if push_image(values, images.and_then(|it| it.of(id.untyped()))) => {}
                #[cfg(feature = "serde")]
                None => unknown.push(*id),
                #[cfg(not(feature = "serde"))]
                None => _ = id,
            }
        }
        #[cfg(feature = "serde")]
        if !unknown.is_empty() {
            self.set.owners.retain(|id| !unknown.contains(id));
        }
    }

    /// Finds the cells of its values, if deltas divide them, for a receiver that has had `known` ones at the
    /// stamp `read`.
    #[cfg(feature = "serde")]
    pub(crate) fn divide(&mut self, images: &Images, (known, read): (&[bool], u64)) {
        if self.descriptor().saving.cells.is_none() {
            return;
        }
        let mut cells = ColumnCells::with_capacity(known.len(), images.each());
        let owners = self.set.owners.iter().zip(self.set.values.iter());
        let mut whole = Vec::new();
        for ((id, value), known) in owners.zip(known) {
            match images.of(id.untyped()) {
                Some(of) => cells.push(of.last(), known.then(|| of.since(read)).flatten()),
                None if self.descriptor().divide(value, &mut whole) => cells.push_whole(&whole),
                None => return, // writing the values returns the error
            }
        }
        self.cells = Some(cells);
    }

    /// Calls `each` with every id in the values.
    pub(crate) fn each_id(&mut self, each: &mut dyn FnMut(EntityId<C>)) {
        each_id::<C>(&mut self.set.values, each);
    }

    /// For each entity, the ids in its value, if values have any. Clones them, which may be user code.
    pub(crate) fn referred(&self) -> Vec<Vec<EntityId<C>>> {
        if !self.descriptor().has_ids() {
            return Vec::new();
        }
        let mut values = self.set.clone().values;
        let referred = (0..values.len()).map(|at| {
            let mut ids = Vec::new();
            each_id_at::<C>(&mut values, at, &mut |id| ids.push(id));
            ids
        });
        referred.collect()
    }

    /// The values with local ids; `None` if they have no ids. Clones them, which may be user code.
    fn mapped(&self, map: &dyn Fn(EntityId<C>) -> EntityId<C>) -> Option<ValueList> {
        let has_ids = self.descriptor().has_ids();
        has_ids.then(|| {
            let mut values = self.set.clone().values;
            map_ids::<C>(&mut values, map);
            values
        })
    }

    /// The entities whose `local` one has the same value, ascending. `map` replaces ids in values.
    pub(crate) fn unchanged(
        &self,
        core: &Core<C>,
        local: &dyn Fn(&EntityId<C>) -> Option<EntityId<C>>,
        map: &dyn Fn(EntityId<C>) -> EntityId<C>,
    ) -> Vec<EntityId<C>> {
        let Some(column) = core.world.columns().at(self.component()) else {
            return Vec::new();
        };
        let mapped = self.mapped(map);
        let values = mapped.as_ref().unwrap_or(&self.set.values);
        let sent = self.set.owners.iter().zip(values.iter());
        let unchanged = sent.filter(|(id, value)| {
            let slot = local(id).and_then(|local| core.world.slots().get(local));
            let present = slot.and_then(|slot| column.view(slot.row));
            present.is_some_and(|present| !self.descriptor().may_differ(present, *value))
        });
        unchanged.map(|(id, _)| *id).collect()
    }

    /// Clones the values, except `unchanged` ones. Those of entities to be `created` are created
    /// with them, unless they have ids or must be compared with those of other entities. Both lists are
    /// ascending.
    pub(crate) fn stage(
        &self,
        created: &[EntityId<C>],
        unchanged: &[EntityId<C>],
    ) -> PendingColumn<C> {
        let (component, descriptor) = (self.component(), self.descriptor());
        let created = match descriptor.is_compared() || descriptor.has_ids() {
            true => &[],
            false => created,
        };
        let (mut places, mut values) = (Vec::new(), ValueList::new(descriptor));
        let mut others = Chunk::<Vec<_>>::new(component, descriptor);
        for (&id, value) in self.set.owners.iter().zip(self.set.values.iter()) {
            if let Ok(place) = created.binary_search(&id) {
                places.push(place);
                values.push_clone(value);
            } else if unchanged.binary_search(&id).is_err() {
                others.owners.push(id);
                others.values.push_clone(value);
            }
        }
        let created = Chunk {
            component,
            owners: places.into_iter().peekable(),
            values,
        };
        PendingColumn { created, others }
    }

    /// Rejects the values for these entities if they conflict with an entity that keeps its value.
    /// `map` replaces ids in values.
    pub(crate) fn check(
        &self,
        core: &mut Core<C>,
        ids: &[EntityId<C>],
        keeps: &dyn Fn(EntityId<C>) -> bool,
        map: &dyn Fn(EntityId<C>) -> EntityId<C>,
    ) -> Result<(), Error> {
        let mapped = self.mapped(map);
        let ids = EntityId::untyped_all(ids);
        let keeps = |id: UntypedId| keeps(id.typed());
        check_mirrored(
            &mut core.world,
            &mut core.subs,
            self.component(),
            ids,
            mapped.as_ref().unwrap_or(&self.set.values),
            &keeps,
        )
    }

    /// Whether adding the component may add required components.
    pub(crate) fn requires(&self) -> bool {
        self.descriptor().required.is_some()
    }

    /// Whether an entity is alive and has the component.
    pub(crate) fn is_on(&self, core: &Core<C>, id: Option<EntityId<C>>) -> bool {
        let components = id.and_then(|id| core.world.components_of(id));
        components.is_some_and(|components| components.contains(self.component()))
    }

    /// Writes the values and, if `ordered`, their order.
    #[cfg(feature = "serde")]
    pub(crate) fn pack(&self, ordered: bool, to: &mut Packer) -> Result<(), String> {
        let written = match self.descriptor().saving.is_possible {
            true => self.set.values.pack(to),
            false => Err(Message::new(
                "its type is not both `Serialize` and `Deserialize`, or it is `transient`; derive them, \
                 or leave it out of the feed",
            )),
        };
        let name = self.descriptor().names.component;
        written.map_err(|error| format!("component `{name}` cannot be written: {error}"))?;
        self.pack_order(ordered, to)
    }

    /// Writes the order of the values, if they are `ordered`.
    #[cfg(feature = "serde")]
    pub(crate) fn pack_order(&self, ordered: bool, to: &mut Packer) -> Result<(), String> {
        match ordered {
            true => Ok(self.predecessors.serialize(to)?),
            false => Ok(()),
        }
    }

    /// Reads the values of the column's entities, of a version, and if `ordered`, their order.
    #[cfg(feature = "serde")]
    pub(crate) fn unpack(
        &mut self,
        version: u32,
        ordered: bool,
        from: &mut Unpacker<'_>,
    ) -> Result<(), String> {
        let read = self.unpack_values(version, ordered, from);
        let name = self.descriptor().names.component;
        read.map_err(|error| format!("component `{name}` cannot be read: {error}"))
    }

    #[cfg(feature = "serde")]
    fn unpack_values(
        &mut self,
        version: u32,
        ordered: bool,
        from: &mut Unpacker<'_>,
    ) -> Result<(), Message> {
        let count = self.set.owners.len();
        let read = self.set.values.unpack(version, from, count);
        read.map_err(|(_, error)| error)?;
        self.unpack_order(ordered, from)
    }

    /// Reads the order of the values, if they are `ordered`.
    #[cfg(feature = "serde")]
    pub(crate) fn unpack_order(
        &mut self,
        ordered: bool,
        from: &mut Unpacker<'_>,
    ) -> Result<(), Message> {
        let count = self.set.owners.len();
        if ordered {
            self.predecessors = Vec::deserialize(from)?;
        }
        match self.predecessors.is_empty() || self.predecessors.len() == count {
            true => Ok(()),
            false => Err(Message::new("its order is not that of its values")),
        }
    }
}

// Implemented by hand, because a derive would put the bounds on `C`.
impl<C: HasCore> Clone for DeltaColumn<C> {
    fn clone(&self) -> Self {
        Self {
            set: self.set.clone(),
            removed: self.removed.clone(),
            predecessors: self.predecessors.clone(),
            #[cfg(feature = "serde")]
            cells: self.cells.clone(),
            #[cfg(feature = "serde")]
            version: self.version,
            _holds: Holds::NEW,
        }
    }
}

/// Adds the value with these cells; returns whether it can be read.
#[cfg(feature = "serde")]
fn push_image(values: &mut ValueList, of: Option<EntityImages<'_>>) -> bool {
    let (of, saving) = (of.map(EntityImages::last), &values.descriptor().saving);
    let (Some(image), Some(table)) = (of, &saving.cells) else {
        return false;
    };
    let _scope = LoadScope::plain(); // ids are not mapped
    let mut bytes = Packer::default();
    write_value(image, table.layout, &mut bytes).is_ok()
        && read_values(values, (saving.version, 1), &bytes.into_bytes()).is_ok()
}

/// Shows the values by entity.
impl<C: HasCore> fmt::Debug for DeltaColumn<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let descriptor = self.descriptor();
        let values = self.set.values.iter();
        let printed = values.map(|value| from_fn(move |f| descriptor.debug(value, f)));
        let entries = self.set.owners.iter().zip(printed);
        f.debug_map().entries(entries).finish()
    }
}

impl<C: HasCore> PendingColumn<C> {
    /// Calls `each` with every target, if the component is a relation.
    pub(crate) fn each_target(&mut self, each: &mut dyn FnMut(EntityId<C>)) {
        // Relations are never among the values of new entities.
        each_target(&mut self.others.values, each);
    }

    /// Calls `each` with every id in the values.
    pub(crate) fn each_id(&mut self, each: &mut dyn FnMut(EntityId<C>)) {
        // Values with ids are never among those of new entities.
        each_id::<C>(&mut self.others.values, each);
    }

    /// Replaces the ids in the values.
    pub(crate) fn map_ids(&mut self, map: &dyn Fn(EntityId<C>) -> EntityId<C>) {
        map_ids::<C>(&mut self.others.values, map);
    }

    /// Whether the component is a relation.
    pub(crate) fn is_relation(&self) -> bool {
        self.others.descriptor().relation
    }

    /// Adds the value for the new entity at `place`, if there is one.
    pub(crate) fn put(&mut self, place: usize, writer: &mut BundleWriter<'_, C>) {
        let is_next = self.created.owners.next_if_eq(&place).is_some();
        if is_next && let Some(value) = self.created.values.pop_first() {
            writer.put_moved(self.created.component, value);
        }
    }

    /// The entities whose values are set, other than those that are created with them.
    pub(crate) fn set_ids(&self) -> impl Iterator<Item = EntityId<C>> + '_ {
        self.others.owners.iter().copied()
    }

    /// Sets the other values on the living local entities of those of the origin.
    pub(crate) fn set(
        &mut self,
        context: &mut C,
        local: &dyn Fn(&EntityId<C>) -> Option<EntityId<C>>,
    ) -> Result<(), Error> {
        let ids: Vec<_> = self.others.owners.iter().map(local).collect();
        set_mirrored(
            context,
            self.others.component,
            &ids,
            &mut self.others.values,
        )
    }
}

fn each_target<C: HasCore>(values: &mut ValueList, each: &mut dyn FnMut(EntityId<C>)) {
    let each = RefCell::new(each);
    map_targets(values, &|target| {
        each.borrow_mut()(target.typed());
        target // maps it to itself
    });
}

fn each_id<C: HasCore>(values: &mut ValueList, each: &mut dyn FnMut(EntityId<C>)) {
    for at in 0..values.len() {
        each_id_at::<C>(values, at, each);
    }
}

fn each_id_at<C: HasCore>(values: &mut ValueList, at: usize, each: &mut dyn FnMut(EntityId<C>)) {
    let each = RefCell::new(each);
    map_ids_at::<C>(values, at, &|id| {
        each.borrow_mut()(id);
        id // maps it to itself
    });
}

pub(super) fn map_ids<C: HasCore>(
    values: &mut ValueList,
    map: &dyn Fn(EntityId<C>) -> EntityId<C>,
) {
    for at in 0..values.len() {
        map_ids_at::<C>(values, at, map);
    }
}

fn map_ids_at<C: HasCore>(
    values: &mut ValueList,
    at: usize,
    map: &dyn Fn(EntityId<C>) -> EntityId<C>,
) {
    let descriptor = values.descriptor();
    if descriptor.has_ids()
        && let Some(value) = values.get_mut(at)
    {
        let map = |id: UntypedId| map(id.typed()).untyped();
        descriptor.map_ids(value, &IdMap::of::<C>(&map));
    }
}

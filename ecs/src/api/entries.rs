//! Components that an entity can have several of. Each is an *entry*: an entity of its own, with the component and
//! an ordered relation to its owner, with which it is destroyed. Nothing else knows of entries but copying.

use core::any::TypeId;
use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;

use super::bundle::{Bundle, RowWriter};
use super::entity::Entity;
use super::related::{Related, SourceIter};
use crate::state::{BundleWriter, HasCore, relation_index};
use crate::storage::registry::typed_index_of;
use crate::words::checksum::{Checksum, ChecksumHasher};
use crate::words::component::typed::ComponentIndex;
use crate::words::component::{Component, ComponentNames, Components, IndexCell};
use crate::words::demands::FitsIn;
use crate::words::entity_id::EntityId;
use crate::words::field_index::FieldIndex;
use crate::words::identical::Identical;
use crate::words::map_ids::{MapIds, MapValue};
use crate::words::relation::{AcyclicRelation, OnTargetDestroyed, OrderedRelation, Relation};

/// A component that an entity can have several of. Each is an *entry*, an entity of its own with the
/// component and [`EntryOf`] its owner.
///
/// Implemented by `#[derive(Component)]` with the attribute [`many`](crate::Component#many) or
/// `relation(many)`.
#[diagnostic::on_unimplemented(
    message = "an entity of context `{C}` has at most one `{Self}`",
    label = "not a component with `many`",
    note = "write `#[component(context = {C}, many)]` above `{Self}`, or `relation(many)` above its field"
)]
pub trait ManyComponent<C>: Component<C> {
    /// The names of [`EntryOf`].
    #[doc(hidden)]
    const ENTRY_NAMES: &'static ComponentNames;

    /// Its former names.
    #[doc(hidden)]
    const ENTRY_ALIASES: &'static [&'static str];

    /// The cell of the index of [`EntryOf`].
    #[doc(hidden)]
    fn entry_cell() -> &'static IndexCell<C, EntryOf<C, Self>>;
}

/// The relation of an entry to its owner: the entity that has this component `T`, among others.
///
/// The entries of an owner are ordered, and destroyed with it.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// use ecs::EntryOf;
///
/// #[derive(Component)]
/// #[component(context = Game, many)]
/// struct Mesh(&'static str);
///
/// let mut game = Game::new();
/// let ship = game.create_entity().id();
/// let mesh = |file| (EntryOf::<_, Mesh>::new(ship), Mesh(file));
/// let entries = game.create_many(["hull", "sail"].map(mesh));
/// assert_eq!(game.entity(ship).related::<EntryOf<Game, Mesh>>().sources(), entries);
/// for (entry, mesh) in game.query::<(&EntryOf<Game, Mesh>, &Mesh)>().iter() {
///     assert!(entry.owner() == ship && mesh.0.len() == 4);
/// }
/// ```
pub struct EntryOf<C, T> {
    owner: EntityId<C>,
    component: PhantomData<fn() -> T>,
}

impl<C, T> EntryOf<C, T> {
    /// Makes the relation to this owner, for a bundle with a `T`.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game, many)] struct Mesh(&'static str);
    /// let mut game = Game::new();
    /// let ship = game.create_entity().id();
    /// game.create_with((ecs::EntryOf::<_, Mesh>::new(ship), Mesh("hull")));
    /// assert_eq!(game.entity(ship).all_mesh().count(), 1);
    /// ```
    pub fn new(owner: EntityId<C>) -> Self {
        let component = PhantomData;
        Self { owner, component }
    }

    /// Returns the owner.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game, many)] struct Mesh(&'static str);
    /// let mut game = Game::new();
    /// let mut ship = game.create_entity();
    /// let (ship, entry) = (ship.id(), ship.add_mesh("hull"));
    /// let entry = game.entity(entry).get::<ecs::EntryOf<Game, Mesh>>();
    /// assert_eq!(entry.unwrap().owner(), ship);
    /// ```
    pub fn owner(&self) -> EntityId<C> {
        self.owner
    }
}

/// An iterator of the entries of an entity, or of those that refer to it, with their values.
///
/// Returned by the accessors `all_x` of a component with `many`, with the id of each entry, and by the
/// method that `reverse` names, with the id of the owner of each.
#[must_use = "iterators are lazy"]
pub struct Entries<'a, C, T> {
    context: &'a C,
    ids: SourceIter<'a, C>,
    /// Whether the ids are those of the owners.
    by_owner: bool,
    component: PhantomData<fn() -> T>,
}

impl<'a, C: HasCore, T: ManyComponent<C>> Entries<'a, C, T>
where
    EntryOf<C, T>: FitsIn<C>,
{
    fn new<R: Relation<C>>(context: &'a C, id: EntityId<C>, by_owner: bool) -> Self {
        Self {
            context,
            ids: Related::<C, R>::new(context, id).iter(),
            by_owner,
            component: PhantomData,
        }
    }

    /// Those of an owner.
    #[doc(hidden)]
    pub fn of(context: &'a C, owner: EntityId<C>) -> Self {
        Self::new::<EntryOf<C, T>>(context, owner, false)
    }

    /// Those that refer to a target.
    #[doc(hidden)]
    pub fn to(context: &'a C, target: EntityId<C>) -> Self
    where
        T: Relation<C>,
    {
        Self::new::<T>(context, target, true)
    }

    /// Returns the item of an entry, if it has both components.
    fn item(&self) -> impl Fn(EntityId<C>) -> Option<(EntityId<C>, &'a T)> + use<'a, C, T> {
        let (context, by_owner) = (self.context, self.by_owner);
        move |entry| {
            let value = Entity::find(context, entry)?.get::<T>()?;
            let owner = || Related::<C, EntryOf<C, T>>::new(context, entry).target();
            Some((if by_owner { owner()? } else { entry }, value))
        }
    }
}

impl<'a, C: HasCore, T: ManyComponent<C>> Iterator for Entries<'a, C, T>
where
    EntryOf<C, T>: FitsIn<C>,
{
    type Item = (EntityId<C>, &'a T);

    fn next(&mut self) -> Option<Self::Item> {
        let item = self.item();
        self.ids.find_map(item)
    }
}

impl<C: HasCore, T: ManyComponent<C>> DoubleEndedIterator for Entries<'_, C, T>
where
    EntryOf<C, T>: FitsIn<C>,
{
    fn next_back(&mut self) -> Option<Self::Item> {
        let item = self.item();
        self.ids.by_ref().rev().find_map(item)
    }
}

impl<C: HasCore, T: ManyComponent<C>> FusedIterator for Entries<'_, C, T> where
    EntryOf<C, T>: FitsIn<C>
{
}

#[diagnostic::do_not_recommend]
impl<C: HasCore, T: ManyComponent<C>> Components<C> for EntryOf<C, T>
where
    Self: FitsIn<C>,
{
    fn visit(each: &mut dyn FnMut(ComponentIndex<C>)) {
        each(typed_index_of::<C, Self>());
    }
}

#[diagnostic::do_not_recommend]
impl<C: HasCore, T: ManyComponent<C>> Component<C> for EntryOf<C, T>
where
    Self: FitsIn<C>,
{
    const NAMES: &'static ComponentNames = T::ENTRY_NAMES;
    const DEBUG: Option<fn(&Self, &mut fmt::Formatter<'_>) -> fmt::Result> =
        Some(<Self as fmt::Debug>::fmt);
    const CLONE: Option<fn(&Self) -> Self> = Some(Self::clone);
    const CHECKSUM: Result<fn(&Self, &mut ChecksumHasher), &'static str> =
        Ok(|entry, hasher| entry.owner.feed(hasher));
    const IDENTICAL: Option<fn(&Self, &Self) -> bool> =
        Some(|one, other| one.owner.is_identical(&other.owner));
    const MAP_IDS: Option<MapValue<Self>> = Some(|entry, map| entry.owner.map_ids(map));
    const INDEXES: &'static [FieldIndex<Self>] = &[relation_index::<C, Self>()];
    const ENTRY_OF: Option<fn() -> TypeId> = Some(TypeId::of::<T>);
    #[cfg(feature = "serde")]
    const SAVING: crate::words::saving::Saving<Self> = crate::words::saving::Saving::new(
        crate::words::probe::Probe::<Self>::CODEC,
        1,
        T::ENTRY_ALIASES,
        &[],
    )
    .with_fields("EntityId", &[]);

    fn cell() -> &'static IndexCell<C, Self> {
        T::entry_cell()
    }
}

impl<C: HasCore, T: ManyComponent<C>> Bundle<C> for EntryOf<C, T>
where
    Self: FitsIn<C>,
{
    fn visit_components(each: &mut dyn FnMut(ComponentIndex<C>)) {
        Self::visit(each);
    }

    #[inline(always)] // see `create::with`
    fn put(self, writer: &mut BundleWriter<'_, C>) {
        writer.put(self);
    }

    const FITS_INTO_ROW: bool = true;

    #[inline(always)] // see `create::with`
    fn put_in_row(self, row: RowWriter<'_, C>) -> RowWriter<'_, C> {
        row.put(self)
    }
}

#[diagnostic::do_not_recommend]
impl<C: HasCore, T: ManyComponent<C>> Relation<C> for EntryOf<C, T>
where
    Self: FitsIn<C>,
{
    const ON_TARGET_DESTROYED: OnTargetDestroyed = OnTargetDestroyed::Destroy;
    const ACYCLIC: bool = true;
    const ORDERED: bool = true;

    fn target(&self) -> EntityId<C> {
        self.owner
    }

    fn set_target(&mut self, target: EntityId<C>) {
        self.owner = target;
    }
}

#[diagnostic::do_not_recommend]
impl<C: HasCore, T: ManyComponent<C>> AcyclicRelation<C> for EntryOf<C, T> where Self: FitsIn<C> {}

#[diagnostic::do_not_recommend]
impl<C: HasCore, T: ManyComponent<C>> OrderedRelation<C> for EntryOf<C, T> where Self: FitsIn<C> {}

#[cfg(feature = "serde")]
impl<C: 'static, T> serde::Serialize for EntryOf<C, T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.owner.serialize(serializer)
    }
}

#[cfg(feature = "serde")]
impl<'de, C: 'static, T> serde::Deserialize<'de> for EntryOf<C, T> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        EntityId::deserialize(deserializer).map(Self::new)
    }
}

// By hand, because derives would require `C: Clone` and `T: Clone`, and so on.
impl<C, T> Clone for EntryOf<C, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C, T> Copy for EntryOf<C, T> {}

impl<C, T> fmt::Debug for EntryOf<C, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("EntryOf").field(&self.owner).finish()
    }
}

impl<C, T> Clone for Entries<'_, C, T> {
    fn clone(&self) -> Self {
        let ids = self.ids.clone();
        Self { ids, ..*self }
    }
}

impl<C: HasCore, T: ManyComponent<C>> fmt::Debug for Entries<'_, C, T>
where
    EntryOf<C, T>: FitsIn<C>,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.clone().map(|(id, _)| id))
            .finish()
    }
}

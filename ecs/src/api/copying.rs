//! Copying the components of an entity: to a new one, or to one there is.
//!
//! Everything is checked first, then all values are cloned, which is user code, and then
//! the copies are put in place by the methods that everybody uses. So what cannot be copied
//! has changed nothing, and a `clone` that panics hasn't either.

use alloc::vec;
use alloc::vec::Vec;
use core::marker::PhantomData;
use core::{fmt, iter};

use hashbrown::HashMap;

use crate::api::create;
use crate::api::related::Related;
use crate::state::{self, BundleWriter, Core, HasCore, Present, Staged};
use crate::storage::chunk::Chunk;
use crate::storage::descriptor::ComponentDescriptor;
use crate::storage::registry::index_of;
use crate::storage::slots::{Row, Slot};
use crate::words::component::{ComponentIndex, Components, typed};
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::error::{Error, Operation};
use crate::words::map_ids::IdMap;
use crate::words::relation::AcyclicRelation;
use crate::words::signature::ComponentSet;

/// What becomes of a component that the entity copied to has already.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// let ids = game.create_many([Health(1), Health(2)]);
/// CloneOptions::all().on_conflict(OnConflict::Keep).copy(&mut game, ids[0], ids[1]);
/// assert_eq!(game.entity(ids[1]).health().0, 2);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnConflict {
    /// The whole copy is refused.
    #[default]
    Refuse,
    /// It is replaced.
    Replace,
    /// It stays as it is.
    Keep,
}

/// Which components are copied, and what becomes of those already there.
///
/// Unique components, and those with a primary index, are not copied, even if they are named. In a tree,
/// copied [with descendants](Self::with_descendants), they are an error instead.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// let from = game.create_with((Health(3), Frozen)).id();
/// let to = game.create_with(Health(1)).id();
/// let copying = CloneOptions::all().without::<Frozen>().on_conflict(OnConflict::Replace);
/// copying.copy(&mut game, from, to);
/// assert_eq!(game.entity(to).health().0, 3);
/// assert!(!game.entity(to).is_frozen());
/// ```
pub struct CloneOptions<C> {
    components: ComponentSet,
    /// Whether those components are left out, and all others copied.
    all_but: bool,
    existing: OnConflict,
    /// The entities that are copied as well.
    descendants: Option<DescendantIds<C>>,
    context: PhantomData<fn() -> C>,
}

/// The entities that lead to one by a relation, and to these.
struct DescendantIds<C> {
    relation: ComponentIndex,
    /// Finds them, targets first.
    find: fn(&C, EntityId<C>) -> Vec<EntityId<C>>,
}

impl<C: 'static> CloneOptions<C> {
    fn new(components: ComponentSet, all_but: bool) -> Self {
        Self {
            components,
            all_but,
            existing: OnConflict::default(),
            descendants: None,
            context: PhantomData,
        }
    }

    /// Every component.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_with(Frozen).id();
    /// assert!(CloneOptions::all().clone_entity(&mut game, id).is_frozen());
    /// ```
    pub fn all() -> Self {
        Self::new(ComponentSet::new(), true)
    }

    /// Chooses the components of `T` alone, as far as the entity has them: one component or a
    /// tuple.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_with((Player, Frozen)).id();
    /// let copy = CloneOptions::only::<Player>().clone_entity(&mut game, id);
    /// assert!(copy.is_player() && !copy.is_frozen());
    /// ```
    pub fn only<T: Components<C>>() -> Self {
        Self::new(ComponentSet::of::<C, T>(), false)
    }

    /// Chooses the components with these indices alone, as far as the entity has them.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_with(Player).id();
    /// let indices = game.entity(id).component_indices();
    /// let copy = CloneOptions::only_indices(indices).clone_entity(&mut game, id);
    /// assert!(copy.is_player());
    /// ```
    pub fn only_indices(components: impl IntoIterator<Item = typed::ComponentIndex<C>>) -> Self {
        let components = components.into_iter();
        Self::new(
            components.map(typed::ComponentIndex::untyped).collect(),
            false,
        )
    }

    /// Leaves out the components of `T`: one component or a tuple.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_with(Frozen).id();
    /// let copying = CloneOptions::all().without::<Frozen>();
    /// assert!(copying.clone_entity(&mut game, id).is_empty());
    /// ```
    #[must_use]
    pub fn without<T: Components<C>>(self) -> Self {
        self.without_set(&ComponentSet::of::<C, T>())
    }

    /// Leaves out the components with these indices.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_with(Player).id();
    /// let indices = [game.components().index_of::<Player>()];
    /// let copying = CloneOptions::all().without_indices(indices);
    /// assert!(copying.clone_entity(&mut game, id).is_empty());
    /// ```
    #[must_use]
    pub fn without_indices(
        self,
        components: impl IntoIterator<Item = typed::ComponentIndex<C>>,
    ) -> Self {
        let components = components.into_iter();
        self.without_set(&components.map(typed::ComponentIndex::untyped).collect())
    }

    fn without_set(mut self, components: &ComponentSet) -> Self {
        for component in components.iter() {
            match self.all_but {
                true => self.components.insert(component),
                false => self.components.remove(component),
            };
        }
        self
    }

    /// Sets what is to happen with components that are already there; at first such a copy is
    /// refused.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let (from, to) = (game.create_with(Health(3)).id(), game.create_with(Health(1)).id());
    /// CloneOptions::all().on_conflict(OnConflict::Keep).copy(&mut game, from, to);
    /// assert_eq!(game.entity(to).health().0, 1);
    /// ```
    #[must_use]
    pub fn on_conflict(mut self, existing: OnConflict) -> Self {
        self.existing = existing;
        self
    }

    /// Has `clone_entity` copy the descendants of the entity as well: those that refer to it by the
    /// relation `T`, and those that refer to these. All copies come to life in one change.
    ///
    /// Wherever a value refers to an entity that is copied too, its copy refers to the copy: relations,
    /// ids in fields, in lists, maps and options, and in types that implement
    /// [`MapIds`](trait@crate::MapIds). Ids of other entities stay. By an `ordered` relation copies are in the
    /// order of the originals; those of an entity outside of the tree come last.
    ///
    /// A component that is unique or has a primary index, anywhere in the tree, is an error: the copy cannot
    /// have it again. [`without`](Self::without) leaves it out.
    ///
    /// The relation `T` of the descendants is always copied, whatever components are chosen; that of the
    /// entity itself only if it is chosen. So without `T` the copy is the root of a tree of its own.
    ///
    /// These options make neither a [`template`](Self::template) nor a [`copy`](Self::copy) to an entity
    /// that is there: both return an error.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let ship = game.create_entity().id();
    /// let mast = game.create_with(ChildOf { parent: ship }).id();
    /// game.create_with(ChildOf { parent: mast });
    /// let copying = CloneOptions::all().with_descendants::<ChildOf>();
    /// let twin = copying.clone_entity(&mut game, ship);
    /// assert_eq!(twin.related::<ChildOf>().descendants().count(), 2);
    /// assert_eq!(game.len(), 6);
    /// ```
    #[must_use]
    pub fn with_descendants<T: AcyclicRelation<C>>(mut self) -> Self
    where
        C: HasCore,
    {
        self.descendants = Some(DescendantIds {
            relation: index_of::<C, T>(),
            find: |context, id| {
                let related = Related::<C, T>::new(context, id);
                related.descendants().collect()
            },
        });
        self
    }

    /// Whether a component of the entity is copied.
    fn chooses(&self, component: ComponentIndex) -> bool {
        self.components.contains(component) != self.all_but
    }

    /// Whether a component of a descendant is copied.
    fn chooses_below(&self, component: ComponentIndex) -> bool {
        let below = self.descendants.as_ref();
        self.chooses(component) || below.is_some_and(|below| below.relation == component)
    }
}

// By hand, because a derive would ask the same of `C`.
impl<C> Clone for CloneOptions<C> {
    fn clone(&self) -> Self {
        Self {
            components: self.components.clone(),
            ..*self
        }
    }
}

impl<C> Clone for DescendantIds<C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for DescendantIds<C> {}

impl<C> fmt::Debug for CloneOptions<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let components = if self.all_but { "all_but" } else { "only" };
        f.debug_struct("CloneOptions")
            .field(components, &self.components)
            .field("existing", &self.existing)
            .field("descendants", &self.descendants.map(|below| below.relation))
            .finish()
    }
}

/// A component of an entity, to be copied.
pub(crate) type Chosen = (ComponentIndex, &'static ComponentDescriptor);

/// The slot of an entity that is copied, or copied to.
pub(crate) fn alive<C: HasCore>(core: &Core<C>, id: EntityId<C>) -> Result<Slot, Error> {
    core.slots().get(id).ok_or_else(|| dead(id))
}

fn dead<C: HasCore>(id: EntityId<C>) -> Error {
    Error::not_alive(id.raw(), C::NAME, Operation::Copy)
}

/// The components of an entity that are to be copied without others, in ascending order of index, if
/// all of them can be.
pub(crate) fn choose<C: HasCore>(
    core: &Core<C>,
    id: EntityId<C>,
    slot: Slot,
    copying: &CloneOptions<C>,
) -> Result<Vec<Chosen>, Error> {
    match copying.descendants {
        None => choose_by(core, (id, slot), None, &|component| {
            copying.chooses(component)
        }),
        Some(_) => Err(Error::descendants_not_copied(id.raw(), C::NAME)),
    }
}

/// Those that are chosen. What only one entity can have is left out; in a tree that is copied along a
/// relation it is refused, unless it is that relation.
fn choose_by<C: HasCore>(
    core: &Core<C>,
    (id, slot): (EntityId<C>, Slot),
    relation: Option<ComponentIndex>,
    chooses: &dyn Fn(ComponentIndex) -> bool,
) -> Result<Vec<Chosen>, Error> {
    let signature = core.components(slot.node).iter();
    let mut chosen = Vec::new();
    for component in signature.filter(|&component| chooses(component)) {
        let descriptor = core.describe(component);
        if descriptor.unique || descriptor.keyed {
            if relation.is_some_and(|relation| relation != component) {
                return Err(Error::only_once(id.raw(), descriptor.names));
            }
        } else if descriptor.is_clone {
            chosen.push((component, descriptor));
        } else {
            return Err(Error::not_clone(id.raw(), descriptor.names));
        }
    }
    Ok(chosen)
}

/// Creates an entity with clones of the components of another one, in one change.
pub(crate) fn clone_entity<C: HasCore>(
    context: &mut C,
    id: EntityId<C>,
    copying: &CloneOptions<C>,
) -> Result<EntityId<C>, Error> {
    if let Some(descendants) = copying.descendants {
        let below = (descendants.find)(context, id);
        return clone_tree(context, id, below, copying);
    }
    let core = context.core();
    let slot = alive(core, id)?;
    let chosen = choose(core, id, slot, copying)?;
    create::try_by(context, |writer| copy_all(writer, slot, chosen, None))
}

/// Creates clones of an entity and of those below it, in one change.
fn clone_tree<C: HasCore>(
    context: &mut C,
    top: EntityId<C>,
    below: Vec<EntityId<C>>,
    copying: &CloneOptions<C>,
) -> Result<EntityId<C>, Error> {
    let core = context.core();
    let slot = alive(core, top)?;
    let relation = copying.descendants.map(|below| below.relation);
    let of_top = choose_by(core, (top, slot), relation, &|component| {
        copying.chooses(component)
    })?;
    let mut plan = vec![(slot, of_top)];
    for &id in &below {
        let slot = alive(core, id)?;
        let chosen = choose_by(core, (id, slot), relation, &|component| {
            copying.chooses_below(component)
        })?;
        check_below(id, copying, &chosen)?;
        plan.push((slot, chosen));
    }
    let originals: Vec<_> = iter::once(top)
        .chain(below)
        .map(EntityId::untyped)
        .collect();
    let mut staged = Staged::reserve(context, plan.len())?;
    let (copy, made) = (staged.reserved()[0], staged.reserved());
    let orders = staged.orders_of_copies(&originals);
    let copies: HashMap<_, _> = originals
        .iter()
        .map(|id| id.raw())
        .zip(made.iter().map(|id| id.untyped()))
        .collect();
    let map = |id: UntypedId| copies.get(&id.raw()).copied().unwrap_or(id);
    let map = IdMap::of::<C>(&map);
    for (slot, chosen) in plan {
        staged.make_reserved(|writer| copy_all(writer, slot, chosen, Some(&map)))?;
    }
    staged.arrive(&orders);
    Ok(copy)
}

/// Refuses to copy a descendant whose copy would be none.
fn check_below<C: HasCore>(
    id: EntityId<C>,
    copying: &CloneOptions<C>,
    chosen: &[Chosen],
) -> Result<(), Error> {
    let relation = copying.descendants.as_ref().map(|below| below.relation);
    match chosen
        .iter()
        .any(|(component, _)| Some(*component) == relation)
    {
        true => Ok(()),
        false => Err(Error::descendants_not_copied(id.raw(), C::NAME)),
    }
}

/// Gives a new entity clones of the components of another one; the ids inside become others, if a map
/// says so.
fn copy_all<C: HasCore>(
    writer: &mut BundleWriter<'_, C>,
    slot: Slot,
    chosen: Vec<Chosen>,
    map: Option<&IdMap<'_>>,
) {
    for (component, _) in chosen {
        writer.copy(component, slot.row, map);
    }
}

/// Copies components of an entity to another one, a change each.
pub(crate) fn copy_to<C: HasCore>(
    context: &mut C,
    from: EntityId<C>,
    to: EntityId<C>,
    copying: &CloneOptions<C>,
) -> Result<(), Error> {
    let core = context.core();
    let slot = alive(core, from)?;
    let mut chosen = choose(core, from, slot, copying)?;
    admit(core, to, copying.existing, &mut chosen)?;
    let values = clones(core, slot.row, &chosen);
    put_in_place(context, to, values)
}

/// Clones of the values in a row, to be put in place.
pub(crate) fn clones<C: HasCore>(core: &Core<C>, row: Row, chosen: &[Chosen]) -> Vec<Chunk> {
    let clone = |&(component, descriptor): &Chosen| {
        let value = core.value_in(row, component)?;
        Chunk::of_clone(component, descriptor, value)
    };
    chosen.iter().filter_map(clone).collect()
}

/// Takes out what the entity has already, or refuses it, as the rule says.
pub(crate) fn admit<C: HasCore>(
    core: &Core<C>,
    to: EntityId<C>,
    existing: OnConflict,
    chosen: &mut Vec<Chosen>,
) -> Result<(), Error> {
    let slot = alive(core, to)?;
    let signature = core.components(slot.node);
    let there = |&(component, _): &Chosen| signature.contains(component);
    match (existing, chosen.iter().copied().find(there)) {
        (OnConflict::Refuse, Some((_, descriptor))) => {
            Err(core.named(Error::already_has(to.raw(), descriptor.names)))
        }
        (OnConflict::Keep, Some(_)) => {
            chosen.retain(|chosen| !there(chosen));
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Adds or replaces components, a change each; or in one change if others may come
/// along, which are not to take the place of those that follow. What is already there by now may be
/// replaced, or was not there when the call began.
pub(crate) fn put_in_place<C: HasCore>(
    context: &mut C,
    id: EntityId<C>,
    mut values: Vec<Chunk>,
) -> Result<(), Error> {
    let requires = |chunk: &Chunk| chunk.descriptor().required.is_some();
    if values.iter().any(requires) {
        return state::insert(context, id, Present::Replace, |writer| {
            for chunk in &mut values {
                if let Some(value) = chunk.values.pop() {
                    writer.put_moved(chunk.component, value);
                }
            }
        });
    }
    for mut chunk in values {
        let names = chunk.descriptor().names;
        if let Some(value) = chunk.values.pop() {
            let replaced = state::replace_moved(context, id.untyped(), chunk.component, value);
            replaced.map_err(|refusal| {
                let core = context.core();
                core.refused(refusal, id, names, Operation::Replace)
            })?;
        }
    }
    Ok(())
}

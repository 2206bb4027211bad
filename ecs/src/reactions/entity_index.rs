//! Entity indexes: for each key the entities that have it.
//!
//! An index follows one group. It remembers the buckets of each entity ([`buckets`]), so an
//! entity that leaves the group is taken out without being asked for its keys, which it may
//! not have any more.
//!
//! Keys come from the user's code, which may panic at any time. So an entity that has
//! entered or changed is first put in the *dirty set*, and leaves it when its new keys are in
//! the buckets. After a panic in between it stays there, and lookups ask it for its keys as
//! they are: the answer is right all the same.
//!
//! Who has indexes follow a change is [`state`](crate::state); what users do with them
//! stands in [`context`](crate::Context).

mod buckets;
mod dirty_set;
mod field;

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;
use core::borrow::Borrow;
use core::fmt;
use core::hash::Hash;
use core::marker::PhantomData;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use crate::matching::group::{GroupIndex, IndexNumber};
use crate::matching::matcher::GroupEvent;
use crate::words::component::ComponentIndex;
use crate::words::entity_id::EntityId;

use self::buckets::{Buckets, Member, Wanted};
use self::dirty_set::DirtySet;
pub(crate) use self::field::DebugKey;
pub use self::field::{Element, Elements, IndexKey, Indexed};

/// The entities of a context by a key that a function of your own returns.
///
/// A small handle, copied freely, of the context that made it:
/// [`entity_index`](crate::Context::entity_index) or, for several keys an entity,
/// [`with_keys`](crate::EntityIndex::with_keys). Every method is given that
/// context again and panics if it is another one.
///
/// An index is up to date whenever user code runs, observers included: it follows the
/// entities of its matcher as they enter and leave, and files an entity anew whenever a
/// component in the matcher's all-of or any-of set is added, removed, replaced or updated. The key
/// function should read only these; other components are not watched.
///
/// Entities of one key come in the order in which they came to it; if one leaves,
/// the last one takes its place.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// # #[derive(Component)] #[component(context = Game)] struct Position { x: i32, y: i32 }
/// # #[derive(Component)] #[component(context = Game)] struct Destroyed;
/// let mut game = Game::new();
/// let pieces = Game::all_of::<Position>().none_of::<Destroyed>();
/// let cells = game.entity_index(pieces, |e| (e.position().x, e.position().y));
/// let id = game.create_with(Position { x: 3, y: 4 }).id();
/// assert_eq!(cells.single(&game, &(3, 4)).unwrap().id(), id);
/// game.entity_mut(id).update_position(|p| p.x += 1);
/// assert!(cells.contains(&game, &(4, 4)) && !cells.contains(&game, &(3, 4)));
/// ```
pub struct EntityIndex<C, K> {
    pub(crate) instance: u32,
    pub(crate) number: IndexNumber,
    marker: PhantomData<fn() -> (C, K)>,
}

impl<C, K> EntityIndex<C, K> {
    pub(crate) fn new(instance: u32, number: IndexNumber) -> Self {
        Self {
            instance,
            number,
            marker: PhantomData,
        }
    }
}

/// Hands over the keys of an entity, read from `S`.
pub(crate) type KeysOf<S, C, K> = Box<dyn Fn(&S, EntityId<C>, &mut dyn FnMut(K)) + Send + Sync>;

/// One index, whose keys of type `K` are read from `S`.
pub(crate) struct Index<S, C, K> {
    pub(crate) keys_of: KeysOf<S, C, K>,
    buckets: Buckets<C, K>,
    /// Members of the group whose buckets may be out of date.
    dirty: DirtySet<C>,
    /// Keys that are to be dropped when all state is final.
    spent: Vec<K>,
    /// Memory to be used again.
    scratch: Vec<Wanted<K>>,
    /// Whether the keys of an entity are being asked for, to be stored.
    asking: bool,
    /// How many lookups are asking dirty entities for their keys: in several threads, or
    /// one inside the other.
    lookups: AtomicUsize,
    /// Whether the key function has been seen to look into this index.
    circular: AtomicBool,
}

/// More lookups than this at once are one inside the other.
const MOST_LOOKUPS: usize = 200;

/// What an index has found: entities in the buckets, or a list of its own.
pub(crate) enum Found<'a, C> {
    Members(core::slice::Iter<'a, Member<C>>),
    Asked(alloc::vec::IntoIter<EntityId<C>>),
}

/// A lookup that asks entities for their keys. It ends when this is dropped, also by a panic.
struct Lookup<'a>(&'a AtomicUsize);

impl<'a> Lookup<'a> {
    fn start(lookups: &'a AtomicUsize) -> Self {
        lookups.fetch_add(1, Relaxed);
        Self(lookups)
    }
}

impl Drop for Lookup<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

impl<S, C, K: Hash + Eq> Index<S, C, K> {
    pub(crate) fn new(keys_of: KeysOf<S, C, K>) -> Self {
        Self {
            keys_of,
            buckets: Buckets::new(),
            dirty: DirtySet::default(),
            spent: Vec::new(),
            scratch: Vec::new(),
            asking: false,
            lookups: AtomicUsize::new(0),
            circular: AtomicBool::new(false),
        }
    }

    /// How many keys have entities, not counting those of dirty entities.
    pub(crate) fn len(&self) -> usize {
        self.buckets.len()
    }

    /// The keys that have entities, not counting those of dirty entities.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &K> + '_ {
        self.buckets.keys()
    }

    /// The entities of a key.
    #[track_caller]
    pub(crate) fn find<Q>(&self, source: &S, key: &Q) -> Found<'_, C>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        if self.asking {
            self.refuse_circle();
        }
        let members = self.buckets.members(key).iter();
        match self.dirty.is_empty() {
            true => Found::Members(members),
            false => Found::Asked(self.ask(source, members, key).into_iter()),
        }
    }

    /// The entities of a key, of which the dirty ones are asked for their keys.
    #[cold]
    #[track_caller]
    fn ask<Q>(
        &self,
        source: &S,
        members: core::slice::Iter<'_, Member<C>>,
        key: &Q,
    ) -> Vec<EntityId<C>>
    where
        K: Borrow<Q>,
        Q: Eq + ?Sized,
    {
        let sure = members.map(|member| member.id);
        let mut found: Vec<_> = sure.filter(|id| !self.dirty.contains(*id)).collect();
        if self.circular.load(Relaxed) {
            return found; // to ask would be to look this up again, without end
        }
        let _lookup = Lookup::start(&self.lookups);
        if self.lookups.load(Relaxed) > MOST_LOOKUPS {
            self.refuse_circle();
        }
        for &id in self.dirty.ids() {
            let mut has = false;
            (self.keys_of)(source, id, &mut |k| has |= k.borrow() == key);
            if has {
                found.push(id);
            }
        }
        found
    }

    #[cold]
    #[track_caller]
    fn refuse_circle(&self) -> ! {
        self.circular.store(true, Relaxed);
        panic!(
            "the key function of an entity index looks into that index itself, which cannot answer \
             before it has the key; let it read components, or another index"
        )
    }

    /// Looks up the buckets of an entity's keys.
    pub(crate) fn want(&self, source: &S, id: EntityId<C>, wanted: &mut Vec<Wanted<K>>) {
        (self.keys_of)(source, id, &mut |key| self.buckets.want(id, key, wanted));
    }

    /// Puts a dirty entity into the buckets of its keys.
    pub(crate) fn insert(&mut self, id: EntityId<C>, mut wanted: Vec<Wanted<K>>) {
        self.dirty.remove(id);
        self.buckets.insert(id, &mut wanted, &mut self.spent);
        self.scratch = wanted;
    }

    /// Memory for the keys of an entity.
    pub(crate) fn scratch(&mut self) -> Vec<Wanted<K>> {
        core::mem::take(&mut self.scratch)
    }
}

/// An index whose keys may be of any type.
pub(crate) trait AnyIndex<C>: Any + Send + Sync {
    /// Notes that the keys of an entity are to be asked for again.
    fn mark_dirty(&mut self, id: EntityId<C>);

    /// Notes that these, in this order, are to be inserted into an empty index.
    fn mark_all_dirty(&mut self, ids: Vec<EntityId<C>>);

    /// The next dirty entity.
    fn next_dirty(&self) -> Option<EntityId<C>>;

    /// Takes out an entity that has left the group.
    fn leave(&mut self, id: EntityId<C>);

    /// Notes whether the keys of an entity are being asked for.
    fn set_asking(&mut self, asking: bool);

    /// Drops the keys that nobody has any more.
    fn drop_spent(&mut self);

    /// Takes all entities out; returns what is to be dropped.
    fn empty(&mut self) -> Box<dyn Any>;
}

impl<S: 'static, C: 'static, K> AnyIndex<C> for Index<S, C, K>
where
    K: Hash + Eq + Send + Sync + 'static,
{
    fn mark_dirty(&mut self, id: EntityId<C>) {
        self.dirty.insert(id);
    }

    fn mark_all_dirty(&mut self, ids: Vec<EntityId<C>>) {
        ids.into_iter().rev().for_each(|id| self.dirty.insert(id)); // the last is the next
    }

    fn next_dirty(&self) -> Option<EntityId<C>> {
        self.dirty.ids().last().copied()
    }

    fn leave(&mut self, id: EntityId<C>) {
        self.dirty.remove(id);
        self.buckets.remove(id, &mut self.spent);
    }

    fn set_asking(&mut self, asking: bool) {
        self.asking = asking;
    }

    fn drop_spent(&mut self) {
        self.spent.clear();
    }

    fn empty(&mut self) -> Box<dyn Any> {
        self.dirty = DirtySet::default();
        let buckets = core::mem::replace(&mut self.buckets, Buckets::new());
        Box::new((buckets, core::mem::take(&mut self.spent)))
    }
}

/// Asks an entity that has entered or changed for its keys, and moves it to their buckets.
pub(crate) type Reindex<C> = fn(&mut C, IndexNumber, EntityId<C>);

/// An index and what it follows.
pub(crate) struct IndexState<C> {
    pub(crate) group: GroupIndex,
    pub(crate) active: bool,
    pub(crate) reindex: Reindex<C>,
    pub(crate) index: Box<dyn AnyIndex<C>>,
}

/// All indexes of a context, in order of creation.
pub(crate) struct Indexes<C> {
    states: Vec<IndexState<C>>,
    /// The number of each component's first index.
    of_components: Vec<Option<IndexNumber>>,
    /// How many components have had their indexes made.
    pub(crate) components: usize,
}

impl<C: 'static> Indexes<C> {
    pub(crate) fn new() -> Self {
        Self {
            states: Vec::new(),
            of_components: Vec::new(),
            components: 0,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    pub(crate) fn add(&mut self, state: IndexState<C>) -> IndexNumber {
        let number = u32::try_from(self.states.len()).expect("fewer than 2^32 indexes");
        self.states.push(state);
        IndexNumber(number)
    }

    /// Notes an index of a component; the first one counts.
    pub(crate) fn assign(&mut self, component: ComponentIndex, number: IndexNumber) {
        let at = component.get();
        if at >= self.of_components.len() {
            self.of_components.resize(at + 1, None);
        }
        self.of_components[at].get_or_insert(number);
    }

    /// The index of a component's `field`-th indexed field, if it has been made.
    pub(crate) fn of_field(&self, component: ComponentIndex, field: usize) -> Option<IndexNumber> {
        let first = (*self.of_components.get(component.get())?)?;
        Some(IndexNumber(first.0 + field as u32))
    }

    /// Marks an entity dirty, or takes it out, in the indexes that are to follow.
    #[inline(never)]
    pub(crate) fn prepare(&mut self, id: EntityId<C>, follow: &[(IndexNumber, GroupEvent)]) {
        for &(number, event) in follow {
            let Some(state) = self.state_mut(number) else {
                continue;
            };
            match event {
                GroupEvent::Left => state.index.leave(id),
                GroupEvent::Entered | GroupEvent::Updated => state.index.mark_dirty(id),
            }
        }
    }

    pub(crate) fn state(&self, number: IndexNumber) -> Option<&IndexState<C>> {
        self.states.get(number.get())
    }

    pub(crate) fn state_mut(&mut self, number: IndexNumber) -> Option<&mut IndexState<C>> {
        self.states.get_mut(number.get())
    }

    /// One index, if it is of this type.
    pub(crate) fn get<S: 'static, K: 'static>(
        &self,
        number: IndexNumber,
    ) -> Option<&Index<S, C, K>> {
        let index: &dyn Any = &*self.state(number)?.index;
        index.downcast_ref()
    }

    /// One index, if it is of this type, to be changed.
    pub(crate) fn get_mut<S: 'static, K: 'static>(
        &mut self,
        number: IndexNumber,
    ) -> Option<&mut Index<S, C, K>> {
        let index: &mut dyn Any = &mut *self.state_mut(number)?.index;
        index.downcast_mut()
    }
}

impl<C> Found<'_, C> {
    /// Nothing.
    pub(crate) fn none() -> Self {
        Self::Members([].iter())
    }
}

impl<C> Iterator for Found<'_, C> {
    type Item = EntityId<C>;

    #[inline]
    fn next(&mut self) -> Option<EntityId<C>> {
        match self {
            Self::Members(members) => members.next().map(|member| member.id),
            Self::Asked(ids) => ids.next(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Self::Members(members) => members.size_hint(),
            Self::Asked(ids) => ids.size_hint(),
        }
    }
}

// By hand, because a derive would ask the same of `C` and `K`.
impl<C> Clone for Found<'_, C> {
    fn clone(&self) -> Self {
        match self {
            Self::Members(members) => Self::Members(members.clone()),
            Self::Asked(ids) => Self::Asked(ids.clone()),
        }
    }
}

impl<C, K> Clone for EntityIndex<C, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C, K> Copy for EntityIndex<C, K> {}

impl<C, K> PartialEq for EntityIndex<C, K> {
    fn eq(&self, other: &Self) -> bool {
        (self.instance, self.number) == (other.instance, other.number)
    }
}

impl<C, K> Eq for EntityIndex<C, K> {}

impl<C, K> core::hash::Hash for EntityIndex<C, K> {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        (self.instance, self.number).hash(state);
    }
}

impl<C, K> fmt::Debug for EntityIndex<C, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EntityIndex({})", self.number.0)
    }
}

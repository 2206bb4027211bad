//! Replacing the ids inside values when entities are copied together.

use alloc::borrow::{Cow, ToOwned};
use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet, BinaryHeap, VecDeque};
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::TypeId;
use core::fmt;
use core::marker::PhantomData;
use core::mem;

use crate::words::entity_id::{EntityId, RawEntityId, UntypedId};
use crate::words::limits::LAST_GENERATION;

/// Maps ids of copied entities to the ids of their copies.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// use ecs::{IdMap, MapIds};
///
/// struct Aim { at: EntityId<Game>, since: f32 }
///
/// impl MapIds for Aim {
///     fn map_ids(&mut self, map: &IdMap<'_>) {
///         self.at = map.get(self.at);
///     }
/// }
/// ```
pub struct IdMap<'m> {
    context: TypeId,
    map: &'m dyn Fn(UntypedId) -> UntypedId,
}

impl<'m> IdMap<'m> {
    /// Creates a map of ids of context `C`.
    pub(crate) fn of<C: 'static>(map: &'m dyn Fn(UntypedId) -> UntypedId) -> Self {
        let context = TypeId::of::<C>();
        Self { context, map }
    }

    /// Returns the id of the copy, or the id itself if its entity is not copied or belongs to
    /// another context.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// fn map_all(ids: &mut [EntityId<Game>], map: &ecs::IdMap<'_>) {
    ///     for id in ids {
    ///         *id = map.get(*id);
    ///     }
    /// }
    /// ```
    #[must_use]
    pub fn get<C: 'static>(&self, id: EntityId<C>) -> EntityId<C> {
        match self.context == TypeId::of::<C>() {
            true => (self.map)(id.untyped()).typed(),
            false => id,
        }
    }
}

impl fmt::Debug for IdMap<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IdMap").finish_non_exhaustive()
    }
}

/// Returns the id that stands for the `nth` entity of a template. No context ever has such an
/// entity: it would be in one of the last slots, with the last generation.
pub(crate) fn placeholder(nth: u32) -> UntypedId {
    let id = UntypedId::try_new(u32::MAX - nth, LAST_GENERATION);
    id.expect("a generation is not 0")
}

/// Returns which entity of a template with `entities` entities the id stands for, if any.
pub(crate) fn place_of_placeholder(id: UntypedId, entities: usize) -> Option<usize> {
    let nth = (u32::MAX - id.index()) as usize;
    (id.generation() == LAST_GENERATION && nth < entities).then_some(nth)
}

/// A value whose ids can be replaced by those of copies.
///
/// When an entity is copied [with its descendants](crate::CloneOptions::with_descendants), ids in
/// the copy that refer to entities copied along with it are mapped to their copies. The derive of a
/// component maps the ids in each field, including lists, maps, tuples and options of ids. For your
/// own types that are fields of components and contain ids, use `#[derive(MapIds)]`. Fields of
/// types that do not implement this trait keep their ids.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// # #[derive(Component, Clone)] #[component(context = Game)]
/// # struct ChildOf { #[component(relation(reverse = children, acyclic))] parent: EntityId<Game> }
/// use ecs::MapIds;
///
/// #[derive(Clone, MapIds)]
/// enum Order { Wait, Follow(EntityId<Game>) }
///
/// #[derive(Component, Clone)]
/// #[component(context = Game)]
/// struct Orders(Vec<Order>);
///
/// let mut game = Game::new();
/// let ship = game.create_entity().id();
/// let boat = game.create_with(ChildOf { parent: ship }).id();
/// game.entity_mut(ship).add_orders(vec![Order::Wait, Order::Follow(boat)]);
///
/// let copying = CloneOptions::all().with_descendants::<ChildOf>();
/// let copy = copying.clone_entity(&mut game, ship).id();
/// let boat = game.entity(copy).children()[0];
/// assert!(matches!(game.entity(copy).orders().0[1], Order::Follow(id) if id == boat));
/// ```
pub trait MapIds {
    /// Whether a value can contain an id. Components without such fields cost nothing.
    const HAS_IDS: bool = true;

    /// Replaces each id inside according to the map.
    fn map_ids(&mut self, map: &IdMap<'_>);
}

/// Replaces the ids inside a value.
pub(crate) type MapValue<T> = fn(&mut T, &IdMap<'_>);

impl<C: 'static> MapIds for EntityId<C> {
    fn map_ids(&mut self, map: &IdMap<'_>) {
        *self = map.get(*self);
    }
}

macro_rules! without_ids {
    ($($ty:ty),*) => { $(
        impl MapIds for $ty {
            const HAS_IDS: bool = false;

            fn map_ids(&mut self, _: &IdMap<'_>) {}
        }
    )* };
}

// A raw id has no context, so it is never mapped.
without_ids!(
    (),
    bool,
    char,
    u8,
    u16,
    u32,
    u64,
    u128,
    usize,
    i8,
    i16,
    i32,
    i64,
    i128,
    isize,
    f32,
    f64,
    String,
    RawEntityId
);

impl<T: ?Sized> MapIds for &T {
    const HAS_IDS: bool = false;

    fn map_ids(&mut self, _: &IdMap<'_>) {}
}

impl<T: ?Sized> MapIds for PhantomData<T> {
    const HAS_IDS: bool = false;

    fn map_ids(&mut self, _: &IdMap<'_>) {}
}

macro_rules! tuples {
    ($(($($name:ident)*))*) => { $(
        impl<$($name: MapIds),*> MapIds for ($($name,)*) {
            const HAS_IDS: bool = false $(|| $name::HAS_IDS)*;

            #[expect(non_snake_case, reason = "named like their types")]
            fn map_ids(&mut self, map: &IdMap<'_>) {
                let ($($name,)*) = self;
                $($name.map_ids(map);)*
            }
        }
    )* };
}

tuples! {
    (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G) (A B C D E F G H)
}

macro_rules! of_elements {
    ($($ty:ty),*) => { $(
        impl<T: MapIds> MapIds for $ty {
            const HAS_IDS: bool = T::HAS_IDS;

            fn map_ids(&mut self, map: &IdMap<'_>) {
                self.iter_mut().for_each(|value| value.map_ids(map));
            }
        }
    )* };
}

of_elements!([T], Vec<T>, VecDeque<T>, Option<T>);

impl<T: MapIds, const N: usize> MapIds for [T; N] {
    const HAS_IDS: bool = T::HAS_IDS;

    fn map_ids(&mut self, map: &IdMap<'_>) {
        self.as_mut_slice().map_ids(map);
    }
}

impl<T: MapIds, E: MapIds> MapIds for Result<T, E> {
    const HAS_IDS: bool = T::HAS_IDS || E::HAS_IDS;

    fn map_ids(&mut self, map: &IdMap<'_>) {
        match self {
            Ok(value) => value.map_ids(map),
            Err(error) => error.map_ids(map),
        }
    }
}

impl<T: MapIds + ?Sized> MapIds for Box<T> {
    const HAS_IDS: bool = T::HAS_IDS;

    fn map_ids(&mut self, map: &IdMap<'_>) {
        (**self).map_ids(map);
    }
}

/// Clones a shared value before mapping it.
impl<T: MapIds + Clone> MapIds for Arc<T> {
    const HAS_IDS: bool = T::HAS_IDS;

    fn map_ids(&mut self, map: &IdMap<'_>) {
        Self::make_mut(self).map_ids(map);
    }
}

/// Clones shared values before mapping them.
impl<T: MapIds + Clone> MapIds for Arc<[T]> {
    const HAS_IDS: bool = T::HAS_IDS;

    fn map_ids(&mut self, map: &IdMap<'_>) {
        Self::make_mut(self).map_ids(map);
    }
}

impl<T: ToOwned<Owned: MapIds> + ?Sized> MapIds for Cow<'_, T> {
    const HAS_IDS: bool = T::Owned::HAS_IDS;

    fn map_ids(&mut self, map: &IdMap<'_>) {
        self.to_mut().map_ids(map);
    }
}

/// Returns the value with mapped ids.
fn mapped<T: MapIds>(mut value: T, map: &IdMap<'_>) -> T {
    value.map_ids(map);
    value
}

macro_rules! rebuilt {
    ($($ty:ident)*) => { $(
        impl<T: MapIds + Ord> MapIds for $ty<T> {
            const HAS_IDS: bool = T::HAS_IDS;

            fn map_ids(&mut self, map: &IdMap<'_>) {
                let values = mem::take(self).into_iter();
                self.extend(values.map(|value| mapped(value, map)));
            }
        }
    )* };
}

rebuilt!(BTreeSet BinaryHeap);

impl<K: MapIds + Ord, V: MapIds> MapIds for BTreeMap<K, V> {
    const HAS_IDS: bool = K::HAS_IDS || V::HAS_IDS;

    fn map_ids(&mut self, map: &IdMap<'_>) {
        if !K::HAS_IDS {
            return self.values_mut().for_each(|value| value.map_ids(map));
        }
        let entries = mem::take(self).into_iter();
        self.extend(entries.map(|entry| mapped(entry, map)));
    }
}

#[cfg(feature = "std")]
mod hashed {
    use core::hash::{BuildHasher, Hash};
    use std::collections::{HashMap, HashSet};

    use super::{IdMap, MapIds, mapped};

    impl<T: MapIds + Hash + Eq, S: BuildHasher> MapIds for HashSet<T, S> {
        const HAS_IDS: bool = T::HAS_IDS;

        fn map_ids(&mut self, map: &IdMap<'_>) {
            let values: Vec<_> = self.drain().map(|value| mapped(value, map)).collect();
            self.extend(values);
        }
    }

    impl<K: MapIds + Hash + Eq, V: MapIds, S: BuildHasher> MapIds for HashMap<K, V, S> {
        const HAS_IDS: bool = K::HAS_IDS || V::HAS_IDS;

        fn map_ids(&mut self, map: &IdMap<'_>) {
            if !K::HAS_IDS {
                return self.values_mut().for_each(|value| value.map_ids(map));
            }
            let entries: Vec<_> = self.drain().map(|entry| mapped(entry, map)).collect();
            self.extend(entries);
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString as _;
    use alloc::vec;
    use std::collections::{HashMap, HashSet};

    use super::*;

    type Id = EntityId<()>;

    fn id(index: u32) -> Id {
        EntityId::from_bits(1 << 32 | u64::from(index)).unwrap()
    }

    /// Returns the value with 100 added to the ids of entities 0 to 9.
    fn moved<T: MapIds>(value: T) -> T {
        assert!(T::HAS_IDS);
        let map = |it: UntypedId| match it.typed::<()>().index() {
            small @ 0..10 => id(small + 100).untyped(),
            _ => it,
        };
        mapped(value, &IdMap::of::<()>(&map))
    }

    #[test]
    fn nested_ids_are_mapped() {
        assert_eq!(moved((id(1), 2_u8)), (id(101), 2));
        assert_eq!(moved(vec![id(1), id(50)]), [id(101), id(50)]);
        assert_eq!(moved([Some(id(1)), None]), [Some(id(101)), None]);
        assert_eq!(moved(Ok::<_, Id>(id(1))), Ok(id(101)));
        assert_eq!(moved(Err::<u8, _>(id(1))), Err(id(101)));
        assert_eq!(*moved(Box::new(id(1))), id(101));
        assert_eq!(moved(VecDeque::from([id(1)])), [id(101)]);
        assert_eq!(moved(BTreeSet::from([id(1)])), [id(101)].into());
        assert_eq!(moved(BinaryHeap::from([id(1)])).into_vec(), [id(101)]);
        assert_eq!(
            moved(BTreeMap::from([(id(1), 'a')])),
            [(id(101), 'a')].into()
        );
        assert_eq!(
            moved(BTreeMap::from([('a', id(1))])),
            [('a', id(101))].into()
        );
        assert_eq!(moved(HashSet::from([id(1)])), [id(101)].into());
        assert_eq!(
            moved(HashMap::from([(id(1), id(2))])),
            [(id(101), id(102))].into()
        );
        assert_eq!(
            moved(HashMap::from([('a', id(1))])),
            [('a', id(101))].into()
        );
        assert_eq!(*moved(Cow::Borrowed(&[id(1)][..])), [id(101)]);
    }

    #[test]
    fn shared_values_are_cloned_before_mapping() {
        let (one, list) = (Arc::new(id(1)), Arc::<[Id]>::from([id(1)]));
        assert_eq!((*moved(one.clone()), *one), (id(101), id(1)));
        assert_eq!(
            (&moved(list.clone())[..], &list[..]),
            (&[id(101)][..], &[id(1)][..])
        );
    }

    #[test]
    fn ids_of_another_context_are_kept() {
        let other = EntityId::<u8>::from_bits(1 << 32 | 1).unwrap();
        assert_eq!(moved(other), other);
    }

    #[test]
    fn values_without_ids_are_detected() {
        const { assert!(!<Vec<(u8, Option<String>)>>::HAS_IDS) }
        const { assert!(!<BTreeMap<&str, Box<[f32; 3]>>>::HAS_IDS) }
        let raw = id(1).raw().to_string();
        assert_eq!(
            mapped(raw.clone(), &IdMap::of::<()>(&|_| id(2).untyped())),
            raw
        );
    }
}

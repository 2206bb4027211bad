//! Entity ids: an index into the slots and a generation, which distinguishes the entities that have
//! used the slot.
//!
//! Storage shared by all contexts uses [`UntypedId`], so that it is compiled only once. Any
//! `EntityId` has the same memory layout.

#![expect(
    unsafe_code,
    reason = "lists of ids with and without the type of their context are one"
)]

pub(crate) mod compact;

use alloc::vec::Vec;
use core::cmp::Ordering;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;
use core::mem::{self, ManuallyDrop};
use core::num::{NonZeroU32, NonZeroU64};
use core::{fmt, slice};

#[cfg(debug_assertions)]
use crate::words::atomic::{AtomicU32, Ordering::Relaxed};
use crate::words::limits::LAST_GENERATION;

/// The index and generation of an entity without the type of its context; used in errors.
///
/// Prints as `12v3`: slot 12, the third entity in it.
///
/// # Examples
///
/// ```
/// # use sample::*;
/// let mut game = Game::new();
/// let id = game.create_entity().id();
/// assert_eq!(id.raw().to_string(), "0v1");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct RawEntityId {
    /// Generation in the upper half, index in the lower. One word, because reading a word that was
    /// written as two halves stalls the processor.
    bits: NonZeroU64,
}

impl RawEntityId {
    #[inline]
    const fn new(index: u32, generation: NonZeroU32) -> Self {
        let upper = (generation.get() as u64) << 32;
        match NonZeroU64::new(upper | index as u64) {
            Some(bits) => Self { bits },
            None => unreachable!(), // the generation is not zero
        }
    }

    /// Returns the index of the slot.
    ///
    /// ```
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// assert_eq!(id.raw().index(), 0);
    /// ```
    #[inline]
    pub const fn index(self) -> u32 {
        self.bits.get() as u32
    }

    /// Returns how many entities have used the slot, including this one.
    ///
    /// ```
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// assert_eq!(id.raw().generation(), 1);
    /// ```
    #[inline]
    pub const fn generation(self) -> u32 {
        (self.bits.get() >> 32) as u32
    }
}

impl PartialOrd for RawEntityId {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for RawEntityId {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        let index_first = |id: &Self| id.bits.get().rotate_left(32);
        index_first(self).cmp(&index_first(other))
    }
}

impl fmt::Debug for RawEntityId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = u32::MAX - self.index();
        match self.generation() {
            LAST_GENERATION if place < u32::MAX / 2 => write!(f, "#{place}"), // in a template
            generation => write!(f, "{}v{generation}", self.index()),
        }
    }
}

impl fmt::Display for RawEntityId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// The id of an entity of context `C`: 8 bytes, `Copy`.
///
/// An id does not keep its entity alive, and within its context never refers to another one: it
/// stays dead once the entity is destroyed, even if a new entity reuses the slot. Ids are ordered
/// by index, then by generation.
///
/// # Ids of another context
///
/// An id is valid for the context that created it. Using it with another context type is a compile
/// error. With another context of the same type, the result depends on the build:
///
/// - With debug assertions, as in `cargo build` and `cargo test`, an id knows its context and takes
///   16 bytes. Any method given an id of another context panics, including
///   [`contains`](crate::Context::contains) and [`get_entity`](crate::Context::get_entity).
/// - Without debug assertions, as in release builds, the id refers to whatever entity of the other
///   context has the same index and generation.
///
/// So do not move ids between contexts in messages, components or templates. Instead, give entities that exist in
/// both a key: a component with `primary_index` (see [`Component`](trait@crate::Component)). Ids made by
/// [`from_bits`](Self::from_bits) are accepted by every context, and a context loaded from a save accepts all ids.
/// Equality, order, hash and text of an id ignore its context.
///
/// ```
/// # use sample::*;
/// let (mut game, mut other) = (Game::new(), Game::new());
/// let id = game.create_entity().id();
/// assert_eq!(id, other.create_entity().id()); // the first entity of each
///
/// let ask = std::panic::AssertUnwindSafe(|| other.contains(id));
/// let is_rejected = std::panic::catch_unwind(ask).is_err();
/// assert_eq!(is_rejected, size_of_val(&id) > 8); // true with debug assertions
/// ```
///
/// # Examples
///
/// ```
/// # use sample::*;
/// let mut game = Game::new();
/// let first = game.create_entity().id();
/// game.destroy(first);
/// let second = game.create_entity().id();
/// assert_eq!(format!("{first:?} {second:?}"), "0v1 0v2");
/// assert!(!game.contains(first) && game.contains(second));
/// ```
#[repr(C)] // same layout for all contexts
pub struct EntityId<C> {
    raw: RawEntityId,
    /// Ignored by comparisons.
    lineage: Lineage,
    context: PhantomData<fn() -> C>,
}

/// Stands in for the type of an unknown context.
pub(crate) enum AnyContext {}

/// An id without the type of its context.
pub(crate) type UntypedId = EntityId<AnyContext>;

impl UntypedId {
    /// Gives the id the type of its context, which the caller knows.
    #[inline]
    pub(crate) const fn typed<C>(self) -> EntityId<C> {
        self.of()
    }

    /// Gives ids the type of their context.
    #[inline]
    pub(crate) const fn typed_all<C>(ids: &[Self]) -> &[EntityId<C>] {
        Self::all_of(ids)
    }
}

impl<C> EntityId<C> {
    /// Returns the id without the type of its context.
    #[inline]
    pub(crate) const fn untyped(self) -> UntypedId {
        self.of()
    }

    /// Returns the ids without the type of their context.
    #[inline]
    pub(crate) const fn untyped_all(ids: &[Self]) -> &[UntypedId] {
        Self::all_of(ids)
    }

    /// Returns the list of ids without the type of their context.
    #[inline]
    pub(crate) fn untyped_list(ids: Vec<Self>) -> Vec<UntypedId> {
        Self::list_of(ids)
    }

    /// Passes a list of ids, without the type of their context, to `change`.
    #[inline]
    pub(crate) fn change_untyped(ids: &mut Vec<Self>, change: impl FnOnce(&mut Vec<UntypedId>)) {
        let mut untyped = Self::list_of(mem::take(ids));
        change(&mut untyped);
        *ids = EntityId::list_of(untyped);
    }

    #[inline]
    const fn of<D>(self) -> EntityId<D> {
        EntityId {
            raw: self.raw,
            lineage: self.lineage,
            context: PhantomData,
        }
    }

    #[inline]
    const fn all_of<D>(ids: &[Self]) -> &[EntityId<D>] {
        // SAFETY: ids of all contexts have the same fields in the order of `repr(C)`, except for
        // one of size zero, so each is valid as any other.
        unsafe { slice::from_raw_parts(ids.as_ptr().cast(), ids.len()) }
    }

    #[inline]
    fn list_of<D>(ids: Vec<Self>) -> Vec<EntityId<D>> {
        let mut ids = ManuallyDrop::new(ids);
        // SAFETY: ids of all contexts have the same layout (`repr(C)`), so size and alignment are
        // equal and each id is valid as any other. Pointer, length and capacity come from a list
        // that no longer owns the memory.
        unsafe { Vec::from_raw_parts(ids.as_mut_ptr().cast(), ids.len(), ids.capacity()) }
    }

    /// Stands for an entity not created yet. No entity has this generation.
    pub(crate) const PLACEHOLDER: Self = Self::new(u32::MAX, NonZeroU32::MAX, Lineage::ANY);

    /// Returns the id of the entity with `generation` in slot `index`.
    #[inline]
    pub(crate) const fn new(index: u32, generation: NonZeroU32, lineage: Lineage) -> Self {
        Self {
            raw: RawEntityId::new(index, generation),
            lineage,
            context: PhantomData,
        }
    }

    /// Returns the contexts that the id is valid for.
    #[inline]
    pub(crate) const fn lineage(self) -> Lineage {
        self.lineage
    }

    /// Returns the index of the slot: small, dense, and reused after a destroy.
    ///
    /// ```
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// assert_eq!(id.index(), 0);
    /// ```
    #[inline]
    pub const fn index(self) -> u32 {
        self.raw.index()
    }

    /// Returns how many entities have used the slot, including this one.
    ///
    /// ```
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// game.destroy(id);
    /// let next = game.create_entity().id();
    /// assert_eq!((next.index(), next.generation()), (id.index(), id.generation() + 1));
    /// ```
    #[inline]
    pub const fn generation(self) -> u32 {
        self.raw.generation()
    }

    /// Returns the id without the type of its context.
    ///
    /// ```
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// assert_eq!(format!("{:?}", id.raw()), "0v1");
    /// ```
    #[inline]
    pub const fn raw(self) -> RawEntityId {
        self.raw
    }

    /// Returns the id as a number that can be stored outside the program.
    ///
    /// # Examples
    ///
    /// ```
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// assert_eq!(EntityId::from_bits(id.to_bits()), Some(id));
    /// ```
    #[inline]
    pub const fn to_bits(self) -> u64 {
        self.raw.bits.get()
    }

    /// Returns the id of the entity with `generation` in slot `index`, or `None` if the generation
    /// is invalid.
    pub(crate) const fn try_new(index: u32, generation: u32) -> Option<Self> {
        Self::from_bits((generation as u64) << 32 | index as u64)
    }

    /// Returns the id for a number returned by [`to_bits`](Self::to_bits), or `None` if the number
    /// is not an id.
    ///
    /// The id does not know its context, so every context accepts it. An id made from an arbitrary
    /// number is alive only if it happens to equal that of an entity that is alive.
    ///
    /// ```
    /// # use sample::*;
    /// assert!(EntityId::<Game>::from_bits(7).is_none());
    /// ```
    #[inline]
    pub const fn from_bits(bits: u64) -> Option<Self> {
        match NonZeroU32::new((bits >> 32) as u32) {
            Some(generation) if generation.get() <= LAST_GENERATION => {
                Some(Self::new(bits as u32, generation, Lineage::ANY))
            }
            _ => None,
        }
    }
}

// By hand, because a derive would add a bound on `C`.
impl<C> Clone for EntityId<C> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for EntityId<C> {}

impl<C> PartialEq for EntityId<C> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.raw == other.raw
    }
}

impl<C> Eq for EntityId<C> {}

impl<C> PartialOrd for EntityId<C> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<C> Ord for EntityId<C> {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.raw.cmp(&other.raw)
    }
}

impl<C> Hash for EntityId<C> {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.to_bits().hash(state);
    }
}

impl<C> fmt::Debug for EntityId<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.raw, f)
    }
}

impl<C> fmt::Display for EntityId<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.raw, f)
    }
}

// The context of an id. Only builds with debug assertions track it; in others a lineage takes no
// memory, and every check passes.
//
// A lineage is not the number of a context, because contexts can share it: a copied or loaded
// context has the same entities with the same ids.

/// What an id has in common with the contexts it is valid for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lineage {
    #[cfg(debug_assertions)]
    number: u32,
}

impl Lineage {
    /// Whether ids know their context.
    pub(crate) const KNOWN: bool = cfg!(debug_assertions);

    /// The lineage of ids made from numbers, which every context accepts, and of loaded contexts,
    /// which accept the ids of the saved one.
    pub(crate) const ANY: Self = Self {
        #[cfg(debug_assertions)]
        number: 0,
    };

    /// Returns a lineage that no other context has.
    pub(crate) fn new() -> Self {
        #[cfg(debug_assertions)]
        static LAST: AtomicU32 = AtomicU32::new(0);
        Self {
            #[cfg(debug_assertions)]
            number: Self::next(&LAST),
        }
    }

    /// Returns the next number, or that of [`ANY`](Self::ANY) when none is left: then ids are no
    /// longer checked, but none is wrongly rejected.
    #[cfg(debug_assertions)]
    fn next(last: &AtomicU32) -> u32 {
        let next = |number: u32| number.checked_add(1);
        let before = last.fetch_update(Relaxed, Relaxed, next);
        before.map_or(Self::ANY.number, |before| before + 1)
    }

    /// Returns the number of the lineage, for messages.
    pub(crate) const fn number(self) -> u32 {
        #[cfg(debug_assertions)]
        return self.number;
        #[cfg(not(debug_assertions))]
        0
    }

    /// Returns whether an id of lineage `id` may be of a context of this lineage.
    #[inline]
    pub(crate) const fn accepts(self, id: Self) -> bool {
        let any = Self::ANY.number();
        !Self::KNOWN || id.number() == self.number() || id.number() == any || self.number() == any
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(index: u32, generation: u32) -> EntityId<()> {
        EntityId::new(index, NonZeroU32::new(generation).unwrap(), Lineage::new())
    }

    #[test]
    fn ids_take_eight_bytes_unless_they_know_their_context() {
        let expected = match Lineage::KNOWN {
            true => size_of::<(u64, u32)>(),
            false => 8,
        };
        assert_eq!(size_of::<EntityId<()>>(), expected);
        assert_eq!(size_of::<Option<EntityId<()>>>(), expected);
        assert_eq!(size_of::<Option<RawEntityId>>(), 8);
    }

    #[test]
    fn ids_of_several_contexts_compare_by_index_and_generation() {
        assert_eq!(id(7, 2), id(7, 2));
        assert_eq!(id(7, 2).cmp(&id(7, 2)), Ordering::Equal);
    }

    #[test]
    fn invalid_bits_are_rejected() {
        assert_eq!(EntityId::<()>::from_bits(0), None);
        assert_eq!(EntityId::<()>::from_bits(u64::MAX), None);
        assert_eq!(EntityId::<()>::from_bits(7), None);
        assert_eq!(
            EntityId::from_bits(id(7, LAST_GENERATION).to_bits()),
            Some(id(7, LAST_GENERATION))
        );
    }

    #[test]
    fn untyped_lists_are_the_same_memory() {
        let mut ids = alloc::vec![id(7, 2), id(1, 3)];
        let expected = [id(7, 2), id(1, 3), id(0, 1)];
        assert_eq!(UntypedId::typed_all::<()>(EntityId::untyped_all(&ids)), ids);
        assert_eq!(id(7, 2).untyped().typed::<()>(), id(7, 2));
        ids.reserve(9);
        let memory = (ids.as_ptr(), ids.capacity());
        EntityId::change_untyped(&mut ids, |ids| ids.push(id(0, 1).untyped()));
        assert_eq!(ids, expected);
        assert_eq!((ids.as_ptr(), ids.capacity()), memory);
        assert!(
            ids.iter()
                .all(|id| id.lineage().number() != 0 || !Lineage::KNOWN)
        );
    }

    #[test]
    fn ids_order_by_index_then_generation() {
        assert!(id(1, 9) < id(2, 1));
        assert!(id(2, 1) < id(2, 2));
        assert!(id(1, 9).raw() < id(2, 1).raw());
        assert!(id(2, 1).raw() < id(2, 2).raw());
    }
}

#[cfg(test)]
mod lineage_tests {
    use super::*;

    #[test]
    fn a_lineage_accepts_itself_and_any() {
        let (one, other) = (Lineage::new(), Lineage::new());
        assert!(one.accepts(one) && one.accepts(Lineage::ANY));
        assert!(Lineage::ANY.accepts(one));
        assert_eq!(one.accepts(other), !Lineage::KNOWN);
    }

    /// F28.
    #[test]
    #[cfg(debug_assertions)]
    fn no_number_is_given_out_twice() {
        let last = AtomicU32::new(u32::MAX - 2);
        let numbers = [(); 4].map(|()| Lineage::next(&last));
        let any = Lineage::ANY.number();
        assert_eq!(numbers, [u32::MAX - 1, u32::MAX, any, any]);
    }

    #[test]
    fn an_unknown_lineage_takes_no_memory() {
        assert_eq!(size_of::<Lineage>(), if Lineage::KNOWN { 4 } else { 0 });
    }
}

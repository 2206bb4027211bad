//! Components of every layout, and which types are `Send` and `Sync` (F29, F30, F36).

use std::cell::{Cell, RefCell};
use std::marker::PhantomData;
use std::num::NonZeroU32;
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ecs::prelude::*;
use ecs::stats::{Buffered, Memory, Statistics};
use ecs::{
    Ancestors, ApplyError, BundleWriter, ComponentList, ComponentSet, Core, Delta, Descendants,
    DynEntity, DynEntityMut, DynRelated, DynValue, Entities, Events, Feed, GroupIter, History,
    HistoryBuilder, HistoryError, Ids, Inbox, IndexIter, Loader, Many, Mark, MatchingIds, Messages,
    Mirror, Observers, Query, QueryIter, QueryMut, RawEntityId, Recorded, Related, RemovedValues,
    Save, Scoped, Snapshot, SnapshotBuilder, SnapshotError, Storage, StorageMut, SystemError,
    Unique, UniqueMut, UnknownSystem, View,
};

use super::game::{Ledger, Log, Token};

/// Has components of every layout, and values that are not `Sync` by themselves.
#[ecs::context]
struct Zoo;

/// A component of some size and alignment, made from one byte, which it must keep.
trait Animal: Component<Zoo> + Bundle<Zoo> {
    fn new(byte: u8) -> Self;
    fn is(&self, byte: u8) -> bool;
}

macro_rules! arrays {
    ($($name:ident align $align:literal size $size:literal)*) => { $(
        #[derive(Component)]
        #[component(context = Zoo, by_value)]
        #[repr(align($align))]
        struct $name([u8; $size]);

        impl Animal for $name {
            fn new(byte: u8) -> Self {
                Self([byte; $size])
            }

            fn is(&self, byte: u8) -> bool {
                assert!(std::hint::black_box(std::ptr::from_ref(self)).addr().is_multiple_of($align));
                self.0.iter().all(|one| *one == byte)
            }
        }
    )* };
}

arrays! {
    Size0 align 1 size 0
    Size1 align 1 size 1
    Size3 align 1 size 3
    Size4095 align 1 size 4095
    Size65536 align 1 size 65536
    Align2 align 2 size 1
    Align4 align 4 size 3
    Align8 align 8 size 9
    Align16 align 16 size 16
    Align32 align 32 size 4095
    Align64 align 64 size 65
    Align128 align 128 size 1
    Align256 align 256 size 257
    Align512 align 512 size 3
    Align1024 align 1024 size 4095
    Align2048 align 2048 size 1
    Align4096 align 4096 size 5
    WideAlign4096 align 4096 size 8193
    EmptyAlign2 align 2 size 0
    EmptyAlign4096 align 4096 size 0
}

#[derive(Component)]
#[component(context = Zoo)]
struct Niche(Option<NonZeroU32>);

#[derive(Component)]
#[component(context = Zoo)]
struct Boxed(Box<dyn Fn() -> u8 + Send + Sync>);

#[derive(Component)]
#[component(context = Zoo)]
enum Choice {
    Nothing,
    Byte(u8),
    Text { padding: u64, text: String },
}

#[derive(Component)]
#[component(context = Zoo)]
struct Padded(u8, u64, u16);

impl Animal for Niche {
    fn new(byte: u8) -> Self {
        Self(NonZeroU32::new(byte.into()))
    }
    fn is(&self, byte: u8) -> bool {
        self.0.map_or(0, NonZeroU32::get) == u32::from(byte)
    }
}

impl Animal for Boxed {
    fn new(byte: u8) -> Self {
        Self(Box::new(move || byte))
    }
    fn is(&self, byte: u8) -> bool {
        (self.0)() == byte
    }
}

impl Animal for Choice {
    fn new(byte: u8) -> Self {
        match byte % 3 {
            0 => Self::Nothing,
            1 => Self::Byte(byte),
            _ => Self::Text {
                padding: byte.into(),
                text: byte.to_string(),
            },
        }
    }
    fn is(&self, byte: u8) -> bool {
        match self {
            Self::Nothing => byte.is_multiple_of(3),
            Self::Byte(one) => *one == byte,
            Self::Text { padding, text } => {
                *padding == u64::from(byte) && *text == byte.to_string()
            }
        }
    }
}

impl Animal for Padded {
    fn new(byte: u8) -> Self {
        Self(byte, byte.into(), byte.into())
    }
    fn is(&self, byte: u8) -> bool {
        (self.0, self.1, self.2) == (byte, byte.into(), byte.into())
    }
}

/// Runs all operations on values in two and a half blocks, with and without observers.
fn keeps_its_values<T: Animal>(observed: bool) {
    let (mut zoo, log) = (Zoo::new(), Log::default());
    let group = zoo.group(Zoo::all_of::<T>());
    if observed {
        let heard = log.clone();
        group.on_left(&mut zoo, move |_, change| {
            let byte = change.entity().index() as u8 + 1;
            assert!(change.previous::<T>().unwrap().is(byte));
            heard.note("left");
        });
    }
    let ids = zoo.create_many((0..160).map(T::new));
    let byte = |id: EntityId<Zoo>| id.index() as u8 + 1;
    for &id in &ids {
        assert!(zoo.entity(id).component::<T>().is(byte(id) - 1));
        zoo.entity_mut(id).replace(T::new(byte(id)));
    }
    for &id in ids.iter().step_by(2) {
        assert!(zoo.entity_mut(id).take::<T>().unwrap().is(byte(id)));
        zoo.entity_mut(id)
            .add(T::new(7))
            .update(|value: &mut T| *value = T::new(byte(id)));
    }
    for &id in &ids[..130] {
        zoo.destroy(id);
    }
    let left = zoo
        .query_mut::<(EntityId<Zoo>, &mut T)>()
        .untracked()
        .iter();
    assert_eq!(
        left.map(|(id, value)| assert!(value.is(byte(id)))).count(),
        30
    );
    assert_eq!(group.len(&zoo), 30);
    zoo.storage().check_invariants();
    zoo.defragment();
    let left: Vec<_> = zoo.query::<(EntityId<Zoo>, &T)>().iter().collect();
    assert!(left.len() == 30 && left.iter().all(|(id, value)| value.is(byte(*id))));
    zoo.reset();
    assert_eq!(log.len(), if observed { 80 + 160 } else { 0 });
    let id = zoo.create_with(T::new(1)).id();
    assert!(zoo.entity(id).component::<T>().is(1));
    zoo.observers().clear();
}

/// F30: sizes from zero to 64 KiB, every alignment up to a page, niches, padding, boxes and enums:
/// all values stay intact.
#[test]
fn every_layout_keeps_its_values() {
    macro_rules! all {
        ($($name:ident)*) => { $(
            keeps_its_values::<$name>(false);
            keeps_its_values::<$name>(true);
        )* };
    }
    all!(Size0 Size1 Size3 Size4095 Size65536 Align2 Align4 Align8 Align16 Align32 Align64);
    all!(Align128 Align256 Align512 Align1024 Align2048 Align4096 WideAlign4096);
    all!(EmptyAlign2 EmptyAlign4096 Niche Boxed Choice Padded);
}

static DROPS: AtomicUsize = AtomicUsize::new(0);

/// A flag with a `Drop`.
#[derive(Component)]
#[component(context = Zoo)]
#[repr(align(4096))]
struct Mortal;

impl Drop for Mortal {
    fn drop(&mut self) {
        DROPS.fetch_add(1, Ordering::Relaxed);
    }
}

#[derive(Component)]
#[component(context = Zoo)]
struct Marked;

/// F29: values of no size are dropped once each, and stay aligned.
#[test]
fn values_without_a_size_are_dropped_once() {
    let mut zoo = Zoo::new();
    let ids = zoo.create_many((0..200).map(|_| (Mortal, Marked)));
    let address = std::ptr::from_ref(zoo.entity(ids[70]).component::<Mortal>()).addr();
    assert_eq!(address % 4096, 0);
    zoo.entity_mut(ids[0]).remove_mortal();
    zoo.entity_mut(ids[1]).replace_mortal();
    drop(zoo.entity_mut(ids[2]).take::<Mortal>());
    zoo.destroy(ids[3]);
    assert_eq!(DROPS.load(Ordering::Relaxed), 4);
    assert_eq!(zoo.query::<(&Mortal, &Marked)>().iter().count(), 197);
    drop(zoo);
    assert_eq!(DROPS.load(Ordering::Relaxed), 201);
}

/// F29: a unit flag on many entities takes no storage but its bit.
#[test]
fn a_unit_flag_is_a_bit() {
    let mut zoo = Zoo::new();
    let ids = zoo.create_many((0..10_000).map(|_| ()));
    ids.iter()
        .step_by(3)
        .for_each(|id| _ = zoo.entity_mut(*id).set_marked(true));
    let marked = zoo.group(Zoo::all_of::<Marked>());
    assert!(
        marked
            .ids(&zoo)
            .into_iter()
            .eq(ids.iter().copied().step_by(3))
    );
    ids.iter()
        .for_each(|id| _ = zoo.entity_mut(*id).set_marked(false));
    assert!(marked.is_empty(&zoo));
}

/// A value that is not `Sync` can be a component behind a lock.
#[derive(Component)]
#[component(context = Zoo, by_value)]
struct Locked(std::sync::Mutex<RefCell<Token>>);

/// Whether a type is `Send` and `Sync`.
struct Of<T>(PhantomData<T>);

impl<T: Send> Of<T> {
    const SENT: bool = true;
}

impl<T: Sync> Of<T> {
    const SHARED: bool = true;
}

/// The fallback if the constants above do not apply.
trait Otherwise {
    const SENT: bool = false;
    const SHARED: bool = false;
}

impl<T> Otherwise for Of<T> {}

macro_rules! assert_threads {
    ($sent:literal $shared:literal: $($type:ty,)*) => { $(
        let may = (Of::<$type>::SENT, Of::<$type>::SHARED);
        assert_eq!(may, ($sent, $shared), "{}", stringify!($type));
    )* };
}

/// Neither `Send` nor `Sync`.
type Here = Rc<u8>;

/// `Send`, but not `Sync`.
type Lone = Cell<u8>;

/// Follows another one of its kind.
#[derive(Component, Clone)]
#[component(context = Zoo)]
struct Follows(#[component(relation)] EntityId<Zoo>);

/// F36: which types are `Send` and `Sync`. (Components that are not do not compile: `tests/ui`.)
#[test]
fn contexts_and_handles_may_be_sent_and_shared() {
    assert_threads! { true true:
        Zoo, Core<Zoo>, ZooEntity<'_>, ZooEntityMut<'_>, DynEntity<'_, Zoo>, DynEntityMut<'_, Zoo>,
        EntityId<Zoo>, RawEntityId, ComponentSet<Zoo>, Entities<'_, Zoo>,
        Matcher<Zoo>, Group<Zoo>, GroupIter<'_, Zoo>, Trigger<Zoo>, Collector<Zoo>, Subscription,
        EntityIndex<Zoo, u8>, RemovedValues<Zoo, Niche>, Inbox<Zoo, u8>, Messages<u8>,
        Query<'_, Zoo, (&mut Locked, Option<&Niche>)>, QueryMut<'_, Zoo, &mut Niche>,
        View<'_, Zoo, Locked>, Template<Zoo>, CloneOptions<Zoo>,
        Snapshot<Zoo>, History<Zoo>, Mark<Zoo>, Feed<Zoo>, Mirror<Zoo>, Delta<Zoo>,
        Error, HistoryError, SnapshotError, ApplyError,
        Systems<Zoo>, CommandBuffer<Zoo>, UndoStack<Zoo>, Scoped<Niche>, Scoped<Lone>,
    }
    assert_threads! { false false: Scoped<Here>, }
    assert_threads! { false false: Messages<Here>, Messages<Lone>, *const Zoo, }
}

/// F36: references into a context, and iterators over its entities.
#[test]
fn references_into_a_context_may_be_sent_and_shared() {
    assert_threads! { true true:
        Observers<'_, Zoo>, Events<'_, Zoo>, Storage<'_, Zoo>, StorageMut<'_, Zoo>,
        Unique<'_, Zoo, Niche>, UniqueMut<'_, Zoo, Niche>, Many<'_, Zoo>, ComponentList<'_, Zoo>,
        BundleWriter<'_, Zoo>,
        IndexIter<'_, Zoo>, MatchingIds<'_, Zoo>,
        Ids<'_, Zoo>, Mut<'_, Niche>, Mut<'_, Locked>,
        Related<'_, Zoo, Follows>, Ancestors<'_, Zoo>, Descendants<'_, Zoo>, DynRelated<'_, Zoo>,
        Save<'_, Zoo>, Recorded<'_, Zoo>, Memory, Buffered, Change<'_, Zoo>,
    }
    // Their items are not components, which would always be `Sync`.
    assert_threads! { true false: Mut<'_, Lone>, Mut<'_, [Lone]>, }
    assert_threads! { false false:
        Mut<'_, Here>, DynValue<'_, Zoo>,
        QueryIter<'_, Zoo, (&Locked, &mut Niche)>, QueryIter<'_, Zoo, &Niche>,
    }
}

/// F36: systems are `Send` and `Sync` if their closures are; handles and builders do not depend on
/// their type parameters.
#[test]
fn systems_and_builders_may_be_sent_as_their_closures_may() {
    assert_threads! { true true:
        Deferred<Zoo>, Deferred<Here>, CleanupSystems<Zoo>, EventSystems<Zoo>,
        Loader<Zoo>, HistoryBuilder<Zoo>, SnapshotBuilder<Zoo>,
        UnknownSystem, SystemError, Statistics,
    }
}

/// F36, F38: one thread fills a context, several read it at once, another drops it.
#[test]
fn a_context_moves_and_is_read_by_many() {
    let ledger = Ledger::default();
    let mut zoo = Zoo::new();
    let ids = zoo.create_many((0..200).map(|n| (Padded::new(n as u8), Size3::new(n as u8))));
    let locked = Locked(std::sync::Mutex::new(RefCell::new(ledger.token())));
    zoo.entity_mut(ids[0]).add(locked);
    let group = zoo.group(Zoo::all_of::<(Padded, Size3)>());
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                let right = |entity: ZooEntity<'_>| {
                    let byte = entity.id().index() as u8;
                    entity.padded().is(byte) && entity.size3().is(byte)
                };
                assert!(group.iter(&zoo).all(right));
            });
        }
    });
    std::thread::spawn(move || drop(zoo)).join().unwrap();
    ledger.assert_all_dropped_once();
}

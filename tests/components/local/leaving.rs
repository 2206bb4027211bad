//! Which types of a local context may leave its thread: those that hold and reach no values. A new public type with a
//! context as its parameter belongs in one of the lists.

use std::fs;
use std::path::Path;

use ecs::*;

use super::{Canvas, Layer, Place, Scores, Sprite, Window};

/// Fails to compile if a type is `Send` or `Sync`: then the call could be that of either implementation.
macro_rules! stay {
    ($($ty:ty),* $(,)?) => {
        const _: () = {
            trait Neither<A> { fn check() {} }
            struct IsSend;
            struct IsSync;
            impl<T: ?Sized> Neither<()> for T {}
            impl<T: ?Sized + Send> Neither<IsSend> for T {}
            impl<T: ?Sized + Sync> Neither<IsSync> for T {}
            let _ = || { $(<$ty as Neither<_>>::check();)* };
        };
        const STAY: &str = stringify!($($ty),*);
    };
}

/// Fails to compile if a type is not `Send` and `Sync`.
macro_rules! may_leave {
    ($($ty:ty),* $(,)?) => {
        const _: fn() = || {
            fn check<T: ?Sized + Send + Sync>() {}
            $(check::<$ty>();)*
        };
        const MAY_LEAVE: &str = stringify!($($ty),*);
    };
}

type S = &'static Sprite;

stay!(
    Canvas,
    Core<Canvas>,
    // Values without their types.
    Change<'static, Canvas>,
    CommandBuffer<Canvas>,
    Delta<Canvas>,
    DynValue<'static, Canvas>,
    EntityChange<'static, Canvas>,
    Snapshot<Canvas>,
    Template<Canvas>,
    UndoStack<Canvas>,
    // Values with their types.
    Messages<std::rc::Rc<u8>>,
    Mut<'static, Sprite>,
    View<'static, Canvas, Sprite>,
    // A borrowed context.
    AsOf<'static, Canvas>,
    BundleWriter<'static, Canvas>,
    __private::RowWriter<'static, Canvas>,
    ComponentList<'static, Canvas>,
    DynEntity<'static, Canvas>,
    DynEntityMut<'static, Canvas>,
    Entities<'static, Canvas>,
    Entity<'static, Canvas>,
    EntityMut<'static, Canvas>,
    Entries<'static, Canvas, Layer>,
    __private::EntriesMut<'static, Canvas, Layer>,
    Events<'static, Canvas>,
    GroupIter<'static, Canvas>,
    IndexIter<'static, Canvas>,
    Many<'static, Canvas>,
    Observers<'static, Canvas>,
    Query<'static, Canvas, S>,
    QueryIter<'static, Canvas, S>,
    QueryMut<'static, Canvas, S>,
    Recorded<'static, Canvas>,
    Save<'static, Canvas>,
    SourcesMut<'static, Canvas, EntryOf<Canvas, Layer>>,
    Storage<'static, Canvas>,
    StorageMut<'static, Canvas>,
    Unique<'static, Canvas, Window>,
    UniqueMut<'static, Canvas, Window>,
    ViewMut<'static, Canvas, Sprite>,
);

may_leave!(
    // Ids and places of what is inside the context.
    AbsentId<Canvas>,
    Ancestors<'static, Canvas>,
    CleanupSystems<Canvas>,
    CloneOptions<Canvas>,
    Collector<Canvas>,
    ComponentHandle<Canvas, Sprite>,
    ComponentIndex<Canvas>,
    ComponentInfo<Canvas>,
    ComponentSet<Canvas>,
    Descendants<'static, Canvas>,
    DynRelated<'static, Canvas>,
    EntityId<Canvas>,
    EntityIndex<Canvas, u32>,
    EntryOf<Canvas, Layer>,
    EventSystems<Canvas>,
    Expire<Canvas, Place, fn(&mut Place) -> bool>,
    Group<Canvas>,
    History<Canvas>,
    HistoryBuilder<Canvas>,
    Ids<'static, Canvas>,
    Inbox<Canvas, std::rc::Rc<u8>>,
    IndexHandle<Canvas, Ordered<Canvas, u32>>,
    Mark<Canvas>,
    Matcher<Canvas>,
    MatchingIds<'static, Canvas>,
    Mirror<Canvas>,
    Related<'static, Canvas, EntryOf<Canvas, Layer>>,
    RemovedValues<Canvas, Sprite>,
    SnapshotBuilder<Canvas>,
    SourceIter<'static, Canvas>,
    Trigger<Canvas>,
    // Closures and keys that are `Send + Sync` for every context.
    Feed<Canvas>,
    Grid<Canvas, 2>,
    Loader<Canvas>,
    Ordered<Canvas, u32>,
);

/// Types that programs cannot name.
const UNNAMED: [&str; 3] = ["CollectorSource", "IndexCell", "NewValues"];

#[test]
fn each_public_type_of_a_context_is_in_one_list() {
    let mut names = Vec::new();
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../ecs/src");
    each_public_type(Path::new(source), &mut names);
    assert!(names.len() > 60, "{names:?}");
    let listed = |list: &str, name: &str| {
        let is_end = |before: Option<char>| before.is_none_or(|it| !it.is_alphanumeric());
        let start = format!("{name}<");
        let mut found = list.match_indices(&start);
        found.any(|(at, _)| is_end(list[..at].chars().next_back()))
    };
    let missing: Vec<_> = names
        .iter()
        .filter(|name| !UNNAMED.contains(&name.as_str()))
        .filter(|name| !listed(STAY, name) && !listed(MAY_LEAVE, name))
        .collect();
    assert!(missing.is_empty(), "in neither list: {missing:?}");
}

/// The names of public types with a parameter `C`.
fn each_public_type(folder: &Path, names: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            each_public_type(&path, names);
        } else if path.extension().is_some_and(|it| it == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let lines = text.lines().map(str::trim_start);
            let items = lines.filter_map(|it| {
                it.strip_prefix("pub struct ")
                    .or_else(|| it.strip_prefix("pub enum "))
            });
            names.extend(items.filter_map(|item| {
                let (name, parameters) = item.split_once('<')?;
                let mut words = parameters.split(|it: char| !it.is_alphanumeric());
                words.any(|word| word == "C").then(|| name.to_string())
            }));
        }
    }
}

#[test]
fn a_shared_context_and_its_values_move_between_threads() {
    fn check<T: Send + Sync>(value: T) -> T {
        value
    }
    let mut scores = check(Scores::new());
    let mut buffer = check(CommandBuffer::new());
    buffer.create(Place(1));
    buffer.apply(&mut scores);
    let snapshot = check(scores.snapshot());
    scores.destroy_all();
    let scores = std::thread::spawn(move || {
        scores.restore(&snapshot);
        scores
    });
    assert_eq!(scores.join().unwrap().len(), 1);
}

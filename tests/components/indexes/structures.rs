//! Structures that follow a context: grids, ordered lists, and those of users.

use std::cmp::Ordering as Order;
use std::collections::BTreeSet;
use std::ops::Bound;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use ecs::prelude::*;
use ecs::{Grid, Index, IndexHandle, Mark, Ordered};
use proptest::prelude::*;

use support::panic_of;

/// A context of its own, because a history records it: other components are not `Clone`.
#[ecs::context]
struct Map;

#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[component(context = Map)]
struct Place {
    x: f32,
    y: f32,
}

#[derive(Component, Clone)]
#[component(context = Map)]
struct Known;

fn place(x: f32, y: f32) -> Place {
    Place { x, y }
}

fn at(entity: MapEntity<'_>) -> [f32; 2] {
    [entity.place().x, entity.place().y]
}

fn grid(game: &mut Map, size: f32) -> IndexHandle<Map, Grid<Map, 2>> {
    game.index_with(Map::all_of::<Place>(), at, Grid::new(size))
}

fn squared(a: [f32; 2], b: [f32; 2]) -> f32 {
    (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1])
}

type Found = Vec<(EntityId<Map>, [f32; 2])>;

fn sorted(found: impl Iterator<Item = (EntityId<Map>, [f32; 2])>) -> Found {
    let mut found: Vec<_> = found.collect();
    found.sort_by_key(|(id, _)| *id);
    found
}

/// Compares each way to search with every entity.
fn check(game: &Map, grid: &Grid<Map, 2>, center: [f32; 2], radius: f32) {
    let all: Found = sorted(
        game.entities()
            .filter_map(|it| Some((it.id(), it.get::<Place>()?)))
            .map(|(id, it)| (id, [it.x, it.y])),
    );
    assert_eq!(sorted(grid.iter()), all);
    assert_eq!(grid.len(), all.len());
    let near = |it: &&(EntityId<Map>, [f32; 2])| squared(it.1, center) <= radius * radius;
    let expected: Found = all.iter().filter(near).copied().collect();
    assert_eq!(
        sorted(grid.within(center, radius)),
        expected,
        "within {radius} of {center:?}"
    );
    let mut folded = Vec::new();
    grid.within(center, radius).for_each(|it| folded.push(it));
    assert!(
        grid.within(center, radius).eq(folded),
        "the order of `fold`"
    );
    let (min, max) = (center.map(|x| x - radius), center.map(|x| x + radius / 2.0));
    let is_in = |at: [f32; 2]| (0..2).all(|axis| (min[axis]..=max[axis]).contains(&at[axis]));
    let expected: Found = all.iter().filter(|it| is_in(it.1)).copied().collect();
    assert_eq!(
        sorted(grid.in_box(min, max)),
        expected,
        "from {min:?} to {max:?}"
    );
    let mut nearest = all.clone();
    nearest.sort_by(|a, b| squared(a.1, center).total_cmp(&squared(b.1, center)));
    assert!(grid.by_distance(center).eq(nearest.iter().copied()));
    assert_eq!(grid.nearest(center, 3), nearest[..nearest.len().min(3)]);
    let mut pairs: Vec<_> = grid.pairs(radius).map(|[a, b]| [a.0, b.0]).collect();
    pairs.sort_unstable();
    let others = all.iter().enumerate().flat_map(|(nth, a)| {
        let rest = all[nth + 1..].iter();
        rest.filter(|b| squared(a.1, b.1) <= radius * radius)
            .map(|b| [a.0, b.0])
    });
    assert!(pairs.into_iter().eq(others), "pairs within {radius}");
}

#[derive(Clone, Debug)]
enum Step {
    Create(f32, f32),
    Move(usize, f32, f32),
    Push(f32),
    /// As `Push`, each by a call for a list of entities.
    PushMany(f32),
    /// As `Push`, but the closure panics at an entity; one is created then.
    PushPanics(f32, usize),
    Mark(usize, bool),
    Destroy(usize),
    Rewind(usize),
    Check(f32, f32, f32),
    /// The next steps run while the grid is taken out.
    Take(usize),
}

/// Makes a change.
fn change(game: &mut Map, (history, marks): (&History<Map>, &mut Vec<Mark<Map>>), step: &Step) {
    let alive: Vec<_> = game.entities().map(|entity| entity.id()).collect();
    let nth = |n: usize| n.checked_rem(alive.len()).map(|n| alive[n]);
    match *step {
        Step::Create(x, y) => _ = game.create_with(place(x, y)),
        Step::Move(n, x, y) => {
            if let Some(id) = nth(n) {
                game.entity_mut(id).replace(place(x, y));
            }
        }
        Step::Push(by) => game
            .query_mut::<&mut Place>()
            .for_each(|place| place.x += by),
        Step::PushMany(by) => game
            .many(&alive)
            .update(|_, place: &mut Place| place.x += by),
        Step::PushPanics(by, at) => {
            let mut left = at % (alive.len() + 1);
            panic_of(|| {
                game.query_mut::<&mut Place>().for_each(|place| {
                    place.x += by;
                    left = left.checked_sub(1).expect("on purpose");
                });
                panic!("on purpose");
            });
            game.create_with(place(by, 0.0));
        }
        Step::Mark(n, is_known) => {
            if let Some(id) = nth(n) {
                game.entity_mut(id).set_known(is_known);
            }
        }
        Step::Destroy(n) => _ = nth(n).map(|id| game.destroy(id)),
        Step::Rewind(n) => {
            let n = n.checked_rem(marks.len());
            if let Some(mark) = n.and_then(|n| marks.drain(n..).next()) {
                history.rewind(game, mark);
            }
        }
        Step::Check(..) | Step::Take(_) => marks.push(history.mark(game)),
    }
}

fn coordinate() -> impl Strategy<Value = f32> {
    prop_oneof![
        6 => (-64i8..64).prop_map(|x| f32::from(x) / 2.0),
        2 => -40.0f32..40.0,
        1 => (-30i8..30).prop_map(|x| f32::from(x) * 1e6),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let place = (coordinate(), coordinate());
    prop_oneof![
        4 => place.prop_map(|(x, y)| Step::Create(x, y)),
        4 => (any::<usize>(), coordinate(), coordinate()).prop_map(|(n, x, y)| Step::Move(n, x, y)),
        1 => (-3i8..3).prop_map(|by| Step::Push(f32::from(by))),
        1 => (-3i8..3).prop_map(|by| Step::PushMany(f32::from(by))),
        1 => (-3i8..3, any::<usize>()).prop_map(|(by, n)| Step::PushPanics(f32::from(by), n)),
        2 => any::<(usize, bool)>().prop_map(|(n, is_known)| Step::Mark(n, is_known)),
        1 => any::<usize>().prop_map(Step::Destroy),
        1 => any::<usize>().prop_map(Step::Rewind),
        1 => (1usize..6).prop_map(Step::Take),
        4 => (coordinate(), coordinate(), prop_oneof![0.0f32..20.0, Just(3.0), Just(1e7)])
            .prop_map(|(x, y, radius)| Step::Check(x, y, radius)),
    ]
}

proptest! {
    #[test]
    fn a_grid_finds_what_a_search_of_all_entities_finds(
        size in prop_oneof![Just(1.0f32), Just(4.0), 0.1f32..50.0],
        steps in prop::collection::vec(step(), 1..60),
    ) {
        let mut game = Map::new();
        let grid = grid(&mut game, size);
        let history = game.record();
        let mut marks = Vec::new();
        let mut steps = steps.iter();
        while let Some(step) = steps.next() {
            match *step {
                Step::Check(x, y, radius) => check(&game, grid.get(&game), [x, y], radius),
                Step::Take(count) => grid.with(&mut game, |game, taken| {
                    let before = taken.len();
                    for step in steps.by_ref().take(count) {
                        change(game, (&history, &mut marks), step);
                    }
                    assert_eq!(taken.len(), before);
                    assert!(!grid.is_current(game));
                }),
                _ => {}
            }
            change(&mut game, (&history, &mut marks), step);
        }
        game.storage().check_invariants();
        // The order depends on the entities alone, not on the past.
        let again = self::grid(&mut game, size);
        prop_assert!(again.get(&game).iter().eq(grid.get(&game).iter()));
        drop(history);
        let snapshot = game.snapshot();
        game.query_mut::<&mut Place>().for_each(|place| place.y += 7.0);
        game.restore(&snapshot);
        check(&game, grid.get(&game), [0.0, 0.0], 9.0);
        prop_assert!(again.get(&game).iter().eq(grid.get(&game).iter()));
    }
}

#[test]
fn places_without_numbers_are_in_the_grid_and_found_by_no_search() {
    let mut game = Map::new();
    let grid = grid(&mut game, 1.0);
    let odd = [
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::MAX,
        f32::MIN,
    ];
    let ids = game.create_many(odd.map(|x| place(x, 0.0)));
    let found = |game: &Map| sorted(grid.get(game).iter()).len();
    assert_eq!(found(&game), 5);
    assert_eq!(grid.get(&game).within([0.0, 0.0], 1e9).count(), 0);
    assert_eq!(grid.get(&game).within([0.0, 0.0], f32::NAN).count(), 0);
    assert_eq!(grid.get(&game).within([0.0, 0.0], -1.0).count(), 0);
    assert_eq!(grid.get(&game).nearest([0.0, 0.0], 9).len(), 5);
    game.query_mut::<&mut Place>()
        .for_each(|place| place.x = 1.0);
    assert_eq!(grid.get(&game).within([0.0, 0.0], 1.0).count(), 5);
    game.destroy_all();
    assert_eq!((found(&game), grid.get(&game).len()), (0, 0));
    assert!(!game.contains(ids[0]));
}

#[test]
fn all_are_found_by_distance_however_far_and_however_small_the_cells() {
    let far = [
        0.0,
        1e-30,
        1e-25,
        -1e-12,
        1.0,
        5e18,
        3e19,
        -1e25,
        2e38,
        f32::MAX,
    ];
    for size in [1e-35, 1.0, 1e30] {
        let mut game = Map::new();
        let grid = grid(&mut game, size);
        let ids = game.create_many(far.map(|x| place(x, 0.0)));
        game.create_with(place(f32::NEG_INFINITY, 0.0));
        game.create_with(place(f32::NAN, 0.0));
        let found: Vec<_> = grid.get(&game).by_distance([0.0, 0.0]).collect();
        assert_eq!(found.len(), far.len() + 2);
        assert!(found.iter().map(|it| it.0).take(10).eq(ids), "{found:?}");
        assert_eq!(grid.get(&game).by_distance([f32::NAN; 2]).count(), 12);
    }
}

#[test]
fn a_box_that_ends_before_it_starts_is_empty() {
    let mut game = Map::new();
    let grid = grid(&mut game, 1.0);
    game.create_many((0..40).map(|x| place((x % 20) as f32, (x / 20) as f32)));
    for (min, max) in [
        ([9.0, 0.0], [1.0, 1.0]),
        ([40.0, 0.0], [1.0, 1.0]),
        ([1.0, 1.0], [9.0, 0.0]),
    ] {
        assert_eq!(
            grid.get(&game).in_box(min, max).count(),
            0,
            "{min:?} {max:?}"
        );
    }
}

#[test]
fn a_grid_has_three_dimensions_too() {
    let mut game = Map::new();
    let at = |entity: MapEntity<'_>| [entity.place().x, entity.place().y, entity.place().x];
    let grid = game.index_with(Map::all_of::<Place>(), at, Grid::new(2.0));
    let ids = game.create_many([place(0.0, 0.0), place(-1.0, 2.0), place(3.0, 3.0)]);
    let near = |game: &Map| {
        let near = grid.get(game).within([0.0; 3], 2.5).map(|(id, _)| id);
        near.collect::<BTreeSet<_>>()
    };
    assert!(near(&game).iter().eq(&ids[..2]));
    game.entity_mut(ids[2]).replace(place(0.5, 0.5));
    assert_eq!(
        sorted(grid.get(&game).iter().map(|(id, at)| (id, [at[0], at[2]]))).len(),
        3
    );
    assert_eq!(near(&game).len(), 3);
}

#[test]
fn cells_need_a_size() {
    for size in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let text = panic_of(|| Grid::<Map, 2>::new(size).len());
        assert!(text.contains("not a positive finite number"), "{text}");
    }
}

#[test]
fn observers_find_entities_in_the_structure() {
    let mut game = Map::new();
    let grid = grid(&mut game, 4.0);
    let seen = Arc::new(AtomicUsize::new(0));
    let (count, handle) = (seen.clone(), grid.clone());
    game.observers().on_change(move |game, _| {
        count.store(handle.get(game).within([0.0, 0.0], 1.0).count(), Relaxed);
    });
    let id = game.create_with(place(0.5, 0.5)).id();
    assert_eq!(seen.load(Relaxed), 1);
    game.entity_mut(id).replace(place(9.0, 9.0));
    assert_eq!(seen.load(Relaxed), 0);
    game.entity_mut(id).replace(place(1.0, 0.0));
    assert_eq!(seen.load(Relaxed), 1);
    game.destroy(id);
    assert_eq!(seen.load(Relaxed), 0);
}

/// Counts the entities that it hears of, and panics when asked to.
struct Touchy {
    known: Vec<(EntityId<Map>, f32)>,
    fails: Arc<AtomicBool>,
    _alive: Arc<()>,
}

impl Index<Map> for Touchy {
    type Key = f32;

    fn update(&mut self, id: EntityId<Map>, old: Option<&f32>, new: Option<&f32>) {
        if let Some(old) = old {
            let known = self.known.iter().position(|it| *it == (id, *old));
            self.known
                .swap_remove(known.expect("it has heard of the old key"));
        }
        assert!(!self.fails.load(Relaxed), "on purpose");
        self.known.extend(new.map(|new| (id, *new)));
    }

    fn clear(&mut self) {
        self.known.clear();
    }

    fn memory(&self) -> usize {
        1_000_000
    }
}

fn touchy(game: &mut Map) -> (IndexHandle<Map, Touchy>, Arc<AtomicBool>, Arc<()>) {
    let (fails, alive) = (Arc::new(AtomicBool::new(false)), Arc::new(()));
    let structure = Touchy {
        known: vec![(game.create_entity().id(), 7.0)], // is cleared first
        fails: fails.clone(),
        _alive: alive.clone(),
    };
    let index = game.index_with(Map::all_of::<Place>(), |e| e.place().x, structure);
    (index, fails, alive)
}

fn known(index: &IndexHandle<Map, Touchy>, game: &Map) -> Vec<f32> {
    let mut known: Vec<_> = index.get(game).known.iter().map(|(_, x)| *x).collect();
    known.sort_by(f32::total_cmp);
    known
}

#[test]
fn a_structure_that_panics_gets_everything_again() {
    let mut game = Map::new();
    let (index, fails, _) = touchy(&mut game);
    let ids = game.create_many([place(1.0, 0.0), place(2.0, 0.0), place(3.0, 0.0)]);
    assert_eq!(known(&index, &game), [1.0, 2.0, 3.0]);
    type Attempt = fn(&mut Map, &[EntityId<Map>]);
    let attempts: [Attempt; 3] = [
        |game, ids| _ = game.entity_mut(ids[0]).replace(place(4.0, 0.0)),
        |game, ids| _ = game.entity_mut(ids[1]).remove::<Place>(),
        |game, _| {
            game.query_mut::<&mut Place>()
                .for_each(|place| place.x += 1.0)
        },
    ];
    for attempt in attempts {
        fails.store(true, Relaxed);
        assert_eq!(panic_of(|| attempt(&mut game, &ids)), "on purpose");
        assert!(!index.is_current(&game));
        let text = panic_of(|| index.get(&game).known.len());
        assert!(text.contains("`refresh`"), "{text}");
        fails.store(false, Relaxed);
        index.refresh(&mut game);
        let mut expected: Vec<_> = game.query::<&Place>().iter().map(|it| it.x).collect();
        expected.sort_by(f32::total_cmp);
        assert_eq!(known(&index, &game), expected);
    }
    fails.store(true, Relaxed);
    panic_of(|| game.destroy(ids[0]));
    fails.store(false, Relaxed);
    game.create_with(place(9.0, 0.0));
    assert_eq!(
        known(&index, &game),
        [4.0, 9.0],
        "the next change is enough"
    );
    game.storage().check_invariants();
}

#[test]
fn a_structure_is_read_while_others_write() {
    let mut game = Map::new();
    let grid = grid(&mut game, 4.0);
    let ids = game.create_many([place(0.0, 0.0), place(1.0, 0.0), place(9.0, 0.0)]);
    let center = |near: &Grid<Map, 2>, at: [f32; 2]| {
        let near: Vec<_> = near.within(at, 3.0).map(|(_, [x, _])| x).collect();
        near.iter().sum::<f32>() / near.len() as f32
    };
    let visited = grid.with(&mut game, |game, near| {
        let query = game.query_mut::<&mut Place>();
        query.for_each(|it| it.x = center(near, [it.x, it.y]));
        game.destroy(ids[2]);
        game.create_with(place(5.0, 5.0));
        near.len()
    });
    assert_eq!(visited, 3);
    let x = |id| game.entity(id).place().x;
    assert_eq!((x(ids[0]), x(ids[1])), (0.5, 0.5));
    check(&game, grid.get(&game), [0.0, 0.0], 4.0);

    let used = panic_of(|| grid.with(&mut game, |game, _| grid.get(game).len()));
    assert!(used.contains("in the closure of its own `with`"), "{used}");
    check(&game, grid.get(&game), [0.0, 0.0], 4.0); // nothing has changed
    let twice = panic_of(|| grid.with(&mut game, |game, _| grid.with(game, |_, _| ())));
    assert!(
        twice.contains("in the closure of its own `with`"),
        "{twice}"
    );
    let text = panic_of(|| {
        grid.with(&mut game, |game, _| {
            game.entity_mut(ids[0]).replace(place(7.0, 0.0));
            panic!("on purpose");
        });
    });
    assert_eq!(text, "on purpose");
    assert!(!grid.is_current(&game));
    grid.refresh(&mut game);
    check(&game, grid.get(&game), [7.0, 0.0], 1.0);
}

/// The next change of another entity mends the structure.
#[test]
fn a_closure_that_panics_leaves_the_structure_out_of_date_until_the_next_change() {
    type Act = fn(&mut Map, EntityId<Map>);
    let acts: [Act; 4] = [
        |game, id| {
            game.entity_mut(id).update_place(|place| {
                place.x = 5.0;
                panic!("on purpose");
            });
        },
        |game, _| {
            game.query_mut::<&mut Place>().for_each(|place| {
                place.x = 5.0;
                panic!("on purpose");
            });
        },
        |game, _| {
            let mut query = game.query_mut::<ecs::Mut<'_, Place>>();
            let mut place = query.iter_mut().next().unwrap();
            place.x = 5.0;
            panic!("on purpose");
        },
        |game, id| {
            game.many(&[id]).update(|_, place: &mut Place| {
                place.x = 5.0;
                panic!("on purpose");
            });
        },
    ];
    for act in acts {
        let mut game = Map::new();
        let grid = grid(&mut game, 4.0);
        let id = game.create_with(place(1.0, 1.0)).id();
        assert_eq!(panic_of(|| act(&mut game, id)), "on purpose");
        let text = panic_of(|| grid.get(&game).len());
        assert!(
            text.contains("a closure that changed a component"),
            "{text}"
        );
        game.create_with(place(2.0, 2.0));
        check(&game, grid.get(&game), [5.0, 1.0], 1.0);
    }
}

#[test]
fn an_index_may_end_while_its_structure_is_taken() {
    let mut game = Map::new();
    let grid = grid(&mut game, 4.0);
    let kept = grid.clone();
    game.create_with(place(1.0, 1.0));
    let mut grids = vec![grid];
    kept.with(&mut game, |game, _| {
        grids.clear();
        game.reset();
        game.create_with(place(2.0, 2.0));
    });
    check(&game, kept.get(&game), [2.0, 2.0], 1.0);
    drop(kept);
    game.storage_mut().shrink_to_fit();
    game.create_with(place(3.0, 3.0));
    game.storage().check_invariants();
}

#[test]
fn a_key_function_that_panics_leaves_the_structure_out_of_date() {
    let mut game = Map::new();
    let grid = game.index_with(
        Map::all_of::<Place>(),
        |e| {
            assert!(e.place().x < 100.0, "on purpose");
            at(e)
        },
        Grid::new(1.0),
    );
    let id = game.create_with(place(1.0, 1.0)).id();
    assert_eq!(
        panic_of(|| game.entity_mut(id).replace(place(100.0, 0.0)).id()),
        "on purpose"
    );
    assert!(!grid.is_current(&game));
    game.create_with(place(2.0, 2.0));
    assert!(!grid.is_current(&game), "the entity has no place yet");
    game.entity_mut(id).replace(place(3.0, 3.0));
    assert_eq!(grid.get(&game).len(), 2);
}

#[test]
fn a_structure_is_dropped_after_its_last_handle_and_its_memory_counts() {
    let mut game = Map::new();
    let before = game.storage().memory().total();
    let (index, _, alive) = touchy(&mut game);
    assert!(game.storage().memory().total() > before + 1_000_000);
    let clone = index.clone();
    drop(index);
    game.create_with(place(1.0, 0.0));
    assert_eq!(known(&clone, &game), [1.0]);
    drop(clone);
    game.create_with(place(2.0, 0.0));
    game.storage_mut().shrink_to_fit();
    assert_eq!(Arc::strong_count(&alive), 1);
}

#[test]
fn a_handle_of_another_context_is_rejected() {
    let (mut game, other) = (Map::new(), Map::new());
    let grid = grid(&mut game, 1.0);
    let text = panic_of(|| grid.get(&other).len());
    assert!(
        text.contains("another context") || text.contains("index"),
        "{text}"
    );
}

#[test]
fn an_ordered_list_has_ranges_ranks_and_both_ends() {
    let mut game = Map::new();
    let by_x = game.index_with(
        Map::all_of::<Place>(),
        |e| e.place().x as i32,
        Ordered::new(),
    );
    let ids = game.create_many((0..1000).map(|n| place((n * 7 % 100) as f32, 0.0)));
    let list = by_x.get(&game);
    let mut expected: Vec<_> = ids
        .iter()
        .map(|id| (game.entity(*id).place().x as i32, *id))
        .collect();
    expected.sort_unstable();
    assert!(
        list.iter()
            .map(|(x, id)| (*x, id))
            .eq(expected.iter().copied())
    );
    assert!(
        list.range(10..12)
            .map(|(_, id)| id)
            .eq(expected[100..120].iter().map(|it| it.1))
    );
    assert!(
        list.range(..=0)
            .rev()
            .map(|(_, id)| id)
            .eq(expected[..10].iter().rev().map(|it| it.1))
    );
    assert_eq!(
        (
            list.range(50..).len(),
            list.range((Bound::Excluded(60), Bound::Unbounded)).len(),
            list.range(100..).len()
        ),
        (500, 390, 0)
    );
    for (rank, (_, id)) in expected.iter().enumerate() {
        assert_eq!(list.rank_of(*id), Some(rank));
    }
    assert_eq!(
        (list.first().unwrap().1, list.last().unwrap().1),
        (expected[0].1, expected[999].1)
    );
    game.many(&ids[..990]).remove::<Place>();
    let list = by_x.get(&game);
    assert_eq!(
        (list.len(), list.rank_of(ids[0]), list.is_empty()),
        (10, None, false)
    );
    assert!(list.iter().is_sorted());
}

/// A key whose order contradicts itself.
#[derive(Clone, PartialEq, Eq)]
struct Odd(i32);

impl PartialOrd for Odd {
    fn partial_cmp(&self, other: &Self) -> Option<Order> {
        Some(self.cmp(other))
    }
}

impl Ord for Odd {
    fn cmp(&self, other: &Self) -> Order {
        [Order::Less, Order::Greater, Order::Equal]
            [(self.0 * 5 + other.0 * 3).rem_euclid(3) as usize]
    }
}

#[test]
fn an_order_that_contradicts_itself_leaves_no_dead_entity() {
    let mut game = Map::new();
    let list = game.index_with(
        Map::all_of::<Place>(),
        |e| Odd(e.place().x as i32),
        Ordered::new(),
    );
    let ids = game.create_many((0..600).map(|n| place(n as f32, 0.0)));
    for (nth, id) in ids.iter().enumerate() {
        game.entity_mut(*id).replace(place((nth * 3) as f32, 0.0));
        if nth % 2 == 0 {
            game.destroy(*id);
        }
    }
    let list = list.get(&game);
    assert_eq!(list.len(), 300);
    assert!(list.iter().all(|(_, id)| game.contains(id)));
}

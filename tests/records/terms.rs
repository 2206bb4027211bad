//! Terms over relations, through random operations of every kind: groups, queries and collectors agree
//! with a search of all entities after each operation, and inside observers.
//!
//! `ECS_TEST_PROGRAMS` sets the number of programs.

use std::collections::BTreeSet;
use std::env;
use std::sync::{Arc, Mutex};

use ecs::prelude::*;
use ecs::{CloneOptions, Collector, IndexHandle, Mirror, Ordered};
use serde::{Deserialize, Serialize};

/// Has a relation of each policy and can be saved, unlike the game of `tests/support`.
#[ecs::context]
struct Fleet;

type Id = EntityId<Fleet>;

macro_rules! components {
    ($($(#[$attribute:meta])* $name:ident ($($fields:tt)*))*) => { $(
        #[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
        $(#[$attribute])*
        struct $name($($fields)*);
    )* };
}

components! {
    #[component(context = Fleet)] Ship(u32)
    #[component(context = Fleet)]
    DockedAt(#[component(relation(reverse = docked, on_target_destroyed = destroy, acyclic, ordered))] Id)
    #[component(context = Fleet)]
    Aims(#[component(relation(reverse = aimed_at))] Id)
    #[component(context = Fleet)]
    Recalls(#[component(relation(reverse = recalled_by, on_target_destroyed = keep))] Id)
}

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Fleet)]
struct Burning;

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Fleet, disables)]
struct Sunk;

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Fleet, unique)]
struct Flagship;

/// A matcher, and the same condition computed from the entity and its links.
struct Case {
    matcher: fn() -> Matcher<Fleet>,
    matches: fn(FleetEntity<'_>) -> bool,
}

fn burning() -> Matcher<Fleet> {
    Fleet::all_of::<Burning>()
}

fn burns(it: FleetEntity<'_>) -> bool {
    it.is_burning() && !it.is_sunk()
}

fn target<'a, T: ecs::Relation<Fleet>>(it: FleetEntity<'a>) -> Option<FleetEntity<'a>> {
    let target = it.get::<T>()?.target();
    it.context().get_entity(target)
}

/// Whether a source of the entity, found without the links, has a property.
fn any_source<T: ecs::Relation<Fleet>>(
    it: FleetEntity<'_>,
    has: fn(FleetEntity<'_>) -> bool,
) -> bool {
    let all = it.context().entities();
    let mut sources = all.filter(|other| {
        other
            .get::<T>()
            .is_some_and(|link| link.target() == it.id())
    });
    sources.any(has)
}

fn docked_at_fire(it: FleetEntity<'_>) -> bool {
    it.has_ship() && !it.is_sunk() && target::<DockedAt>(it).is_some_and(burns)
}

const CASES: [Case; 7] = [
    Case {
        matcher: || Fleet::all_of::<Ship>().related::<DockedAt>(burning()),
        matches: docked_at_fire,
    },
    Case {
        matcher: || Fleet::all_of::<Ship>().without_related::<Aims>(burning()),
        matches: |it| it.has_ship() && !it.is_sunk() && !target::<Aims>(it).is_some_and(burns),
    },
    Case {
        matcher: || {
            Matcher::default()
                .with_referrers::<DockedAt>(burning())
                .with_disabled()
        },
        matches: |it| any_source::<DockedAt>(it, burns),
    },
    Case {
        matcher: || {
            let below_fire = Fleet::all_of::<Ship>().related::<DockedAt>(burning());
            Matcher::default().related::<Aims>(below_fire)
        },
        matches: |it| !it.is_sunk() && target::<Aims>(it).is_some_and(docked_at_fire),
    },
    Case {
        matcher: || {
            let aimed = Fleet::all_of::<Ship>().with_referrers::<Aims>(burning().with_disabled());
            Matcher::default().without_referrers::<Recalls>(aimed)
        },
        matches: |it| {
            let aimed = |it: FleetEntity<'_>| {
                it.has_ship() && !it.is_sunk() && any_source::<Aims>(it, |it| it.is_burning())
            };
            !it.is_sunk() && !any_source::<Recalls>(it, aimed)
        },
    },
    Case {
        matcher: || Fleet::any_of::<(Ship, Burning)>().related::<Recalls>(Matcher::default()),
        matches: |it| {
            let is_either = it.has_ship() || it.is_burning();
            is_either && !it.is_sunk() && target::<Recalls>(it).is_some_and(|it| !it.is_sunk())
        },
    },
    Case {
        matcher: || {
            Fleet::all_of::<(Ship, Sunk)>()
                .with_referrers::<Recalls>(Matcher::default().with_disabled())
        },
        matches: |it| it.has_ship() && it.is_sunk() && any_source::<Recalls>(it, |_| true),
    },
];

fn expected(fleet: &Fleet, case: &Case) -> BTreeSet<Id> {
    let all = fleet.entities().filter(|&it| (case.matches)(it));
    all.map(|it| it.id()).collect()
}

/// What observers have seen of each case.
type Seen = Arc<Mutex<Vec<BTreeSet<Id>>>>;

type ShipIndex = IndexHandle<Fleet, Ordered<Fleet, u32>>;

/// A fleet whose cases are watched in every way.
struct Watched {
    fleet: Fleet,
    plain: Vec<Collector<Fleet>>,
    rewound: Vec<Collector<Fleet>>,
    /// Indexes by the number of a ship, for the cases of ships.
    ships: Vec<(usize, ShipIndex)>,
    before: Vec<BTreeSet<Id>>,
    seen: Seen,
}

impl Watched {
    fn new(mut fleet: Fleet) -> Self {
        let seen: Seen = Arc::default();
        for (at, case) in CASES.iter().enumerate() {
            let group = fleet.group((case.matcher)());
            let (entered, left) = (seen.clone(), seen.clone());
            group.on_entered(&mut fleet, move |fleet, change| {
                let is_new = entered.lock().unwrap()[at].insert(change.entity());
                assert!(is_new, "{} entered case {at} twice", change.entity());
                check(fleet);
            });
            group.on_left(&mut fleet, move |fleet, change| {
                let was_in = left.lock().unwrap()[at].remove(&change.entity());
                assert!(was_in, "{} left case {at} twice", change.entity());
                check(fleet);
            });
        }
        let changes = || CASES.iter().map(|case| (case.matcher)().any_change());
        let plain = changes().map(|it| fleet.collector(it)).collect();
        let rewound = changes()
            .map(|it| fleet.collector(it.with_rewinds()))
            .collect();
        let number = |it: FleetEntity<'_>| it.ship().0;
        let ships = [0, 1, 6].map(|at| {
            let matcher = (CASES[at].matcher)();
            (at, fleet.index_with(matcher, number, Ordered::new()))
        });
        let ships = ships.into();
        let before = CASES.iter().map(|case| expected(&fleet, case)).collect();
        *seen.lock().unwrap() = CASES.iter().map(|case| expected(&fleet, case)).collect();
        Self {
            fleet,
            plain,
            rewound,
            ships,
            before,
            seen,
        }
    }

    /// Checks everything after an operation, of which observers and plain collectors are notified, or not.
    fn check(&mut self, is_notified: bool, what: &str) {
        self.fleet.storage().check_invariants();
        check(&self.fleet);
        for (at, index) in &self.ships {
            let found = index.get(&self.fleet).iter();
            let found: Vec<_> = found.map(|(number, id)| (*number, id)).collect();
            let all = expected(&self.fleet, &CASES[*at]).into_iter();
            let mut all: Vec<_> = all.map(|id| (self.fleet.entity(id).ship().0, id)).collect();
            all.sort_unstable();
            assert_eq!(found, all, "{what}: case {at} in an index");
        }
        for (at, case) in CASES.iter().enumerate() {
            let now = expected(&self.fleet, case);
            let differing: BTreeSet<_> = now
                .symmetric_difference(&self.before[at])
                .copied()
                .collect();
            let collected: BTreeSet<_> = self.rewound[at]
                .drain(&mut self.fleet)
                .into_iter()
                .collect();
            assert!(
                collected.is_superset(&differing),
                "{what}: case {at} with rewinds"
            );
            let collected: BTreeSet<_> =
                self.plain[at].drain(&mut self.fleet).into_iter().collect();
            if is_notified {
                assert!(collected.is_superset(&differing), "{what}: case {at}");
                assert_eq!(
                    self.seen.lock().unwrap()[at],
                    now,
                    "{what}: case {at} as observed"
                );
            }
            self.seen.lock().unwrap()[at] = now.clone();
            self.before[at] = now;
        }
    }
}

/// Groups and queries agree with a search of all entities.
fn check(fleet: &Fleet) {
    for (at, case) in CASES.iter().enumerate() {
        let expected = expected(fleet, case);
        let matcher = (case.matcher)();
        assert!(
            matcher.ids(fleet).collect::<BTreeSet<_>>() == expected,
            "case {at}"
        );
        let query = fleet.query::<Id>().matching(matcher);
        assert!(
            query.iter().collect::<BTreeSet<_>>() == expected,
            "case {at}: query"
        );
    }
}

struct Random(support::Random);

impl Random {
    fn entity(&mut self, fleet: &Fleet) -> Option<Id> {
        let ids: Vec<_> = fleet.entities().map(|it| it.id()).collect();
        (!ids.is_empty()).then(|| ids[self.0.below(ids.len() as u32) as usize])
    }

    fn change(&mut self, fleet: &mut Fleet) {
        let (kind, value) = (self.0.below(26), self.0.below(8));
        let (Some(id), Some(other)) = (self.entity(fleet), self.entity(fleet)) else {
            fleet.create_with(Ship(value));
            return;
        };
        let mut entity = fleet.entity_mut(id);
        match kind {
            0 => drop(fleet.try_destroy(id)),
            1 => fleet
                .many(&[id, other][..1 + usize::from(id != other)])
                .destroy(),
            2 => _ = fleet.create_with((Ship(value), DockedAt(id))),
            3 => _ = fleet.create_with((Ship(value), Aims(id), Recalls(other))),
            4 => _ = fleet.create_many((0..3).map(|_| (Ship(value), DockedAt(id), Burning))),
            5 => _ = fleet.create_columns((vec![Ship(value); 2], vec![Aims(id), Aims(other)])),
            6 | 7 => drop(entity.try_replace(DockedAt(other)).map(|_| ())),
            8 | 9 => drop(entity.try_replace(Aims(other)).map(|_| ())),
            10 => drop(entity.try_replace(Recalls(other)).map(|_| ())),
            11..=13 => _ = entity.set_burning(value % 2 == 0),
            14 => _ = entity.set_sunk(value % 2 == 0),
            15 => drop(
                entity
                    .try_insert((Ship(value), Burning, Aims(other)))
                    .map(|_| ()),
            ),
            16 => drop(entity.try_update(|it: &mut Aims| it.0 = other)),
            17 => self.remove(fleet, id),
            18 => {
                let options = CloneOptions::all().with_descendants::<DockedAt>();
                drop(options.try_clone_entity(fleet, id).map(|_| ()));
            }
            19 => drop(fleet.many(&[id]).try_remove::<Burning>()),
            20 => drop(fleet.many(&[id, other]).try_add(Burning)),
            21 => _ = fleet.storage_mut().defragment_for(4),
            22 => drop(entity.try_swap::<Aims>(other)),
            23 => fleet.query_mut::<&mut Ship>().for_each(|ship| ship.0 += 1),
            24 => drop(entity.try_replace(Flagship).map(|_| ())),
            _ => drop(fleet.unique_mut::<Flagship>().try_remove()),
        }
    }

    fn remove(&mut self, fleet: &mut Fleet, id: Id) {
        let mut entity = fleet.entity_mut(id);
        match self.0.below(6) {
            0 => drop(entity.try_remove::<DockedAt>().map(|_| ())),
            1 => drop(entity.try_remove::<Aims>().map(|_| ())),
            2 => drop(entity.try_take::<Recalls>()),
            3 => drop(entity.try_remove::<Ship>().map(|_| ())),
            4 => _ = entity.remove_all(),
            _ => drop(entity.try_take::<Ship>()),
        }
    }
}

fn run(seed: u64) {
    let mut random = Random(support::Random(seed));
    let mut fleet = Fleet::new();
    (0..10).for_each(|_| random.change(&mut fleet));
    check(&fleet); // no group uses the terms yet
    let records = seed.is_multiple_of(2);
    let early = (!records).then(|| fleet.snapshot());
    let history = records.then(|| fleet.record());
    let early_mark = history.as_ref().map(|it| it.mark(&mut fleet));
    (0..5).for_each(|_| random.change(&mut fleet));
    let mut here = Watched::new(fleet);
    let feed = here.fleet.feed::<(Ship, Burning, Sunk, DockedAt, Aims)>();
    let (mut there, mut mirror) = (Watched::new(Fleet::new()), Mirror::new());
    let mut edits = UndoStack::<Fleet>::all();
    let (mut marks, mut snapshots) = (Vec::from_iter(early_mark), Vec::from_iter(early));
    for step in 0..40 {
        let what = format!("seed {seed}, step {step}");
        let mut is_notified = true;
        match random.0.below(14) {
            0 => drop(edits.try_undo(&mut here.fleet)),
            1 => drop(edits.try_redo(&mut here.fleet)),
            2 | 3 => edits.step(&mut here.fleet, "Step", |fleet| {
                (0..3).for_each(|_| random.change(fleet));
            }),
            4 => match &history {
                Some(history) => marks.push(history.mark(&mut here.fleet)),
                None => snapshots.push(here.fleet.snapshot()),
            },
            5 => {
                is_notified = false;
                edits.clear();
                if let Some(history) = &history {
                    let mark = marks[random.0.below(marks.len() as u32) as usize];
                    if history.try_rewind(&mut here.fleet, mark).is_err() {
                        drop(history.try_forward(&mut here.fleet, mark));
                    }
                } else {
                    let nth = random.0.below(snapshots.len() as u32) as usize;
                    here.fleet.restore(&snapshots[nth]);
                }
            }
            6 => {
                let fork = here.fleet.fork();
                check(&fork);
                fork.storage().check_invariants();
                let mut loaded: Fleet = load(&here.fleet);
                check(&loaded);
                loaded.group((CASES[3].matcher)());
                loaded.storage().check_invariants();
                assert_eq!(loaded.checksum(), here.fleet.fork().checksum(), "{what}");
            }
            7 if history.is_none() => {
                is_notified = false;
                edits.clear();
                let save = serde_json::to_string(&here.fleet.save()).unwrap();
                (0..4).for_each(|_| random.change(&mut here.fleet));
                let mut json = serde_json::Deserializer::from_str(&save);
                here.fleet.reload(&mut json).unwrap();
            }
            8 if history.is_none() => here.fleet.destroy_all(),
            9 => {
                mirror
                    .apply(&mut there.fleet, &feed.take(&mut here.fleet))
                    .unwrap();
                there.check(true, &format!("{what}: mirror"));
            }
            _ => random.change(&mut here.fleet),
        }
        here.check(is_notified, &what);
    }
}

fn load(fleet: &Fleet) -> Fleet {
    let save = serde_json::to_string(&fleet.save()).unwrap();
    assert!(!save.contains("Related") && !save.contains("Referrers"));
    Fleet::load(&mut serde_json::Deserializer::from_str(&save)).unwrap()
}

#[test]
fn terms_are_exact_after_each_operation() {
    let programs = env::var("ECS_TEST_PROGRAMS")
        .ok()
        .and_then(|it| it.parse().ok());
    for seed in 0..programs.unwrap_or(40) {
        run(seed);
    }
}

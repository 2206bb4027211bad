//! Ids in fields refer to entities of the mirror's context.

use std::collections::BTreeMap;

use ecs::{History, MapIds};

use super::*;

#[derive(Clone, Debug, PartialEq, MapIds)]
enum Order {
    Wait,
    Attack(Id),
}

#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
struct Mind {
    orders: Vec<Order>,
    opinions: BTreeMap<Id, i32>,
}

#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
struct OwnedBy(#[component(primary_index)] Id);

#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
struct PartOf {
    #[component(relation(reverse = parts))]
    whole: Id,
    spare: Option<Id>,
}

fn attack(target: Id) -> Mind {
    Mind {
        orders: vec![Order::Wait, Order::Attack(target)],
        opinions: BTreeMap::from([(target, 3)]),
    }
}

/// A feed of what is near, and its copy.
struct Minds {
    game: Game,
    other: Game,
    feed: Feed<Game>,
    mirror: Mirror<Game>,
    has_rewound: bool,
}

impl Minds {
    fn new() -> Self {
        let (mut game, mut other) = (Game::new(), Game::new());
        other.create_many([Frozen, Frozen, Frozen]); // so that ids differ
        let feed = game
            .feed::<(Position, Mind, OwnedBy, PartOf)>()
            .only(|entity| entity.get::<Position>().is_none_or(|it| it.0 < 5));
        Self {
            game,
            other,
            feed,
            mirror: Mirror::new(),
            has_rewound: false,
        }
    }

    fn follow(&mut self) {
        let delta = self.feed.take(&mut self.game);
        self.mirror.apply(&mut self.other, &delta).unwrap();
        self.other.storage().check_invariants();
        self.check();
    }

    fn place(&mut self, x: i32) -> Id {
        self.game.create_with(Position(x)).id()
    }

    fn local(&self, id: Id) -> Id {
        self.mirror.local(id).unwrap()
    }

    /// The ids in the values of an entity. The order of keys is another one in each context.
    fn ids(entity: GameEntity<'_>) -> Vec<Id> {
        let minds = entity.get::<Mind>().into_iter();
        let of_minds = minds.flat_map(|mind| {
            let orders = mind.orders.iter().filter_map(|order| match order {
                Order::Attack(id) => Some(*id),
                Order::Wait => None,
            });
            let opinions: BTreeMap<_, _> = mind.opinions.iter().map(|it| (it.1, *it.0)).collect();
            orders.chain(opinions.into_values())
        });
        let owner = entity.get::<OwnedBy>().map(|owned| owned.0);
        let part = entity.get::<PartOf>();
        let spare = part.map(|part| part.whole);
        let part = part.and_then(|part| part.spare);
        of_minds.chain(owner).chain(part).chain(spare).collect()
    }

    /// Each id here is what stands for that in the origin, or of no entity, as there. All entities here
    /// are needed.
    fn check(&self) {
        let mut needed = Vec::new();
        for entity in self.game.entities() {
            let Some(here) = self.mirror.local(entity.id()) else {
                continue;
            };
            let here = self.other.entity(here);
            if here.is_empty() {
                continue; // a placeholder
            }
            let (there, ids) = (Self::ids(entity), Self::ids(here));
            assert_eq!(ids.len(), there.len());
            for (&there, id) in there.iter().zip(&ids) {
                let is_sent = self.mirror.local(there).is_some(); // else it came back out of sight
                match self.game.contains(there) && (is_sent || !self.has_rewound) {
                    true => assert_eq!(self.mirror.local(there), Some(*id)),
                    false => assert!(self.mirror.origin(*id).is_none_or(|it| it == there)),
                }
            }
            needed.push(here.id());
            needed.extend(ids);
        }
        let mirrored = self.other.entities().skip(3);
        mirrored.for_each(|entity| assert!(needed.contains(&entity.id()), "{entity:?}"));
    }
}

#[test]
fn ids_in_fields_are_those_of_local_entities() {
    let mut minds = Minds::new();
    let (orc, elf) = (minds.place(1), minds.place(2));
    minds.game.entity_mut(elf).add(attack(orc));
    minds.game.entity_mut(orc).add(OwnedBy(elf));
    minds.game.create_with((
        PartOf {
            whole: orc,
            spare: Some(elf),
        },
        Position(0),
    ));
    minds.follow();
    let (orc, elf) = (minds.local(orc), minds.local(elf));
    assert_eq!(minds.other.entity(elf).mind(), &attack(orc));
    assert_eq!(minds.other.entity(orc).owned_by().0, elf);
    let part = minds.other.entity(minds.other.entity(orc).parts()[0]);
    assert_eq!(part.part_of().spare, Some(elf));
}

#[test]
fn an_id_in_a_field_stays_that_of_an_entity_that_comes_and_goes() {
    let mut minds = Minds::new();
    let (orc, elf) = (minds.place(9), minds.place(2));
    minds.game.entity_mut(elf).add(attack(orc));
    minds.follow();
    let here = minds.local(orc);
    assert_eq!(minds.other.entity(minds.local(elf)).mind(), &attack(here));
    assert!(minds.other.entity(here).is_empty());
    for x in [3, 9, 4] {
        minds.game.entity_mut(orc).replace_position(x);
        minds.follow();
        assert_eq!(minds.local(orc), here);
        assert_eq!(minds.other.entity(here).has_position(), x < 5);
    }
    minds.game.entity_mut(orc).replace_position(9);
    minds.game.entity_mut(elf).replace(attack(elf));
    minds.follow();
    assert_eq!(minds.mirror.local(orc), None);
    assert_eq!(minds.other.len(), 3 + 1);
}

#[test]
fn ids_of_destroyed_entities_are_of_no_entity() {
    let mut minds = Minds::new();
    let (orc, troll, elf) = (minds.place(1), minds.place(1), minds.place(2));
    let mut mind = attack(orc);
    mind.opinions.insert(troll, -1);
    minds.game.entity_mut(elf).add(mind);
    minds.follow();
    minds.game.destroy(orc);
    minds.follow();
    minds.game.destroy(troll);
    let mind = minds.game.entity(elf).mind().clone();
    minds.game.entity_mut(elf).replace(mind); // sent again
    minds.follow();
    let mind = minds.other.entity(minds.local(elf)).mind();
    assert_eq!(mind.opinions.len(), 2);
    let alive = mind.opinions.keys().filter(|id| minds.other.contains(**id));
    assert_eq!((alive.count(), minds.other.len()), (0, 3 + 1));
}

#[test]
fn an_id_in_a_field_is_that_of_an_entity_that_has_come_back() {
    for is_late in [false, true] {
        let mut minds = Minds::new();
        let (orc, elf) = (minds.place(1), minds.place(2));
        minds.game.entity_mut(elf).add(attack(orc));
        if !is_late {
            minds.follow();
        }
        let mut edits = UndoStack::<Game>::all().without::<failing::Door>();
        edits.step(&mut minds.game, "kill", |game| game.destroy(orc));
        minds.follow();
        for _ in 0..2 {
            edits.undo(&mut minds.game);
            minds.follow();
            let (mind, here) = (minds.local(elf), minds.local(orc));
            assert_eq!(minds.other.entity(mind).mind(), &attack(here));
            edits.redo(&mut minds.game);
            minds.follow();
        }
    }
}

#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
struct Mourns {
    #[component(relation(on_target_destroyed = keep))]
    whom: Id,
}

/// An entity that has come back takes the place of the one that stood for it.
#[test]
fn an_id_in_a_field_is_that_of_an_entity_that_relations_have_kept() {
    let (mut game, mut other) = (Game::new(), Game::new());
    let feed = game.feed::<(Position, Mind, Mourns)>();
    let orc = game.create_with(Position(1)).id();
    let elf = game.create_with((attack(orc), Mourns { whom: orc })).id();
    let mut edits = UndoStack::all().without::<failing::Door>();
    edits.step(&mut game, "kill", |game| game.destroy(orc));
    let mut mirror = Mirror::new();
    mirror.apply(&mut other, &feed.take(&mut game)).unwrap();
    edits.undo(&mut game);
    mirror.apply(&mut other, &feed.take(&mut game)).unwrap();
    let [orc, elf] = [orc, elf].map(|id| mirror.local(id).unwrap());
    assert_eq!(other.entity(elf).mind(), &attack(orc));
    assert_eq!(other.entity(elf).mourns().whom, orc);
}

#[test]
fn ids_in_fields_are_the_same_after_everything_again() {
    let mut minds = Minds::new();
    let (orc, elf, dead) = (minds.place(9), minds.place(2), minds.place(3));
    minds.game.destroy(dead);
    let mut mind = attack(orc);
    mind.opinions.insert(dead, 1);
    minds.game.entity_mut(elf).add(mind);
    minds.follow();
    minds.game.entity_mut(elf).add(OwnedBy(orc));
    minds.game.create_with((Position(1), OwnedBy(dead)));
    minds.follow();
    let changes = minds
        .other
        .collector(Game::any_of::<OwnedBy>().any_change());
    let delta = minds.feed.take_all(&mut minds.game);
    minds.mirror.apply(&mut minds.other, &delta).unwrap();
    minds.check();
    assert!(changes.is_empty(&minds.other));
    minds.feed = minds.game.feed::<(Position, Mind, OwnedBy)>();
    let delta = minds.feed.take(&mut minds.game);
    minds.mirror.rebase(&mut minds.other, &delta).unwrap();
    minds.check();
    assert!(changes.is_empty(&minds.other));
}

/// A generator of random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }
}

#[test]
fn ids_in_fields_are_right_after_random_changes() {
    for seed in 1..=40 {
        let (mut minds, mut random) = (Minds::new(), Random(seed * 0x9e37_79b9));
        let history = (seed % 2 == 0).then(|| {
            let builder = History::builder().without::<failing::Door>();
            builder.record(&mut minds.game)
        });
        let mut all: Vec<Id> = (0..6).map(|x| minds.place(x)).collect();
        let mut mark = history.as_ref().map(|it| it.mark(&mut minds.game));
        for _ in 0..60 {
            let id = |random: &mut Random, all: &[Id]| all[random.below(all.len())];
            let (one, another) = (id(&mut random, &all), id(&mut random, &all));
            let kind = random.below(10);
            if let (Some(history), 9) = (&history, kind) {
                match random.below(2) {
                    0 => mark = Some(history.mark(&mut minds.game)),
                    _ => _ = history.rewind(&mut minds.game, mark.unwrap()),
                }
                minds.has_rewound = true;
                continue;
            }
            if !minds.game.contains(one) {
                continue;
            }
            let mut entity = minds.game.entity_mut(one);
            match kind {
                0 => _ = entity.replace(attack(another)),
                1 => {
                    let mind = Mind {
                        orders: vec![Order::Attack(one), Order::Attack(another)],
                        opinions: all.iter().copied().zip(0..).collect(),
                    };
                    entity.replace(mind);
                }
                2 => _ = entity.try_remove::<Mind>(),
                3 => _ = entity.replace_position(random.below(8) as i32),
                4 => minds.game.destroy(one),
                5 => all.push(minds.place(random.below(8) as i32)),
                6 if minds.game.contains(another) && one != another => {
                    let (whole, spare) = (another, Some(id(&mut random, &all)));
                    minds.game.entity_mut(one).replace(PartOf { whole, spare });
                }
                7 => {
                    drop(minds.feed.take(&mut minds.game)); // lost
                    let everything = minds.feed.everything(&minds.game);
                    minds.mirror.apply(&mut minds.other, &everything).unwrap();
                    minds.check();
                }
                _ => minds.follow(),
            }
        }
        minds.follow();
    }
}

#[test]
fn an_id_of_no_entity_stays_so_in_a_mirror_of_a_mirror() {
    let mut minds = Minds::new();
    let dead = minds.place(1);
    let elf = minds.place(2);
    minds.game.entity_mut(elf).add(attack(dead));
    minds.game.destroy(dead);
    minds.follow();
    let Minds { mut other, .. } = minds;
    let feed = other.feed::<(Position, Mind)>();
    let (mut last, mut mirror) = (Game::new(), Mirror::new());
    mirror.apply(&mut last, &feed.take(&mut other)).unwrap();
    let elf = last.entities().find(|it| it.has::<Mind>()).unwrap();
    let ids = Minds::ids(elf);
    assert_eq!(ids.len(), 2);
    assert!(ids.iter().all(|id| !last.contains(*id)), "{ids:?}");
}

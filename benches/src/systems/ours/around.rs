//! The rows W14 to W20.

use ecs::{Component, Context as _, Inbox, Messages};
use wide::Wide;

use super::{Calls, check_wide, movers, wide_game};
use crate::around::{self, Family, Hit, PARENTS, Saving, key};
use crate::rows::Id;
use crate::types::*;
use crate::workload::{Workload, fresh};

/// The context of W14.
#[ecs::context]
struct Tree;

/// The parent of a child; the parent lists its children.
#[derive(Clone, Debug, Component)]
#[component(context = Tree)]
struct ChildOf {
    #[component(relation(reverse = children))]
    parent: ecs::EntityId<Tree>,
}

pub(super) fn reparent(items: usize, calls: Calls) -> Box<dyn Workload> {
    type Id = ecs::EntityId<Tree>;
    let mut world = Tree::new();
    let parents: Vec<Id> = (0..PARENTS).map(|_| world.create_entity().id()).collect();
    let parent_of = |child: usize| parents[child % PARENTS];
    let children = (0..items).map(|child| ChildOf {
        parent: parent_of(child),
    });
    let family = Family {
        children: world.create_many(children),
        parents,
        world,
    };
    let mut ids = Vec::new();
    let set_parents = move |tree: &mut Tree, pairs: &[(Id, Id)]| match calls {
        Calls::OneByOne => {
            for &(child, parent) in pairs {
                tree.entity_mut(child).replace_child_of(parent);
            }
        }
        Calls::Bulk => {
            ids.clear();
            ids.extend(pairs.iter().map(|&(child, _)| child));
            let mut parents = pairs.iter().map(|&(_, parent)| parent);
            tree.many(&ids).replace_with(|_| ChildOf {
                parent: parents.next().expect("one for each child"),
            });
        }
    };
    around::reparent(family, set_parents, |tree, parent| {
        tree.entity(parent).children().to_vec()
    })
}

/// The context of W15.
#[ecs::context]
struct Hall;

/// The key of an entity.
#[derive(Clone, Copy, Debug, Component)]
#[component(context = Hall)]
struct Seat(#[component(primary_index)] u32);

/// The position of an entity.
#[derive(Clone, Copy, Debug, Component)]
#[component(context = Hall)]
struct Place(Position);

pub(super) fn look_up(items: usize) -> Box<dyn Workload> {
    let mut hall = Hall::new();
    hall.create_many((0..items).map(|at| (Seat(key(at)), Place(position(at)))));
    around::look_up(hall, items, |hall, key| {
        Some(hall.entity_with_seat(&key)?.place().0)
    })
}

/// The query of two components, created each time.
pub(super) fn make_queries(items: usize) -> Box<dyn Workload> {
    let mut game = Game::new();
    macro_rules! populate {
        ($($kind:ident)*) => {$(game.create_with(($kind(0.0), Data(1.0)));)*};
    }
    with_kinds!(populate);
    around::make_queries(game, items, |game| {
        let found = game.query::<(&Ka, &Data)>().iter();
        found.map(|(_, data)| data.0).sum()
    })
}

/// The components of a test crate, which get their numbers at first use; derived components find their
/// numbers faster.
pub(super) fn start_up() -> Box<dyn Workload> {
    let run = |wide: &mut Option<Wide>| {
        let wide = wide.insert(Wide::new());
        macro_rules! create {
            ($high:literal: $($low:literal)*) => {$(
                wide.create_entity().add(wide::Part::<$high, $low>(1));
            )*};
        }
        with_parts!(create);
    };
    fresh(
        || None,
        run,
        |wide| {
            assert_eq!(wide.as_ref().map(|wide| wide.len()), Some(PARTS));
        },
    )
}

/// Drains one inbox.
pub(super) fn messages(items: usize) -> Box<dyn Workload> {
    let mut game = Game::new();
    let inbox: Inbox<Game, Hit> = game.inbox();
    let send = |(game, _): &mut (Game, Messages<Hit>), hit: Hit| game.send(hit);
    around::messages((game, Messages::new()), items, send, move |(game, read)| {
        inbox.drain_into(game, read);
        read.iter().map(|hit| hit.damage).sum()
    })
}

pub(super) fn copy_world(items: usize) -> Box<dyn Workload> {
    let (game, _) = wide_game(Game::new(), items);
    around::copy_world(
        game,
        |game| game.snapshot(),
        move |snapshot| {
            let mut game = Game::new();
            game.restore(snapshot);
            check_wide(&mut game, items);
        },
    )
}

pub(super) fn save(row: Id, items: usize) -> Box<dyn Workload> {
    let saving = Saving {
        save: |game: &mut Game| postcard::to_stdvec(&game.save()).unwrap(),
        load: |bytes| Game::load(&mut postcard::Deserializer::from_bytes(bytes)).unwrap(),
        all: |game| {
            let all = game.query::<(&Position, &Velocity)>().iter();
            all.map(|(&position, &velocity)| (position, velocity))
                .collect()
        },
    };
    saving.workload(row, movers(Game::new(), items).0, items)
}

//! Programs that run for ever (F35): entities, handles and systems come and go, and what the context
//! holds after any number of frames is what it held after the first ones. Each feature runs alone,
//! and all of them in one game.
//!
//! `ECS_TEST_FRAMES=1000000` runs a million frames of each.

mod reacting;
mod records;

use std::env;
use std::hint::black_box;
use std::time::Duration;

use ecs::prelude::*;
use ecs::{CleanupSystems, Deferred, EventSystems, Expire, Timer};

use super::allocator::allocated;
use super::alone;

/// Has a state, a label and components of every kind, which are not in the shared game.
#[ecs::context]
struct Field;

#[derive(Component, Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[component(context = Field, event(any(set), self(set)))]
struct Mass(u32);

#[derive(Component, Clone, Debug, serde::Serialize, serde::Deserialize)]
#[component(context = Field, label)]
struct Title(#[component(into)] String);

#[derive(Component, Clone, serde::Serialize, serde::Deserialize)]
#[component(context = Field)]
struct Plot(#[component(index)] u32);

#[derive(Component, Clone, serde::Serialize, serde::Deserialize)]
#[component(context = Field)]
struct Seat(#[component(primary_index)] u32);

#[derive(Component, Clone, serde::Serialize, serde::Deserialize)]
#[component(context = Field)]
struct ChildOf {
    #[component(relation(reverse = children, on_target_destroyed = destroy, acyclic, ordered))]
    parent: Id,
}

#[derive(Component, Clone, serde::Serialize, serde::Deserialize)]
#[component(context = Field)]
struct Aim(#[component(relation(reverse = aimed_at_by))] Id);

#[derive(Component, Clone, serde::Serialize, serde::Deserialize)]
#[component(context = Field, unique)]
struct Crown(u32);

#[derive(Component, Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[component(context = Field, unique, state)]
enum Season {
    Wet,
    Dry,
}

#[derive(Component, Clone, Default, serde::Serialize, serde::Deserialize)]
#[component(context = Field, pooled)]
struct Bag(Vec<u32>);

#[derive(Component, Clone, serde::Serialize, serde::Deserialize)]
#[component(context = Field)]
struct Fuse(Timer);

#[derive(Component, Clone, serde::Serialize, serde::Deserialize)]
#[component(context = Field, cleanup(destroy))]
struct Brief;

#[derive(Component, Clone, serde::Serialize, serde::Deserialize)]
#[component(context = Field, disables)]
struct Asleep;

type Id = EntityId<Field>;

/// Runs one frame; what it keeps from one to the next is its own.
type Frame = Box<dyn FnMut(&mut Field, u32)>;

/// Starts to use a feature.
type Feature = fn(&mut Field) -> Frame;

const FEATURES: &[(&str, Feature)] = &[
    ("entities", entities),
    ("bulk changes", bulk_changes),
    ("observers of one entity", reacting::observers_of_one),
    (
        "observers of entities destroyed together",
        reacting::observers_of_many,
    ),
    ("listeners of one entity", reacting::listeners_of_one),
    ("listeners", reacting::listeners),
    ("subscriptions", reacting::subscriptions),
    ("groups and collectors", reacting::collectors),
    ("entity indexes", reacting::indexes),
    ("relations", relations),
    ("unique components and states", states),
    ("messages", reacting::messages),
    ("removed values", reacting::removed_values),
    ("feeds", records::feeds),
    ("mirrors", records::mirrors),
    ("histories", records::histories),
    ("snapshots", records::snapshots),
    ("saves", records::saves),
    ("undo stacks", records::undo_stacks),
    ("command buffers", records::command_buffers),
    ("templates", records::templates),
    ("systems", systems),
    ("timers", timers),
    ("tidying", tidying),
];

/// Creates an entity with most components.
fn whole(game: &mut Field, n: u32) -> Id {
    let id = game
        .create_with((Mass(n), Title("plot".into()), Plot(n), Seat(n)))
        .id();
    game.entity_mut(id)
        .add_bag(vec![n; 8])
        .set_asleep(n.is_multiple_of(3));
    id
}

fn entities(_: &mut Field) -> Frame {
    let mut kept = Vec::new();
    Box::new(move |game, frame| {
        kept.push(whole(game, 1_000 + frame));
        if kept.len() > 8 {
            let id = kept.remove(frame as usize % 8);
            black_box(format!("{:?}", game.entity(id)));
            game.entity_mut(id).replace_plot(frame).remove_title();
            game.destroy(id);
        }
    })
}

fn bulk_changes(_: &mut Field) -> Frame {
    Box::new(|game, frame| {
        let ids = game.create_many((0..10).map(|n| (Mass(n), Plot(frame))));
        game.query_mut::<&mut Plot>().for_each(|plot| plot.0 ^= 1);
        game.many(&ids).replace_with(|_| Mass(frame));
        game.many(&ids[..5]).remove::<Plot>();
        game.many(&ids).destroy();
    })
}

fn relations(game: &mut Field) -> Frame {
    let root = game.create_entity().id();
    Box::new(move |game, frame| {
        let parent = game.create_with(ChildOf { parent: root }).id();
        let target = game.create_with(Aim(parent)).id();
        let children: Vec<Id> = (0..3)
            .map(|_| game.create_with((ChildOf { parent }, Aim(target))).id())
            .collect();
        game.entity_mut(children[2])
            .replace(ChildOf { parent: root });
        black_box(game.entity(parent).children().len());
        match frame % 2 {
            0 => game.destroy(target),
            _ => _ = game.entity_mut(children[2]).replace(ChildOf { parent }),
        }
        game.destroy(parent);
        game.destroy_leftover(&[target, children[2]]);
    })
}

/// Destroys entities that may be gone.
trait DestroyLeftover {
    fn destroy_leftover(&mut self, ids: &[Id]);
}

impl DestroyLeftover for Field {
    fn destroy_leftover(&mut self, ids: &[Id]) {
        for &id in ids {
            _ = self.try_destroy(id);
        }
    }
}

fn states(game: &mut Field) -> Frame {
    let mut systems = Systems::new()
        .on_enter(Season::Wet, |_: &mut Field| ())
        .on_exit(Season::Wet, |_: &mut Field| ())
        .while_in(Season::Dry, |_: &mut Field| ());
    systems.initialize(game);
    Box::new(move |game, frame| {
        game.set_season([Season::Wet, Season::Dry][frame as usize % 2].clone());
        let owner = game.create_with(Crown(frame)).id();
        systems.execute(game);
        game.destroy(owner);
        game.set_crown(frame);
        game.remove_crown();
    })
}

fn count(game: &mut Field) {
    black_box(game.len());
}

/// A list that lasts, to which systems are added and from which they are removed, and lists that do not.
fn systems(game: &mut Field) -> Frame {
    let deferred = Deferred::<Field>::new();
    let queue = deferred.clone();
    let mut lasting = Systems::new()
        .add(deferred)
        .add(EventSystems::new())
        .add(CleanupSystems::new(game));
    lasting.measure(true);
    Box::new(move |game, frame| {
        let changed = || Field::all_of::<Mass>().any_change();
        lasting.push(count);
        lasting.append(
            Systems::new()
                .for_each_changed(game, changed(), |_: &mut Field, _| ())
                .named("each"),
        );
        lasting.append(Systems::new().on_removed(game, on_removed).named("removed"));
        let inbox = game.inbox::<u8>();
        let mut short = Systems::new()
            .query_changed::<_, &Mass>(game, changed(), |_| ())
            .on_message(inbox, |_: &mut Field, _: &u8| ());
        queue.push(|game: &mut Field| game.send(1_u8));
        let id = game.create_with((Mass(frame), Brief)).id();
        for list in [&mut lasting, &mut short] {
            list.execute(game);
            list.cleanup(game);
        }
        assert!(!game.contains(id));
        for name in ["count", "each", "removed"] {
            lasting.remove(game, name);
        }
    })
}

fn on_removed(_: &mut Field, _: &[(Id, Title)]) {}

fn timers(_: &mut Field) -> Frame {
    let second = Duration::from_secs(1);
    let mut systems = Systems::new()
        .add(move |game: &mut Field| {
            game.query_mut::<&mut Fuse>()
                .for_each(|fuse| _ = fuse.0.tick(second));
        })
        .add(Expire::destroy(|_: &Field, fuse: &Fuse| {
            fuse.0.is_finished()
        }));
    Box::new(move |game, _| {
        game.create_with(Fuse(Timer::once(3 * second)));
        systems.execute(game);
    })
}

fn tidying(_: &mut Field) -> Frame {
    let mut kept = Vec::new();
    Box::new(move |game, frame| {
        kept.push(whole(game, 1_200_000_000 + frame));
        if kept.len() > 20 {
            game.destroy(kept.remove(frame as usize % 20));
        }
        game.storage_mut().defragment_for(10);
    })
}

/// Less than 8 bytes for each of the hundred frames between two measurements; memory that doubles may be a little larger
/// than before.
const SLACK: usize = 700;

/// The number of frames in an ordinary run, or in one of a million.
fn frames() -> u32 {
    let frames = env::var("ECS_TEST_FRAMES").ok();
    frames.map_or(1_000, |frames| frames.parse().expect("a number"))
}

/// Describes by how much memory has grown in each of three games, if it has: hash tables with random
/// seeds may double late in one of them.
fn growth(features: &[(&str, Feature)], frames: u32) -> Option<String> {
    let first = growth_once(features, frames);
    (1..3).fold(first, |grown, _| {
        grown.and_then(|_| growth_once(features, frames))
    })
}

/// Runs features for some frames in one game; describes by how much memory has grown after the first
/// frames, if it has.
fn growth_once(features: &[(&str, Feature)], frames: u32) -> Option<String> {
    let mut game = Field::new();
    game.events().warn_of_undelivered(false);
    let mut all: Vec<Frame> = features.iter().map(|(_, start)| start(&mut game)).collect();
    let mut run = |from, to| {
        for frame in from..to {
            all.iter_mut().for_each(|each| each(&mut game, frame));
        }
        allocated()
    };
    let most = (0..5).map(|n| run(n * frames / 10, (n + 1) * frames / 10));
    let most = most.max().unwrap_or_default();
    let last = (5..10).map(|n| run(n * frames / 10, (n + 1) * frames / 10));
    let last = last.min().unwrap_or_default();
    let grown = last.saturating_sub(most);
    let names: Vec<_> = features.iter().map(|(name, _)| *name).collect();
    let memory = game.storage().memory();
    (grown > SLACK).then(|| format!("{names:?}: {grown} bytes in {frames} frames\n{memory}\n"))
}

#[test]
fn each_feature_alone_leaves_nothing() {
    let _alone = alone();
    let alone = FEATURES.iter().filter_map(|it| growth(&[*it], frames()));
    let grown: Vec<_> = alone.collect();
    assert!(grown.is_empty(), "{}", grown.concat());
}

#[test]
fn all_features_together_leave_nothing() {
    let _alone = alone();
    assert_eq!(growth(FEATURES, frames()), None);
}

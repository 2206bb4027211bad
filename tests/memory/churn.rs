//! Programs that run for ever (F35): entities, handles and systems come and go, and what the context
//! holds after any number of frames is what it held after the first ones. Each feature runs alone,
//! and all of them in one game.
//!
//! `ECS_TEST_FRAMES=1000000` runs a million frames of each.

use std::env;
use std::hint::black_box;
use std::time::Duration;

use ecs::prelude::*;
use ecs::{CleanupSystems, Deferred, EventSystems, Expire, Mirror, Template, Timer, UndoStack};

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
    ("observers of one entity", observers_of_one),
    (
        "observers of entities destroyed together",
        observers_of_many,
    ),
    ("listeners of one entity", listeners_of_one),
    ("listeners", listeners),
    ("subscriptions", subscriptions),
    ("groups and collectors", collectors),
    ("entity indexes", indexes),
    ("relations", relations),
    ("unique components and states", states),
    ("messages", messages),
    ("removed values", removed_values),
    ("feeds", feeds),
    ("mirrors", mirrors),
    ("histories", histories),
    ("snapshots", snapshots),
    ("saves", saves),
    ("undo stacks", undo_stacks),
    ("command buffers", command_buffers),
    ("templates", templates),
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
        .set_asleep(n % 3 == 0);
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

fn observers_of_one(_: &mut Field) -> Frame {
    Box::new(|game, frame| {
        for with_value in [true, false] {
            let id = game.create_entity().id();
            game.entity_mut(id).on_change(|_, _| ());
            let other = game.entity_mut(id).on_change(|_, _| ());
            if with_value {
                game.entity_mut(id).add_mass(frame);
                game.unsubscribe(other);
            }
            game.destroy(id);
        }
    })
}

/// Destroyed by one call, by a relation, and by an observer of another one.
fn observers_of_many(_: &mut Field) -> Frame {
    Box::new(|game, frame| {
        let ids = game.create_many((0..4).map(Mass));
        let parent = game.create_with(Mass(frame)).id();
        let child = game.create_with(ChildOf { parent }).id();
        for &id in ids.iter().chain(&[parent, child]) {
            game.entity_mut(id).on_change(|_, _| ());
        }
        let next = game.create_with(Mass(0)).id();
        game.entity_mut(next).on_change(|_, _| ());
        game.entity_mut(ids[0]).on_change(move |game, change| {
            if change.component().is_none() {
                game.destroy(next);
            }
        });
        game.many(&ids).destroy();
        game.destroy(parent);
        assert!(!game.contains(next) && !game.contains(child));
    })
}

fn listeners_of_one(_: &mut Field) -> Frame {
    Box::new(|game, frame| {
        let ids = game.create_many((0..4).map(|n| Mass(n + frame)));
        for &id in &ids {
            game.entity_mut(id).on_set::<Mass>(|_| ());
            game.entity_mut(id).on_removed::<Mass>(|_| ());
        }
        let id = ids[0];
        let subscription = game.entity_mut(id).on_set::<Plot>(|_| ());
        game.entity_mut(id).add_plot(frame);
        if frame % 2 == 0 {
            game.unsubscribe(subscription);
        }
        game.many(&ids).destroy();
        game.events().deliver();
    })
}

fn listeners(_: &mut Field) -> Frame {
    Box::new(|game, frame| {
        let subscription = game.events().on_set::<Mass>(|_| ());
        let id = game.create_with(Mass(frame)).id();
        if frame % 2 == 0 {
            game.events().deliver();
        }
        game.destroy(id);
        game.unsubscribe(subscription);
    })
}

fn subscriptions(game: &mut Field) -> Frame {
    let group = game.group(Field::all_of::<Mass>());
    let mut last = None;
    Box::new(move |game, frame| {
        let entered = group.on_entered(game, |_, _| ());
        let left = group.on_left(game, |_, _| ());
        drop(last.replace(game.unsubscribe_on_drop(left)));
        let of_all = game.observers().on_change(|_, _| ());
        let id = game.create_with(Mass(frame)).id();
        let of_one = game.entity_mut(id).on_change(|_, _| ());
        let guard = game.unsubscribe_on_drop(of_one);
        game.destroy(id);
        game.unsubscribe(entered);
        game.unsubscribe(of_all);
        drop(guard);
    })
}

fn collectors(game: &mut Field) -> Frame {
    let drained = game.collector(Field::all_of::<Mass>().any_change());
    let mut last = None;
    Box::new(move |game, frame| {
        let group = game.group(Field::all_of::<(Mass, Plot)>().none_of::<Asleep>());
        let collector = game.collector(Field::all_of::<Mass>().any_change());
        let id = whole(game, 500 + frame % 100);
        black_box(group.iter(game).count());
        drop(last.replace(game.collector(Field::all_of::<Plot>().left())));
        game.destroy(id);
        black_box(drained.drain(game));
        if frame % 2 == 0 {
            collector.release(game);
        }
    })
}

fn indexes(_: &mut Field) -> Frame {
    let mut last = None;
    Box::new(move |game, frame| {
        let index = game.entity_index(Field::all_of::<Plot>(), |e| e.plot().0 / 2);
        let id = game.create_with(Plot(frame)).id();
        assert!(index.get(game, &(frame / 2)).any(|it| it.id() == id));
        drop(last.replace(index));
        game.entity_mut(id).replace_plot(frame + 7);
        game.destroy(id);
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
            _ => game
                .entity_mut(children[2])
                .replace(ChildOf { parent })
                .done(),
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

/// Ends a chain of calls.
trait Done: Sized {
    fn done(self) {}
}

impl<T> Done for T {}

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

fn messages(game: &mut Field) -> Frame {
    let inbox = game.inbox::<String>();
    let mut last = None;
    Box::new(move |game, _| {
        let other = game.inbox::<String>();
        let observer = game.on_message(|_, _: &u32| ());
        game.send(String::from("a message"));
        game.send(1_u32);
        game.unsubscribe(observer);
        assert_eq!(inbox.drain(game).len(), 1);
        drop(last.replace(other));
    })
}

fn removed_values(game: &mut Field) -> Frame {
    let removed = game.removed_values::<Title>();
    let mut last = None;
    Box::new(move |game, frame| {
        let other = game.removed_values::<Title>();
        let id = whole(game, 700 + frame % 10);
        game.destroy(id);
        black_box(removed.drain(game).len());
        drop(last.replace(other));
    })
}

fn feeds(game: &mut Field) -> Frame {
    let never_read = game.feed::<(Mass, Aim)>();
    let mut last = None;
    Box::new(move |game, frame| {
        let feed = game.feed::<(Plot, Title)>();
        let id = whole(game, 800 + frame % 10);
        black_box(feed.take(game).appeared().len());
        game.destroy(id);
        drop(last.replace(feed));
        black_box(&never_read);
    })
}

fn mirrors(game: &mut Field) -> Frame {
    let feed = game.feed::<(Mass, ChildOf, Aim, Plot)>();
    let (mut other, mut mirror) = (Field::new(), Mirror::new());
    Box::new(move |game, frame| {
        let hidden = game.create_entity().id();
        let parent = game.create_with((Mass(frame), Aim(hidden))).id();
        let child = game.create_with((ChildOf { parent }, Plot(frame))).id();
        mirror.apply(&mut other, &feed.take(game)).unwrap();
        match frame % 3 {
            0 => game.destroy(parent),
            1 => game.destroy(hidden),
            _ => _ = game.entity_mut(child).replace(ChildOf { parent: hidden }),
        }
        mirror.apply(&mut other, &feed.take(game)).unwrap();
        if frame % 50 == 0 {
            mirror.apply(&mut other, &feed.take_all(game)).unwrap();
        }
        game.destroy_leftover(&[child, parent, hidden]);
    })
}

/// Keeps the last ten marks, and goes back now and then.
fn histories(game: &mut Field) -> Frame {
    let history = game.record();
    let mut marks = Vec::new();
    Box::new(move |game, frame| {
        marks.push(history.mark(game));
        if marks.len() > 10 {
            marks.remove(0);
            history.forget_before(game, marks[0]);
        }
        let parent = whole(game, 900 + frame % 10);
        game.create_with(ChildOf { parent });
        game.entity_mut(parent).replace_plot(frame + 1);
        black_box(history.checksum(game));
        if frame % 10 == 9 {
            let mark = marks[5];
            let now = history.mark(game);
            history.rewind(game, mark);
            history.forward(game, now);
        }
        game.destroy(parent);
    })
}

/// Not restored, because a history may record.
fn snapshots(game: &mut Field) -> Frame {
    let mut last = game.snapshot();
    let mut other = Field::new();
    Box::new(move |game, frame| {
        let id = whole(game, 1_000_000_000 + frame % 10);
        if frame % 20 == 0 {
            other.restore(&last);
            last = game.snapshot();
            black_box(game.fork().len());
        }
        game.destroy(id);
    })
}

fn saves(_: &mut Field) -> Frame {
    Box::new(|game, frame| {
        let id = whole(game, 1_100_000_000 + frame % 10);
        if frame % 20 == 0 {
            let bytes = postcard::to_stdvec(&game.save()).unwrap();
            let mut from = postcard::Deserializer::from_bytes(&bytes);
            assert_eq!(Field::load(&mut from).unwrap().len(), game.len());
        }
        game.destroy(id);
    })
}

fn undo_stacks(game: &mut Field) -> Frame {
    let mut edits = UndoStack::only::<(Mass, Title)>().at_most(5);
    let id = game.create_with(Mass(0)).id();
    Box::new(move |game, frame| {
        edits.step(game, "Set", |game| {
            _ = game.entity_mut(id).replace_mass(frame)
        });
        let made = edits.step(game, "Make", |game| game.create_with(Mass(frame)).id());
        edits.step(game, "Destroy", |game| game.destroy(made));
        if frame % 4 == 0 {
            edits.step(game, "Set", |game| {
                _ = game.entity_mut(id).replace_mass(frame + 1)
            });
            assert!(edits.undo(game) && edits.redo(game));
        }
    })
}

fn command_buffers(_: &mut Field) -> Frame {
    let mut commands = ecs::CommandBuffer::new();
    Box::new(move |game, frame| {
        let id = game.create_with(Mass(frame)).id();
        commands.create((Mass(frame), Brief));
        commands.insert(id, (Plot(frame), Title("a".into())));
        commands.run(|game: &mut Field| {
            let id = game.create_entity().id();
            game.destroy(id);
        });
        commands.destroy(id);
        commands.apply(game);
        let brief: Vec<Id> = game.group(Field::all_of::<Brief>()).ids(game);
        game.many(&brief).destroy();
    })
}

fn templates(game: &mut Field) -> Frame {
    let ship = whole(game, 2_000_000_000);
    game.entity_mut(ship).remove_seat();
    game.create_with((ChildOf { parent: ship }, Mass(1)));
    Box::new(move |game, _| {
        let part = Template::new().with(Mass(1));
        let whole = Template::new().with(Mass(2));
        let template = whole.with_child(|parent| ChildOf { parent }, part);
        let copy = template.create_many(game, 1)[0];
        let copying = CloneOptions::all().with_descendants::<ChildOf>();
        let other = copying.clone_entity(game, ship).id();
        game.destroy(copy);
        game.destroy(other);
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

/// Less than a byte for each frame; memory that doubles may be a little larger than before.
const SLACK: usize = 500;

/// The number of frames in an ordinary run, or in one of a million.
fn frames() -> u32 {
    let frames = env::var("ECS_TEST_FRAMES").ok();
    frames.map_or(1_000, |frames| frames.parse().expect("a number"))
}

/// Runs features for some frames in one game; describes by how much memory has grown after the first
/// frames, if it has.
fn growth(features: &[(&str, Feature)], frames: u32) -> Option<String> {
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

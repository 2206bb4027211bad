//! What a save lacks because it has not been read yet, and how a loaded game continues.

use ecs::PendingKind;
use ecs::prelude::*;
use serde::{Deserialize, Serialize};
use support::Notes;

/// Has bullets that move by a system which reacts to its own changes; everything can be saved.
#[ecs::context]
pub(crate) struct Range;

type Id = EntityId<Range>;

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Range)]
struct Bullet {
    frames_left: u32,
}

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Range)]
struct At(i32);

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Range)]
struct Hole;

/// Moves each bullet one step per reaction to its last step.
struct Fly;

impl ReactiveSystem<Range> for Fly {
    type Context = Range;

    fn trigger(&self) -> Trigger<Range> {
        Range::all_of::<(Bullet, At)>().updated()
    }

    fn react(&mut self, range: &mut Range, moved: &[Id]) {
        for &id in moved {
            match range.entity(id).bullet().frames_left {
                0 => range.destroy(id),
                left => {
                    let mut bullet = range.entity_mut(id);
                    bullet.replace_bullet(left - 1);
                    bullet.update_at(|at| at.0 += 1);
                }
            }
        }
    }
}

/// Makes a hole for each bullet that has flown far enough.
struct Hit;

impl ReactiveSystem<Range> for Hit {
    type Context = Range;

    fn trigger(&self) -> Trigger<Range> {
        Range::all_of::<Bullet>().left()
    }

    fn include_destroyed(&self) -> bool {
        true
    }

    fn react(&mut self, range: &mut Range, gone: &[Id]) {
        range.create_many(gone.iter().map(|_| Hole));
    }
}

fn systems(range: &mut Range) -> Systems<Range> {
    let systems = Systems::with_name("Range").add_reactive(range, Hit);
    systems.add_reactive(range, Fly)
}

/// Fires a bullet that flies at once.
fn fire(range: &mut Range, frames: u32) {
    let mut bullet = range.create_with((
        Bullet {
            frames_left: frames,
        },
        At(0),
    ));
    bullet.replace_at(1);
}

fn load(range: &Range) -> (Range, Systems<Range>) {
    let bytes = postcard::to_stdvec(&range.save()).unwrap();
    let loaded = Range::load(&mut postcard::Deserializer::from_bytes(&bytes));
    let mut loaded: Range = loaded.unwrap();
    let systems = systems(&mut loaded);
    (loaded, systems)
}

fn seen(range: &Range) -> Vec<String> {
    let all = range.entities().map(|entity| format!("{entity:?}"));
    all.collect()
}

/// Whether both are equal after each of some frames, in some of which bullets are fired.
fn continue_alike(
    one: (&mut Range, &mut Systems<Range>),
    other: (&mut Range, &mut Systems<Range>),
) -> bool {
    (0..12).all(|frame| {
        for (range, systems) in [(&mut *one.0, &mut *one.1), (&mut *other.0, &mut *other.1)] {
            if frame % 5 == 4 {
                fire(range, frame);
            }
            systems.execute(range);
        }
        seen(one.0) == seen(other.0)
    })
}

/// F43.
#[test]
fn a_change_that_a_system_made_for_itself_is_pending_with_its_name() {
    let mut range = Range::new();
    let mut list = systems(&mut range);
    fire(&mut range, 3);
    list.execute(&mut range);
    let pending = range.save().pending();
    assert_eq!(pending.len(), 1);
    assert_eq!(pending[0].kind, PendingKind::Collector);
    assert_eq!(pending[0].system.as_deref(), Some("Fly"));
    let matcher = Range::all_of::<(Bullet, At)>();
    let text = format!("collector of {matcher:?} {{Updated}}, read by `Fly`: 1");
    assert_eq!(pending[0].to_string(), text);

    let (mut loaded, mut list_of_loaded) = load(&range);
    assert_eq!(seen(&loaded), seen(&range));
    let loaded = (&mut loaded, &mut list_of_loaded);
    assert!(
        !continue_alike((&mut range, &mut list), loaded),
        "the bullet rests there"
    );
}

/// F43.
#[test]
fn a_game_with_nothing_pending_continues_identically_after_a_load() {
    let mut range = Range::new();
    let mut list = systems(&mut range);
    let mut saves = 0;
    for frame in 0..60 {
        if frame % 7 == 0 {
            fire(&mut range, frame % 4);
        }
        list.execute(&mut range);
        if range.save().pending().is_empty() {
            let (mut loaded, mut list_of_loaded) = load(&range);
            let loaded = (&mut loaded, &mut list_of_loaded);
            assert!(continue_alike((&mut range, &mut list), loaded), "{frame}");
            saves += 1;
        }
    }
    assert!(saves > 3, "only {saves} moments");
}

#[test]
fn a_game_with_cleared_systems_continues_identically_after_a_load() {
    let mut range = Range::new();
    let mut list = systems(&mut range);
    let mut cleared = 0;
    for frame in 0..20 {
        fire(&mut range, frame % 4);
        list.execute(&mut range);
        cleared += range.save().pending().len();
        list.clear(&mut range);
        assert!(range.save().pending().is_empty());
        let (mut loaded, mut list_of_loaded) = load(&range);
        let loaded = (&mut loaded, &mut list_of_loaded);
        assert!(continue_alike((&mut range, &mut list), loaded), "{frame}");
    }
    assert!(cleared > 10, "only {cleared} were pending");
}

/// F43.
#[test]
fn everything_that_has_not_been_read_is_pending() {
    let mut range = Range::new();
    let heard = Notes::default();
    let notes = heard.clone();
    let _own = range.collector(Range::all_of::<Hole>().entered());
    let _view = range.collector(Range::all_of::<At>().any_change().with_rewinds());
    let _lost = range.removed_values::<At>();
    let (_inbox, of_system) = (range.inbox::<u8>(), range.inbox::<u8>());
    let _feed = range.feed::<Hole>(); // sends everything after a load
    range
        .events()
        .on_set::<Hole>(move |hole| notes.push(hole.id()));
    let mut systems = Systems::new()
        .on_message(of_system, |_: &mut Range, _: &u8| ())
        .on_removed(&mut range, |_: &mut Range, _: &[(Id, At)]| ())
        .for_each_changed(
            &mut range,
            Range::all_of::<Hole>().entered(),
            |_: &mut Range, _| (),
        )
        .query_changed::<_, &Hole>(&mut range, Range::all_of::<Hole>().entered(), |_| ());
    assert_eq!(range.save().pending(), []);

    range.create_with((At(1), Hole)).remove_at();
    range.send(7_u8);
    let pending = range.save().pending();
    let pending: Vec<_> = pending.iter().map(ToString::to_string).collect();
    let test = "`closure in everything_that_has_not_been_read_is_pending`";
    let hole = "collector of AllOf(Hole) {Entered}";
    let at = std::any::type_name::<At>();
    assert_eq!(
        pending,
        [
            format!("{hole}: 1"),
            "collector of AllOf(At) {Entered, Left, Updated}: 1".to_owned(),
            format!("{hole}, read by {test}: 1"),
            format!("{hole}, read by {test}: 1"),
            "inbox of u8: 1".to_owned(),
            format!("inbox of u8, read by {test}: 1"),
            format!("removed values of {at}: 1"),
            format!("removed values of {at}, read by {test}: 1"),
            "listeners: 1".to_owned(),
        ]
    );
    systems.execute(&mut range);
    range.events().deliver();
    assert_eq!(heard.take().len(), 1);
    let pending = range.save().pending();
    assert!(pending.iter().all(|it| it.system.is_none()) && pending.len() == 4);
}

#[test]
fn an_inbox_that_a_system_opens_again_knows_its_reader() {
    let mut range = Range::new();
    let inbox = range.inbox::<u8>();
    let mut systems = Systems::new().on_message(inbox, |_: &mut Range, _: &u8| ());
    systems.deactivate(&mut range);
    range.send(1_u8);
    assert_eq!(range.save().pending(), []);
    systems.activate(&mut range);
    range.send(2_u8);
    let pending = range.save().pending();
    assert!(pending.len() == 1 && pending[0].system.is_some());
}

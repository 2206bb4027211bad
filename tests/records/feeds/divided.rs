//! Components of which deltas have the fields that have changed, and numbers as multiples of a step.

use ecs::prelude::*;
use ecs::{ApplyError, Delta, Feed, Mirror};
use serde::{Deserialize, Serialize};

/// Its components have fields of each kind, whose bytes are counted here.
#[ecs::context]
struct Sea;

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Sea, delta(step = 0.01))]
struct Position {
    x: f32,
    y: f32,
}

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Sea, delta)]
struct Ship {
    name: String,
    #[component(delta(step = 1))]
    course: f64,
    crew: u32,
}

/// A server with a feed, and a client, between which deltas are bytes.
struct Link {
    server: Sea,
    feed: Feed<Sea>,
    client: Sea,
    mirror: Mirror<Sea>,
}

impl Link {
    fn new() -> Self {
        let mut server = Sea::new();
        Self {
            feed: server.feed::<(Position, Ship)>(),
            server,
            client: Sea::new(),
            mirror: Mirror::new(),
        }
    }

    fn take(&mut self) -> Vec<u8> {
        postcard::to_stdvec(&self.feed.take(&mut self.server)).unwrap()
    }

    fn receive(&mut self, bytes: &[u8]) -> Result<(), ApplyError> {
        let delta: Delta<Sea> = postcard::from_bytes(bytes).unwrap();
        self.mirror.apply(&mut self.client, &delta)
    }

    /// Sends a delta; returns how many bytes it has.
    fn send(&mut self) -> usize {
        let bytes = self.take();
        self.receive(&bytes).unwrap();
        bytes.len()
    }

    fn copy(&self, id: EntityId<Sea>) -> SeaEntity<'_> {
        self.client.entity(self.mirror.local(id).unwrap())
    }
}

fn ship(name: &str, crew: u32) -> Ship {
    Ship {
        name: name.into(),
        course: 90.25,
        crew,
    }
}

#[test]
fn only_changed_fields_are_sent() {
    let mut link = Link::new();
    let name = "Endurance".repeat(9);
    let id = link.server.create_with(ship(&name, 28)).id();
    link.send();
    assert_eq!(link.copy(id).ship(), &ship(&name, 28)); // everything is exact
    link.server
        .entity_mut(id)
        .replace_ship(name.clone(), 90.25, 27);
    assert!(link.send() < 20); // once the whole value, which the feed had not recorded yet
    link.server
        .entity_mut(id)
        .replace_ship(name.clone(), 90.25, 26);
    assert!(link.send() < 20);
    assert_eq!(link.copy(id).ship().crew, 26);
    assert_eq!(link.copy(id).ship().name, name);
}

#[test]
fn numbers_take_the_bits_of_their_differences() {
    let mut link = Link::new();
    let places = (0..100).map(|n| Position {
        x: n as f32,
        y: 1e4,
    });
    let ids = link.server.create_many(places);
    link.send();
    let sail = |link: &mut Link, by: f32| {
        for &id in &ids {
            link.server.entity_mut(id).update_position(|at| at.x += by);
        }
        link.send()
    };
    sail(&mut link, 0.03);
    let bytes = sail(&mut link, 0.03);
    assert!(bytes <= 100 + 100 * 3 / 8 + 14, "{bytes}"); // an id takes a byte, three steps three bits
    for (n, &id) in (0..).zip(&ids) {
        let at = link.copy(id).position();
        assert!((at.x - (n as f32 + 0.06)).abs() < 0.005_1 && at.y == 1e4);
    }
}

#[test]
fn a_value_that_moves_by_less_than_half_a_step_is_not_sent() {
    let mut link = Link::new();
    let id = link.server.create_with(Position { x: 1.0, y: 2.0 }).id();
    link.send();
    link.server.entity_mut(id).replace_position(1.02, 2.0);
    link.send();
    let mut sent = 0;
    for n in 1..=40 {
        let x = 1.02 + n as f32 * 0.001;
        link.server.entity_mut(id).replace_position(x, 2.0);
        sent += usize::from(link.send() > 4); // four bytes are an empty delta
        let off = (link.copy(id).position().x - x).abs();
        assert!(off < 0.005_01, "{off}"); // errors do not add up
    }
    assert_eq!(sent, 4);
    let all = link.feed.take_all(&mut link.server);
    link.mirror.apply(&mut link.client, &all).unwrap();
    let there = link.server.entity(id).position().clone();
    assert_eq!(link.copy(id).position(), &there); // exact again
}

#[test]
fn a_latecomer_starts_from_what_others_have() {
    let mut link = Link::new();
    let id = link.server.create_with(Position { x: 0.0, y: 0.0 }).id();
    link.send();
    link.server.entity_mut(id).replace_position(1.0, 0.0);
    link.send();
    link.server.entity_mut(id).replace_position(500.0, 0.0); // in no delta yet
    let (mut late, mut mirror) = (Sea::new(), Mirror::new());
    let bytes = postcard::to_stdvec(&link.feed.everything(&link.server)).unwrap();
    let everything: Delta<Sea> = postcard::from_bytes(&bytes).unwrap();
    mirror.apply(&mut late, &everything).unwrap();
    link.server.entity_mut(id).replace_position(1.02, 0.0);
    let bytes = link.take();
    link.receive(&bytes).unwrap();
    let delta: Delta<Sea> = postcard::from_bytes(&bytes).unwrap();
    mirror.apply(&mut late, &delta).unwrap();
    for x in [
        link.copy(id).position().x,
        late.entity(mirror.local(id).unwrap()).position().x,
    ] {
        assert!((x - 1.02).abs() < 0.005_01, "{x}");
    }
}

#[test]
fn a_latecomer_can_receive_what_was_lost_when_it_joined() {
    let mut link = Link::new();
    let places = [0.0, 1.0, 2.0].map(|x| Position { x, y: 0.0 });
    let ids = link.server.create_many(places);
    link.send();
    for &id in &ids {
        link.server.entity_mut(id).update_position(|at| at.y = 5.0);
    }
    link.send();
    let history = link.server.record();
    let mark = history.mark(&mut link.server);
    link.server.destroy(ids[2]);
    link.server.entity_mut(ids[1]).remove_position();
    let everything = link.feed.everything(&link.server);
    let bytes = postcard::to_stdvec(&everything).unwrap();
    let received: Delta<Sea> = postcard::from_bytes(&bytes).unwrap();
    history.rewind(&mut link.server, mark);
    link.server.entity_mut(ids[1]).remove_position();
    link.server.entity_mut(ids[1]).add_position(1.5, 5.0);
    link.server.entity_mut(ids[2]).replace_position(2.5, 5.0);
    let next = link.take();
    link.receive(&next).unwrap();
    let next: Delta<Sea> = postcard::from_bytes(&next).unwrap();
    for everything in [everything, received] {
        let (mut late, mut mirror) = (Sea::new(), Mirror::new());
        mirror.apply(&mut late, &everything).unwrap();
        let had = late.entity(mirror.local(ids[1]).unwrap()).position();
        assert_eq!(had, &Position { x: 1.0, y: 5.0 }); // as others have it until the next delta
        mirror.apply(&mut late, &next).unwrap();
        for (id, x) in ids.iter().zip([0.0, 1.5, 2.5]) {
            let copy = late.entity(mirror.local(*id).unwrap());
            assert_eq!(copy.position(), &Position { x, y: 5.0 });
        }
    }
}

#[test]
fn local_changes_do_not_disturb_what_is_received() {
    let mut link = Link::new();
    let id = link.server.create_with(Position { x: 0.0, y: 7.0 }).id();
    link.send();
    for n in 1..9 {
        let local = link.mirror.local(id).unwrap();
        link.client.entity_mut(local).replace_position(-1e6, 3e3); // a guess of the client
        link.server.entity_mut(id).replace_position(n as f32, 7.0);
        link.send();
        assert_eq!(
            link.copy(id).position(),
            &Position {
                x: n as f32,
                y: 7.0
            }
        );
    }
}

#[test]
fn programs_with_other_steps_reject_each_other() {
    #[derive(Component, Clone, Serialize, Deserialize)]
    #[component(context = Sea, name = "depth", no_accessors, delta(step = 0.25))]
    struct Depth(f32);

    let mut server = Sea::new();
    let feed = server.feed::<Depth>();
    server.create_with(Depth(1.0));
    let bytes = postcard::to_stdvec(&feed.take(&mut server)).unwrap();
    let at = bytes.windows(4).position(|it| it == b"0.25").unwrap();
    let mut other = bytes.clone();
    other[at + 3] = b'4';
    let error = postcard::from_bytes::<Delta<Sea>>(&other).unwrap_err();
    assert_eq!(error, postcard::Error::SerdeDeCustom);
    let error = serde_json::from_slice::<Delta<Sea>>(&serde_json::to_vec(&other[1..]).unwrap());
    let error = error.unwrap_err().to_string();
    assert!(
        error.contains(
            "component `Depth` is sent with `delta` and the steps `0: 0.24` and has `delta` and the steps `0: \
             0.25` here"
        ),
        "{error}"
    );
}

/// The values at the stamps of a journal belong to a state that is gone.
#[test]
fn an_entity_that_is_created_again_after_a_restore_appears() {
    type Go = fn(&mut Sea, &str, &ecs::Snapshot<Sea>);
    let reload: Go = |sea, text, _| {
        sea.reload(&mut serde_json::Deserializer::from_str(text))
            .unwrap()
    };
    let restore: Go = |sea, _, snapshot| sea.restore(snapshot);
    let reset: Go = |sea, _, _| sea.reset();
    for go in [reload, restore, reset] {
        for (y, moves) in [(1.0, false), (7.0, false), (1.0, true)] {
            let mut link = Link::new();
            let (text, start) = (
                serde_json::to_string(&link.server.save()).unwrap(),
                link.server.snapshot(),
            );
            link.server.create_with(Position { x: 1.0, y: 1.0 });
            link.send();
            if moves {
                let all = link.server.query_mut::<&mut Position>();
                all.for_each(|at| at.x = 2.0);
                link.send();
            }
            go(&mut link.server, &text, &start);
            link.send();
            let id = link.server.create_with(Position { x: 1.0, y }).id();
            link.send();
            assert_eq!(link.copy(id).position().y, y);
            link.server
                .entity_mut(id)
                .update_position(|at| at.x += 0.25);
            link.send();
            assert_eq!(link.copy(id).position(), link.server.entity(id).position());
        }
    }
}

/// Everything is sent with the present values, not with those before the restore.
#[test]
fn everything_after_a_restore_has_the_restored_values() {
    let mut link = Link::new();
    let id = link.server.create_with(Position { x: 1.0, y: 1.0 }).id();
    link.send();
    link.server.entity_mut(id).update_position(|at| at.x = 1.5);
    link.send();
    let start = link.server.snapshot();
    link.server.entity_mut(id).update_position(|at| at.x = 9.0);
    link.send();
    link.server.restore(&start);
    link.send();
    for x in [1.5, 1.75, 2.0] {
        link.server.entity_mut(id).update_position(|at| at.x = x);
        link.send();
        assert_eq!(link.copy(id).position().x, x);
    }
}

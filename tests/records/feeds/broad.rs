//! Feeds of as many components as there can be.

use ecs::prelude::*;
use ecs::{Components, Feed};
use support::{Random, panic_of};

/// Has 65 components.
#[ecs::context]
struct Broad;

/// Puts a component into an entity, takes it away, and reads it.
struct Part {
    put: fn(&mut Broad, Id, u32),
    remove: fn(&mut Broad, Id),
    get: fn(&Broad, Id) -> Option<u32>,
    show: fn(&mut Feed<Broad>, &[Id]),
}

type Id = EntityId<Broad>;

macro_rules! parts {
    ($(($($name:ident)*))*) => {
        $($(
            #[derive(Component, Clone)]
            #[component(context = Broad, no_accessors)]
            struct $name(u32);
        )*)*

        type All = ($(($($name,)*),)*);

        const PARTS: &[Part] = &[$($(Part {
            put: |game, id, value| _ = game.entity_mut(id).replace($name(value)),
            remove: |game, id| {
                if game.entity(id).has::<$name>() {
                    game.entity_mut(id).remove::<$name>();
                }
            },
            get: |game, id| game.entity(id).get::<$name>().map(|it| it.0),
            show: |feed, ids| feed.set_visible::<$name>(ids.iter().copied()),
        },)*)*];
    };
}

parts! {
    (A0 A1 A2 A3 A4 A5 A6 A7) (B0 B1 B2 B3 B4 B5 B6 B7) (C0 C1 C2 C3 C4 C5 C6 C7) (D0 D1 D2 D3 D4 D5 D6 D7)
    (E0 E1 E2 E3 E4 E5 E6 E7) (F0 F1 F2 F3 F4 F5 F6 F7) (G0 G1 G2 G3 G4 G5 G6 G7) (H0 H1 H2 H3 H4 H5 H6 H7)
}

#[derive(Component, Clone)]
#[component(context = Broad)]
struct OneMore;

/// The values of an entity, of components that a feed shows.
fn values(game: &Broad, id: Id, hidden: Option<usize>) -> Vec<Option<u32>> {
    let shown = PARTS.iter().enumerate();
    let of = |(at, part): (usize, &Part)| (part.get)(game, id).filter(|_| hidden != Some(at));
    shown.map(of).collect()
}

#[test]
fn a_mirror_of_64_components_equals_its_origin() {
    assert_eq!(PARTS.len(), 64);
    let mut random = Random(64);
    for acknowledges in [false, true] {
        let (mut origin, mut copy, mut mirror) = (Broad::new(), Broad::new(), Mirror::new());
        let ids: Vec<Id> = (0..8).map(|_| origin.create_entity().id()).collect();
        let mut feed = origin.feed::<All>();
        if acknowledges {
            feed.acknowledge(&mut origin, 0);
        }
        for round in 0..200 {
            for _ in 0..random.below(12) {
                let (id, part) = (
                    ids[random.below(8) as usize],
                    &PARTS[random.below(64) as usize],
                );
                match random.below(3) {
                    0 => (part.remove)(&mut origin, id),
                    _ => (part.put)(&mut origin, id, round),
                }
            }
            // From the middle on, the last component is hidden, but of one entity.
            let hidden = (round >= 100).then_some(63);
            if hidden.is_some() {
                (PARTS[63].show)(&mut feed, &ids[..1]);
            }
            let delta = feed.take(&mut origin);
            if acknowledges && random.below(3) == 0 {
                continue; // it is lost
            }
            mirror.apply(&mut copy, &delta).unwrap();
            if acknowledges {
                feed.acknowledge(&mut origin, delta.number());
            }
            for (at, &id) in ids.iter().enumerate() {
                let expected = values(&origin, id, hidden.filter(|_| at > 0));
                let none = vec![None; 64];
                let received = mirror.local(id).filter(|id| copy.contains(*id));
                let received = received.map_or(none, |id| values(&copy, id, None));
                assert_eq!(received, expected, "{id} in round {round}");
            }
        }
    }
}

#[test]
fn there_are_no_feeds_of_more() {
    fn feed<T: Components<Broad>>() -> String {
        panic_of(|| _ = Broad::new().feed::<T>())
    }
    let text = feed::<(All, OneMore)>();
    assert!(text.contains("at most 64 components, not 65"), "{text}");
}

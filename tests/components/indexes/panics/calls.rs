//! The changes that a key interrupts.

use ecs::Mut;
use ecs::prelude::*;
use support::game::Game;

use super::{
    Berth, BerthMutExt, Key, Mark, MarkMutExt, Marks, MarksMutExt, World, mark, marks, seat,
};

/// Drops the result of a change.
pub(super) fn done<T>(_: T) {}

/// Changes of one entity that update indexes.
pub(super) const CHANGES: [fn(&mut World); 16] = [
    |w| done(w.game.create_with((mark(2), marks(&[0, 2]), seat(6))).id()),
    |w| done(w.game.create_entity().add(mark(1)).id()),
    |w| done(w.game.entity_mut(w.ids[0]).replace(mark(1)).id()),
    |w| done(w.game.entity_mut(w.ids[0]).replace(mark(0)).id()),
    |w| done(w.game.entity_mut(w.ids[0]).replace(marks(&[4, 1, 6])).id()),
    |w| done(w.game.entity_mut(w.ids[0]).replace(seat(6)).id()),
    |w| w.game.entity_mut(w.ids[1]).update_mark(|mark| mark.0.0 = 3),
    |w| {
        w.game
            .entity_mut(w.ids[1])
            .update_marks(|marks| marks.0.truncate(1))
    },
    |w| {
        w.game
            .entity_mut(w.ids[1])
            .update_berth(|seat| seat.0.0 = 6)
    },
    |w| {
        done(
            w.game
                .entity_mut(w.ids[1])
                .remove_mark()
                .remove_marks()
                .remove_berth()
                .id(),
        )
    },
    |w| done(w.game.entity_mut(w.ids[1]).take_marks()),
    |w| done(w.game.entity_mut(w.ids[1]).remove_all().id()),
    |w| w.game.destroy(w.ids[2]),
    |w| done(w.game.entity_mut(w.ids[0]).swap::<Mark>(w.ids[1]).id()),
    |w| done(w.game.entity_mut(w.ids[0]).swap::<Berth>(w.ids[1]).id()),
    |w| {
        let ids = w.game.create_many([(), ()]);
        let _ = w
            .game
            .many(&ids)
            .try_add_with(|id| marks(&[id.index() as u8, 1]));
        let _ = w.game.many(&w.ids).try_remove::<Mark>();
    },
];

/// A save of two more entities.
const SAVE: &str = r#"{
    "format": 1,
    "context": "Game",
    "entities": {
        "0v1": { "Mark": 2, "Marks": [0, 2], "Berth": 6 },
        "1v1": { "Mark": 0, "Marks": [3], "Berth": 7 }
    }
}"#;

/// Loads a context.
pub(super) fn load() -> Game {
    let mut save = serde_json::Deserializer::from_str(SAVE);
    Game::load(&mut save).expect("a good save")
}

/// Changes of many entities in one call.
pub(super) const FOR_MANY: [fn(&mut World); 18] = [
    |w| {
        w.game
            .query_mut::<&mut Mark>()
            .for_each(|mark| mark.0.0 += 1)
    },
    |w| {
        w.game
            .query_mut::<&mut Marks>()
            .for_each(|marks| marks.0.truncate(2))
    },
    |w| {
        let query = w.game.query_mut::<(Mut<'_, Mark>, &Berth)>();
        query.for_each(|(mut mark, seat)| {
            if seat.0.0 > 1 {
                mark.0.0 = 3;
            }
        });
    },
    |w| {
        let query = w.game.query_mut::<(&mut Mark, &mut Marks)>();
        done(query.get(w.ids[1], |(mark, marks)| {
            mark.0.0 = 6;
            marks.0.push(Key::new(9));
        }));
    },
    |w| w.game.many(&w.ids[1..]).replace_with(|_| mark(3)),
    |w| {
        w.game
            .many(&w.ids)
            .replace_with(|id| marks(&[id.index() as u8, 6]));
    },
    |w| {
        w.game
            .many(&w.ids)
            .replace_with(|id| seat(id.index() as u8 + 10));
    },
    |w| {
        w.game
            .many(&w.ids)
            .update(|_, mark: &mut Mark| mark.0.0 = 4);
    },
    |w| {
        w.game
            .many(&w.ids)
            .update(|_, seat: &mut Berth| seat.0.0 += 10);
    },
    |w| w.game.many(&w.ids[..3]).remove::<Marks>(),
    |w| w.game.many(&w.ids[1..3]).destroy(),
    |w| {
        let values = (vec![mark(2), mark(0)], vec![marks(&[0, 2]), marks(&[3])]);
        done(
            w.game
                .create_columns((values.0, values.1, vec![seat(6), seat(7)])),
        );
    },
    |w| {
        done(
            w.game
                .create_many((6..9).map(|n| (mark(n % 2), marks(&[n]), seat(n)))),
        )
    },
    |w| {
        let mut entity = w.game.create_entity();
        done(entity.insert((mark(2), marks(&[0, 2]), seat(6))).id());
    },
    |w| w.game.destroy_all(),
    |w| w.game.reset(),
    |w| {
        let mut save = serde_json::Deserializer::from_str(SAVE);
        done(w.game.merge(&mut save).expect("a good save"));
    },
    |w| {
        let marked = w.game.group(Game::all_of::<Mark>());
        done(marked.remove_from_all::<Mark>(&mut w.game));
        done(marked.destroy_all(&mut w.game));
    },
];

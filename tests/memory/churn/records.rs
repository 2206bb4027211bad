//! Feeds, mirrors, histories, snapshots, saves, undo stacks, command buffers and templates.

use std::hint::black_box;

use ecs::prelude::*;
use ecs::{Mirror, Template, UndoStack};

use super::*;

pub(super) fn feeds(game: &mut Field) -> Frame {
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

pub(super) fn mirrors(game: &mut Field) -> Frame {
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
pub(super) fn histories(game: &mut Field) -> Frame {
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
pub(super) fn snapshots(game: &mut Field) -> Frame {
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

pub(super) fn saves(_: &mut Field) -> Frame {
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

pub(super) fn undo_stacks(game: &mut Field) -> Frame {
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

pub(super) fn command_buffers(_: &mut Field) -> Frame {
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

pub(super) fn templates(game: &mut Field) -> Frame {
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

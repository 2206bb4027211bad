//! A component with `many` and the relation to its owner are a pair: no operation has one without the other.

use ecs::prelude::*;
use ecs::{CloneOptions, CommandBuffer, Expire, History, OnConflict, Snapshot, Template};

use super::*;

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game, many, alias = "Perk")]
struct Buff(u32);

fn buffs(game: &Game, id: Id) -> Vec<u32> {
    game.entity(id).all_buff().map(|(_, buff)| buff.0).collect()
}

/// An entity with two of them.
fn buffed(game: &mut Game) -> (Id, [Id; 2]) {
    let ann = named(game, "Ann");
    let mut owner = game.entity_mut(ann);
    (ann, [1, 2].map(|it| owner.add_buff(it)))
}

#[test]
fn an_entity_that_is_no_entry_is_rejected() {
    let mut game = Game::new();
    let (ann, [entry, _]) = buffed(&mut game);
    let name = Name("Bob".into());
    let is_rejected = |error: ecs::Error| assert_eq!(error.kind(), ErrorKind::NotAnEntry);
    is_rejected(
        game.try_create_with((name.clone(), Buff(3)))
            .map(drop)
            .unwrap_err(),
    );
    is_rejected(game.entity_mut(ann).try_add(Buff(3)).map(drop).unwrap_err());
    is_rejected(
        game.entity_mut(ann)
            .try_replace(Buff(3))
            .map(drop)
            .unwrap_err(),
    );
    is_rejected(game.try_create_many([Buff(3)]).unwrap_err());
    is_rejected(game.try_create_columns(vec![Buff(3)]).unwrap_err());
    is_rejected(game.many(&[ann]).try_add(Buff(3)).unwrap_err());
    let template = Template::new().with(name).with(Buff(3));
    is_rejected(template.try_create(&mut game).map(drop).unwrap_err());
    let mut buffer = CommandBuffer::new();
    buffer.add(ann, Buff(3));
    assert!(buffer.try_apply(&mut game).is_err());
    let file = r#"{ "0v1": { "Name": "Bob", "Buff": 3 } }"#;
    let template: Template<Game> = serde_json::from_str(file).unwrap();
    let error = template
        .try_create(&mut game)
        .map(drop)
        .unwrap_err()
        .to_string();
    assert!(error.contains("use `add_buff` of the owner"), "{error}");
    let save = serde_json::to_string(&game.save()).unwrap();
    let save = save.replace("EntryOf<Buff>", "Former");
    let mut source = serde_json::Deserializer::from_str(&save);
    let error = ecs::Loader::<Game>::new()
        .skip_unknown()
        .load(&mut source)
        .unwrap_err();
    assert!(
        error.to_string().contains("use `add_buff` of the owner"),
        "{error}"
    );
    assert_eq!((game.len(), buffs(&game, ann)), (3, vec![1, 2]));

    game.entity_mut(entry)
        .replace(Buff(4))
        .update(|buff: &mut Buff| buff.0 += 1);
    let relation = EntryOf::<Game, Buff>::new(ann);
    for bundle in [true, false] {
        match bundle {
            true => game.create_with((relation, Buff(6))),
            false => game.create_with((Buff(7), relation)),
        };
    }
    game.create_columns((vec![Buff(8)], vec![relation]));
    assert_eq!(buffs(&game, ann), [5, 2, 6, 7, 8]);
    game.storage().check_invariants();
}

#[test]
fn an_entry_ends_with_its_component() {
    let mut game = Game::new();
    let (ann, entries) = buffed(&mut game);
    game.entity_mut(entries[0]).remove::<Buff>();
    assert_eq!((game.len(), buffs(&game, ann)), (2, vec![2]));
    assert_eq!(
        game.entity_mut(entries[1]).try_take::<Buff>(),
        Ok(Some(Buff(2)))
    );
    assert_eq!((game.len(), buffs(&game, ann)), (1, vec![]));
    assert!(game.entity_mut(ann).try_remove::<Buff>().is_err());
    let more = [3, 4, 5].map(|it| game.entity_mut(ann).add_buff(it));
    assert!(game.many(&[more[0], ann]).try_remove::<Buff>().is_err());
    game.entity_mut(more[0]).remove::<EntryOf<Game, Buff>>();
    game.many(&more[1..2]).remove::<Buff>();
    assert_eq!((game.len(), buffs(&game, ann)), (2, vec![5]));
    Expire::remove(|_: &Game, buff: &Buff| buff.0 == 5).execute(&mut game);
    assert_eq!((game.len(), buffs(&game, ann)), (1, vec![]));
    game.storage().check_invariants();
}

#[test]
fn a_scope_has_both_or_neither() {
    let mut game = Game::new();
    let (ann, [entry, _]) = buffed(&mut game);
    let mut edits = UndoStack::<Game>::only::<(Name, Buff)>();
    edits.step(&mut game, "Remove", |game| {
        game.entity_mut(ann).remove_buff(entry);
    });
    edits.undo(&mut game);
    assert_eq!(buffs(&game, ann).len(), 2);
    edits.redo(&mut game);
    edits.undo(&mut game);
    assert_eq!(game.entity(entry).get(), Some(&Buff(1)));

    let part = serde_json::to_string(&game.save().only([ann]).without::<Buff>()).unwrap();
    let same = serde_json::to_string(&game.save().without::<Buff>().only([ann])).unwrap();
    assert_eq!(part, same);
    let ids = game
        .merge(&mut serde_json::Deserializer::from_str(&part))
        .unwrap();
    assert_eq!((ids.len(), game.len()), (1, 4));

    let snapshot = Snapshot::builder().without::<Buff>().snapshot(&mut game);
    let mut other = Game::new();
    other.restore(&snapshot);
    assert!(other.query::<&EntryOf<Game, Buff>>().single().is_none());
    let history = History::builder().without::<Buff>().record(&mut game);
    let mark = history.mark(&mut game);
    game.entity_mut(entry).replace(Buff(9));
    history.rewind(&mut game, mark);
    assert_eq!(buffs(&game, ann), [9, 2]);

    let feed = game.feed::<(Name, Buff)>();
    let (mut copy, mut mirror) = (Game::new(), Mirror::new());
    mirror.apply(&mut copy, &feed.take(&mut game)).unwrap();
    assert_eq!(buffs(&copy, mirror.local(ann).unwrap()), [9, 2]);
}

#[test]
fn a_copy_to_an_entity_that_would_lack_entries_is_rejected() {
    let mut game = Game::new();
    let (ann, _) = buffed(&mut game);
    let bob = named(&mut game, "Bob");
    let copying = CloneOptions::all().on_conflict(OnConflict::Replace);
    let error = copying.try_copy(&mut game, ann, bob).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DescendantsNotCopied);
    assert_eq!(game.entity(bob).name().0, "Bob");
    copying.without::<Buff>().copy(&mut game, ann, bob);
    assert_eq!((game.entity(bob).name().0.as_str(), game.len()), ("Ann", 4));
}

#[test]
fn a_former_name_is_one_of_the_relation_too() {
    let mut game = Game::new();
    let (ann, _) = buffed(&mut game);
    let text = serde_json::to_string(&game.save()).unwrap();
    let former = text
        .replace("EntryOf<Buff>", "EntryOf<Perk>")
        .replace("\"Buff\"", "\"Perk\"");
    assert_ne!(former, text);
    let loaded = Game::load(&mut serde_json::Deserializer::from_str(&former)).unwrap();
    assert_eq!(buffs(&loaded, ann), [1, 2]);
}

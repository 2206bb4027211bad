//! The public calls that run user code, each with the observer that replaces the context.

use ecs::UndoStack;
use ecs::prelude::*;

use super::{Game, GameEntityMut, Health, Hit, Name, Observed, Scene};

/// A public call, with the observer that acts inside it.
pub(super) type Call = (&'static str, Observed, fn(&mut Scene));

pub(super) fn calls() -> Vec<Call> {
    use Observed as O;
    let mut calls = one_entity();
    calls.extend(many_entities());
    calls.extend(dynamic());
    calls.extend(templates());
    calls.extend(groups());
    calls.extend(closures());
    calls.extend::<[Call; 11]>([
        ("group", O::GroupCreated, |s| {
            s.game.group(Game::all_of::<Name>());
        }),
        ("collector", O::GroupCreated, |s| {
            let trigger = Game::all_of::<Name>().entered();
            let trigger = trigger.or(Game::all_of::<(Name, Hit)>().entered());
            _ = s.game.collector(trigger);
        }),
        ("removed_values", O::GroupCreated, |s| {
            _ = s.game.removed_values::<Name>();
        }),
        ("entity_index", O::GroupCreated, |s| {
            _ = s.game.entity_index(Game::all_of::<Name>(), |e| e.name().0);
        }),
        ("on_any_set", O::GroupCreated, |s| {
            s.game.events().on_set::<Name>(|_| ());
        }),
        ("on_removed", O::GroupCreated, |s| {
            s.game.entity_mut(s.ids[0]).on_removed::<Name>(|_| ());
        }),
        ("cleanup_systems", O::GroupCreated, |s| {
            _ = CleanupSystems::new(&mut s.game);
        }),
        ("cleanup_systems().run", O::HitLeft, |s| {
            CleanupSystems::new(&mut s.game).run(&mut s.game);
        }),
        ("deliver_events, set", O::Set, |s| {
            s.game.entity_mut(s.ids[1]).replace_health(7);
            s.game.events().deliver();
        }),
        ("deliver_events, removed", O::Removed, |s| {
            s.game.entity_mut(s.ids[0]).remove_health();
            s.game.events().deliver();
        }),
        ("replay", O::Nothing, |s| {
            let thief = s.thief.clone();
            let listener = move |mut entity: GameEntityMut<'_>| thief.act(entity.context_mut());
            let subscription = s.game.on_any_health_set(listener);
            s.game.events().replay(subscription);
        }),
    ]);
    calls
}

/// Calls that pass the context to a closure, and continue with what they know of it.
fn closures() -> Vec<Call> {
    use Observed as O;
    vec![
        ("Group::for_each", O::Nothing, |s| {
            let (thief, group) = (s.thief.clone(), s.game.group(Game::all_of::<Health>()));
            group.for_each(&mut s.game, |mut entity| thief.act(entity.context_mut()));
        }),
        ("Systems::for_each_changed", O::Nothing, |s| {
            let (thief, trigger) = (s.thief.clone(), Game::all_of::<Health>().updated());
            let each = move |game: &mut Game, _| thief.act(game);
            let systems = Systems::new();
            let mut systems = systems.for_each_changed(&mut s.game, trigger, each);
            s.game.many(&s.ids).update::<Health>(|_, _| ());
            systems.execute(&mut s.game);
        }),
        ("Systems::for_each_in", O::Nothing, |s| {
            let thief = s.thief.clone();
            let each = move |game: &mut Game, _| thief.act(game);
            let systems = Systems::new();
            let mut systems = systems.for_each_in(&mut s.game, Game::all_of::<Health>(), each);
            systems.execute(&mut s.game);
        }),
        ("Systems::on_message", O::Nothing, |s| {
            let (thief, inbox) = (s.thief.clone(), s.game.inbox::<EntityId<Game>>());
            s.ids.iter().for_each(|&id| s.game.send(id));
            let each = move |game: &mut Game, _: &EntityId<Game>| thief.act(game);
            Systems::new().on_message(inbox, each).execute(&mut s.game);
        }),
        ("Context::on_message", O::Nothing, |s| {
            let thief = s.thief.clone();
            s.game.on_message(move |game, _: &u8| thief.act(game));
            s.game.send(7_u8);
        }),
        ("Observers::on_change", O::Nothing, |s| {
            let thief = s.thief.clone();
            s.game.observers().on_change(move |game, _| thief.act(game));
            s.game.entity_mut(s.ids[0]).replace_health(9).add_name("x");
        }),
        ("GameEntityMut::on_change", O::Nothing, |s| {
            let (thief, mut entity) = (s.thief.clone(), s.game.entity_mut(s.ids[0]));
            entity.on_change(move |game, _| thief.act(game));
            entity.replace_health(9).add_name("x");
        }),
        ("CommandBuffer::run", O::Nothing, |s| {
            let (thief, mut buffer) = (s.thief.clone(), CommandBuffer::new());
            buffer.run(move |game| thief.act(game));
            buffer.destroy(s.ids[0]);
            buffer.apply(&mut s.game);
        }),
        ("IndexHandle::with", O::Nothing, |s| {
            let thief = s.thief.clone();
            let healths = Game::all_of::<Health>();
            let list = s
                .game
                .index_with(healths, |e| e.health().0, ecs::Ordered::new());
            list.with(&mut s.game, |game, _| thief.act(game));
        }),
        ("UndoStack::step", O::Nothing, |s| {
            let (thief, id) = (s.thief.clone(), s.ids[0]);
            let mut edits = UndoStack::only::<Health>();
            edits.step(&mut s.game, "step", |game| {
                game.entity_mut(id).replace_health(50);
                thief.act(game);
            });
            edits.undo(&mut s.game);
        }),
        ("UndoStack::amend", O::Nothing, |s| {
            let (thief, id) = (s.thief.clone(), s.ids[0]);
            let mut edits = UndoStack::only::<Health>();
            edits.step(&mut s.game, "step", |game| {
                game.entity_mut(id).replace_health(50);
            });
            edits.amend(&mut s.game, |game| thief.act(game));
            edits.undo(&mut s.game);
        }),
    ]
}

fn one_entity() -> Vec<Call> {
    use Observed as O;
    vec![
        ("create_entity", O::Created, |s| {
            s.game.create_entity();
        }),
        ("create_with", O::Created, |s| {
            s.game.create_with((Health(1), Name("new")));
        }),
        ("create_with, entered", O::Entered, |s| {
            s.game.create_with((Health(1), Name("new")));
        }),
        ("add", O::HitLeft, |s| {
            s.game.entity_mut(s.ids[0]).remove_hit().add_name("added");
        }),
        ("replace", O::Updated, |s| {
            s.game.entity_mut(s.ids[0]).replace_health(9).add_name("x");
        }),
        ("update", O::Updated, |s| {
            let mut entity = s.game.entity_mut(s.ids[0]);
            entity.update_health(|h| h.0 += 1);
            entity.add_name("x");
        }),
        ("remove", O::Left, |s| {
            s.game.entity_mut(s.ids[0]).remove_health().add_name("x");
        }),
        ("take", O::Left, |s| {
            s.game.entity_mut(s.ids[0]).take_health();
        }),
        ("remove_all", O::Left, |s| {
            s.game.entity_mut(s.ids[0]).remove_all();
        }),
        ("swap", O::Updated, |s| {
            s.game.entity_mut(s.ids[0]).swap::<Health>(s.ids[1]);
        }),
        ("destroy, will be", O::WillBeDestroyed, |s| {
            s.game.destroy(s.ids[0]);
        }),
        ("destroy, left", O::Left, |s| s.game.destroy(s.ids[0])),
        ("destroy, destroyed", O::Destroyed, |s| {
            s.game.destroy(s.ids[0]);
        }),
        ("clone_entity", O::Entered, |s| {
            s.game.clone_entity(s.ids[0]);
        }),
        ("copy_to", O::Updated, |s| {
            CloneOptions::all().on_conflict(OnConflict::Replace).copy(
                &mut s.game,
                s.ids[0],
                s.ids[1],
            );
        }),
        ("set a unique one", O::ScoreEntered, |s| {
            s.game.set_score(1);
        }),
        ("replace a unique one", O::ScoreUpdated, |s| {
            s.game.set_score(1);
            s.game.set_score(2);
            assert_eq!(s.game.score().0, 2);
        }),
        ("set a unique flag", O::PausedEntered, |s| {
            s.game.set_paused(true);
        }),
    ]
}

fn many_entities() -> Vec<Call> {
    use Observed as O;
    vec![
        ("create_many", O::Created, |s| {
            s.game.create_many((0..3).map(|n| (Health(n), Name("new"))));
        }),
        ("create_many, entered", O::Entered, |s| {
            s.game.create_many((0..3).map(Health));
        }),
        ("add_many", O::Entered, |s| {
            s.game.many(&s.ids[..2]).remove::<Health>();
            s.game.many(&s.ids[..2]).add_with(|_| Health(1));
        }),
        ("replace_many", O::Updated, |s| {
            s.game.many(&s.ids).replace_with(|_| Health(1));
        }),
        ("update_many", O::Updated, |s| {
            s.game.many(&s.ids).update(|_, h: &mut Health| h.0 += 1);
        }),
        ("remove_many", O::Left, |s| {
            s.game.many(&s.ids).remove::<Health>();
        }),
        ("query_mut", O::Updated, |s| {
            s.game.query_mut::<&mut Health>().for_each(|h| h.0 += 1);
        }),
        ("destroy_many", O::WillBeDestroyed, |s| {
            s.game.many(&s.ids).destroy();
        }),
        ("destroy_many, destroyed", O::Destroyed, |s| {
            s.game.many(&s.ids).destroy();
        }),
        ("destroy_many, left", O::Left, |s| {
            s.game.many(&s.ids).destroy();
        }),
        ("destroy_all", O::WillBeDestroyed, |s| s.game.destroy_all()),
        ("destroy_all, destroyed", O::Destroyed, |s| {
            s.game.destroy_all();
        }),
        ("reset", O::WillBeDestroyed, |s| s.game.reset()),
        ("reset, left", O::Left, |s| s.game.reset()),
    ]
}

/// Calls that take a component by index.
fn dynamic() -> Vec<Call> {
    use Observed as O;
    vec![
        ("dynamic, try_add", O::Entered, |s| {
            let index = s.game.components().index_of::<Health>();
            let mut entity = s.game.create_entity();
            _ = entity.dynamic().try_add(index, Box::new(Health(1)));
        }),
        ("dynamic, try_replace", O::Updated, |s| {
            let index = s.game.components().index_of::<Health>();
            let mut entity = s.game.entity_mut(s.ids[0]);
            _ = entity.dynamic().try_replace(index, Box::new(Health(9)));
        }),
        ("dynamic, try_remove", O::Left, |s| {
            let index = s.game.components().index_of::<Health>();
            _ = s.game.entity_mut(s.ids[0]).dynamic().try_remove(index);
        }),
        ("dynamic, try_take", O::Left, |s| {
            let index = s.game.components().index_of::<Health>();
            _ = s.game.entity_mut(s.ids[0]).dynamic().try_take(index);
        }),
    ]
}

fn templates() -> Vec<Call> {
    use Observed as O;
    fn template() -> Template<Game> {
        Template::new().with(Health(7)).with(Name("made"))
    }
    vec![
        ("Template::create", O::Created, |s| {
            template().create(&mut s.game).replace_health(8);
        }),
        ("Template::create, entered", O::Entered, |s| {
            template().create(&mut s.game).replace_health(8);
        }),
        ("Template::create_many", O::Created, |s| {
            template().create_many(&mut s.game, 3);
        }),
        ("Template::create_many, entered", O::Entered, |s| {
            template().create_many(&mut s.game, 3);
        }),
        ("Template::apply_to", O::Updated, |s| {
            template().apply_to(&mut s.game, s.ids[0], OnConflict::Replace);
        }),
        ("Template::apply_to, entered", O::Entered, |s| {
            let id = s.game.create_entity().id();
            template().apply_to(&mut s.game, id, OnConflict::Reject);
        }),
        ("CloneOptions::clone_entity", O::Created, |s| {
            CloneOptions::all()
                .clone_entity(&mut s.game, s.ids[0])
                .replace_health(8);
        }),
    ]
}

/// Calls that change all members of a group, and calls that create entities from lists.
fn groups() -> Vec<Call> {
    use Observed as O;
    fn healthy(s: &mut Scene) -> Group<Game> {
        s.game.group(Game::all_of::<Health>())
    }
    vec![
        ("Group::remove_from_all", O::Left, |s| {
            healthy(s).remove_from_all::<Health>(&mut s.game);
        }),
        ("Group::remove_from_all, hit", O::HitLeft, |s| {
            healthy(s).remove_from_all::<Hit>(&mut s.game);
        }),
        ("Group::destroy_all, will be", O::WillBeDestroyed, |s| {
            healthy(s).destroy_all(&mut s.game);
        }),
        ("Group::destroy_all, left", O::Left, |s| {
            healthy(s).destroy_all(&mut s.game);
        }),
        ("Group::destroy_all, destroyed", O::Destroyed, |s| {
            healthy(s).destroy_all(&mut s.game);
        }),
        ("create_columns", O::Created, |s| {
            _ = s
                .game
                .create_columns((vec![Health(1), Health(2)], vec![Hit, Hit]));
        }),
        ("create_columns, entered", O::Entered, |s| {
            _ = s
                .game
                .create_columns((vec![Health(1), Health(2)], vec![Hit, Hit]));
        }),
    ]
}

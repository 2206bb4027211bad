//! Labels and field attributes for messages, logs and tools.

use std::fmt;

use ecs::Hint;
use ecs::prelude::*;
use support::panic_of;

use crate::late;

/// Has a label, unlike the shared game.
#[ecs::context]
struct Game;

#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game, label)]
struct Name(String);

#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
struct Health(u32);

#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game, unique)]
struct Score(u32);

#[derive(Component, Clone)]
#[component(context = Game)]
struct Seat(#[component(primary_index)] u32);

#[derive(Component, Clone)]
#[component(context = Game)]
struct ChildOf(#[component(relation(on_target_destroyed = reject))] EntityId<Game>);

/// Has a label of two fields.
#[ecs::context]
struct Ranks;

#[derive(Component)]
#[component(context = Ranks, label)]
struct Rank {
    title: &'static str,
    level: u32,
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.title, self.level)
    }
}

/// Has two labels, which is a mistake.
#[ecs::context]
struct Twice;

#[derive(Component)]
#[component(context = Twice, label)]
struct Title(&'static str);

#[derive(Component)]
#[component(context = Twice, label)]
enum Kind {
    #[expect(dead_code, reason = "no entity can have it")]
    Orc,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("orc")
    }
}

fn named(game: &mut Game, name: &str) -> EntityId<Game> {
    game.create_with(Name(name.into())).id()
}

#[test]
fn handles_and_names_show_it() {
    let mut game = Game::new();
    let hero = named(&mut game, "Hero");
    let unnamed = game.create_entity().id();
    assert_eq!(game.name_of(hero).to_string(), r#"0v1 "Hero""#);
    assert_eq!(game.name_of(hero).label(), Some("Hero"));
    assert_eq!(game.name_of(unnamed).to_string(), "1v1");
    let shown = format!("{:?}", game.entity_mut(hero).add_health(3));
    let expected = [r#"0v1 "Hero"("#, r#"Name("Hero")"#, "Health(3)"];
    assert!(expected.iter().all(|part| shown.contains(part)), "{shown}");
    game.destroy(hero);
    assert_eq!(format!("{:?}", game.name_of(hero)), "0v1");
    let taken = named(&mut game, "Orc");
    assert_eq!(game.name_of(hero).label(), None, "not that of {taken}");
}

#[test]
fn a_label_with_several_fields_is_the_display_of_the_type() {
    let mut ranks = Ranks::new();
    let id = ranks.create_entity().add_rank("Captain", 3).id();
    assert_eq!(ranks.name_of(id).to_string(), r#"0v1 "Captain 3""#);
    assert!(ranks.components().find("Rank").unwrap().is_label());
}

#[test]
fn a_context_without_labels_shows_ids() {
    let mut game = late::Game::new();
    let id = game.create_entity().id();
    assert_eq!(game.name_of(id).to_string(), "0v1");
}

#[test]
fn errors_name_the_entity() {
    let mut game = Game::new();
    let hero = named(&mut game, "Hero");
    let error = game
        .entity_mut(hero)
        .try_remove_health()
        .map(drop)
        .unwrap_err();
    let text = error.to_string();
    assert!(
        text.starts_with(r#"cannot remove component `Health` from entity 0v1 "Hero" of"#),
        "{text}"
    );
    let panic = panic_of(|| game.entity_mut(hero).update_health(|_| ()));
    assert!(
        panic.contains(r#"entity 0v1 "Hero" of context `Game`"#),
        "{panic}"
    );
    let error = game.many(&[hero]).try_remove::<Health>().unwrap_err();
    assert!(error.to_string().contains(r#"0v1 "Hero""#), "{error}");
    let error = game
        .entity_mut(hero)
        .try_add_all((Health(1), Name("x".into())))
        .map(drop)
        .unwrap_err();
    assert!(error.to_string().contains(r#"0v1 "Hero""#), "{error}");
    game.destroy(hero);
    let error = game.try_destroy(hero).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("cannot destroy entity 0v1 of context"),
        "{error}"
    );
}

#[test]
fn errors_name_the_entity_in_the_way() {
    let mut game = Game::new();
    let hero = named(&mut game, "Hero");
    game.entity_mut(hero).add_score(1).add_seat(7);
    let mut orc = game.create_with(Name("Orc".into()));
    let error = orc.try_add_score(2).map(drop).unwrap_err().to_string();
    assert!(error.contains(r#"to entity 1v1 "Orc" of"#), "{error}");
    assert!(error.contains(r#"entity 0v1 "Hero" has it"#), "{error}");
    let error = orc.try_add_seat(7).map(drop).unwrap_err().to_string();
    assert!(
        error.contains(r#"entity 0v1 "Hero" has the `value` 7"#),
        "{error}"
    );
    let child = game.create_with((Name("Boots".into()), ChildOf(hero))).id();
    let error = game.try_destroy(hero).unwrap_err().to_string();
    assert!(
        error.contains(&format!(r#"entity {child} "Boots" refers to it"#)),
        "{error}"
    );
}

#[test]
fn copies_rewinds_and_saves_keep_it() {
    let mut game = Game::new();
    let hero = named(&mut game, "Hero");
    let history = game.record();
    let before = history.mark(&mut game);
    game.entity_mut(hero).replace_name("Villain".into());
    assert_eq!(game.name_of(hero).label(), Some("Villain"));
    let last = history.changes(&game).last().unwrap().to_string();
    assert_eq!(last, r#"0v1 "Villain" replaced Name, was Name("Hero")"#);
    history.rewind(&mut game, before);
    assert_eq!(game.name_of(hero).label(), Some("Hero"));
    let copy = game.fork();
    assert_eq!(copy.name_of(hero).label(), Some("Hero"));
}

#[test]
fn two_labels_are_rejected_by_name_when_a_context_is_made() {
    let panic = panic_of(Twice::new);
    assert!(
        panic.contains("`Kind` and `Title` of context `Twice` are both `label`"),
        "{panic}"
    );
}

/// A component with an unnamed field.
#[derive(Component, Clone)]
#[component(context = Game)]
struct Glow(#[component(color)] u32);

/// A component whose accessors take the whole value.
#[derive(Component, Clone)]
#[component(context = Game, by_value)]
struct Dials {
    #[component(range = -1.5..=0)]
    r#type: f32,
    #[component(hidden)]
    plain: u8,
}

/// Has two unnamed fields, one of them with an attribute.
#[derive(Component, Clone)]
#[component(context = Game)]
struct Pair(u8, #[component(range = 1..=2)] u8);

#[test]
fn hints_say_where_the_field_is() {
    let mut game = Game::new();
    let dials = Dials {
        r#type: 0.5,
        plain: 1,
    };
    let mut entity = game.create_entity();
    let dials = entity.add_glow(1).add_pair(2, 3).add_dials(dials).dials();
    assert_eq!(
        (dials.r#type, dials.plain),
        (0.5, 1),
        "any value can be written"
    );
    let hints = |name| {
        let hints = game.components().find(name).unwrap().hints().iter();
        hints.map(|it| (it.path, it.hint)).collect::<Vec<_>>()
    };
    assert_eq!(hints("Glow"), [("", Hint::Color)]);
    assert_eq!(hints("Pair"), [("/1", Hint::Range { from: 1.0, to: 2.0 })]);
    let range = Hint::Range {
        from: -1.5,
        to: 0.0,
    };
    assert_eq!(hints("Dials"), [("/type", range), ("/plain", Hint::Hidden)]);
    assert_eq!(hints("Health"), []);
}

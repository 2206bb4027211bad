//! Scripts that know components by name only: rules in Rhai, through `dynamic()`.
//!
//! ```text
//! cargo run -p scripting           in examples/neighbours
//! ```
//!
//! The rules are in `rules.rhai`. What to look at:
//!
//! - **One bridge for all components** ([`read`], [`write`]): a component found by name, its value
//!   translated by serde. A new component needs no line here.
//! - **Scripts react**: a function `on_Health` is called with each entity whose `Health` has changed
//!   ([`systems`]). What scripts write is reported like any other write.
//! - **Scripts borrow the context** while they run, through a [`Scoped`]: no `Rc`, no `RefCell`.
//! - **Mistakes are errors** that name the component, the script and the line.

use ecs::prelude::*;
use ecs::{ComponentIndex, Scoped};
use rhai::serde::to_dynamic;
use rhai::{AST, Array, Dynamic, Engine, EvalAltResult, FuncArgs, Scope};
use serde::de::IntoDeserializer;
use serde::{Deserialize, Serialize};

#[ecs::context]
struct Game;

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game)]
struct Position {
    x: i64,
    y: i64,
}

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game)]
struct Health(i64);

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game)]
struct Name(String);

#[derive(Component)]
#[component(context = Game)]
struct Burning;

#[derive(Contexts)]
struct World {
    game: Game,
    #[contexts(skip)]
    scripts: Scripts,
}

type Id = EntityId<Game>;
type Result<T> = std::result::Result<T, Box<EvalAltResult>>;

/// The rules, and the context while they run.
struct Scripts {
    engine: Engine,
    rules: AST,
    game: Scoped<Game>,
}

impl Scripts {
    fn new(source: &str) -> Result<Self> {
        let (mut engine, game) = (Engine::new(), Scoped::new());
        register(&mut engine, &game);
        let rules = engine.compile(source)?;
        Ok(Self {
            engine,
            rules,
            game,
        })
    }

    /// Calls a function of the rules.
    fn call(&self, game: &mut Game, function: &str, arguments: impl FuncArgs) -> Result<()> {
        let mut scope = Scope::new();
        let call = || (self.engine).call_fn(&mut scope, &self.rules, function, arguments);
        self.game.set(game, call)
    }
}

/// Gives scripts what they can do with entities.
fn register(engine: &mut Engine, game: &Scoped<Game>) {
    engine.register_type_with_name::<Id>("Entity");
    let at = game.clone();
    engine.register_fn("create", move || at.with(|game| game.create_entity().id()));
    let at = game.clone();
    engine.register_fn("destroy", move |id: Id| {
        at.with(|game| game.try_destroy(id).map_err(failed))
    });
    let at = game.clone();
    engine.register_fn("all", move |name: &str| at.with(|game| all(game, name)));
    let at = game.clone();
    engine.register_fn("contains", move |id: &mut Id, name: &str| {
        at.with(|game| has(game, *id, name))
    });
    let at = game.clone();
    engine.register_fn("remove", move |id: Id, name: &str| {
        at.with(|game| remove(game, id, name))
    });
    let at = game.clone();
    engine
        .register_indexer_get(move |id: &mut Id, name: &str| at.with(|game| read(game, *id, name)));
    let at = game.clone();
    engine.register_indexer_set(move |id: &mut Id, name: &str, value: Dynamic| {
        at.with(|game| write(game, *id, name, &value))
    });
}

fn failed(error: ecs::Error) -> Box<EvalAltResult> {
    error.to_string().into()
}

fn component(game: &Game, name: &str) -> Result<ComponentIndex<Game>> {
    match game.components().find(name) {
        Some(info) => Ok(info.index()),
        None => Err(format!("no component is called `{name}`").into()),
    }
}

fn all(game: &mut Game, name: &str) -> Result<Array> {
    let matcher = Matcher::default().all_of_indices([component(game, name)?]);
    Ok(matcher.ids(game).map(Dynamic::from).collect())
}

fn has(game: &Game, id: Id, name: &str) -> Result<bool> {
    let entity = game.try_entity(id).map_err(failed)?;
    Ok(entity.dynamic().has(component(game, name)?))
}

fn read(game: &Game, id: Id, name: &str) -> Result<Dynamic> {
    let component = component(game, name)?;
    let entity = game.try_entity(id).map_err(failed)?;
    let value = entity.dynamic().try_get(component).map_err(failed)?;
    to_dynamic(game.components().value(component, value).expect("its own"))
}

fn write(game: &mut Game, id: Id, name: &str, value: &Dynamic) -> Result<()> {
    let component = component(game, name)?;
    let read = game.components().read(component, value.into_deserializer());
    let value = read.map_err(|error| format!("`{name}` cannot be {value:?}: {error}"))?;
    let mut entity = game.try_entity_mut(id).map_err(failed)?;
    let written = entity.dynamic().try_replace(component, value).map(drop);
    written.map_err(failed)
}

fn remove(game: &mut Game, id: Id, name: &str) -> Result<()> {
    let component = component(game, name)?;
    let mut entity = game.try_entity_mut(id).map_err(failed)?;
    let removed = entity.dynamic().try_remove(component).map(drop);
    removed.map_err(failed)
}

/// Creates the systems: `step`, and a reaction for each function `on_…` of the rules.
fn systems(world: &mut World) -> Result<Systems<World>> {
    let mut systems = Systems::new().add(|world: &mut World| call(world, "step", ()));
    let functions = world.scripts.rules.iter_functions();
    let mut names: Vec<_> = functions.map(|function| function.name.to_owned()).collect();
    names.sort(); // Rhai's order differs between runs
    for name in names {
        if let Some(changed) = name.strip_prefix("on_") {
            let changed = component(&world.game, changed)?;
            let changed = Matcher::<Game>::default().all_of_indices([changed]);
            let trigger = changed.entered_or_updated();
            let react = move |world: &mut World, id: Id| call(world, &name, (id,));
            systems = systems.for_each_changed(world, trigger, react);
        }
    }
    Ok(systems)
}

/// Calls a function of the rules. Errors of Rhai stay on their thread, so its text is what systems return.
fn call(
    world: &mut World,
    function: &str,
    arguments: impl FuncArgs,
) -> std::result::Result<(), String> {
    let World { game, scripts } = world;
    let called = scripts.call(game, function, arguments);
    called.map_err(|error| error.to_string())
}

/// Creates a game that is played by these rules.
fn start(rules: &str) -> Result<(World, Systems<World>)> {
    let (game, scripts) = (Game::new(), Scripts::new(rules)?);
    let mut world = World { game, scripts };
    let systems = systems(&mut world)?;
    for (name, health, x) in [("oak", 2, 3), ("Ann", 6, 5)] {
        let (name, position) = (Name(name.to_owned()), Position { x, y: 4 });
        world
            .game
            .create_with((name, Health(health), position, Burning));
    }
    Ok((world, systems))
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let (mut world, mut systems) = start(include_str!("rules.rhai"))?;
    for step in 1..=3 {
        systems.try_execute(&mut world)?;
        println!("step {step}");
        for entity in world.game.entities() {
            let components = entity.dynamic().iter();
            let values = components.filter_map(|(info, _)| entity.dynamic().debug(info.index()));
            println!("  {:?}", values.collect::<Vec<_>>());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entity<'a>(world: &'a World, name: &str) -> Option<GameEntity<'a>> {
        let mut entities = world.game.entities();
        entities.find(|entity| entity.name().0 == name)
    }

    /// The error of the first step.
    fn error_of(rules: &str) -> String {
        let (mut world, mut systems) = start(rules).unwrap();
        systems.try_execute(&mut world).unwrap_err().to_string()
    }

    #[test]
    fn rules_read_write_create_and_destroy() {
        let (mut world, mut systems) = start(include_str!("rules.rhai")).unwrap();
        systems.try_execute(&mut world).unwrap();
        assert_eq!(entity(&world, "Ann").unwrap().health(), &Health(4));
        assert!(entity(&world, "oak").is_none());
        let ash = entity(&world, "ash of oak").unwrap();
        assert_eq!(ash.position(), &Position { x: 3, y: 4 });
        systems.try_execute(&mut world).unwrap();
        systems.try_execute(&mut world).unwrap();
        let ann = entity(&world, "Ann").unwrap();
        assert_eq!((ann.health(), ann.position().y), (&Health(2), 0));
        assert!(!ann.has_burning());
    }

    #[test]
    fn what_scripts_write_is_reported() {
        let (mut world, mut systems) =
            start("fn step() { let it = all(\"Name\")[1]; it.Health += 1; }").unwrap();
        let healed = world.game.collector(Game::all_of::<Health>().updated());
        systems.try_execute(&mut world).unwrap();
        let healed = healed.drain(&mut world.game);
        assert_eq!(world.game.entity(healed[0]).name().0, "Ann");
        assert_eq!(healed.len(), 1);
    }

    #[test]
    fn errors_say_what_and_where() {
        let error = error_of("fn step() {\n let it = all(\"Name\")[0];\n it.Health = \"much\";\n}");
        assert!(error.contains("`Health` cannot be \"much\""), "{error}");
        assert!(error.contains("line 3"), "{error}");
        let error = error_of("fn step() { let it = all(\"Name\")[0]; destroy(it); it.Health }");
        assert!(
            error.contains("entity 0v1 of context `Game`: it is not alive"),
            "{error}"
        );
        let error = error_of("fn step() {} fn on_Health(it) { it.Fire }");
        assert!(error.contains("no component is called `Fire`"), "{error}");
        assert!(start("fn on_Fire(it) {}").is_err());
    }
}

//! The macros of the `ecs` crate, which re-exports them: `#[ecs::context]` makes a struct a context,
//! `#[derive(Component)]` generates typed methods for a component, `#[derive(Bundle)]` makes a struct of
//! components a bundle, `#[derive(Contexts)]` makes a struct of contexts a world for systems,
//! `#[derive(MapIds)]` finds the ids inside a value, `#[derive(Checksum)]` feeds one to a checksum, and
//! `#[derive(QueryData)]` makes a struct of references an
//! item of queries.
//!
//! An item goes through these stages, called by `spine`:
//!
//! - `parse` reads the item and its attributes, and collects errors;
//! - `model` describes the code to generate: methods as data, in blocks by receiver;
//! - `valid` checks what depends on more than one part of the item;
//! - `emit` writes the code; if there are errors, `fallback` decides for which part of the model.

mod emit;
mod error;
mod fallback;
#[cfg(test)]
mod mistakes;
mod model;
mod parse;
mod reach;
#[cfg(test)]
mod snapshots;
mod spine;
mod valid;

use proc_macro::TokenStream;

/// The root of the repository; `None` in a published package, which has no snapshots and no neighbors.
#[cfg(test)]
fn repository() -> Option<&'static std::path::Path> {
    let package = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    // Cargo adds this file when it packages.
    (!package.join("Cargo.toml.orig").exists()).then(|| package.parent().expect("a folder"))
}

/// Makes a unit struct a context, which owns entities and their components.
///
#[doc = include_str!("pages/context.md")]
///
/// For `Game` this generates, as visible as the struct,
///
/// - `Game` itself, with `new`, `with_capacity` and the trait [`Context`](../ecs/trait.Context.html);
/// - `GameEntity<'_>`, the `Copy` handle that reads an entity;
/// - `GameEntityMut<'_>`, the handle that changes an entity.
///
/// Derived components add their methods to the handles.
///
/// # Arguments
///
/// - `#[ecs::context(local)]`: the context stays on one thread, so its components, observers and listeners need not
///   be `Send + Sync`; see [local contexts](../ecs/guide/systems_and_worlds/index.html#local-contexts).
/// - `#[ecs::context(minimum_free = 1024)]`: so many slots of destroyed entities stay free, and those that have been
///   free the longest are reused first. It takes longer until the generation of a slot in a
///   [compact id](../ecs/struct.EntityId.html#method.compact) repeats, and costs the memory of so many rows. By
///   default, the slot that became free last is reused at once, which keeps entities together in memory.
/// - `#[ecs::context(crate = "path")]` says where to find this library if it has been renamed.
#[proc_macro_attribute]
pub fn context(args: TokenStream, item: TokenStream) -> TokenStream {
    spine::context(args.into(), item.into()).into()
}

/// Makes a struct or an enum a component, and generates typed methods for the entities of its contexts.
///
#[doc = include_str!("pages/component.md")]
///
/// Methods take the fields in order; those of a tuple struct are called `value`, or `value0`, `value1` and
/// so on. An enum is passed as a whole. `update_x` changes a value in place; `update_x_with` changes a clone
/// while the whole context can be read (an extension of several contexts has only `update_with::<X, _>`).
///
/// # Attributes of the type
///
/// They are written inside `#[component(..)]`. Each links to its details and an example at the trait.
///
/// | attribute | meaning | example |
/// | --- | --- | --- |
/// | [`context = path`, `context(A, B)`](../ecs/trait.Component.html#context) | The contexts that the component belongs to; the default is `crate::Game` | `#[component(context(Game, Input))]`<br>`struct Owner(u8);`<br>`input.create_entity().add_owner(2);` |
/// | [`name = ".."`](../ecs/trait.Component.html#name) | The base of the accessors' names; the default is the type's name in snake case | `#[component(name = "pos")]`<br>`struct PositionOnScreen(u16, u16);`<br>`entity.add_pos(3, 4);` |
/// | [`flag_prefix = ".."`](../ecs/trait.Component.html#flag_prefix) | The word in place of `is` before a flag's name | `#[component(flag_prefix = "can")]`<br>`struct Fly;`<br>`entity.can_fly()` |
/// | [`no_accessors`](../ecs/trait.Component.html#no_accessors) | No methods; used by its type | `#[component(no_accessors)]`<br>`struct Velocity(f32, f32);`<br>`entity.get::<Velocity>()` |
/// | [`instances(..)`](../ecs/trait.Component.html#instances) | The instances of a generic type that are components | `#[component(instances(Stat<Mana> as mana))]`<br>`struct Stat<T> { value: u32, kind: T }`<br>`entity.add_mana(4, Mana);` |
/// | [`by_value`](../ecs/trait.Component.html#by_value) | Accessors take the struct instead of its fields | `#[component(by_value)]`<br>`struct Grid { cells: [u8; 4] }`<br>`entity.add_grid(Grid { cells: [1; 4] });` |
/// | [`unique`](../ecs/trait.Component.html#unique) | One entity has it at a time; accessors on the context | `#[component(unique)]`<br>`struct Score(u32);`<br>`game.set_score(3); game.score().0` |
/// | [`unique, state`](../ecs/trait.Component.html#state) | The values are states; systems for transitions | `#[component(unique, state)]`<br>`enum Mode { Menu, Playing }`<br>`systems.on_enter(Mode::Playing, \|game\| ..)` |
/// | [`many`](../ecs/trait.Component.html#many) | An entity has a list of them, each an entity of its own | `#[component(many)]`<br>`struct Mesh(String);`<br>`entity.add_mesh(file); entity.all_mesh()` |
/// | [`requires(A, B = value)`](../ecs/trait.Component.html#requires) | Components that are added with this one, if missing | `#[component(requires(Health = Health(9)))]`<br>`struct Player;`<br>`game.create_with(Player).health().0` |
/// | [`cleanup(remove)`, `cleanup(destroy)`](../ecs/trait.Component.html#cleanup) | A one-frame component: `CleanupSystems` remove it, or destroy its entity | `#[component(cleanup(remove))]`<br>`struct Clicked;`<br>`systems.add(CleanupSystems::new(&mut game))` |
/// | [`event(any(set), self(removed))`](../ecs/trait.Component.html#event) | Listeners to the component, called when `EventSystems` run; `priority = n` | `#[component(event(any(set, removed)))]`<br>`struct Health(u32);`<br>`game.on_any_health_set(\|entity\| ..)` |
/// | [`disables`](../ecs/trait.Component.html#disables) | Groups and queries skip entities that have it | `#[component(disables)]`<br>`struct Disabled;`<br>`entity.set_disabled(true);` |
/// | [`index(grid = 16.0)`](../ecs/trait.Component.html#index-primary_index) | Finds entities by place, in cells of this size | `#[component(index(grid = 16.0))]`<br>`struct Position { x: f32, y: f32 }`<br>`game.entities_by_position().within([x, y], 5.0)` |
/// | [`label`](../ecs/trait.Component.html#label) | The entity's name in errors, logs and tools | `#[component(label)]`<br>`struct Name(String);`<br>`game.name_of(id).to_string()` |
/// | [`hidden`](../ecs/trait.Component.html#hidden-range-color) | The inspector omits the component | `#[component(hidden)]`<br>`struct Seed(u64);` |
/// | [`pooled`, `pooled(keep = 64)`](../ecs/trait.Component.html#pooled) | Memory of removed values is reused | `#[component(pooled)]`<br>`#[derive(Default)] struct Route(Vec<u32>);`<br>`entity.add_route_with(\|route\| route.0.push(3));` |
/// | [`transient`, `version = 2`, `from(1 = Old)`, `alias = ".."`, `former_fields = ".."`](../ecs/trait.Component.html#transient-version-from-alias) | What is saved, and how older saves are read (feature `serde`) | `#[component(version = 2, from(1 = Old))]`<br>`struct Position { x: i32, y: i32 }`<br>`impl From<Old> for Position { .. }` |
/// | [`delta`, `delta(step = 0.01)`](../ecs/trait.Component.html#delta) | Small deltas, numbers by a step | `#[component(delta)] struct Ship {`<br>`name: String,`<br>`#[component(delta(step = 1))] course: f32 }` |
/// | [`extension`](../ecs/trait.Component.html#extension) | The context is in another crate; accessors are traits | `#[component(context = Game, extension)]`<br>`pub struct Score(pub u32);`<br>`use plugin::{ScoreExt, ScoreMutExt};` |
/// | [`crate = ".."`](../ecs/trait.Component.html#crate) | Where this library is, if it was renamed | `#[derive(entities::Component)]`<br>`#[component(crate = "entities")]`<br>`struct Health(u32);` |
///
/// # Attributes of a field
///
/// | attribute | meaning | example |
/// | --- | --- | --- |
/// | [`into`](../ecs/trait.Component.html#into) | The argument is `impl Into` of the field's type | `struct Label(`<br>`#[component(into)] String);`<br>`entity.add_label("hero");` |
/// | [`index`, `index(each)`](../ecs/trait.Component.html#index-primary_index) | Finds entities by the field, or by each of its elements | `struct Name(`<br>`#[component(index)] String);`<br>`game.entities_with_name("Ann")` |
/// | [`primary_index`, `primary_index(each)`](../ecs/trait.Component.html#index-primary_index) | No two entities have the same key | `struct Seat(`<br>`#[component(primary_index)] u32);`<br>`game.entity_with_seat(&7)` |
/// | [`index(ordered)`, `primary_index(ordered)`](../ecs/trait.Component.html#index-primary_index) | Sorts entities by the field | `struct Score(`<br>`#[component(index(ordered))] u32);`<br>`game.entities_by_score().last()` |
/// | [`relation(reverse = children, ..)`](../ecs/trait.Component.html#relation) | The field is the id of another entity, which knows who refers to it | `struct ChildOf {`<br>`#[component(relation(reverse = children))] parent: EntityId<Game> }`<br>`game.entity(ship).children()` |
/// | [`relation(many)`](../ecs/guide/hierarchies/index.html#several-of-a-kind) | An entity has one for each of many targets, with data | `struct Likes {`<br>`#[component(relation(many, reverse = liked_by))] whom: EntityId<Game>, amount: u32 }`<br>`entity.add_likes(whom, 3)` |
/// | [`hidden`, `range = 0..=100`, `color`](../ecs/trait.Component.html#hidden-range-color) | How tools show the field | `struct Lamp {`<br>`#[component(range = 0..=100)]`<br>`power: u8 }` |
///
/// # Indexed fields
///
#[doc = include_str!("pages/indexed_fields.md")]
///
/// # Visibility
///
/// Methods are as visible as the type; those that take fields are as visible as the least visible field, so
/// no private field can be set from outside. If two visibilities cannot be compared, such as
/// `pub(super)` and `pub(in crate::a)`, these methods are private.
#[proc_macro_derive(Component, attributes(component))]
pub fn component(item: TokenStream) -> TokenStream {
    spine::component(item.into()).into()
}

/// Makes types of other crates components of a context, with accessors that take the whole value.
///
/// The name after `as` is the base of the accessors' names. They are as visible as the visibility before the context
/// says. The context is declared in the same crate. A type can be one component of a context; where it has several
/// meanings, or needs an attribute, declare a struct with it as the only field, whose accessors take the same value.
///
/// # Examples
///
#[doc = include_str!("pages/foreign.md")]
#[proc_macro]
pub fn foreign(types: TokenStream) -> TokenStream {
    spine::foreign(types.into()).into()
}

/// Makes a struct of components a bundle, which is added in one change, like the tuple of its fields.
///
/// Each field is a component or another bundle. Matchers take bundles too: `Game::all_of::<Hero>()` matches the
/// entities that have all components of `Hero`. The struct can have any number of fields, and type parameters.
///
/// `#[bundle(crate = "path")]` says where to find this library if it has been renamed.
///
/// # Examples
///
#[doc = include_str!("pages/bundle.md")]
#[proc_macro_derive(Bundle, attributes(bundle))]
pub fn bundle(item: TokenStream) -> TokenStream {
    spine::bundle(item.into()).into()
}

/// Makes a struct of contexts a world for systems: implements `HasContext` for each of them, and
/// `HasContexts` for each pair. Each field is a context of a different type.
///
#[doc = include_str!("pages/contexts.md")]
///
/// `#[contexts(crate = "path")]` on the type says where to find this library if it has been renamed.
#[proc_macro_derive(Contexts, attributes(contexts))]
pub fn contexts(item: TokenStream) -> TokenStream {
    spine::contexts(item.into()).into()
}

/// Makes a struct of references an item of queries, with named fields in place of a tuple.
///
/// Each field is a term of a query: `&'a T`, `&'a mut T`, `Mut<'a, T>`, an `Option` of these,
/// `EntityId<Game>`, `View<'a, Game, T>`, a tuple of terms, or another struct with this derive. The
/// struct has one lifetime, any number of fields, and can have type parameters. Slices are passed as the tuple of
/// the slices of its fields. It works with each context that has the components, and with
/// `query` if all fields only read. It cannot be more visible than its components.
///
/// `#[query_data(crate = "path")]` says where to find this library if it has been renamed.
///
/// # Examples
///
#[doc = include_str!("pages/query_data.md")]
#[proc_macro_derive(QueryData, attributes(query_data))]
pub fn query_data(item: TokenStream) -> TokenStream {
    spine::query_data(item.into()).into()
}

/// Implements `MapIds` for a struct or an enum: maps the ids in each field whose type implements `MapIds`, so that
/// the ids in a copied value refer to the copies. Each type parameter must implement it.
///
/// `#[map_ids(crate = "path")]` on the type says where to find this library if it has been renamed.
#[proc_macro_derive(MapIds, attributes(map_ids))]
pub fn map_ids(item: TokenStream) -> TokenStream {
    spine::map_ids(item.into()).into()
}

/// Implements `Checksum` for a struct or an enum: feeds the number of an enum's variant, and each field by its
/// `Checksum` or else its `Hash`. Each type parameter must implement `Checksum`. Components need it for the
/// types of their fields that have no `Hash`, such as those with floats.
///
/// `#[checksum(skip)]` excludes a field: one that is derived from others, or differs between machines.
/// `#[checksum(crate = "path")]` on the type says where to find this library if it has been renamed.
#[proc_macro_derive(Checksum, attributes(checksum))]
pub fn checksum(item: TokenStream) -> TokenStream {
    spine::checksum(item.into()).into()
}

//! The macros of the `ecs` crate, which re-exports them: `#[ecs::context]` makes a struct a
//! context, `#[derive(Component)]` makes a type a component and gives the context's entities its
//! accessors, `#[derive(Bundle)]` makes a struct of components a bundle, `#[derive(Contexts)]` makes
//! a struct of contexts a world for systems, `#[derive(MapIds)]` finds the ids inside of a value,
//! `#[derive(QueryData)]` makes a struct of references what a query asks for.
//!
//! An item goes from layer to layer:
//!
//! - `parse` reads it and its attributes into the terms of this library, and notes mistakes;
//! - `model` says what is to be written: methods as data, in blocks by what they are called on;
//! - `valid` checks what more than one part of the item decides;
//! - `emit` writes the code; if there are mistakes, `fallback` says for what part of the model.
//!
//! `spine` does these in turn.

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

/// Makes a unit struct a context: `#[ecs::context] pub struct Game;`.
///
/// For `Game` this writes
///
/// - the context itself, with a constructor `new` and the methods that create, find and destroy
///   entities and make groups, collectors and observers;
/// - `GameEntity<'_>`, the `Copy` handle that reads an entity;
/// - `GameEntityMut<'_>`, the handle that changes one.
///
/// All three are as visible as the struct. The derived components add their accessors to the
/// handles.
///
/// `#[ecs::context(crate = "path")]` says where to find this library if it has been renamed.
#[proc_macro_attribute]
pub fn context(args: TokenStream, item: TokenStream) -> TokenStream {
    spine::context(args.into(), item.into()).into()
}

/// Makes a struct or an enum a component, and gives the entities of its contexts its accessors.
///
/// The accessors take the fields, in order: those of a tuple struct are called `value`, or
/// `value0`, `value1` and so on. An enum is taken as a whole. A struct without fields is a flag.
/// `update_x` changes a value in place; `update_x_with` changes a clone while the whole context can
/// be read (an extension of several contexts has it as `update_with::<X, _>` alone).
///
/// # Attributes of the type
///
/// They are written inside `#[component(..)]`.
///
/// - `context = path` or `context(A, B)`: the contexts that the component belongs to. Without it,
///   `crate::Game`. Beside the context, its handles must be found: for `crate::Game` that is
///   `crate::GameEntity` and `crate::GameEntityMut`.
/// - `name = "pos"`: the base of the accessors' names, which is else the type's name in snake case.
/// - `instances(Stat<Health> as health_stat, ..)`, on a type with parameters: each of these is a
///   component of its own, with the accessors `add_health_stat` and so on. Other instances are none.
/// - `by_value`: the accessors take the struct as a whole.
/// - `pooled`: values that are removed or replaced are kept for reuse; `add_x_with` and
///   `replace_x_with` let the caller complete the `Default` value, in the memory of a kept one.
/// - `unique`: at most one entity of a context has the component at a time; a second owner is
///   rejected at the add. The context gets the accessors `has_x`, `x`, `get_x`, `x_entity`, `set_x`,
///   `try_set_x`, `replace_x`, `update_x`, `try_update_x`, `x_mut_untracked`, `remove_x`,
///   `try_remove_x`, `destroy_x_entity` and `try_destroy_x_entity`; for a flag, `has_x`, `is_x`,
///   `x_entity`, `set_x(bool)`, `replace_x` and the last four. An entity from which it is removed on
///   the context ends if it has nothing else.
/// - `state`, beside `unique`: the values are states of the context. `set_x` goes to one, whether the
///   context is in one or not; `Systems::on_enter`, `on_exit` and `while_in` take one. The type is
///   `PartialEq`.
/// - `requires(A, B = value)`: the components that come along with this one, in the same change, to
///   an entity that lacks them.
/// - `cleanup(remove)` or `cleanup(destroy)`: `CleanupSystems` remove the component from all entities
///   that have it, or destroy these.
/// - `event(any(set))`, `event(any(removed))`, `event(self(set))`, `event(self(removed))`, each
///   with or without `priority = n`: methods that add listeners. Those to `any` entity are on the
///   context, `on_any_x_set` and `on_any_x_removed`, those to one on the handle that changes it,
///   `on_x_set` and `on_x_removed`. They are called when events are delivered, by
///   `events().deliver()` or `EventSystems`, events with a lower priority (else 0) first.
///   Several at once are `event(any(set, removed, priority = n), self(set))`; one can also be written
///   `event(any, set)`, of which clippy takes a second one in the same attribute for a repetition.
/// - `extension`: the context lives in another crate, so that the accessors of a `Position` become
///   the traits `PositionExt` (for the handle that reads) and `PositionMutExt` (for the handle that
///   changes), and if it is unique `PositionContextExt`; if it has events, `PositionEventExt`
///   (for the context) and `PositionEventMutExt` (for the handle).
/// - `crate = "path"`: where to find this library if it has been renamed.
///
/// # Attributes of a field
///
/// - `into`: the argument is `impl Into` of the field's type.
/// - `index`: the context finds entities by this field, with `entities_with_x(&key)` for a
///   component of base name `x`. If several fields are indexed, each of them has a method
///   `entities_with_x_field(&key)`, and the first one keeps `entities_with_x(&key)`. See below.
/// - `primary_index`: no two entities have the same key, and `entity_with_x(&key)` finds the one
///   that has it. What would make two have it is rejected, with nothing changed.
/// - `index(each)`, `primary_index(each)`: each element of the field is a key. The field can be all
///   that can be iterated over by reference: a `Vec`, an array, an `Option`, a set.
///
/// - `relation`, or `relation(reverse = children, on_target_destroyed = remove | destroy | keep |
///   reject, acyclic, ordered)` with those of the words that are needed: the field is the
///   `EntityId` of another entity, the target, which knows the entities that lead to it:
///   `entity.children()`, `entity.related::<X>()`. A target that is dead is rejected; so is the entity
///   itself, and, with `acyclic`, one that leads to it. The page `hierarchies` of the guide says the
///   rest. A component with a relation must be `Clone`, as with a `primary_index`.
///
/// # Indexed fields
///
#[doc = include_str!("pages/indexed_fields.md")]
///
/// Lookups take `&key`, also in a borrowed form (`&str` for `String`). A key is `Hash + Eq + Clone +
/// Send + Sync`. An index is up to date whenever user code runs: after `update_x`, inside
/// observers, after a query. So that nothing is written that it does not follow, an indexed
/// component has no `x_mut_untracked`, and a query that asks for it as `&mut` cannot be
/// `untracked`. A component with a `primary_index` must be `Clone`: `update_x` changes a copy, whose
/// key is checked before it takes its place; a query cannot ask for it as `&mut`. Two entities
/// exchange their keys with `game.entity_mut(a).swap::<Seat>(b)`.
///
/// An index uses the group of the entities that have the component. It is there, with this group,
/// from the beginning of the context. With `extension` the lookups are methods of the trait
/// `XIndexExt`.
///
/// The trait `Component` of the library shows each of them at work.
///
/// # Visibility
///
/// The accessors are as visible as the type; those that take fields are as visible as the least
/// visible field, so that no private field can be set from outside. If two visibilities cannot
/// be compared, such as `pub(super)` and `pub(in crate::a)`, these accessors are private.
#[proc_macro_derive(Component, attributes(component))]
pub fn component(item: TokenStream) -> TokenStream {
    spine::component(item.into()).into()
}

/// Makes a struct of components a bundle: it creates entities as the tuple of its fields does.
///
/// Every field is a component or a bundle again. The struct is a bundle of each context that all
/// of its fields are bundles of, and what matchers take: `Game::all_of::<Hero>()` matches the
/// entities that have all of its components. It can have any number of fields, and type parameters.
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

/// Makes a struct of contexts a world for systems: `HasContext` leads from it to each of them, and
/// `HasContexts` to any two at once.
///
/// Every field is a context, each of a type of its own.
///
/// # Attributes
///
/// They are written inside `#[contexts(..)]`.
///
/// - on the type, `crate = "path"`: where to find this library if it has been renamed;
/// - on a field, `skip`: the field is no context, or one that systems do not find by its type.
#[proc_macro_derive(Contexts, attributes(contexts))]
pub fn contexts(item: TokenStream) -> TokenStream {
    spine::contexts(item.into()).into()
}

/// Makes a struct of references what a query asks for: it is lent with each entity, as the tuple of
/// its fields is.
///
/// Every field is a term of a query: `&'a T`, `&'a mut T`, `Mut<'a, T>`, an `Option` of these,
/// `EntityId<Game>`, `View<'a, Game, T>`, a tuple of terms, or a struct with this derive again. The
/// struct has one lifetime, any number of fields, and may have type parameters; what is lent as a
/// slice is the tuple of the slices of its fields. It is good for each context that has its fields, for
/// `query` too if all fields only read. It is at most as visible as the components it asks for.
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

/// Implements `MapIds` for a struct or an enum: the ids in each of its fields become those of copies,
/// if the type of the field implements `MapIds`. Each type parameter has to implement it.
///
/// `#[map_ids(crate = "path")]` on the type says where the library is, if it is not `::ecs`.
#[proc_macro_derive(MapIds, attributes(map_ids))]
pub fn map_ids(item: TokenStream) -> TokenStream {
    spine::map_ids(item.into()).into()
}

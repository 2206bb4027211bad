//! The macros of the `ecs` crate, which re-exports them: `#[ecs::context]` makes a struct a
//! context, `#[derive(Component)]` makes a type a component and gives the context's entities its
//! accessors, `#[derive(Contexts)]` makes a struct of contexts a world for systems.
//!
//! An item is read into `ast` with its attributes (`attr`), checked (`valid`), and expanded
//! (`expand`); where it has mistakes, `fallback` expands what can be told. `spine` does these in
//! turn.

mod ast;
mod attr;
mod contexts;
mod error;
mod expand;
mod fallback;
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
///
/// # Attributes of the type
///
/// They are written inside `#[component(..)]`.
///
/// - `context = path` or `context(A, B)`: the contexts that the component belongs to. Without it,
///   `crate::Game`. Beside the context, its handles must be found: for `crate::Game` that is
///   `crate::GameEntity` and `crate::GameEntityMut`.
/// - `name = "pos"`: the base of the accessors' names, which is else the type's name in snake case.
/// - `by_value`: the accessors take the struct as a whole.
/// - `pooled`: values that are removed or replaced are kept for reuse; `add_x_with` and
///   `replace_x_with` take one, or `Default`, and let the caller complete it.
/// - `unique`: at most one entity of a context has the component at a time; a second owner is
///   refused at the add. The context gets the accessors `has_x`, `x`, `get_x`, `x_entity`, `set_x`,
///   `try_set_x`, `replace_x`, `update_x`, `try_update_x`, `x_mut_untracked`, `remove_x` and `try_remove_x`, the last
///   two of which **destroy the entity**; for a flag, `has_x`, `is_x`, `x_entity`, `set_x(bool)`,
///   `replace_x`, `remove_x` and `try_remove_x`.
/// - `cleanup(remove)` or `cleanup(destroy)`: the context's `cleanup_systems()` remove the component
///   from all entities that have it, or destroy these.
/// - `extension`: the context lives in another crate, so that the accessors of a `Position` become
///   the traits `PositionExt` (for the handle that reads) and `PositionMutExt` (for the handle that
///   changes), and where it is unique `PositionContextExt`.
/// - `crate = "path"`: where to find this library if it has been renamed.
///
/// # Attributes of a field
///
/// - `into`: the argument is `impl Into` of the field's type.
///
/// The trait `Component` of the library shows each of them at work.
///
/// # Visibility
///
/// The accessors are as visible as the type; those that take fields are as visible as the least
/// visible field, so that no private field can be set from outside. Where two visibilities cannot
/// be compared, such as `pub(super)` and `pub(in crate::a)`, these accessors are private.
#[proc_macro_derive(Component, attributes(component))]
pub fn component(item: TokenStream) -> TokenStream {
    spine::component(item.into()).into()
}

/// Makes a struct of contexts a world for systems: `HasContext` leads from it to each of them.
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

//! The checks that need more than one part of an item.

use quote::ToTokens as _;
use syn::{Data, DeriveInput, Error, Fields};

use crate::ast::Component;
use crate::error::Errors;
use crate::expand::accessors::Accessors;
use crate::expand::method::Method;
use crate::reach;

/// The methods of the handles, which no accessor may hide or repeat.
const HANDLE_METHODS: &[&str] = &[
    "add",
    "add_with",
    "as_ref",
    "clone",
    "component",
    "component_indices",
    "context",
    "context_mut",
    "destroy",
    "dynamic",
    "get",
    "has",
    "has_all",
    "has_any",
    "id",
    "is_alive",
    "is_empty",
    "mut_untracked",
    "new",
    "on_set",
    "on_removed",
    "remove",
    "remove_all",
    "replace",
    "replace_with",
    "swap",
    "take",
    "try_add",
    "try_destroy",
    "try_remove",
    "try_replace",
    "try_swap",
    "try_take",
    "try_update",
    "update",
];

/// The methods of the contexts, which no accessor of a unique or indexed component may hide.
const CONTEXT_METHODS: &[&str] = &[
    "all_of",
    "any_of",
    "clone_entity",
    "collector",
    "components",
    "contains",
    "core",
    "core_mut",
    "create_columns",
    "create_entity",
    "create_many",
    "create_with",
    "defragment",
    "destroy",
    "destroy_all",
    "entities",
    "entity",
    "entity_index",
    "entity_mut",
    "events",
    "get_entity",
    "get_entity_mut",
    "group",
    "is_empty",
    "len",
    "many",
    "memory",
    "new",
    "none_of",
    "observers",
    "on_created",
    "on_destroyed",
    "on_will_be_destroyed",
    "query",
    "removed_values",
    "reset",
    "shrink_to_fit",
    "storage",
    "storage_mut",
    "try_destroy",
    "try_entity",
    "try_entity_mut",
    "unique",
    "unique_mut",
    "unsubscribe",
    "view",
    "with_capacity",
];

/// Whether the handles have a method of the same name.
pub(crate) fn hides_another(accessor: &Method) -> bool {
    HANDLE_METHODS.iter().any(|name| accessor.name == name)
}

/// Whether the contexts have a method of the same name.
pub(crate) fn hides_another_of_contexts(accessor: &Method) -> bool {
    CONTEXT_METHODS.iter().any(|name| accessor.name == name)
}

/// Checks a component as a whole.
pub(crate) fn component(component: &Component, errors: &mut Errors) {
    kind(component, errors);
    flag(component, errors);
    names(component, errors);
    extension(component, errors);
    indexes(component, errors);
}

fn kind(component: &Component, errors: &mut Errors) {
    if let Some(token) = component.union_token {
        errors.at(
            token,
            "a union cannot be a component: write a struct or an enum",
        );
    }
    if !component.generics.params.is_empty() {
        let message = "a component cannot be generic: write one struct for each type it is used \
                       with, or own the data (`String` for `&str`)";
        errors.at(&component.generics.params, message);
    }
}

fn flag(component: &Component, errors: &mut Errors) {
    if !component.is_flag() {
        return;
    }
    let attrs = &component.attrs;
    for given in [&attrs.pooled, &attrs.by_value].into_iter().flatten() {
        let key = &given.key;
        let message = format!("`{key}` has no effect on a flag, which has no fields: remove it");
        errors.at(key, message);
    }
}

fn names(component: &Component, errors: &mut Errors) {
    let accessors = Accessors::of(component);
    let on_handles = accessors.iter().find(|m| hides_another(m));
    let mut on_contexts = accessors.of_contexts();
    let on_contexts = on_contexts.find(|m| hides_another_of_contexts(m));
    let found = [(on_handles, "entity"), (on_contexts, "context")];
    for (method, owner) in found {
        let Some(Method { name, .. }) = method else {
            continue;
        };
        let message = format!(
            "the accessor `{name}` would collide with the method of that name which every {owner} \
             has: choose another name with `#[component(name = \"..\")]`",
        );
        errors.push(Error::new(component.name_span(), message));
    }
}

/// The methods of a trait are all as visible as the trait.
fn extension(component: &Component, errors: &mut Errors) {
    if component.attrs.extension.is_none() {
        return;
    }
    let of_type = component.visibility.to_token_stream().to_string();
    for field in component.fields() {
        let least = reach::least(&component.visibility, &field.visibility);
        if least.to_token_stream().to_string() != of_type {
            let message = "`extension` makes a trait, whose methods are all as visible as the \
                           type: make this field as visible as the type, or add `by_value`";
            errors.at(&field.ty, message);
        }
    }
}

/// A field is indexed in one way, and looked up by a method that an extension trait can have.
fn indexes(component: &Component, errors: &mut Errors) {
    for span in component.indexes.iter().filter_map(|field| field.second) {
        let message = "a field is indexed either way: a `primary_index` finds what an `index` does, \
                       and no key twice; remove one of the two";
        errors.push(Error::new(span, message));
    }
    if component.attrs.extension.is_none() || !component.fields().is_empty() {
        return; // `extension` looks at the fields that accessors take
    }
    let of_type = component.visibility.to_token_stream().to_string();
    for field in &component.indexes {
        let least = component.lookup_visibility(field);
        if least.to_token_stream().to_string() != of_type {
            let message = "`extension` makes a trait, whose methods are all as visible as the \
                           type: make the indexed field as visible as the type";
            errors.push(Error::new(field.span, message));
        }
    }
}

/// Checks that the item can be a context.
pub(crate) fn context(item: &DeriveInput, errors: &mut Errors) {
    let wrong = match &item.data {
        Data::Struct(data) => match &data.fields {
            Fields::Unit => None,
            fields => Some(fields.to_token_stream()),
        },
        Data::Enum(data) => Some(data.enum_token.to_token_stream()),
        Data::Union(data) => Some(data.union_token.to_token_stream()),
    };
    let usage = format!("write `struct {};`", item.ident);
    if let Some(tokens) = wrong {
        errors.at(tokens, format!("a context is a unit struct: {usage}"));
    }
    if !item.generics.params.is_empty() {
        errors.at(
            &item.generics.params,
            format!("a context cannot be generic: {usage}"),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::CONTEXT_METHODS;

    #[test]
    fn every_method_of_contexts_is_known() {
        let source = include_str!("../../ecs/src/api/context.rs");
        let methods = source
            .lines()
            .filter_map(|line| line.strip_prefix("    fn "));
        let end = |c: char| !c.is_alphanumeric() && c != '_';
        let mut names = methods.filter_map(|method| method.split(end).next());
        assert_eq!(names.find(|name| !CONTEXT_METHODS.contains(name)), None);
    }
}

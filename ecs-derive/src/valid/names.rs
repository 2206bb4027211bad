//! The names that no accessor can have: those of the methods that are there already.

use crate::model::Method;

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

/// Whether every context, or else every handle of an entity, has a method of the same name.
pub(crate) fn hides_another(on_contexts: bool, accessor: &Method) -> bool {
    let known = if on_contexts {
        CONTEXT_METHODS
    } else {
        HANDLE_METHODS
    };
    known.iter().any(|name| accessor.name == name)
}

#[cfg(test)]
mod tests {
    use super::CONTEXT_METHODS;

    #[test]
    fn every_method_of_contexts_is_known() {
        let source = include_str!("../../../ecs/src/api/context.rs");
        let methods = source
            .lines()
            .filter_map(|line| line.strip_prefix("    fn "));
        let end = |c: char| !c.is_alphanumeric() && c != '_';
        let mut names = methods.filter_map(|method| method.split(end).next());
        assert_eq!(names.find(|name| !CONTEXT_METHODS.contains(name)), None);
    }
}

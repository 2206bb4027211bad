//! The names of existing methods, which accessors cannot have.

use crate::model::Method;

/// The methods of the handles.
const HANDLE_METHODS: &[&str] = &[
    "add",
    "add_all",
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
    "insert",
    "is_alive",
    "is_empty",
    "mut_untracked",
    "on_change",
    "on_removed",
    "on_set",
    "related",
    "remove",
    "remove_all",
    "replace",
    "replace_with",
    "swap",
    "take",
    "try_add",
    "try_add_all",
    "try_destroy",
    "try_insert",
    "try_remove",
    "try_replace",
    "try_swap",
    "try_take",
    "try_update",
    "try_update_with",
    "update",
    "update_with",
    "with",
];

/// The methods of contexts, which accessors of unique or indexed components must not hide.
const CONTEXT_METHODS: &[&str] = &[
    "all_of",
    "any_of",
    "check_checksums",
    "checksum",
    "checksum_of",
    "clone_entity",
    "clone_tree",
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
    "feed",
    "find_compact",
    "fork",
    "get_entity",
    "get_entity_mut",
    "group",
    "inbox",
    "index_with",
    "is_empty",
    "len",
    "load",
    "many",
    "merge",
    "name_of",
    "new",
    "none_of",
    "observers",
    "on_message",
    "query",
    "query_mut",
    "record",
    "reload",
    "removed_values",
    "reset",
    "restore",
    "save",
    "send",
    "snapshot",
    "sources_mut",
    "storage",
    "storage_mut",
    "try_checksum",
    "try_create_columns",
    "try_create_many",
    "try_create_with",
    "try_destroy",
    "try_entity",
    "try_entity_mut",
    "unique",
    "unique_mut",
    "unsubscribe",
    "unsubscribe_on_drop",
    "view",
    "view_mut",
    "with_capacity",
];

/// Whether every context, or every entity handle, has a method of this name.
pub(crate) fn hides_another(on_contexts: bool, accessor: &Method) -> bool {
    let known = match on_contexts {
        true => CONTEXT_METHODS,
        false => HANDLE_METHODS,
    };
    known.iter().any(|name| accessor.name == name)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use quote::quote;

    use super::{CONTEXT_METHODS, HANDLE_METHODS};
    use crate::error::Errors;
    use crate::model::Method;
    use crate::model::context::{constructors, exclusive, shared};
    use crate::parse::ContextItem;

    fn item() -> ContextItem {
        let item = syn::parse_quote!(
            struct Game;
        );
        ContextItem::read(item, quote!(), &mut Errors::default())
    }

    fn set<'n>(names: impl IntoIterator<Item = &'n str>) -> BTreeSet<String> {
        names.into_iter().map(str::to_owned).collect()
    }

    fn names(methods: &[Method]) -> BTreeSet<String> {
        methods
            .iter()
            .map(|method| method.name.to_string())
            .collect()
    }

    #[test]
    fn every_method_of_handles_is_known() {
        let mut methods = set(["clone"]);
        methods.extend(names(&shared(&item())));
        methods.extend(names(&exclusive(&item())));
        assert_eq!(set(HANDLE_METHODS.iter().copied()), methods);
    }

    #[test]
    fn every_method_of_contexts_is_known() {
        let Some(repository) = crate::repository() else {
            return;
        };
        let source = std::fs::read_to_string(repository.join("ecs/src/api/context.rs"));
        let source = source.expect("the trait");
        let methods = source
            .lines()
            .filter_map(|line| line.strip_prefix("    fn "));
        let end = |c: char| !c.is_alphanumeric() && c != '_';
        let mut methods = set(methods.filter_map(|method| method.split(end).next()));
        methods.extend(set(["core", "core_mut"])); // of the supertrait
        methods.extend(names(&constructors(&item())));
        assert_eq!(set(CONTEXT_METHODS.iter().copied()), methods);
    }
}

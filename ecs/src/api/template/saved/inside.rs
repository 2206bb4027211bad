//! The saved components of a template, and the ids inside their values.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::api::template::{TemplateNode, map_values};
use crate::formats::packed::Packer;
use crate::records::save::layout::{record_ids, rejection};
use crate::records::save::names::{Named, Names};
use crate::state::HasCore;
use crate::storage::chunk::Chunk;
use crate::words::entity_id::UntypedId;
use crate::words::map_ids::place_of_placeholder;
use crate::words::saving::absent::PartScope;

/// The id of an entity of a tree in a file.
pub(super) fn local(place: usize) -> UntypedId {
    let id = UntypedId::try_new(place as u32, 1); // a template has fewer entities than there are ids
    id.expect("a generation is not 0")
}

/// The components to write, or why one of them cannot be written.
pub(super) fn saved_components<'a, C: HasCore>(
    node: &'a TemplateNode,
    names: &'a Names<C>,
) -> Result<Vec<(&'a Named, &'a Chunk)>, String> {
    let named = node.components.iter();
    let named = named.map(|chunk| (names.at(chunk.component), chunk));
    let saved: Vec<_> = named
        .filter(|(named, _)| !named.saving().is_transient)
        .collect();
    let impossible = saved.iter();
    let impossible = impossible.filter(|(named, _)| !named.saving().is_possible);
    let impossible = impossible.map(|(named, _)| format!("component `{}`", named.name()));
    match impossible.collect::<Vec<_>>() {
        none if none.is_empty() => Ok(saved),
        some => Err(rejection(
            &format!("a template of context `{}`", C::NAME),
            some,
        )),
    }
}

/// The ids inside values, without duplicates, with the component that contains them.
fn ids_inside<C: HasCore>(
    node: &TemplateNode,
    names: &Names<C>,
) -> Result<Vec<(Option<UntypedId>, &'static str)>, String> {
    let scope = PartScope::begin::<C>(Vec::new());
    let mut nowhere = Packer::default();
    for (named, chunk) in saved_components(node, names)? {
        record_ids(&scope, (local(0), named), chunk.values.get(0), &mut nowhere);
    }
    let found = scope.absent().into_iter();
    let found = found.map(|(id, (_, component))| {
        let id = UntypedId::try_new(id.index(), id.generation());
        (id, component)
    });
    Ok(found.collect())
}

/// Rejects values that refer to entities outside of the tree.
pub(super) fn check_inside<C: HasCore>(
    node: &TemplateNode,
    names: &Names<C>,
    entities: usize,
) -> Result<(), String> {
    for (id, component) in ids_inside(node, names)? {
        if let Some(id) = id.filter(|&id| place_of_placeholder(id, entities).is_none()) {
            return Err(format!(
                "cannot save a template of context `{}`: component `{component}` refers to entity {id}, which is \
                 not part of the template; leave the component out by `without_at`, or if the entity is part of it, derive `MapIds` for the field's type",
                C::NAME
            ));
        }
    }
    Ok(())
}

/// Rejects values whose ids cannot be replaced by those of the created entities.
pub(super) fn check_mapped<C: HasCore>(
    node: &TemplateNode,
    names: &Names<C>,
    entities: usize,
) -> Result<(), String> {
    let mut mapped = node.clone();
    let map = |id: UntypedId| place_of_placeholder(id, entities).map_or(id, local);
    map_values::<C>(&mut mapped.components, &map);
    for (id, component) in ids_inside(&mapped, names)? {
        if id.is_some_and(|id| place_of_placeholder(id, entities).is_some()) {
            return Err(format!(
                "component `{component}` of a template of context `{}` has ids in a field whose type does not \
                 implement `MapIds`, so they cannot become those of the entities that are created: derive it",
                C::NAME
            ));
        }
    }
    Ok(())
}

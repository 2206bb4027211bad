//! The checks of components that an entity can have several of.

use proc_macro2::Ident;
use syn::Error;

use crate::error::Errors;
use crate::parse::{Cleanup, Component, OnTargetDestroyed};

/// Checks what cannot be combined with `many`.
pub(super) fn check(component: &Component, errors: &mut Errors) {
    let Some(many) = component.given_many() else {
        return;
    };
    if component.attrs.many.is_some() && component.is_link() {
        let message = "`relation(many)` has one entry for each target, `many` any number: remove one of the two";
        errors.at(many, message);
    }
    if component.is_flag() {
        let message = "a flag has no fields, so several of it say no more than one: remove `many`";
        errors.at(many, message);
    }
    if component.contexts.len() > 1 && component.relations.is_empty() {
        let message = "an entry refers to its owner, an entity of the same context: name a single context, and \
                       write a component for each of the others";
        errors.at(many, message);
    }
    attributes(component, errors);
    relation(component, errors);
}

/// The attributes that make no sense for an entry, with the reasons.
fn attributes(component: &Component, errors: &mut Errors) {
    let attrs = &component.attrs;
    let reasons: [(Option<&Ident>, &str); 6] = [
        (
            key(&attrs.unique),
            "a unique component belongs to one entity, which has it once",
        ),
        (
            key(&attrs.disables),
            "it would disable the entry, not its owner",
        ),
        (
            key(&attrs.no_accessors),
            "the accessors add and find the entries",
        ),
        (
            key(&attrs.pooled),
            "no accessor fills a pooled value of an entry",
        ),
        (
            key(&attrs.transient),
            "entries would be saved without their component",
        ),
        (
            key(&attrs.cleanup).filter(|_| removes(component)),
            "an entry would be left without its component: write `cleanup(destroy)`",
        ),
    ];
    for (key, reason) in reasons {
        if let Some(key) = key {
            let message = format!("`{key}` cannot be combined with `many`: {reason}");
            errors.at(key, message);
        }
    }
}

fn key<T>(given: &Option<crate::parse::Given<T>>) -> Option<&Ident> {
    given.as_ref().map(|given| &given.key)
}

fn removes(component: &Component) -> bool {
    let cleanup = component.attrs.cleanup.as_ref();
    cleanup.is_some_and(|given| matches!(given.value, Cleanup::Remove))
}

/// The arguments of a relation that make no sense for an entry.
fn relation(component: &Component, errors: &mut Errors) {
    let Some(relation) = component.relations.first() else {
        return;
    };
    if let Some(acyclic) = &relation.attrs.acyclic {
        let message = "entries are between an entity and its targets, so they form no cycles: remove `acyclic`";
        errors.push(Error::new(acyclic.key.span(), message));
    }
    if let Some(given) = &relation.attrs.on_target_destroyed
        && given.value == OnTargetDestroyed::Destroy
    {
        let message = "an entry is removed with its target, and the owner stays: write `remove`, which is the \
                       default";
        errors.push(Error::new(given.key.span(), message));
    }
}

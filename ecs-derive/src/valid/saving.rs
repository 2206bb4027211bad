//! Checks that the attributes about saves are consistent.

use proc_macro2::Ident;
use syn::LitStr;

use crate::error::Errors;
use crate::parse::{Component, Given, Older};

/// Checks `transient`, `version`, `from` and `alias`.
pub(super) fn check(component: &Component, errors: &mut Errors) {
    transient(component, errors);
    flag(component, errors);
    versions(component, errors);
    aliases(component, errors);
}

/// Transient components are excluded from saves, so they have no versions and names there.
fn transient(component: &Component, errors: &mut Errors) {
    if component.attrs.transient.is_none() {
        return;
    }
    for key in keys(component) {
        let message = format!(
            "`{key}` has no effect on a `transient` component, which is excluded from saves: \
             remove one of the two"
        );
        errors.at(key, message);
    }
}

fn keys(component: &Component) -> Vec<&Ident> {
    let attrs = &component.attrs;
    let version = attrs.version.as_ref().map(|given| &given.key);
    let older = attrs.older.as_ref().map(|given| &given.key);
    let former = attrs.aliases.iter().chain(&attrs.former_fields);
    let aliases = former.map(|given| &given.key);
    version.into_iter().chain(older).chain(aliases).collect()
}

/// A flag has no value, so it has no versions.
fn flag(component: &Component, errors: &mut Errors) {
    let attrs = &component.attrs;
    let version = attrs.version.as_ref().map(|given| &given.key);
    let older = attrs.older.as_ref().map(|given| &given.key);
    for key in version.into_iter().chain(older) {
        if component.is_flag() {
            let message = format!("`{key}` has no effect on a flag, which has no value: remove it");
            errors.at(key, message);
        }
    }
}

/// Older versions are lower than the current one, and unique.
fn versions(component: &Component, errors: &mut Errors) {
    let Some(given) = &component.attrs.older else {
        return;
    };
    let Some(present) = &component.attrs.version else {
        let next = given.value.iter().map(|older| older.version.value).max();
        let next = next.unwrap_or(1).saturating_add(1);
        let message = format!("the current version is missing: write `version = {next}`");
        return errors.at(&given.key, message);
    };
    for (nth, older) in given.value.iter().enumerate() {
        let (literal, version) = (&older.version.literal, older.version.value);
        if version >= present.value.value {
            let present = present.value.value;
            let message = format!(
                "the component has version {present}, so this version is not \
                                   older"
            );
            errors.at(literal, message);
        } else if is_there(&given.value[..nth], version) {
            errors.at(literal, "this version is named twice: remove one of them");
        }
    }
}

fn is_there(all: &[Older], version: u32) -> bool {
    all.iter().any(|older| older.version.value == version)
}

fn aliases(component: &Component, errors: &mut Errors) {
    let aliases = &component.attrs.aliases;
    for (nth, given) in aliases.iter().enumerate() {
        if let Some(message) = mistake(component, given, &aliases[..nth]) {
            errors.at(&given.value, message);
        }
    }
}

fn mistake(
    component: &Component,
    given: &Given<LitStr>,
    before: &[Given<LitStr>],
) -> Option<String> {
    let name = given.value.value();
    if component.is_instance {
        return Some("an alias would apply to every instance: remove it".to_owned());
    }
    if name.is_empty() || name.contains('@') {
        let message = "an alias is a former name of the component, such as `\"OldName\"`";
        return Some(message.to_owned());
    }
    if name == component.text {
        return Some(format!(
            "`{name}` is the current name of the component: remove the alias"
        ));
    }
    let is_repeated = before.iter().any(|other| other.value.value() == name);
    is_repeated.then(|| "this alias is given twice: remove one of them".to_owned())
}

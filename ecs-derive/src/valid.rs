//! Checks that concern more than one part of an item.

mod delta;
mod many;
mod names;
mod relation;
mod saving;

use proc_macro2::TokenStream;
use quote::ToTokens as _;
use syn::{Data, DeriveInput, Error, Fields, GenericParam, Visibility};

use crate::error::Errors;
use crate::model::{Block, Method};
use crate::parse::Component;
use crate::reach;

pub(crate) use self::names::hides_another;

pub(crate) fn component(component: &Component, blocks: &[Block], errors: &mut Errors) {
    kind(component, errors);
    flag(component, errors);
    state(component, errors);
    label(component, errors);
    disables(component, errors);
    flag_prefix(component, errors);
    no_accessors(component, errors);
    names(component, blocks, errors);
    if component.is_extension() {
        extension(component, errors);
    }
    indexed_once(component, errors);
    relation::check(component, blocks, errors);
    many::check(component, errors);
    saving::check(component, errors);
    delta::check(component, errors);
}

fn kind(component: &Component, errors: &mut Errors) {
    if let Some(token) = component.union_token {
        errors.at(
            token,
            "a union cannot be a component: write a struct or an enum",
        );
    }
    let parameters = &component.generics.params;
    if !parameters.is_empty() && component.attrs.instances.is_none() {
        errors.at(parameters, generic(component));
    }
}

/// The message for a generic component without instances.
fn generic(component: &Component) -> String {
    let (name, base) = (&component.text, &component.base);
    let mut parameters = component.generics.params.iter();
    match parameters.all(|parameter| matches!(parameter, GenericParam::Lifetime(_))) {
        true => "a component cannot borrow: write `String` for `&str`, and so on".to_owned(),
        false => format!(
            "a generic component must list its instances: write \
             `#[component(instances({name}<..> as a_{base}, {name}<..> as another_{base}))]`"
        ),
    }
}

fn flag(component: &Component, errors: &mut Errors) {
    if !component.is_flag() {
        return;
    }
    let attrs = &component.attrs;
    let pooled = attrs.pooled.iter().map(|given| &given.key);
    let by_value = attrs.by_value.iter().map(|given| &given.key);
    for key in pooled.chain(by_value) {
        let message = format!("`{key}` has no effect on a flag, which has no fields: remove it");
        errors.at(key, message);
    }
}

/// A context has one of several states.
fn state(component: &Component, errors: &mut Errors) {
    let Some(given) = &component.attrs.state else {
        return;
    };
    if !component.is_unique() {
        let message = "a state must be unique: write `unique, state`";
        errors.at(&given.key, message);
    }
    if component.is_flag() {
        let message = "a flag has no values that could be states: remove `state`, or write an \
                       enum of the states";
        errors.at(&given.key, message);
    }
}

/// A unique component could disable one entity only.
fn disables(component: &Component, errors: &mut Errors) {
    if let Some(given) = component.attrs.disables.as_ref()
        && component.is_unique()
    {
        let message =
            "a unique component could disable one entity only: remove `unique` or `disables`";
        errors.at(&given.key, message);
    }
}

/// The beginnings of other accessors, and of methods of every entity.
const PREFIXES: &[&str] = &["add", "has", "remove", "replace", "set", "try"];

/// Only flags have the accessor that it names.
fn flag_prefix(component: &Component, errors: &mut Errors) {
    let Some(given) = &component.attrs.flag_prefix else {
        return;
    };
    let prefix = given.value.value();
    if !component.is_flag() {
        let message = "`flag_prefix` is for flags, which have no fields: remove it";
        errors.at(&given.key, message);
    } else if PREFIXES.contains(&prefix.as_str()) || !is_word(&prefix) {
        let message = "this cannot stand for `is` in the name of the accessor: write a word that no other accessor \
                       begins with, such as `flag_prefix = \"can\"`";
        errors.at(&given.value, message);
    }
}

fn is_word(text: &str) -> bool {
    let letters = text.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    letters && !text.trim_matches('_').is_empty()
}

/// Nothing else may ask for methods.
fn no_accessors(component: &Component, errors: &mut Errors) {
    let attrs = &component.attrs;
    let Some(given) = &attrs.no_accessors else {
        return;
    };
    let extension = attrs.extension.as_ref().map(|it| &it.key);
    let by_value = attrs.by_value.as_ref().map(|it| &it.key);
    let flag_prefix = attrs.flag_prefix.as_ref().map(|it| &it.key);
    for key in [extension, by_value, flag_prefix].into_iter().flatten() {
        let message = format!("`{key}` has no effect with `no_accessors`: remove one of the two");
        errors.at(key, message);
    }
    let lookup = component.indexes.iter().any(|field| !field.primary);
    if lookup || !attrs.events.is_empty() {
        let what = if lookup { "an `index`" } else { "an `event`" };
        let message =
            format!("{what} is used by methods, which `no_accessors` omits: remove one of the two");
        errors.at(&given.key, message);
    }
}

/// A label needs a value.
fn label(component: &Component, errors: &mut Errors) {
    if let Some(given) = component
        .attrs
        .label
        .as_ref()
        .filter(|_| component.is_flag())
    {
        let message = "a flag has no text: write `label` on a component that has one, such as \
                       `struct Name(String);`";
        errors.at(&given.key, message);
    }
}

/// Reports the first collision on each kind of receiver.
fn names(component: &Component, blocks: &[Block], errors: &mut Errors) {
    for (on_contexts, owner) in [(false, "entity"), (true, "context")] {
        let there = blocks
            .iter()
            .filter(|block| block.kind.is_on_contexts() == on_contexts);
        let methods = there.flat_map(Block::methods);
        let mut methods = methods.filter(|method| !relation::names(component, method));
        if let Some(method) = methods.find(|method| hides_another(on_contexts, method)) {
            errors.push(collision(component, method, owner));
        }
    }
}

/// The name proposed after a collision.
pub(crate) fn proposed(component: &Component) -> String {
    format!("{}_component", component.base)
}

fn collision(component: &Component, method: &Method, owner: &str) -> Error {
    let proposed = proposed(component);
    let remedy = match component.is_instance {
        true => format!("as {proposed}"),
        false => format!("#[component(name = \"{proposed}\")]"),
    };
    let message = format!(
        "the accessor `{}` would collide with a method of every {owner}: write \
         `{remedy}`, or another name",
        method.name
    );
    Error::new(component.name_span, message)
}

/// All methods of a trait have the visibility of the trait. Checks the fields that accessors take,
/// or else the lookups.
fn extension(component: &Component, errors: &mut Errors) {
    let fields = component.fields();
    for field in fields
        .iter()
        .filter(|field| is_less(&field.visibility, component))
    {
        let message = "`extension` makes a trait, whose methods are all as visible as the \
                       type: make this field as visible as the type, or add `by_value`";
        errors.at(&field.ty, message);
    }
    let lookups = component.indexes.iter().filter(|_| fields.is_empty());
    for field in lookups.filter(|field| is_less(&field.visibility, component)) {
        let message = "`extension` makes a trait, whose methods are all as visible as the \
                       type: make the indexed field as visible as the type";
        errors.push(Error::new(field.span, message));
    }
}

/// Whether a field is less visible than the type.
fn is_less(field: &Visibility, component: &Component) -> bool {
    let least = reach::least(&component.visibility, field);
    least.to_token_stream().to_string() != component.visibility.to_token_stream().to_string()
}

/// A field has one kind of index.
fn indexed_once(component: &Component, errors: &mut Errors) {
    for span in component.indexes.iter().filter_map(|field| field.second) {
        let message = "a field cannot have both `index` and `primary_index`: remove one of the two";
        errors.push(Error::new(span, message));
    }
}

pub(crate) fn context(item: &DeriveInput, errors: &mut Errors) {
    let usage = format!("write `struct {};`", item.ident);
    if let Some(tokens) = beyond_a_unit_struct(&item.data) {
        errors.at(tokens, format!("a context is a unit struct: {usage}"));
    }
    let parameters = &item.generics.params;
    if !parameters.is_empty() {
        errors.at(parameters, format!("a context cannot be generic: {usage}"));
    }
}

fn beyond_a_unit_struct(data: &Data) -> Option<TokenStream> {
    match data {
        Data::Struct(data) if matches!(data.fields, Fields::Unit) => None,
        Data::Struct(data) => Some(data.fields.to_token_stream()),
        Data::Enum(data) => Some(data.enum_token.to_token_stream()),
        Data::Union(data) => Some(data.union_token.to_token_stream()),
    }
}

//! Checks that the attribute `delta` fits the component.

use syn::Data;

use crate::error::Errors;
use crate::parse::{Component, is_written_otherwise};

pub(super) fn check(component: &Component, errors: &mut Errors) {
    let fields = component.steps.iter().flatten();
    let keys = component.attrs.delta.iter().chain(fields);
    for key in keys.map(|given| &given.key) {
        if let Some(message) = mistake(component) {
            errors.at(key, message);
        }
    }
    for given in component.steps.iter().flatten() {
        if given.value.is_none() {
            let message = "`delta` without a step is for all fields: write it above the component";
            errors.at(&given.key, message);
        }
    }
    if component.is_divided() {
        other_bytes(component, errors);
    }
}

fn mistake(component: &Component) -> Option<&'static str> {
    let is_struct = matches!(component.data, Data::Struct(_));
    if component.attrs.transient.is_some() {
        return Some("a `transient` component is not sent: remove one of the two");
    }
    if !is_struct {
        return Some("only the fields of a struct can be sent one by one: remove `delta`");
    }
    if component.is_flag() {
        return Some("`delta` has no effect on a flag, which has no fields: remove it");
    }
    let converted = "serde converts this component into another type, so its fields are not what is sent: remove \
                     one of the two";
    component.is_converted.then_some(converted)
}

/// Fields are sent as their types are written.
fn other_bytes(component: &Component, errors: &mut Errors) {
    let Data::Struct(data) = &component.data else {
        return;
    };
    for field in &data.fields {
        if let Some(attr) = field.attrs.iter().find(|attr| is_written_otherwise(attr)) {
            let message = "a field that serde skips or writes in another way cannot be sent alone: remove this, or \
                           `delta` from the component";
            errors.at(attr, message);
        }
    }
}

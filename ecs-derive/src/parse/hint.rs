//! Display hints of fields for tools.

use proc_macro2::Span;
use syn::Fields;
use syn::ext::IdentExt as _;

use crate::error::Errors;

use super::attr::{FieldAttrs, Range};
use super::field::Field;

/// A field with `hidden`, `range` or `color`.
pub(crate) struct FieldHint {
    /// Its location in a value, as a JSON pointer.
    pub(crate) path: String,
    pub(crate) hint: Hint,
}

#[derive(Clone, Copy)]
pub(crate) enum Hint {
    Hidden,
    Range(Range),
    Color,
}

/// The fields with hints, in order. `read` are the same fields, parsed.
pub(super) fn of(fields: &Fields, read: &[Field], errors: &mut Errors) -> Vec<FieldHint> {
    let each = fields.iter().zip(read).enumerate();
    let hinted = each.filter_map(|(n, (field, read))| {
        let hint = one(&read.attrs, errors)?;
        let path = match &field.ident {
            Some(name) => format!("/{}", name.unraw()),
            None if fields.len() == 1 => String::new(),
            None => format!("/{n}"),
        };
        Some(FieldHint { path, hint })
    });
    hinted.collect()
}

/// The hint of a field; more than one is a mistake.
fn one(attrs: &FieldAttrs, errors: &mut Errors) -> Option<Hint> {
    let hidden = attrs
        .hidden
        .as_ref()
        .map(|it| (it.key.span(), Hint::Hidden));
    let range = attrs.range.as_ref();
    let range = range.map(|it| (it.key.span(), Hint::Range(it.value)));
    let color = attrs.color.as_ref().map(|it| (it.key.span(), Hint::Color));
    let mut given: Vec<(Span, Hint)> = [hidden, range, color].into_iter().flatten().collect();
    if given.len() > 1 {
        let message = "a field is shown in one way: write one of `hidden`, `range` and `color`";
        errors.push(syn::Error::new(given[1].0, message));
    }
    given.truncate(1);
    given.pop().map(|(_, hint)| hint)
}

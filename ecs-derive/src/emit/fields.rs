//! The fields of a component as text: binary saves contain it, so that values saved with other fields are
//! not read as these.

use quote::ToTokens as _;
use syn::ext::IdentExt as _;
use syn::{Data, Fields, Type};

use crate::parse::{Component, is_skipped};

/// For example `x: f32, y: f32`, or `Idle | Walking(Vec2)` for an enum. Empty if the fields are not what is
/// saved, or are not known.
pub(super) fn of(component: &Component) -> String {
    if component.is_converted {
        return String::new();
    }
    match &component.data {
        Data::Struct(data) => list(&data.fields),
        Data::Enum(data) => {
            let each = data.variants.iter().filter(|it| !is_skipped(&it.attrs));
            let each = each.map(|variant| {
                let (name, fields) = (variant.ident.unraw(), list(&variant.fields));
                match &variant.fields {
                    Fields::Unit => name.to_string(),
                    Fields::Unnamed(_) => format!("{name}({fields})"),
                    Fields::Named(_) => format!("{name} {{ {fields} }}"),
                }
            });
            each.collect::<Vec<_>>().join(" | ")
        }
        Data::Union(_) => String::new(),
    }
}

fn list(fields: &Fields) -> String {
    let saved = fields.iter().filter(|field| !is_skipped(&field.attrs));
    let each = saved.map(|field| match &field.ident {
        Some(name) => format!("{}: {}", name.unraw(), text(&field.ty)),
        None => text(&field.ty),
    });
    each.collect::<Vec<_>>().join(", ")
}

/// A type without the modules in its paths, since these change without the type.
fn text(ty: &Type) -> String {
    let tokens = ty.to_token_stream().to_string();
    let mut text: String = tokens.split_whitespace().collect();
    while let Some(end) = text.find("::") {
        let before = text[..end].rfind(|c: char| !c.is_alphanumeric() && c != '_');
        text.replace_range(before.map_or(0, |at| at + 1)..end + 2, "");
    }
    text
}

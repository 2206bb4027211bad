//! The base of a component's accessor names.

use heck::ToSnakeCase as _;
use proc_macro2::TokenStream;
use syn::ext::IdentExt as _;
use syn::{Ident, LitStr, parse_str};

use crate::error::Errors;

/// The given base, or the type's name in snake case.
pub(super) fn base(ident: &Ident, given: Option<&LitStr>, errors: &mut Errors) -> String {
    let as_given = given.and_then(|given| checked(given, errors));
    as_given.unwrap_or_else(|| of_type(ident, given.is_some(), errors))
}

fn checked(given: &LitStr, errors: &mut Errors) -> Option<String> {
    let text = given.value();
    let text = text.strip_prefix("r#").unwrap_or(&text);
    if !is_name(text) {
        let message = "this cannot be part of a method's name: write a name such as `\"pos\"`";
        errors.at(given, message);
        return None;
    }
    Some(text.to_owned())
}

fn of_type(ident: &Ident, is_reported: bool, errors: &mut Errors) -> String {
    let snake = ident.unraw().to_string().to_snake_case();
    if is_name(&snake) {
        return snake;
    }
    if !is_reported {
        let message = "the name of this type cannot become the name of a method: write \
                       `#[component(name = \"..\")]`";
        errors.at(ident, message);
    }
    format!("component_{snake}")
}

/// Whether a method can have this name, raw if necessary.
pub(super) fn is_name(text: &str) -> bool {
    let letters = text.chars().all(|c| c == '_' || c.is_alphanumeric());
    let begins = text.chars().next().is_some_and(|c| !c.is_numeric());
    let never = ["_", "self", "Self", "super", "crate"].contains(&text);
    letters && begins && !never && parse_str::<TokenStream>(text).is_ok()
}

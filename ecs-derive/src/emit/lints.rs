//! The lints that generated code may trigger.

use proc_macro2::TokenStream;
use quote::quote;

/// Allows what generated code cannot avoid: unused methods, uses of deprecated items, names,
/// visibilities and argument counts that depend on the user's fields, and unused arguments of
/// stubs.
///
/// No other lints are allowed: if the user forbids a lint, allowing it is an error.
pub(super) fn lints() -> TokenStream {
    quote! {
        #[allow(
            dead_code,
            deprecated,
            non_camel_case_types,
            non_snake_case,
            private_interfaces,
            unreachable_pub,
            unused_braces,
            unused_variables,
            clippy::too_many_arguments,
            clippy::used_underscore_binding,
        )]
    }
}

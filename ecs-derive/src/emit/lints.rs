//! The lints that generated code may not raise on the user's behalf.

use proc_macro2::TokenStream;
use quote::quote;

/// Allows what generated code cannot help: nobody calls all of it, it uses what is deprecated, it
/// repeats names, visibilities, values and numbers of fields that the user has chosen, and stand-ins
/// ignore their arguments.
///
/// Only these are named: if the user forbids a lint, to allow it is an error.
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

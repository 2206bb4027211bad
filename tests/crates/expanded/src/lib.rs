//! The expansions of the macros, as source code: many lints skip macro output, but not this. It
//! must be as clean under clippy's pedantic lints as hand-written code.
//!
//! `declarations.rs` has every kind of item. The build script expands them with the sources of
//! `ecs-derive`.

#![expect(
    unsafe_code,
    clippy::undocumented_unsafe_blocks,
    reason = "a struct that a query asks for is an unsafe trait's, as the tuple of its fields is"
)]
#![warn(clippy::pedantic)]
#![expect(
    clippy::init_numbered_fields,
    clippy::inline_always,
    clippy::return_self_not_must_use,
    clippy::wrong_self_convention,
    reason = "one form for both kinds of structs; bundles fill rows without a call; `with` ends a \
              statement as well as an expression; handles are `Copy`"
)]

include!(concat!(env!("OUT_DIR"), "/expansions.rs"));

//! Generates the code that replaces an item.

mod accessors;
mod blocks;
pub(crate) mod bundle;
pub(crate) mod checksum;
pub(crate) mod context;
mod debug;
mod delta;
mod fields;
mod hints;
mod identical;
pub(crate) mod ids;
mod indexes;
mod label;
mod lints;
mod many;
mod method;
mod origin;
pub(crate) mod query_data;
mod recycle;
mod relations;
mod required;
mod saving;
mod tokens;
pub(crate) mod traits;
pub(crate) mod world;

pub(crate) use self::accessors::accessors;

use proc_macro2::TokenStream;
use quote::quote;

use crate::model::Block;
use crate::parse::Component;

/// Everything generated for a component: its traits and these methods.
pub(crate) fn component(component: &Component, blocks: &[Block]) -> TokenStream {
    let (traits, accessors) = (traits::expand(component), accessors(component, blocks));
    quote!(#traits #accessors)
}

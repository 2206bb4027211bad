//! Writes each item of `declarations.rs` with its expansion, using the sources of the derive.

#[path = "../../../ecs-derive/src"]
mod derive {
    pub(crate) mod emit;
    pub(crate) mod error;
    pub(crate) mod fallback;
    pub(crate) mod model;
    pub(crate) mod parse;
    pub(crate) mod reach;
    pub(crate) mod spine;
    pub(crate) mod valid;
}

use std::path::PathBuf;
use std::{env, fs};

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Data, DeriveInput, Fields, Item, Meta, Path};

use derive::{emit, error, fallback, model, parse, reach, spine, valid};

const DECLARATIONS: &str = "declarations.rs";

/// The attributes that belong to the macros.
const OURS: [&str; 6] = [
    "component",
    "bundle",
    "checksum",
    "contexts",
    "map_ids",
    "query_data",
];

fn main() {
    println!("cargo::rerun-if-changed={DECLARATIONS}");
    println!("cargo::rerun-if-changed=../../../ecs-derive/src");
    let text = fs::read_to_string(DECLARATIONS).expect("it can be read");
    let file = syn::parse_file(&text).expect("it is Rust");
    let items = file.items.into_iter().map(expanded).collect();
    let file = syn::parse2(items).expect("an expansion is a list of items");
    let folder = env::var_os("OUT_DIR").map(PathBuf::from);
    let written = folder.expect("cargo sets it").join("expansions.rs");
    fs::write(written, prettyplease::unparse(&file)).expect("it can be written");
}

/// The item as the compiler sees it after all macros are expanded.
fn expanded(item: Item) -> TokenStream {
    if let Item::Macro(item) = item {
        return spine::foreign(item.mac.tokens); // the only one
    }
    let tokens = item.into_token_stream();
    let Ok(item) = syn::parse2::<DeriveInput>(tokens.clone()) else {
        return tokens;
    };
    match item.attrs.iter().position(is_context) {
        Some(at) => context(item, at),
        None => derived(item),
    }
}

fn is_context(attr: &Attribute) -> bool {
    let path = attr.path().to_token_stream().to_string();
    path == "ecs :: context"
}

fn context(mut item: DeriveInput, at: usize) -> TokenStream {
    let args = match item.attrs.remove(at).meta {
        Meta::List(list) => list.tokens,
        _ => TokenStream::new(),
    };
    spine::context(args, item.into_token_stream())
}

fn derived(mut item: DeriveInput) -> TokenStream {
    let (ours, others): (Vec<_>, _) = derives(&item).into_iter().partition(is_ours);
    item.attrs.retain(|attr| !attr.path().is_ident("derive"));
    let expansions: TokenStream = ours.iter().map(|it| expansion(it, &item)).collect();
    strip(&mut item);
    let others: Vec<Path> = others;
    quote!(#[derive(#(#others),*)] #item #expansions)
}

/// The derives of an item.
fn derives(item: &DeriveInput) -> Vec<Path> {
    let mut derives = Vec::new();
    for attr in item.attrs.iter().filter(|it| it.path().is_ident("derive")) {
        let list = attr.parse_nested_meta(|meta| {
            derives.push(meta.path);
            Ok(())
        });
        list.expect("a list of paths");
    }
    derives
}

fn is_ours(derive: &Path) -> bool {
    [
        "Component",
        "Bundle",
        "Checksum",
        "Contexts",
        "MapIds",
        "QueryData",
    ]
    .iter()
    .any(|it| derive.is_ident(it))
}

fn expansion(derive: &Path, item: &DeriveInput) -> TokenStream {
    let item = item.to_token_stream();
    match derive {
        it if it.is_ident("Component") => spine::component(item),
        it if it.is_ident("Bundle") => spine::bundle(item),
        it if it.is_ident("Checksum") => spine::checksum(item),
        it if it.is_ident("MapIds") => spine::map_ids(item),
        it if it.is_ident("QueryData") => spine::query_data(item),
        _ => spine::contexts(item),
    }
}

/// Removes the attributes that are unknown once the macros have been expanded.
fn strip(item: &mut DeriveInput) {
    let is_other = |attr: &Attribute| !OURS.iter().any(|it| attr.path().is_ident(it));
    item.attrs.retain(is_other);
    let fields: Vec<&mut Fields> = match &mut item.data {
        Data::Struct(data) => vec![&mut data.fields],
        Data::Enum(data) => data.variants.iter_mut().map(|it| &mut it.fields).collect(),
        Data::Union(_) => Vec::new(),
    };
    for field in fields.into_iter().flatten() {
        field.attrs.retain(is_other);
    }
}

//! The expansion of an item with mistakes: complete enough that each mistake causes one error and
//! not another one at each use of the item.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Error, Generics, Path, WherePredicate, parse_quote};

use crate::emit::{self, traits};
use crate::model::{self, Block, Kind};
use crate::parse::{Component, Context};
use crate::valid;

/// The component, without accessors that collide, and with empty bodies if it is generic. After a
/// collision, accessors with the proposed name are added.
pub(crate) fn component(mut component: Component, blocks: Vec<Block>) -> TokenStream {
    let collides = blocks.iter().any(collides);
    let sound = blocks.into_iter().map(without_collisions);
    if !component.generics.params.is_empty() {
        return generic(&component, sound);
    }
    let sound: Vec<_> = sound.collect();
    let expansion = emit::component(&component, &sound);
    if !collides || component.is_extension() {
        return expansion;
    }
    component.base = valid::proposed(&component);
    let proposed = model::component::blocks(&component).into_iter();
    let proposed = proposed.map(|block| alongside(block, &sound));
    let accessors = emit::accessors(&component, &proposed.collect::<Vec<_>>());
    quote!(#expansion #accessors)
}

fn collides(block: &Block) -> bool {
    let on_contexts = block.kind.is_on_contexts();
    let mut methods = block.methods().iter();
    methods.any(|method| valid::hides_another(on_contexts, method))
}

/// Removes methods that hide a method of every handle or context, and repeated names.
fn without_collisions(block: Block) -> Block {
    let on_contexts = block.kind.is_on_contexts();
    block
        .filter_map(|method| (!valid::hides_another(on_contexts, &method)).then_some(method))
        .without_repetitions()
}

/// The methods whose names no sound one has.
fn alongside(block: Block, sound: &[Block]) -> Block {
    let names: Vec<_> = sound.iter().filter(|it| it.kind == block.kind).collect();
    let names = names.iter().flat_map(|it| it.methods());
    let names: Vec<_> = names.map(|method| method.name.clone()).collect();
    without_collisions(block).filter_map(|method| (!names.contains(&method.name)).then_some(method))
}

/// An item that is not a struct, unchanged, with a message at the unexpected token.
pub(crate) fn not_a_struct(error: &Error, item: TokenStream) -> TokenStream {
    let message = "a context is a unit struct: write `#[ecs::context] pub struct Game;`";
    let error = Error::new(error.span(), message).into_compile_error();
    quote!(#error #item)
}

fn generic(component: &Component, blocks: impl Iterator<Item = Block>) -> TokenStream {
    let stub = |block: Block| block.filter_map(|method| Some(method.stub(&component.generics)));
    let reported = blocks.filter(|block| block.kind != Kind::Lookups);
    let accessors = emit::accessors(component, &reported.map(stub).collect::<Vec<_>>());
    let contexts = component.contexts.iter();
    let traits = contexts.map(|context| generic_traits(component, context));
    quote!(#(#traits)* #accessors)
}

fn generic_traits(component: &Component, context: &Context) -> TokenStream {
    let (krate, ident, path) = (&component.krate, &component.ident, &context.path);
    let generics = with_bounds(&component.generics, krate, path);
    let (parameters, arguments, clause) = generics.split_for_impl();
    let names = traits::names(component, context);
    quote! {
        impl #parameters #krate::Components<#path> for #ident #arguments #clause {
            fn visit(_: &mut dyn ::core::ops::FnMut(#krate::ComponentIndex<#path>)) {
                loop {}
            }
        }
        impl #parameters #krate::Component<#path> for #ident #arguments #clause {
            const NAMES: &'static #krate::ComponentNames = &#names;
            fn cell() -> &'static #krate::__private::IndexCell<#path, Self> {
                loop {}
            }
        }
        impl #parameters #krate::Bundle<#path> for #ident #arguments #clause {
            fn visit_components(_: &mut dyn ::core::ops::FnMut(#krate::ComponentIndex<#path>)) {
                loop {}
            }
            fn put(self, _: &mut #krate::BundleWriter<'_, #path>) {
                loop {}
            }
        }
    }
}

/// Adds the bounds of every component.
fn with_bounds(generics: &Generics, krate: &Path, context: &Path) -> Generics {
    let mut generics = generics.clone();
    let bounds: WherePredicate = parse_quote! {
        Self: #krate::FitsIn<#context>
    };
    generics.make_where_clause().predicates.push(bounds);
    generics
}

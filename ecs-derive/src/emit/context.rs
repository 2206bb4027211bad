//! A context: the struct, its traits and its two entity handles.

mod handles;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Attribute;
use syn::ext::IdentExt as _;

use crate::model::context::{constructors, exclusive, shared};
use crate::model::method::local;
use crate::parse::ContextItem;

use super::blocks::{derived, inherent_impl, with_variables};
use super::debug::debug;
use super::lints::lints;
use super::origin::origin;

/// Everything that replaces the struct.
pub(crate) fn expand(item: &ContextItem) -> TokenStream {
    let (context, entity, entity_mut) = (&item.ident, item.entity(), item.entity_mut());
    let krate = &item.krate;
    let parts = [
        definition(item),
        inherent_impl(krate, &quote!(#context), &constructors(item)),
        handles::shared(item),
        inherent_impl(krate, &quote!(<'a> #entity<'a>), &shared(item)),
        handles::exclusive(item),
        inherent_impl(krate, &quote!(#entity_mut<'_>), &exclusive(item)),
    ];
    let names = ["f", "inner", "other"].map(local);
    let (traits, lints) = (with_variables(krate, &names, &traits(item)), lints());
    quote! {
        #(#parts)*

        #lints
        #traits
    }
}

/// The item with the attribute moved below a `cfg`, which must be evaluated before the struct is
/// expanded.
pub(crate) fn postponed(item: &ContextItem) -> Option<TokenStream> {
    let (first, rest): (Vec<_>, Vec<_>) = item.attrs.iter().partition(is_conditional);
    if first.is_empty() {
        return None;
    }
    let (visibility, ident, krate) = (&item.visibility, &item.ident, &item.krate);
    let path = quote!(#krate).to_string();
    let local = item.local.then(|| quote!(local,));
    let minimum_free = item.minimum_free.iter();
    Some(quote! {
        #(#first)*
        #[#krate::context(#local #(minimum_free = #minimum_free,)* crate = #path)]
        #(#rest)*
        #visibility struct #ident;
    })
}

fn is_conditional(attr: &&Attribute) -> bool {
    attr.path().is_ident("cfg") || attr.path().is_ident("cfg_attr")
}

fn definition(item: &ContextItem) -> TokenStream {
    let (attrs, visibility) = (&item.attrs, &item.visibility);
    let ContextItem { ident, krate, .. } = item;
    quote! {
        #(#attrs)*
        #visibility struct #ident {
            core: #krate::Core<#ident>,
        }
    }
}

fn traits(item: &ContextItem) -> TokenStream {
    let ident = &item.ident;
    let parts = [
        context(item),
        handles_of(item),
        has_threads(item),
        has_core(item),
        default(item),
        display(item),
        debug(&quote!(#ident), &quote!(core)),
        handles::traits(item),
    ];
    quote!(#(#parts)*)
}

fn context(item: &ContextItem) -> TokenStream {
    let ContextItem { ident, krate, .. } = item;
    derived(&quote!(#krate::Context for #ident), &TokenStream::new())
}

fn handles_of(item: &ContextItem) -> TokenStream {
    let (ContextItem { ident, krate, .. }, entity) = (item, item.entity());
    let entity_mut = item.entity_mut();
    let origin = origin(krate);
    let items = quote! {
        const ORIGIN: #krate::__private::Origin = #origin;
        type Entity<'a> = #entity<'a>;
        type EntityMut<'a> = #entity_mut<'a>;
    };
    derived(&quote!(#krate::Handles for #ident), &items)
}

fn has_threads(item: &ContextItem) -> TokenStream {
    let ContextItem { ident, krate, .. } = item;
    let threads = format_ident!("{}", if item.local { "Local" } else { "Shared" });
    let items = quote!(type Threads = #krate::__private::#threads;);
    derived(&quote!(#krate::__private::HasThreads for #ident), &items)
}

fn has_core(item: &ContextItem) -> TokenStream {
    let ContextItem { ident, krate, .. } = item;
    let name = ident.unraw().to_string();
    let minimum_free = item.minimum_free.as_ref();
    let minimum_free = minimum_free
        .map(|number| quote!(const MINIMUM_FREE: ::core::primitive::usize = #number as _;));
    let items = quote! {
        const NAME: &'static ::core::primitive::str = #name;
        #minimum_free

        #[inline]
        fn core(&self) -> &#krate::Core<Self> { &self.core }

        #[inline]
        fn core_mut(&mut self) -> &mut #krate::Core<Self> { &mut self.core }
    };
    derived(&quote!(#krate::HasCore for #ident), &items)
}

fn default(item: &ContextItem) -> TokenStream {
    let ident = &item.ident;
    let items = quote!(
        fn default() -> Self {
            Self::new()
        }
    );
    derived(&quote!(::core::default::Default for #ident), &items)
}

fn display(item: &ContextItem) -> TokenStream {
    let ContextItem { ident, krate, .. } = item;
    let items = quote! {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.pad(<Self as #krate::HasCore>::NAME)
        }
    };
    derived(&quote!(::core::fmt::Display for #ident), &items)
}

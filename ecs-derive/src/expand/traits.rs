//! The traits that make a type a component, and its announcement at link time.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::Ident;
use syn::ext::IdentExt as _;

use crate::ast::{Component, Context};
use crate::attr::Cleanup;

use super::lints::lints;
use super::{arguments, events, indexes};

/// The traits for every context of the component.
pub(crate) fn expand(component: &Component) -> TokenStream {
    let (krate, lints) = (&component.krate, lints());
    let indexed = indexes::fields(component);
    let each = component.contexts.iter().flat_map(|context| {
        [
            components(component, context),
            self::component(component, context),
            bundle(component, context),
            unique(component, context),
            registration(component, context),
        ]
    });
    quote! {
        #lints
        const _: () = {
            #[allow(unused_imports)]
            use #krate::__private::{NoClone as _, NoDebug as _};

            #indexed
            #(#each)*
        };
    }
}

fn components(component: &Component, context: &Context) -> TokenStream {
    let (krate, ident, path) = (&component.krate, &component.ident, &context.path);
    quote! {
        #[automatically_derived]
        impl #krate::Components<#path> for #ident {
            fn visit(each: &mut dyn ::core::ops::FnMut(#krate::ComponentIndex)) {
                each(#krate::__private::index_of::<#path, Self>())
            }
        }
    }
}

fn component(component: &Component, context: &Context) -> TokenStream {
    let (krate, ident, path) = (&component.krate, &component.ident, &context.path);
    let (names, clone) = (names(component, context), clone(component));
    let indexes = indexes::list(component, context);
    let priorities = events::priorities(component);
    let pooled = component.is_pooled().then(|| {
        quote!(
            const POOLED: ::core::primitive::bool = true;
        )
    });
    let unique = component.is_unique().then(|| {
        quote!(
            const UNIQUE: ::core::primitive::bool = true;
        )
    });
    let cleanup = component.attrs.cleanup.as_ref().map(|given| {
        let way = match given.value {
            Cleanup::Remove => quote!(Remove),
            Cleanup::Destroy => quote!(Destroy),
        };
        quote! {
            const CLEANUP: ::core::option::Option<#krate::Cleanup> =
                ::core::option::Option::Some(#krate::Cleanup::#way);
        }
    });
    quote! {
        #[automatically_derived]
        impl #krate::Component<#path> for #ident {
            const NAMES: &'static #krate::ComponentNames = &#names;
            #pooled
            #unique
            #cleanup
            #priorities
            const DEBUG: ::core::option::Option<
                fn(&Self, &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result,
            > = #krate::__private::Probe::<Self>::DEBUG;
            const CLONE: ::core::option::Option<fn(&Self) -> Self> = #clone;
            #indexes

            fn cell() -> &'static #krate::__private::IndexCell<#path, Self> {
                static CELL: #krate::__private::IndexCell<#path, #ident> =
                    #krate::__private::IndexCell::new();
                &CELL
            }
        }
    }
}

/// How a value is copied, if it can be. A flag is the same everywhere, so that another
/// one is as good as a clone.
fn clone(component: &Component) -> TokenStream {
    let krate = &component.krate;
    let probe = quote!(#krate::__private::Probe::<Self>::CLONE);
    if !component.is_flag() {
        return probe;
    }
    let (value, clone) = (
        arguments::value(component),
        Ident::new("clone", Span::mixed_site()),
    );
    quote! {
        match #probe {
            ::core::option::Option::None => ::core::option::Option::Some(|_| #value),
            #clone => #clone,
        }
    }
}

/// What the component is called in messages.
pub(crate) fn names(component: &Component, context: &Context) -> TokenStream {
    let krate = &component.krate;
    let (context, accessor) = (context.name(), &component.base);
    let component = component.ident.unraw().to_string();
    quote! {
        #krate::ComponentNames { context: #context, component: #component, accessor: #accessor }
    }
}

fn bundle(component: &Component, context: &Context) -> TokenStream {
    let (krate, ident, path) = (&component.krate, &component.ident, &context.path);
    quote! {
        #[automatically_derived]
        impl #krate::Bundle<#path> for #ident {
            #[inline(always)]
            fn put(self, writer: &mut #krate::BundleWriter<'_, #path>) {
                writer.put(self)
            }

            const FITS_INTO_ROW: ::core::primitive::bool = true;

            #[inline(always)]
            fn put_in_row<'l>(
                self,
                row: #krate::__private::RowWriter<'l, #path>,
            ) -> #krate::__private::RowWriter<'l, #path> {
                row.put(self)
            }
        }
    }
}

fn unique(component: &Component, context: &Context) -> TokenStream {
    let (krate, ident, path) = (&component.krate, &component.ident, &context.path);
    if !component.is_unique() {
        return TokenStream::new();
    }
    quote! {
        #[automatically_derived]
        impl #krate::UniqueComponent<#path> for #ident {}
    }
}

fn registration(component: &Component, context: &Context) -> TokenStream {
    let (krate, ident, path) = (&component.krate, &component.ident, &context.path);
    quote! {
        #krate::__private::inventory::submit! {
            #krate::__private::Registration::new::<#path, #ident>()
        }
    }
}

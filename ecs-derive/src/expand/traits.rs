//! The traits that make a type a component, and its announcement at link time.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::Ident;
use syn::ext::IdentExt as _;

use crate::ast::{Component, Context};
use crate::attr::Cleanup;

use super::lints::lints;
use super::{arguments, events, indexes};

/// The traits for every context of the component.
pub(super) fn expand(component: &Component) -> TokenStream {
    let (krate, lints) = (&component.krate, lints());
    let indexed = indexes::fields(component);
    let each = component.contexts.iter().map(|context| {
        let traits = Traits { component, context };
        traits.all()
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

/// What the component is called in messages.
pub(crate) fn names(component: &Component, context: &Context) -> TokenStream {
    let krate = &component.krate;
    let (context, accessor) = (context.name(), &component.base);
    let component = component.ident.unraw().to_string();
    quote! {
        #krate::ComponentNames { context: #context, component: #component, accessor: #accessor }
    }
}

/// The traits for one context.
struct Traits<'c> {
    component: &'c Component,
    context: &'c Context,
}

impl Traits<'_> {
    fn all(&self) -> TokenStream {
        let Component { krate, ident, .. } = self.component;
        let path = &self.context.path;
        let unique = self.component.is_unique();
        let unique = unique.then(|| self.implement("UniqueComponent", TokenStream::new()));
        let parts = [
            self.implement("Components", self.components()),
            self.implement("Component", self.component()),
            self.implement("Bundle", self.bundle()),
            unique.unwrap_or_default(),
        ];
        quote! {
            #(#parts)*
            #krate::__private::inventory::submit! {
                #krate::__private::Registration::new::<#path, #ident>()
            }
        }
    }

    fn implement(&self, name: &str, items: TokenStream) -> TokenStream {
        let Component { krate, ident, .. } = self.component;
        let (name, path) = (format_ident!("{name}"), &self.context.path);
        quote! {
            #[automatically_derived]
            impl #krate::#name<#path> for #ident { #items }
        }
    }

    fn components(&self) -> TokenStream {
        let (krate, path) = (&self.component.krate, &self.context.path);
        quote! {
            fn visit(each: &mut dyn ::core::ops::FnMut(#krate::ComponentIndex)) {
                each(#krate::__private::index_of::<#path, Self>())
            }
        }
    }

    fn component(&self) -> TokenStream {
        let Component { krate, ident, .. } = self.component;
        let path = &self.context.path;
        let names = names(self.component, self.context);
        let (facts, clone) = (facts(self.component), clone(self.component));
        let indexes = indexes::list(self.component, self.context);
        quote! {
            const NAMES: &'static #krate::ComponentNames = &#names;
            #facts
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

    fn bundle(&self) -> TokenStream {
        let (krate, path) = (&self.component.krate, &self.context.path);
        quote! {
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

/// The constants that attributes ask for.
fn facts(component: &Component) -> TokenStream {
    let krate = &component.krate;
    let yes = |name: &str| {
        let name = format_ident!("{name}");
        quote!(const #name: ::core::primitive::bool = true;)
    };
    let pooled = component.is_pooled().then(|| yes("POOLED"));
    let unique = component.is_unique().then(|| yes("UNIQUE"));
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
    let priorities = events::priorities(component);
    quote!(#pooled #unique #cleanup #priorities)
}

/// How a value is copied, if it can be. A flag is the same everywhere, so another
/// one is as good as a clone.
fn clone(component: &Component) -> TokenStream {
    let krate = &component.krate;
    let probe = quote!(#krate::__private::Probe::<Self>::CLONE);
    if !component.is_flag() {
        return probe;
    }
    let value = arguments::value(component);
    let clone = Ident::new("clone", Span::mixed_site());
    quote! {
        match #probe {
            ::core::option::Option::None => ::core::option::Option::Some(|_| #value),
            #clone => #clone,
        }
    }
}

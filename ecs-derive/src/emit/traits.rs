//! The traits of a component, and its registration at link time.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use crate::model::component::arguments;
use crate::parse::{Cleanup, Component, Context, EventKind, Scope};

use super::blocks::derived;
use super::lints::lints;
use super::{
    checksum, hints, identical, ids, indexes, label, many, origin, recycle, relations, required,
    saving,
};

/// The traits for every context of the component.
pub(super) fn expand(component: &Component) -> TokenStream {
    let (krate, lints) = (&component.krate, lints());
    let indexed = indexes::fields(component);
    let each = component.contexts.iter();
    let each = each.map(|context| Traits { component, context }.all());
    quote! {
        #lints
        const _: () = {
            #[allow(unused_imports)] // used only for types that lack the trait
            use #krate::__private::{
                NoChecksum as _, NoClone as _, NoDebug as _, NoDefault as _, NoHash as _,
                NoIdentical as _,
            };

            #indexed
            #(#each)*
        };
    }
}

/// The names of the component in messages.
pub(crate) fn names(component: &Component, context: &Context) -> TokenStream {
    let krate = &component.krate;
    let (context, accessor) = (context.name(), &component.base);
    let component = &component.text;
    quote! {
        #krate::ComponentNames { context: #context, component: #component, accessor: #accessor }
    }
}

/// Where the component is declared.
fn declaration(component: &Component) -> TokenStream {
    let (krate, accessor) = (&component.krate, &component.base);
    quote! {
        const DECLARATION: #krate::__private::Declaration = #krate::__private::Declaration::new(
            ::core::module_path!(),
            (::core::line!(), ::core::column!()),
            #accessor,
        );
    }
}

struct Traits<'c> {
    component: &'c Component,
    context: &'c Context,
}

impl Traits<'_> {
    fn all(&self) -> TokenStream {
        let parts = [
            self.implement("Components", &self.components()),
            self.implement("Component", &self.component()),
            self.implement("Bundle", &self.bundle()),
            self.unique(),
            self.state(),
            required::checks(self.component, self.context),
            relations::implementations(self.component, self.context).unwrap_or_default(),
            many::implementation(self.component, self.context).unwrap_or_default(),
            self.registration(),
            self.origin(),
        ];
        quote!(#(#parts)*)
    }

    fn implement(&self, name: &str, items: &TokenStream) -> TokenStream {
        let Component { krate, ty, .. } = self.component;
        let (name, path) = (format_ident!("{name}"), &self.context.path);
        derived(&quote!(#krate::#name<#path> for #ty), items)
    }

    /// The methods that visit the only component, and the relation of its entries to their owner.
    fn components(&self) -> TokenStream {
        let (visit, path) = (self.visit("visit"), &self.context.path);
        let scope = self.component.is_many().then(|| {
            let krate = &self.component.krate;
            quote! {
                fn visit_scope(__each: &mut dyn ::core::ops::FnMut(#krate::ComponentIndex<#path>)) {
                    <Self as #krate::Components<#path>>::visit(__each);
                    <#krate::EntryOf<#path, Self> as #krate::Components<#path>>::visit(__each);
                }
            }
        });
        quote!(#visit #scope)
    }

    /// The method that visits the only component, of either trait.
    fn visit(&self, name: &str) -> TokenStream {
        let (krate, path) = (&self.component.krate, &self.context.path);
        let name = format_ident!("{name}");
        quote! {
            fn #name(__each: &mut dyn ::core::ops::FnMut(#krate::ComponentIndex<#path>)) {
                __each(#krate::__private::index_of::<#path, Self>());
            }
        }
    }

    fn component(&self) -> TokenStream {
        let krate = &self.component.krate;
        let names = names(self.component, self.context);
        let declaration = declaration(self.component);
        let (facts, clone) = (facts(self.component), clone(self.component));
        let (indexes, cell) = (indexes::list(self.component, self.context), self.cell());
        let required = required::list(self.component, self.context);
        let saving = saving::expand(self.component);
        let checksum = checksum::constant(self.component);
        let identical = identical::constant(self.component);
        let recycle = recycle::constant(self.component);
        let map_ids = ids::constant(self.component);
        let label = label::constant(self.component);
        let hints = hints::constant(self.component);
        quote! {
            const NAMES: &'static #krate::ComponentNames = &#names;
            #declaration
            #facts
            const DEBUG: ::core::option::Option<
                fn(&Self, &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result,
            > = #krate::__private::Probe::<Self>::DEBUG;
            const CLONE: ::core::option::Option<fn(&Self) -> Self> = #clone;
            const DEFAULT: ::core::option::Option<fn() -> Self> =
                #krate::__private::Probe::<Self>::DEFAULT;
            #saving
            #checksum
            #identical
            #recycle
            #map_ids
            #label
            #hints
            #indexes
            #required
            #cell
        }
    }

    /// The cell for the component's index in the context.
    fn cell(&self) -> TokenStream {
        let Component { krate, ty, .. } = self.component;
        let path = &self.context.path;
        quote! {
            fn cell() -> &'static #krate::__private::IndexCell<#path, Self> {
                static CELL: #krate::__private::IndexCell<#path, #ty> =
                    #krate::__private::IndexCell::new();
                &CELL
            }
        }
    }

    fn bundle(&self) -> TokenStream {
        let (krate, path) = (&self.component.krate, &self.context.path);
        let (visit, row) = (self.visit("visit_components"), self.row());
        quote! {
            #visit

            #[inline(always)]
            fn put(self, __writer: &mut #krate::BundleWriter<'_, #path>) {
                __writer.put(self);
            }

            #row
        }
    }

    /// The methods that write a row, unless there are required components.
    fn row(&self) -> TokenStream {
        let (krate, path) = (&self.component.krate, &self.context.path);
        if self.component.requires() {
            return TokenStream::new();
        }
        quote! {
            const FITS_INTO_ROW: ::core::primitive::bool = true;

            #[inline(always)]
            fn put_in_row(
                self,
                __row: #krate::__private::RowWriter<'_, #path>,
            ) -> #krate::__private::RowWriter<'_, #path> {
                __row.put(self)
            }
        }
    }

    fn unique(&self) -> TokenStream {
        match self.component.is_unique() {
            true => self.implement("UniqueComponent", &TokenStream::new()),
            false => TokenStream::new(),
        }
    }

    fn state(&self) -> TokenStream {
        match self.component.is_state() {
            true => self.implement("State", &TokenStream::new()),
            false => TokenStream::new(),
        }
    }

    /// Inherent accessors need a context of this crate.
    fn origin(&self) -> TokenStream {
        match self.component.is_extension() || !self.component.has_accessors() {
            true => TokenStream::new(),
            false => origin::checked(self.component, self.context),
        }
    }

    fn registration(&self) -> TokenStream {
        let Component { krate, ty, .. } = self.component;
        let path = &self.context.path;
        quote! {
            #krate::__private::inventory::submit! {
                #krate::__private::Registration::new::<#path, #ty>()
            }
        }
    }
}

/// The constants set by attributes.
fn facts(component: &Component) -> TokenStream {
    let pooled = component.is_pooled().then(|| holds("POOLED"));
    let keep = component.attrs.pooled.as_ref();
    let keep = keep.and_then(|given| given.value.as_ref()).map(|keep| {
        let keep = keep.base10_digits().parse::<Literal>();
        keep.map(|keep| quote!(const POOL_LIMIT: ::core::primitive::usize = #keep;))
            .unwrap_or_default()
    });
    let hidden = component.attrs.hidden.as_ref().map(|_| holds("HIDDEN"));
    let unique = component.is_unique().then(|| holds("UNIQUE"));
    let state = component.is_state().then(|| holds("STATE"));
    let many = component.is_many().then(|| holds("MANY"));
    let disables = component.attrs.disables.as_ref();
    let disables = disables.map(|_| holds("DISABLES"));
    let (cleanup, priorities) = (cleanup(component), priorities(component));
    let flag = flag(component);
    quote!(#pooled #keep #hidden #unique #state #many #disables #cleanup #priorities #flag)
}

fn holds(name: &str) -> TokenStream {
    let name = format_ident!("{name}");
    quote!(const #name: ::core::primitive::bool = true;)
}

fn flag(component: &Component) -> Option<TokenStream> {
    let value = arguments::value(component);
    component.is_flag().then(|| {
        quote! {
            const FLAG: ::core::option::Option<fn() -> Self> =
                ::core::option::Option::Some(|| #value);
        }
    })
}

fn cleanup(component: &Component) -> Option<TokenStream> {
    let krate = &component.krate;
    let way = match component.attrs.cleanup.as_ref()?.value {
        Cleanup::Remove => quote!(Remove),
        Cleanup::Destroy => quote!(Destroy),
    };
    Some(quote! {
        const CLEANUP: ::core::option::Option<#krate::Cleanup> =
            ::core::option::Option::Some(#krate::Cleanup::#way);
    })
}

/// The priorities of the events, if any is not zero.
fn priorities(component: &Component) -> Option<TokenStream> {
    let events = &component.attrs.events;
    if events.iter().all(|event| event.priority == 0) {
        return None;
    }
    let [any, own] = [Scope::Any, Scope::Own].map(|scope| priorities_of(component, scope));
    Some(quote! {
        const EVENT_PRIORITIES: [[::core::primitive::i32; 2]; 2] = [#any, #own];
    })
}

fn priorities_of(component: &Component, scope: Scope) -> TokenStream {
    let [set, removed] = [EventKind::Set, EventKind::Removed].map(|kind| {
        let mut events = component.attrs.events.iter();
        let event = events.find(|event| (event.scope, event.kind) == (scope, kind));
        event.map_or(0, |event| event.priority)
    });
    quote!([#set, #removed])
}

/// How a value is cloned, if it can be. Flags have no content, so a new one is a clone.
fn clone(component: &Component) -> TokenStream {
    let krate = &component.krate;
    let probe = quote!(#krate::__private::Probe::<Self>::CLONE);
    let value = arguments::value(component);
    if !component.is_flag() {
        return probe;
    }
    quote! {
        match #probe {
            ::core::option::Option::None => ::core::option::Option::Some(|_| #value),
            __clone => __clone,
        }
    }
}

//! The methods of a context that look entities up by an indexed field of a component.

use proc_macro2::TokenStream;
use quote::quote;

use crate::model::method::Method;
use crate::model::promises::READS;
use crate::parse::{Component, IndexedField, Keys};

use super::handles::Handles;

/// One for each indexed field.
pub(super) fn methods(component: &Component, handles: &Handles) -> Vec<Method> {
    let each = component.indexes.iter().enumerate();
    let lookups = each.map(|(n, field)| Lookup {
        component,
        handles,
        n,
        field,
    });
    lookups.map(|lookup| lookup.method()).collect()
}

struct Lookup<'c> {
    component: &'c Component,
    handles: &'c Handles,
    /// The index of the field among those that are indexed.
    n: usize,
    field: &'c IndexedField,
}

impl Lookup<'_> {
    fn method(&self) -> Method {
        let (component, field) = (self.component, self.field);
        let name = component.lookup(field);
        let method = Method::new(name, &self.does(), self.signature(), self.body())
            .generics(quote!(<Q>))
            .visible_as(&component.lookup_visibility(field))
            .events(READS);
        match field.primary {
            true => method.must_use(),
            // The iterator says so itself.
            false => method,
        }
    }

    fn does(&self) -> String {
        let (text, has) = (&self.component.text, self.has_key());
        match self.field.primary {
            true => format!("Returns the entity whose component `{text}` {has}."),
            false => format!(
                "Returns the entities whose component `{text}` {has}, in the order in which they \
                 were filed under it; if one leaves, the last one takes its place."
            ),
        }
    }

    fn has_key(&self) -> String {
        let name = &self.field.name;
        match self.field.keys {
            Keys::Whole => format!("has this `{name}`"),
            Keys::Each => format!("has this in its `{name}`"),
        }
    }

    fn signature(&self) -> TokenStream {
        let (key, output) = (self.key(), self.output());
        quote! {
            (&self, key: &Q) -> #output
            where
                #key: ::core::borrow::Borrow<Q>,
                Q: ::core::hash::Hash + ::core::cmp::Eq + ?::core::marker::Sized,
        }
    }

    /// The type of the keys.
    fn key(&self) -> TokenStream {
        let (krate, ty, n) = (&self.component.krate, &self.component.ty, self.n);
        match self.field.keys {
            Keys::Whole => self.field.ty.clone(),
            Keys::Each => quote!(<#ty as #krate::__private::Indexed<#n>>::Key),
        }
    }

    fn output(&self) -> TokenStream {
        let (krate, entity) = (&self.component.krate, &self.handles.entity);
        match self.field.primary {
            true => quote!(::core::option::Option<#entity<'_>>),
            false => quote!(#krate::IndexIter<'_, Self>),
        }
    }

    fn body(&self) -> TokenStream {
        let (krate, ty, n) = (&self.component.krate, &self.component.ty, self.n);
        let call = match self.field.primary {
            true => quote!(entity_with),
            false => quote!(entities_with),
        };
        quote!(#krate::__private::#call::<Self, #ty, Q, #n>(self, key))
    }
}

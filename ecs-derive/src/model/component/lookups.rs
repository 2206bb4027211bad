//! The methods of a context that look entities up by an indexed field.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;

use crate::model::method::{Method, spare};
use crate::model::promises::READS;
use crate::parse::{Component, IndexedField, Keys, StructureIndex, StructureKind};

use super::handles::Handles;

/// One for each indexed field, and another one for the first of several.
pub(super) fn methods(component: &Component, handles: &Handles) -> Vec<Method> {
    let each = component.indexes.iter().enumerate();
    let lookups = each.map(|(n, field)| Lookup {
        component,
        handles,
        n,
        field,
    });
    let structures = component.structures.iter().enumerate();
    let structures = structures.map(|(n, index)| structure(component, n, index));
    lookups
        .flat_map(|lookup| lookup.methods())
        .chain(structures)
        .collect()
}

/// Returns a structure.
fn structure(component: &Component, n: usize, index: &StructureIndex) -> Method {
    let (krate, ty, text) = (&component.krate, &component.ty, &component.text);
    let n = component.indexes.len() + n;
    let (output, does) = match &index.kind {
        StructureKind::Ordered { name, ty, .. } => (
            quote!(#krate::Ordered<Self, #ty>),
            format!("Returns the entities with `{text}` in the order of its `{name}`."),
        ),
        StructureKind::Grid { fields, .. } => (
            match fields.len() {
                0 => quote!(#krate::__private::GridOf<Self, #ty>),
                dimensions => quote!(#krate::Grid<Self, #dimensions>),
            },
            format!("Returns the grid of the entities with `{text}`."),
        ),
    };
    let body = quote!(#krate::__private::structure_of::<Self, #ty, #n>(self));
    Method::new(
        component.structure(index),
        &does,
        quote!((&self) -> &#output),
        body,
    )
    .visible_as(&component.lookup_visibility(&index.visibility))
    .events(READS)
    .panics("`Clone` or `Ord` of a key has panicked since the entity concerned has changed")
    .must_use()
}

struct Lookup<'c> {
    component: &'c Component,
    handles: &'c Handles,
    /// The number of the field among the indexed ones.
    n: usize,
    field: &'c IndexedField,
}

impl Lookup<'_> {
    fn methods(&self) -> Vec<Method> {
        let (component, field) = (self.component, self.field);
        let names = component.first_lookup(field).into_iter();
        let names = names.chain([component.lookup(field)]);
        names.map(|name| self.method(name)).collect()
    }

    fn method(&self, name: Ident) -> Method {
        let (component, field, sought) = (self.component, self.field, self.sought());
        let method = Method::new(name, &self.does(), self.signature(), self.body())
            .generics(quote!(<#sought>))
            .visible_as(&component.lookup_visibility(&field.visibility))
            .events(READS);
        match field.primary {
            true => method.must_use(),
            // `IndexIter` is `#[must_use]` itself.
            false => method,
        }
    }

    fn does(&self) -> String {
        let (text, has) = (&self.component.text, self.has_key());
        match self.field.primary {
            true => format!("Returns the entity whose component `{text}` {has}."),
            false => format!(
                "Returns the entities whose component `{text}` {has}, in the order in which they \
                 received this key; if one is removed, the last one takes its place."
            ),
        }
    }

    fn has_key(&self) -> String {
        let name = &self.field.name;
        match self.field.keys {
            Keys::Whole | Keys::Ordered => format!("has this `{name}`"),
            Keys::Each => format!("has this element in its `{name}`"),
        }
    }

    fn signature(&self) -> TokenStream {
        let (key, output, sought) = (self.key(), self.output(), self.sought());
        quote! {
            (&self, key: &#sought) -> #output
            where
                #key: ::core::borrow::Borrow<#sought>,
                #sought: ::core::hash::Hash + ::core::cmp::Eq + ?::core::marker::Sized,
        }
    }

    /// The type parameter for the lookup key, with a name that occurs nowhere else.
    fn sought(&self) -> Ident {
        let (key, ty) = (self.key(), &self.component.ty);
        spare("Q", &quote!(#key #ty))
    }

    fn key(&self) -> TokenStream {
        let (krate, ty, n) = (&self.component.krate, &self.component.ty, self.n);
        match self.field.keys {
            Keys::Whole | Keys::Ordered => self.field.ty.clone(),
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
        let sought = self.sought();
        let call = match self.field.primary {
            true => quote!(entity_with),
            false => quote!(entities_with),
        };
        quote!(#krate::__private::#call::<Self, #ty, #sought, #n>(self, key))
    }
}

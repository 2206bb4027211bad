//! The method of both handles that returns the sources of an entity in a relation.

use quote::quote;

use crate::model::method::Method;
use crate::model::promises::READS;
use crate::model::reader::Reader;
use crate::parse::Component;

use super::many;

/// The method, if the relation has a name for it.
pub(super) fn method(component: &Component, reader: &Reader) -> Option<Method> {
    let relation = component.relation()?;
    let name = &relation.attrs.reverse.as_ref()?.value;
    if component.is_many() {
        return many::referring(component, reader, name.clone());
    }
    let (krate, ty) = (&component.krate, &component.ty);
    let path = &component.contexts.first()?.path;
    let order = match relation.attrs.ordered {
        Some(_) => ".",
        None => "; if one is removed, the last one takes its place.",
    };
    let does = format!(
        "Returns the ids of the entities whose component `{}` refers to this one, in the order \
         in which they were linked{order}",
        component.text
    );
    let signature = reader.signature(&reader.reference(&quote!([#krate::EntityId<#path>])));
    let body = quote!(self.related::<#ty>().sources());
    let method = Method::new(name.clone(), &does, signature, body);
    let method = method.visible_as(&component.visibility);
    Some(method.events(READS).must_use())
}

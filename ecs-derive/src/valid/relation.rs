//! The checks of relation fields.

use syn::Error;

use crate::error::Errors;
use crate::model::{Block, Method};
use crate::parse::{Component, Relation};

use super::hides_another;

/// Checks that there is one relation, of one context, whose method has a unique name.
pub(super) fn check(component: &Component, blocks: &[Block], errors: &mut Errors) {
    for second in component.relations.iter().skip(1) {
        let message = "a component can have one relation only: write a separate component for \
                       this one";
        errors.push(Error::new(second.span, message));
    }
    if let Some(relation) = component.relations.first() {
        of_one_context(component, relation, errors);
        reverse(relation, blocks, errors);
    }
}

fn of_one_context(component: &Component, relation: &Relation, errors: &mut Errors) {
    if component.contexts.len() > 1 {
        let message = "a relation refers to entities of its own context: name a single context, \
                       and write a component for each of the others";
        errors.push(Error::new(relation.span, message));
    }
}

/// Whether the relation names this method.
pub(super) fn names(component: &Component, method: &Method) -> bool {
    let reverse = component
        .relation()
        .and_then(|it| it.attrs.reverse.as_ref());
    reverse.is_some_and(|given| given.value == method.name)
}

fn reverse(relation: &Relation, blocks: &[Block], errors: &mut Errors) {
    let Some(name) = relation.attrs.reverse.as_ref().map(|given| &given.value) else {
        return;
    };
    let on_entities = blocks.iter().filter(|block| !block.kind.is_on_contexts());
    let of_block = |block: &Block| {
        let methods = block.methods().iter();
        methods.filter(|method| method.name == *name).count()
    };
    let is_repeated = on_entities.clone().any(|block| of_block(block) > 1);
    let mut methods = on_entities.flat_map(Block::methods);
    let reverse = methods.find(|method| method.name == *name);
    if is_repeated || reverse.is_some_and(|method| hides_another(false, method)) {
        let message = format!(
            "the method `{name}` would collide with another one of that name: write another name \
             in `reverse = ..`"
        );
        errors.push(Error::new(name.span(), message));
    }
}

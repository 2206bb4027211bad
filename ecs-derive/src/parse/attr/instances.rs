//! `instances(Stat<Health> as health_stat)`: the uses of a generic component.

use quote::ToTokens as _;
use syn::ext::IdentExt as _;
use syn::parse::ParseStream;
use syn::{Error, Ident, Result, Token, Type};

use crate::error::Errors;

use super::entries::list;
use super::values::parentheses;

/// A generic component with its arguments.
pub(crate) struct Instance {
    pub(crate) ty: Type,
    /// The base of the accessor names.
    pub(crate) name: Ident,
}

/// Reads the instances in the parentheses, without repetitions.
pub(super) fn read(
    key: &Ident,
    input: ParseStream<'_>,
    errors: &mut Errors,
) -> Result<Vec<Instance>> {
    let usage = "write `instances(Stat<Health> as health_stat, Stat<Mana> as mana_stat)`: each \
                 with the base name of its accessors";
    let content = parentheses(key, input, usage)?;
    if content.is_empty() {
        let message = format!("no instance is named: {usage}");
        return Err(Error::new(key.span(), message));
    }
    let mut all = Vec::new();
    list(&content, errors, |input, errors| {
        let instance = instance(input, usage)?;
        match repeats(&all, &instance) {
            Some(error) => errors.push(error),
            None => all.push(instance),
        }
        Ok(())
    });
    Ok(all)
}

fn instance(input: ParseStream<'_>, usage: &str) -> Result<Instance> {
    let ty: Type = input.parse().map_err(|e| Error::new(e.span(), usage))?;
    if !input.peek(Token![as]) {
        let message = "give the instance a base name for its accessors: `Stat<Health> as \
                       health_stat`";
        return Err(Error::new_spanned(ty, message));
    }
    input.parse::<Token![as]>()?;
    let name = input.call(Ident::parse_any).map_err(|e| {
        let message = "expected a name for the accessors, such as `health_stat`";
        Error::new(e.span(), message)
    })?;
    Ok(Instance { ty, name })
}

fn repeats(all: &[Instance], instance: &Instance) -> Option<Error> {
    let text = |instance: &Instance| instance.ty.to_token_stream().to_string();
    if all.iter().any(|known| text(known) == text(instance)) {
        let message = "this instance is named twice: remove one of them";
        return Some(Error::new_spanned(&instance.ty, message));
    }
    let is_taken = all.iter().any(|known| known.name == instance.name);
    let message = "another instance has this name: write a different one";
    is_taken.then(|| Error::new_spanned(&instance.name, message))
}

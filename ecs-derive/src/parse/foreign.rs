//! `foreign!`: types of other crates as components.

use heck::ToUpperCamelCase as _;
use proc_macro2::TokenStream;
use quote::{ToTokens as _, format_ident};
use syn::ext::IdentExt as _;
use syn::parse::{ParseStream, Parser as _};
use syn::{Ident, Path, Result, Token, Type, Visibility, parse_quote};

use crate::error::Errors;

use super::component::Component;

/// Reads `Game: std::time::Duration as lifetime`, with any number of types.
pub(crate) fn read(input: TokenStream, errors: &mut Errors) -> Result<Vec<Component>> {
    let read = |input: ParseStream<'_>| {
        let visibility: Visibility = input.parse()?;
        let context: Path = input.parse()?;
        input.parse::<Token![:]>()?;
        let all = input.parse_terminated(entry, Token![,])?;
        Ok((visibility, context, all))
    };
    let usage = "write `ecs::foreign!(Game: std::time::Duration as lifetime)`: the context, then types, each with the \
                 base name of its accessors";
    let read = read.parse2(input);
    let (visibility, context, all) = read.map_err(|it| syn::Error::new(it.span(), usage))?;
    if all.is_empty() {
        errors.at(&context, usage);
    }
    let each = all.into_iter();
    let each = each.map(|(ty, name)| component((&visibility, &context), &ty, &name, errors));
    Ok(each.collect())
}

fn entry(input: ParseStream<'_>) -> Result<(Type, Ident)> {
    let ty = input.parse()?;
    input.parse::<Token![as]>()?;
    Ok((ty, input.call(Ident::parse_any)?))
}

/// The component of a type, whose fields are unknown: it is read like an enum without variants.
fn component(
    (visibility, context): (&Visibility, &Path),
    ty: &Type,
    name: &Ident,
    errors: &mut Errors,
) -> Component {
    let base = name.unraw().to_string();
    let stem = format_ident!("{}", base.to_upper_camel_case(), span = name.span());
    let item = parse_quote! {
        #[component(context = #context)]
        #visibility enum #stem {}
    };
    let mut component = Component::read(item, errors);
    component.ty = ty.to_token_stream();
    component.constructor = ty.to_token_stream();
    component.text = text(ty);
    component.base = base;
    component.name_span = name.span();
    component.is_instance = true;
    component.is_foreign = true;
    component
}

/// The name of the type: without its path, unless it has arguments.
fn text(ty: &Type) -> String {
    match ty {
        Type::Path(path) if path.path.segments.iter().all(|it| it.arguments.is_none()) => {
            let last = path.path.segments.last();
            last.map(|last| last.ident.unraw().to_string())
                .unwrap_or_default()
        }
        _ => ty.to_token_stream().to_string().replace(' ', ""),
    }
}

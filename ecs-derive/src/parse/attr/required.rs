//! `requires(A, B = value)`: components that are added with a component.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::parse::ParseStream;
use syn::parse::discouraged::Speculative as _;
use syn::{Error, Expr, Ident, Result, Token, Type, token};

use crate::error::Errors;

use super::entries::list;
use super::values::parentheses;

/// A required component.
pub(crate) struct Required {
    pub(crate) ty: Type,
    /// Its value, if not the default.
    pub(crate) value: Option<TokenStream>,
}

/// Reads the components in the parentheses, without repetitions.
pub(super) fn read(
    key: &Ident,
    input: ParseStream<'_>,
    errors: &mut Errors,
) -> Result<Vec<Required>> {
    let usage = "write `requires(Velocity, Health = Health(3))`: each component with its value, \
                 or without one for the default";
    let content = parentheses(key, input, usage)?;
    if content.is_empty() {
        return Err(Error::new(
            key.span(),
            format!("no component is named: {usage}"),
        ));
    }
    let mut all = Vec::new();
    list(&content, errors, |input, errors| {
        let required = required(input, usage)?;
        match all.iter().any(|known| is_same(known, &required)) {
            true => errors.at(
                required.ty,
                "this component is named twice: remove one of them",
            ),
            false => all.push(required),
        }
        Ok(())
    });
    Ok(all)
}

fn is_same(a: &Required, b: &Required) -> bool {
    a.ty.to_token_stream().to_string() == b.ty.to_token_stream().to_string()
}

fn required(input: ParseStream<'_>, usage: &str) -> Result<Required> {
    let ty: Type = input.parse().map_err(|e| Error::new(e.span(), usage))?;
    if input.peek(token::Paren) || input.peek(token::Brace) {
        let name = ty.to_token_stream();
        return Err(input.error(format!("write the value after `=`: `{name} = {name}(..)`")));
    }
    let value = match input.parse::<Option<Token![=]>>()? {
        Some(sign) if input.is_empty() || input.peek(Token![,]) => {
            return Err(Error::new_spanned(sign, "expected a value after `=`"));
        }
        Some(_) => Some(value(input)?),
        None => None,
    };
    Ok(Required { ty, value })
}

/// An expression; one that the parser does not know extends to the next comma.
fn value(input: ParseStream<'_>) -> Result<TokenStream> {
    let ahead = input.fork();
    if let Ok(value) = ahead.parse::<Expr>()
        && (ahead.is_empty() || ahead.peek(Token![,]))
    {
        input.advance_to(&ahead);
        return Ok(value.into_token_stream());
    }
    let mut tokens = TokenStream::new();
    while !input.is_empty() && !input.peek(Token![,]) {
        tokens.extend([input.parse::<TokenTree>()?]);
    }
    Ok(tokens)
}

//! `delta` and `delta(step = 0.01)`.

use proc_macro2::TokenStream;
use syn::parse::{ParseStream, Parser as _};
use syn::spanned::Spanned as _;
use syn::{Error, Expr, ExprLit, Ident, Lit, Result, Token, token};

use super::values::parentheses;

const USAGE: &str = "write `delta` to send the fields that have changed, or `delta(step = 0.01)` to send numbers \
                     as multiples of a step";

/// A step, with its text.
#[derive(Clone)]
pub(crate) struct Step {
    pub(crate) text: String,
    pub(crate) value: f64,
}

/// Reads what comes after the word: nothing, or a step.
pub(super) fn read(key: &Ident, input: ParseStream<'_>) -> Result<Option<Step>> {
    if input.peek(Token![=]) {
        return Err(input.error(USAGE));
    }
    if !input.peek(token::Paren) {
        return Ok(None);
    }
    let given: TokenStream = parentheses(key, input, USAGE)?.parse()?;
    match given.is_empty() {
        true => Err(Error::new(key.span(), USAGE)),
        false => step.parse2(given).map(Some),
    }
}

fn step(given: ParseStream<'_>) -> Result<Step> {
    let usage = |error: Error| Error::new(error.span(), USAGE);
    let word: Ident = given.parse().map_err(usage)?;
    if word != "step" {
        return Err(Error::new(word.span(), USAGE));
    }
    given.parse::<Token![=]>().map_err(usage)?;
    let step: Expr = given.parse().map_err(usage)?;
    match given.is_empty() {
        true => number(&step),
        false => Err(given.error(USAGE)),
    }
}

fn number(step: &Expr) -> Result<Step> {
    let text = match step {
        Expr::Lit(ExprLit {
            lit: Lit::Float(number),
            ..
        }) => number.base10_digits(),
        Expr::Lit(ExprLit {
            lit: Lit::Int(number),
            ..
        }) => number.base10_digits(),
        Expr::Unary(_) => return Err(Error::new(step.span(), NOT_POSITIVE)),
        _ => {
            let message = "both programs must have the same step: write a number, such as `0.01`";
            return Err(Error::new(step.span(), message));
        }
    };
    match text.parse::<f64>() {
        Ok(value) if value.is_normal() => Ok(Step {
            text: value.to_string(),
            value,
        }),
        _ => Err(Error::new(step.span(), NOT_POSITIVE)),
    }
}

const NOT_POSITIVE: &str = "a step is a finite number greater than zero, such as `0.01`";

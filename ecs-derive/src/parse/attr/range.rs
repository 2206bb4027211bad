//! `range = 0..=100`.

use syn::parse::ParseStream;
use syn::{Error, Ident, Lit, Result, Token};

#[derive(Clone, Copy)]
pub(crate) struct Range {
    pub(crate) from: f64,
    pub(crate) to: f64,
}

const USAGE: &str = "write two numbers, as in `range = 0..=100` or `range = -1.0..=1.0`";

pub(super) fn read(key: &Ident, input: ParseStream<'_>) -> Result<Range> {
    if !input.peek(Token![=]) {
        return Err(Error::new(key.span(), USAGE));
    }
    input.parse::<Token![=]>()?;
    let start = input.span();
    let from = number(input)?;
    input
        .parse::<Token![..=]>()
        .map_err(|error| Error::new(error.span(), USAGE))?;
    let to = number(input)?;
    match from < to {
        true => Ok(Range { from, to }),
        false => Err(Error::new(
            start,
            "this range is empty: write the smaller number first",
        )),
    }
}

fn number(input: ParseStream<'_>) -> Result<f64> {
    let minus = input.parse::<Option<Token![-]>>()?;
    let usage = |error: Error| Error::new(error.span(), USAGE);
    let literal: Lit = input.parse().map_err(usage)?;
    let number: f64 = match &literal {
        Lit::Int(number) => number.base10_parse().map_err(usage)?,
        Lit::Float(number) => number.base10_parse().map_err(usage)?,
        other => return Err(Error::new_spanned(other, USAGE)),
    };
    Ok(if minus.is_some() { -number } else { number })
}

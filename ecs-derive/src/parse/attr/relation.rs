//! `relation`, or `relation(reverse = children, on_target_destroyed = destroy, acyclic, ordered, many)`.

use syn::parse::{ParseBuffer, ParseStream};
use syn::{Error, Ident, Result, Token, token};

use crate::error::Errors;

use super::entries::{Given, end_of_item, entries, set};
use super::values::{parentheses, word};

const USAGE: &str = "write `relation`, or `relation(reverse = children, on_target_destroyed = \
                     destroy, acyclic, ordered, many)` with any of these arguments";

const USAGE_OF_REVERSE: &str = "write `reverse = children`: the name of the method that returns \
                                the entities that refer to one";

const USAGE_OF_END: &str = "write `on_target_destroyed = remove`, `destroy`, `keep` or `reject`";

/// What happens to the sources of a destroyed target.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum OnTargetDestroyed {
    Remove,
    Destroy,
    Keep,
    Reject,
}

/// The arguments of `relation`.
#[derive(Default)]
pub(crate) struct RelationAttrs {
    pub(crate) reverse: Option<Given<Ident>>,
    pub(crate) on_target_destroyed: Option<Given<OnTargetDestroyed>>,
    pub(crate) acyclic: Option<Given<()>>,
    pub(crate) ordered: Option<Given<()>>,
    pub(crate) many: Option<Given<()>>,
}

impl RelationAttrs {
    /// Reads the part after the word.
    pub(super) fn read(key: &Ident, input: &ParseBuffer<'_>, errors: &mut Errors) -> Result<Self> {
        let mut read = Self::default();
        if !input.peek(token::Paren) {
            end_of_item(input).map_err(|_| input.error(USAGE))?;
            return Ok(read);
        }
        let content = parentheses(key, input, USAGE)?;
        entries(&content, errors, |key, input, _| read.entry(key, input));
        Ok(read)
    }

    fn entry(&mut self, key: Ident, input: ParseStream<'_>) -> Result<()> {
        match key.to_string().as_str() {
            "reverse" => set(&mut self.reverse, key, input, reverse),
            "on_target_destroyed" => set(&mut self.on_target_destroyed, key, input, end),
            "acyclic" => set(&mut self.acyclic, key, input, word),
            "ordered" => set(&mut self.ordered, key, input, word),
            "many" => set(&mut self.many, key, input, word),
            _ => Err(Error::new(key.span(), USAGE)),
        }
    }
}

fn reverse(key: &Ident, input: ParseStream<'_>) -> Result<Ident> {
    equals(key, input, USAGE_OF_REVERSE)?;
    input
        .parse()
        .map_err(|error: Error| Error::new(error.span(), USAGE_OF_REVERSE))
}

fn end(key: &Ident, input: ParseStream<'_>) -> Result<OnTargetDestroyed> {
    equals(key, input, USAGE_OF_END)?;
    let usage = |error: Error| Error::new(error.span(), USAGE_OF_END);
    let given: Ident = input.parse().map_err(usage)?;
    match given.to_string().as_str() {
        "remove" => Ok(OnTargetDestroyed::Remove),
        "destroy" => Ok(OnTargetDestroyed::Destroy),
        "keep" => Ok(OnTargetDestroyed::Keep),
        "reject" => Ok(OnTargetDestroyed::Reject),
        _ => Err(Error::new(given.span(), USAGE_OF_END)),
    }
}

fn equals(key: &Ident, input: ParseStream<'_>, usage: &str) -> Result<()> {
    match input.parse::<Option<Token![=]>>()? {
        Some(_) => Ok(()),
        None => Err(Error::new(key.span(), usage)),
    }
}

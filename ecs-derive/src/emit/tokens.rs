//! Changes the location of tokens.

use proc_macro2::{Group, Span, TokenStream, TokenTree};

/// Moves the tokens to another place for error messages, and keeps their hygiene.
pub(super) fn located_at(place: Span, tokens: TokenStream) -> TokenStream {
    let each = tokens.into_iter().map(|token| {
        let span = token.span().located_at(place);
        let mut token = match token {
            TokenTree::Group(group) => inside_located_at(place, &group).into(),
            other => other,
        };
        token.set_span(span);
        token
    });
    each.collect()
}

fn inside_located_at(place: Span, group: &Group) -> Group {
    Group::new(group.delimiter(), located_at(place, group.stream()))
}

//! Tokens at another place.

use proc_macro2::{Group, Span, TokenStream, TokenTree};

/// The tokens as if they stood at one place, for errors, and meaning what they mean.
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

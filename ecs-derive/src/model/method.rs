//! A generated method as data: name, signature, body and docs.

use proc_macro2::{Delimiter, Spacing, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::ext::IdentExt as _;
use syn::{Generics, Ident, Path, Visibility, parse_quote};

/// A method, independent of the kind of block that contains it.
pub(crate) struct Method {
    pub(crate) name: Ident,
    pub(crate) visibility: Visibility,
    /// The generic parameters, in angle brackets.
    pub(crate) generics: TokenStream,
    /// From the arguments to the return type.
    pub(crate) signature: TokenStream,
    /// The predicates of the `where` clause, if any.
    pub(crate) bounds: TokenStream,
    pub(crate) body: TokenStream,
    /// What it does and reports.
    docs: String,
    /// The sections on panics and errors.
    sections: String,
    pub(crate) panics: bool,
    pub(crate) must_use: bool,
}

impl Method {
    /// A public method; `does` is its text.
    pub(crate) fn new(name: Ident, does: &str, signature: TokenStream, body: TokenStream) -> Self {
        Self {
            name,
            visibility: parse_quote!(pub),
            generics: TokenStream::new(),
            signature,
            bounds: TokenStream::new(),
            body,
            docs: does.to_owned(),
            sections: String::new(),
            panics: false,
            must_use: false,
        }
    }

    /// A public method with a fixed name.
    pub(crate) fn named(name: &str, does: &str, signature: TokenStream, body: TokenStream) -> Self {
        Self::new(Ident::new(name, Span::call_site()), does, signature, body)
    }

    /// Adds a paragraph about the events it reports.
    pub(crate) fn events(mut self, events: &str) -> Self {
        self.docs.push_str(&format!("\n\n{events}"));
        self
    }

    /// Replaces the text by a reference to the panicking twin.
    pub(crate) fn like(mut self, twin: &Self) -> Self {
        let name = twin.name.unraw();
        self.docs =
            format!("Like [`{name}`](Self::{name}), but returns an error instead of panicking.");
        self
    }

    pub(crate) fn note(&mut self, text: &str) {
        self.docs.push_str(&format!("\n\n{text}"));
    }

    /// Adds the section "Panics": "Panics if {when}."
    pub(crate) fn panics(mut self, when: &str) -> Self {
        self.panics = true;
        self.section("Panics", &format!("Panics if {when}."))
    }

    /// Adds the section "Errors": "Returns an error if {when}".
    pub(crate) fn errors(self, when: &str) -> Self {
        let text = format!("Returns an error if {when}; nothing has changed then.");
        self.section("Errors", &text)
    }

    fn section(mut self, title: &str, text: &str) -> Self {
        self.sections.push_str(&format!("\n\n# {title}\n\n{text}"));
        self
    }

    /// Replaces `T` by the name of the parameter in the texts.
    pub(crate) fn of_parameter(mut self, name: &Ident) -> Self {
        for text in [&mut self.docs, &mut self.sections] {
            *text = text.replace("`T`", &format!("`{name}`"));
        }
        self
    }

    /// Adds `#[must_use]`.
    pub(crate) fn must_use(mut self) -> Self {
        self.must_use = true;
        self
    }

    pub(crate) fn generics(mut self, generics: TokenStream) -> Self {
        self.generics = generics;
        self
    }

    pub(crate) fn bounds(mut self, bounds: TokenStream) -> Self {
        self.bounds = bounds;
        self
    }

    pub(crate) fn visible_as(mut self, visibility: &Visibility) -> Self {
        self.visibility = visibility.clone();
        self
    }

    /// The method with an empty body, and these generic parameters in addition to its own.
    pub(crate) fn stub(mut self, generics: &Generics) -> Self {
        let own = syn::parse2::<Generics>(self.generics).unwrap_or_default();
        let mut generics = generics.clone();
        generics.params.extend(own.params);
        let (parameters, _, clause) = generics.split_for_impl();
        let demanded = clause.map(|clause| &clause.predicates);
        self.generics = quote!(#parameters);
        self.bounds = quote!(#demanded);
        self.body = quote!(loop {});
        self
    }

    /// The names of its parameters: the identifiers before a colon.
    pub(crate) fn parameters(&self) -> Vec<Ident> {
        let signature = self.signature.clone().into_iter();
        let list = signature.filter_map(|token| match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => Some(group),
            _ => None,
        });
        let tokens: Vec<_> = list.take(1).flat_map(|list| list.stream()).collect();
        let named = tokens.windows(2).filter_map(|pair| match pair {
            [TokenTree::Ident(name), TokenTree::Punct(colon)]
                if (colon.as_char(), colon.spacing()) == (':', Spacing::Alone) =>
            {
                Some(name.clone())
            }
            _ => None,
        });
        named.collect()
    }

    /// The complete doc comment.
    pub(crate) fn docs(&self) -> String {
        format!("{}{}", self.docs, self.sections)
    }
}

/// A name for an argument or variable that is hygienic: it never clashes with variables of the
/// user.
///
/// A constant, static or unit struct of this name would still be used in its place. `emit` hides
/// these around methods; elsewhere the name starts with `__`.
pub(crate) fn local(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// This name, or a variation that does not occur in the user's tokens.
pub(crate) fn spare(name: &str, tokens: &TokenStream) -> Ident {
    let mut name = format_ident!("{name}");
    while mentions(tokens.clone(), &name) {
        name = format_ident!("{name}0");
    }
    name
}

/// Whether a word occurs in the tokens.
fn mentions(tokens: TokenStream, word: &Ident) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == *word,
        TokenTree::Group(group) => mentions(group.stream(), word),
        _ => false,
    })
}

/// A listener in a context that receives an entity: its name, and its declaration as an argument.
pub(crate) fn listener(
    krate: &Path,
    context: &TokenStream,
    entity: &TokenStream,
) -> (Ident, TokenStream) {
    let name = local("listener");
    let bounds = quote!(::core::ops::FnMut(#entity) + #krate::FitsIn<#context>);
    let argument = quote!(#name: impl #bounds);
    (name, argument)
}

//! A generated method as data: its name, its signature, its one line of code, and what is promised
//! of it.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{Generics, Ident, Path, Visibility, parse_quote};

/// A method, before it is known in what kind of block it stands.
pub(crate) struct Method {
    pub(crate) name: Ident,
    pub(crate) visibility: Visibility,
    /// The generic parameters, in their brackets.
    pub(crate) generics: TokenStream,
    /// From the arguments to what is returned.
    pub(crate) signature: TokenStream,
    /// What the `where` clause demands, if there is one.
    pub(crate) bounds: TokenStream,
    pub(crate) body: TokenStream,
    /// What it does and reports.
    docs: String,
    /// When it panics or fails.
    sections: String,
    pub(crate) panics: bool,
    pub(crate) must_use: bool,
}

impl Method {
    /// A public method that `does` what the text says.
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

    /// A public method whose name does not depend on the component.
    pub(crate) fn named(name: &str, does: &str, signature: TokenStream, body: TokenStream) -> Self {
        Self::new(Ident::new(name, Span::call_site()), does, signature, body)
    }

    /// Adds a paragraph about the events it reports.
    pub(crate) fn events(mut self, events: &str) -> Self {
        self.docs.push_str(&format!("\n\n{events}"));
        self
    }

    /// Adds a paragraph.
    pub(crate) fn note(&mut self, text: &str) {
        self.docs.push_str(&format!("\n\n{text}"));
    }

    /// Says when it panics, after «Panics if».
    pub(crate) fn panics(mut self, when: &str) -> Self {
        self.panics = true;
        self.section("Panics", &format!("Panics if {when}."))
    }

    /// Says when it returns an error, after «Returns an error if».
    pub(crate) fn errors(self, when: &str) -> Self {
        let text = format!("Returns an error if {when}; nothing has changed then.");
        self.section("Errors", &text)
    }

    fn section(mut self, title: &str, text: &str) -> Self {
        self.sections.push_str(&format!("\n\n# {title}\n\n{text}"));
        self
    }

    /// Makes it an error of the caller's lints to ignore the result.
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

    /// The method without substance, for any of these parameters.
    pub(crate) fn stub(mut self, generics: &Generics) -> Self {
        let (parameters, _, clause) = generics.split_for_impl();
        let demanded = clause.map(|clause| &clause.predicates);
        self.generics = quote!(#parameters);
        self.bounds = quote!(#demanded);
        self.body = quote!(loop {});
        self
    }

    /// The whole text about it.
    pub(crate) fn docs(&self) -> String {
        format!("{}{}", self.docs, self.sections)
    }
}

/// A name for an argument or a variable that no name of the user's is taken for.
pub(crate) fn local(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// A listener that is handed an entity: its name, and it as an argument.
pub(crate) fn listener(krate: &Path, entity: &TokenStream) -> (Ident, TokenStream) {
    let name = local("listener");
    let argument = quote!(#name: impl ::core::ops::FnMut(#entity) + #krate::ThreadSafe);
    (name, argument)
}

//! A generated method: its name, its signature, its one line of code, and what is promised of it.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{Generics, Ident, Visibility, parse_quote};

/// The promise of a method that only reads.
pub(crate) const READS: &str = "Reports nothing.";

/// The promise of a method that adds or removes components.
pub(crate) const MOVES: &str =
    "Reports *entered* and *left* to the groups that the entity enters and leaves by it.";

/// The promise of a method that changes a value in place.
pub(crate) const UPDATES: &str = "Reports *updated* to the groups that name the component and \
                                  have the entity as a member. If `change` panics, the value \
                                  stays as it left it and nothing is reported.";

/// The promise of a method that adds or updates.
pub(crate) const REPLACES: &str = "Reports *updated* if the component is present already: to \
                                   the groups that name it and have the entity as a member. \
                                   Otherwise it is an add, and reports *entered* and *left* to \
                                   the groups that the entity enters and leaves by it.";

/// What a method does that lends a value unseen.
pub(crate) const UNTRACKED: &str = "Lends {} for writes that are **not reported**: no observer, \
                                    collector or reactive system learns of them.";

/// The promise of a method that destroys.
pub(crate) const DESTROYS: &str =
    "Reports *will be destroyed*, then *left* to every group of the entity, then *destroyed*.";

/// The promise of a method that takes a listener.
pub(crate) const LISTENS: &str = "Listeners are called when events are delivered, by `events().deliver()` or `EventSystems`, in \
     the order of their subscription. Reports *group created* if there is no group of the \
     entities with the component yet.";

/// When a destroy is refused, for texts.
pub(crate) const ENDING: &str = "the entity is dead or being destroyed already";

/// When any change is refused.
pub(crate) const DEAD: &str = "the entity is dead";

/// When an add is refused.
pub(crate) const PRESENT: &str = "the entity is dead or has the component already";

/// When what needs the component is refused.
pub(crate) const MISSING: &str = "the entity is dead or does not have the component";

/// When what needs the component is refused to a shared handle: that borrows the context, so that
/// its entity is alive.
pub(crate) const MISSING_ALIVE: &str = "the entity does not have the component";

/// The promise of a method that creates the owner of a unique component.
pub(crate) const CREATES_OWNER: &str =
    "Reports *created*, then *entered* to the groups that the new entity is in.";

/// The promise of a method that updates a unique component or creates its owner.
pub(crate) const REPLACES_OR_CREATES: &str = "Reports *updated* if an entity has the component: to the groups that name it and have the \
     entity as a member. Otherwise reports *created*, then *entered* to the groups that the new \
     entity is in.";

/// The promise of a method that creates or destroys the owner of a unique flag.
pub(crate) const SETS_OR_UNSETS: &str = "Reports nothing if all is as wanted already; otherwise *created* and *entered* for the \
     entity that is created, or what `destroy` reports.";

/// When a unique component cannot be set.
pub(crate) const OWNED: &str = "an entity has the component already";

/// When what needs a unique component is refused.
pub(crate) const MISSING_OWNER: &str = "no entity has the component";

/// When a unique component cannot be removed with its owner.
pub(crate) const MISSING_OR_ENDING_OWNER: &str =
    "no entity has the component, or the entity that has it is being destroyed already";

/// When the owner of a unique flag cannot be destroyed.
pub(crate) const ENDING_OWNER: &str =
    "the entity that has the component is to be destroyed and is being destroyed already";

/// When an add of a unique component is refused.
pub(crate) const PRESENT_OR_OWNED: &str = "the entity is dead or has the component already, or \
                                           another entity has it: the component is unique";

/// When a replace of a unique component is refused.
pub(crate) const DEAD_OR_OWNED: &str =
    "the entity is dead, or another entity has the component, which is unique";

/// A method as data: written out as an inherent method, or in the two halves of a trait.
pub(crate) struct Method {
    pub(crate) name: Ident,
    visibility: Visibility,
    /// The generic parameters, in their brackets.
    generics: TokenStream,
    /// From the arguments to the `where` clause.
    signature: TokenStream,
    body: TokenStream,
    /// What it does and reports.
    docs: String,
    /// When it panics or fails.
    sections: String,
    panics: bool,
    must_use: bool,
}

impl Method {
    /// A public method that `does` what the text says.
    pub(crate) fn new(name: Ident, does: &str, signature: TokenStream, body: TokenStream) -> Self {
        Self {
            name,
            visibility: parse_quote!(pub),
            generics: TokenStream::new(),
            signature,
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

    pub(crate) fn visible_as(mut self, visibility: &Visibility) -> Self {
        self.visibility = visibility.clone();
        self
    }

    /// The method without substance, for any of these parameters.
    pub(crate) fn stub(mut self, generics: &Generics) -> Self {
        let (parameters, _, clause) = generics.split_for_impl();
        self.generics = quote!(#parameters);
        self.signature.extend(quote!(#clause));
        self.body = quote!(loop {});
        self
    }

    /// As part of an inherent `impl`.
    pub(crate) fn inherent(&self) -> TokenStream {
        let (promise, code) = (self.promise(), self.code(Some(&self.visibility)));
        quote!(#promise #code)
    }

    /// As part of a `trait`.
    pub(crate) fn declared(&self) -> TokenStream {
        let promise = self.promise();
        let Self {
            name,
            generics,
            signature,
            ..
        } = self;
        quote!(#promise fn #name #generics #signature;)
    }

    /// As part of the `impl` of a trait.
    pub(crate) fn implemented(&self) -> TokenStream {
        self.code(None)
    }

    fn promise(&self) -> TokenStream {
        let docs = docs(&format!("{}{}", self.docs, self.sections));
        let must_use = self.must_use.then(|| quote!(#[must_use]));
        quote!(#docs #must_use)
    }

    fn code(&self, visibility: Option<&Visibility>) -> TokenStream {
        let track_caller = self.panics.then(|| quote!(#[track_caller]));
        let Self {
            name,
            generics,
            signature,
            body,
            ..
        } = self;
        quote! {
            #[inline]
            #track_caller
            #visibility fn #name #generics #signature { #body }
        }
    }
}

/// A listener that is handed an entity: its name, and it as an argument.
pub(crate) fn listener(entity: &TokenStream) -> (Ident, TokenStream) {
    let name = Ident::new("listener", Span::mixed_site());
    let argument = quote! {
        #name: impl ::core::ops::FnMut(#entity)
            + ::core::marker::Send
            + ::core::marker::Sync
            + 'static
    };
    (name, argument)
}

/// A text as a doc comment.
pub(crate) fn docs(text: &str) -> TokenStream {
    let lines = text.lines().map(|line| match line {
        "" => String::new(),
        _ => format!(" {line}"),
    });
    quote!(#(#[doc = #lines])*)
}

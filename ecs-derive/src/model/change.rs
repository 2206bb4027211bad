//! A change as data. It becomes two methods: one that panics on rejection and one, with the prefix
//! `try_`, that returns an error.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Path;

use super::method::Method;

/// The common parts of both methods.
pub(crate) struct Change<'s> {
    /// The name of the panicking method.
    pub(crate) name: &'s str,
    pub(crate) does: &'s str,
    /// The arguments, in parentheses.
    pub(crate) takes: TokenStream,
    /// The return type on success; empty for none.
    pub(crate) output: TokenStream,
    /// The generic parameters, in angle brackets, if any.
    pub(crate) generics: TokenStream,
    /// The predicates of the `where` clause, if any.
    pub(crate) bounds: TokenStream,
    /// The receiver of the generic method.
    pub(crate) on: TokenStream,
    /// The generic method that the panicking one calls; the other calls its `try_` twin.
    pub(crate) calls: &'s str,
    /// Whether there is only that twin, so that the panicking method calls it too.
    pub(crate) only_tries: bool,
    /// Everything after the name of the generic method.
    pub(crate) with: TokenStream,
    /// Whether to return the handle instead of the result of the generic method.
    pub(crate) chains: bool,
    pub(crate) events: &'s str,
    /// The reason for a rejection.
    pub(crate) rejected: &'s str,
}

#[derive(Clone, Copy)]
pub(crate) enum Form {
    Panics,
    Tries,
}

impl Change<'_> {
    /// A change of an entity that returns its handle, like the generic method. It takes no
    /// arguments; the caller fills in the rest.
    pub(crate) fn of_handle() -> Self {
        Self {
            name: "",
            does: "",
            takes: quote!((&mut self)),
            output: quote!(&mut Self),
            generics: TokenStream::new(),
            bounds: TokenStream::new(),
            on: quote!(self),
            calls: "",
            only_tries: false,
            with: quote!(()),
            chains: false,
            events: "",
            rejected: "",
        }
    }

    /// Both methods. `write` makes one from name, text, signature and body.
    pub(crate) fn both(
        &self,
        krate: &Path,
        write: impl Fn(&str, &str, TokenStream, TokenStream) -> Method,
    ) -> [Method; 2] {
        let [panics, tries] = [Form::Panics, Form::Tries].map(|form| {
            let signature = self.signature(form, krate);
            let body = self.body(form, krate);
            let method = write(&form.of(self.name), self.does, signature, body);
            let method = method.events(self.events).bounds(self.bounds.clone());
            let method = method.generics(self.generics.clone());
            form.rejected(method, self.rejected)
        });
        let tries = tries.like(&panics);
        [panics, tries]
    }

    fn signature(&self, form: Form, krate: &Path) -> TokenStream {
        let (takes, output) = (&self.takes, form.output(&self.output, krate));
        let arrow = (!output.is_empty()).then(|| quote!(-> #output));
        quote!(#takes #arrow)
    }

    fn body(&self, form: Form, krate: &Path) -> TokenStream {
        let call = match form {
            Form::Panics if self.only_tries => {
                let call = self.call(Form::Tries);
                quote!(#krate::__private::expect(#call))
            }
            form => self.call(form),
        };
        match form {
            Form::Panics if self.output.is_empty() => quote!(#call;),
            _ if !self.chains => call,
            Form::Panics => quote!(#call; self),
            Form::Tries => quote!(#call?; ::core::result::Result::Ok(self)),
        }
    }

    fn call(&self, form: Form) -> TokenStream {
        let (on, with) = (&self.on, &self.with);
        let generic = format_ident!("{}", form.of(self.calls));
        quote!(#on.#generic #with)
    }
}

impl Form {
    fn of(self, name: &str) -> String {
        match self {
            Self::Panics => name.to_owned(),
            Self::Tries => format!("try_{name}"),
        }
    }

    fn output(self, output: &TokenStream, krate: &Path) -> TokenStream {
        match self {
            Self::Panics => output.clone(),
            Self::Tries if output.is_empty() => quote!(::core::result::Result<(), #krate::Error>),
            Self::Tries => quote!(::core::result::Result<#output, #krate::Error>),
        }
    }

    fn rejected(self, method: Method, when: &str) -> Method {
        match self {
            Self::Panics => method.panics(when),
            Self::Tries => method.errors(when),
        }
    }
}

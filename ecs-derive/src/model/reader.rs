//! How the two handles of an entity read.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Lifetime;

use super::promises::{MISSING, MISSING_ALIVE};

/// The parts of a reading method's signature that depend on the handle.
pub(crate) struct Reader {
    /// The receiver of the methods.
    receiver: TokenStream,
    /// The lifetime of references.
    lifetime: TokenStream,
    /// A reference, without its type.
    reference: TokenStream,
    /// When a component cannot be read.
    pub(crate) missing: &'static str,
}

impl Reader {
    /// The shared handle: its references live as long as the borrow of the context.
    pub(crate) fn shared(lifetime: &Lifetime) -> Self {
        Self {
            receiver: quote!(self),
            lifetime: quote!(#lifetime),
            reference: quote!(&#lifetime),
            missing: MISSING_ALIVE,
        }
    }

    /// The exclusive handle.
    pub(crate) fn exclusive() -> Self {
        Self {
            receiver: quote!(&self),
            lifetime: quote!('_),
            reference: quote!(&),
            missing: MISSING,
        }
    }

    /// The signature of a method with this return type.
    pub(crate) fn signature(&self, output: &TokenStream) -> TokenStream {
        let receiver = &self.receiver;
        quote!((#receiver) -> #output)
    }

    /// The signature of a method with one argument.
    pub(crate) fn signature_with(
        &self,
        argument: &TokenStream,
        output: &TokenStream,
    ) -> TokenStream {
        let receiver = &self.receiver;
        quote!((#receiver, #argument) -> #output)
    }

    pub(crate) fn lifetime(&self) -> &TokenStream {
        &self.lifetime
    }

    /// A reference to this type.
    pub(crate) fn reference(&self, ty: &TokenStream) -> TokenStream {
        let reference = &self.reference;
        quote!(#reference #ty)
    }
}

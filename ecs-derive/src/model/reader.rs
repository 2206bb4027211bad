//! How the two handles of an entity read.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Lifetime;

use super::promises::{MISSING, MISSING_ALIVE};

/// What the signatures of the methods that read depend on.
pub(crate) struct Reader {
    /// How the methods take the handle.
    receiver: TokenStream,
    /// What references live as long as.
    lifetime: TokenStream,
    /// A reference, before its type.
    reference: TokenStream,
    /// When a component cannot be read.
    pub(crate) missing: &'static str,
}

impl Reader {
    /// The handle that reads: its references live as long as that of the context.
    pub(crate) fn shared(lifetime: &Lifetime) -> Self {
        Self {
            receiver: quote!(self),
            lifetime: quote!(#lifetime),
            reference: quote!(&#lifetime),
            missing: MISSING_ALIVE,
        }
    }

    /// The handle that changes.
    pub(crate) fn exclusive() -> Self {
        Self {
            receiver: quote!(&self),
            lifetime: quote!('_),
            reference: quote!(&),
            missing: MISSING,
        }
    }

    /// The signature of a method that returns this.
    pub(crate) fn signature(&self, output: &TokenStream) -> TokenStream {
        let receiver = &self.receiver;
        quote!((#receiver) -> #output)
    }

    /// What references live as long as.
    pub(crate) fn lifetime(&self) -> &TokenStream {
        &self.lifetime
    }

    /// A reference to this.
    pub(crate) fn reference(&self, ty: &TokenStream) -> TokenStream {
        let reference = &self.reference;
        quote!(#reference #ty)
    }
}

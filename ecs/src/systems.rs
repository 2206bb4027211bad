//! What programs are made of: systems, reactive systems, lists of them, worlds of several
//! contexts.

pub(crate) mod contexts;
pub(crate) mod system;

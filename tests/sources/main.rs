//! What the sources must keep to, and what must not compile.

mod contexts;
mod layers;
mod model;

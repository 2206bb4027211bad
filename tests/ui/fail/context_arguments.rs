//! Unknown arguments of `#[ecs::context(..)]`.

#[ecs::context(colour)]
struct Unknown;

#[ecs::context(crate = "::ecs", crate = "::ecs")]
struct Repeated;

#[ecs::context(crate)]
struct WithoutValue;

#[ecs::context(crate = ecs)]
struct WithoutQuotes;

#[ecs::context(3)]
struct NoWord;

#[ecs::context(minimum_free)]
struct WithoutNumber;

#[ecs::context(minimum_free = "many")]
struct NoNumber;

#[ecs::context(minimum_free = -1)]
struct Negative;

#[ecs::context(local = true)]
struct LocalWithValue;

fn main() {
    Unknown::new().create_entity();
    Repeated::new().create_entity();
    WithoutValue::new().create_entity();
    WithoutQuotes::new().create_entity();
    NoWord::new().create_entity();
}

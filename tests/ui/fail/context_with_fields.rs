//! Contexts with fields.

#[ecs::context]
struct Named {
    field: u8,
}

#[ecs::context]
struct Tuple(u8);

#[ecs::context]
struct Empty {}

fn main() {
    Named::new().create_entity();
    Tuple::new().create_entity();
    Empty::new().create_entity();
}

//! Items that are not structs.

#[ecs::context]
enum Choice {
    One,
}

#[ecs::context]
union Bits {
    whole: u32,
}

#[ecs::context]
fn function() {}

#[ecs::context]
mod module {}

#[ecs::context]
impl Choice {}

fn main() {
    function();
    Choice::new().create_entity();
}

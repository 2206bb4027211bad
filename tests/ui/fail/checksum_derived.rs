//! Attributes that are unknown, and fields that cannot be borrowed.

use ecs::Checksum;

struct Opaque;

#[derive(Checksum)]
struct Misspelt {
    #[checksum(skipped)]
    owner: Opaque,
}

#[derive(Checksum)]
union Either {
    number: u32,
    float: f32,
}

#[derive(Checksum)]
#[repr(C, packed)]
struct Packed(u8, u32);

fn main() {}

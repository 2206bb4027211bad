//! Storage of entities and values: slots, columns of blocks, and the numbering that assigns each
//! component its column. Contains all unsafe code except that of queries.

pub(crate) mod bit_set;
pub(crate) mod chain;
pub(crate) mod chunk;
pub(crate) mod column;
pub(crate) mod columns;
pub(crate) mod descriptor;
pub(crate) mod heap;
pub(crate) mod mailbox;
pub(crate) mod moved;

pub(crate) mod numbering;
pub(crate) mod owners;
#[cfg(feature = "serde")]
pub(crate) mod packing;
pub(crate) mod past;
pub(crate) mod registry;
pub(crate) mod row_words;
pub(crate) mod scoped;
pub(crate) mod segments;
pub(crate) mod slab;
pub(crate) mod slots;
pub(crate) mod sorted;
pub(crate) mod value_list;

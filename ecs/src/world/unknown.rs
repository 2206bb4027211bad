//! Components of a loaded save that the program does not have, kept to be written again.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use crate::formats::source::Tree;
use crate::words::entity_id::{RawEntityId, UntypedId};

/// The unknown components of a save. They belong to their entities by id: those of an entity that was
/// destroyed stay here, and are its own again after undo or a rewind.
///
/// A column of a binary format cannot be divided into values. So it is kept and written whole, with a mark at
/// each value whose entity is not written.
#[derive(Default)]
pub(crate) struct Unknown {
    /// The values of binary formats.
    pub(crate) columns: Vec<UnknownColumn>,
    /// The values of text formats, by entity and name.
    pub(crate) values: BTreeMap<RawEntityId, Vec<(String, Tree)>>,
    /// The orders of sources, by relation and target.
    pub(crate) orders: BTreeMap<String, Vec<(UntypedId, Vec<UntypedId>)>>,
    /// What systems have seen of states: in binary formats, and in text formats.
    pub(crate) entered: Vec<Vec<u8>>,
    pub(crate) seen: Vec<(String, &'static str, Tree)>,
}

/// A component in a binary format.
pub(crate) struct UnknownColumn {
    /// With the fields, as in the file.
    pub(crate) name: String,
    /// For each value, unless the entity was not written.
    pub(crate) owners: Vec<Option<RawEntityId>>,
    pub(crate) bytes: Vec<u8>,
}

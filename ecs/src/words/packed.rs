//! The encoding of columns in binary formats: serde's data model in bytes, without names and types.
//!
//! ```text
//! bool, u8, i8   one byte             str, bytes        length, bytes
//! u16 .. u64     varint               seq, map          length, elements
//! i16 .. i64     zigzag varint        Option            0, or 1 and the value
//! f32, f64       little endian        tuple, struct     the fields
//! char           varint of its code   enum              varint of the variant, the fields
//! u128, i128     little endian        unit, unit struct nothing
//! ```
//!
//! Values are written and read column by column, by functions that know both the type and the
//! encoding: a format of the user's is known to no component, so it could be reached only by dynamic
//! calls, one or more for each field. Reading believes nothing: it takes no more memory than bytes
//! are left, and goes no deeper than [`DEEPEST`].

mod message;
mod reader;
#[cfg(test)]
pub(crate) mod tests;
mod writer;

pub(crate) use self::message::Message;
pub(crate) use self::reader::Unpacker;
pub(crate) use self::writer::Packer;

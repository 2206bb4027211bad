//! Templates in files: a map of components by name in text formats, the same as bytes in binary
//! formats; a tree is a map of its entities.
//!
//! ```text
//! { "Health": 9, "Frozen": {} }
//!
//! { "0v1 tank": { "Health": 9 }, "1v1 turret": { "ChildOf": { "parent": "0v1" }, "Health": 3 },
//!   "order": [["Follows", "0v1", ["2v1", "1v1"]]] }                                  optional
//!
//! components as bytes: count, for each: name, bytes of the value (8 bytes), value
//! a tree as bytes: 0, the number of components; count, for each entity: its name or none,
//! components; orders: count, for each: relation, target, sources
//! ```
//!
//! In the file of a tree the entities have the ids `0v1`, `1v1` and so on, and the values refer to these.

mod inside;
mod reading;
mod writing;

/// The key of the orders in which entities refer to others.
const ORDER: &str = "order";

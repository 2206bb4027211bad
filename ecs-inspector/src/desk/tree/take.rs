//! Building a tree of a value, up to a limit, so that a large value is not visited whole.

use std::cell::Cell;

use serde::Serialize;
use serde::ser::{self, Error as _, Serializer};
use serde_json::Error;

use super::Tree;

/// The maximum nesting of a value: that of `serde_json`.
const MOST_LEVELS: usize = 127;
/// The number of bytes of a text that count as one part.
const BYTES: usize = 32;

/// Why there is no tree.
pub(crate) enum NoTree {
    TooLarge,
    Failed(Error),
}

impl Tree {
    /// Returns the tree of a value that has at most `most` parts.
    pub(crate) fn of(value: &(impl Serialize + ?Sized), most: usize) -> Result<Self, NoTree> {
        let left = Cell::new(Some(most));
        let taker = Taker {
            left: &left,
            levels: MOST_LEVELS,
        };
        let tree = value.serialize(taker);
        tree.map_err(|error| match left.get() {
            None => NoTree::TooLarge,
            Some(_) => NoTree::Failed(error),
        })
    }
}

#[derive(Clone, Copy)]
struct Taker<'l> {
    /// The number of parts left; `None` once the limit is exceeded.
    left: &'l Cell<Option<usize>>,
    levels: usize,
}

impl Taker<'_> {
    fn spend(self, parts: usize) -> Result<(), Error> {
        let left = self.left.get().and_then(|left| left.checked_sub(parts));
        self.left.set(left);
        left.map(drop).ok_or_else(|| Error::custom("too large"))
    }

    /// Descends by one level.
    fn below(self) -> Result<Self, Error> {
        self.spend(1)?;
        let levels = self.levels.checked_sub(1);
        let levels = levels.ok_or_else(|| Error::custom("it is nested too deeply"))?;
        Ok(Self { levels, ..self })
    }

    fn boxed<T: Serialize + ?Sized>(self, value: &T) -> Result<Box<Tree>, Error> {
        value.serialize(self.below()?).map(Box::new)
    }

    fn parts<P>(self, variant: Option<&'static str>) -> Result<Listing<Self, P>, Error> {
        Ok(Listing {
            taker: self.below()?,
            parts: Vec::new(),
            key: None,
            variant,
        })
    }
}

/// A tree under construction, with its parts so far.
struct Listing<T, P> {
    taker: T,
    parts: Vec<P>,
    key: Option<Tree>,
    /// The enum variant to which the parts belong.
    variant: Option<&'static str>,
}

impl<T, P> Listing<T, P> {
    fn tree(self, tree: fn(Vec<P>) -> Tree) -> Tree {
        let parts = tree(self.parts);
        match self.variant {
            None => parts,
            Some(variant) => Tree::Variant(variant, Some(Box::new(parts))),
        }
    }
}

type ListTaker<'l> = Listing<Taker<'l>, Tree>;
type Entries<'l> = Listing<Taker<'l>, (Tree, Tree)>;
type Fields<'l> = Listing<Taker<'l>, (&'static str, Tree)>;

macro_rules! plain {
    ($($method:ident($ty:ty) $variant:ident,)*) => { $(
        fn $method(self, value: $ty) -> Result<Tree, Error> {
            self.spend(1)?;
            Ok(Tree::$variant(value.into()))
        }
    )* };
}

impl<'l> Serializer for Taker<'l> {
    type Ok = Tree;
    type Error = Error;
    type SerializeSeq = ListTaker<'l>;
    type SerializeTuple = ListTaker<'l>;
    type SerializeTupleStruct = ListTaker<'l>;
    type SerializeTupleVariant = ListTaker<'l>;
    type SerializeMap = Entries<'l>;
    type SerializeStruct = Fields<'l>;
    type SerializeStructVariant = Fields<'l>;

    plain! {
        serialize_bool(bool) Bool,
        serialize_i8(i8) Signed,
        serialize_i16(i16) Signed,
        serialize_i32(i32) Signed,
        serialize_i64(i64) Signed,
        serialize_i128(i128) WideSigned,
        serialize_u8(u8) Unsigned,
        serialize_u16(u16) Unsigned,
        serialize_u32(u32) Unsigned,
        serialize_u64(u64) Unsigned,
        serialize_u128(u128) Wide,
        serialize_f32(f32) Float,
        serialize_f64(f64) Float,
        serialize_char(char) Char,
    }

    fn serialize_str(self, text: &str) -> Result<Tree, Error> {
        self.spend(1 + text.len() / BYTES)?;
        Ok(Tree::Text(text.into()))
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<Tree, Error> {
        self.spend(1 + bytes.len() / BYTES)?;
        Ok(Tree::Bytes(bytes.into()))
    }

    fn serialize_none(self) -> Result<Tree, Error> {
        self.spend(1)?;
        Ok(Tree::None)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Tree, Error> {
        self.boxed(value).map(Tree::Some)
    }

    fn serialize_unit(self) -> Result<Tree, Error> {
        self.spend(1)?;
        Ok(Tree::Unit)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<Tree, Error> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<Tree, Error> {
        self.spend(1)?;
        Ok(Tree::Variant(variant, None))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<Tree, Error> {
        value.serialize(self.below()?)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Tree, Error> {
        Ok(Tree::Variant(variant, Some(self.boxed(value)?)))
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<ListTaker<'l>, Error> {
        self.parts(None)
    }

    fn serialize_tuple(self, _: usize) -> Result<ListTaker<'l>, Error> {
        self.parts(None)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<ListTaker<'l>, Error> {
        self.parts(None)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<ListTaker<'l>, Error> {
        self.parts(Some(variant))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Entries<'l>, Error> {
        self.parts(None)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Fields<'l>, Error> {
        self.parts(None)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Fields<'l>, Error> {
        self.parts(Some(variant))
    }
}

macro_rules! lists {
    ($($of:ident::$method:ident,)*) => { $(
        impl ser::$of for ListTaker<'_> {
            type Ok = Tree;
            type Error = Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                self.parts.push(value.serialize(self.taker)?);
                Ok(())
            }

            fn end(self) -> Result<Tree, Error> {
                Ok(self.tree(Tree::List))
            }
        }
    )* };
}

lists! {
    SerializeSeq::serialize_element,
    SerializeTuple::serialize_element,
    SerializeTupleStruct::serialize_field,
    SerializeTupleVariant::serialize_field,
}

impl ser::SerializeMap for Entries<'_> {
    type Ok = Tree;
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.key = Some(key.serialize(self.taker)?);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let key = self.key.take();
        let key = key.ok_or_else(|| Error::custom("a map has a value without a key"))?;
        self.parts.push((key, value.serialize(self.taker)?));
        Ok(())
    }

    fn end(self) -> Result<Tree, Error> {
        Ok(self.tree(Tree::Map))
    }
}

macro_rules! structs {
    ($($of:ident,)*) => { $(
        impl ser::$of for Fields<'_> {
            type Ok = Tree;
            type Error = Error;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<(), Error> {
                self.parts.push((name, value.serialize(self.taker)?));
                Ok(())
            }

            fn end(self) -> Result<Tree, Error> {
                Ok(self.tree(Tree::Struct))
            }
        }
    )* };
}

structs! { SerializeStruct, SerializeStructVariant, }

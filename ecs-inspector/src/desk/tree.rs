//! A value of any type as a lossless tree. JSON cannot express NaN, `Some(None)` or 128-bit
//! integers, so a value that is written as JSON and read back may differ.
//!
//! ```text
//! take.rs  converts a value to a tree (a `Serializer`)
//! give.rs  converts a tree to a value (a `Deserializer`)
//! ```

mod give;
mod take;

use std::hash::{DefaultHasher, Hash, Hasher as _};

use serde_json::Value;
use serde_json::value::RawValue;

pub(crate) use self::take::NoTree;

/// The maximum number of keys that an error lists.
const MOST_LISTED: usize = 8;

/// A value in the data model of `serde`. A newtype is represented by its content.
#[derive(Debug)]
pub(crate) enum Tree {
    Unit,
    Bool(bool),
    Unsigned(u64),
    Signed(i64),
    Wide(u128),
    WideSigned(i128),
    Float(f64),
    Char(char),
    Text(Box<str>),
    Bytes(Box<[u8]>),
    None,
    Some(Box<Tree>),
    /// A list or a tuple.
    List(Vec<Tree>),
    Map(Vec<(Tree, Tree)>),
    Struct(Vec<(&'static str, Tree)>),
    /// A variant of an enum, with its content.
    Variant(&'static str, Option<Box<Tree>>),
    /// JSON from a client, in place of a part.
    Json(Box<RawValue>),
}

impl Tree {
    /// Replaces the part at a JSON pointer, or returns a message that lists what exists.
    pub(crate) fn put(&mut self, path: &str, json: &RawValue) -> Result<(), String> {
        *self.at(path)? = Self::Json(json.to_owned());
        Ok(())
    }

    /// Returns the part at a JSON pointer.
    pub(crate) fn at(&mut self, path: &str) -> Result<&mut Self, String> {
        let mut part = self;
        let mut passed = 0;
        for key in keys(path)? {
            let above = &path[..passed];
            passed += 1 + key.len();
            let key = unescaped(key);
            if !part.has(&key) {
                return Err(format!(
                    "there is nothing at `{path}`: {}",
                    part.listed(above)
                ));
            }
            part = part.child(&key).ok_or_else(|| part_missing(path))?;
        }
        Ok(part)
    }

    fn has(&mut self, key: &str) -> bool {
        self.child(key).is_some()
    }

    fn child(&mut self, key: &str) -> Option<&mut Self> {
        if let Self::Bytes(bytes) = self {
            *self = Self::List(
                bytes
                    .iter()
                    .map(|&byte| Self::Unsigned(byte.into()))
                    .collect(),
            );
        }
        match self {
            Self::Some(inner) => inner.child(key),
            Self::List(list) => list.get_mut(index(key)?),
            Self::Map(entries) => {
                let mut entries = entries.iter_mut();
                let found = entries.find(|(known, _)| known.as_key().as_deref() == Some(key));
                found.map(|(_, part)| part)
            }
            Self::Struct(fields) => {
                let mut fields = fields.iter_mut();
                fields.find(|(name, _)| *name == key).map(|(_, part)| part)
            }
            Self::Variant(name, Some(content)) if *name == key => Some(content),
            _ => None,
        }
    }

    /// Lists the children of this part, whose path is `above`.
    fn listed(&self, above: &str) -> String {
        let place = match above {
            "" => String::from("the value"),
            _ => format!("`{above}`"),
        };
        let names: Vec<String> = match self {
            Self::Some(inner) => return inner.listed(above),
            Self::List(list) if !list.is_empty() => {
                let (count, last) = (list.len(), list.len() - 1);
                return format!(
                    "{place} is a list of {count} elements, `{above}/0` to `{above}/{last}`"
                );
            }
            Self::Map(entries) => entries.iter().filter_map(|(key, _)| key.as_key()).collect(),
            Self::Struct(fields) => fields.iter().map(|(name, _)| (*name).into()).collect(),
            Self::Variant(name, Some(_)) => vec![(*name).into()],
            _ => Vec::new(),
        };
        if names.is_empty() {
            return format!("there is nothing below {place}");
        }
        let mut quoted: Vec<_> = names
            .iter()
            .take(MOST_LISTED)
            .map(|it| format!("`{it}`"))
            .collect();
        if names.len() > MOST_LISTED {
            quoted.push(format!("{} more", names.len() - MOST_LISTED));
        }
        format!("{place} has {}", quoted.join(", "))
    }

    /// Returns it as the key of a map in JSON.
    pub(crate) fn as_key(&self) -> Option<String> {
        Some(match self {
            Self::Bool(it) => it.to_string(),
            Self::Unsigned(it) => it.to_string(),
            Self::Signed(it) => it.to_string(),
            Self::Wide(it) => it.to_string(),
            Self::WideSigned(it) => it.to_string(),
            Self::Float(it) => it.to_string(),
            Self::Char(it) => it.to_string(),
            Self::Text(it) => it.to_string(),
            Self::Variant(name, None) => (*name).to_owned(),
            Self::Some(inner) => return inner.as_key(),
            _ => return None,
        })
    }

    /// Hashes the tree, ignoring the order of lists and maps: hash sets and maps have no fixed order.
    pub(crate) fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        std::mem::discriminant(self).hash(&mut hasher);
        match self {
            Self::Unit | Self::None => {}
            Self::Bool(it) => it.hash(&mut hasher),
            Self::Unsigned(it) => it.hash(&mut hasher),
            Self::Signed(it) => it.hash(&mut hasher),
            Self::Wide(it) => it.hash(&mut hasher),
            Self::WideSigned(it) => it.hash(&mut hasher),
            Self::Float(it) => it.to_bits().hash(&mut hasher),
            Self::Char(it) => it.hash(&mut hasher),
            Self::Text(it) => it.hash(&mut hasher),
            Self::Bytes(it) => it.hash(&mut hasher),
            Self::Some(inner) => inner.fingerprint().hash(&mut hasher),
            Self::List(list) => sum(list.iter().map(Self::fingerprint)).hash(&mut hasher),
            Self::Map(entries) => {
                let pairs = entries.iter();
                let pairs = pairs.map(|(key, part)| both(key.fingerprint(), part.fingerprint()));
                sum(pairs).hash(&mut hasher);
            }
            Self::Struct(fields) => {
                for (name, part) in fields {
                    (name, part.fingerprint()).hash(&mut hasher);
                }
            }
            Self::Variant(name, content) => {
                (name, content.as_ref().map(|it| it.fingerprint())).hash(&mut hasher);
            }
            Self::Json(json) => json.get().hash(&mut hasher),
        }
        hasher.finish()
    }

    /// Finds a finite number of `json` that became an infinite float: its path and text.
    pub(crate) fn overflow(&mut self, json: &Value) -> Option<(String, String)> {
        match (self, json) {
            (Self::Float(float), Value::Number(number)) if !float.is_finite() => {
                Some((String::new(), number.to_string()))
            }
            (Self::Some(inner), json) => inner.overflow(json),
            (Self::List(list), Value::Array(parts)) => {
                let mut pairs = list.iter_mut().zip(parts).enumerate();
                pairs.find_map(|(nth, (tree, part))| below(&nth.to_string(), tree.overflow(part)))
            }
            (tree, Value::Object(parts)) => {
                let mut parts = parts.iter();
                parts.find_map(|(key, part)| below(key, tree.child(key)?.overflow(part)))
            }
            _ => None,
        }
    }
}

fn below(key: &str, found: Option<(String, String)>) -> Option<(String, String)> {
    found.map(|(path, number)| (format!("/{}{path}", escaped(key)), number))
}

fn sum(numbers: impl Iterator<Item = u64>) -> u64 {
    numbers.fold(0, u64::wrapping_add)
}

fn both(a: u64, b: u64) -> u64 {
    let mut hasher = DefaultHasher::new();
    (a, b).hash(&mut hasher);
    hasher.finish()
}

fn part_missing(path: &str) -> String {
    format!("there is nothing at `{path}`")
}

/// Returns the keys of a JSON pointer, still escaped.
pub(crate) fn keys(path: &str) -> Result<impl Iterator<Item = &str>, String> {
    let is_pointer = path.is_empty() || path.starts_with('/');
    match is_pointer {
        true => Ok(path.split('/').skip(1)),
        false => Err(format!(
            "`{path}` is no JSON pointer, which begins with `/`, as `/{path}`"
        )),
    }
}

/// Unescapes a key of a JSON pointer.
pub(crate) fn unescaped(key: &str) -> String {
    key.replace("~1", "/").replace("~0", "~")
}

/// Escapes a key for a JSON pointer.
pub(crate) fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// Parses a key of a JSON pointer as an index.
pub(crate) fn index(key: &str) -> Option<usize> {
    let is_plain = key == "0" || !key.starts_with(['0', '+']);
    key.parse().ok().filter(|_| is_plain)
}

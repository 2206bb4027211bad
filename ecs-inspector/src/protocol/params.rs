//! The parameters of queries and commands. In a query string all of them are strings, so numbers and
//! lists can also be read from strings. Values of components stay JSON text until their type reads
//! them, so that no number is rounded.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::name_list::NameList;

/// The maximum window of a list.
pub(crate) const MOST_ROWS: usize = 200;
/// The maximum number of points of a picture.
pub(crate) const MOST_POINTS: usize = 5000;
/// The maximum number of columns of a list.
pub(crate) const MOST_COLUMNS: usize = 16;

/// The number of characters of an invalid number that an error repeats.
const MOST_REPEATED: usize = 40;

/// A number up to `most`, as a number or a string.
fn number<'de, D: Deserializer<'de>>(name: &str, most: u64, from: D) -> Result<u64, D::Error> {
    let json = Box::<RawValue>::deserialize(from)?;
    let text = serde_json::from_str::<String>(json.get());
    let text = text.unwrap_or_else(|_| json.get().to_owned());
    let is_whole = text.bytes().all(|letter| letter.is_ascii_digit());
    let number = text
        .parse()
        .ok()
        .filter(|number| is_whole && *number <= most);
    number.ok_or_else(|| {
        let said: String = text.chars().take(MOST_REPEATED).collect();
        let message = format!("`{name}` must be a whole number from 0 to {most}, not `{said}`");
        serde::de::Error::custom(message)
    })
}

/// Defines functions that read the numbers with these names.
macro_rules! numbers {
    ($($name:ident: $ty:ty,)*) => {
        /// Reads a number; errors name the parameter.
        #[expect(clippy::cast_possible_truncation, reason = "it has been checked")]
        pub(crate) mod numbers {
            use serde::Deserializer;

            $(
                pub(crate) fn $name<'de, D: Deserializer<'de>>(from: D) -> Result<$ty, D::Error> {
                    let most = <$ty>::MAX as u64;
                    super::number(stringify!($name), most, from).map(|number| number as $ty)
                }
            )*
        }
    };
}

numbers! {
    id: u64,
    unwatch: u64,
    from: usize,
    count: usize,
    depth: usize,
    group: usize,
    since: u64,
    frames: u32,
    mark: u64,
}

/// Reads an optional number.
pub(crate) fn some_id<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    numbers::id(from).map(Some)
}

/// Reads the optional number of a watch to end.
pub(crate) fn some_unwatch<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    numbers::unwatch(from).map(Some)
}

fn some_group<'de, D: Deserializer<'de>>(from: D) -> Result<Option<usize>, D::Error> {
    numbers::group(from).map(Some)
}

/// The parameters of queries about a whole context.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct OfContext {
    pub(crate) context: Option<String>,
}

/// The parameters of queries that have none.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Nothing {}

/// The parameters of `entities`.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct List {
    pub(crate) context: Option<String>,
    pub(crate) all: NameList,
    pub(crate) any: NameList,
    pub(crate) none: NameList,
    #[serde(deserialize_with = "some_group")]
    pub(crate) group: Option<usize>,
    pub(crate) text: String,
    pub(crate) roots: Option<String>,
    pub(crate) columns: NameList,
    #[serde(deserialize_with = "numbers::from")]
    pub(crate) from: usize,
    #[serde(deserialize_with = "numbers::count")]
    pub(crate) count: usize,
}

impl Default for List {
    fn default() -> Self {
        Self {
            context: None,
            all: NameList::default(),
            any: NameList::default(),
            none: NameList::default(),
            group: None,
            text: String::new(),
            roots: None,
            columns: NameList::default(),
            from: 0,
            count: 50,
        }
    }
}

/// The parameters of `points`.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct AskPoints {
    pub(crate) context: Option<String>,
    pub(crate) all: NameList,
    pub(crate) any: NameList,
    pub(crate) none: NameList,
    #[serde(deserialize_with = "some_group")]
    pub(crate) group: Option<usize>,
    pub(crate) x: String,
    pub(crate) y: String,
    pub(crate) color: Option<String>,
    #[serde(deserialize_with = "numbers::count")]
    pub(crate) count: usize,
}

impl Default for AskPoints {
    fn default() -> Self {
        Self {
            context: None,
            all: NameList::default(),
            any: NameList::default(),
            none: NameList::default(),
            group: None,
            x: String::new(),
            y: String::new(),
            color: None,
            count: 2000,
        }
    }
}

impl AskPoints {
    /// Returns the list of its entities.
    pub(crate) fn filter(&self) -> List {
        List {
            all: self.all.clone(),
            any: self.any.clone(),
            none: self.none.clone(),
            group: self.group,
            ..List::default()
        }
    }
}

/// The parameters of `entity`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct One {
    #[serde(default)]
    pub(crate) context: Option<String>,
    pub(crate) entity: String,
}

/// The parameters of `value`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Part {
    #[serde(default)]
    pub(crate) context: Option<String>,
    pub(crate) entity: String,
    pub(crate) component: String,
    #[serde(default)]
    pub(crate) path: String,
    #[serde(default, deserialize_with = "numbers::from")]
    pub(crate) from: usize,
    #[serde(default = "a_hundred", deserialize_with = "numbers::count")]
    pub(crate) count: usize,
}

fn a_hundred() -> usize {
    100
}

/// The parameters of `tree`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TreeParams {
    #[serde(default)]
    pub(crate) context: Option<String>,
    pub(crate) relation: String,
    pub(crate) entity: String,
    #[serde(default = "three", deserialize_with = "numbers::depth")]
    pub(crate) depth: usize,
    #[serde(default = "two_hundred", deserialize_with = "numbers::count")]
    pub(crate) count: usize,
    #[serde(default)]
    pub(crate) columns: NameList,
}

fn three() -> usize {
    3
}

fn two_hundred() -> usize {
    200
}

/// The parameters of the query `log`.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ReadLog {
    pub(crate) context: Option<String>,
    pub(crate) components: NameList,
    pub(crate) entity: Option<String>,
    #[serde(deserialize_with = "numbers::since")]
    pub(crate) since: u64,
    #[serde(deserialize_with = "numbers::count")]
    pub(crate) count: usize,
}

impl Default for ReadLog {
    fn default() -> Self {
        Self {
            context: None,
            components: NameList::default(),
            entity: None,
            since: 0,
            count: 200,
        }
    }
}

/// The parameters of `add` and `replace`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Write {
    #[serde(default)]
    pub(crate) context: Option<String>,
    pub(crate) entity: String,
    pub(crate) component: String,
    pub(crate) value: Box<RawValue>,
}

/// The parameters of `set`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Set {
    #[serde(default)]
    pub(crate) context: Option<String>,
    pub(crate) entity: String,
    pub(crate) component: String,
    pub(crate) path: String,
    pub(crate) value: Box<RawValue>,
}

/// The parameters of `remove`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Remove {
    #[serde(default)]
    pub(crate) context: Option<String>,
    pub(crate) entity: String,
    pub(crate) component: String,
}

/// The parameters of `create`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Create {
    pub(crate) context: Option<String>,
    pub(crate) template: Option<String>,
    pub(crate) like: Option<String>,
    pub(crate) components: BTreeMap<String, Box<RawValue>>,
}

/// The parameters of `step`.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Step {
    #[serde(deserialize_with = "numbers::frames")]
    pub(crate) frames: u32,
}

impl Default for Step {
    fn default() -> Self {
        Self { frames: 1 }
    }
}

/// The parameters of `enable`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Enable {
    pub(crate) system: String,
    pub(crate) enabled: bool,
}

/// The parameters of `record`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Record {
    pub(crate) on: bool,
    /// Excluded components: names, or `Context.Name`.
    #[serde(default)]
    pub(crate) exclude: NameList,
}

/// The parameters of the command `log`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Switch {
    pub(crate) on: bool,
}

/// The parameters of `look`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Look {
    #[serde(deserialize_with = "numbers::mark")]
    pub(crate) mark: u64,
}

//! The parameters of queries and commands. In a query string all of them are texts, so numbers and
//! lists are read from texts, too.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

/// The greatest window of a list.
pub(crate) const MOST_ROWS: usize = 200;
/// How many columns a list has at most.
pub(crate) const MOST_COLUMNS: usize = 16;

/// Names, as a list or with commas between them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Names(pub(crate) Vec<String>);

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::String(text) => Ok(Self::split(&text)),
            Value::Array(names) => {
                let texts = names.into_iter().map(text);
                texts.collect::<Option<_>>().map(Self).ok_or_else(not_names)
            }
            _ => Err(not_names()),
        }
    }
}

impl Names {
    fn split(text: &str) -> Self {
        let names = text.split(',').map(str::trim);
        Self(
            names
                .filter(|name| !name.is_empty())
                .map(String::from)
                .collect(),
        )
    }
}

fn text(value: Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text),
        _ => None,
    }
}

fn not_names<E: serde::de::Error>() -> E {
    E::custom("expected names: a list of texts, or a text with commas")
}

/// A number, or a text that says one.
fn number<'de, D: Deserializer<'de>, N: TryFrom<u64>>(deserializer: D) -> Result<N, D::Error> {
    let number = match Value::deserialize(deserializer)? {
        Value::Number(number) => number.as_u64(),
        Value::String(text) => text.parse().ok(),
        _ => None,
    };
    let number = number.and_then(|number| N::try_from(number).ok());
    number.ok_or_else(|| D::Error::custom("expected a whole number, and not a negative one"))
}

fn some_number<'de, D: Deserializer<'de>, N: TryFrom<u64>>(d: D) -> Result<Option<N>, D::Error> {
    number(d).map(Some)
}

/// Of queries that ask for a whole context.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct OfContext {
    pub(crate) context: Option<String>,
}

/// Of queries without parameters.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Nothing {}

/// Of `entities`.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct List {
    pub(crate) context: Option<String>,
    pub(crate) all: Names,
    pub(crate) any: Names,
    pub(crate) none: Names,
    #[serde(deserialize_with = "some_number")]
    pub(crate) group: Option<usize>,
    pub(crate) text: String,
    pub(crate) roots: Option<String>,
    pub(crate) columns: Names,
    #[serde(deserialize_with = "number")]
    pub(crate) from: usize,
    #[serde(deserialize_with = "number")]
    pub(crate) count: usize,
}

impl Default for List {
    fn default() -> Self {
        Self {
            context: None,
            all: Names::default(),
            any: Names::default(),
            none: Names::default(),
            group: None,
            text: String::new(),
            roots: None,
            columns: Names::default(),
            from: 0,
            count: 50,
        }
    }
}

/// Of `entity`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct One {
    #[serde(default)]
    pub(crate) context: Option<String>,
    pub(crate) entity: String,
}

/// Of `tree`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Tree {
    #[serde(default)]
    pub(crate) context: Option<String>,
    pub(crate) relation: String,
    pub(crate) entity: String,
    #[serde(default = "three", deserialize_with = "number")]
    pub(crate) depth: usize,
    #[serde(default = "two_hundred", deserialize_with = "number")]
    pub(crate) count: usize,
    #[serde(default)]
    pub(crate) columns: Names,
}

fn three() -> usize {
    3
}

fn two_hundred() -> usize {
    200
}

/// Of the query `log`.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ReadLog {
    pub(crate) context: Option<String>,
    pub(crate) components: Names,
    pub(crate) entity: Option<String>,
    #[serde(deserialize_with = "number")]
    pub(crate) since: u64,
    #[serde(deserialize_with = "number")]
    pub(crate) count: usize,
}

impl Default for ReadLog {
    fn default() -> Self {
        Self {
            context: None,
            components: Names::default(),
            entity: None,
            since: 0,
            count: 200,
        }
    }
}

/// Of `add` and `replace`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Write {
    #[serde(default)]
    pub(crate) context: Option<String>,
    pub(crate) entity: String,
    pub(crate) component: String,
    pub(crate) value: Value,
}

/// Of `set`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Set {
    #[serde(default)]
    pub(crate) context: Option<String>,
    pub(crate) entity: String,
    pub(crate) component: String,
    pub(crate) path: String,
    pub(crate) value: Value,
}

/// Of `remove`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Remove {
    #[serde(default)]
    pub(crate) context: Option<String>,
    pub(crate) entity: String,
    pub(crate) component: String,
}

/// Of `create`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Create {
    pub(crate) context: Option<String>,
    pub(crate) template: Option<String>,
    pub(crate) like: Option<String>,
    pub(crate) components: Map<String, Value>,
}

/// Of `step`.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Step {
    #[serde(deserialize_with = "number")]
    pub(crate) frames: u32,
}

impl Default for Step {
    fn default() -> Self {
        Self { frames: 1 }
    }
}

/// Of `enable`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Enable {
    pub(crate) system: String,
    pub(crate) enabled: bool,
}

/// Of `record` and of the command `log`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Switch {
    pub(crate) on: bool,
}

/// Of `look`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Look {
    #[serde(deserialize_with = "number")]
    pub(crate) mark: u64,
}

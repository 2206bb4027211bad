//! The answers to queries, in the form of their JSON.

use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::value::RawValue;

/// A value of a component, or a part of one.
#[derive(Clone, Debug, serde::Serialize)]
#[serde(untagged)]
pub(crate) enum Shown {
    Json {
        json: Box<RawValue>,
    },
    Text {
        text: String,
        /// Whether this is only the beginning.
        #[serde(skip_serializing_if = "is_false")]
        cut: bool,
    },
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_false(it: &bool) -> bool {
    !it
}

impl Shown {
    /// Returns its length in bytes.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Json { json } => json.get().len(),
            Self::Text { text, .. } => text.len(),
        }
    }
}

/// Values by the names of their components.
pub(crate) struct Values<'n>(pub(crate) Vec<(&'n str, Shown)>);

impl Serialize for Values<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

/// A row of a list.
#[derive(serde::Serialize)]
pub(crate) struct Row<'n> {
    pub(crate) entity: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) label: Option<String>,
    pub(crate) has: Vec<usize>,
    pub(crate) values: Values<'n>,
}

/// The answer to `entities`.
#[derive(serde::Serialize)]
pub(crate) struct Rows<'n> {
    pub(crate) total: usize,
    pub(crate) complete: bool,
    pub(crate) from: usize,
    /// The number of entities with values of which only the beginning was searched.
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) cut: usize,
    pub(crate) rows: Vec<Row<'n>>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_zero(it: &usize) -> bool {
    *it == 0
}

/// An element of a part of a value, with its name if it has one.
#[derive(serde::Serialize)]
pub(crate) struct Item {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) key: Option<String>,
    #[serde(flatten)]
    pub(crate) value: Shown,
}

/// The answer to `value`: a window of a part of a value.
#[derive(serde::Serialize)]
pub(crate) struct PartOfValue<'p> {
    pub(crate) entity: String,
    pub(crate) component: &'p str,
    pub(crate) path: &'p str,
    pub(crate) kind: &'static str,
    pub(crate) count: Option<usize>,
    pub(crate) from: usize,
    pub(crate) items: Vec<Item>,
}

/// A component of an entity.
#[derive(serde::Serialize)]
pub(crate) struct NamedValue<'n> {
    pub(crate) name: &'n str,
    #[serde(flatten)]
    pub(crate) value: Shown,
}

/// An entity's part in a relation.
#[derive(serde::Serialize)]
pub(crate) struct Link<'n> {
    pub(crate) component: &'n str,
    pub(crate) target: Option<String>,
    pub(crate) sources: Vec<String>,
    pub(crate) count: usize,
}

/// The answer to `entity`.
#[derive(serde::Serialize)]
pub(crate) struct Whole<'n> {
    pub(crate) entity: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) label: Option<String>,
    pub(crate) components: Vec<NamedValue<'n>>,
    pub(crate) relations: Vec<Link<'n>>,
    pub(crate) groups: Vec<usize>,
}

/// The answer to `tree`: an entity and its descendants.
#[derive(serde::Serialize)]
pub(crate) struct Branch<'n> {
    #[serde(flatten)]
    pub(crate) row: Row<'n>,
    pub(crate) count: usize,
    pub(crate) children: Vec<Branch<'n>>,
}

/// The answer to `world`.
#[derive(serde::Serialize)]
pub(crate) struct World<'s> {
    pub(crate) inspector: &'static str,
    pub(crate) title: &'s str,
    pub(crate) read_only: bool,
    pub(crate) contexts: Vec<ContextInfo>,
    /// The names of local contexts, which are not shown.
    pub(crate) local: Vec<&'static str>,
}

/// The contents of a context.
#[derive(serde::Serialize)]
pub(crate) struct ContextInfo {
    pub(crate) name: &'static str,
    pub(crate) components: Vec<Component>,
    pub(crate) groups: Vec<GroupName>,
    pub(crate) templates: Vec<String>,
}

/// The description of a component.
#[derive(serde::Serialize)]
pub(crate) struct Component {
    pub(crate) name: String,
    pub(crate) accessor: &'static str,
    #[serde(rename = "type")]
    pub(crate) type_name: &'static str,
    pub(crate) size: usize,
    pub(crate) flag: bool,
    pub(crate) unique: bool,
    pub(crate) state: bool,
    pub(crate) label: bool,
    pub(crate) clone: bool,
    pub(crate) editable: bool,
    pub(crate) relation: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) hidden: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) hints: Vec<FieldHint>,
}

/// How a field is shown.
#[derive(serde::Serialize)]
pub(crate) struct FieldHint {
    pub(crate) path: &'static str,
    #[serde(flatten)]
    pub(crate) hint: Hint,
}

/// The kind of a hint, with its parameters.
#[derive(serde::Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum Hint {
    Hidden,
    Range { from: f64, to: f64 },
    Color,
}

/// A unique component.
#[derive(serde::Serialize)]
pub(crate) struct Unique<'n> {
    pub(crate) name: &'n str,
    /// The entity that has it.
    pub(crate) entity: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) label: Option<String>,
    pub(crate) value: Option<Shown>,
}

/// The answer to `uniques`.
#[derive(serde::Serialize)]
pub(crate) struct Uniques<'n> {
    pub(crate) uniques: Vec<Unique<'n>>,
}

/// The answer to `points`.
#[derive(serde::Serialize)]
pub(crate) struct Points {
    /// The number of entities that match.
    pub(crate) total: usize,
    pub(crate) points: Vec<(String, f32, f32, serde_json::Value)>,
}

/// A group.
#[derive(serde::Serialize)]
pub(crate) struct GroupName {
    pub(crate) id: usize,
    pub(crate) name: String,
}

/// A named count.
#[derive(serde::Serialize)]
pub(crate) struct Count {
    pub(crate) id: usize,
    pub(crate) name: String,
    pub(crate) count: usize,
}

/// The answer to `counts`.
#[derive(serde::Serialize)]
pub(crate) struct Counts {
    pub(crate) entities: usize,
    pub(crate) groups: Vec<Count>,
    pub(crate) collectors: Vec<Count>,
    pub(crate) inboxes: Vec<Count>,
    pub(crate) indexes: Vec<Count>,
}

/// How long a phase took, in nanoseconds.
#[derive(Default, serde::Serialize)]
pub(crate) struct Times {
    pub(crate) calls: u32,
    pub(crate) last: u64,
    pub(crate) mean: u64,
    pub(crate) worst: u64,
    pub(crate) histogram: Vec<u32>,
}

/// The reactions of a system.
#[derive(serde::Serialize)]
pub(crate) struct Reactions {
    pub(crate) calls: u64,
    pub(crate) last: usize,
    pub(crate) total: u64,
}

/// The changes that a system missed.
#[derive(serde::Serialize)]
pub(crate) struct Missed {
    pub(crate) component: &'static str,
    pub(crate) entities: u64,
}

/// A system.
#[derive(serde::Serialize)]
pub(crate) struct System {
    /// The number of its list and its path there, which do not change when other systems are added or
    /// removed.
    pub(crate) id: String,
    pub(crate) number: usize,
    pub(crate) depth: usize,
    pub(crate) name: String,
    /// Whether it is a list of the program instead of a system.
    pub(crate) list: bool,
    pub(crate) enabled: bool,
    pub(crate) state: &'static str,
    pub(crate) execute: Times,
    pub(crate) cleanup: Times,
    pub(crate) reactions: Option<Reactions>,
    pub(crate) missed: Vec<Missed>,
}

/// The answer to `systems`.
#[derive(serde::Serialize)]
pub(crate) struct SystemTree {
    pub(crate) paused: bool,
    pub(crate) systems: Vec<System>,
}

/// The memory of a component.
#[derive(serde::Serialize)]
pub(crate) struct ComponentBytes<'n> {
    pub(crate) name: &'n str,
    pub(crate) values: usize,
    pub(crate) size: usize,
    pub(crate) blocks: usize,
    pub(crate) used: usize,
    pub(crate) held: usize,
}

/// The memory besides components.
#[derive(serde::Serialize)]
pub(crate) struct OtherBytes {
    pub(crate) entities: usize,
    pub(crate) groups: usize,
    pub(crate) signatures: usize,
    pub(crate) collectors: usize,
    pub(crate) indexes: usize,
    pub(crate) history: usize,
    pub(crate) observers: usize,
    pub(crate) other: usize,
}

/// The fragmentation of entities.
#[derive(serde::Serialize)]
pub(crate) struct Scattered {
    pub(crate) entities: usize,
    pub(crate) scattered: usize,
    pub(crate) blocks: usize,
    pub(crate) blocks_needed: usize,
    pub(crate) breaks: usize,
    pub(crate) ratio: f64,
}

/// The answer to `memory`.
#[derive(serde::Serialize)]
pub(crate) struct Memory<'n> {
    pub(crate) components: Vec<ComponentBytes<'n>>,
    pub(crate) other: OtherBytes,
    pub(crate) total: usize,
    pub(crate) fragmentation: Scattered,
}

/// A logged change.
#[derive(Clone, Debug, serde::Serialize)]
pub(crate) struct Logged {
    pub(crate) seq: u64,
    pub(crate) frame: u64,
    pub(crate) context: &'static str,
    pub(crate) entity: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) label: Option<String>,
    pub(crate) kind: &'static str,
    pub(crate) component: Option<String>,
    pub(crate) old: Option<Shown>,
    pub(crate) new: Option<Shown>,
    pub(crate) by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) woken_by: Option<Woken>,
}

/// The reason why a reactive system ran and made a change.
#[derive(Clone, Debug, serde::Serialize)]
pub(crate) struct Woken {
    pub(crate) context: &'static str,
    pub(crate) entity: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) label: Option<String>,
    pub(crate) count: usize,
    /// Distinguishes the run of the system from others.
    #[serde(skip)]
    pub(crate) run: u64,
    /// The last change of the entity in one of `waits_for` before the run, if it is in the log.
    pub(crate) kind: Option<&'static str>,
    pub(crate) component: Option<String>,
    /// The components that trigger the system.
    #[serde(skip)]
    pub(crate) waits_for: Vec<&'static str>,
}

/// The answer to `log`.
#[derive(serde::Serialize)]
pub(crate) struct Log<'l> {
    pub(crate) last: u64,
    pub(crate) lost: u64,
    pub(crate) entries: Vec<&'l Logged>,
}

/// The answer to `history`.
#[derive(serde::Serialize)]
pub(crate) struct History {
    pub(crate) recording: bool,
    pub(crate) excluded: Vec<String>,
    pub(crate) rejected: Option<String>,
    pub(crate) paused: bool,
    pub(crate) first: Option<u64>,
    pub(crate) last: Option<u64>,
    pub(crate) at: Option<u64>,
    pub(crate) limit: usize,
    pub(crate) changes: usize,
}

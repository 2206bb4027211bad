//! The lines of trace scripts, and their parser.
//!
//! A script is parsed completely before it is played, and all names are resolved: an [`Op`] refers to
//! entities, groups, collectors and indexes by their number in order of creation, and each of them
//! exists when the operation runs.

use std::fmt;

use super::kind::{Kind, Value, integer};
use super::names::{EntityNames, Names};

/// An operation of a script.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Op {
    Group(String, Letters),
    /// The groups to collect from, at least one.
    Collector(Vec<(usize, Events)>),
    Index(Kind),
    Create,
    Change(usize, EntityChange),
    Deactivate(usize),
    Activate(usize),
    Ask(Question),
}

/// The three parts of a group's matcher.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Letters {
    pub(crate) all: Vec<Kind>,
    pub(crate) any: Vec<Kind>,
    pub(crate) none: Vec<Kind>,
}

/// The events of a group that a collector collects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Events {
    Added,
    Removed,
    AddedOrRemoved,
}

/// A change of an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EntityChange {
    Add(Value),
    Replace(Value),
    Touch(Kind),
    Remove(Kind),
    RemoveAll,
    Destroy,
}

/// An operation that has an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    Drain(usize),
    List(usize),
    Lookup(usize, i64),
    Show(usize),
    Count,
}

/// A line of a script: its text and its operation.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) text: String,
    pub(crate) op: Op,
}

/// An error in a script; lines count from 1.
#[derive(Debug)]
pub(crate) struct Mistake {
    pub(crate) line: usize,
    text: String,
    why: String,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n  in: {}", self.why, self.text)
    }
}

/// Each operation with an example of its line, for messages.
const FORMS: [(&str, &str); 17] = [
    ("group", "group g1 all A B any C D none E"),
    ("collector", "collector c1 g0:added g1:removed"),
    ("index", "index i0 A"),
    ("create", "create"),
    ("add", "add e0 A 5"),
    ("replace", "replace e0 A 6"),
    ("touch", "touch e0 A"),
    ("remove", "remove e0 A"),
    ("remove_all", "remove_all e0"),
    ("destroy", "destroy e0"),
    ("drain", "drain c0"),
    ("deactivate", "deactivate c0"),
    ("activate", "activate c0"),
    ("list", "list g0"),
    ("lookup", "lookup i0 5"),
    ("show", "show e0"),
    ("count", "count"),
];

/// Parses a script, skipping comments and empty lines.
pub(crate) fn parse(script: &str) -> Result<Vec<Line>, Mistake> {
    let mut reader = Reader::new();
    let numbered = (1..).zip(script.lines());
    numbered
        .filter(|(_, text)| !text.is_empty() && !text.starts_with('#'))
        .map(|(line, text)| reader.line(line, text))
        .collect()
}

/// Parses lines, and keeps the names that earlier lines have defined.
struct Reader {
    entities: EntityNames,
    groups: Names,
    collectors: Names,
    indexes: Names,
}

impl Reader {
    fn new() -> Self {
        Self {
            entities: EntityNames::default(),
            groups: Names::new("group", "group g0 all A"),
            collectors: Names::new("collector", "collector c0 g0:added"),
            indexes: Names::new("index", "index i0 A"),
        }
    }

    fn line(&mut self, line: usize, text: &str) -> Result<Line, Mistake> {
        let text = text.to_owned();
        let words: Vec<&str> = text.split(' ').collect();
        match self.operation(&words) {
            Ok(op) => Ok(Line { text, op }),
            Err(why) => Err(Mistake { line, text, why }),
        }
    }

    fn operation(&mut self, words: &[&str]) -> Result<Op, String> {
        if words.contains(&"") {
            return Err("words are separated by single spaces, with none before or after".into());
        }
        match *words {
            ["group", name, ref parts @ ..] => self.group(name, parts),
            ["collector", name, first, ref more @ ..] => self.collector(name, first, more),
            ["index", name, kind] => self.index(name, kind),
            ["create"] => Ok(self.create()),
            ["deactivate", name] => Ok(Op::Deactivate(self.collectors.number(name)?)),
            ["activate", name] => Ok(Op::Activate(self.collectors.number(name)?)),
            ["drain" | "list" | "lookup" | "show" | "count", ..] => {
                self.question(words).map(Op::Ask)
            }
            _ => self.change(words),
        }
    }

    fn group(&mut self, name: &str, parts: &[&str]) -> Result<Op, String> {
        let (all, rest) = part("all", parts)?;
        let (any, rest) = part("any", rest)?;
        let (none, rest) = part("none", rest)?;
        if let [word, ..] = rest {
            return Err(format!(
                "`{word}` cannot stand here; a group has the parts `all`, `any` and `none` in \
                 this order, each at most once and followed by its letters: `{}`",
                form("group").unwrap_or_default()
            ));
        }
        self.groups.add(name)?;
        Ok(Op::Group(name.into(), Letters { all, any, none }))
    }

    fn collector(&mut self, name: &str, first: &str, more: &[&str]) -> Result<Op, String> {
        let mut sources = vec![self.source(first)?];
        for source in more {
            sources.push(self.source(source)?);
        }
        self.collectors.add(name)?;
        Ok(Op::Collector(sources))
    }

    /// Parses a group and the events to collect: `g0:added`.
    fn source(&self, word: &str) -> Result<(usize, Events), String> {
        let (group, events) = word.split_once(':').ok_or_else(|| {
            format!("`{word}` names no event; write group and event, as in `g0:added`")
        })?;
        let events = match events {
            "added" => Events::Added,
            "removed" => Events::Removed,
            "added_or_removed" => Events::AddedOrRemoved,
            _ => {
                return Err(format!(
                    "`{events}` is no event; a collector hears added, removed or added_or_removed"
                ));
            }
        };
        Ok((self.groups.number(group)?, events))
    }

    fn index(&mut self, name: &str, kind: &str) -> Result<Op, String> {
        let kind = Kind::parse(kind)?;
        if kind.is_flag() {
            return Err(format!(
                "{kind} is a flag and has no value to be looked up by; index one of A to F"
            ));
        }
        self.indexes.add(name)?;
        Ok(Op::Index(kind))
    }

    fn create(&mut self) -> Op {
        self.entities.add();
        Op::Create
    }

    fn question(&self, words: &[&str]) -> Result<Question, String> {
        Ok(match *words {
            ["drain", name] => Question::Drain(self.collectors.number(name)?),
            ["list", name] => Question::List(self.groups.number(name)?),
            ["lookup", name, key] => Question::Lookup(self.indexes.number(name)?, integer(key)?),
            ["show", name] => Question::Show(self.entities.number(name)?),
            ["count"] => Question::Count,
            _ => return Err(unreadable(words[0])),
        })
    }

    fn change(&self, words: &[&str]) -> Result<Op, String> {
        let (name, change) = match *words {
            ["add", name, kind, value] => (name, EntityChange::Add(Value::parse(kind, value)?)),
            ["replace", name, kind, value] => {
                (name, EntityChange::Replace(Value::parse(kind, value)?))
            }
            ["touch", name, kind] => (name, EntityChange::Touch(Kind::parse(kind)?)),
            ["remove", name, kind] => (name, EntityChange::Remove(Kind::parse(kind)?)),
            ["remove_all", name] => (name, EntityChange::RemoveAll),
            ["destroy", name] => (name, EntityChange::Destroy),
            _ => return Err(unreadable(words[0])),
        };
        Ok(Op::Change(self.entities.number(name)?, change))
    }
}

/// Returns the letters after `keyword`, if the words begin with it, and the remaining words.
fn part<'w>(keyword: &str, words: &'w [&'w str]) -> Result<(Vec<Kind>, &'w [&'w str]), String> {
    let Some((_, words)) = words.split_first().filter(|(first, _)| **first == keyword) else {
        return Ok((Vec::new(), words));
    };
    let is_keyword = |word: &&str| ["all", "any", "none"].contains(word);
    let end = words.iter().position(is_keyword).unwrap_or(words.len());
    let (letters, rest) = words.split_at(end);
    let kinds: Result<Vec<Kind>, String> = letters.iter().copied().map(Kind::parse).collect();
    Ok((ascending(keyword, kinds?)?, rest))
}

/// Rejects an empty list and letters that are not in ascending order.
fn ascending(keyword: &str, kinds: Vec<Kind>) -> Result<Vec<Kind>, String> {
    if kinds.is_empty() {
        return Err(format!(
            "`{keyword}` is followed by no letter; name the kinds, or leave `{keyword}` out"
        ));
    }
    match kinds.windows(2).find(|pair| pair[0] >= pair[1]) {
        None => Ok(kinds),
        Some(pair) => Err(format!(
            "the letters after `{keyword}` do not ascend: {} follows {}; write each once, in \
             alphabetical order",
            pair[1], pair[0]
        )),
    }
}

/// Returns the message for a line that cannot be parsed.
fn unreadable(operation: &str) -> String {
    match form(operation) {
        Some(form) => format!("wrong number of words for `{operation}`; write `{form}`"),
        None => format!(
            "there is no operation `{operation}`; operations are {}",
            FORMS.map(|(name, _)| name).join(", ")
        ),
    }
}

/// Returns the form of an operation's line.
fn form(operation: &str) -> Option<&'static str> {
    let mut forms = FORMS.into_iter();
    forms.find_map(|(name, form)| (name == operation).then_some(form))
}

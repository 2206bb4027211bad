//! Requests by name: queries and commands.

use serde::de::DeserializeOwned;

use super::failure::{Code, Failure};
use super::name_list::NameList;
use super::params::{
    AskPoints, Create, Enable, List, Look, MOST_COLUMNS, Nothing, OfContext, One, Part, ReadLog,
    Record, Remove, Set, Step, Switch, TreeParams, Write,
};

/// A request that only reads.
#[derive(Clone, Debug)]
pub(crate) enum Query {
    World,
    Entities(List),
    Points(AskPoints),
    Entity(One),
    Value(Part),
    Tree(TreeParams),
    Counts(OfContext),
    Uniques(OfContext),
    Systems,
    Memory(OfContext),
    Log(ReadLog),
    History,
}

/// A request that changes something.
#[derive(Clone, Debug)]
pub(crate) enum Command {
    Replace(Write),
    Add(Write),
    Set(Set),
    Remove(Remove),
    Create(Create),
    Destroy(One),
    Pause,
    Resume,
    Step(Step),
    Enable(Enable),
    Record(Record),
    Look(Look),
    Log(Switch),
}

impl Query {
    /// Parses the query of this name, with parameters as a JSON object.
    pub(crate) fn parse(name: &str, params: &str) -> Result<Self, Failure> {
        Ok(match name {
            "world" => read(params).map(|Nothing {}| Self::World)?,
            "entities" => Self::Entities(check_list(read(params)?)?),
            "points" => Self::Points(read(params)?),
            "entity" => Self::Entity(read(params)?),
            "value" => Self::Value(read(params)?),
            "tree" => Self::Tree(check_tree(read(params)?)?),
            "uniques" => Self::Uniques(read(params)?),
            "counts" => Self::Counts(read(params)?),
            "systems" => read(params).map(|Nothing {}| Self::Systems)?,
            "memory" => Self::Memory(read(params)?),
            "log" => Self::Log(read(params)?),
            "history" => read(params).map(|Nothing {}| Self::History)?,
            _ => return Err(Code::UnknownQuery.because(format!("there is no query `{name}`"))),
        })
    }
}

impl Command {
    /// Parses the command of this name, with parameters as a JSON object.
    pub(crate) fn parse(name: &str, params: &str) -> Result<Self, Failure> {
        Ok(match name {
            "replace" => Self::Replace(read(params)?),
            "add" => Self::Add(read(params)?),
            "set" => Self::Set(read(params)?),
            "remove" => Self::Remove(read(params)?),
            "create" => Self::Create(read(params)?),
            "destroy" => Self::Destroy(read(params)?),
            "pause" => read(params).map(|Nothing {}| Self::Pause)?,
            "resume" => read(params).map(|Nothing {}| Self::Resume)?,
            "step" => Self::Step(read(params)?),
            "enable" => Self::Enable(read(params)?),
            "record" => Self::Record(read(params)?),
            "look" => Self::Look(read(params)?),
            "log" => Self::Log(read(params)?),
            _ => return Err(Code::UnknownCommand.because(format!("there is no command `{name}`"))),
        })
    }
}

fn read<P: DeserializeOwned>(params: &str) -> Result<P, Failure> {
    if !params.trim_start().starts_with('{') {
        return Err(Code::BadRequest.because("the parameters must be a JSON object"));
    }
    serde_json::from_str(params).map_err(unreadable)
}

/// Converts an error of reading valid JSON. Drops the position, which is meaningless for a part of a
/// request.
pub(crate) fn unreadable(error: serde_json::Error) -> Failure {
    let message = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let is_placed = error.is_data() && message.ends_with(&place);
    let end = message.len() - if is_placed { place.len() } else { 0 };
    Code::BadRequest.because(&message[..end])
}

fn check_list(list: List) -> Result<List, Failure> {
    check_columns(&list.columns)?;
    Ok(list)
}

fn check_tree(tree: TreeParams) -> Result<TreeParams, Failure> {
    check_columns(&tree.columns)?;
    Ok(tree)
}

fn check_columns(columns: &NameList) -> Result<(), Failure> {
    match columns.0.len() > MOST_COLUMNS {
        true => Err(Code::BadRequest.because(format!("at most {MOST_COLUMNS} columns"))),
        false => Ok(()),
    }
}

//! Commands that change entities. A value is read completely before anything changes. Changes use the
//! public methods of the library, so that observers and systems react.

use std::any::Any;

use ecs::{
    CloneOptions, ComponentIndex, Context, EntityId, EntityMut, OnConflict, SharedContext, Template,
};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::contexts::{Action, Kept, alive};
use super::tree::Tree;
use crate::desk::{Json, to_json};
use crate::protocol::failure::{Code, Failure};
use crate::protocol::params::{Create, One, Remove, Write};
use crate::protocol::request::unreadable;

/// A value of any component.
pub(super) type AnyValue = Box<dyn Any + Send + Sync>;

/// The number of parts of a value that are checked: more than a request can contain.
const MOST_PARTS: usize = 128 << 10;

pub(super) fn rejected(error: impl std::fmt::Display) -> Failure {
    Code::Rejected.because(error)
}

pub(super) fn done() -> Result<Json, Failure> {
    to_json(&json!({}))
}

/// Rejects components whose values cannot be read.
pub(super) fn editable<C: Context + SharedContext>(
    context: &C,
    component: ComponentIndex<C>,
) -> Result<(), Failure> {
    match context.components().can_be_written(component) {
        true => Ok(()),
        false => Err(rejected(
            "values of this component cannot be read: its type is not both `Serialize` and \
             `DeserializeOwned`, or it is `transient`",
        )),
    }
}

/// Reads a value of a component of this name.
pub(super) fn read<C: Context + SharedContext>(
    context: &C,
    component: ComponentIndex<C>,
    name: &str,
    json: &RawValue,
) -> Result<AnyValue, Failure> {
    editable(context, component)?;
    let mut reader = serde_json::Deserializer::from_str(json.get());
    let value = context.components().read(component, &mut reader);
    let value = value.map_err(|error| {
        let message = unreadable(error).message;
        Code::BadRequest.because(format!("`{name}`: {message}"))
    })?;
    check_floats(context, component, &*value, (name, ""), json)?;
    Ok(value)
}

/// Rejects a value if a number of the client became an infinite float, since `f32` accepts any `f64`.
/// `place` is the name of the component and the path that was written.
pub(super) fn check_floats<C: Context + SharedContext>(
    context: &C,
    component: ComponentIndex<C>,
    value: &dyn Any,
    (name, path): (&str, &str),
    json: &RawValue,
) -> Result<(), Failure> {
    if !may_overflow(json.get()) {
        return Ok(());
    }
    let Some(value) = context.components().value(component, value) else {
        return Ok(());
    };
    let (Ok(mut tree), Ok(json)) = (
        Tree::of(&value, MOST_PARTS),
        serde_json::from_str::<Value>(json.get()),
    ) else {
        return Ok(()); // there is nothing to compare it with
    };
    let part = tree.at(path).ok();
    match part.and_then(|part| part.overflow(&json)) {
        None => Ok(()),
        Some((below, number)) => Err(Code::BadRequest.because(format!(
            "`{name}`: {number} at `{path}{below}` is too large for the float that is there"
        ))),
    }
}

/// Whether JSON may have a number that is too large for an `f32`: it has an exponent, or 39 digits.
fn may_overflow(json: &str) -> bool {
    let (mut digits, mut was_digit) = (0, false);
    json.bytes().any(|letter| {
        let is_exponent = was_digit && matches!(letter, b'e' | b'E');
        was_digit = letter.is_ascii_digit();
        digits = if was_digit { digits + 1 } else { 0 };
        is_exponent || digits >= 39
    })
}

/// `replace`, or `add`.
pub(crate) struct Put<'a> {
    pub(crate) write: &'a Write,
    pub(crate) replaces: bool,
}

impl Action for Put<'_> {
    type Output = Result<Json, Failure>;

    fn run<C: Context + SharedContext>(self, context: &mut C, kept: &mut Kept<C>) -> Self::Output {
        let id = alive(context, &self.write.entity)?;
        let component = kept.names.find(&self.write.component)?;
        let value = read(context, component, &self.write.component, &self.write.value)?;
        put(context, id, component, value, self.replaces)?;
        done()
    }
}

pub(super) fn put<C: Context + SharedContext>(
    context: &mut C,
    id: EntityId<C>,
    component: ComponentIndex<C>,
    value: AnyValue,
    replaces: bool,
) -> Result<(), Failure> {
    let mut entity =
        EntityMut::find(context, id).ok_or_else(|| rejected("the entity has ended"))?;
    let mut entity = entity.dynamic();
    let changed = match replaces {
        true => entity.try_replace(component, value),
        false => entity.try_add(component, value),
    };
    changed.map(drop).map_err(rejected)
}

/// `remove`.
pub(crate) struct TakeAway<'a>(pub(crate) &'a Remove);

impl Action for TakeAway<'_> {
    type Output = Result<Json, Failure>;

    fn run<C: Context + SharedContext>(self, context: &mut C, kept: &mut Kept<C>) -> Self::Output {
        let id = alive(context, &self.0.entity)?;
        let component = kept.names.find(&self.0.component)?;
        let mut entity =
            EntityMut::find(context, id).ok_or_else(|| rejected("the entity has ended"))?;
        entity.dynamic().try_remove(component).map_err(rejected)?;
        done()
    }
}

/// `destroy`.
pub(crate) struct Destroy<'a>(pub(crate) &'a One);

impl Action for Destroy<'_> {
    type Output = Result<Json, Failure>;

    fn run<C: Context + SharedContext>(self, context: &mut C, _: &mut Kept<C>) -> Self::Output {
        let id = alive(context, &self.0.entity)?;
        context.try_destroy(id).map_err(rejected)?;
        done()
    }
}

/// `create`.
pub(crate) struct Make<'a>(pub(crate) &'a Create);

impl Action for Make<'_> {
    type Output = Result<Json, Failure>;

    fn run<C: Context + SharedContext>(self, context: &mut C, kept: &mut Kept<C>) -> Self::Output {
        let template = template(context, kept, self.0)?;
        let mut values = Vec::new();
        for (name, value) in &self.0.components {
            let component = kept.names.find(name)?;
            values.push((component, read(context, component, name, value)?));
        }
        let id = Template::new().create_many(context, 1)[0];
        if let Err(failure) = fill(context, id, &template, values) {
            _ = context.try_destroy(id); // an observer may have destroyed it
            return Err(failure);
        }
        to_json(&json!({ "entity": id.to_string() }))
    }
}

/// Returns the template for a new entity.
fn template<C: Context + SharedContext>(
    context: &C,
    kept: &Kept<C>,
    create: &Create,
) -> Result<Template<C>, Failure> {
    match (&create.template, &create.like) {
        (None, None) => Ok(Template::new()),
        (Some(name), None) => {
            let mut all = kept.templates.iter();
            let found = all.find(|(known, _)| known == name);
            let unknown =
                || Code::UnknownTemplate.because(format!("there is no template `{name}`"));
            found
                .map(|(_, template)| template.clone())
                .ok_or_else(unknown)
        }
        (None, Some(like)) => {
            let like = alive(context, like)?;
            CloneOptions::all()
                .try_template(context, like)
                .map_err(rejected)
        }
        (Some(_), Some(_)) => {
            Err(Code::BadRequest.because("give a template or an entity, not both"))
        }
    }
}

fn fill<C: Context + SharedContext>(
    context: &mut C,
    id: EntityId<C>,
    template: &Template<C>,
    values: Vec<(ComponentIndex<C>, AnyValue)>,
) -> Result<(), Failure> {
    template
        .try_apply_to(context, id, OnConflict::Replace)
        .map_err(rejected)?;
    for (component, value) in values {
        put(context, id, component, value, true)?;
    }
    Ok(())
}

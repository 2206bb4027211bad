//! Commands that change entities. A value is read as a whole before anything changes, and what
//! changes goes the way of the library's own methods, so that everything reacts.

use std::any::Any;

use ecs::{CloneOptions, ComponentIndex, Context, EntityId, EntityMut, OnConflict, Template};
use serde_json::{Value, json};

use super::contexts::{Action, Kept, living};
use crate::desk::{Json, to_json};
use crate::protocol::failure::{Code, Failure};
use crate::protocol::params::{Create, One, Remove, Set, Write};

/// A value of any component.
type AnyValue = Box<dyn Any + Send + Sync>;

fn refused(error: impl std::fmt::Display) -> Failure {
    Code::Refused.because(error)
}

fn done() -> Result<Json, Failure> {
    to_json(&json!({}))
}

/// Reads a value of a component.
fn read<C: Context>(
    context: &C,
    component: ComponentIndex,
    value: &Value,
) -> Result<AnyValue, Failure> {
    let components = context.components();
    if !components.can_be_written(component) {
        let message = "values of this component cannot be read: its type is not both `Serialize` and \
                       `DeserializeOwned`, or it is `transient`";
        return Err(refused(message));
    }
    let read = components.read(component, value);
    read.map_err(|error| Code::BadRequest.because(error))
}

/// `replace`, or `add`.
pub(crate) struct Put<'a> {
    pub(crate) write: &'a Write,
    pub(crate) replaces: bool,
}

impl Action for Put<'_> {
    type Output = Result<Json, Failure>;

    fn run<C: Context>(self, context: &mut C, kept: &mut Kept<C>) -> Self::Output {
        let id = living(context, &self.write.entity)?;
        let component = kept.names.find::<C>(&self.write.component)?;
        let value = read(context, component, &self.write.value)?;
        put(context, id, component, value, self.replaces)?;
        done()
    }
}

fn put<C: Context>(
    context: &mut C,
    id: EntityId<C>,
    component: ComponentIndex,
    value: AnyValue,
    replaces: bool,
) -> Result<(), Failure> {
    let mut entity = EntityMut::find(context, id).ok_or_else(|| refused("the entity has ended"))?;
    let mut entity = entity.dynamic();
    let changed = match replaces {
        true => entity.try_replace(component, value),
        false => entity.try_add(component, value),
    };
    changed.map(drop).map_err(refused)
}

/// `set`.
pub(crate) struct SetField<'a>(pub(crate) &'a Set);

impl Action for SetField<'_> {
    type Output = Result<Json, Failure>;

    fn run<C: Context>(self, context: &mut C, kept: &mut Kept<C>) -> Self::Output {
        let id = living(context, &self.0.entity)?;
        let component = kept.names.find::<C>(&self.0.component)?;
        let mut whole = present(context, id, component)?;
        let field = whole.pointer_mut(&self.0.path).ok_or_else(|| {
            let message = format!("the value has nothing at `{}`", self.0.path);
            Code::BadRequest.because(message)
        })?;
        *field = self.0.value.clone();
        let value = read(context, component, &whole)?;
        put(context, id, component, value, true)?;
        done()
    }
}

/// The present value of a component as JSON.
fn present<C: Context>(
    context: &C,
    id: EntityId<C>,
    component: ComponentIndex,
) -> Result<Value, Failure> {
    let entity = ecs::Entity::find(context, id).ok_or_else(|| refused("the entity has ended"))?;
    let value = entity.dynamic().try_get(component).map_err(refused)?;
    let value = context.components().value(component, value);
    let value = value.ok_or_else(|| refused("the value is of another type"))?;
    serde_json::to_value(value).map_err(refused)
}

/// `remove`.
pub(crate) struct TakeAway<'a>(pub(crate) &'a Remove);

impl Action for TakeAway<'_> {
    type Output = Result<Json, Failure>;

    fn run<C: Context>(self, context: &mut C, kept: &mut Kept<C>) -> Self::Output {
        let id = living(context, &self.0.entity)?;
        let component = kept.names.find::<C>(&self.0.component)?;
        let mut entity =
            EntityMut::find(context, id).ok_or_else(|| refused("the entity has ended"))?;
        entity.dynamic().try_remove(component).map_err(refused)?;
        done()
    }
}

/// `destroy`.
pub(crate) struct End<'a>(pub(crate) &'a One);

impl Action for End<'_> {
    type Output = Result<Json, Failure>;

    fn run<C: Context>(self, context: &mut C, _: &mut Kept<C>) -> Self::Output {
        let id = living(context, &self.0.entity)?;
        context.try_destroy(id).map_err(refused)?;
        done()
    }
}

/// `create`.
pub(crate) struct Make<'a>(pub(crate) &'a Create);

impl Action for Make<'_> {
    type Output = Result<Json, Failure>;

    fn run<C: Context>(self, context: &mut C, kept: &mut Kept<C>) -> Self::Output {
        let template = template(context, kept, self.0)?;
        let mut values = Vec::new();
        for (name, value) in &self.0.components {
            let component = kept.names.find::<C>(name)?;
            values.push((component, read(context, component, value)?));
        }
        let id = Template::new().create_many(context, 1)[0];
        if let Err(failure) = fill(context, id, &template, values) {
            _ = context.try_destroy(id); // it may have ended already
            return Err(failure);
        }
        to_json(&json!({ "entity": id.to_string() }))
    }
}

/// What the new entity begins with.
fn template<C: Context>(
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
            let like = living(context, like)?;
            CloneOptions::all()
                .try_template(context, like)
                .map_err(refused)
        }
        (Some(_), Some(_)) => Err(Code::BadRequest.because("either a template or an entity")),
    }
}

fn fill<C: Context>(
    context: &mut C,
    id: EntityId<C>,
    template: &Template<C>,
    values: Vec<(ComponentIndex, AnyValue)>,
) -> Result<(), Failure> {
    template
        .try_apply_to(context, id, OnConflict::Replace)
        .map_err(refused)?;
    for (component, value) in values {
        put(context, id, component, value, true)?;
    }
    Ok(())
}

//! The contexts of a world, of any types, and the state kept for each.

use std::any::{Any, TypeId};
use std::collections::{HashMap, VecDeque};

use ecs::{
    Context, ContextVisitor, EntityId, History, Mark, SharedContext, Subscription, Template,
    VisitContexts,
};
use serde::Deserialize as _;
use serde::de::IntoDeserializer as _;
use serde::de::value::Error;

use super::names::Names;
use crate::protocol::failure::{Code, Failure};

/// Why local contexts are not shown. Observers of the log are `Send + Sync` closures, and what is kept is `Send`.
const STAYS: &str = "its values stay on their thread, which the inspector and the observers of its log may leave; \
    a context without `local` is shown";

/// The state kept for a context.
pub(crate) struct Kept<C: Context + SharedContext> {
    /// The context to which all other fields belong, except the templates.
    instance: u64,
    pub(crate) names: Names<C>,
    pub(crate) templates: Vec<(String, Template<C>)>,
    pub(crate) history: Option<History<C>>,
    pub(crate) marks: VecDeque<Mark<C>>,
    /// The number of changes in the history before the present, as of the last mark or seek.
    pub(crate) changes: usize,
    /// The observers that write the log.
    pub(crate) observed: Vec<Subscription>,
}

impl<C: Context + SharedContext> Kept<C> {
    fn new(instance: u64) -> Self {
        Self {
            instance,
            names: Names::default(),
            templates: Vec::new(),
            history: None,
            marks: VecDeque::new(),
            changes: 0,
            observed: Vec::new(),
        }
    }

    /// Discards the state if it belongs to another context.
    fn catch_up(&mut self, context: &C) {
        let instance = context.storage().instance();
        if self.instance != instance {
            let templates = std::mem::take(&mut self.templates);
            *self = Self::new(instance);
            self.templates = templates;
        }
        self.names.catch_up(context);
    }
}

/// The state kept for all contexts, by type.
#[derive(Default)]
pub(crate) struct Contexts {
    kept: HashMap<TypeId, Box<dyn Any + Send>>,
}

impl Contexts {
    /// Returns the state kept for the context of this type.
    pub(crate) fn of_type<C: Context + SharedContext>(&mut self) -> &mut Kept<C> {
        let kept = self.kept.entry(TypeId::of::<C>());
        let kept = kept.or_insert_with(|| Box::new(Kept::<C>::new(u64::MAX)));
        kept.downcast_mut().expect("each type has its own")
    }

    fn of<C: Context + SharedContext>(&mut self, context: &C) -> &mut Kept<C> {
        let kept = self.of_type();
        kept.catch_up(context);
        kept
    }

    /// Runs an action with the context of this name, or the first one that is not local.
    pub(crate) fn with_one<W: VisitContexts, A: Action>(
        &mut self,
        world: &mut W,
        name: Option<&str>,
        action: A,
    ) -> Result<A::Output, Failure> {
        let mut one = OneContext {
            contexts: self,
            name,
            action: Some(action),
            output: None,
            local: None,
        };
        world.visit_contexts(&mut one);
        let local = one.local;
        one.output.ok_or_else(|| {
            Code::UnknownContext.because(match local {
                Some(local) => format!("context `{local}` is local and not shown: {STAYS}"),
                None => format!("there is no context `{}`", name.unwrap_or("")),
            })
        })
    }

    /// Runs an action with each context.
    pub(crate) fn with_each<W: VisitContexts, A: EachAction>(
        &mut self,
        world: &mut W,
        action: A,
    ) -> A {
        let mut each = Each {
            contexts: self,
            action,
        };
        world.visit_contexts(&mut each);
        each.action
    }
}

/// An action on one context.
pub(crate) trait Action {
    type Output;

    fn run<C: Context + SharedContext>(self, context: &mut C, kept: &mut Kept<C>) -> Self::Output;
}

/// An action on each context.
pub(crate) trait EachAction {
    fn run<C: Context + SharedContext>(&mut self, context: &mut C, kept: &mut Kept<C>);

    /// Called instead for a local context, with its name.
    fn omit(&mut self, _: &'static str) {}
}

struct OneContext<'a, A: Action> {
    contexts: &'a mut Contexts,
    name: Option<&'a str>,
    action: Option<A>,
    output: Option<A::Output>,
    /// The first local context of this name, or the first one.
    local: Option<&'static str>,
}

impl<A: Action> OneContext<'_, A> {
    fn is_meant<C: Context>(&self) -> bool {
        self.name.is_none_or(|name| name == C::NAME)
    }
}

impl<A: Action> ContextVisitor for OneContext<'_, A> {
    fn visit<C: Context>(&mut self, _: &mut C) {
        if self.is_meant::<C>() {
            self.local.get_or_insert(C::NAME);
        }
    }

    fn visit_shared<C: Context + SharedContext>(&mut self, context: &mut C) {
        if self.is_meant::<C>()
            && let Some(action) = self.action.take()
        {
            self.output = Some(action.run(context, self.contexts.of(&*context)));
        }
    }
}

struct Each<'a, A> {
    contexts: &'a mut Contexts,
    action: A,
}

impl<A: EachAction> ContextVisitor for Each<'_, A> {
    fn visit<C: Context>(&mut self, _: &mut C) {
        self.action.omit(C::NAME);
    }

    fn visit_shared<C: Context + SharedContext>(&mut self, context: &mut C) {
        self.action.run(context, self.contexts.of(&*context));
    }
}

/// Parses an id, `12v3`.
pub(crate) fn id<C: Context + SharedContext>(text: &str) -> Result<EntityId<C>, Failure> {
    let id = EntityId::<C>::deserialize(text.into_deserializer());
    id.map_err(|error: Error| Code::BadRequest.because(error))
}

/// Parses the id of an entity that is alive.
pub(crate) fn alive<C: Context + SharedContext>(
    context: &C,
    text: &str,
) -> Result<EntityId<C>, Failure> {
    let id = id::<C>(text)?;
    match context.contains(id) {
        true => Ok(id),
        false => {
            let message = format!("entity {id} of context `{}` is not alive", C::NAME);
            Err(Code::UnknownEntity.because(message))
        }
    }
}

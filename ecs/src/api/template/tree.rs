//! Templates of trees: entities that are created together and refer to each other.
//!
//! Ids in their values are placeholders, which are replaced by the ids of the created entities.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use hashbrown::HashMap;

use super::{Template, TemplateNode, map_values, own_ids};
use crate::api::copying::{TreePart, clones};
use crate::state::{HasCore, PendingEntities, SourceOrder, orders_of_copies};
use crate::words::component::Component;
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::error::Error;
use crate::words::map_ids::{place_of_placeholder, placeholder};
use crate::words::relation::Relation;

impl<C: HasCore> Template<C> {
    /// Adds another template, whose entity refers to that of this one by a relation; it may have
    /// children of its own.
    ///
    /// Entities are created in the order in which they are added, parents before children, which is
    /// also the order of an `ordered` relation.
    ///
    /// The closure returns the component of the relation; it is called once, with a placeholder id
    /// of the parent.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let turret = Template::new().with(Health(5)).named("turret");
    /// let tank = Template::new()
    ///     .with(Health(20))
    ///     .with_child(|parent| ChildOf { parent }, turret);
    /// let strong = tank.clone().with_at("turret", Health(9));
    ///
    /// let mut game = Game::new();
    /// let ids = [tank, strong].map(|template| template.create(&mut game).id());
    /// let turrets = ids.map(|id| game.entity(id).children()[0]);
    /// assert_eq!(turrets.map(|id| game.entity(id).health().0), [5, 9]);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the component refers to another entity.
    #[must_use]
    #[track_caller]
    pub fn with_child<T: Relation<C> + Clone>(
        mut self,
        relation: impl FnOnce(EntityId<C>) -> T,
        child: Self,
    ) -> Self {
        let parent = placeholder(0).typed();
        let relation = relation(parent);
        assert!(
            relation.target() == parent,
            "component `{}` of the child of a template refers to entity {} of context `{}`: make it of the id that \
             the closure is given",
            T::NAMES.component,
            relation.target(),
            C::NAME
        );
        let (first, added) = (self.entities(), child.entities());
        let map = |id: UntypedId| match place_of_placeholder(id, added) {
            Some(place) => placeholder((first + place) as u32), // fewer than there are ids
            None => id,
        };
        let at = self.below.len();
        self.below.push(child.root);
        self.below.extend(child.below);
        for node in &mut self.below[at..] {
            map_values::<C>(&mut node.components, &map);
        }
        self.below[at].put::<C, T>(relation); // after the mapping, which is not for the parent
        let orders = child.orders.iter();
        self.orders
            .extend(orders.map(|order| mapped_order(order, &map)));
        self
    }

    /// Names the entity of the template, so that it can be found in the template that it is [added
    /// to](Self::with_child).
    ///
    /// Created entities do not have the name.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// assert_eq!(Template::<Game>::new().named("turret").name(), Some("turret"));
    /// ```
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.root.name = Some(name.into());
        self
    }

    /// Returns the name of the template's entity, if it has one.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// assert_eq!(Template::<Game>::new().name(), None);
    /// ```
    pub fn name(&self) -> Option<&str> {
        self.root.name.as_deref()
    }

    /// Returns the number of entities that the template creates: 1, plus those
    /// [below](Self::with_child).
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let turret = || Template::new().with(Health(5));
    /// let tank = turret().with_child(|parent| ChildOf { parent }, turret());
    /// assert_eq!((turret().entities(), tank.entities()), (1, 2));
    /// ```
    pub fn entities(&self) -> usize {
        1 + self.below.len()
    }

    /// Adds a component to an entity of the tree, or replaces its value.
    ///
    /// The entity is given by name or by position: the root has position 0, the others follow in
    /// the order of creation.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let turret = || Template::new().with(Health(5)).named("turret");
    /// let tank = turret().named("tank").with_child(|parent| ChildOf { parent }, turret());
    /// let tank = tank.with_at("turret", Health(6)).with_at(0, Health(7));
    /// assert_eq!([0, 1].map(|at| tank.get_at::<Health>(at).unwrap().0), [7, 6]);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if there is no such entity, or if several have the name.
    #[must_use]
    #[track_caller]
    pub fn with_at<T: Component<C> + Clone>(mut self, at: impl TemplateKey, value: T) -> Self {
        self.node_mut(&at).put::<C, T>(value);
        self
    }

    /// Removes a component from an entity of the tree; see [`with_at`](Self::with_at).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let turret = Template::new().with((Health(5))).named("turret");
    /// let tank = Template::new().with_child(|parent| ChildOf { parent }, turret);
    /// let tank = tank.without_at::<Health>("turret");
    /// assert!(tank.get_at::<Health>("turret").is_none());
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if there is no such entity, or if several have the name.
    #[must_use]
    #[track_caller]
    pub fn without_at<T: Component<C>>(mut self, at: impl TemplateKey) -> Self {
        self.node_mut(&at).remove::<C, T>();
        self
    }

    /// Returns the value of a component of an entity of the tree, or `None` if that lacks it; see
    /// [`with_at`](Self::with_at).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let turret = Template::new().with(Health(5));
    /// let tank = Template::new().with_child(|parent| ChildOf { parent }, turret);
    /// assert_eq!(tank.get_at::<Health>(1).unwrap().0, 5);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if there is no such entity, or if several have the name.
    #[track_caller]
    pub fn get_at<T: Component<C>>(&self, at: impl TemplateKey) -> Option<&T> {
        self.nodes().nth(self.position_of(&at))?.get::<C, T>()
    }

    /// All entities, in the order in which they are created.
    pub(super) fn nodes(&self) -> impl Iterator<Item = &TemplateNode> {
        [&self.root].into_iter().chain(&self.below)
    }

    #[track_caller]
    fn node_mut(&mut self, at: &impl TemplateKey) -> &mut TemplateNode {
        match self.position_of(at) {
            0 => &mut self.root,
            at => &mut self.below[at - 1],
        }
    }

    #[track_caller]
    fn position_of(&self, at: &impl TemplateKey) -> usize {
        let names: Vec<_> = self.nodes().map(|node| node.name.as_deref()).collect();
        match at.find(&names) {
            Ok(at) => at,
            Err(why) => panic!("a template of context `{}` {why}", C::NAME),
        }
    }

    /// A template of the selected components of a tree of entities. If it has no descendants, ids of the top are not
    /// mapped in values, as if it had no entries.
    pub(super) fn of_tree(context: &C, plan: Vec<TreePart<C>>, is_tree: bool) -> Self {
        let core = context.core();
        let originals: Vec<_> = plan.iter().map(|(id, ..)| id.untyped()).collect();
        let places: Vec<_> = (0..originals.len() as u32).map(placeholder).collect();
        let of_originals = originals
            .iter()
            .map(|id| id.raw())
            .zip(places.iter().copied());
        let of_originals: HashMap<_, _> = of_originals.collect();
        let map = |id: UntypedId| of_originals.get(&id.raw()).copied().unwrap_or(id);
        let map_others = |id: UntypedId| match originals.first() == Some(&id) && !is_tree {
            true => id,
            false => map(id),
        };
        let mut nodes = plan.into_iter().map(|(_, slot, chosen)| {
            let mut node = TemplateNode::new(clones(core, slot.row, &chosen));
            for chunk in &mut node.components {
                let is_owner = chunk.descriptor().entry_of().is_some();
                let map: &dyn Fn(_) -> _ = if is_owner { &map } else { &map_others };
                map_values::<C>(core::slice::from_mut(chunk), map);
            }
            node
        });
        let root = nodes.next().unwrap_or(TemplateNode::new(Vec::new()));
        let mut orders = orders_of_copies(&core.subs, &originals, &places);
        orders.retain(|order| places.contains(&order.target));
        Self {
            root,
            below: nodes.collect(),
            orders,
            ..Self::new()
        }
    }

    /// Creates all entities in one change, or returns why a value was rejected.
    pub(super) fn create_tree(&self, context: &mut C) -> Result<EntityId<C>, Error> {
        let mut pending = PendingEntities::reserve(context, self.entities())?;
        let ids = EntityId::untyped_list(pending.reserved().to_vec());
        for node in self.nodes() {
            let made = pending.make_reserved(|writer| node.create(writer, &ids));
            made.map_err(|error| self.name_entries(error, &ids))?;
        }
        let orders = self.orders.iter();
        let map = own_ids(&ids);
        let orders: Vec<_> = orders.map(|order| mapped_order(order, &map)).collect();
        let checked = pending.check();
        let checked = checked.map_err(|error| self.name_entries(error, &ids))?;
        checked.arrive(&orders);
        Ok(ids[0].typed())
    }

    /// Names the entities of an error by their entries, because none of them is created.
    #[cold]
    fn name_entries(&self, error: Error, ids: &[UntypedId]) -> Error {
        error.with_labels(|entity| {
            let at = ids.iter().position(|id| id.raw() == entity)?;
            match self.nodes().nth(at)?.name.as_deref() {
                Some(name) => Some(alloc::format!("entry {name} of the template")),
                None => Some(alloc::format!("entry {at} of the template")),
            }
        })
    }
}

/// The same order with mapped ids.
pub(super) fn mapped_order(
    order: &SourceOrder,
    map: &dyn Fn(UntypedId) -> UntypedId,
) -> SourceOrder {
    SourceOrder {
        component: order.component,
        target: map(order.target),
        sources: order.sources.iter().map(|&source| map(source)).collect(),
    }
}

/// Identifies an entity of a [`Template`]: by name, `&str`, or by position, `usize`.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// fn weaken(template: Template<Game>, at: impl ecs::TemplateKey) -> Template<Game> {
///     template.with_at(at, Health(1))
/// }
/// let orc = Template::new().with(Health(9)).named("orc");
/// assert_eq!(weaken(weaken(orc, "orc"), 0).get::<Health>().unwrap().0, 1);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not find an entity of a template",
    label = "not a name, `&str`, or a position, `usize`"
)]
pub trait TemplateKey: fmt::Debug {
    /// The position of the entity with these names, or why it was not found.
    #[doc(hidden)]
    fn find(&self, names: &[Option<&str>]) -> Result<usize, String>;
}

impl TemplateKey for &str {
    fn find(&self, names: &[Option<&str>]) -> Result<usize, String> {
        let mut found = (0..names.len()).filter(|&at| names[at] == Some(self));
        match (found.next(), found.next()) {
            (Some(at), None) => Ok(at),
            (Some(a), Some(b)) => Err(alloc::format!(
                "has several entities named `{self}`, at {a} and {b}: name them apart, or give the position"
            )),
            _ => {
                let known: Vec<_> = names.iter().flatten().copied().collect();
                Err(alloc::format!(
                    "has no entity named `{self}`: it has {} of which these are named: [{}]",
                    names.len(),
                    known.join(", ")
                ))
            }
        }
    }
}

impl TemplateKey for usize {
    fn find(&self, names: &[Option<&str>]) -> Result<usize, String> {
        match *self < names.len() {
            true => Ok(*self),
            false => Err(alloc::format!(
                "has no entity at position {self}: it has {}, from 0 on",
                names.len()
            )),
        }
    }
}

//! One entity with all its components, and the tree below it.

use ecs::{ComponentIndex, Context, Entity, EntityId, Group, SharedContext};

use super::contexts::{Action, Kept, alive};
use super::list::{label, row};
use super::names::Names;
use super::show::{self, Budget, Limit};
use crate::desk::{Json, to_json};
use crate::protocol::answers::{Branch, Link, NamedValue, Whole};
use crate::protocol::failure::{Code, Failure};
use crate::protocol::params::{One, TreeParams};

/// The number of referring entities that are shown.
const MOST_SOURCES: usize = 200;
/// The maximum number of nodes of a tree, and its maximum depth.
const MOST_NODES: usize = 1000;
const MOST_LEVELS: usize = 32;

/// Answers `entity`.
pub(crate) struct AnswerOne<'a>(pub(crate) &'a One);

impl Action for AnswerOne<'_> {
    type Output = Result<Json, Failure>;

    fn run<C: Context + SharedContext>(self, context: &mut C, kept: &mut Kept<C>) -> Self::Output {
        let id = alive(context, &self.0.entity)?;
        let entity = Entity::find(&*context, id).ok_or_else(|| gone(id))?;
        let groups = Group::all(context).into_iter().enumerate();
        to_json(&Whole {
            entity: id.to_string(),
            label: label(&*context, id),
            components: components(&*context, entity, &kept.names),
            relations: relations(entity, &kept.names),
            groups: groups
                .filter(|(_, group)| group.contains(context, id))
                .map(|(number, _)| number)
                .collect(),
        })
    }
}

fn gone<C: Context + SharedContext>(id: EntityId<C>) -> Failure {
    Code::UnknownEntity.because(format!("entity {id} is not alive"))
}

fn components<'n, C: Context + SharedContext>(
    context: &C,
    entity: Entity<'_, C>,
    names: &'n Names<C>,
) -> Vec<NamedValue<'n>> {
    let mut budget = Budget::new();
    let all = show::indices(context, entity).into_iter();
    let shown = all.filter_map(|component| {
        let entity = entity.dynamic();
        let value = show::component(context, entity, component, Limit::WHOLE, &mut budget)?;
        let name = names.of(component);
        Some(NamedValue { name, value })
    });
    shown.collect()
}

fn relations<'n, C: Context + SharedContext>(
    entity: Entity<'_, C>,
    names: &'n Names<C>,
) -> Vec<Link<'n>> {
    let all = entity.dynamic().relations();
    let parts = all.filter(|it| it.target().is_some() || !it.sources().is_empty());
    let links = parts.map(|it| Link {
        component: names.of(it.component()),
        target: it.target().map(|id| id.to_string()),
        sources: texts(it.sources()),
        count: it.sources().len(),
    });
    links.collect()
}

fn texts<C>(ids: &[EntityId<C>]) -> Vec<String> {
    ids.iter()
        .take(MOST_SOURCES)
        .map(|id| id.to_string())
        .collect()
}

/// Answers `tree`.
pub(crate) struct AnswerTree<'a>(pub(crate) &'a TreeParams);

impl Action for AnswerTree<'_> {
    type Output = Result<Json, Failure>;

    fn run<C: Context + SharedContext>(self, context: &mut C, kept: &mut Kept<C>) -> Self::Output {
        let root = alive(context, &self.0.entity)?;
        let mut growing = Growing {
            context: &*context,
            names: &kept.names,
            relation: kept.names.find(&self.0.relation)?,
            columns: kept.names.find_all(&self.0.columns)?,
            left: self.0.count.clamp(1, MOST_NODES),
            budget: Budget::new(),
        };
        let tree = growing.branch(root, self.0.depth.min(MOST_LEVELS));
        to_json(&tree.ok_or_else(|| gone(root))?)
    }
}

/// A tree under construction.
struct Growing<'a, C> {
    context: &'a C,
    names: &'a Names<C>,
    relation: ComponentIndex<C>,
    columns: Vec<ComponentIndex<C>>,
    /// The number of nodes that may be added.
    left: usize,
    budget: Budget,
}

impl<'a, C: Context + SharedContext> Growing<'a, C> {
    fn branch(&mut self, id: EntityId<C>, depth: usize) -> Option<Branch<'a>> {
        self.left = self.left.checked_sub(1)?;
        let row = row(
            self.context,
            self.names,
            id,
            &self.columns,
            &mut self.budget,
        )?;
        let sources = self.sources(id);
        let shown = if depth == 0 { &[] } else { sources };
        let children = shown
            .iter()
            .map_while(|&child| self.branch(child, depth - 1));
        Some(Branch {
            row,
            count: sources.len(),
            children: children.collect(),
        })
    }

    fn sources(&self, id: EntityId<C>) -> &'a [EntityId<C>] {
        let entity = Entity::find(self.context, id);
        let relations = entity
            .into_iter()
            .flat_map(|entity| entity.dynamic().relations());
        let mut relations = relations.filter(|it| it.component() == self.relation);
        relations.next().map_or(&[], |it| it.sources())
    }
}

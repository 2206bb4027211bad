//! Bringing many entities to life.

use alloc::vec::Vec;

use crate::matching::effects::EffectsIndex;
use crate::reactions::subscription::Subject;
use crate::state::core::{Core, HasCore};
use crate::state::lifecycle::arrive;
use crate::state::user_code::Session;
use crate::storage::columns::Columns;
use crate::storage::row_words::RowWords;
use crate::storage::slots::{NodeIndex, Row, Slots};
use crate::words::component::ComponentIndex;
use crate::words::entity_id::EntityId;
use crate::words::signature::ComponentSet;

/// Entities whose values are stored, and who become known run by run: groups and
/// collectors follow when another signature comes, somebody is to be told, or it is
/// dropped.
pub(crate) struct Arrivals<'a, C: HasCore> {
    session: Session<'a, C>,
    ids: Vec<EntityId<C>>,
    /// Who is known already.
    known: usize,
    node: NodeIndex,
    effects: EffectsIndex,
    rows: RowWords,
}

/// Where entities come to life whose values are in new rows already.
pub(crate) struct Landing<'a, C> {
    node: NodeIndex,
    slots: &'a mut Slots,
    ids: &'a mut Vec<EntityId<C>>,
    rows: &'a mut RowWords,
}

impl<C> Landing<'_, C> {
    /// The row that the next entity gets.
    pub(crate) fn next_row(&self) -> Row {
        Row(self.slots.new_rows(0).start)
    }

    /// Whether there can be so many more.
    pub(crate) fn can_take(&self, count: usize) -> bool {
        self.slots.can_hold(count)
    }

    /// Brings so many entities to life in the next rows.
    pub(crate) fn take(&mut self, count: usize) {
        let start = self.next_row();
        self.slots.create_in_new_rows(count, self.node, self.ids);
        self.rows.go_on(0).push_run(start, count);
    }
}

/// The node of no run at all.
const NOWHERE: NodeIndex = NodeIndex(u32::MAX);

impl<'a, C: HasCore> Arrivals<'a, C> {
    pub(crate) fn new(context: &'a mut C, expected: usize) -> Self {
        Self {
            session: Session::new(context),
            ids: Vec::with_capacity(expected),
            known: 0,
            node: NOWHERE,
            effects: EffectsIndex::NONE,
            rows: RowWords::default(),
        }
    }

    pub(crate) fn core(&mut self) -> &mut Core<C> {
        self.session.context().core_mut()
    }

    /// Where the entities of a plan come to life in new rows: the columns to be filled, and
    /// who is to take the rows then.
    pub(crate) fn landing(&mut self, plan: &BundlePlan) -> (&mut Columns<C>, Landing<'_, C>) {
        let node = plan.node;
        if node != self.node {
            self.start_run(node);
        }
        let core = self.session.context().core_mut();
        let landing = Landing {
            node,
            slots: &mut core.slots,
            ids: &mut self.ids,
            rows: &mut self.rows,
        };
        (&mut core.columns, landing)
    }

    /// Takes an entity whose slot is in `node` and whose values are in `row`.
    #[inline(always)] // called once for each entity
    pub(crate) fn push(&mut self, id: EntityId<C>, row: Row, node: NodeIndex) {
        if node != self.node {
            self.start_run(node);
        }
        self.ids.push(id);
        if self.node == NOWHERE {
            self.known = self.ids.len();
            arrive(self.session.context(), id, row, node);
        } else if self.effects != EffectsIndex::NONE {
            self.rows.push(row);
        }
    }

    /// The entities, all of them known.
    pub(crate) fn finish(mut self) -> Vec<EntityId<C>> {
        self.settle();
        core::mem::take(&mut self.ids)
    }

    /// Starts a run, unless somebody is to be told of each entity by itself.
    #[cold]
    fn start_run(&mut self, node: NodeIndex) {
        self.settle();
        let (effects, told) = self.core().arrival(node);
        (self.node, self.effects) = (if told { NOWHERE } else { node }, effects);
    }

    /// Makes the run known. If that fails it is not tried again: this may be a drop.
    fn settle(&mut self) {
        let rows = core::mem::take(&mut self.rows);
        let are_new = core::mem::replace(&mut self.known, self.ids.len()) < self.ids.len();
        if are_new
            && self.effects != EffectsIndex::NONE
            && let Some(core) = self.session.core_mut()
        {
            // Looked up anew: they may have been forgotten while entities came to life.
            let effects = core.graph.create(self.node, &core.groups);
            core.apply_to_rows(rows.as_slice(), effects);
        }
        self.rows = rows;
        self.rows.clear();
    }
}

impl<C: HasCore> Drop for Arrivals<'_, C> {
    fn drop(&mut self) {
        self.settle();
    }
}

/// What all entities of one creation have in common, worked out once: that nothing is to be
/// asked or told of each by itself, where they belong, and what their coming to life does.
pub(crate) struct BundlePlan {
    components: ComponentSet,
    node: NodeIndex,
    effects: EffectsIndex,
}

impl BundlePlan {
    /// The plan for entities with these components; `None` if each of them has to be created by
    /// itself, because a component is unique, or indexes or observers follow.
    pub(crate) fn of<C: HasCore>(
        core: &mut Core<C>,
        components: &[ComponentIndex],
    ) -> Option<Self> {
        core.install_indexes(); // those of components that are numbered late
        core.collect_signatures();
        let components: ComponentSet = components.iter().copied().collect();
        let node = core.graph.node(components.clone(), &mut core.groups);
        let (effects, is_told) = core.arrival(node);
        (!is_told && !core.any_is_unique(&components)).then_some(Self {
            components,
            node,
            effects,
        })
    }
}

/// Brings entities to life in new slots whose rows follow one another; `fill` stores
/// their values, from the row it is given on.
pub(crate) fn create_rows<C: HasCore>(
    core: &mut Core<C>,
    plan: &BundlePlan,
    count: usize,
    ids: &mut Vec<EntityId<C>>,
    fill: impl FnOnce(&mut Columns<C>, Row),
) {
    let start = core.slots.new_rows(count).start; // no value is stored for too many
    core.columns
        .reserve(&plan.components, start as usize, count);
    fill(&mut core.columns, Row(start));
    core.slots.create_in_new_rows(count, plan.node, ids);
    let mut rows = RowWords::default();
    rows.adding().push_run(Row(start), count);
    core.apply_to_rows(rows.as_slice(), plan.effects);
}

impl<C: 'static> Core<C> {
    /// What an entity does that comes to life in a node, and whether entity indexes or
    /// observers are to follow.
    fn arrival(&mut self, node: NodeIndex) -> (EffectsIndex, bool) {
        let effects = self.graph.create(node, &self.groups);
        let followed = self.graph.effects().get(effects).are_followed();
        (
            effects,
            followed || !self.observers.is_empty(Subject::CREATED),
        )
    }

    /// Makes room for so many entities with these components.
    pub(crate) fn reserve(&mut self, components: &ComponentSet, entities: usize) {
        let new = entities.saturating_sub(self.slots.free_len());
        self.slots.reserve(entities);
        self.columns.reserve(components, self.slots.rows(), new);
    }
}

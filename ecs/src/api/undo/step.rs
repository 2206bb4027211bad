//! The changes of a step: for each entity whether it was alive, and the values of its components,
//! before and after the step.

use alloc::borrow::Cow;
use alloc::sync::Arc;
use alloc::vec::Vec;

use hashbrown::HashMap;

use crate::reactions::entity_change::{ChangeKind, of_entity_changes};
use crate::reactions::subscription::Subscription;
use crate::state::user_code::Session;
use crate::state::{self, HasCore};
use crate::storage::chunk::Chunk;
use crate::storage::mailbox::Mailbox;
use crate::storage::registry::numbering;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::UntypedId;
use crate::words::signature::RawComponentSet;

/// The components that are recorded.
#[derive(Clone)]
pub(super) struct UndoScope {
    listed: RawComponentSet,
    all_but: bool,
}

impl UndoScope {
    pub(super) fn all() -> Self {
        Self {
            listed: RawComponentSet::new(),
            all_but: true,
        }
    }

    pub(super) fn only(listed: RawComponentSet) -> Self {
        Self {
            listed,
            all_but: false,
        }
    }

    pub(super) fn exclude(&mut self, components: &RawComponentSet) {
        for component in components.iter() {
            match self.all_but {
                true => self.listed.insert(component),
                false => self.listed.remove(component),
            };
        }
    }

    fn has(&self, component: RawComponentIndex) -> bool {
        self.listed.contains(component) != self.all_but
    }

    /// Panics if one of the components is not `Clone`.
    #[track_caller]
    fn check<C: HasCore>(&self) {
        let descriptors = numbering::<C>().descriptors();
        let components = (0..).map(RawComponentIndex::at).zip(descriptors);
        let mut scope = components.filter(|&(component, _)| self.has(component));
        if let Some((_, descriptor)) = scope.find(|(_, descriptor)| !descriptor.is_clone) {
            panic!(
                "cannot record a step of context `{}`: component `{name}` is not `Clone`; derive `Clone` \
                 for it, or leave it out by `UndoStack::without::<{name}>()`",
                C::NAME,
                name = descriptor.names.component
            );
        }
    }
}

/// A step, with the ids and values of entities when it was recorded.
pub(super) struct UndoStep {
    pub(super) name: Cow<'static, str>,
    pub(super) edits: Vec<Edit>,
}

/// The changes of one entity.
pub(super) struct Edit {
    pub(super) id: UntypedId,
    /// Whether it was alive before and after.
    pub(super) alive_at: [bool; 2],
    pub(super) components: Vec<EditedValue>,
}

/// The value of a component before and after.
pub(super) struct EditedValue {
    pub(super) component: RawComponentIndex,
    pub(super) values: [Option<Chunk>; 2],
}

/// The current ids of entities that were destroyed and created again.
#[derive(Default)]
pub(super) struct CurrentIds(HashMap<UntypedId, UntypedId>);

impl CurrentIds {
    pub(super) fn of(&self, id: UntypedId) -> UntypedId {
        self.0.get(&id).copied().unwrap_or(id)
    }

    /// Records new ids of entities.
    pub(super) fn extend(&mut self, new: HashMap<UntypedId, UntypedId>) {
        for id in self.0.values_mut() {
            if let Some(next) = new.get(id) {
                *id = *next;
            }
        }
        self.0.extend(new);
    }
}

/// An observed change.
pub(super) struct Seen {
    id: UntypedId,
    kind: ChangeKind,
    component: Option<RawComponentIndex>,
    previous: Option<Chunk>,
}

/// Calls `change`; returns the observed changes and its result.
#[track_caller]
pub(super) fn record<C: HasCore, R>(
    context: &mut C,
    scope: &UndoScope,
    change: impl FnOnce(&mut C) -> R,
) -> (Vec<Seen>, R) {
    scope.check::<C>();
    assert!(
        !context.core().is_dispatching(),
        "cannot record a step of context `{}` while observers are being notified of a change; record it \
         after the call that made the change has returned",
        C::NAME
    );
    let mailbox = Arc::new(Mailbox::new());
    let (seen, scope) = (mailbox.clone(), scope.clone());
    let observer = of_entity_changes::<C>(move |context, change| {
        let component = change.component().map(|component| component.untyped());
        if component.is_none_or(|component| scope.has(component)) {
            let previous = component.zip(change.previous_value());
            seen.put(Seen {
                id: change.entity().untyped(),
                kind: change.kind(),
                component,
                previous: previous.and_then(|(component, value)| {
                    Chunk::of_clone(component, context.core().describe(component), value)
                }),
            });
        }
    });
    let subscription = Some(state::observe_changes(context, None, observer));
    let observed = Observed {
        context,
        subscription,
    };
    let returned = Session::new(observed.context).call(change);
    drop(observed);
    (mailbox.take(), returned)
}

/// A context that is observed until this is dropped, even by a panic.
struct Observed<'a, C: HasCore> {
    context: &'a mut C,
    subscription: Option<Subscription>,
}

impl<C: HasCore> Drop for Observed<'_, C> {
    fn drop(&mut self) {
        let instance = self.context.core().instance();
        let own = |subscription: &Subscription| subscription.instance == instance; // false if the context was replaced
        if let Some(subscription) = self.subscription.take().filter(own) {
            state::unsubscribe(self.context, subscription);
        }
    }
}

impl UndoStep {
    pub(super) fn new(name: Cow<'static, str>) -> Self {
        Self {
            name,
            edits: Vec::new(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// Adds observed changes to the step: earlier values before the step are kept, values after it
    /// are the current ones.
    pub(super) fn extended<C: HasCore>(
        mut self,
        context: &C,
        seen: Vec<Seen>,
        current: &CurrentIds,
    ) -> Self {
        let edits = self.edits.iter().enumerate();
        let mut places: HashMap<_, _> = edits.map(|(at, edit)| (current.of(edit.id), at)).collect();
        for seen in seen {
            let at = *places.entry(seen.id).or_insert(self.edits.len());
            if at == self.edits.len() {
                self.edits.push(Edit::new(seen.id));
            }
            self.edits[at].record(seen);
        }
        for edit in &mut self.edits {
            edit.read_present(context, current.of(edit.id));
        }
        self.edits.retain(Edit::changes);
        self
    }
}

impl Edit {
    fn new(id: UntypedId) -> Self {
        Self {
            id,
            alive_at: [true; 2],
            components: Vec::new(),
        }
    }

    fn record(&mut self, seen: Seen) {
        match seen.kind {
            ChangeKind::Created => self.alive_at[0] = false,
            ChangeKind::Destroyed => self.alive_at[1] = false,
            ChangeKind::Added | ChangeKind::Removed | ChangeKind::Replaced => {}
        }
        let Some(component) = seen.component else {
            return;
        };
        let mut known = self.components.iter();
        if !known.any(|edited| edited.component == component) {
            let values = [seen.previous, None];
            self.components.push(EditedValue { component, values });
        }
    }

    /// Stores the current values as those after the step.
    fn read_present<C: HasCore>(&mut self, context: &C, id: UntypedId) {
        let core = context.core();
        let row = core.slots().get(id.typed::<C>()).map(|slot| slot.row);
        for EditedValue { component, values } in &mut self.components {
            values[1] = row.and_then(|row| {
                let value = core.value_in(row, *component)?;
                Chunk::of_clone(*component, core.describe(*component), value)
            });
        }
    }

    /// Whether there is anything to undo.
    fn changes(&self) -> bool {
        match self.alive_at {
            [false, false] => false,
            [true, true] => {
                let mut components = self.components.iter();
                components.any(|edited| edited.values.iter().any(Option::is_some))
            }
            _ => true,
        }
    }
}

//! Recording the changes of a closure: an observer of all changes collects them, and ordered
//! relations list the moves of their sources.

use alloc::sync::Arc;
use alloc::vec::Vec;

use hashbrown::HashSet;

use crate::reactions::entered::{Entered, SeenChange};
use crate::reactions::entity_change::{ChangeKind, EntityChange, of_entity_changes};
use crate::reactions::entity_index::{LinkMove, MovesStart};
use crate::reactions::subscription::Subscription;
use crate::state::user_code::{Session, is_dispatching};
use crate::state::{self, HasCore, end_step, start_step};
use crate::storage::chunk::Chunk;
use crate::storage::mailbox::Mailbox;
use crate::storage::registry::numbering;
use crate::words::component::RawComponentIndex;
use crate::words::demands::Confined;
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

/// An observed change.
pub(super) struct Seen {
    pub(super) id: UntypedId,
    pub(super) kind: ChangeKind,
    pub(super) component: Option<RawComponentIndex>,
    pub(super) previous: Option<Chunk>,
}

/// What was recorded while a closure was called.
pub(super) struct StepRecord {
    pub(super) seen: Vec<Seen>,
    /// The moves of sources in ordered relations.
    pub(super) moves: Vec<(RawComponentIndex, LinkMove)>,
    /// What systems have seen of states.
    pub(super) states: Vec<SeenChange>,
}

/// Panics if a step cannot be recorded now.
#[track_caller]
pub(super) fn check_recordable<C: HasCore>(context: &C, scope: &UndoScope) {
    scope.check::<C>();
    assert!(
        !is_dispatching(&context.core().world, &context.core().subs),
        "cannot record a step of context `{}` while observers are being notified of a change; record it \
         after the call that made the change has returned",
        C::NAME
    );
}

/// The components of entities whose previous values are not needed.
pub(super) type KnownValues = HashSet<(UntypedId, RawComponentIndex)>;

/// Calls `change`; returns what it has changed, and its result. No observer may be running.
pub(super) fn record<C: HasCore, R>(
    context: &mut C,
    (scope, known): (&UndoScope, KnownValues),
    change: impl FnOnce(&mut C) -> R,
) -> (StepRecord, R) {
    let mailbox = Arc::new(Mailbox::new());
    let subscription = Some(observe(context, (scope.clone(), known), mailbox.clone()));
    let start = start_step(&mut context.core_mut().subs);
    let entered = context.core_mut().subs.entered_mut().clone();
    let mut observed = Observed {
        context,
        subscription,
        start,
        entered,
    };
    let returned = Session::new(observed.context).call(change);
    let (mut moves, mut states) = observed.end();
    moves.retain(|(component, _)| scope.has(*component));
    states.retain(|change| change.iter().flatten().all(|it| scope.has(it.component)));
    let seen = mailbox.take();
    let record = StepRecord {
        seen,
        moves,
        states,
    };
    (record, returned)
}

/// Puts every change within a scope into a mailbox.
fn observe<C: HasCore>(
    context: &mut C,
    (scope, known): (UndoScope, KnownValues),
    seen: Arc<Mailbox<Seen>>,
) -> Subscription {
    let observer = move |context: &mut C, change: &EntityChange<'_, C>| {
        let component = change.component().map(|component| component.untyped());
        if component.is_none_or(|component| scope.has(component)) {
            let id = change.entity().untyped();
            let needed = component.filter(|component| !known.contains(&(id, *component)));
            let previous = needed.zip(change.previous_value());
            seen.put(Seen {
                id,
                kind: change.kind(),
                component,
                previous: previous.and_then(|(component, value)| {
                    Chunk::of_clone(component, context.core().world.describe(component), value)
                }),
            });
        }
    };
    let observer = of_entity_changes(Confined::shareable(observer));
    state::observe_changes(context, None, observer)
}

/// A context that is observed until this is dropped, even by a panic.
struct Observed<'a, C: HasCore> {
    context: &'a mut C,
    subscription: Option<Subscription>,
    start: Vec<MovesStart>,
    /// What systems had seen of states at the start.
    entered: Entered,
}

impl<C: HasCore> Observed<'_, C> {
    /// Ends the observation, once; returns the moves of sources, and what systems have seen. Does nothing if the
    /// context was replaced.
    fn end(&mut self) -> (Vec<(RawComponentIndex, LinkMove)>, Vec<SeenChange>) {
        let instance = self.context.core().world.instance();
        let own = |subscription: &Subscription| subscription.instance == instance;
        let Some(subscription) = self.subscription.take().filter(own) else {
            return (Vec::new(), Vec::new());
        };
        let subs = &mut self.context.core_mut().subs;
        let moves = end_step(subs, &self.start);
        let states = subs.entered_mut().changes_since(&self.entered);
        state::unsubscribe(self.context, subscription);
        (moves, states)
    }
}

impl<C: HasCore> Drop for Observed<'_, C> {
    fn drop(&mut self) {
        self.end();
    }
}

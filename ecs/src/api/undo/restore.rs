//! Undoing or redoing a step, including what observers change in reaction.
//!
//! Observers are notified of the changes, and may react to them: with the changes that the step has
//! already, or with more. So all changes are recorded meanwhile; what is not as it should be in the
//! end is corrected in the same way, for a few rounds.

use super::apply::{Apply, ROUNDS, SetCounts};
use super::ids::CurrentIds;
use super::record::{KnownValues, StepRecord, UndoScope, record};
use super::step::UndoStep;
use crate::reactions::entity_change::ChangeKind;
use crate::state::user_code::is_dispatching;
use crate::state::{HasCore, start_restoring};
use crate::words::error::Error;

/// Restores one side of a step: 0 before it, 1 after it. Returns the first error.
pub(super) fn restore<C: HasCore>(
    context: &mut C,
    scope: &UndoScope,
    (step, side): (&UndoStep, usize),
    current: &mut CurrentIds,
) -> Result<(), Error> {
    if is_dispatching(&context.core().world, &context.core().subs) {
        return Apply::new(context, step, side, current).run().0; // observers react later
    }
    let (mut result, is_corrected) = attempt(context, scope, (step, side), current);
    if result.is_err() && is_corrected {
        (result, _) = attempt(context, scope, (step, side), current); // without the reactions
    }
    result
}

/// Restores a side and corrects what observers change; returns whether they did.
fn attempt<C: HasCore>(
    context: &mut C,
    scope: &UndoScope,
    (step, side): (&UndoStep, usize),
    current: &mut CurrentIds,
) -> (Result<(), Error>, bool) {
    let (changes, (result, set)) = record(context, (scope, known(step, current)), |context| {
        start_restoring(&mut context.core_mut().subs);
        Apply::new(context, step, side, current).run()
    });
    let mut correction = correct(context, (step, side), (changes, &set), current);
    let is_corrected = !correction.is_empty();
    for _ in 0..ROUNDS {
        if correction.is_empty() {
            break;
        }
        let known = known(&correction, current);
        let (changes, (_, set)) = record(context, (scope, known), |context| {
            start_restoring(&mut context.core_mut().subs);
            let apply = Apply::new(context, &correction, 0, current);
            apply.trying_each().run() // what else is destroyed with an entity is not restored
        });
        let next = correct(context, (&correction, 0), (changes, &set), current);
        // They are restored from the other side.
        step.moves.restore(context, 1 - side, current);
        step.moves.restore(context, side, current);
        correction = next;
    }
    (result, is_corrected)
}

/// The components whose values the step has.
fn known(step: &UndoStep, current: &CurrentIds) -> KnownValues {
    let components = step.edits.iter().flat_map(|edit| {
        let id = current.of(edit.id);
        edit.components.iter().map(move |it| (id, it.component))
    });
    components.collect()
}

/// What is to be changed for a context to be as a side of a step says, and as before these changes
/// in everything else. `set` says how often the step itself has set a component.
fn correct<C: HasCore>(
    context: &C,
    (step, side): (&UndoStep, usize),
    (changes, set): (StepRecord, &SetCounts),
    current: &CurrentIds,
) -> UndoStep {
    let seen = count(&changes);
    let mut reaction = UndoStep::default();
    reaction.add::<C>(changes, current);
    let mut correction = UndoStep::default();
    correction.moves = reaction.moves.except(&step.moves);
    for mut edit in reaction.edits {
        let of_step = step.edit(edit.id);
        let id = current.of(edit.id);
        let slot = context.core().world.slots().get(id.typed::<C>());
        let is_wanted = match of_step.map(|of_step| of_step.alive_at) {
            None | Some([true, true]) => edit.alive_at[0],
            Some(alive_at) => alive_at[side],
        };
        edit.alive_at = [is_wanted, slot.is_some()];
        edit.components.retain(|_| is_wanted);
        if let Some(of_step) = of_step.filter(|_| is_wanted) {
            edit.prefer(of_step, side);
        }
        edit.components.retain(|edited| {
            let component = edited.component;
            let value = slot.and_then(|slot| context.core().world.value_in(slot.row, component));
            let is_of_step = of_step.is_some_and(|it| it.value(component).is_some());
            let times = |counts: &SetCounts| counts.get(&(id, component)).copied().unwrap_or(0);
            let is_own = is_of_step
                && edited.values[0].is_some() == value.is_some()
                && times(&seen) <= times(set);
            slot.is_none() || !is_own
        });
        if is_wanted != slot.is_some() || !edit.components.is_empty() {
            correction.push(edit);
        }
    }
    correction
}

/// How often components were set.
fn count(changes: &StepRecord) -> SetCounts {
    let mut counts = SetCounts::new();
    for change in &changes.seen {
        if let (Some(component), ChangeKind::Added | ChangeKind::Replaced) =
            (change.component, change.kind)
        {
            *counts.entry((change.id, component)).or_default() += 1;
        }
    }
    counts
}

//! The value before a change of a component: lent to observers, kept by a history, then retired. Its
//! type is not known here, so that all of this is compiled once for all components.

use alloc::boxed::Box;
use core::any::Any;

use super::core::Registries;
use crate::reactions::history::Kind;
use crate::storage::descriptor::AnyValue;
use crate::storage::moved::Moved;
use crate::words::component::ComponentIndex;
use crate::words::entity_id::UntypedId;

/// What a component was before a change.
pub(super) struct Previous<'a> {
    component: ComponentIndex,
    kind: Kind,
    value: Value<'a>,
}

enum Value<'a> {
    /// There was none, or nobody is lent it.
    None,
    /// It has made place: it goes to the pool stack or is dropped.
    Gone(Moved<'a>),
    /// It is a copy of what was there.
    Copied(Moved<'a>),
    /// It is the caller's from now on.
    Taken(&'a AnyValue),
}

impl<'a> Previous<'a> {
    /// The component has been added.
    pub(super) fn none(component: ComponentIndex) -> Self {
        Self::new(component, Kind::Added, Value::None)
    }

    /// The value has been removed, or replaced by another one.
    pub(super) fn gone(component: ComponentIndex, kind: Kind, value: Moved<'a>) -> Self {
        Self::new(component, kind, Value::Gone(value))
    }

    /// The value has been changed, of which there is a copy if it is to be lent.
    pub(super) fn copied(component: ComponentIndex, copy: Option<Moved<'a>>) -> Self {
        let value = copy.map_or(Value::None, Value::Copied);
        Self::new(component, Kind::Replaced, value)
    }

    /// The value has been removed and is the caller's.
    pub(super) fn taken(component: ComponentIndex, value: &'a AnyValue) -> Self {
        Self::new(component, Kind::Removed, Value::Taken(value))
    }

    fn new(component: ComponentIndex, kind: Kind, value: Value<'a>) -> Self {
        Self {
            component,
            kind,
            value,
        }
    }

    fn view(&self) -> Option<&AnyValue> {
        match &self.value {
            Value::None => None,
            Value::Gone(value) | Value::Copied(value) => Some(value.view()),
            Value::Taken(value) => Some(*value),
        }
    }

    /// The value, as observers are lent it.
    pub(super) fn lend(&self) -> Option<&dyn Any> {
        self.view().map(|value| value as &dyn Any)
    }

    /// Puts the value where it belongs when everybody has seen it.
    pub(super) fn retire(self, core: &mut Registries) {
        if let Value::Gone(value) = self.value {
            core.columns.recycle_moved(self.component, value);
        }
    }

    /// The value for observers who are notified later, with the component on whose pool stack
    /// it is put then.
    pub(super) fn keep(self) -> (Option<ComponentIndex>, Option<Box<AnyValue>>) {
        match self.value {
            Value::Gone(value) => (Some(self.component), Some(value.into_box())),
            Value::Copied(copy) => (None, Some(copy.into_box())),
            Value::None | Value::Taken(_) => (None, None),
        }
    }

    /// Hands the change of an entity over to the history, with the value.
    pub(super) fn record(self, core: &mut Registries, id: UntypedId) {
        match self.value {
            Value::Gone(value) | Value::Copied(value) => {
                core.record_moved(self.kind, id, self.component, value);
            }
            Value::None | Value::Taken(_) => self.record_clone(core, id),
        }
    }

    /// Records the change of an entity, with a clone of the value.
    pub(super) fn record_clone(&self, core: &mut Registries, id: UntypedId) {
        match self.view() {
            Some(value) => core.record_clone(self.kind, id, self.component, value),
            None if self.kind == Kind::Added => core.record_added(id, self.component),
            None => {}
        }
    }
}

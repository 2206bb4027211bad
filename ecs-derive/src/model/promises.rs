//! Texts for generated methods: the events they report, and when they are rejected.

/// The text of a method that only reads.
pub(crate) const READS: &str = "Reports nothing.";

/// The text of a method that adds or removes components.
pub(crate) const MOVES: &str =
    "Reports *entered* and *left* to the groups that the entity enters and leaves by it.";

/// The text of a method that changes a value in place.
pub(crate) const UPDATES: &str = "Reports *updated* to the groups that name the component and \
                                  have the entity as a member. If `change` panics, the value \
                                  stays as it left it: collectors, feeds and histories take it \
                                  for an update, and observers are not notified.";

/// The text of a method that changes a clone of a value.
pub(crate) const UPDATES_WITH: &str = "Reports *updated* to the groups that name the component \
                                       and have the entity as a member. If `change` panics, \
                                       nothing has changed.";

/// The text of a method that adds or replaces.
pub(crate) const REPLACES: &str = "Reports *updated* if the component is present already: to \
                                   the groups that name it and have the entity as a member. \
                                   Otherwise it is an add, and reports *entered* and *left* to \
                                   the groups that the entity enters and leaves by it.";

/// The text of a method that returns an untracked reference.
pub(crate) const UNTRACKED: &str = "Lends {} for writes that are **not reported**: no observer, \
                                    collector or reactive system learns of them.";

/// The text of a method that destroys.
pub(crate) const DESTROYS: &str =
    "Reports *will be destroyed*, then *left* to every group of the entity, then *destroyed*.";

/// The text of a method that takes a listener.
pub(crate) const LISTENS: &str = "Listeners are called when events are delivered, by `events().deliver()` or `EventSystems`, in \
     the order of their subscription. Reports *group created* if there is no group of the \
     entities with the component yet.";

/// When a destroy is rejected.
pub(crate) const ENDING: &str = "the entity is dead or being destroyed already";

/// When every change is rejected.
pub(crate) const DEAD: &str = "the entity is dead";

/// When an add is rejected.
pub(crate) const PRESENT: &str = "the entity is dead or has the component already";

/// When a method that needs the component is rejected.
pub(crate) const MISSING: &str = "the entity is dead or does not have the component";

/// The same for a shared handle, which borrows the context, so its entity is alive.
pub(crate) const MISSING_ALIVE: &str = "the entity does not have the component";

/// The text of a method that replaces a unique component or creates its owner.
pub(crate) const REPLACES_OR_CREATES: &str = "Reports *updated* if an entity has the component: to the groups that name it and have the \
     entity as a member. Otherwise reports *created*, then *entered* to the groups that the new \
     entity is in.";

/// The text of a method that sets a state.
pub(crate) const GOES_TO_STATE: &str = "Reports nothing if it is the state already; otherwise *updated* to the groups that name the \
     component and have its entity as a member, or *created*, then *entered* to the groups that the \
     new entity is in.";

/// The text of a method that sets or removes a unique flag.
pub(crate) const SETS_OR_UNSETS: &str = "Reports nothing if all is as wanted already; otherwise *created* and *entered* for the \
     entity that is created, or what removing it reports.";

/// The text of a method that removes a unique component.
pub(crate) const UNSETS: &str = "Reports *entered* and *left* to the groups that the entity \
                                 enters and leaves by it, or what `destroy` reports if the \
                                 entity has nothing else.";

/// When a unique component cannot be set.
pub(crate) const FULL: &str = "there cannot be another entity, or a key or a target is rejected";

/// When a method that needs a unique component is rejected.
pub(crate) const MISSING_OWNER: &str = "no entity has the component";

/// When a unique component cannot be removed.
pub(crate) const MISSING_OR_ENDING_ALONE: &str = "no entity has the component, or the entity \
                                                  that has it and nothing else is being \
                                                  destroyed already";

/// When the owner of a unique component cannot be destroyed.
pub(crate) const MISSING_OR_ENDING_OWNER: &str =
    "no entity has the component, or the entity that has it is being destroyed already";

/// When the owner of a unique flag cannot be destroyed.
pub(crate) const ENDING_OWNER: &str =
    "the entity that has the component is to be destroyed and is being destroyed already";

/// When an add of a unique component is rejected.
pub(crate) const PRESENT_OR_OWNED: &str = "the entity is dead or has the component already, or \
                                           another entity has it: the component is unique";

/// When a replace of a unique component is rejected.
pub(crate) const DEAD_OR_OWNED: &str =
    "the entity is dead, or another entity has the component, which is unique";

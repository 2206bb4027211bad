//! Texts for generated methods: the events they report, and when they are rejected.

/// The text of a method that only reads.
pub(crate) const READS: &str = "Events: none.";

/// The text of a method that adds or removes components.
pub(crate) const MOVES: &str =
    "Events: *entered* and *left* for the groups that the entity enters and leaves.";

/// The text of a method that changes a value in place.
pub(crate) const UPDATES: &str = "Events: *updated* for the groups that name the component and \
                                  contain the entity. If `change` panics, the value stays as it \
                                  is at that point: collectors, feeds and histories record an \
                                  update, and observers are not notified.";

/// The text of a method that changes a clone of a value.
pub(crate) const UPDATES_WITH: &str = "Events: *updated* for the groups that name the component \
                                       and contain the entity. If `change` panics, nothing has \
                                       changed.";

/// The text of a method that adds or replaces.
pub(crate) const REPLACES: &str = "Events: *updated* for the groups that name the component and \
                                   contain the entity, if the component was present; otherwise \
                                   *entered* and *left* for the groups that the entity enters \
                                   and leaves.";

/// The text of a method that returns an untracked reference.
pub(crate) const UNTRACKED: &str = "Returns {} for writes that are **not reported**: no \
                                    observer, collector or reactive system is notified of them.";

/// The text of a method that destroys.
pub(crate) const DESTROYS: &str =
    "Events: *will be destroyed*, then *left* for each group of the entity, then *destroyed*.";

/// The text of a method that takes a listener.
pub(crate) const LISTENS: &str = "Listeners are called when events are delivered, by \
                                  `events().deliver()` or `EventSystems`, in the order of \
                                  subscription. Events: *group created* if there is no group of \
                                  the entities with the component yet.";

/// When a destroy is rejected.
pub(crate) const ENDING: &str = "the entity is dead or already being destroyed";

/// When every change is rejected.
pub(crate) const DEAD: &str = "the entity is dead";

/// When an add is rejected.
pub(crate) const PRESENT: &str = "the entity is dead or already has the component";

/// When a method that needs the component is rejected.
pub(crate) const MISSING: &str = "the entity is dead or does not have the component";

/// Like the text above, but for a shared handle: it borrows the context, so its entity is alive.
pub(crate) const MISSING_ALIVE: &str = "the entity does not have the component";

/// The text of a method that replaces a unique component or creates its owner.
pub(crate) const REPLACES_OR_CREATES: &str = "Events: *updated* for the groups that name the \
                                              component and contain its entity, if there is one; \
                                              otherwise *created*, then *entered* for the groups \
                                              that match the new entity.";

/// The text of a method that sets a state.
pub(crate) const GOES_TO_STATE: &str = "Events: none if the context is in this state already; \
                                        otherwise *updated* for the groups that name the \
                                        component and contain its entity, or *created*, then \
                                        *entered* for the groups that match the new entity.";

/// The text of a method that sets or removes a unique flag.
pub(crate) const SETS_OR_UNSETS: &str = "Events: none if nothing changes; otherwise *created* \
                                         and *entered* for a new entity, or those of the \
                                         removal.";

/// The text of a method that removes a unique component.
pub(crate) const UNSETS: &str = "Events: *entered* and *left* for the groups that the entity \
                                 enters and leaves, or those of a destroy if the entity has no \
                                 other component.";

/// When a unique component cannot be set.
pub(crate) const FULL: &str = "the context is full, or a key or a target is rejected";

/// When a method that needs a unique component is rejected.
pub(crate) const MISSING_OWNER: &str = "no entity has the component";

/// When a unique component cannot be removed.
pub(crate) const MISSING_OR_ENDING_ALONE: &str = "no entity has the component, or its entity has \
                                                  no other component and is already being \
                                                  destroyed";

/// When the owner of a unique component cannot be destroyed.
pub(crate) const MISSING_OR_ENDING_OWNER: &str =
    "no entity has the component, or its entity is already being destroyed";

/// When the owner of a unique flag cannot be destroyed.
pub(crate) const ENDING_OWNER: &str =
    "the entity would be destroyed and is already being destroyed";

/// When an add of a unique component is rejected.
pub(crate) const PRESENT_OR_OWNED: &str = "the entity is dead or already has the component, or \
                                           another entity has this unique component";

/// When a replace of a unique component is rejected.
pub(crate) const DEAD_OR_OWNED: &str =
    "the entity is dead, or another entity has this unique component";

/// The text of a method that adds an entry.
pub(crate) const ADDS_ENTRY: &str =
    "Events, of the entry: *created*, then *entered* for the groups that match it.";

/// The text of a method that destroys an entry.
pub(crate) const REMOVES_ENTRY: &str = "Events, of the entry: *will be destroyed*, then *left* for each group, \
                                        then *destroyed*.";

/// The text of a method that replaces the component of an entry.
pub(crate) const REPLACES_ENTRY: &str = "Events, of the entry: *updated* for the groups that name the component \
                                         and contain it; or those of adding one.";

/// The text of a method that changes the component of an entry.
pub(crate) const UPDATES_ENTRY: &str = "Events, of the entry: *updated* for the groups that name the component \
                                        and contain it. If `change` panics, nothing has changed. A changed target \
                                        is rejected if it is dead, or if the entity has an entry for it.";

/// When a method that reads the entry for a target is rejected.
pub(crate) const MISSING_ENTRY: &str = "the entity does not have the component for `target`";

/// When an entry cannot be added.
pub(crate) const PRESENT_ENTRY: &str = "the entity or the target is dead, or the entity already has the component \
                                        for the target";

/// When an entry cannot be added or replaced.
pub(crate) const DEAD_OR_TARGET: &str = "the entity or the target is dead";

/// When an entry cannot be removed.
pub(crate) const NOT_AN_ENTRY: &str = "the entity is dead, or `entry` is not one of its entries";

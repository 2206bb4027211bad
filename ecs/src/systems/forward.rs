//! What systems that hold another system pass on to it.

/// Writes what all traits of systems have: the name and the phases other than the one in which a
/// system works. Passes each call on to what is at a place in `$this`, by its own trait.
macro_rules! forward_phases {
    ($this:ident => $inner:expr, $trait:path, $outcome:ty) => {
        fn initialize(&mut self, world: &mut W) -> $outcome {
            let $this = self;
            <_ as $trait>::initialize(&mut $inner, world)
        }
        fn cleanup(&mut self, world: &mut W) -> $outcome {
            let $this = self;
            <_ as $trait>::cleanup(&mut $inner, world)
        }
        fn tear_down(&mut self, world: &mut W) -> $outcome {
            let $this = self;
            <_ as $trait>::tear_down(&mut $inner, world)
        }
        fn name(&self) -> alloc::string::String {
            let $this = self;
            <_ as $trait>::name(&$inner)
        }
    };
}
pub(super) use forward_phases;

/// Writes what is about gathering, what is counted, and the list inside. Passes each call on to the
/// `System<W, R>` at a place in `$this`.
macro_rules! forward_controls {
    ($this:ident => $inner:expr, $outcome:ty) => {
        fn activate(&mut self, world: &mut W) {
            let $this = self;
            System::<W, $outcome>::activate(&mut $inner, world);
        }
        fn deactivate(&mut self, world: &mut W) {
            let $this = self;
            System::<W, $outcome>::deactivate(&mut $inner, world);
        }
        fn clear(&mut self, world: &mut W) {
            let $this = self;
            System::<W, $outcome>::clear(&mut $inner, world);
        }
        fn release(&mut self, world: &mut W) {
            let $this = self;
            System::<W, $outcome>::release(&mut $inner, world);
        }
        fn reactions(&self) -> Option<crate::systems::stats::Reactions> {
            let $this = self;
            System::<W, $outcome>::reactions(&$inner)
        }
        fn missed(&self) -> alloc::vec::Vec<crate::api::context::Missed> {
            let $this = self;
            System::<W, $outcome>::missed(&$inner)
        }
        fn awaits_initialize(&self) -> bool {
            let $this = self;
            System::<W, $outcome>::awaits_initialize(&$inner)
        }
        fn inner(&self) -> Option<&Systems<W>> {
            let $this = self;
            System::<W, $outcome>::inner(&$inner)
        }
        fn inner_mut(&mut self) -> Option<&mut Systems<W>> {
            let $this = self;
            System::<W, $outcome>::inner_mut(&mut $inner)
        }
    };
}
pub(super) use forward_controls;

/// Writes the methods of an `impl System<W, R>` that passes every call on to the system at a place
/// in `$this`.
macro_rules! forward_to {
    ($this:ident => $inner:expr, $outcome:ty) => {
        crate::systems::forward::forward_phases!($this => $inner, System<W, $outcome>, $outcome);
        crate::systems::forward::forward_controls!($this => $inner, $outcome);

        fn execute(&mut self, world: &mut W) -> $outcome {
            let $this = self;
            System::<W, $outcome>::execute(&mut $inner, world)
        }
    };
}
pub(super) use forward_to;

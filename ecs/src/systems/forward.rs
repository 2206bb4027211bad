//! Macros for systems that forward calls to another system.

/// Writes the methods that control and describe a system. Each forwards to `$inner`, a place in `$this`
/// with a `System<W, R>`.
macro_rules! forward_controls {
    ($this:ident => $inner:expr, $outcome:ty) => {
        fn attach(&mut self, world: &mut W) {
            let $this = self;
            System::<W, $outcome>::attach(&mut $inner, world);
        }
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
        fn needs_initialize(&self) -> bool {
            let $this = self;
            System::<W, $outcome>::needs_initialize(&$inner)
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

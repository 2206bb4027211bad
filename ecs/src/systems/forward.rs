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
        fn remove_named(&mut self, world: &mut W, name: &str) -> bool {
            let $this = self;
            System::<W, $outcome>::remove_named(&mut $inner, world, name)
        }
        fn lists<'s>(&'s self) -> [Option<&'s dyn crate::systems::stats::NestedSystems>; 2]
        where
            W: 's,
        {
            let $this = self;
            System::<W, $outcome>::lists(&$inner)
        }
        fn lists_mut<'s>(
            &'s mut self,
        ) -> [Option<&'s mut dyn crate::systems::stats::NestedSystems>; 2]
        where
            W: 's,
        {
            let $this = self;
            System::<W, $outcome>::lists_mut(&mut $inner)
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

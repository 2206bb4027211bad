//! Systems that forward to another system: one with another outcome, or on one context of the world.

/// Writes the methods of a system, except [`inner`](super::System::inner). Each forwards to `$inner`, a place in
/// `$this` with a `System<$of, $outcome>`, whose world is `$part`, a place in `$world`; `$convert` converts
/// the outcome of a phase to `$converted`.
macro_rules! forward_system {
    (
        $this:ident => $inner:expr, $world:ident => $part:expr,
        System<$of:ty, $outcome:ty>, $convert:path => $converted:ty
    ) => {
        forward_system! {
            @phases [initialize resume execute cleanup tear_down]
            $this => $inner, $world => $part, System<$of, $outcome>, $convert => $converted
        }
        forward_system! {
            @controls [attach activate deactivate clear discard release]
            $this => $inner, $world => $part, System<$of, $outcome>
        }
        fn remove_named(&mut self, $world: &mut W, name: &str) -> bool {
            let $this = self;
            System::<$of, $outcome>::remove_named(&mut $inner, $part, name)
        }
        fn lists<'s>(&'s self) -> [Option<&'s dyn crate::systems::stats::NestedSystems>; 2]
        where
            W: 's,
        {
            let $this = self;
            System::<$of, $outcome>::lists(&$inner)
        }
        fn lists_mut<'s>(
            &'s mut self,
        ) -> [Option<&'s mut dyn crate::systems::stats::NestedSystems>; 2]
        where
            W: 's,
        {
            let $this = self;
            System::<$of, $outcome>::lists_mut(&mut $inner)
        }
        forward_system! {
            @queries [
                name: alloc::string::String,
                reactions: Option<crate::systems::stats::Reactions>,
                missed: alloc::vec::Vec<crate::api::context::Missed>,
                needs_initialize: bool
            ]
            $this => $inner, System<$of, $outcome>
        }
    };
    (
        @phases [$($phase:ident)*]
        $this:ident => $inner:expr, $world:ident => $part:expr,
        System<$of:ty, $outcome:ty>, $convert:path => $converted:ty
    ) => {$(
        fn $phase(&mut self, $world: &mut W) -> $converted {
            let $this = self;
            $convert(System::<$of, $outcome>::$phase(&mut $inner, $part))
        }
    )*};
    (
        @controls [$($control:ident)*]
        $this:ident => $inner:expr, $world:ident => $part:expr, System<$of:ty, $outcome:ty>
    ) => {$(
        fn $control(&mut self, $world: &mut W) {
            let $this = self;
            System::<$of, $outcome>::$control(&mut $inner, $part);
        }
    )*};
    (
        @queries [$($query:ident: $answer:ty),*]
        $this:ident => $inner:expr, System<$of:ty, $outcome:ty>
    ) => {$(
        fn $query(&self) -> $answer {
            let $this = self;
            System::<$of, $outcome>::$query(&$inner)
        }
    )*};
}
pub(super) use forward_system;

/// Writes the methods that return the inner list, for a system of the same world.
macro_rules! forward_inner {
    ($this:ident => $inner:expr, $outcome:ty) => {
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
pub(super) use forward_inner;

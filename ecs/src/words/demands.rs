//! Bounds that attributes of a component put on its type, as traits, so that a violation is one
//! error with the remedy; and what a context demands of the values in it.
//!
//! A context is *shared* or, with `#[ecs::context(local)]`, *local*. Values in a shared context are
//! `Send + Sync`; those in a local one need not be. Invariants for the unsafe code:
//!
//! 1. A value enters a context of type `C`, or anything that holds values for one, only as a type that is
//!    [`FitsIn<C>`]: a component ([`Component`](crate::Component)), or [`Confined`].
//! 2. A public type that owns or borrows such values without naming their types has a field of type `C`,
//!    `&C`, [`Core<C>`](crate::Core) or [`Holds<C>`]. So it is `Send` and `Sync` for shared contexts alone.
#![expect(
    unsafe_code,
    reason = "lifts `Send` and `Sync` for values of local contexts"
)]

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::Any;
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};
use core::{fmt, mem, ptr};

use crate::words::entity_id::{AnyContext, EntityId};

/// A component with a `primary_index`.
#[diagnostic::on_unimplemented(
    message = "a component with a `primary_index` must be `Clone`, which `{Self}` is not",
    label = "an index of a type that is not `Clone`",
    note = "an update changes a copy first, so that nothing has changed if another entity has the new key",
    note = "write `Clone` into the `derive` of `{Self}`"
)]
pub trait HasPrimaryIndex {}

#[diagnostic::do_not_recommend]
impl<T: Clone> HasPrimaryIndex for T {}

/// A component with a `relation`.
#[diagnostic::on_unimplemented(
    message = "a component with a `relation` must be `Clone`, which `{Self}` is not",
    label = "a relation of a type that is not `Clone`",
    note = "an update changes a copy first, so that nothing has changed if the new target is rejected",
    note = "write `Clone` into the `derive` of `{Self}`"
)]
pub trait HasRelation {}

#[diagnostic::do_not_recommend]
impl<T: Clone> HasRelation for T {}

/// Fails to compile if the component cannot have a primary index.
pub const fn has_primary_index<T: HasPrimaryIndex>() {}

/// Fails to compile if the component cannot be a relation.
pub const fn is_relation<T: HasRelation>() {}

/// A type whose values can be sent to and shared with other threads: `Send`, `Sync` and `'static`.
/// Implemented for every such type.
///
/// # Examples
///
/// ```
/// use std::sync::{Arc, Mutex};
///
/// fn can_be_in_every_context<T: ecs::ThreadSafe>(_: T) {}
///
/// can_be_in_every_context(Arc::new(Mutex::new(0))); // as `Rc<RefCell<_>>` could not
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not `Send + Sync`",
    label = "cannot be sent to or shared with another thread",
    note = "write `Arc` in place of `Rc`, and `Mutex` or an atomic in place of `RefCell` or `Cell`"
)]
pub trait ThreadSafe: Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<T: Send + Sync + 'static> ThreadSafe for T {}

/// A type whose values can be part of a context of type `C`: `'static`, and `Send + Sync`, unless the context is
/// [local](crate::guide::systems_and_worlds#local-contexts). Implemented for every such type.
///
/// Components, observers, listeners and messages must fit in their context, because a context can move to
/// another thread, and several threads can read it at once. Make the context local, or keep other values
/// outside of it, in a field of the world with `#[contexts(skip)]`.
///
/// # Examples
///
/// ```
/// use std::rc::Rc;
///
/// #[ecs::context(local)]
/// pub struct Canvas;
///
/// fn can_be_in<C, T: ecs::FitsIn<C>>(_: T) {}
///
/// can_be_in::<Canvas, _>(Rc::new(0)); // as in no other context
/// ```
///
/// # Safety
///
/// A value of the type may be used on all threads on which a context of type `C` may be used.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not `Send + Sync`, and cannot be part of the context `{C}`",
    label = "cannot be sent to or shared with another thread",
    note = "write `Arc` in place of `Rc`, and `Mutex` or an atomic in place of `RefCell` or `Cell`; or keep such a value outside of the context, in a field of the world with `#[contexts(skip)]` above it",
    note = "or write `#[ecs::context(local)]` above `{C}`: it then stays on the thread that created it, and so may its components"
)]
pub unsafe trait FitsIn<C>: 'static {}

// SAFETY: `Admits` says so for the two kinds of contexts.
#[diagnostic::do_not_recommend]
unsafe impl<C: HasThreads, T: 'static> FitsIn<C> for T where C::Threads: Admits<T> {}

/// A context, and whether several threads may use it.
pub trait HasThreads: Sized {
    /// [`Shared`] or [`Local`].
    type Threads: Threads<Self>;
}

/// The values of a context may be used by several threads.
pub enum Shared {}

/// A context and its values stay on one thread.
pub enum Local {}

/// Calls one of two functions, by the kind of a context that generic code has.
pub trait Threads<C> {
    fn call(context: &mut C, functions: impl ByThreads<C>);
}

/// The functions for either kind of context.
pub trait ByThreads<C> {
    fn shared(self, context: &mut C)
    where
        C: SharedContext;

    fn local(self, context: &mut C);
}

impl<C: HasThreads<Threads = Shared>> Threads<C> for Shared {
    #[inline]
    fn call(context: &mut C, functions: impl ByThreads<C>) {
        functions.shared(context);
    }
}

impl<C> Threads<C> for Local {
    #[inline]
    fn call(context: &mut C, functions: impl ByThreads<C>) {
        functions.local(context);
    }
}

#[cfg(test)]
impl HasThreads for () {
    type Threads = Shared;
}

// The flags of terms belong to no particular context.
impl HasThreads for AnyContext {
    type Threads = Shared;
}

/// Says which values fit in a context.
pub trait Admits<T> {}

#[diagnostic::do_not_recommend]
impl<T: Send + Sync> Admits<T> for Shared {}

#[diagnostic::do_not_recommend]
impl<T> Admits<T> for Local {}

/// A context that can be sent to other threads and shared with them: every context without
/// `#[ecs::context(local)]`.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// fn len_elsewhere<C: Context + ecs::SharedContext + Sync>(context: &C) -> usize {
///     std::thread::scope(|scope| scope.spawn(|| context.len()).join().unwrap())
/// }
/// let mut game = Game::new();
/// game.create_entity();
/// assert_eq!(len_elsewhere(&game), 1);
/// ```
///
/// # Safety
///
/// Only values that are `Send + Sync` fit in the context.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is a local context, and stays on the thread that created it",
    label = "not for other threads",
    note = "its components need not be `Send + Sync`, because `#[ecs::context(local)]` stands above `{Self}`",
    note = "remove `local`, or do this on the thread of the context: a loop by `for_each`, for example"
)]
pub unsafe trait SharedContext: HasThreads<Threads = Shared> {}

// SAFETY: these are the contexts for which `Shared` says what fits.
#[diagnostic::do_not_recommend]
unsafe impl<C: HasThreads<Threads = Shared>> SharedContext for C {}

/// Makes a type that holds values of contexts of type `C` `Send` and `Sync` only if these contexts are
/// (invariant 2).
pub(crate) struct Holds<C>(PhantomData<fn() -> C>, PhantomData<*const ()>);

impl<C> Holds<C> {
    pub(crate) const NEW: Self = Self(PhantomData, PhantomData);
}

impl<C> Clone for Holds<C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for Holds<C> {}

// SAFETY: nothing is inside.
unsafe impl<C: SharedContext> Send for Holds<C> {}
// SAFETY: as above.
unsafe impl<C: SharedContext> Sync for Holds<C> {}

/// A value in a context, such as an observer.
#[repr(transparent)]
pub(crate) struct Confined<T>(T);

impl<T: ThreadSafe> Confined<T> {
    /// A value for contexts of any type.
    pub(crate) fn shareable(value: T) -> Self {
        Self(value)
    }
}

impl<T> Confined<T> {
    /// A value for contexts of type `C`.
    #[inline]
    pub(crate) fn new<C>(value: T) -> Self
    where
        T: FitsIn<C>,
    {
        Self(value)
    }

    #[inline]
    pub(crate) fn into_inner(self) -> T {
        self.0
    }
}

/// A collection of values of type `V`, and of nothing else that is not `Send + Sync`.
pub(crate) trait CollectionOf<V> {}

impl<V> CollectionOf<V> for Vec<V> {}
impl<V> CollectionOf<V> for Arc<[V]> {}
impl<V> CollectionOf<V> for Vec<Arc<[V]>> {}
impl<C, V> CollectionOf<V> for Vec<(EntityId<C>, V)> {}

impl<T> Confined<T> {
    /// A collection of values for contexts of type `C`.
    pub(crate) fn all<C, V: FitsIn<C>>(values: T) -> Self
    where
        T: CollectionOf<V>,
    {
        Self(values)
    }
}

impl<T> Deref for Confined<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Confined<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: Clone> Clone for Confined<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

// SAFETY: the value is `Send + Sync` (1), or its holder stays on the thread of its context (2).
unsafe impl<T> Send for Confined<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Confined<T> {}

/// A value of a component. In a local context it need not be `Send` or `Sync`, so it never leaves the library as
/// this type, except by [`SharedContext`].
pub(crate) type AnyValue = dyn Any + Send + Sync;

/// Views a value in a context of type `C`.
#[inline]
pub(crate) fn view_any<C, T: FitsIn<C>>(value: &T) -> &AnyValue {
    // SAFETY: the reference is that to the value.
    unsafe { &*as_any_value(ptr::from_ref(value).cast_mut()) }
}

/// Boxes a value for a context of type `C`.
#[inline]
pub(crate) fn boxed_any<C, T: FitsIn<C>>(value: T) -> Box<AnyValue> {
    // SAFETY: the box is that of the value.
    unsafe { Box::from_raw(as_any_value(Box::into_raw(Box::new(value)))) }
}

/// Casts a pointer to a value in a context (1).
#[inline]
pub(crate) fn as_any_value<T: Any>(value: *mut T) -> *mut AnyValue {
    let value: *mut dyn Any = value;
    // SAFETY: the types differ in auto traits only, which have no part in the representation.
    unsafe { mem::transmute(value) }
}

/// Lists the components that are not `Clone` and how to exclude them with the builder of `what`.
pub(super) fn not_clone(
    f: &mut fmt::Formatter<'_>,
    components: &[&'static str],
    what: &str,
) -> fmt::Result {
    let (noun, verb, them) = match components.len() > 1 {
        true => ("components", "are", "them"),
        false => ("component", "is", "it"),
    };
    write!(f, "{noun} ")?;
    for (place, component) in components.iter().enumerate() {
        let comma = if place > 0 { ", " } else { "" };
        write!(f, "{comma}`{component}`")?;
    }
    let first = components.first().unwrap_or(&"_");
    write!(
        f,
        " {verb} not `Clone`; derive `Clone` for {them}, or leave {them} out: \
         `{what}::builder().without::<{first}>()`"
    )
}

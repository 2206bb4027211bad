//! The components `A` to `H` and the operations of scripts, which call the generated accessors of each
//! kind.

use ecs::prelude::*;

use super::kind::{Kind, Value};
use super::script::Letters;

/// The context in which scripts are played.
#[ecs::context]
pub(crate) struct World;

#[derive(Component, Clone)]
#[component(context = World)]
pub(crate) struct A(pub(crate) i64);

#[derive(Component, Clone)]
#[component(context = World)]
pub(crate) struct B(pub(crate) i64);

#[derive(Component, Clone)]
#[component(context = World)]
pub(crate) struct C(pub(crate) i64);

#[derive(Component, Clone)]
#[component(context = World)]
pub(crate) struct D(pub(crate) i64);

#[derive(Component, Clone)]
#[component(context = World)]
pub(crate) struct E(pub(crate) i64);

#[derive(Component, Clone)]
#[component(context = World)]
pub(crate) struct F(pub(crate) i64);

#[derive(Component, Clone)]
#[component(context = World)]
pub(crate) struct G;

#[derive(Component, Clone)]
#[component(context = World)]
pub(crate) struct H;

/// Evaluates an expression with `$T` as the component type of a kind.
macro_rules! of_kind {
    ($kind:expr, $T:ident => $body:expr) => {
        match $kind {
            Kind::A => of_kind!(@ $T = A, $body),
            Kind::B => of_kind!(@ $T = B, $body),
            Kind::C => of_kind!(@ $T = C, $body),
            Kind::D => of_kind!(@ $T = D, $body),
            Kind::E => of_kind!(@ $T = E, $body),
            Kind::F => of_kind!(@ $T = F, $body),
            Kind::G => of_kind!(@ $T = G, $body),
            Kind::H => of_kind!(@ $T = H, $body),
        }
    };
    (@ $T:ident = $type:ident, $body:expr) => {{
        type $T = $type;
        $body
    }};
}

pub(crate) fn add(entity: &mut WorldEntityMut<'_>, value: Value) -> Result<(), Error> {
    let Value { kind, number } = value;
    match kind {
        Kind::A => entity.try_add_a(number),
        Kind::B => entity.try_add_b(number),
        Kind::C => entity.try_add_c(number),
        Kind::D => entity.try_add_d(number),
        Kind::E => entity.try_add_e(number),
        Kind::F => entity.try_add_f(number),
        Kind::G => entity.try_add_g(),
        Kind::H => entity.try_add_h(),
    }?;
    Ok(())
}

/// Replaces a component, or adds it. This cannot fail if the entity is alive.
pub(crate) fn replace(entity: &mut WorldEntityMut<'_>, value: Value) {
    let Value { kind, number } = value;
    match kind {
        Kind::A => entity.replace_a(number),
        Kind::B => entity.replace_b(number),
        Kind::C => entity.replace_c(number),
        Kind::D => entity.replace_d(number),
        Kind::E => entity.replace_e(number),
        Kind::F => entity.replace_f(number),
        Kind::G => entity.replace_g(),
        Kind::H => entity.replace_h(),
    };
}

/// Makes an update that changes nothing. Uses the generic method, which has a `try_` twin: the
/// accessors `update_a` … panic if the component is missing, and flags have none.
pub(crate) fn touch(entity: &mut WorldEntityMut<'_>, kind: Kind) -> Result<(), Error> {
    of_kind!(kind, T => entity.try_update::<T, _>(|_| {}))?;
    Ok(())
}

pub(crate) fn remove(entity: &mut WorldEntityMut<'_>, kind: Kind) -> Result<(), Error> {
    match kind {
        Kind::A => entity.try_remove_a(),
        Kind::B => entity.try_remove_b(),
        Kind::C => entity.try_remove_c(),
        Kind::D => entity.try_remove_d(),
        Kind::E => entity.try_remove_e(),
        Kind::F => entity.try_remove_f(),
        Kind::G => entity.try_remove_g(),
        Kind::H => entity.try_remove_h(),
    }?;
    Ok(())
}

/// Returns the entity's component of a kind, if it has one.
pub(crate) fn get(entity: WorldEntity<'_>, kind: Kind) -> Option<Value> {
    let number = match kind {
        Kind::A => entity.get_a().map(|a| a.0),
        Kind::B => entity.get_b().map(|b| b.0),
        Kind::C => entity.get_c().map(|c| c.0),
        Kind::D => entity.get_d().map(|d| d.0),
        Kind::E => entity.get_e().map(|e| e.0),
        Kind::F => entity.get_f().map(|f| f.0),
        Kind::G => entity.is_g().then_some(0),
        Kind::H => entity.is_h().then_some(0),
    }?;
    Some(Value { kind, number })
}

/// Returns the kind of the changed component; `None` if an entity was created or destroyed without
/// components.
pub(crate) fn changed_kind(change: &Change<'_, World>) -> Option<Kind> {
    let mut kinds = Kind::ALL.into_iter();
    kinds.find(|&kind| of_kind!(kind, T => change.is::<T>()))
}

/// Returns the component's value before the change, if there was one.
pub(crate) fn previous(change: &Change<'_, World>, kind: Kind) -> Option<Value> {
    let number = match kind {
        Kind::A => change.previous::<A>().map(|a| a.0),
        Kind::B => change.previous::<B>().map(|b| b.0),
        Kind::C => change.previous::<C>().map(|c| c.0),
        Kind::D => change.previous::<D>().map(|d| d.0),
        Kind::E => change.previous::<E>().map(|e| e.0),
        Kind::F => change.previous::<F>().map(|f| f.0),
        Kind::G => change.previous::<G>().map(|_| 0),
        Kind::H => change.previous::<H>().map(|_| 0),
    }?;
    Some(Value { kind, number })
}

/// Returns the matcher for the letters of a script.
pub(crate) fn matcher(letters: &Letters) -> Matcher<World> {
    let mut matcher = World::all_of::<()>();
    for &kind in &letters.all {
        matcher = of_kind!(kind, T => matcher.all_of::<T>());
    }
    let sets = letters.any.iter();
    let sets = sets.map(|&kind| of_kind!(kind, T => World::any_of::<T>().components()));
    let any: Vec<_> = sets
        .flat_map(|set| set.iter().collect::<Vec<_>>())
        .collect();
    matcher = matcher.any_of_indices(any);
    for &kind in &letters.none {
        matcher = of_kind!(kind, T => matcher.none_of::<T>());
    }
    matcher
}

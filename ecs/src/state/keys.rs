//! What at most one entity may have: keys of primary indexes, and unique components.

use alloc::boxed::Box;
use alloc::format;

use hashbrown::HashMap;

use super::core::HasCore;
use super::rejection::{Rejection, TakenKey, Turn};
use crate::reactions::entity_index::{Buckets, DebugKey, Indexed};
use crate::reactions::subscribers::Subscribers;
use crate::storage::descriptor::AnyValue;
use crate::storage::registry::index_of;
use crate::words::component::Component;
use crate::words::entity_id::{EntityId, RawEntityId, UntypedId};
use crate::words::error::DuplicateKey;
use crate::words::printed::from_fn;
use crate::world::World;

/// Rejects values with a key that another entity has, or would have at that point. A swap leaves
/// each key with one entity.
pub(super) fn check_keys<C, T, const FIELD: usize>(
    world: &World,
    subs: &Subscribers,
    values: &[(UntypedId, &AnyValue)],
    turn: Turn,
) -> Result<(), Rejection>
where
    C: HasCore,
    T: Component<C> + Indexed<FIELD>,
{
    if !T::PRIMARY || turn == Turn::Swap {
        return Ok(());
    }
    match taken::<C, T, FIELD>(world, subs, values) {
        Some(taken) => Err(Rejection::Taken(taken)),
        None => Ok(()),
    }
}

/// Finds another entity that has a key of one of these values, or would have it at that point:
/// entities get the values one after the other.
fn taken<C, T, const FIELD: usize>(
    world: &World,
    subs: &Subscribers,
    values: &[(UntypedId, &AnyValue)],
) -> Option<Box<TakenKey>>
where
    C: HasCore,
    T: Component<C> + Indexed<FIELD>,
{
    let number = subs.indexes.of_field(index_of::<C, T>(), FIELD);
    let index = number.and_then(|number| subs.indexes.get::<World, Buckets<T::Key>>(number));
    let owners = |key: &T::Key| Some(index?.find(world, key).map(EntityId::raw));
    let mut others = HashMap::<T::Key, (RawEntityId, usize)>::new();
    let mut turns = HashMap::<RawEntityId, usize>::new(); // their keys in the index are outdated
    let mut found = None;
    let typed = values.iter().enumerate();
    let typed =
        typed.filter_map(|(turn, (id, it))| Some((turn, id.raw(), it.downcast_ref::<T>()?)));
    for (turn, entity, value) in typed {
        if values.len() > 1 {
            turns.insert(entity, turn);
        }
        value.keys(&mut |key| {
            let another = |owner: &RawEntityId| *owner != entity;
            let among = others.get(key);
            let among = among.filter(|(it, of)| another(it) && turns.get(it) == Some(of));
            let still = |owner: &RawEntityId| another(owner) && !turns.contains_key(owner);
            let owner = owners(key).and_then(|mut owners| owners.find(still));
            if let (None, Some(owner)) = (&found, owner.or(among.map(|it| it.0))) {
                let key = describe::<T, FIELD>(key);
                found = Some(Box::new(TakenKey { entity, owner, key }));
            }
            if values.len() > 1 {
                others.insert(key.clone(), (entity, turn));
            }
        });
    }
    // If dropping a key panics, a map leaks the others, but its iterator does not.
    others.into_iter().for_each(drop);
    found
}

fn describe<T: Indexed<FIELD>, const FIELD: usize>(key: &T::Key) -> DuplicateKey {
    let debug: DebugKey<T::Key> = T::DEBUG;
    DuplicateKey {
        field: T::NAME,
        lookup: T::LOOKUP,
        text: debug.map(|debug| format!("{:?}", from_fn(|f| debug(key, f)))),
    }
}

/// The entity that owns a unique component; `None` if it is not unique.
#[inline]
pub(crate) fn owner_of<C: HasCore, T: Component<C>>(context: &C) -> Option<EntityId<C>> {
    context
        .core()
        .world
        .owner(index_of::<C, T>())
        .map(UntypedId::typed)
}

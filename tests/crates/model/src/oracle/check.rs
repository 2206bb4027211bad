//! Rejected values: of the unique component, taken keys, targets.

use super::{Answer, Id, Numbers, Oracle, bits, id_of, name, rejected};
use crate::op::Kind;

impl Oracle {
    /// Validates a new value of an entity.
    pub(super) fn check_value(&self, id: Id, kind: Kind, value: u64, verb: &str) -> Answer {
        let because = match kind {
            Kind::E => self.owned(id),
            Kind::G => self.taken(id, value),
            _ if kind.is_relation() => self.misled(id, kind, id_of(value)),
            _ => None,
        };
        let verb = if kind == Kind::E { "add" } else { verb };
        because.map_or(Ok(()), |because| {
            Err(rejected(verb, Some(kind), id, &because))
        })
    }

    fn owned(&self, id: Id) -> Option<String> {
        let mut owners = self
            .entities
            .iter()
            .filter(|(_, has)| has.contains_key(&Kind::E));
        let (owner, _) = owners.find(|(owner, _)| **owner != id)?;
        Some(format!("it is unique, and entity {} has it", name(*owner)))
    }

    fn taken(&self, id: Id, value: u64) -> Option<String> {
        let mut owners = self.entities.iter();
        let (owner, _) =
            owners.find(|(owner, has)| **owner != id && has.get(&Kind::G) == Some(&value))?;
        let owner = name(*owner);
        Some(format!(
            "entity {owner} has the `value` Val({value}) already, and a primary index allows one"
        ))
    }

    fn misled(&self, id: Id, kind: Kind, target: Id) -> Option<String> {
        let is_kept = self.value(id, kind) == Some(bits(target));
        if target == id {
            return Some("an entity cannot be its own target".to_owned());
        }
        if !self.entities.contains_key(&target) {
            let text = format!("its target, entity {}, is not alive", name(target));
            return (!is_kept).then_some(text);
        }
        let mut at = Some(target);
        while let Some(here) = at.filter(|_| kind == Kind::H) {
            if here == id {
                return Some(format!(
                    "its target, entity {}, refers to it already, and the relation is `acyclic`",
                    name(target)
                ));
            }
            at = self.value(here, kind).map(id_of);
        }
        None
    }

    /// Validates the values of a bundle for an entity, which may be new. Accepted values are stored
    /// meanwhile, and removed again.
    pub(super) fn check_bundle(&mut self, id: Id, present: Option<Id>, values: &Numbers) -> Answer {
        let (mut put, mut outcome) = (Vec::new(), Ok(()));
        for &(kind, value) in values {
            if let Err(text) = self.check_value(id, kind, value, "add") {
                let entity = format!("entity {} of", name(id));
                let is_new = present.is_none() && kind == Kind::E;
                let of_new = || text.replacen(&entity, "a new entity of", 1);
                let text = if is_new { of_new() } else { text.clone() };
                outcome = outcome.and(Err(text));
            } else if put.contains(&kind) {
                outcome = Err("twice".to_owned());
                break;
            } else {
                put.push(kind);
            }
        }
        if put.contains(&Kind::C) {
            let next = self.free.last().copied();
            let next = next.unwrap_or(self.generations.len() as u32);
            self.place(if present.is_some() { next } else { id.0 }); // where it is staged
            self.pool(outcome.is_err());
        }
        outcome
    }

    // Links.

    pub(super) fn sources(&self, kind: Kind, target: Id) -> &[Id] {
        self.links.get(&(kind, target)).map_or(&[], Vec::as_slice)
    }

    pub(super) fn link(&mut self, kind: Kind, id: Id, target: u64) {
        let target = id_of(target);
        if self.entities.contains_key(&target) {
            self.links.entry((kind, target)).or_default().push(id);
        }
    }

    /// Ordered sources keep their order; otherwise the last one fills the gap.
    pub(super) fn unlink(&mut self, kind: Kind, id: Id, target: u64) {
        let Some(sources) = self.links.get_mut(&(kind, id_of(target))) else {
            return;
        };
        if let Some(at) = sources.iter().position(|source| *source == id) {
            match kind {
                Kind::H => sources.remove(at),
                _ => sources.swap_remove(at),
            };
        }
    }
}

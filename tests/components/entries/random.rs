//! Random changes of entries, compared with plain lists.

use std::collections::BTreeMap;

use ecs::History;
use support::Random;

use super::*;

/// What the entities have.
#[derive(Clone, Default)]
struct Lists {
    likes: BTreeMap<Id, Vec<(Id, u32)>>,
    meshes: BTreeMap<Id, Vec<String>>,
}

impl Lists {
    fn amount(&mut self, owner: Id, target: Id) -> Option<&mut (Id, u32)> {
        let mut links = self.likes.get_mut(&owner)?.iter_mut();
        links.find(|link| link.0 == target)
    }

    fn destroy(&mut self, id: Id) {
        self.meshes.remove(&id);
        self.likes.remove(&id);
        for links in self.likes.values_mut() {
            links.retain(|link| link.0 != id);
        }
    }

    fn check(&self, game: &Game) {
        let mut entities = self.likes.len();
        for (&id, links) in &self.likes {
            assert_eq!(
                (&liked(game, id), files(game, id)),
                (links, self.meshes[&id].iter().map(String::as_str).collect())
            );
            entities += links.len() + self.meshes[&id].len();
            for &other in self.likes.keys() {
                let amount = links.iter().find(|link| link.0 == other).map(|link| link.1);
                let found = game.entity(id).get_likes(other).map(|it| it.amount);
                assert_eq!(
                    (found, game.entity(id).has_likes(other)),
                    (amount, amount.is_some())
                );
            }
            let mut by: Vec<_> = game.entity(id).liked_by().map(|(by, _)| by).collect();
            by.sort();
            let all = self.likes.iter();
            let all = all.filter(|(_, links)| links.iter().any(|link| link.0 == id));
            assert!(by.into_iter().eq(all.map(|(&by, _)| by)));
        }
        assert_eq!(game.len(), entities);
        game.storage().check_invariants();
    }
}

struct Program {
    game: Game,
    lists: Lists,
    history: History<Game>,
    /// A mark, with the lists at that time.
    past: (ecs::Mark<Game>, Lists),
    random: Random,
}

impl Program {
    fn new(seed: u64) -> Self {
        let mut game = Game::new();
        let history = game.record();
        let past = (history.mark(&mut game), Lists::default());
        let (lists, random) = (Lists::default(), Random(seed));
        Self {
            game,
            lists,
            history,
            past,
            random,
        }
    }

    fn any(&mut self) -> Option<Id> {
        let count = self.lists.likes.len() as u32;
        let nth = self.random.below(count.max(1));
        self.lists.likes.keys().copied().nth(nth as usize)
    }

    fn create(&mut self) {
        let id = self.game.create_entity().id();
        self.lists.likes.insert(id, Vec::new());
        self.lists.meshes.insert(id, Vec::new());
    }

    fn step(&mut self) {
        let (Some(owner), Some(target), Some(third)) = (self.any(), self.any(), self.any()) else {
            return self.create();
        };
        let (way, number) = (self.random.below(16), self.random.below(100));
        let Self { game, lists, .. } = self;
        let has = lists.amount(owner, target).is_some();
        let mut entity = game.entity_mut(owner);
        match way {
            0 | 1 => self.create(),
            2 => {
                game.destroy(owner);
                lists.destroy(owner);
            }
            3..=5 => {
                assert_eq!(entity.try_add_likes(target, number).is_err(), has);
                if !has {
                    lists.likes.get_mut(&owner).unwrap().push((target, number));
                }
            }
            6 => {
                entity.replace_likes(target, number);
                match lists.amount(owner, target) {
                    Some(link) => link.1 = number,
                    None => lists.likes.get_mut(&owner).unwrap().push((target, number)),
                }
            }
            7 | 8 => {
                let is_taken = target != third && lists.amount(owner, third).is_some();
                let moved = entity.try_update_likes(target, |it| it.whom = third);
                assert_eq!(moved.is_ok(), has && !is_taken);
                if let (Ok(()), Some(link)) = (moved, lists.amount(owner, target)) {
                    link.0 = third;
                }
            }
            9 => {
                assert_eq!(entity.try_remove_likes(target).is_ok(), has);
                lists
                    .likes
                    .get_mut(&owner)
                    .unwrap()
                    .retain(|link| link.0 != target);
            }
            10 | 11 => {
                entity.add_mesh(number.to_string());
                lists
                    .meshes
                    .get_mut(&owner)
                    .unwrap()
                    .push(number.to_string());
            }
            12 => {
                let entry = entity.all_mesh().next().map(|(entry, _)| entry);
                if let Some(entry) = entry {
                    entity.remove_mesh(entry);
                    lists.meshes.get_mut(&owner).unwrap().remove(0);
                }
            }
            13 => {
                let copy = game.clone_entity(owner).id();
                lists.likes.insert(copy, lists.likes[&owner].clone());
                lists.meshes.insert(copy, lists.meshes[&owner].clone());
            }
            14 => self.past = (self.history.mark(game), lists.clone()),
            _ => self.go_back(number),
        }
    }

    /// Rewinds the history, or continues from a save.
    fn go_back(&mut self, number: u32) {
        if number < 50 {
            self.history.rewind(&mut self.game, self.past.0);
            self.lists = self.past.1.clone();
            return;
        }
        let text = serde_json::to_string(&self.game.save()).unwrap();
        self.game = Game::load(&mut serde_json::Deserializer::from_str(&text)).unwrap();
        self.history = self.game.record();
        self.past = (self.history.mark(&mut self.game), self.lists.clone());
    }
}

#[test]
fn random_changes_agree_with_lists() {
    let programs = if cfg!(miri) { 1 } else { 20 };
    for seed in 0..programs {
        let mut program = Program::new(seed);
        for _ in 0..120 {
            program.step();
            program.lists.check(&program.game);
        }
    }
}

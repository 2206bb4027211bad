//! The rooms of the deployment: lists, new rooms, quick matches.

use std::sync::Arc;
use std::time::Duration;

use ecs_rooms::{RoomInfo, Rooms};
use serde_json::Value;
use tokio::sync::Mutex;
use tokio::time::Instant;

use crate::hooks::Hooks;
use crate::options::Limits;

/// How long hosts may take to answer.
const ANSWER: Duration = Duration::from_secs(2);
/// How often it is looked whether a room is open.
const AGAIN: Duration = Duration::from_millis(50);

pub(crate) struct Lobby {
    pub(crate) rooms: Arc<Rooms>,
    /// The last list, most players first.
    list: Mutex<Option<(Instant, Vec<RoomInfo>)>>,
}

impl Lobby {
    pub(crate) fn new(rooms: Rooms) -> Self {
        Self {
            rooms: Arc::new(rooms),
            list: Mutex::default(),
        }
    }

    /// Calls a closure with the list, which is at most so old, or as old as hosts do not answer.
    async fn look<T>(
        &self,
        age: Duration,
        look: impl FnOnce(&mut Vec<RoomInfo>) -> T,
    ) -> Result<T, String> {
        let mut list = self.list.lock().await; // who comes meanwhile waits for the same answer
        if list.as_ref().is_none_or(|(at, _)| at.elapsed() >= age) {
            let rooms = self.rooms.clone();
            let asked = tokio::task::spawn_blocking(move || rooms.list(ANSWER)).await;
            match asked.map_err(|error| error.to_string())? {
                Ok(mut rooms) => {
                    rooms.sort_by_key(|room| std::cmp::Reverse(room.players)); // else by name
                    *list = Some((Instant::now(), rooms));
                }
                Err(error) if list.is_none() => return Err(error.to_string()),
                Err(_) => {} // hosts are changing
            }
        }
        Ok(look(
            list.as_mut().map_or(&mut Vec::new(), |(_, list)| list),
        ))
    }

    pub(crate) async fn list(&self, limits: &Limits) -> Result<Vec<RoomInfo>, String> {
        let first = |list: &mut Vec<RoomInfo>| list[..list.len().min(limits.rooms_listed)].to_vec();
        self.look(limits.list_age, first).await
    }

    /// Opens a room and waits until it is played. Its name has the user and one of a few numbers, so however many
    /// gateways a user asks, there are no more rooms.
    pub(crate) async fn create(
        &self,
        hooks: &impl Hooks,
        limits: &Limits,
        user: u64,
        options: &Value,
    ) -> Result<String, String> {
        let opening = hooks.opening(options)?;
        let free = |list: &mut Vec<RoomInfo>| {
            if list.len() >= limits.rooms {
                return Err(format!("there are {} rooms already", list.len()));
            }
            let mut names = (0..limits.rooms_per_user).map(|place| format!("u{user:x}-{place}"));
            let name = names.find(|name| list.iter().all(|room| room.room != *name));
            name.ok_or_else(|| format!("you have {} rooms already", limits.rooms_per_user))
        };
        let name = self.look(limits.list_age, free).await??;
        let opened = self.rooms.open_async(&name, opening).await;
        opened.map_err(|error| error.to_string())?;
        let end = Instant::now() + ANSWER;
        let is_there = |list: &mut Vec<RoomInfo>| list.iter().any(|room| room.room == name);
        while !self.look(Duration::ZERO, is_there).await? {
            if Instant::now() > end {
                return Err("no host plays the room yet; try again".to_owned());
            }
            tokio::time::sleep(AGAIN).await;
        }
        Ok(name)
    }

    /// Chooses a room, or opens one.
    pub(crate) async fn quick(
        &self,
        hooks: &impl Hooks,
        limits: &Limits,
        user: u64,
        options: &Value,
    ) -> Result<String, String> {
        let choose = |list: &mut Vec<RoomInfo>| {
            let fits = |room: &&RoomInfo| room.players < limits.quick_players;
            let fitting: Vec<RoomInfo> = list.iter().filter(fits).cloned().collect();
            let name = fitting.get(hooks.quick(options, &fitting)?)?.room.clone();
            // Others who ask at the same time count it.
            list.iter_mut()
                .filter(|room| room.room == name)
                .for_each(|room| room.players += 1);
            Some(name)
        };
        match self.look(limits.list_age, choose).await? {
            Some(name) => Ok(name),
            None => self.create(hooks, limits, user, options).await,
        }
    }
}

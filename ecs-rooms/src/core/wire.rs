//! What stands in logs and cells, and the seal that proves who wrote it.
//!
//! ```text
//! log `log/3`         entries, appended by holders of a key, and marks
//! cell `shard/3`      who plays the rooms of the shard, and its epoch
//! cell `host/a`       the heartbeat of a process
//! cell `save/3/duel/…`  a save of a room; the key ends with the record that opened it, and its mark
//! cell `result/…`     the result of a room that has ended itself, until it is taken
//! topic `view/duel`    what all viewers of a room get
//! topic `view/duel/…`  what one viewer gets: everything, as it joins
//! topic `done/duel/…`  what one player gets: the outcomes of inputs
//! topic `ask/3`        what viewers, players and lobbies ask for
//! topic `list/…`       the rooms of a shard, for one lobby
//! ```

use std::collections::BTreeMap;
use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

use hmac::{Hmac, Mac as _};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use super::presence::Presence;
use super::roster::{Outcome, Reason, Roster};
use crate::room::{Opening, Room};

pub(crate) type Key = [u8; 32];

/// The bytes of a seal.
const SEAL: usize = 16;

/// For how long a key is good.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Pass {
    /// Until the keys of this epoch are revoked.
    pub(crate) epoch: u64,
    /// Until this time, in seconds since 1970; 0 if without end.
    pub(crate) until: u64,
}

impl Pass {
    pub(crate) fn is_expired(self, now: u64) -> bool {
        self.until > 0 && self.until <= now
    }
}

/// What one player of one room proves with that it is this player: see [`Player::key`](crate::Player::key). The server
/// that makes it sends it to the player's program.
///
/// # Examples
///
/// ```
/// use ecs_rooms::PlayerKey;
///
/// let key = PlayerKey::new(&[7; 32], "room", 3);
/// assert_eq!(format!("{key:?}"), "PlayerKey { .. }"); // it is a secret
/// ```
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerKey {
    pub(crate) seal: Key,
    pub(crate) outcomes: Key,
    pub(crate) pass: Pass,
}

impl PlayerKey {
    /// Returns the key of a player of a room, made from the secret of the deployment. It is good for as long as the room
    /// is open, unless it is [revoked](crate::Rooms::revoke).
    #[must_use]
    pub fn new(secret: &[u8; 32], room: &str, player: u64) -> Self {
        Self::of(secret, room, player, Pass::default())
    }

    /// Returns a key for one session: it expires, and it is revoked with all of its epoch and of earlier ones. Inputs
    /// are rejected from then on, with [`Reason::Expired`] or [`Reason::Revoked`]. To play on, make a
    /// [`Player`](crate::Player) with a new key, which takes over with its first input.
    ///
    /// Each tick has the time of its host in the log. So a replay rejects the same inputs, and a key expires as much too
    /// early or late as the clock of the host is wrong.
    ///
    /// # Examples
    ///
    /// What a server does at a login:
    ///
    /// ```
    /// use std::time::{Duration, SystemTime};
    /// use ecs_rooms::PlayerKey;
    ///
    /// struct Account { player: u64, epoch: u64 } // as in its database; a ban raises the epoch
    ///
    /// fn log_in(secret: &[u8; 32], account: &Account, room: &str) -> PlayerKey {
    ///     let expires = SystemTime::now() + Duration::from_secs(3_600);
    ///     PlayerKey::session(secret, room, account.player, account.epoch, expires)
    /// }
    /// # log_in(&[7; 32], &Account { player: 3, epoch: 0 }, "room");
    /// ```
    #[must_use]
    pub fn session(
        secret: &[u8; 32],
        room: &str,
        player: u64,
        epoch: u64,
        expires: SystemTime,
    ) -> Self {
        let until = expires.duration_since(UNIX_EPOCH).unwrap_or_default();
        let until = until.as_secs().max(1);
        Self::of(secret, room, player, Pass { epoch, until })
    }

    fn of(secret: &Key, room: &str, player: u64, pass: Pass) -> Self {
        Self {
            seal: player_key(secret, room, player, pass),
            outcomes: outcomes_key(secret, room, player),
            pass,
        }
    }
}

impl fmt::Debug for PlayerKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PlayerKey { .. }")
    }
}

/// What a record says.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Entry {
    Open {
        room: String,
        opening: Opening,
    },
    Close {
        room: String,
    },
    Input(Input),
    /// A program of a player is there, or not any more. `connection` is the number of the first such record of the
    /// program, or 0 if this is the first one: so the newest program has the greatest number, and no clock is needed. Its
    /// inputs are of the connection of that number, or of an earlier one that it continues.
    Presence {
        room: String,
        player: u64,
        pass: Pass,
        connection: u64,
        is_there: bool,
    },
    /// Keys of a player of earlier epochs are not good any more.
    Revoke {
        room: String,
        player: u64,
        epoch: u64,
    },
    Mark(Mark),
}

/// Which game a process plays, and in which version of its rules, components and inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Build {
    /// The hash of its name.
    pub(crate) game: u64,
    pub(crate) version: u32,
}

impl Build {
    pub(crate) fn of<R: Room>() -> Self {
        let (game, version) = (hash(R::NAME), R::VERSION);
        #[cfg(test)]
        let version = version + super::simulation::room::newer();
        Self { game, version }
    }
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Input {
    pub(crate) room: String,
    pub(crate) player: u64,
    pub(crate) pass: Pass,
    /// The number of the record that began it.
    pub(crate) connection: u64,
    /// Rises from input to input of a connection.
    pub(crate) number: u64,
    /// The player knows the outcomes of all inputs of the connection up to this one.
    pub(crate) known: u64,
    pub(crate) build: Build,
    pub(crate) bytes: Vec<u8>,
}

/// Ends a tick: the inputs in front of it, after the mark before, belong to it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Mark {
    pub(crate) epoch: u64,
    pub(crate) tick: u64,
    /// The time in seconds since 1970, by the clock of the owner. It decides which keys have expired.
    pub(crate) now: u64,
    pub(crate) owner: String,
    pub(crate) build: Build,
    /// Of each room that there is after the mark before, the number of the record that opened it, and its checksum. A
    /// room that is missing is closed before the records between both marks are taken: it is over, or has panicked some
    /// time before.
    pub(crate) sums: BTreeMap<u64, u64>,
    /// Rooms that go on from the save after this mark, by the records that opened them: the ticks after it are
    /// void.
    pub(crate) resumed: BTreeMap<u64, u64>,
}

/// The checksum of a room that has panicked and is not played any further.
pub(crate) const BROKEN: u64 = 0;
/// The checksum of a room that is not played in this tick; its inputs wait.
pub(crate) const PAUSED: u64 = 2;

/// How far a room has been played.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Progress {
    /// The number of the record that opened it.
    pub(crate) opened: u64,
    pub(crate) tick: u64,
    /// The number of the mark of the last tick that was played, or of the record that opened it.
    pub(crate) at: u64,
    pub(crate) sum: u64,
    pub(crate) roster: Roster,
    pub(crate) presence: Presence,
}

impl Progress {
    /// Of a room that record `opened` opens.
    pub(crate) fn new(opened: u64, sum: u64) -> Self {
        Self {
            opened,
            tick: 0,
            at: opened,
            sum,
            roster: Roster::new(opened),
            presence: Presence::default(),
        }
    }
}

/// A room after a tick.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Saved {
    pub(crate) build: Build,
    pub(crate) progress: Progress,
    /// No room of the shard needs records before this one.
    pub(crate) floor: u64,
    pub(crate) state: Vec<u8>,
}

/// The format of a store.
pub(crate) const VERSION: u8 = 9;

/// What the cell of a shard says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Claim {
    /// Empty if there is none.
    pub(crate) owner: String,
    pub(crate) epoch: u64,
    /// The version of the game that was played last.
    pub(crate) version: u32,
}

/// What all processes of a deployment agree on.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Config {
    pub(crate) version: u8,
    pub(crate) shards: u32,
}

/// What viewers get.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Shown {
    Sight(Sight),
    /// There is nothing to be seen.
    Nothing(Reason),
}

/// What viewers get after a tick, or a part of it if the store takes no more at once.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Sight {
    pub(crate) epoch: u64,
    pub(crate) tick: u64,
    pub(crate) everything: bool,
    /// The number of the part, and how many there are.
    pub(crate) part: (u32, u32),
    pub(crate) delta: Vec<u8>,
}

/// What becomes of inputs of a player: its connection, the number, and the outcome of each.
pub(crate) type OutcomesOf = Vec<(u64, u64, Outcome)>;

/// What the owner of a shard is asked for.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Ask {
    /// To show a room; `joins` says whether the viewer of this number needs everything.
    Show {
        room: String,
        viewer: u64,
        joins: bool,
    },
    /// To tell the outcomes of inputs, the last of which is in this record, and of inputs of the last connection that
    /// are lost, of which those up to number `lost` are known.
    Outcomes {
        room: String,
        player: u64,
        record: u64,
        inputs: Vec<(u64, u64)>,
        lost: (u64, u64),
        pass: Pass,
    },
    /// To describe all rooms of the shard to a program.
    List { asker: u64 },
}

pub(crate) fn write<T: Serialize>(value: &T) -> Vec<u8> {
    postcard::to_allocvec(value).unwrap_or_default() // plain values can always be written
}

/// Reads plain values, all bytes of them.
pub(crate) fn read<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    let (value, rest) = postcard::take_from_bytes(bytes).ok()?;
    rest.is_empty().then_some(value)
}

fn mac(key: &Key, about: &str, bytes: &[u8]) -> Hmac<Sha256> {
    let mut mac =
        Hmac::<Sha256>::new_from_slice(key).unwrap_or_else(|_| unreachable!("any length"));
    mac.update(&(about.len() as u64).to_le_bytes());
    mac.update(about.as_bytes());
    mac.update(bytes);
    mac
}

/// The key for one purpose in one room.
fn derive<const N: usize>(key: &Key, purpose: &str, room: &str, numbers: [u64; N]) -> Key {
    let numbers = numbers.map(u64::to_le_bytes);
    let bytes = [room.as_bytes(), numbers.as_flattened()].concat();
    mac(key, purpose, &bytes).finalize().into_bytes().into()
}

/// The key of one player of one room, which is good for nothing else, nor longer than its pass says.
fn player_key(key: &Key, room: &str, player: u64, Pass { epoch, until }: Pass) -> Key {
    derive(key, "player", room, [player, epoch, until])
}

/// The key of the outcomes that one player gets.
pub(crate) fn outcomes_key(key: &Key, room: &str, player: u64) -> Key {
    derive(key, "outcomes", room, [player])
}

/// The key of the viewers of a room.
pub(crate) fn view_key(key: &Key, room: &str) -> Key {
    derive(key, "view", room, [])
}

/// Writes a value with a seal in front, which only holders of the key can make, and only `about` the
/// same thing.
pub(crate) fn seal<T: Serialize>(key: &Key, about: &str, value: &T) -> Vec<u8> {
    let bytes = write(value);
    let tag = mac(key, about, &bytes).finalize().into_bytes();
    [&tag[..SEAL], &bytes].concat()
}

/// Reads a value behind a seal, which must be right.
pub(crate) fn unseal<T: DeserializeOwned>(key: &Key, about: &str, sealed: &[u8]) -> Option<T> {
    let (tag, bytes) = sealed.split_at_checked(SEAL)?;
    let right = mac(key, about, bytes).verify_truncated_left(tag);
    right.ok().and_then(|()| read(bytes))
}

/// Reads an entry if its seal is right: that of its player for an input, else that of a host.
pub(crate) fn read_entry(key: &Key, log: &str, sealed: &[u8]) -> Option<Entry> {
    let by = match read(sealed.get(SEAL..)?)? {
        Entry::Input(Input {
            room, player, pass, ..
        })
        | Entry::Presence {
            room, player, pass, ..
        } => player_key(key, &room, player, pass),
        _ => *key,
    };
    unseal(&by, log, sealed)
}

/// Reads what the owner of a shard is asked, if its seal is right: that of a player or of the viewers of a room.
pub(crate) fn read_ask(key: &Key, topic: &str, sealed: &[u8]) -> Option<Ask> {
    let by = match read(sealed.get(SEAL..)?)? {
        Ask::Show { room, .. } => view_key(key, &room),
        Ask::Outcomes {
            room, player, pass, ..
        } => player_key(key, &room, player, pass),
        Ask::List { .. } => *key,
    };
    unseal(&by, topic, sealed)
}

/// The log of a shard.
pub(crate) fn log_name(shard: u32) -> String {
    format!("log/{shard}")
}

/// The cell of a shard.
pub(crate) fn shard_name(shard: u32) -> String {
    format!("shard/{shard}")
}

/// The cell of the result of a room.
pub(crate) fn result_name(room: &str, opened: u64) -> String {
    format!("result/{room}/{opened:016x}")
}

/// The cell of a host.
pub(crate) fn host_name(host: &str) -> String {
    format!("host/{host}")
}

/// The topic for all viewers of a room, or for one of them.
pub(crate) fn view_name(room: &str, viewer: Option<u64>) -> String {
    match viewer {
        Some(viewer) => format!("view/{room}/{viewer:016x}"),
        None => format!("view/{room}"),
    }
}

/// The topic of what the owner of a shard is asked.
pub(crate) fn ask_name(shard: u32) -> String {
    format!("ask/{shard}")
}

/// The topic for the rooms of a shard that a program has asked for.
pub(crate) fn list_name(asker: u64) -> String {
    format!("list/{asker:016x}")
}

/// The topic for the outcomes of a player's inputs.
pub(crate) fn outcomes_name(room: &str, player: u64) -> String {
    format!("done/{room}/{player:016x}")
}

/// The keys of all saves of a shard start with this.
pub(crate) fn saves_of(shard: u32) -> String {
    format!("save/{shard}/")
}

/// Those of a room with this.
pub(crate) fn saves_of_room(shard: u32, room: &str) -> String {
    format!("save/{shard}/{room}/")
}

pub(crate) fn save_key(shard: u32, room: &str, opened: u64, mark: u64) -> String {
    format!("save/{shard}/{room}/{opened:016x}{mark:016x}")
}

/// Of a key of a save the room, the record that opened it, and the last mark.
pub(crate) fn of_save_key(key: &str) -> Option<(&str, u64, u64)> {
    let mut parts = key.rsplitn(3, '/');
    let (opened, mark) = parts.next()?.split_at_checked(16)?;
    let number = |digits| u64::from_str_radix(digits, 16).ok();
    Some((parts.next()?, number(opened)?, number(mark)?))
}

/// A hash that is the same in each build (FNV-1a).
pub(crate) fn hash(text: &str) -> u64 {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    // FNV alone hardly moves the upper bits for short texts.
    let mixed = (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 29)
}

/// The shard that a room belongs to.
pub(crate) fn shard_of(room: &str, shards: u32) -> u32 {
    (hash(room) % u64::from(shards.max(1))) as u32
}

/// Whether a room or a host may have this name.
pub(crate) fn is_name(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    (1..=64).contains(&name.len()) && name.bytes().all(is_plain)
}

//! Tokens, with which clients come back as the same user.
//!
//! A token is sealed by the key that `ecs-rooms` makes for a player of a room whose name no room can have, so it
//! opens nothing else.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use ecs_rooms::PlayerKey;
use serde::{Deserialize, Serialize};

use crate::hooks::User;

/// No room has such a name.
const ROOM: &str = "@token";

#[derive(Serialize, Deserialize)]
struct Token {
    number: u64,
    epoch: u64,
    /// In seconds since 1970.
    expires: u64,
    seal: Vec<u8>,
}

fn seal(secret: &[u8; 32], user: User, expires: u64) -> Vec<u8> {
    let expires = UNIX_EPOCH + Duration::from_secs(expires);
    let key = PlayerKey::session(secret, ROOM, user.number, user.epoch, expires);
    postcard::to_stdvec(&key).expect("a key can be written")
}

/// Makes a token that is good until a time.
pub(crate) fn make(secret: &[u8; 32], user: User, expires: SystemTime) -> String {
    let expires = seconds(expires);
    let token = Token {
        number: user.number,
        epoch: user.epoch,
        expires,
        seal: seal(secret, user, expires),
    };
    BASE64.encode(postcard::to_stdvec(&token).expect("a token can be written"))
}

/// Returns the user of a token that is good.
pub(crate) fn read(secret: &[u8; 32], token: &str, now: SystemTime) -> Option<User> {
    let bytes = BASE64.decode(token).ok()?;
    let (token, []) = postcard::take_from_bytes::<Token>(&bytes).ok()? else {
        return None;
    };
    let user = User {
        number: token.number,
        epoch: token.epoch,
    };
    let is_sealed = is_equal(&token.seal, &seal(secret, user, token.expires));
    (is_sealed && token.expires > seconds(now)).then_some(user)
}

pub(crate) fn seconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .as_secs()
}

/// Compares in a time that does not depend on where they differ.
pub(crate) fn is_equal(left: &[u8], right: &[u8]) -> bool {
    let bytes = left.iter().zip(right);
    left.len() == right.len()
        && bytes.fold(0, |differs, (left, right)| differs | (left ^ right)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: [u8; 32] = [7; 32];

    #[test]
    fn a_token_is_good_until_it_expires_and_only_as_it_was_made() {
        let now = SystemTime::now();
        let user = User {
            number: 3,
            epoch: 5,
        };
        let token = make(&SECRET, user, now + Duration::from_secs(60));
        assert_eq!(read(&SECRET, &token, now), Some(user));
        assert_eq!(read(&[8; 32], &token, now), None);
        assert_eq!(read(&SECRET, &token, now + Duration::from_secs(60)), None);
        assert_eq!(read(&SECRET, &format!("{token}AAAA"), now), None);
        let bytes = BASE64.decode(&token).unwrap();
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut forged = bytes.clone();
                forged[at] ^= 1 << bit;
                assert_eq!(
                    read(&SECRET, &BASE64.encode(&forged), now),
                    None,
                    "byte {at}"
                );
            }
        }
    }
}

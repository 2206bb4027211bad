//! The secret of the deployment, which seals logs and tokens.

use std::fs;
use std::hash::{BuildHasher as _, RandomState};

/// Returns a number that is another one for each call; the operating system knows it alone.
pub(crate) fn random() -> u64 {
    RandomState::new().hash_one(std::time::SystemTime::now())
}

/// Returns the secret of a store: a new one, or that in the file beside it.
pub(crate) fn of(store: Option<&str>) -> Result<[u8; 32], String> {
    let mut secret = [0; 32];
    secret
        .chunks_exact_mut(8)
        .for_each(|part| part.copy_from_slice(&random().to_le_bytes()));
    let Some(store) = store else {
        return Ok(secret);
    };
    let file = format!("{store}.secret");
    let failed = |error: String| format!("{file}: {error}");
    match fs::read(&file) {
        Ok(bytes) => {
            let bytes = bytes.try_into();
            bytes.map_err(|_| failed("it has not 32 bytes".to_owned()))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            fs::write(&file, secret).map_err(|error| failed(error.to_string()))?;
            Ok(secret)
        }
        Err(error) => Err(failed(error.to_string())),
    }
}

//! The secret of the deployment, which seals logs and tokens.

use std::fs;
use std::hash::{BuildHasher as _, RandomState};

/// Returns a number that is another one for each call; the operating system knows it alone.
pub(crate) fn random() -> u64 {
    RandomState::new().hash_one(std::time::SystemTime::now())
}

/// Returns the secret of a deployment: a new one, or that of the file, which is created if it does not exist.
pub(crate) fn of(file: Option<String>) -> Result<[u8; 32], String> {
    let mut secret = [0; 32];
    secret
        .chunks_exact_mut(8)
        .for_each(|part| part.copy_from_slice(&random().to_le_bytes()));
    let Some(file) = file else {
        return Ok(secret);
    };
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

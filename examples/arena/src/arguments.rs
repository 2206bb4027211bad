//! What the program was asked to do.

/// Where rooms are kept.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Place {
    Memory,
    File(String),
    Nats(String),
}

/// What a process does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Role {
    All,
    /// Plays rooms.
    Worker,
    /// Connects players to rooms that others play.
    Gateway,
    /// Plays the logs of rooms again.
    Verify,
}

#[derive(Debug)]
pub(crate) struct Arguments {
    pub(crate) host: String,
    pub(crate) port: u16,
    pub(crate) place: Place,
    pub(crate) role: Role,
    pub(crate) secret: Option<String>,
    /// The most connections from one address.
    pub(crate) per_address: Option<usize>,
    pub(crate) keeps_log: bool,
    /// The token of the inspector.
    pub(crate) inspect: Option<String>,
    /// Those to verify.
    pub(crate) rooms: Vec<String>,
}

fn place(value: &str) -> Result<Place, String> {
    match (value, value.strip_prefix("file:")) {
        ("memory", _) => Ok(Place::Memory),
        (_, Some(file)) => Ok(Place::File(file.to_owned())),
        _ if value.starts_with("nats://") => Ok(Place::Nats(value.to_owned())),
        _ => Err("the store is `memory`, `file:PATH` or `nats://HOST:PORT`".to_owned()),
    }
}

fn role(value: &str) -> Result<Role, String> {
    match value {
        "all" => Ok(Role::All),
        "worker" => Ok(Role::Worker),
        "gateway" => Ok(Role::Gateway),
        "verify" => Ok(Role::Verify),
        _ => Err("the role is `all`, `worker`, `gateway` or `verify`".to_owned()),
    }
}

impl Arguments {
    pub(crate) fn read(words: impl IntoIterator<Item = String>) -> Result<Self, String> {
        let mut read = Self {
            host: "127.0.0.1".to_owned(),
            port: 8080,
            place: Place::Memory,
            role: Role::All,
            secret: None,
            per_address: None,
            keeps_log: false,
            inspect: None,
            rooms: Vec::new(),
        };
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            let value = words.next().ok_or(format!("`{word}` needs a value"))?;
            let no_number = format!("`{value}` is no number for `{word}`");
            match &word[..] {
                "--host" => read.host = value,
                "--port" => read.port = value.parse().map_err(|_| no_number)?,
                "--store" => read.place = place(&value)?,
                "--role" => read.role = role(&value)?,
                "--secret" => read.secret = Some(value),
                "--per-address" => read.per_address = Some(value.parse().map_err(|_| no_number)?),
                "--log" if value == "keep" => read.keeps_log = true,
                "--log" => return Err("`--log` can be `keep`".to_owned()),
                "--inspect" => read.inspect = Some(value),
                "--rooms" => read.rooms = value.split(',').map(str::to_owned).collect(),
                _ => {
                    return Err(format!(
                        "unknown: `{word}`; there are --host, --port, --store, --role, --secret, --per-address, --log, \
                         --inspect, --rooms, and `chaos` or `load` as the first word"
                    ));
                }
            }
        }
        if read.role != Role::All && !matches!(read.place, Place::Nats(_)) {
            return Err(
                "several processes share rooms on a NATS server: `--store nats://HOST:PORT`"
                    .to_owned(),
            );
        }
        Ok(read)
    }

    /// The file of the secret that all processes share.
    pub(crate) fn secret_file(&self) -> Option<String> {
        let beside = match &self.place {
            Place::Memory => None,
            Place::File(file) => Some(format!("{file}.secret")),
            Place::Nats(_) => Some("arena.secret".to_owned()),
        };
        self.secret.clone().or(beside)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &str) -> Result<Arguments, String> {
        Arguments::read(words.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn what_cannot_be_read_is_an_error_that_names_the_remedy() {
        for (words, remedy) in [
            ("--stor memory", "--store"),
            ("--store redis:x", "nats://HOST:PORT"),
            ("--port 99999", "`99999`"),
            ("--port", "needs a value"),
            ("--role judge", "`gateway`"),
            ("--role worker", "--store nats://"),
            ("--log cut", "`keep`"),
        ] {
            let error = read(words).unwrap_err();
            assert!(error.contains(remedy), "{words}: {error}");
        }
    }

    #[test]
    fn a_shared_store_has_a_secret_in_a_file() {
        let file = |words| read(words).unwrap().secret_file();
        assert_eq!(file(""), None);
        assert_eq!(
            file("--store file:a.redb"),
            Some("a.redb.secret".to_owned())
        );
        assert_eq!(file("--store nats://n"), Some("arena.secret".to_owned()));
        assert_eq!(file("--store nats://n --secret b"), Some("b".to_owned()));
    }
}

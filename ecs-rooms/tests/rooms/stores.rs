//! All stores keep the same contract.

use std::sync::Arc;

use ecs_rooms::MemoryStore;

use crate::contract;

#[test]
fn the_store_in_memory_keeps_the_contract() {
    contract::all(Arc::new(MemoryStore::new()), true);
}

#[cfg(feature = "redb")]
mod file {
    use std::sync::Arc;

    use ecs_rooms::{Error, FileStore, Store as _};

    use crate::contract::{self, append, mark, put};

    /// A file in a folder of its own, which is removed in the end.
    struct Folder(std::path::PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let folder =
                std::env::temp_dir().join(format!("ecs-rooms-{name}-{}", std::process::id()));
            std::fs::create_dir_all(&folder).unwrap();
            Self(folder)
        }

        fn open(&self) -> Result<FileStore, Error> {
            FileStore::open(self.0.join("rooms.redb"))
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn the_store_in_a_file_keeps_the_contract() {
        let folder = Folder::new("contract");
        contract::all(Arc::new(folder.open().unwrap()), true);
    }

    #[test]
    fn a_file_that_is_opened_again_has_all_that_was_acknowledged() {
        let folder = Folder::new("again");
        let store = folder.open().unwrap();
        append(&store, "log", b"a").unwrap();
        assert_eq!(mark(&store, "log", 0), Ok(2));
        let revision = put(&store, "cell", None, b"b").unwrap();
        store.forget("log", 2);
        assert!(
            matches!(folder.open(), Err(Error::Unknown(_))),
            "it is open"
        );
        drop(store);
        let store = folder.open().unwrap();
        assert_eq!(store.read("log", 0, 9), Err(Error::Forgotten { first: 2 }));
        assert_eq!(mark(&store, "log", 0), Err(Error::Conflict));
        assert_eq!(mark(&store, "log", 2), Ok(3));
        assert!(put(&store, "cell", Some(revision), b"c").unwrap() > revision);
    }

    #[test]
    fn a_damaged_file_is_an_error_that_names_it() {
        let folder = Folder::new("damaged");
        let store = folder.open().unwrap();
        for number in 0..200_u8 {
            append(&store, "log", &[number; 100]).unwrap();
            put(&store, &format!("cell/{number}"), None, &[number; 50]).unwrap();
        }
        drop(store);
        let path = folder.0.join("rooms.redb");
        let (whole, mut errors) = (std::fs::read(&path).unwrap(), 0);
        let mut place = 12_345_usize;
        for _ in 0..120 {
            let mut damaged = whole.clone();
            for _ in 0..40 {
                place = place
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                damaged[(place >> 20) % whole.len()] ^= 0x55;
            }
            std::fs::write(&path, damaged).unwrap();
            let read = folder.open().and_then(|store| {
                store.read("log", 0, 500)?;
                store.cells("cell/")?;
                append(&store, "log", b"a")
            });
            if let Err(Error::Unknown(reason)) = &read {
                assert!(reason.contains("rooms.redb"), "{reason}");
                errors += 1;
            }
        }
        assert!(errors > 0);
    }

    #[test]
    fn a_file_that_is_none_is_an_error() {
        let folder = Folder::new("none");
        std::fs::write(folder.0.join("rooms.redb"), [7; 5_000]).unwrap();
        assert!(matches!(folder.open(), Err(Error::Unknown(_))));
    }
}

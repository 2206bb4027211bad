//! Minimal models of what threads do at the same time.

use std::any::TypeId;
use std::sync::atomic::{AtomicUsize, Ordering};

use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::AtomicU64;
use loom::thread;

use crate::storage::mailbox::Mailbox;
use crate::storage::numbering::{Numbering, Numberings};
use crate::words::component::{IndexCell, RawComponentIndex};
use crate::words::written_word::WrittenWord;

loom::lazy_static! {
    static ref NUMBERINGS: Numberings<u8> = Numberings::new();
    static ref CELLS: [IndexCell<(), ()>; 3] = [(); 3].map(|()| IndexCell::new());
}

/// Starts the program: creates what exists before any thread.
fn start() {
    let _ = (&*NUMBERINGS, &*CELLS);
}

/// Returns the numbering of components, of which the first is announced before the program starts.
fn numbering() -> &'static Numbering<u8> {
    NUMBERINGS.of(TypeId::of::<()>(), || vec![0])
}

/// Does what the first use of a component does.
fn use_component<const N: u8>() -> usize {
    let cell = CELLS[usize::from(N)].number();
    let number = || {
        let index = RawComponentIndex::new(numbering().number(N));
        cell.fill(index);
        index
    };
    cell.known().unwrap_or_else(number).get()
}

#[test]
fn threads_that_use_components_first_agree_on_their_numbers() {
    loom::model(|| {
        start();
        let thread = thread::spawn(|| (use_component::<1>(), use_component::<2>()));
        let ours = (use_component::<2>(), use_component::<1>());
        let theirs = thread.join().unwrap();
        assert_eq!(ours, (theirs.1, theirs.0));
        assert_eq!(use_component::<0>(), 0);
        let order: Vec<_> = numbering().iter().collect();
        assert_eq!((order[0], order.len()), (0, 3));
        assert_eq!((order[ours.0], order[ours.1]), (2, 1));
    });
}

/// The spawned thread reads and this one writes. The other way round, loom tries no order in which
/// anything is known: it considers only the last access to a cell, and a writer has read before.
#[test]
fn a_reader_of_a_number_finds_the_component() {
    static KNOWN: AtomicUsize = AtomicUsize::new(0);
    loom::model(|| {
        start();
        let thread = thread::spawn(|| {
            for component in [2, 1] {
                if let Some(index) = CELLS[usize::from(component)].number().known() {
                    KNOWN.fetch_add(1, Ordering::Relaxed);
                    assert_eq!(numbering().iter().nth(index.get()), Some(component));
                }
            }
        });
        use_component::<1>();
        use_component::<2>();
        thread.join().unwrap();
    });
    assert!(
        KNOWN.load(Ordering::Relaxed) > 0,
        "an order has been tried in which it matters"
    );
}

#[test]
fn three_threads_give_a_component_one_number() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(2); // takes a minute otherwise
    model.check(|| {
        start();
        let threads = [
            thread::spawn(use_component::<1>),
            thread::spawn(use_component::<2>),
        ];
        let ours = use_component::<1>();
        let [first, second] = threads.map(|thread| thread.join().unwrap());
        assert_eq!(ours, first);
        assert_ne!(first, second);
    });
}

#[test]
fn a_value_put_into_a_mailbox_is_taken_once_as_it_was_written() {
    loom::model(|| {
        let mailbox = Arc::new(Mailbox::new());
        let spawn = |first: usize| {
            let mailbox = mailbox.clone();
            thread::spawn(move || {
                for value in first..first + 2 {
                    let cell = UnsafeCell::new(0);
                    // SAFETY: the cell is not shared yet.
                    cell.with_mut(|it| unsafe { *it = value });
                    mailbox.put(cell);
                }
            })
        };
        let thread = spawn(10);
        // SAFETY: a taken value has one owner, the thread that took it.
        let read = |cell: &UnsafeCell<usize>| cell.with(|it| unsafe { *it });
        let mut taken: Vec<_> = mailbox.take().iter().map(read).collect();
        thread.join().unwrap();
        taken.extend(mailbox.take().iter().map(read));
        assert_eq!(taken, [10, 11]);
        assert!(mailbox.is_empty());
    });
}

#[test]
fn two_threads_put_values_while_they_are_taken() {
    loom::model(|| {
        let mailbox = Arc::new(Mailbox::new());
        let spawn = |value: usize| {
            let mailbox = mailbox.clone();
            thread::spawn(move || mailbox.put(Arc::new(value)))
        };
        let threads = [spawn(1), spawn(2)];
        let mut taken = mailbox.take();
        threads
            .into_iter()
            .for_each(|thread| thread.join().unwrap());
        taken.extend(mailbox.take());
        let mut taken: Vec<_> = taken.into_iter().map(|value| *value).collect();
        taken.sort_unstable();
        assert_eq!(taken, [1, 2]);
    });
}

#[test]
fn rows_of_a_word_written_by_two_threads_are_all_recorded() {
    loom::model(|| {
        let word = Arc::new(AtomicU64::new(0));
        let write = |word: &AtomicU64, rows: [u64; 2]| {
            rows.into_iter()
                .for_each(|rows| WrittenWord::new(word, true).set(rows));
        };
        let theirs = word.clone();
        let thread = thread::spawn(move || write(&theirs, [1, 4]));
        write(&word, [2, 2]);
        thread.join().unwrap();
        assert_eq!(word.load(Ordering::Relaxed), 7);
    });
}

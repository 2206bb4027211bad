//! Entities found by a key, compared with a hash map in the program.

use std::collections::HashMap;
use std::hint::black_box;

use ecs::prelude::*;

use crate::workload::{Workload, shuffled, steady};

/// A context only for these marks.
#[ecs::context]
pub struct Hall;

#[derive(Component, Clone)]
#[component(context = Hall)]
struct Seat(#[component(primary_index)] u32);

struct Seated {
    hall: Hall,
    by_hand: HashMap<u32, EntityId<Hall>>,
    asked: Vec<u32>,
    found: u64,
}

impl Seated {
    fn new(seats: usize) -> Self {
        let mut hall = Hall::new();
        let ids = hall.create_many((0..seats as u32).map(Seat));
        Self {
            hall,
            by_hand: (0..).zip(ids).collect(),
            asked: shuffled(seats)
                .into_iter()
                .map(|seat| seat as u32)
                .collect(),
            found: 0,
        }
    }

    fn check(&mut self, runs: u64) {
        assert_eq!(self.found, runs * self.asked.len() as u64);
    }
}

pub(super) fn indexed(items: usize) -> Box<dyn Workload> {
    let run = |it: &mut Seated| {
        for seat in &it.asked {
            let entity = it.hall.entity_with_seat(black_box(seat));
            it.found += u64::from(entity.is_some());
        }
    };
    steady(Seated::new(items), run, Seated::check)
}

pub(super) fn in_a_map(items: usize) -> Box<dyn Workload> {
    let run = |it: &mut Seated| {
        for seat in &it.asked {
            let id = it.by_hand.get(black_box(seat));
            it.found += u64::from(id.is_some_and(|&id| it.hall.contains(id)));
        }
    };
    steady(Seated::new(items), run, Seated::check)
}

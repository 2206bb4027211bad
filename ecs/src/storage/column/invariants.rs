//! Checks of a column's invariants, for tests.

use alloc::vec::Vec;
use core::ptr::NonNull;

use super::block::{Block, Column, ROWS};
use crate::storage::slots::Row;

impl Column {
    /// Panics if blocks lack needed memory, hold memory they should not, or have it in common with
    /// others without sharing it.
    pub(crate) fn check_invariants(&self) {
        let mut used = Vec::new();
        for (at, block) in self.blocks.iter().enumerate() {
            let name = self.descriptor.type_name();
            let is_filled = block.occupied != 0;
            assert!(
                !is_filled || block.has_memory(),
                "column: {name}, block {at} has none"
            );
            let may_keep = is_filled || !self.large;
            assert!(
                may_keep || !block.has_memory(),
                "column: {name}, block {at} keeps its own"
            );
            assert!(
                is_filled || !self.shares(at),
                "column: {name}, block {at} shares nothing"
            );
            if block.has_memory() && !self.shares(at) {
                used.push(block.values);
            }
        }
        let has_memory = |at| self.blocks.get(at).is_some_and(Block::has_memory);
        self.with_memory()
            .check_invariants(has_memory, self.blocks.len());
        self.backing
            .memory
            .check_invariants(&self.with_regions(used));
    }

    /// Returns these pieces of memory and those of regions.
    fn with_regions(&self, mut used: Vec<NonNull<u8>>) -> Vec<NonNull<u8>> {
        let mut shared = Vec::new();
        let regions = &self.backing.regions;
        regions.check_invariants(
            |at| self.occupied(at),
            |at, values| {
                let own = self.blocks.get(at).map(|block: &Block| block.values);
                assert_eq!(own, values, "column: block {at} is not where its region is");
                shared.extend(values);
            },
        );
        shared.sort_unstable();
        shared.dedup();
        used.append(&mut shared);
        used
    }

    /// Iterates over the rows that have a value.
    pub(crate) fn rows(&self) -> impl Iterator<Item = Row> + '_ {
        let rows = (0..self.blocks.len() * ROWS).map(|row| Row(row as u32));
        rows.filter(|&row| self.contains(row))
    }
}

//! A buffer of the graphics card with one element for each entity that matches.
//!
//! ```text
//! elements: [ a b c d | e f g h | i j ]     one for each entity, without gaps
//! changed:  [    7    |    2    |  9  ]     when each block last changed, in updates
//! ```
//!
//! A `Column` is an index of the context, so it is right after rewinds and loads, too. A `GpuColumn` is a copy of
//! it in video memory; it uploads the blocks that have changed since its last upload.

use bytemuck::Pod;
use ecs::{EntityId, Index, IndexHandle};

/// The number of elements that are uploaded together.
pub const BLOCK: usize = 128;

pub struct Column<T> {
    elements: Vec<T>,
    /// The slot of the entity of each element.
    slots: Vec<u32>,
    /// The place of the element of each slot.
    places: Vec<u32>,
    changed: Vec<u64>,
    updates: u64,
}

impl<T> Column<T> {
    pub fn new() -> Self {
        Self {
            elements: Vec::new(),
            slots: Vec::new(),
            places: Vec::new(),
            changed: Vec::new(),
            updates: 0,
        }
    }

    fn insert(&mut self, slot: usize, element: T) {
        if self.places.len() <= slot {
            self.places.resize(slot + 1, u32::MAX);
        }
        self.places[slot] = self.elements.len() as u32;
        self.mark(self.elements.len());
        self.elements.push(element);
        self.slots.push(slot as u32);
    }

    /// Moves the last element to the gap.
    fn remove(&mut self, slot: usize) {
        let place = self.places[slot] as usize;
        self.elements.swap_remove(place);
        self.slots.swap_remove(place);
        if let Some(moved) = self.slots.get(place) {
            self.places[*moved as usize] = place as u32;
            self.mark(place);
        }
    }

    fn mark(&mut self, place: usize) {
        let block = place / BLOCK;
        self.changed.resize(self.changed.len().max(block + 1), 0);
        self.changed[block] = self.updates;
    }
}

impl<C, T: Pod + PartialEq + Send + Sync> Index<C> for Column<T> {
    type Key = T;

    fn update(&mut self, id: EntityId<C>, old: Option<&T>, new: Option<&T>) {
        self.updates += 1;
        let slot = id.index() as usize;
        match (old, new) {
            (None, Some(new)) => self.insert(slot, *new),
            (Some(_), Some(new)) => {
                let place = self.places[slot] as usize;
                self.elements[place] = *new;
                self.mark(place);
            }
            (_, None) => self.remove(slot),
        }
    }

    fn clear(&mut self) {
        self.elements.clear();
        self.slots.clear();
    }

    fn memory(&self) -> usize {
        self.elements.capacity() * size_of::<T>()
            + (self.slots.capacity() + self.places.capacity()) * 4
    }
}

pub struct GpuColumn<C, T: Pod + PartialEq + Send + Sync> {
    column: IndexHandle<C, Column<T>>,
    buffer: wgpu::Buffer,
    /// The number of updates of the column that the buffer has.
    uploaded: u64,
}

impl<C: ecs::Context, T: Pod + PartialEq + Send + Sync> GpuColumn<C, T> {
    pub fn new(column: IndexHandle<C, Column<T>>, device: &wgpu::Device) -> Self {
        Self {
            column,
            buffer: Self::buffer_of(device, BLOCK),
            uploaded: 0,
        }
    }

    fn buffer_of(device: &wgpu::Device, elements: usize) -> wgpu::Buffer {
        device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("column"),
            size: (elements * size_of::<T>()) as u64,
            usage: wgpu::BufferUsages::VERTEX
                | wgpu::BufferUsages::COPY_DST
                | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        })
    }

    /// Writes the blocks that have changed since the last upload, and returns their size in bytes.
    pub fn upload(&mut self, context: &C, device: &wgpu::Device, queue: &wgpu::Queue) -> usize {
        let column = self.column.get(context);
        let blocks = column.elements.len().div_ceil(BLOCK);
        if self.buffer.size() < (blocks * BLOCK * size_of::<T>()) as u64 {
            self.buffer = Self::buffer_of(device, (blocks * BLOCK).next_power_of_two());
            self.uploaded = 0;
        }
        let mut bytes = 0;
        let is_new = |block: &usize| column.changed[*block] > self.uploaded;
        let mut block = 0;
        while let Some(first) = (block..blocks).find(is_new) {
            block = (first..blocks)
                .find(|block| !is_new(block))
                .unwrap_or(blocks);
            let end = column.elements.len().min(block * BLOCK);
            let changed: &[u8] = bytemuck::cast_slice(&column.elements[first * BLOCK..end]);
            queue.write_buffer(
                &self.buffer,
                (first * BLOCK * size_of::<T>()) as u64,
                changed,
            );
            bytes += changed.len();
        }
        self.uploaded = column.updates;
        bytes
    }

    pub fn buffer(&self) -> &wgpu::Buffer {
        &self.buffer
    }

    pub fn len(&self, context: &C) -> u32 {
        self.column.get(context).elements.len() as u32
    }
}

//! Needs a driver for Vulkan, such as Mesa's in software, but no window.

use ecs::prelude::*;

use crate::gpu_column::{BLOCK, GpuColumn};
use crate::renderer::Renderer;
use crate::rules::{self, Color, Game, Position, Sprite};

const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
const SIDE: u32 = 256;

async fn renderer() -> Renderer {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapter = instance.request_adapter(&Default::default()).await;
    Renderer::new(&adapter.expect("a driver for Vulkan"), FORMAT).await
}

/// Returns the content of the first bytes of a buffer.
fn read(renderer: &Renderer, encoder: wgpu::CommandEncoder, copy: &wgpu::Buffer) -> Vec<u8> {
    renderer.queue.submit([encoder.finish()]);
    copy.map_async(wgpu::MapMode::Read, .., |result| {
        result.expect("a mapped buffer")
    });
    renderer
        .device
        .poll(wgpu::PollType::wait_indefinitely())
        .expect("a device that works");
    copy.get_mapped_range(..).expect("a mapped buffer").to_vec()
}

fn copy_of(renderer: &Renderer, size: u64) -> (wgpu::CommandEncoder, wgpu::Buffer) {
    let usage = wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ;
    let descriptor = wgpu::BufferDescriptor {
        label: None,
        size,
        usage,
        mapped_at_creation: false,
    };
    (
        renderer.device.create_command_encoder(&Default::default()),
        renderer.device.create_buffer(&descriptor),
    )
}

/// Checks that the buffer has the sprites of all entities, and none else.
fn assert_uploaded(renderer: &Renderer, game: &Game, sprites: &GpuColumn<Game, Sprite>) {
    let size = u64::from(sprites.len(game)) * size_of::<Sprite>() as u64;
    let (mut encoder, copy) = copy_of(renderer, size);
    encoder.copy_buffer_to_buffer(sprites.buffer(), 0, &copy, 0, size);
    let bytes = read(renderer, encoder, &copy);
    let key = |sprite: &Sprite| (sprite.at.map(f32::to_bits), sprite.color);
    let mut uploaded: Vec<_> = bytemuck::cast_slice::<u8, Sprite>(&bytes)
        .iter()
        .map(key)
        .collect();
    let all = game.query::<(&Position, &Color)>();
    let all = all.iter().map(|(at, color)| Sprite {
        at: [at.x, at.y],
        color: color.0,
    });
    let mut expected: Vec<_> = all.map(|sprite| key(&sprite)).collect();
    uploaded.sort_unstable();
    expected.sort_unstable();
    assert!(
        uploaded == expected,
        "{} sprites in the buffer",
        uploaded.len()
    );
}

#[test]
fn only_changed_blocks_are_uploaded() {
    let renderer = pollster::block_on(renderer());
    let mut game = Game::new();
    rules::begin(&mut game, 1_000_000);
    let mut sprites = GpuColumn::new(rules::sprites(&mut game), &renderer.device);
    let mut upload = |game: &Game| sprites.upload(game, &renderer.device, &renderer.queue);
    assert_eq!(upload(&game), 1_000_000 * size_of::<Sprite>());
    assert_eq!(upload(&game), 0);

    rules::drift(&mut game); // those that move are in rows side by side
    let moving = 10_000 * size_of::<Sprite>();
    assert!((moving..=moving + 2 * BLOCK * size_of::<Sprite>()).contains(&upload(&game)));

    let scattered: Vec<_> = game
        .query::<EntityId<Game>>()
        .iter()
        .step_by(10 * BLOCK)
        .collect();
    game.query_mut::<&mut Position>()
        .among(&scattered)
        .for_each(|at| at.x += 0.001);
    assert_eq!(upload(&game), scattered.len() * BLOCK * size_of::<Sprite>());
    assert_uploaded(&renderer, &game, &sprites);
}

#[test]
fn the_buffer_is_right_after_every_kind_of_change() {
    let renderer = pollster::block_on(renderer());
    let mut game = Game::new();
    game.create_many((0..1000).map(|n| {
        (
            Position {
                x: n as f32,
                y: 0.0,
            },
            Color([1, 2, 3, 4]),
        )
    }));
    let mut sprites = GpuColumn::new(rules::sprites(&mut game), &renderer.device);
    let mut check = |game: &Game| {
        sprites.upload(game, &renderer.device, &renderer.queue);
        assert_uploaded(&renderer, game, &sprites);
    };
    check(&game);
    let ids: Vec<_> = game.query::<EntityId<Game>>().iter().step_by(3).collect();
    game.many(&ids).destroy();
    check(&game);
    let history = game.record();
    let mark = history.mark(&mut game);
    game.create_many((0..5000).map(|n| {
        (
            Position {
                x: 0.0,
                y: n as f32,
            },
            Color([9; 4]),
        )
    }));
    game.query_mut::<&mut Color>()
        .for_each(|color| color.0[0] += 1);
    check(&game);
    history.rewind(&mut game, mark);
    check(&game);
    game.reset();
    game.create_with((Position { x: 1.0, y: 2.0 }, Color([5; 4])));
    check(&game);
}

#[test]
fn sprites_are_drawn_where_they_are() {
    let renderer = pollster::block_on(renderer());
    let mut game = Game::new();
    let red = game
        .create_with((Position { x: 0.0, y: 0.0 }, Color([255, 0, 0, 255])))
        .id();
    let mut sprites = GpuColumn::new(rules::sprites(&mut game), &renderer.device);
    let texture = renderer.device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d {
            width: SIDE,
            height: SIDE,
            depth_or_array_layers: 1,
        },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: FORMAT,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    });
    let mut red_pixels = |game: &Game| {
        sprites.upload(game, &renderer.device, &renderer.queue);
        renderer.draw(
            &sprites,
            sprites.len(game),
            &texture.create_view(&Default::default()),
        );
        let (mut encoder, copy) = copy_of(&renderer, u64::from(4 * SIDE * SIDE));
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(4 * SIDE),
            rows_per_image: None,
        };
        let target = wgpu::TexelCopyBufferInfo {
            buffer: &copy,
            layout,
        };
        encoder.copy_texture_to_buffer(texture.as_image_copy(), target, texture.size());
        let bytes = read(&renderer, encoder, &copy);
        let is_red = |(_, pixel): &(usize, &[u8])| pixel == &[255, 0, 0, 255];
        let places = bytes.chunks(4).enumerate().filter(is_red);
        places
            .map(|(n, _)| (n as u32 % SIDE, n as u32 / SIDE))
            .collect::<Vec<_>>()
    };
    assert_eq!(red_pixels(&game), [(128, 127)]);
    game.entity_mut(red).replace_position(0.5, 0.5);
    assert_eq!(red_pixels(&game), [(192, 63)]);
}

//! Many sprites: `cargo run --release`, with a number for fewer or more than a million.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ecs::prelude::*;
use winit::application::ApplicationHandler;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, EventLoop};
use winit::window::{Window, WindowId};

use gpu_column::GpuColumn;
use renderer::Renderer;
use rules::{Game, Sprite};

mod gpu_column;
mod renderer;
mod rules;
#[cfg(test)]
mod tests;

struct App {
    game: Game,
    systems: Systems<Game>,
    view: Option<View>,
}

/// What exists as long as there is a window.
struct View {
    window: Arc<Window>,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    renderer: Renderer,
    sprites: GpuColumn<Game, Sprite>,
    /// When the title was last set, with the frames and bytes since.
    title: (Instant, u32, usize),
}

impl View {
    async fn new(window: Arc<Window>, game: &mut Game) -> Self {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
        let surface = instance
            .create_surface(window.clone())
            .expect("a surface of the window");
        let options = wgpu::RequestAdapterOptions {
            compatible_surface: Some(&surface),
            ..Default::default()
        };
        let adapter = instance
            .request_adapter(&options)
            .await
            .expect("a graphics card");
        let size = window.inner_size();
        let config = surface.get_default_config(&adapter, size.width.max(1), size.height.max(1));
        let mut config = config.expect("a format that the surface supports");
        config.format = config.format.remove_srgb_suffix(); // colors are those of pixels
        let renderer = Renderer::new(&adapter, config.format).await;
        surface.configure(&renderer.device, &config);
        let sprites = GpuColumn::new(rules::sprites(game), &renderer.device);
        Self {
            window,
            surface,
            config,
            renderer,
            sprites,
            title: (Instant::now(), 0, 0),
        }
    }

    fn resize(&mut self, width: u32, height: u32) {
        (self.config.width, self.config.height) = (width.max(1), height.max(1));
        self.surface.configure(&self.renderer.device, &self.config);
    }

    fn draw(&mut self, game: &Game) {
        let bytes = self
            .sprites
            .upload(game, &self.renderer.device, &self.renderer.queue);
        self.count(game, bytes);
        use wgpu::CurrentSurfaceTexture::{Lost, Outdated, Suboptimal, Success};
        match self.surface.get_current_texture() {
            Success(texture) | Suboptimal(texture) => {
                let target = texture.texture.create_view(&Default::default());
                self.renderer
                    .draw(&self.sprites, self.sprites.len(game), &target);
                self.renderer.queue.present(texture);
            }
            Outdated | Lost => self.resize(self.config.width, self.config.height),
            _ => {} // hidden
        }
        self.window.request_redraw();
    }

    /// Shows the rate of frames and uploads in the title.
    fn count(&mut self, game: &Game, bytes: usize) {
        let (since, frames, sum) = &mut self.title;
        (*frames, *sum) = (*frames + 1, *sum + bytes);
        if since.elapsed() > Duration::from_secs(1) {
            let rate = f64::from(*frames) / since.elapsed().as_secs_f64();
            let (count, each) = (self.sprites.len(game), *sum / *frames as usize / 1000);
            self.window.set_title(&format!(
                "{count} sprites, {rate:.0} frames/s, {each} kB uploaded for each"
            ));
            self.title = (Instant::now(), 0, 0);
        }
    }
}

impl ApplicationHandler for App {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        let attributes = Window::default_attributes().with_title("Sprites");
        let window = Arc::new(events.create_window(attributes).expect("a window"));
        self.view = Some(pollster::block_on(View::new(window, &mut self.game)));
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(view) = &mut self.view else { return };
        match event {
            WindowEvent::CloseRequested => events.exit(),
            WindowEvent::Resized(size) => view.resize(size.width, size.height),
            WindowEvent::RedrawRequested => {
                self.systems.execute(&mut self.game);
                self.systems.cleanup(&mut self.game);
                view.draw(&self.game);
            }
            _ => {}
        }
    }
}

fn main() -> Result<(), winit::error::EventLoopError> {
    let count = std::env::args().nth(1).map_or(1_000_000, |count| {
        count.parse().expect("a number of sprites")
    });
    let mut game = Game::new();
    rules::begin(&mut game, count);
    let systems = Systems::new().add(rules::drift);
    EventLoop::new()?.run_app(&mut App {
        game,
        systems,
        view: None,
    })
}

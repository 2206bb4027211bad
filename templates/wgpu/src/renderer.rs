//! Draws sprites: one draw call for all of them.

use crate::gpu_column::GpuColumn;
use crate::rules::{Game, Sprite};

const SHADER: &str = "
struct Corner { @builtin(position) at: vec4<f32>, @location(0) color: vec4<f32> };

@vertex fn corner(@builtin(vertex_index) n: u32, @location(0) at: vec2<f32>, @location(1) color: vec4<f32>) -> Corner {
    let corner = vec2<f32>(f32(n & 1u), f32(n >> 1u)) * 0.008;
    return Corner(vec4<f32>(at + corner, 0.0, 1.0), color);
}

@fragment fn fill(corner: Corner) -> @location(0) vec4<f32> {
    return corner.color;
}";

pub struct Renderer {
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    pipeline: wgpu::RenderPipeline,
}

impl Renderer {
    /// Renders to textures of this format.
    pub async fn new(adapter: &wgpu::Adapter, format: wgpu::TextureFormat) -> Self {
        let device = adapter.request_device(&wgpu::DeviceDescriptor::default());
        let (device, queue) = device.await.expect("a device of this adapter");
        let shader = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl(SHADER.into()),
        });
        let sprites = wgpu::VertexBufferLayout {
            array_stride: size_of::<Sprite>() as u64,
            step_mode: wgpu::VertexStepMode::Instance,
            attributes: &wgpu::vertex_attr_array![0 => Float32x2, 1 => Unorm8x4],
        };
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: None,
            layout: None,
            vertex: wgpu::VertexState {
                module: &shader,
                entry_point: None,
                compilation_options: Default::default(),
                buffers: &[Some(sprites)],
            },
            fragment: Some(wgpu::FragmentState {
                module: &shader,
                entry_point: None,
                compilation_options: Default::default(),
                targets: &[Some(format.into())],
            }),
            primitive: wgpu::PrimitiveState {
                topology: wgpu::PrimitiveTopology::TriangleStrip,
                ..Default::default()
            },
            depth_stencil: None,
            multisample: Default::default(),
            multiview_mask: None,
            cache: None,
        });
        Self {
            device,
            queue,
            pipeline,
        }
    }

    pub fn draw(&self, sprites: &GpuColumn<Game, Sprite>, count: u32, target: &wgpu::TextureView) {
        let mut encoder = self.device.create_command_encoder(&Default::default());
        let background = wgpu::Color {
            r: 0.01,
            g: 0.01,
            b: 0.03,
            a: 1.0,
        };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: target,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(background),
                    store: wgpu::StoreOp::Store,
                },
            })],
            ..Default::default()
        });
        pass.set_pipeline(&self.pipeline);
        pass.set_vertex_buffer(0, sprites.buffer().slice(..));
        pass.draw(0..4, 0..count);
        drop(pass);
        self.queue.submit([encoder.finish()]);
    }
}

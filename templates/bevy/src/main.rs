//! Bevy shows the pond: it passes keys and clicks to the rules as messages, and sprites follow what has changed.

use std::collections::HashMap;

use bevy::camera::ScalingMode;
use bevy::input::InputSystems;
use bevy::prelude::*;
use ecs::{Collector, Component, Context, RemovedValues, Systems};
use ecs_inspector::Inspector;

use rules::{Feed, Game, GameEntity, HEIGHT, Kind, Position, Ripple, Steer, WIDTH};

mod rules;

/// The game, and what shows it.
#[derive(Resource)]
struct Pond {
    game: Game,
    systems: Systems<Game>,
    /// Entities that have appeared or moved.
    changed: Collector<Game>,
    /// The sprites of entities that were destroyed.
    gone: RemovedValues<Game, Sprite>,
}

/// Bevy's entity that shows one of the game. The rules do not know this component.
#[derive(Component, Clone, Debug)]
#[component(context = rules::Game)]
struct Sprite(Entity);

/// How each kind of entity looks.
#[derive(Resource)]
struct Looks(HashMap<Kind, (Mesh2d, MeshMaterial2d<ColorMaterial>)>);

fn camera(mut commands: Commands) {
    let scaling_mode = ScalingMode::AutoMin {
        min_width: WIDTH,
        min_height: HEIGHT,
    };
    let projection = OrthographicProjection {
        scaling_mode,
        ..OrthographicProjection::default_2d()
    };
    commands.spawn((Camera2d, Projection::Orthographic(projection)));
}

fn looks(
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
    mut commands: Commands,
) {
    let looks = [
        (Kind::Orange, fish(3.4), "FF7A2E"),
        (Kind::White, fish(3.8), "FAF3E6"),
        (Kind::Pike, fish(9.0), "5F8D6A"),
        (Kind::Food, Circle::new(1.6).into(), "FFE03D"),
        (
            Kind::Lily,
            CircularSector::from_degrees(13.0, 320.0).into(),
            "2F8F4E",
        ),
        (Kind::Ripple, Annulus::new(0.92, 1.0).into(), "FFFFFF60"),
    ];
    let looks = looks.map(|(kind, mesh, color)| {
        let color = Color::from(Srgba::hex(color).expect("a color"));
        (
            kind,
            (
                Mesh2d(meshes.add(mesh)),
                MeshMaterial2d(materials.add(color)),
            ),
        )
    });
    commands.insert_resource(Looks(HashMap::from(looks)));
}

/// Returns a body with a tail, which swims to the right.
fn fish(size: f32) -> Mesh {
    let tail = [[-0.6, 0.0], [-1.7, 0.6], [-1.7, -0.6]];
    let [a, b, c] = tail.map(|corner| Vec2::from(corner) * size);
    let mut mesh = Mesh::from(Ellipse::new(size, size * 0.42));
    mesh.merge(&Triangle2d::new(a, b, c).into())
        .expect("equal attributes");
    mesh
}

fn control(
    mut pond: ResMut<Pond>,
    keys: Res<ButtonInput<KeyCode>>,
    buttons: Res<ButtonInput<MouseButton>>,
    window: Single<&Window>,
    camera: Single<(&Camera, &GlobalTransform)>,
) {
    let axis = |less, more| f32::from(i8::from(keys.pressed(more)) - i8::from(keys.pressed(less)));
    let x = axis(KeyCode::ArrowLeft, KeyCode::ArrowRight);
    let y = axis(KeyCode::ArrowDown, KeyCode::ArrowUp);
    if x != 0.0 || y != 0.0 {
        pond.game.send(Steer { x, y });
    }
    if keys.just_pressed(KeyCode::Space) {
        pond.game.send(Feed {
            at: Position { x: 0.0, y: 0.0 },
        });
    }
    let (camera, place) = *camera;
    if buttons.just_pressed(MouseButton::Left)
        && let Some(cursor) = window.cursor_position()
        && let Ok(Vec2 { x, y }) = camera.viewport_to_world_2d(place, cursor)
    {
        pond.game.send(Feed {
            at: Position { x, y },
        });
    }
}

fn step(mut pond: ResMut<Pond>) {
    let Pond { game, systems, .. } = &mut *pond;
    systems.execute(game);
    systems.cleanup(game);
}

fn inspect(mut pond: ResMut<Pond>, mut inspector: NonSendMut<Inspector>) {
    let Pond { game, systems, .. } = &mut *pond;
    inspector.update(game, systems);
}

/// Creates, moves and despawns the sprites of entities that have changed.
fn show(
    mut pond: ResMut<Pond>,
    looks: Res<Looks>,
    mut places: Query<&mut Transform>,
    mut commands: Commands,
) {
    let Pond {
        game,
        changed,
        gone,
        ..
    } = &mut *pond;
    for (_, Sprite(sprite)) in gone.drain(game) {
        commands.entity(sprite).despawn();
    }
    for id in changed.drain(game) {
        let Some(entity) = game.get_entity(id) else {
            continue;
        };
        let place = place(entity);
        if let Some(Sprite(sprite)) = entity.get_sprite() {
            *places.get_mut(*sprite).expect("a sprite") = place;
        } else {
            let (mesh, material) = looks.0[entity.kind()].clone();
            let sprite = commands.spawn((mesh, material, place)).id();
            game.entity_mut(id).add_sprite(sprite);
        }
    }
}

/// Returns where the sprite of an entity is, which way it points, and how large it is.
fn place(entity: GameEntity<'_>) -> Transform {
    let (at, kind) = (entity.position(), *entity.kind());
    let angle = match entity.get_velocity() {
        Some(velocity) => velocity.y.atan2(velocity.x),
        None => at.x, // leaves lie as they fall
    };
    let layer = match kind {
        Kind::Orange | Kind::White => 0.0,
        Kind::Food => 1.0,
        Kind::Pike => 2.0,
        Kind::Lily => 3.0,
        Kind::Ripple => 4.0,
    };
    Transform::from_xyz(at.x, at.y, layer)
        .with_rotation(Quat::from_rotation_z(angle))
        .with_scale(Vec3::splat(
            entity.get_ripple().map_or(1.0, |ripple| ripple.radius),
        ))
}

impl Pond {
    fn new() -> Self {
        let mut game = Game::new();
        let moved = Game::all_of::<(Kind, Position)>().entered_or_updated();
        let spread = Game::all_of::<Ripple>().updated();
        let changed = game.collector(moved.or(spread)); // before there is anything to collect
        Self {
            changed,
            gone: game.removed_values(),
            systems: rules::systems(&mut game),
            game,
        }
    }
}

fn main() -> std::io::Result<()> {
    let window = Window {
        title: "Pond".into(),
        ..Window::default()
    };
    App::new()
        .add_plugins(DefaultPlugins.set(WindowPlugin {
            primary_window: Some(window),
            ..WindowPlugin::default()
        }))
        .insert_resource(ClearColor(Color::srgb_u8(0x12, 0x3C, 0x4A)))
        .insert_resource(Time::<Fixed>::from_hz(60.0))
        .insert_resource(Pond::new())
        .insert_non_send(Inspector::from_env()?)
        .add_systems(Startup, (camera, looks))
        .add_systems(PreUpdate, control.after(InputSystems))
        .add_systems(FixedUpdate, step)
        .add_systems(Update, (show, inspect).chain())
        .run();
    Ok(())
}

#[cfg(test)]
mod tests {
    use bevy::ecs::system::RunSystemOnce;

    use super::*;
    use rules::Fish;

    fn sprites(app: &mut App) -> usize {
        let mut shown = app.world_mut().query::<(&Mesh2d, &Transform)>();
        shown.iter(app.world()).count()
    }

    #[test]
    fn sprites_appear_move_and_vanish_with_their_entities() {
        let kinds = [
            Kind::Orange,
            Kind::White,
            Kind::Pike,
            Kind::Food,
            Kind::Lily,
            Kind::Ripple,
        ];
        let looks = kinds.map(|kind| (kind, (Mesh2d::default(), MeshMaterial2d::default())));
        let mut app = App::new();
        app.insert_resource(Pond::new())
            .insert_resource(Looks(HashMap::from(looks)))
            .add_systems(Update, (step, show).chain());
        app.update();
        assert_eq!(sprites(&mut app), 12 + 1 + rules::FISH);

        app.update();
        let game = &app.world().resource::<Pond>().game;
        let pike = game.pike_entity().expect("a pike");
        let place = app
            .world()
            .get::<Transform>(pike.sprite().0)
            .expect("a sprite");
        assert_eq!(place.translation.x, pike.position().x);

        let game = &mut app.world_mut().resource_mut::<Pond>().game;
        game.group(Game::all_of::<Fish>()).destroy_all(game);
        app.world_mut()
            .run_system_once(show)
            .expect("its resources");
        assert_eq!(sprites(&mut app), 12 + 1);
    }
}

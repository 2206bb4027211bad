//! Drawing: the board and what is written beside it, or that there is no room for them.

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use ratatui::style::{Color, Style, Stylize as _};
use ratatui::text::Line;
use ratatui::widgets::{Block, BorderType, Paragraph, Wrap};

use super::super::picture::Sprite;
use super::Player;
use super::layout::Layout;
use super::look::Look;

const KEYS: [(&str, &str); 9] = [
    ("arrows", "move"),
    ("space", "take (or click)"),
    ("b", "burst mode"),
    ("r", "new board"),
    ("u", "undo a turn"),
    ("y", "do it again"),
    ("s", "save"),
    ("l", "load"),
    ("q", "leave"),
];

/// Draws everything.
pub(super) fn all(player: &Player, frame: &mut Frame<'_>) {
    match Layout::of(frame.area(), player.size) {
        Ok(layout) => {
            board(player, layout, frame);
            side(player, layout, frame);
        }
        Err(needed) => no_room(needed, frame),
    }
}

fn board(player: &Player, layout: Layout, frame: &mut Frame<'_>) {
    let block = Block::bordered().border_type(BorderType::Rounded);
    frame.render_widget(block.title(" Match One "), layout.board);
    let (picture, buffer) = (&player.picture, frame.buffer_mut());
    // What has been destroyed lies beneath what falls into its place.
    for (_, sprite) in picture.sprites().filter(|(_, sprite)| sprite.has_ended()) {
        tile(sprite, Look::ENDING, layout, buffer);
    }
    let taken = player.game.reach(player.cursor);
    for (id, sprite) in picture.sprites().filter(|(_, sprite)| !sprite.has_ended()) {
        let look = Look::of(sprite.face, taken.contains(&id));
        tile(sprite, look, layout, buffer);
    }
    cursor(player, layout, buffer);
}

/// Fills a cell, and writes the shape into the middle.
fn tile(sprite: &Sprite, look: Look, layout: Layout, buffer: &mut Buffer) {
    let Some(place) = layout.place(sprite.cell.x, sprite.height) else {
        return;
    };
    let style = Style::new().fg(look.ink).bg(look.ground);
    buffer.set_style(place, style);
    for (row, shape) in place.rows().zip(look.shape) {
        buffer.set_string(row.x, row.y, format!(" {shape} "), style);
    }
}

/// Puts brackets around the cell that the cursor is on.
fn cursor(player: &Player, layout: Layout, buffer: &mut Buffer) {
    let cell = player.cursor;
    let Some(place) = layout.place(cell.x, f32::from(cell.y)) else {
        return;
    };
    let style = Style::new().fg(Color::White).bold();
    for row in place.rows() {
        buffer.set_string(row.x, row.y, "[", style);
        buffer.set_string(row.right() - 1, row.y, "]", style);
    }
}

fn side(
    Player {
        picture, message, ..
    }: &Player,
    layout: Layout,
    frame: &mut Frame<'_>,
) {
    let burst_mode = match picture.burst_mode {
        true => "on".light_red().bold(),
        false => "off".into(),
    };
    let mut lines = vec![
        Line::from_iter(["Score  ".into(), picture.score.to_string().bold()]),
        Line::default(),
        Line::from_iter(["Burst  ".into(), burst_mode]),
        Line::default(),
    ];
    lines.extend(KEYS.map(|(key, does)| Line::from_iter([format!("{key:7}").cyan(), does.into()])));
    lines.extend([Line::default(), message.as_str().into()]);
    frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: true }), layout.side);
}

fn no_room(needed: Size, frame: &mut Frame<'_>) {
    let Rect { width, height, .. } = frame.area();
    let text = format!(
        "Match One needs {} x {} characters, and this terminal has {width} x {height}. \
         Enlarge it, or press q and choose a smaller --width and --height.",
        needed.width, needed.height
    );
    frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), frame.area());
}

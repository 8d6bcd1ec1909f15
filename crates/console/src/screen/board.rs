//! Draws the board into the buffer of the screen.

use hansu_chess::{Board, Color, Piece};
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::canvas::{Canvas, TextStyle};
use super::figures;
use super::layout::Layout;
use crate::board::square_at;
use crate::colours::{Depth, Shade};
use crate::tile::{Mark, Marks, Tile, figure};

/// How pieces are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Pieces {
    /// Pictures of half blocks if the tiles are large enough and there are 256 colours, else as
    /// `Figures`.
    #[default]
    Drawn,
    /// The chess symbols of Unicode, such as ♔.
    Figures,
    /// Letters: upper case for White, lower case for Black.
    Letters,
}

impl Pieces {
    /// All variants, in the order of the settings.
    pub const ALL: [Pieces; 3] = [Pieces::Drawn, Pieces::Figures, Pieces::Letters];
}

/// Draws a board with its coordinates.
pub(crate) fn draw_board(
    canvas: &mut Canvas<'_>,
    layout: &Layout,
    board: &Board,
    marks: &Marks,
    seen_by: Color,
    pieces: Pieces,
) {
    let pieces = if canvas.is_unicode { pieces } else { Pieces::Letters };
    let whole = canvas.area();
    for row in 0..8u16 {
        for column in 0..8u16 {
            let at = square_at(column.into(), row.into(), seen_by);
            let tile = Tile::of(board, at, marks);
            draw_tile(canvas, layout.tile_at(column, row), tile, pieces);
        }
        let rank = square_at(0, row.into(), seen_by).rank().digit().to_string();
        let place = layout.tile_at(0, row);
        canvas.text(whole, layout.board.x - 2, place.y + place.height / 2, &rank, TextStyle::Muted);
    }
    for column in 0..8u16 {
        let file = square_at(column.into(), 7, seen_by).file().letter().to_string();
        let place = layout.tile_at(column, 7);
        let middle = place.x + (place.width - 1) / 2;
        canvas.text(whole, middle, layout.board.bottom(), &file, TextStyle::Muted);
    }
}

fn draw_tile(canvas: &mut Canvas<'_>, area: Rect, tile: Tile, pieces: Pieces) {
    let area = area.intersection(canvas.buffer.area);
    let mut style = Style::new();
    if let (Some(ink), Some(paper)) = (Shade::INK.at(canvas.depth), tile.shade().at(canvas.depth)) {
        style = style.fg(ink).bg(paper);
    }
    for y in area.top()..area.bottom() {
        for x in area.left()..area.right() {
            if let Some(cell) = canvas.buffer.cell_mut((x, y)) {
                cell.reset();
                cell.set_style(style);
            }
        }
    }
    let (x, y) = (area.x + area.width.saturating_sub(1) / 2, area.y + area.height / 2);
    let drawn = tile.piece.filter(|_| {
        let has_colours = canvas.depth > Depth::Sixteen;
        pieces == Pieces::Drawn && has_colours && area.width >= 8 && area.height >= 4
    });
    match drawn {
        Some(piece) => draw_piece(canvas, area, piece, tile),
        None => {
            let symbol = symbol(tile, pieces, canvas);
            let mut style = style;
            if tile.piece.is_some() {
                style = style.add_modifier(Modifier::BOLD);
            }
            put(canvas, x, y, symbol, style);
        }
    }
    let (left, right) = tile.signs();
    let marked = style.add_modifier(Modifier::BOLD);
    // With a drawn piece or in a wide tile the signs are in the corners.
    let (left_at, right_at, row) = if drawn.is_some() || area.width > 6 {
        (area.x, area.right().saturating_sub(1), area.y)
    } else {
        (x.saturating_sub(1), x + 1, y)
    };
    for (at, sign) in [(left_at, left), (right_at, right)] {
        if sign != ' ' {
            put(canvas, at, row, sign, marked);
            if row != y {
                put(canvas, at, area.bottom().saturating_sub(1), sign, marked);
            }
        }
    }
}

fn put(canvas: &mut Canvas<'_>, x: u16, y: u16, symbol: char, style: Style) {
    if let Some(cell) = canvas.buffer.cell_mut((x, y)) {
        cell.set_char(symbol).set_style(style);
    }
}

fn symbol(tile: Tile, pieces: Pieces, canvas: &Canvas<'_>) -> char {
    match (tile.piece, tile.mark) {
        (Some(piece), _) if pieces == Pieces::Letters => piece.letter(),
        (Some(piece), _) => figure(piece),
        (None, Mark::Target) => {
            if canvas.is_unicode {
                '•'
            } else {
                '*'
            }
        }
        (None, _) if tile.is_dark && canvas.depth == Depth::None => {
            if canvas.is_unicode {
                '·'
            } else {
                '.'
            }
        }
        (None, _) => ' ',
    }
}

/// Draws a piece with half blocks: White is light with a dark outline, Black is dark.
fn draw_piece(canvas: &mut Canvas<'_>, area: Rect, piece: Piece, tile: Tile) {
    let points: Vec<&[u8]> = if area.width >= 10 && area.height >= 5 {
        figures::large(piece.role).map(str::as_bytes).to_vec()
    } else {
        figures::small(piece.role).map(str::as_bytes).to_vec()
    };
    let size = i32::try_from(points.len()).unwrap_or(0);
    let (left, top) =
        ((i32::from(area.width) - size) / 2, (i32::from(area.height) * 2 - size + 1) / 2);
    let is_set = |x: i32, y: i32| {
        let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) else { return false };
        points.get(y).and_then(|line| line.get(x)) == Some(&b'#')
    };
    let shade = |x: i32, y: i32| {
        let (x, y) = (x - left, y - top);
        let fill = match piece.color {
            Color::White => Shade::PAPER,
            Color::Black => Shade::INK,
        };
        if is_set(x, y) {
            return fill;
        }
        let beside = [(-1, 0), (1, 0), (0, -1), (0, 1)];
        let is_outline = beside.into_iter().any(|(dx, dy)| is_set(x + dx, y + dy));
        match piece.color {
            Color::White if is_outline => Shade::OUTLINE,
            _ => tile.shade(),
        }
    };
    for row in 0..area.height {
        for column in 0..area.width {
            let (x, y) = (i32::from(column), i32::from(row) * 2);
            let (above, below) = (shade(x, y).at(canvas.depth), shade(x, y + 1).at(canvas.depth));
            let (Some(above), Some(below)) = (above, below) else { continue };
            let symbol = if above == below { ' ' } else { '▀' };
            let style = Style::new().fg(above).bg(below);
            put(canvas, area.x + column, area.y + row, symbol, style);
        }
    }
}

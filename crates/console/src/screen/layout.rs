//! The layout of the screen of a game for any size, and the square under a click.

use hansu_chess::{Color, Square};
use ratatui::layout::Rect;

use crate::board::square_at;

/// The smallest screen, in columns and rows.
pub(crate) const SMALLEST: (u16, u16) = (40, 20);

/// The possible tile sizes, largest first: columns and rows of a tile, and the columns that must be
/// left for the panel beside the board.
const TILES: [(u16, u16, u16); 7] =
    [(12, 6, 26), (10, 5, 26), (8, 4, 26), (6, 3, 24), (5, 2, 22), (4, 2, 20), (3, 1, 13)];

/// The parts of the screen of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    pub(crate) title: Rect,
    /// The 8×8 tiles. The coordinates are left of and below them.
    pub(crate) board: Rect,
    pub(crate) tile: (u16, u16),
    /// The area between title and status.
    pub(crate) body: Rect,
    pub(crate) panel: Rect,
    pub(crate) status: Rect,
    pub(crate) input: Rect,
    pub(crate) keys: Rect,
}

impl Layout {
    /// The layout of a screen; None if it is too small.
    pub(crate) fn new(area: Rect) -> Option<Layout> {
        if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
            return None;
        }
        let row = |y: u16, height: u16| Rect::new(area.x, area.y + y, area.width, height);
        let status_rows = if area.width < 60 { 3 } else { 2 };
        let (title, keys) = (row(0, 1), row(area.height - 1, 1));
        let input = row(area.height - 2, 1);
        let status = row(area.height - 2 - status_rows, status_rows);
        let body = row(1, area.height - 3 - status_rows);
        let fits = |&(columns, rows, panel): &(u16, u16, u16)| {
            8 * columns + 2 + 1 + panel <= body.width && 8 * rows < body.height
        };
        let (columns, rows, _) = *TILES.iter().find(|tile| fits(tile))?;
        let board = Rect::new(body.x + 2, body.y, 8 * columns, 8 * rows);
        let left = board.right() + 1;
        // A wider panel would be hard to read.
        let width = (body.right() - left).min(48);
        let panel = Rect::new(left, body.y, width, body.height);
        Some(Layout { title, board, tile: (columns, rows), body, panel, status, input, keys })
    }

    /// The square at a column and row of the screen; None outside the board.
    pub(crate) fn square_at(&self, x: u16, y: u16, seen_by: Color) -> Option<Square> {
        let board = self.board;
        let is_inside = x >= board.x && x < board.right() && y >= board.y && y < board.bottom();
        let column = usize::from(x.saturating_sub(board.x) / self.tile.0);
        let row = usize::from(y.saturating_sub(board.y) / self.tile.1);
        is_inside.then(|| square_at(column, row, seen_by))
    }

    /// The area of the tile at a column and row of the board.
    pub(crate) fn tile_at(&self, column: u16, row: u16) -> Rect {
        let (width, height) = self.tile;
        Rect::new(self.board.x + column * width, self.board.y + row * height, width, height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_parts_are_on_the_screen_at_every_size() {
        for width in 0..200 {
            for height in 0..80 {
                let area = Rect::new(0, 0, width, height);
                let Some(layout) = Layout::new(area) else {
                    assert!(width < 40 || height < 20, "{width}×{height}");
                    continue;
                };
                for part in [
                    layout.title,
                    layout.board,
                    layout.panel,
                    layout.status,
                    layout.input,
                    layout.keys,
                ] {
                    assert_eq!(part.intersection(area), part, "{width}×{height} {layout:?}");
                }
                assert!(layout.board.intersection(layout.panel).is_empty());
                assert!(layout.board.bottom() < layout.status.top(), "room for the files");
                assert!(layout.panel.width >= 13);
            }
        }
    }

    #[test]
    fn a_click_finds_its_square_from_both_sides() {
        let layout = Layout::new(Rect::new(0, 0, 80, 24)).expect("large enough");
        for seen_by in Color::ALL {
            for row in 0..8 {
                for column in 0..8 {
                    let tile = layout.tile_at(column, row);
                    let square = square_at(column.into(), row.into(), seen_by);
                    for (x, y) in [(tile.x, tile.y), (tile.right() - 1, tile.bottom() - 1)] {
                        assert_eq!(layout.square_at(x, y, seen_by), Some(square));
                    }
                }
            }
        }
        assert_eq!(layout.square_at(0, 0, Color::White), None);
        assert_eq!(layout.square_at(79, 23, Color::White), None);
    }
}

//! Writes text to the screen, never outside of it. A Hangul letter is two columns wide.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use crate::colours::{Depth, Shade};

/// A buffer to draw into, and what its terminal can show.
pub(crate) struct Canvas<'a> {
    pub(crate) buffer: &'a mut Buffer,
    pub(crate) depth: Depth,
    /// True if the terminal shows characters beyond ASCII.
    pub(crate) is_unicode: bool,
}

/// The style of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TextStyle {
    Plain,
    Bold,
    /// For unimportant text.
    Muted,
    /// For what the player can do now.
    Accent,
    /// For errors and warnings.
    Alarm,
    /// For the selected item of a list.
    Chosen,
    /// For QR codes: light on dark.
    Code,
}

impl Canvas<'_> {
    pub(crate) fn area(&self) -> Rect {
        self.buffer.area
    }

    fn style(&self, style: TextStyle) -> Style {
        let colour = |shade: Shade| match shade.at(self.depth) {
            Some(colour) => Style::new().fg(colour),
            None => Style::new(),
        };
        match style {
            TextStyle::Plain => Style::new(),
            TextStyle::Bold => Style::new().add_modifier(Modifier::BOLD),
            TextStyle::Muted => colour(Shade::MUTED),
            TextStyle::Accent => colour(Shade::ACCENT).add_modifier(Modifier::BOLD),
            TextStyle::Alarm => colour(Shade::ALARM).add_modifier(Modifier::BOLD),
            TextStyle::Chosen => Style::new().add_modifier(Modifier::REVERSED),
            TextStyle::Code => match (Shade::PAPER.at(self.depth), Shade::INK.at(self.depth)) {
                (Some(light), Some(dark)) => Style::new().fg(light).bg(dark),
                _ => Style::new(),
            },
        }
    }

    /// Writes a text into one line of an area and cuts it at the area's end. Returns the column after
    /// the text.
    pub(crate) fn text(&mut self, area: Rect, x: u16, y: u16, text: &str, style: TextStyle) -> u16 {
        let area = area.intersection(self.buffer.area);
        if y < area.top() || y >= area.bottom() || x < area.left() || x >= area.right() {
            return x;
        }
        let style = self.style(style);
        let text = fitted(&self.shown(text), usize::from(area.right() - x));
        self.buffer.set_stringn(x, y, text, usize::from(area.right() - x), style).0
    }

    /// A text as this terminal can show it.
    fn shown(&self, text: &str) -> String {
        if self.is_unicode {
            return text.to_owned();
        }
        let plain = |c: char| match c {
            '·' => "-".to_owned(),
            '…' => "...".to_owned(),
            '–' | '─' => "-".to_owned(),
            '│' => "|".to_owned(),
            '▸' => ">".to_owned(),
            '█' => "#".to_owned(),
            '▒' => "=".to_owned(),
            '░' => ".".to_owned(),
            '←' => "left".to_owned(),
            '→' => "right".to_owned(),
            '↑' => "up".to_owned(),
            '↓' => "down".to_owned(),
            '×' => "x".to_owned(),
            other => other.to_string(),
        };
        text.chars().map(plain).collect()
    }

    /// Writes a text into an area, broken into lines.
    pub(crate) fn paragraph(&mut self, area: Rect, text: &str, style: TextStyle) {
        let lines = wrapped(&self.shown(text), usize::from(area.width));
        for (y, line) in (area.top()..area.bottom()).zip(lines) {
            self.text(area, area.left(), y, &line, style);
        }
    }

    /// Writes a right-aligned text into a line of an area.
    pub(crate) fn right(&mut self, area: Rect, y: u16, text: &str, style: TextStyle) {
        let width = u16::try_from(width(text)).unwrap_or(u16::MAX).min(area.width);
        self.text(area, area.right().saturating_sub(width), y, text, style);
    }

    /// Draws a horizontal line.
    pub(crate) fn rule(&mut self, area: Rect, y: u16) {
        let line = "─".repeat(usize::from(area.width));
        self.text(area, area.left(), y, &line, TextStyle::Muted);
    }
}

/// The width of a text, in columns of the terminal.
pub(crate) fn width(text: &str) -> usize {
    text.width()
}

/// Cuts a text to at most `places` columns and marks the cut with `…`.
pub(crate) fn fitted(text: &str, places: usize) -> String {
    if width(text) <= places {
        return text.to_owned();
    }
    let mut cut = String::new();
    let mut used = 0;
    for c in text.chars() {
        used += c.width().unwrap_or(0);
        if used >= places {
            break;
        }
        cut.push(c);
    }
    if places > 0 {
        cut.push('…');
    }
    cut
}

/// Cuts a text or pads it with spaces, to exactly `places` columns.
pub(crate) fn padded(text: &str, places: usize) -> String {
    let text = fitted(text, places);
    let blanks = places.saturating_sub(width(&text));
    text + &" ".repeat(blanks)
}

/// Breaks a text into lines of at most `places` columns, at spaces where possible.
pub(crate) fn wrapped(text: &str, places: usize) -> Vec<String> {
    let places = places.max(2);
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let mut word = word.to_owned();
        loop {
            let Some(line) = lines.last_mut() else { return lines };
            let gap = usize::from(!line.is_empty());
            if width(line) + gap + width(&word) <= places {
                if gap == 1 {
                    line.push(' ');
                }
                line.push_str(&word);
                break;
            }
            if !line.is_empty() {
                lines.push(String::new());
                continue;
            }
            // A word that is longer than a line is broken at any character.
            let mut used = 0;
            let end = word.char_indices().find(|(_, c)| {
                used += c.width().unwrap_or(0);
                used > places
            });
            let Some((end, _)) = end.filter(|(end, _)| *end > 0) else {
                line.push_str(&word);
                break;
            };
            let rest = word.split_off(end);
            line.push_str(&word);
            lines.push(String::new());
            word = rest;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hangul_counts_twice() {
        assert_eq!(width("한수 a"), 6);
        assert_eq!(fitted("한수한수", 5), "한수…");
        assert_eq!(fitted("한수한수", 4), "한…");
        assert_eq!(fitted("abc", 3), "abc");
        assert_eq!(fitted("abc", 0), "");
        assert_eq!(padded("한", 4), "한  ");
    }

    #[test]
    fn lines_break_at_blanks_and_never_run_over() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("한국어로 말해요", 8), ["한국어로", "말해요"]);
        for places in 0..20 {
            for line in wrapped("a한 b수 averylongword 아주긴낱말이에요", places) {
                assert!(width(&line) <= places.max(2), "{line} {places}");
            }
        }
    }
}

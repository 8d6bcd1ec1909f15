//! The colours that a terminal can show, and those that Hansu uses.

use ratatui::style::Color;

/// How many colours a terminal shows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Depth {
    /// No colours: signs only.
    None,
    /// 16 colours.
    Sixteen,
    /// 256 colours.
    Many,
    /// 24-bit colours.
    True,
}

impl Depth {
    /// All depths, fewest colours first.
    pub const ALL: [Depth; 4] = [Depth::None, Depth::Sixteen, Depth::Many, Depth::True];

    /// The depth according to the environment; `variable` looks up a variable.
    ///
    /// ```
    /// use hansu_console::Depth;
    /// let depth = |name: &str| (name == "COLORTERM").then(|| "truecolor".to_owned());
    /// assert_eq!(Depth::of_terminal(depth), Depth::True);
    /// ```
    pub fn of_terminal(variable: impl Fn(&str) -> Option<String>) -> Depth {
        // no-color.org: any non-empty value.
        if variable("NO_COLOR").is_some_and(|value| !value.is_empty()) {
            return Depth::None;
        }
        let term = variable("TERM").unwrap_or_default();
        let colours = variable("COLORTERM").unwrap_or_default();
        match (term.as_str(), colours.as_str()) {
            ("dumb", _) => Depth::None,
            (_, "truecolor" | "24bit") => Depth::True,
            (term, _) if term.contains("direct") => Depth::True,
            (term, _) if term.contains("256") => Depth::Many,
            // Consoles have 16 colours. The modern terminals below have 24 bits without saying so.
            ("linux" | "vt100" | "vt220" | "ansi" | "cygwin", _) => Depth::Sixteen,
            ("xterm-kitty" | "alacritty" | "foot" | "wezterm", _) => Depth::True,
            _ if cfg!(windows) => Depth::True,
            _ => Depth::Sixteen,
        }
    }
}

/// A colour, with its value in each depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Shade {
    rgb: (u8, u8, u8),
    pub(crate) index: u8,
    named: Color,
}

const fn shade(rgb: (u8, u8, u8), index: u8, named: Color) -> Shade {
    Shade { rgb, index, named }
}

/// The board has its own background colours, so that it looks the same on dark and light terminals.
/// Targets are pink, the last move is pale gold, a mated king is red.
impl Shade {
    pub(crate) const LIGHT: Shade = shade((0xec, 0xe3, 0xd0), 187, Color::White);
    pub(crate) const DARK: Shade = shade((0xa9, 0x8a, 0x66), 137, Color::Gray);
    pub(crate) const LAST_LIGHT: Shade = shade((0xf6, 0xe6, 0xa4), 229, Color::LightYellow);
    pub(crate) const LAST_DARK: Shade = shade((0xd8, 0xb9, 0x5a), 178, Color::Yellow);
    pub(crate) const TARGET_LIGHT: Shade = shade((0xf7, 0xa8, 0xc4), 218, Color::LightMagenta);
    pub(crate) const TARGET_DARK: Shade = shade((0xe8, 0x8d, 0xae), 211, Color::LightMagenta);
    pub(crate) const PLANNED: Shade = shade((0xa9, 0xc0, 0xe8), 153, Color::LightBlue);
    pub(crate) const SELECTED: Shade = shade((0x8f, 0xc7, 0xbd), 115, Color::LightCyan);
    pub(crate) const CHECK: Shade = shade((0xf0, 0x9a, 0x8f), 210, Color::LightRed);
    pub(crate) const MATED: Shade = shade((0xd6, 0x45, 0x45), 203, Color::Red);
    pub(crate) const PROOF: Shade = shade((0xef, 0x7d, 0x7d), 174, Color::LightRed);
    pub(crate) const INK: Shade = shade((0x1f, 0x24, 0x30), 16, Color::Black);
    pub(crate) const PAPER: Shade = shade((0xff, 0xfd, 0xf8), 231, Color::White);
    pub(crate) const OUTLINE: Shade = shade((0x4a, 0x44, 0x3c), 238, Color::DarkGray);
    pub(crate) const MUTED: Shade = shade((0x8a, 0x8f, 0x9a), 245, Color::DarkGray);
    pub(crate) const ACCENT: Shade = shade((0x4f, 0xa5, 0x97), 72, Color::Cyan);
    pub(crate) const ALARM: Shade = shade((0xe0, 0x5a, 0x5a), 167, Color::LightRed);

    /// The colour for a terminal of this depth; None if it shows no colours.
    pub(crate) const fn at(self, depth: Depth) -> Option<Color> {
        match depth {
            Depth::None => None,
            Depth::Sixteen => Some(self.named),
            Depth::Many => Some(Color::Indexed(self.index)),
            Depth::True => Some(Color::Rgb(self.rgb.0, self.rgb.1, self.rgb.2)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depth(pairs: &[(&str, &str)]) -> Depth {
        Depth::of_terminal(|name| {
            pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn the_environment_says_how_many_colours_there_are() {
        assert_eq!(depth(&[("TERM", "xterm-256color")]), Depth::Many);
        assert_eq!(depth(&[("TERM", "xterm-256color"), ("COLORTERM", "truecolor")]), Depth::True);
        assert_eq!(depth(&[("TERM", "linux")]), Depth::Sixteen);
        assert_eq!(depth(&[("TERM", "dumb"), ("COLORTERM", "truecolor")]), Depth::None);
        assert_eq!(depth(&[("TERM", "xterm-256color"), ("NO_COLOR", "1")]), Depth::None);
        assert_eq!(depth(&[("TERM", "xterm-256color"), ("NO_COLOR", "")]), Depth::Many);
    }
}

//! The player's settings, and their file format: a line `key=value` for each.

use hansu_words::Lang;

use super::board::Pieces;
use crate::colours::Depth;

/// What the terminal can show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Terminal {
    /// The colours that it shows.
    pub depth: Depth,
    /// True if it shows characters beyond ASCII.
    pub is_unicode: bool,
}

/// The player's settings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The language.
    pub lang: Lang,
    /// The chosen colours; None for those of the terminal.
    pub depth: Option<Depth>,
    /// How pieces are drawn.
    pub pieces: Pieces,
    /// True if the bell rings for the other side's move and for the end.
    pub bell: bool,
    /// The player's name.
    pub name: String,
    /// The server that was used last.
    pub server: String,
}

impl Settings {
    /// The default settings.
    pub fn new(lang: Lang) -> Settings {
        Settings {
            lang,
            depth: None,
            pieces: Pieces::default(),
            bell: false,
            name: String::new(),
            server: String::new(),
        }
    }

    /// Reads the text of [`Settings::to_text`]. Unknown lines are skipped.
    ///
    /// ```
    /// use hansu_console::screen::Settings;
    /// use hansu_words::Lang;
    /// let mut settings = Settings::new(Lang::Ko);
    /// settings.read("bell=on\nname=Mina\nwhat?\n");
    /// assert!(settings.bell);
    /// assert_eq!(settings.name, "Mina");
    /// ```
    pub fn read(&mut self, text: &str) {
        for (key, value) in text.lines().filter_map(|line| line.split_once('=')) {
            match key {
                "lang" => self.lang = value.parse().unwrap_or(self.lang),
                "colours" => self.depth = DEPTHS.iter().find(|d| d.0 == value).and_then(|d| d.1),
                "pieces" => {
                    let found = PIECES.iter().find(|named| named.0 == value);
                    self.pieces = found.map_or(self.pieces, |named| named.1);
                }
                "bell" => self.bell = value == "on",
                "name" => self.name = clean(value),
                "server" => self.server = clean(value),
                _ => {}
            }
        }
    }

    /// The settings as lines.
    pub fn to_text(&self) -> String {
        let depth = DEPTHS.iter().find(|named| named.1 == self.depth).map_or("", |named| named.0);
        let pieces = PIECES.iter().find(|named| named.1 == self.pieces).map_or("", |named| named.0);
        let bell = if self.bell { "on" } else { "off" };
        format!(
            "lang={}\ncolours={depth}\npieces={pieces}\nbell={bell}\nname={}\nserver={}\n",
            self.lang,
            clean(&self.name),
            clean(&self.server)
        )
    }
}

const DEPTHS: [(&str, Option<Depth>); 5] = [
    ("terminal", None),
    ("none", Some(Depth::None)),
    ("16", Some(Depth::Sixteen)),
    ("256", Some(Depth::Many)),
    ("all", Some(Depth::True)),
];

const PIECES: [(&str, Pieces); 3] =
    [("drawn", Pieces::Drawn), ("figures", Pieces::Figures), ("letters", Pieces::Letters)];

/// Removes control characters, and cuts the text to 200 characters.
fn clean(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        for (_, depth) in DEPTHS {
            for (_, pieces) in PIECES {
                let name = "미나=x".to_owned();
                let server = "http://a:1".to_owned();
                let chosen = Settings { lang: Lang::En, depth, pieces, bell: true, name, server };
                let mut read = Settings::new(Lang::Ko);
                read.read(&chosen.to_text());
                assert_eq!(read, chosen);
            }
        }
    }
}

//! The names of the computer's levels.

use crate::Lang;

/// From the weakest level to the strongest, in English and Korean.
const NAMES: [(&str, &str); 10] = [
    ("Chick", "병아리"),
    ("Rabbit", "토끼"),
    ("Squirrel", "다람쥐"),
    ("Magpie", "까치"),
    ("Fox", "여우"),
    ("Deer", "사슴"),
    ("Crane", "두루미"),
    ("Wolf", "늑대"),
    ("Tiger", "호랑이"),
    ("Dragon", "용"),
];

impl Lang {
    /// The computer's name at a level from 1 to 10; any other level is clamped to that range.
    ///
    /// ```
    /// use hansu_words::Lang;
    /// assert_eq!(Lang::Ko.level(9), "호랑이");
    /// ```
    pub fn level(self, level: u8) -> &'static str {
        let place = usize::from(level.clamp(1, 10)) - 1;
        self.pick(NAMES[place].0, NAMES[place].1)
    }
}

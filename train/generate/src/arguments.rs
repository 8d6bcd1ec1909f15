//! The command line: `--name value` options and positional arguments.

use std::str::FromStr;

use hansu_arena::PlayerError;

/// The parsed command line.
pub(crate) struct Arguments {
    named: Vec<(String, String)>,
    /// Arguments without a name, in their order.
    pub(crate) plain: Vec<String>,
}

impl Arguments {
    /// Parses the words behind the command's name; `known` are the names of its options.
    pub(crate) fn parse(words: &[String], known: &[&str]) -> Result<Arguments, String> {
        let mut arguments = Arguments { named: Vec::new(), plain: Vec::new() };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.strip_prefix("--") {
                Some(name) if !known.contains(&name) => {
                    return Err(format!("there is no option {word} here; see --help"));
                }
                Some(name) => {
                    let value = words.next().ok_or_else(|| format!("{word} needs a value"))?;
                    arguments.named.push((name.to_owned(), value.clone()));
                }
                None => arguments.plain.push(word.clone()),
            }
        }
        Ok(arguments)
    }

    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.named.iter().rfind(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn number<T: FromStr>(&self, name: &str, default: T) -> Result<T, String> {
        match self.text(name) {
            None => Ok(default),
            Some(text) => text.parse().map_err(|_| format!("--{name} {text}: not a number")),
        }
    }

    pub(crate) fn threads(&self) -> Result<usize, String> {
        let all = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(self.number("threads", all)?.max(1))
    }
}

/// The error of a player that cannot be made, as a sentence.
pub(crate) fn player_error(error: &PlayerError) -> String {
    match error {
        PlayerError::Level(name) => format!("{name}: not a level"),
        PlayerError::Net(file, why) => format!("{file}: {why}"),
        PlayerError::Start(program, why) => format!("{program}: {why}"),
        PlayerError::NotUci(program) => format!("{program}: does not speak UCI"),
        PlayerError::Option(option) => format!("{option}: not an option (NAME=VALUE)"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Arguments, String> {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        Arguments::parse(&words, &["games", "seed"])
    }

    #[test]
    fn options_and_players_come_in_any_order() {
        let arguments = parsed("hand --games 20 own --games 30").expect("known options");
        assert_eq!(arguments.plain, ["hand", "own"]);
        assert_eq!(arguments.number("games", 1), Ok(30));
        assert_eq!(arguments.number("seed", 7), Ok(7));
        let wrong: Result<u32, String> = parsed("--seed x").expect("known").number("seed", 7);
        assert_eq!(wrong, Err("--seed x: not a number".to_owned()));
    }

    #[test]
    fn an_unknown_option_and_a_missing_value_are_errors() {
        assert!(parsed("--game 20").is_err_and(|why| why.contains("--game here")));
        assert!(parsed("hand --games").is_err_and(|why| why.contains("needs a value")));
    }
}

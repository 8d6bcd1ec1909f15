//! The command line: `--name value` options and positional arguments.

use std::str::FromStr;
use std::sync::Arc;

use hansu_engine::{Evaluator, Net};

/// The parsed command line.
pub(crate) struct Arguments {
    named: Vec<(String, String)>,
    /// Arguments without a name, in their order.
    pub(crate) plain: Vec<String>,
}

impl Arguments {
    pub(crate) fn parse(words: &[String]) -> Arguments {
        let mut arguments = Arguments { named: Vec::new(), plain: Vec::new() };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.strip_prefix("--") {
                Some(name) => {
                    let value = words.next().cloned().unwrap_or_default();
                    arguments.named.push((name.to_owned(), value));
                }
                None => arguments.plain.push(word.clone()),
            }
        }
        arguments
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

/// The static evaluation by name: `hand`, `own` (the net that comes with the engine) or a net's
/// file.
pub(crate) fn evaluator(name: &str) -> Result<Evaluator, String> {
    match name {
        "hand" => Ok(Evaluator::Hand),
        "own" => Ok(Evaluator::best()),
        file => {
            let bytes = std::fs::read(file).map_err(|why| format!("{file}: {why}"))?;
            let net = Net::from_bytes(&bytes).map_err(|why| format!("{file}: {why}"))?;
            Ok(Evaluator::Net(Arc::new(net)))
        }
    }
}

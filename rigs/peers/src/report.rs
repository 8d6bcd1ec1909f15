//! Prints figures as text tables and writes them as JSON.

use std::fmt;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Result;
use serde::Serialize;

use crate::arguments::Options;
use crate::rivals::RIVALS;
use crate::statistics::{geometric_mean, median};

/// Everything measured in one run.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    build: Build,
    rounds: u32,
    quick: bool,
    tables: Vec<FigureTable>,
}

/// The build's target features, without which the figures mean nothing.
#[derive(Debug, Serialize)]
struct Build {
    architecture: &'static str,
    bmi2: bool,
    avx512: bool,
    optimised: bool,
}

impl Report {
    pub(crate) fn new(options: &Options) -> Self {
        Self {
            build: Build {
                architecture: std::env::consts::ARCH,
                bmi2: cfg!(target_feature = "bmi2"),
                avx512: cfg!(target_feature = "avx512f"),
                optimised: !cfg!(debug_assertions),
            },
            rounds: options.rounds,
            quick: options.quick,
            tables: Vec::new(),
        }
    }

    /// Keeps a finished table and prints it at once, since the next may take minutes.
    pub(crate) fn add(&mut self, table: FigureTable) {
        println!("{table}");
        self.tables.push(table);
    }

    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        let mut file = BufWriter::new(File::create(path)?);
        serde_json::to_writer_pretty(&mut file, self)?;
        writeln!(file)?;
        file.flush()?;
        Ok(())
    }
}

/// Whether larger or smaller figures are better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Better {
    More,
    Less,
    /// A library is only compared with itself.
    Neither,
}

/// Whether a mean over the columns is meaningful.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Columns {
    Alike,
    Different,
}

/// The figures of one task: a row per library, a column per case.
#[derive(Debug, Serialize)]
pub(crate) struct FigureTable {
    task: &'static str,
    unit: &'static str,
    better: Better,
    #[serde(skip)]
    columns: Columns,
    cases: Vec<String>,
    rows: Vec<Row>,
}

#[derive(Debug, Serialize)]
struct Row {
    name: &'static str,
    /// The figure of each round, for each case.
    rounds: Vec<Vec<f64>>,
    /// Their medians; `None` where the library lacks the task.
    figures: Vec<Option<f64>>,
    mean: Option<f64>,
    /// How many times better Hansu is, as the median over the rounds: above one, Hansu wins.
    hansu: Vec<Option<f64>>,
    hansu_mean: Option<f64>,
}

impl FigureTable {
    pub(crate) fn new(
        task: &'static str,
        unit: &'static str,
        better: Better,
        columns: Columns,
    ) -> Self {
        Self { task, unit, better, columns, cases: Vec::new(), rows: Vec::new() }
    }

    /// Adds a column: for each library that took part, its figure in every round.
    pub(crate) fn column(&mut self, case: String, figures: &[(&str, Vec<f64>)]) {
        self.cases.push(case);
        for rival in RIVALS {
            let rounds = figures
                .iter()
                .find(|(name, _)| *name == rival.name)
                .map(|(_, rounds)| rounds.clone())
                .unwrap_or_default();
            let width = self.cases.len() - 1;
            let row = match self.rows.iter_mut().find(|row| row.name == rival.name) {
                Some(row) => row,
                None if rounds.is_empty() => continue,
                None => {
                    self.rows.push(Row::empty(rival.name, width));
                    self.rows.last_mut().expect("a row was just pushed")
                }
            };
            row.figures.push(median(&rounds));
            row.rounds.push(rounds);
        }
        self.compare();
    }

    /// Recomputes means and ratios over the current columns.
    fn compare(&mut self) {
        let ours: Vec<Vec<f64>> = self
            .rows
            .iter()
            .find(|row| row.name == RIVALS[0].name)
            .map(|row| row.rounds.clone())
            .unwrap_or_default();
        for row in &mut self.rows {
            row.hansu = row
                .rounds
                .iter()
                .enumerate()
                .map(|(case, theirs)| median(&ratios(ours.get(case)?, theirs, self.better)))
                .collect();
            if self.columns == Columns::Alike {
                row.mean = mean(&row.figures);
                row.hansu_mean = mean(&row.hansu);
            }
        }
    }
}

impl Row {
    fn empty(name: &'static str, width: usize) -> Self {
        Self {
            name,
            rounds: vec![Vec::new(); width],
            figures: vec![None; width],
            mean: None,
            hansu: Vec::new(),
            hansu_mean: None,
        }
    }

    fn is_compared(&self) -> bool {
        self.name != RIVALS[0].name && self.hansu.iter().any(Option::is_some)
    }
}

/// How many times better Hansu was in each round. A machine's speed changes from minute to minute,
/// but within a round it is the same for all.
fn ratios(ours: &[f64], theirs: &[f64], better: Better) -> Vec<f64> {
    let pairs = ours.iter().zip(theirs);
    pairs
        .filter_map(|(ours, theirs)| match better {
            Better::More => Some(ours / theirs),
            Better::Less => Some(theirs / ours),
            Better::Neither => None,
        })
        .collect()
}

/// The geometric mean of a complete row; `None` if a case is missing, since it would not be
/// comparable.
fn mean(figures: &[Option<f64>]) -> Option<f64> {
    let figures: Option<Vec<f64>> = figures.iter().copied().collect();
    geometric_mean(&figures?)
}

impl fmt::Display for FigureTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut heads: Vec<&str> = self.cases.iter().map(String::as_str).collect();
        if self.columns == Columns::Alike {
            heads.push("mean");
        }
        writeln!(f, "{} ({})", self.task, self.unit)?;
        write!(f, "{:16}", "")?;
        for head in &heads {
            write!(f, "  {head:>12}")?;
        }
        for row in &self.rows {
            write!(f, "\n{:16}", row.name)?;
            let means = (self.columns == Columns::Alike).then_some(row.mean);
            for (cell, head) in row.figures.iter().copied().chain(means).zip(&heads) {
                write!(f, "  {:>1$}", format_figure(cell), head.len().max(12))?;
            }
        }
        for row in self.rows.iter().filter(|row| row.is_compared()) {
            write!(f, "\n{:16}", "hansu is")?;
            let means = (self.columns == Columns::Alike).then_some(row.hansu_mean);
            for (cell, head) in row.hansu.iter().copied().chain(means).zip(&heads) {
                let ratio = cell.map_or("-".into(), |ratio| format!("× {ratio:.2}"));
                write!(f, "  {:>1$}", ratio, head.len().max(12))?;
            }
            write!(f, "  {}", row.name)?;
        }
        writeln!(f)
    }
}

/// A figure with three significant digits.
fn format_figure(figure: Option<f64>) -> String {
    match figure {
        Some(figure) if figure >= 100.0 => format!("{figure:.0}"),
        Some(figure) if figure >= 10.0 => format!("{figure:.1}"),
        Some(figure) => format!("{figure:.2}"),
        None => "-".into(),
    }
}

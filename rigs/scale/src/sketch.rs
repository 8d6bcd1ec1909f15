//! The runs as a picture: a column per scenario, a row per measure.

use std::fmt::Write as _;

use crate::scenario::{Scenario, WHEN};
use crate::second::Second;
use crate::world::RunStats;

const PANEL: (f64, f64) = (200.0, 110.0);
const GAP: (f64, f64) = (26.0, 34.0);
const LEFT: f64 = 96.0;
const TOP: f64 = 44.0;

/// A measure: its name and unit, its value in a second, and the smallest full scale of a panel.
struct Measure {
    name: &'static str,
    unit: &'static str,
    of: fn(&Second) -> f64,
    least: f64,
}

const MEASURES: [Measure; 4] = [
    Measure { name: "without a line", unit: "people", of: |second| second.outside, least: 100.0 },
    Measure { name: "busiest node", unit: "%", of: |second| second.busiest * 100.0, least: 100.0 },
    Measure { name: "seen, p99", unit: "ms", of: |second| second.far_p99 * 1e3, least: 20.0 },
    Measure { name: "database", unit: "cores", of: |second| second.pg_cores, least: 4.0 },
];

/// Draws the runs as an SVG.
pub fn draw(runs: &[(Scenario, RunStats)]) -> String {
    let width = LEFT + runs.len() as f64 * (PANEL.0 + GAP.0);
    let height = TOP + MEASURES.len() as f64 * (PANEL.1 + GAP.1);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    for (column, (scenario, stats)) in runs.iter().enumerate() {
        let x = LEFT + column as f64 * (PANEL.0 + GAP.0);
        let title = format!(
            "<text x=\"{x:.0}\" y=\"24\" font-size=\"11\">{}</text>",
            scenario.description()
        );
        let _ = writeln!(svg, "{title}");
        for (row, measure) in MEASURES.iter().enumerate() {
            let y = TOP + row as f64 * (PANEL.1 + GAP.1);
            panel(&mut svg, (x, y), measure, stats);
        }
    }
    for (row, measure) in MEASURES.iter().enumerate() {
        let y = TOP + row as f64 * (PANEL.1 + GAP.1) + PANEL.1 / 2.0;
        let _ = writeln!(
            svg,
            "<text x=\"8\" y=\"{y:.0}\">{}</text><text x=\"8\" y=\"{:.0}\" fill=\"#667\">{}</text>",
            measure.name,
            y + 14.0,
            measure.unit
        );
    }
    svg.push_str("</svg>\n");
    svg
}

fn panel(svg: &mut String, (x, y): (f64, f64), measure: &Measure, stats: &RunStats) {
    let (Some(first), Some(last)) = (stats.seconds.first(), stats.seconds.last()) else {
        return;
    };
    let (begin, end) = (first.at, last.at.max(first.at + 1.0));
    let values = stats.seconds.iter().map(|second| (measure.of)(second));
    let top = values.fold(measure.least, f64::max);
    let across = |at: f64| x + (at - begin) / (end - begin) * PANEL.0;
    let points: Vec<String> = stats
        .seconds
        .iter()
        .map(|second| {
            let up = (measure.of)(second) / top;
            format!("{:.1},{:.1}", across(second.at), y + PANEL.1 * (1.0 - up))
        })
        .collect();
    let when = across(WHEN);
    let (right, foot) = (x + PANEL.0, y + PANEL.1);
    let _ = writeln!(
        svg,
        "<path d=\"M{x:.0} {y:.0}V{foot:.0}H{right:.0}\" fill=\"none\" stroke=\"#99a\"/>\
         <path d=\"M{when:.1} {y:.0}V{foot:.0}\" stroke=\"#c66\" stroke-dasharray=\"3 3\"/>\
         <polyline points=\"{}\" fill=\"none\" stroke=\"#246\" stroke-width=\"1.5\"/>\
         <text x=\"{:.0}\" y=\"{:.0}\" fill=\"#667\" text-anchor=\"end\">{}</text>\
         <text x=\"{right:.0}\" y=\"{:.0}\" fill=\"#667\" text-anchor=\"end\">{:.0} s</text>",
        points.join(" "),
        right,
        y - 3.0,
        crate::report::number(top),
        foot + 13.0,
        end - WHEN
    );
}

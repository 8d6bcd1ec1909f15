// Counts the lines of shipped code by crate, without blank lines, comments and tests.
//
//   node tools/lines.mjs [REVISION …]
import { execFileSync } from "node:child_process";

const root = new URL("..", import.meta.url);
const git = (...words) =>
    execFileSync("git", words, { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 });

/** Crates that are never shipped; in old revisions they are in crates/ instead of rigs/. */
const RIGS = ["ground", "load", "oracle", "peers", "scale", "simulation"];

function count(revision) {
    const lines = new Map();
    for (const path of git("ls-tree", "-r", "--name-only", revision, "crates").split("\n")) {
        const [, crate, file] = /^crates\/([a-z]+)\/src\/(.*)\.rs$/.exec(path) ?? [];
        if (!crate || RIGS.includes(crate) || /(^|\/)(tests|laws)(\/|$)/.test(file)) continue;
        const [code] = git("show", `${revision}:${path}`).split(/\n#\[cfg\(test\)\]\nmod \w+ \{/);
        const counted = code.split("\n").filter((line) => /^\s*(?!\/\/)\S/.test(line));
        lines.set(crate, (lines.get(crate) ?? 0) + counted.length);
    }
    return lines;
}

const revisions = process.argv.length > 2 ? process.argv.slice(2) : ["HEAD"];
const counts = revisions.map(count);
const crates = [...new Set(counts.flatMap((own) => [...own.keys()]))].sort();
const row = (name, numbers) =>
    console.log(name.padEnd(12) + numbers.map((number) => String(number).padStart(9)).join(""));
row("", revisions.map((revision) => revision.slice(0, 7)));
for (const crate of crates) row(crate, counts.map((own) => own.get(crate) ?? 0));
row("all", counts.map((own) => [...own.values()].reduce((sum, number) => sum + number, 0)));

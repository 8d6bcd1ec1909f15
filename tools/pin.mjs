// Writes the digests of all foreign container images into deploy/, so that an image stays the same:
// `postgres:15-bookworm` becomes `postgres:15-bookworm@sha256:…`. Asks the registry through docker
// or
// skopeo; an image that is already pinned gets its current digest.
//
//   node tools/pin.mjs [FOLDER]

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = process.argv[2] ?? fileURLToPath(new URL("../deploy", import.meta.url));
/** `image: NAME` in YAML, `FROM NAME` in a Dockerfile; our own image has no digest yet. */
const named = /^(\s*(?:image:|FROM)\s+)([^\s@$]+)(?:@sha256:[0-9a-f]{64})?(?=\s|$)/gm;
const isOurs = (image) => /(^|\/)hansu:/.test(image) || !image.includes(":");

const files = (at) =>
    readdirSync(at).flatMap((name) => {
        const path = join(at, name);
        if (statSync(path).isDirectory()) return files(path);
        return /\.ya?ml$|Dockerfile$/.test(name) ? [path] : [];
    });

const tools = [
    ["docker", (image) => ["buildx", "imagetools", "inspect", image, "--format", "{{.Manifest.Digest}}"]],
    ["skopeo", (image) => ["inspect", "--format", "{{.Digest}}", `docker://${image}`]],
];

function fetchDigest(image) {
    const problems = [];
    for (const [program, args] of tools) {
        try {
            const digest = execFileSync(program, args(image), { encoding: "utf8", stdio: "pipe" }).trim();
            if (/^sha256:[0-9a-f]{64}$/.test(digest)) return digest;
            problems.push(`${program} said ${JSON.stringify(digest)}`);
        } catch (error) {
            problems.push(error.code === "ENOENT" ? `${program} is not here` : `${program}: ${error.stderr}`);
        }
    }
    console.error(`${image}: no digest. ${problems.join("; ")}`);
    process.exit(1);
}

const texts = files(folder).map((path) => [path, readFileSync(path, "utf8")]);
const images = new Set(
    texts.flatMap(([, text]) => [...text.matchAll(named)].map(([, , image]) => image)).filter((one) => !isOurs(one)),
);
// All digests are fetched before anything is written.
const digests = new Map([...images].map((image) => [image, fetchDigest(image)]));
for (const [path, text] of texts) {
    const pinned = text.replace(named, (line, before, image) =>
        digests.has(image) ? `${before}${image}@${digests.get(image)}` : line,
    );
    if (pinned !== text) writeFileSync(path, pinned);
}
for (const [image, digest] of digests) console.log(`${image}@${digest}`);

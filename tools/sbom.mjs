// Prints the program's components as a CycloneDX 1.6 document: the crates that are linked into it
// (with their checksums from Cargo.lock) and the npm packages in its page.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const root = new URL("..", import.meta.url);
const read = (name) => readFileSync(new URL(name, root), "utf8");
const run = (program, ...args) =>
    execFileSync(program, args, { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 });

const host = /^host: (.+)$/m.exec(run("rustc", "-vV"))[1];
const metadata = JSON.parse(
    run("cargo", "metadata", "--format-version=1", "--locked", `--filter-platform=${host}`),
);
const packages = new Map(metadata.packages.map((one) => [one.id, one]));
const nodes = new Map(metadata.resolve.nodes.map((one) => [one.id, one]));
const program = metadata.packages.find((one) => one.name === "hansu");

/** The crates that a crate links, without those that only build or test it. */
const linked = (id) =>
    nodes
        .get(id)
        .deps.filter((dep) => dep.dep_kinds.some(({ kind }) => kind === null))
        .map((dep) => dep.pkg)
        .filter((to) => !packages.get(to).targets.some(({ kind }) => kind.includes("proc-macro")));

const reached = new Set([program.id]);
for (const id of reached) for (const to of linked(id)) reached.add(to);

const checksums = new Map();
for (const part of read("Cargo.lock").split("[[package]]")) {
    const field = (name) => new RegExp(`^${name} = "(.+)"$`, "m").exec(part)?.[1];
    if (field("checksum")) checksums.set(`${field("name")}@${field("version")}`, field("checksum"));
}

/** A crate as a CycloneDX component. */
function crate(id) {
    const { name, version, license } = packages.get(id);
    const checksum = checksums.get(`${name}@${version}`);
    return {
        type: "library",
        "bom-ref": `pkg:cargo/${name}@${version}`,
        name,
        version,
        purl: `pkg:cargo/${name}@${version}`,
        ...(license && { licenses: [{ expression: license.replaceAll("/", " OR ") }] }),
        ...(checksum && { hashes: [{ alg: "SHA-256", content: checksum }] }),
    };
}

/** The page's packages without build tools. Svelte is a development dependency but part of the page. */
const modules = Object.entries(JSON.parse(read("web/package-lock.json")).packages)
    .filter(([path, { dev }]) => path !== "" && (!dev || path === "node_modules/svelte"))
    .map(([path, { version, license, integrity }]) => {
        const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
        const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
        const [, sum] = /^sha512-(.+)$/.exec(integrity ?? "") ?? [];
        return {
            type: "library",
            "bom-ref": purl,
            name,
            version,
            purl,
            ...(license && { licenses: [{ expression: license }] }),
            ...(sum && {
                hashes: [{ alg: "SHA-512", content: Buffer.from(sum, "base64").toString("hex") }],
            }),
        };
    });

const own = crate(program.id);
const parts = [...reached].filter((id) => id !== program.id);
const reference = (id) => crate(id)["bom-ref"];
const document = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: { ...own, type: "application" } },
    components: [...parts.map(crate), ...modules],
    dependencies: [...reached].map((id) => ({
        ref: reference(id),
        dependsOn: [
            ...linked(id).map(reference),
            ...(id === program.id ? modules.map(({ purl }) => purl) : []),
        ],
    })),
};
console.log(JSON.stringify(document, null, 2));

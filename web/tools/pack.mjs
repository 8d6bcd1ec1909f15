// Compresses every file of a built page: `node pack.mjs PAGE PACKED` writes PACKED/NAME.gz and
// PACKED/NAME.br if they are smaller than the file. crates/hansu includes them in the binary.
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const [page, packed] = process.argv.slice(2);
if (!page || !packed) throw new Error('node pack.mjs PAGE PACKED');

const ways = {
  gz: (bytes) => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
};

async function pack(name) {
  const bytes = await readFile(join(page, name));
  for (const [ending, way] of Object.entries(ways)) {
    const small = await way(bytes);
    if (small.length < bytes.length) await writeFile(join(packed, `${name}.${ending}`), small);
  }
}

await rm(packed, { recursive: true, force: true });
const entries = await readdir(page, { recursive: true, withFileTypes: true });
const names = entries
  .filter((entry) => entry.isFile())
  .map((entry) => relative(page, join(entry.parentPath, entry.name)));
for (const folder of new Set(names.map((name) => dirname(name)))) {
  await mkdir(join(packed, folder), { recursive: true });
}
await Promise.all(names.map(pack));

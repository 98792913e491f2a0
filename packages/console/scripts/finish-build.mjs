// After the bundle: every file also compressed, and the table of names that the server serves from.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

const dist = join(import.meta.dirname, '..', 'dist', 'page');
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

const names = readdirSync(dist, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && extname(entry.name) in TYPES)
  .map((entry) => join(entry.parentPath, entry.name).slice(dist.length + 1))
  .sort();
const table = {};
for (const name of names) {
  const bytes = readFileSync(join(dist, name));
  writeFileSync(join(dist, `${name}.br`), brotliCompressSync(bytes));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  table[name] = { type: TYPES[extname(name)], immutable: name.startsWith('assets/'), sha256 };
}
writeFileSync(join(dist, 'files.json'), `${JSON.stringify(table, null, 2)}\n`);

// `prepack` of every package: what its manifest points to has to be there, or nothing is packed. A tarball without its build
// installs without a word and fails at the first import.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Returns one sentence for each file that is missing, and one for each that the package can do without. */
export function checkBuilt(directory) {
  const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  const isThere = (file) => sizeOf(join(directory, file)) > 0;
  const programs = manifest.publishConfig?.executableFiles ?? [];
  const hereProgram = programs.filter((file) => file.includes(`${process.platform}-${process.arch}/`));
  const needed = [
    ...filesOf(manifest.publishConfig?.exports ?? manifest.exports),
    ...filesOf(manifest.bin),
    ...hereProgram,
  ];
  const missing = [...new Set(needed)].filter((file) => !isThere(file));
  const others = programs.filter((file) => !hereProgram.includes(file) && !isThere(file));
  return {
    missing: missing.map(
      (file) => `${manifest.name}: ${file} is missing or empty: run npm run build before packing.`,
    ),
    warnings: others.map(
      (file) =>
        `${manifest.name}: no ${file}. There the weaker pure-Node path runs (see codex doctor) until it is built.`,
    ),
  };
}

/** Every path that a user can reach; the sources, which only this workspace uses, are not packed. */
function filesOf(exported) {
  if (typeof exported === 'string') return exported.includes('*') ? [] : [exported];
  return Object.entries(exported ?? {}).flatMap(([key, value]) =>
    key === '@codex/source' ? [] : filesOf(value),
  );
}

function sizeOf(file) {
  try {
    return statSync(file).size;
  } catch {
    return 0;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { missing, warnings } = checkBuilt(process.cwd());
  for (const line of [...warnings, ...missing]) process.stderr.write(`${line}\n`);
  process.exitCode = missing.length === 0 ? 0 : 1;
}

// The packages that are published, and the tarballs they are published as.
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runPnpm } from './install.mjs';
import { inRoot } from './workspace.mjs';

export function publicPackages() {
  return ['packages', 'apps'].flatMap((folder) =>
    readdirSync(inRoot(folder)).flatMap((name) => {
      const directory = inRoot(folder, name);
      const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
      return manifest.private ? [] : [{ directory, manifest }];
    }),
  );
}

/** Packs every public package into `destination` and returns name → tarball. */
export async function packAll(destination) {
  rmSync(destination, { recursive: true, force: true });
  mkdirSync(destination, { recursive: true });
  const filters = publicPackages().flatMap(({ manifest }) => ['--filter', manifest.name]);
  await runPnpm(['--recursive', ...filters, 'pack', '--pack-destination', destination], { quiet: true });
  const files = readdirSync(destination);
  return new Map(
    publicPackages().map(({ manifest }) => {
      const file = `${manifest.name.replace('@', '').replace('/', '-')}-${manifest.version}.tgz`;
      if (!files.includes(file)) throw new Error(`${file} was not packed`);
      return [manifest.name, join(destination, file)];
    }),
  );
}

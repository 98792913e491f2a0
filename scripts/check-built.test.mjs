import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { checkBuilt } from './check-built.mjs';
import { publicPackages } from './steps/packages.mjs';

const here = `./prebuilt/${process.platform}-${process.arch}/program`;

function packageOf(manifest, files) {
  const directory = mkdtempSync(join(tmpdir(), 'check-built-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ name: 'sample', ...manifest }));
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(join(directory, file, '..'), { recursive: true });
    writeFileSync(join(directory, file), content);
  }
  return directory;
}

const manifest = {
  exports: {
    '.': { '@codex/source': './src/index.ts', types: './dist/index.d.ts', default: './dist/index.js' },
    './files/*': './files/*',
  },
  bin: { sample: 'dist/program.js' },
  publishConfig: { executableFiles: [here, './prebuilt/other-cpu/program'] },
};
const built = { 'dist/index.js': 'x', 'dist/index.d.ts': 'x', 'dist/program.js': 'x', [here]: 'x' };

it('finds nothing missing in a package that is built, and names a program that it does without', () => {
  const { missing, warnings } = checkBuilt(packageOf(manifest, built));
  expect(missing).toEqual([]);
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain('other-cpu');
});

it.each(Object.keys(built))('refuses a package without %s, or with an empty one', (file) => {
  const { [file]: _left, ...others } = built;
  for (const files of [others, { ...others, [file]: '' }]) {
    const { missing } = checkBuilt(packageOf(manifest, files));
    expect(missing).toHaveLength(1);
    expect(missing[0]).toContain(file);
  }
});

it('is asked by every public package before it is packed', () => {
  const without = publicPackages().filter(
    (each) => !each.manifest.scripts?.prepack?.includes('check-built.mjs'),
  );
  expect(without.map((each) => each.manifest.name)).toEqual([]);
});

import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect, it } from 'vitest';
import { generateFiles } from '../scripts/generated-files.ts';
import { schemas } from './schema/index.js';

const packageFile = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

it('generated files are fresh: run `npm run generate` and commit when this fails', () => {
  for (const [path, text] of generateFiles()) {
    expect(packageFile(path) === text, `${path} is stale`).toBe(true);
  }
});

it('validators need nothing at run time', () => {
  for (const name of ['params-validators', 'message-validators']) {
    expect(packageFile(`src/generated/${name}.js`)).not.toMatch(/\brequire\(|\bimport\b/);
  }
});

it('the published schemas compile on their own, references included', () => {
  const ajv = new Ajv({ schemas: Object.values(schemas), discriminator: true, allowUnionTypes: true });
  for (const name of Object.keys(schemas)) expect(ajv.getSchema(name), name).toBeTypeOf('function');
  const bundle = JSON.parse(packageFile('schema/exec-server.schema.json')) as { $defs: object };
  expect(bundle.$defs).toEqual(schemas);
});

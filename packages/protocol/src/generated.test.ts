import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
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
  for (const name of ['first-validators', 'process-validators', 'params-validators', 'message-validators']) {
    expect(packageFile(`src/generated/${name}.js`)).not.toMatch(/\brequire\(|\bimport\b/);
  }
});

it('the published schemas compile on their own, references included', () => {
  const ajv = new Ajv({ schemas: Object.values(schemas), discriminator: true, allowUnionTypes: true });
  for (const name of Object.keys(schemas)) expect(ajv.getSchema(name), name).toBeTypeOf('function');
});

it('the bundle compiles as one document, references within it', () => {
  const bundle = JSON.parse(packageFile('schema/exec-server.schema.json')) as { $id: string; $defs: object };
  expect(Object.keys(bundle.$defs)).toEqual(Object.keys(schemas));
  const ajv = new Ajv2020({ discriminator: true, allowUnionTypes: true, strict: false });
  ajv.addSchema(bundle);
  for (const name of Object.keys(schemas)) {
    expect(ajv.getSchema(`${bundle.$id}#/$defs/${name}`), name).toBeTypeOf('function');
  }
});

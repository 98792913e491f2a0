import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AccessMap } from './effective-access.js';
import { MountedNames } from './mounted-names.js';
import { denyOtherNames } from './other-names.js';
import { PathInspector } from './path-inspector.js';
import { inOneGo } from './time-slices.js';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'names-')));
  for (const name of ['first', 'second']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'first', 'key'), 'secret');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** As if `second` showed what is in `first`. */
function denied(rules: [string, 'read' | 'write' | 'deny'][]): string[] {
  const access = new AccessMap();
  for (const [path, wanted] of rules) access.set(join(folder, path), wanted);
  const table = `1 0 8:1 / / rw - ext4 d rw\n2 1 8:1 ${folder}/first ${folder}/second rw - ext4 d rw\n`;
  inOneGo(denyOtherNames(access, new PathInspector(), () => new MountedNames(table)));
  return [...access].filter(([, wanted]) => wanted === 'deny').map(([path]) => path.slice(folder.length + 1));
}

it('denies the other name of a denied file', () => {
  linkSync(join(folder, 'first', 'key'), join(folder, 'second', 'key'));
  expect(
    denied([
      ['', 'read'],
      ['first/key', 'deny'],
    ]),
  ).toEqual(['first/key', 'second/key']);
  expect(
    denied([
      ['', 'read'],
      ['second/key', 'deny'],
    ]),
  ).toEqual(['second/key', 'first/key']);
});

it('denies it also where the other name is granted', () => {
  linkSync(join(folder, 'first', 'key'), join(folder, 'second', 'key'));
  expect(
    denied([
      ['second/key', 'write'],
      ['first/key', 'deny'],
    ]),
  ).toEqual(['second/key', 'first/key']);
});

it('leaves what lies there instead, when the mount is covered', () => {
  writeFileSync(join(folder, 'second', 'key'), 'another file');
  expect(
    denied([
      ['', 'read'],
      ['first/key', 'deny'],
    ]),
  ).toEqual(['first/key']);
});

it('leaves a missing name', () => {
  expect(
    denied([
      ['', 'read'],
      ['first/none', 'deny'],
    ]),
  ).toEqual(['first/none']);
});

// The manifest and the suites belong together: each requirement is verified, each verified id exists, each expected
// difference names a requirement that its target runs.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { EXPECTED_OF_CODEX } from './expected/codex-0.169.0.js';
import { EXPECTED_OF_OURS } from './expected/ours.js';
import { duplicateIds, REQUIREMENTS } from './requirements/manifest.js';
import { registeredChecks } from './runner/registry.js';
import './suites/all-suites.js';

const inRoot = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const FAMILIES = [
  'session',
  'envelope',
  'transport',
  'environment',
  'environment-config',
  'process',
  'fs',
  'http',
  'capability',
  'observe',
  'binary',
];

describe('requirements', () => {
  it('have unique ids of the form family.method.behaviour', () => {
    expect(duplicateIds()).toEqual([]);
    for (const id of REQUIREMENTS.keys()) {
      expect(id).toMatch(/^[a-z-]+\.[a-zA-Z0-9-]+\.[a-z0-9-]+$/);
      expect(FAMILIES).toContain(id.split('.')[0]);
    }
  });

  it('are each verified by a suite, and no suite verifies anything else', () => {
    expect([...registeredChecks().keys()].sort()).toEqual([...REQUIREMENTS.keys()].sort());
  });

  it('cite documents of this project that exist', () => {
    const cited = [...REQUIREMENTS.values()].flatMap(
      ({ source }) => /^this project: (.*)$/.exec(source)?.[1] ?? [],
    );
    expect([...new Set(cited)].filter((document) => !existsSync(inRoot(document)))).toEqual([]);
  });

  it('say in one sentence what is required', () => {
    for (const { id, behaviour } of REQUIREMENTS.values()) expect(behaviour, id).toMatch(/^\S.*[.)]$/s);
  });
});

describe('expected differences', () => {
  it('of codex are the ones that docs/differences.md lists', () => {
    const documented =
      readFileSync(inRoot('docs/differences.md'), 'utf8').match(/`[a-z]+\.[a-zA-Z-]+\.[a-z0-9-]+`/g) ?? [];
    const listed = EXPECTED_OF_CODEX.map(({ id }) => `\`${id}\``);
    expect(documented.toSorted()).toEqual(listed.toSorted());
  });

  it.each([
    ['ours', EXPECTED_OF_OURS],
    ['codex 0.169.0', EXPECTED_OF_CODEX],
  ])('of %s name requirements that exist, once, with a reason', (_name, entries) => {
    const ids = entries.map(({ id }) => id);
    expect(ids.filter((id) => !REQUIREMENTS.has(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id, reason } of entries) expect(reason, id).not.toBe('');
  });
});

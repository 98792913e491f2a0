import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PolicyEntry } from '../policy/policy-model.js';
import { resolvePolicy } from '../policy/resolve-policy.js';
import { buildMountPlan } from './build-mount-plan.js';
import { type PathFacts, PathInspector } from './locate/path-inspector.js';

/** Looks at the disk in one step. Each is some microseconds; between two steps others can be served. */
const MAX_LOOKS = 32;

class CountingInspector extends PathInspector {
  looks = 0;
  override inspect(path: string): PathFacts {
    this.looks += 1;
    return super.inspect(path);
  }
}

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'planning-steps-')));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function looksPerStep(entries: readonly PolicyEntry[]): number[] {
  const policy = resolvePolicy(
    {
      fileSystem: { type: 'restricted', entries: [{ path: { type: 'root' }, access: 'read' }, ...entries] },
      network: 'restricted',
    },
    { cwd: base, workspaceRoots: [base], protectedNames: ['.git', '.codex', '.agents', '.aws'] },
  );
  const inspector = new CountingInspector();
  const steps = buildMountPlan({ policy, inspector });
  const counts: number[] = [];
  for (let isDone = false; !isDone; ) {
    inspector.looks = 0;
    isDone = steps.next().done === true;
    counts.push(inspector.looks);
  }
  return counts;
}

const at = (path: string, access: PolicyEntry['access']): PolicyEntry => ({
  path: { type: 'path', path },
  access,
});

describe('planning of mounts', () => {
  it('has a step for each of many writable directories', () => {
    const roots = Array.from({ length: 200 }, (_, index) => `${base}/d${index}/a/b`);
    for (const root of roots) mkdirSync(root, { recursive: true });
    const counts = looksPerStep(roots.map((root) => at(root, 'write')));
    expect(counts.length).toBeGreaterThan(200);
    expect(Math.max(...counts)).toBeLessThanOrEqual(MAX_LOOKS);
  });

  it('has a step for each level of a deep path', () => {
    const deep = `${base}/${'d/'.repeat(200)}end`;
    mkdirSync(deep, { recursive: true });
    const counts = looksPerStep([at(base, 'write'), at(deep, 'deny')]);
    expect(Math.max(...counts)).toBeLessThanOrEqual(MAX_LOOKS);
  });

  it('has a step for each level of the targets of a chain of links', () => {
    mkdirSync(`${base}/ws`);
    mkdirSync(`${base}/end`);
    let target = `${base}/end`;
    for (let index = 0; index < 20; index += 1) {
      const directory = `${base}/${index}/${'d/'.repeat(100)}`;
      mkdirSync(directory, { recursive: true });
      symlinkSync(target, `${directory}link`);
      target = `${directory}link`;
    }
    symlinkSync(target, `${base}/ws/.git`);
    const counts = looksPerStep([at(`${base}/ws`, 'write')]);
    expect(counts.length).toBeGreaterThan(2000);
    expect(Math.max(...counts)).toBeLessThanOrEqual(MAX_LOOKS);
  });
});

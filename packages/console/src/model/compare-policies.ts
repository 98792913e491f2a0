// Two policies side by side: every place that one of them names, and what each says of it. Pure.

import type { PolicyNode, SandboxExplainResult } from '@codex/exec-protocol';

export type PlaceAccess = PolicyNode['access'];

export interface ComparedPlace {
  readonly path: string;
  readonly here: PlaceAccess;
  readonly there: PlaceAccess;
}

export interface ComparedPolicies {
  /** In order of their paths. */
  readonly places: readonly ComparedPlace[];
  readonly globs: readonly { readonly glob: string; readonly isHere: boolean; readonly isThere: boolean }[];
}

type Policy = Pick<SandboxExplainResult, 'nodes' | 'denyGlobs'>;

export function comparePolicies(here: Policy, there: Policy): ComparedPolicies {
  const [hereRules, thereRules] = [rulesOf(here), rulesOf(there)];
  const paths = [...new Set([...hereRules.keys(), ...thereRules.keys()])].sort();
  return {
    places: paths.map((path) => ({
      path,
      here: accessAt(hereRules, path),
      there: accessAt(thereRules, path),
    })),
    globs: [...new Set([...here.denyGlobs, ...there.denyGlobs])].sort().map((glob) => ({
      glob,
      isHere: here.denyGlobs.includes(glob),
      isThere: there.denyGlobs.includes(glob),
    })),
  };
}

/** Names that stay read-only inside of a place are places of their own here. */
function rulesOf({ nodes }: Policy): Map<string, PlaceAccess> {
  const rules = new Map<string, PlaceAccess>();
  for (const { path, access, readOnlyNames } of nodes) {
    for (const name of readOnlyNames ?? []) rules.set(below(path, name), 'read');
    rules.set(path, access);
  }
  return rules;
}

/** What the nearest rule above says. */
function accessAt(rules: ReadonlyMap<string, PlaceAccess>, path: string): PlaceAccess {
  for (let at = path; ; at = at.slice(0, at.lastIndexOf('/')) || '/') {
    const access = rules.get(at);
    if (access !== undefined) return access;
    if (at === '/' || !at.startsWith('/')) return 'deny';
  }
}

function below(path: string, name: string): string {
  return path === '/' ? `/${name}` : `${path}/${name}`;
}

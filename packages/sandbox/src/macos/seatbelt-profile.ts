// A seatbelt profile from a policy. Pure: what exists on disk comes in as a function. Built from documentation and never
// run on macOS; the golden tests fix its text, not its effect.
//
// seatbelt decides by the last rule that matches, so grants come first, then what is taken back, then the ancestors that
// must not be renamed. It cannot give a private loopback interface: `loopback` reaches local ports of the host.
import { SandboxError } from '../errors.js';
import { globToRegexSource } from '../policy/glob/glob-regex.js';
import { inTreeOrder, isWithin, joinPath, parentPath } from '../policy/path-text.js';
import type { ResolvedPolicy } from '../policy/resolve-policy.js';
import {
  baseProfile,
  networkEnabled,
  networkLoopback,
  platformDefaults,
  preferences,
} from './seatbelt-base.js';

export interface SeatbeltHost {
  /** `/tmp` to `/private/tmp` and the like; the path itself when it has no alias. */
  resolveAlias(path: string): string;
  isFile(path: string): boolean;
}

export interface SeatbeltCommand {
  /** What goes before the command. */
  readonly argv: readonly string[];
  readonly profile: string;
}

const sandboxExec = '/usr/bin/sandbox-exec';

export function buildSeatbeltCommand(policy: ResolvedPolicy, host: SeatbeltHost): SeatbeltCommand {
  const parameters = new Parameters();
  const profile = [
    baseProfile,
    ...fileRules({ policy, host, parameters }),
    policy.fullDiskRead ? preferences : '',
    policy.includesPlatformDefaults ? platformDefaults : '',
    ...globRules(policy),
    ...ancestorRules({ policy, host, parameters }),
    policy.network === 'enabled' ? networkEnabled : policy.network === 'loopback' ? networkLoopback : '',
  ]
    .filter((section) => section !== '')
    .join('\n');
  return { argv: [sandboxExec, '-p', profile, ...parameters.list, '--'], profile };
}

/** Paths travel as parameters, so that no character of a path is ever read as profile text. */
class Parameters {
  readonly #names = new Map<string, string>();

  param(kind: string, path: string): string {
    const key = `${kind} ${path}`;
    const name = this.#names.get(key) ?? `${kind}_${this.#names.size}`;
    this.#names.set(key, name);
    return `(param "${name}")`;
  }

  get list(): string[] {
    return [...this.#names].map(([key, name]) => `-D${name}=${key.slice(key.indexOf(' ') + 1)}`);
  }
}

interface Section {
  readonly policy: ResolvedPolicy;
  readonly host: SeatbeltHost;
  readonly parameters: Parameters;
}

function fileRules({ policy, host, parameters }: Section): string[] {
  if (policy.fullDiskWrite)
    return [
      '(allow file-read* file-test-existence file-map-executable)',
      '(allow file-write* (regex #"^/"))',
    ];
  const lines: string[] = [];
  const resolved = policy.rules.map((rule) => ({ ...rule, path: host.resolveAlias(rule.path) }));
  const rules = inTreeOrder(resolved, ({ path }) => path);
  for (const { path, access } of rules) {
    const place = host.isFile(path) ? literal(parameters, access, path) : within(parameters, access, path);
    if (access === 'deny') lines.push(`(deny file-read* file-write* ${place})`);
    else lines.push(`(allow file-read* file-test-existence file-map-executable ${place})`);
    if (access === 'write')
      lines.push(`(allow file-write* ${place})`, ...protectedNames({ policy, host, parameters }, path));
    if (access === 'read' && path !== '/') lines.push(`(deny file-write* ${place})`);
  }
  return lines;
}

/** Literal as well as subpath: the literal is what stops the first creation of the name. */
function protectedNames({ policy, host, parameters }: Section, root: string): string[] {
  const explicit = new Set(policy.rules.map((rule) => host.resolveAlias(rule.path)));
  return policy.protectedNames
    .map((name) => joinPath(root, name))
    .filter((path) => !explicit.has(path))
    .map(
      (path) =>
        `(deny file-write* ${literal(parameters, 'protected', path)} ${within(parameters, 'protected', path)})`,
    );
}

function globRules(policy: ResolvedPolicy): string[] {
  return policy.denyGlobs.map((pattern) => {
    // seatbelt knows no non-capturing group, and a quote would end the literal.
    const source = globToRegexSource(pattern).replaceAll('(?:', '(');
    if (source.includes('"')) {
      throw new SandboxError(
        'SANDBOX_POLICY_UNENFORCEABLE',
        `the deny glob ${pattern} contains a quote, which seatbelt cannot express`,
      );
    }
    return `(deny file-read* file-write* (regex #"${source}"))`;
  });
}

/** A rule belongs to a name, so nothing above it may be renamed or removed, up to the writable root and with it. */
function ancestorRules({ policy, host, parameters }: Section): string[] {
  if (policy.fullDiskWrite) return [];
  const roots = policy.rules
    .filter((rule) => rule.access === 'write')
    .map((rule) => host.resolveAlias(rule.path));
  const pinned = new Set<string>(roots);
  for (const rule of policy.rules) {
    if (rule.access === 'write') continue;
    const path = host.resolveAlias(rule.path);
    for (
      let at = parentPath(path);
      at !== '/' && roots.some((root) => isWithin(at, root));
      at = parentPath(at)
    )
      pinned.add(at);
  }
  return inTreeOrder(pinned, (path) => path).map(
    (path) =>
      `(deny file-write-unlink (require-all ${literal(parameters, 'ancestor', path)} (vnode-type DIRECTORY)))`,
  );
}

function literal(parameters: Parameters, kind: string, path: string): string {
  return `(literal ${parameters.param(kind.toUpperCase(), path)})`;
}

function within(parameters: Parameters, kind: string, path: string): string {
  return `(subpath ${parameters.param(kind.toUpperCase(), path)})`;
}

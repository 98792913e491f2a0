// The part of a policy that Landlock can express: it grants access below directories and takes nothing back inside them.
// A rule that takes something away inside a granted directory therefore has no form here, and the policy is refused.
import { readdirSync } from 'node:fs';
import type { LandlockAccess, LandlockRules } from '@codex/launcher';

import { SandboxError } from '../../errors.js';
import { inTreeOrder, isWithin, joinPath, parentPath } from '../../policy/path-text.js';
import type { ResolvedPolicy } from '../../policy/resolve-policy.js';
import type { WeakerForm } from '../../sandbox-request.js';
import { locateRules } from '../locate/located-rules.js';
import { PathInspector } from '../locate/path-inspector.js';
import type { Steps } from '../locate/time-slices.js';

/** Programs write to these whatever they do. */
const devices = [
  '/dev/null',
  '/dev/zero',
  '/dev/full',
  '/dev/random',
  '/dev/urandom',
  // Opens the terminal of the calling process, whichever that is. /dev/pts would open those of all.
  '/dev/tty',
];
/** Looked up by the command itself: its terminal, under the name that the terminal has in /dev/pts. */
const ownTerminal = '/proc/self/fd/0';
/** Terminals of everybody, disks, screens: granted only where a rule names them, never with all of the disk. */
const deviceFolder = '/dev';
const readable: readonly LandlockAccess[] = ['read', 'execute'];
const writable: readonly LandlockAccess[] = ['read', 'execute', 'write'];

type PathRule = NonNullable<LandlockRules['fs']>[number];

export interface LandlockInput {
  readonly policy: ResolvedPolicy;
  /** Denied whatever the policy says. */
  readonly alwaysDeny: readonly string[];
  /** Nothing in them can be written, whatever the policy says. */
  readonly ownFolders: readonly string[];
  readonly accept: readonly WeakerForm[];
  /** The command runs on a terminal. */
  readonly terminal: boolean;
}

export function* buildLandlockRules(input: LandlockInput): Steps<LandlockRules> {
  const { policy, alwaysDeny, ownFolders, accept } = input;
  if (policy.denyGlobs.length > 0) throw inexpressible(`the deny glob ${policy.denyGlobs[0] ?? ''}`);
  const unprotected = accept.includes('unprotected-metadata');
  const inspector = new PathInspector();
  const enforced = unprotected ? { ...policy, protectedNames: [] } : policy;
  const { access } = yield* locateRules(enforced, inspector, {
    always: alwaysDeny,
    unchangeable: ownFolders,
  });
  if (access.effective('/') === 'deny' && !accept.includes('hidden-attributes')) throw attributesShow();
  const fs: PathRule[] = [];
  for (const [path, wanted] of inTreeOrder(access, ([located]) => located)) {
    const around = path === '/' ? 'deny' : access.effective(parentPath(path));
    if (wanted === 'deny' && around !== 'deny')
      throw inexpressible(`denying ${path} inside what may be read`);
    if (wanted === 'read' && around === 'write') throw protectedInside(policy, path);
    if (wanted === 'deny') continue;
    if (path === '/') fs.push(...wholeDisk(wanted, inspector));
    else if (wanted !== around || isWithin(path, deviceFolder))
      fs.push({ path, allow: wanted === 'write' ? writable : readable });
  }
  for (const path of input.terminal ? [...devices, ownTerminal] : devices)
    fs.push({ path, allow: ['read', 'write'] });
  if (access.effective('/proc') === 'deny') fs.push({ path: '/proc', allow: ['read'] });
  const isolatesSignals = !accept.includes('host-signals');
  return {
    fs,
    ...(policy.network === 'enabled' ? {} : { tcp: { bind: [], connect: [] } }),
    ...(isolatesSignals ? { scope: { signals: true, abstractUnixSockets: true } } : {}),
    // Below 3 a file outside the roots could be truncated.
    minimumAbi: isolatesSignals ? 6 : policy.network === 'enabled' ? 3 : 4,
  };
}

/**
 * All that stands at the root but the devices, because Landlock takes nothing back inside of what it grants. Listing, making and
 * renaming are granted for the root itself, and so in the folder of devices too, where they open nothing.
 */
function wholeDisk(wanted: 'read' | 'write', inspector: PathInspector): PathRule[] {
  const names = readdirSync('/').map((name) => `/${name}`);
  // What a link leads to lies below another name.
  const granted = names.filter((path) => path !== deviceFolder && inspector.inspect(path).kind !== 'symlink');
  const allow = wanted === 'write' ? writable : readable;
  return [
    { path: '/', allow: wanted === 'write' ? ['list', 'rename'] : ['list'] },
    ...granted.map((path) => ({ path, allow })),
  ];
}

function protectedInside(policy: ResolvedPolicy, path: string): SandboxError {
  const isMetadata = policy.protectedNames.some((name) => path === joinPath(parentPath(path), name));
  return inexpressible(
    `keeping ${path} read-only inside a writable directory`,
    isMetadata ? ' (accept it unprotected by name: unprotected-metadata)' : '',
  );
}

/** Landlock asks when a file is opened or a directory listed, and not when somebody asks about a path. */
function attributesShow(): SandboxError {
  return new SandboxError(
    'SANDBOX_UNAVAILABLE',
    'bubblewrap cannot run here, and under Landlock alone the command can ask for size, owner, times, links and extended ' +
      'attributes of files that it may not read (accept it by name: hidden-attributes)',
  );
}

function inexpressible(what: string, hint = ''): SandboxError {
  return new SandboxError(
    'SANDBOX_UNAVAILABLE',
    `bubblewrap cannot run here, and Landlock alone has no form for ${what}${hint}`,
  );
}

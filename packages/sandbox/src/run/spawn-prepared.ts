// Starts a prepared command with Node alone, for callers without the launcher.
import { type ChildProcess, type IOType, spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { Duplex } from 'node:stream';
import type { InheritedFd } from '@codex/launcher';
import { SandboxError } from '../errors.js';
import { inheritedDescriptors } from '../inherited-descriptors.js';
import { closeQuietly, openAnonymousFile, readAnonymousFile } from '../linux/anonymous-file.js';
import { openExactly } from '../open-exactly.js';
import type { PreparedSandbox, StartedWrapper } from '../sandbox-request.js';
import { canKeepMounts, keepMounts } from './mount-keeper.js';

/** What a wrapper ends with when its command was killed. */
const KILLED = 137;
/** For a wrapper that nobody looks after. */
const SETTLED = new Uint8Array(1);

export interface SpawnPreparedOptions {
  /** Standard input, output and error as for `child_process.spawn`. Default all pipes. */
  readonly stdio?: readonly [IOType | number, IOType | number, IOType | number];
  /** One of its `keptMounts` was gone, and all of it was killed. Called around the end of the child, before or after its events. */
  readonly onLostMount?: (path: string) => void;
}

export interface StartedByNode {
  readonly child: ChildProcess;
  /** See `onLostMount`. Settles when the sandbox has ended, undefined where nothing was lost or nobody looked. */
  readonly lostMount: Promise<string | undefined>;
}

export function spawnPrepared(prepared: PreparedSandbox, options: SpawnPreparedOptions = {}): ChildProcess {
  const { child, lostMount } = startByNode(prepared, options);
  void lostMount.then((path) => {
    if (path !== undefined && !hasEndedByItself(child)) options.onLostMount?.(path);
  });
  return child;
}

/** The caller may have called `finish()` since, which takes mount points away. */
function hasEndedByItself({ exitCode, signalCode }: ChildProcess): boolean {
  return signalCode === null && exitCode !== null && exitCode !== KILLED;
}

export function startByNode(prepared: PreparedSandbox, options: SpawnPreparedOptions = {}): StartedByNode {
  if (prepared.restrict !== undefined) {
    throw new SandboxError(
      'SANDBOX_UNAVAILABLE',
      'this sandbox is applied by the launcher and cannot be started by Node alone',
    );
  }
  const temporary: number[] = [];
  let report: number | undefined;
  const settledAt = canKeepMounts(prepared)
    ? prepared.inheritFds.find((fd) => 'settled' in fd)?.as
    : undefined;
  const stdio: (IOType | number)[] = [...(options.stdio ?? ['pipe', 'pipe', 'pipe'])];
  try {
    for (const inherited of prepared.inheritFds) {
      if (inherited.as === settledAt) {
        stdio[settledAt] = 'pipe';
        continue;
      }
      const fd = openInherited(inherited);
      if ('report' in inherited) report = fd;
      else if (!('fd' in inherited)) temporary.push(fd);
      stdio[inherited.as] = fd;
    }
    coverInherited(stdio, temporary);
    const [file = '', ...args] = prepared.argv;
    const child = spawn(file, args, {
      cwd: prepared.cwd,
      env: { ...prepared.env },
      stdio,
      ...(prepared.arg0 === undefined ? {} : { argv0: prepared.arg0 }),
    });
    if (child.pid !== undefined) {
      prepared.started({ pid: child.pid, ...(report === undefined ? {} : { report: reportFile(report) }) });
      report = undefined;
    }
    const settled = settledAt === undefined ? undefined : child.stdio[settledAt];
    const isKept = settled instanceof Duplex;
    return {
      child,
      lostMount: isKept ? keepMounts(child, settled, prepared) : Promise.resolve(undefined),
    };
  } finally {
    for (const fd of temporary) closeQuietly(fd);
    if (report !== undefined) closeQuietly(report);
  }
}

function openInherited(inherited: InheritedFd): number {
  if ('data' in inherited) return openAnonymousFile(inherited.data);
  if ('path' in inherited) return openExactly(inherited.path, inherited.identity);
  if ('report' in inherited) return openAnonymousFile();
  if ('fd' in inherited) return inherited.fd;
  if ('settled' in inherited) return openAnonymousFile(SETTLED);
  throw new SandboxError('SANDBOX_PREPARE_FAILED', 'a sandbox that is planned later needs the launcher');
}

function reportFile(fd: number): NonNullable<StartedWrapper['report']> {
  return { read: () => readAnonymousFile(fd), close: () => closeQuietly(fd) };
}

/** Puts the null device in place of descriptors that the child would otherwise get from the parent of this process. */
function coverInherited(stdio: (IOType | number)[], temporary: number[]): void {
  if (process.platform !== 'linux') return;
  const exposed = inheritedDescriptors().filter((fd) => stdio[fd] === undefined);
  if (exposed.length === 0) return;
  const nothing = openSync('/dev/null', 'r');
  temporary.push(nothing);
  for (const fd of exposed) stdio[fd] = nothing;
  for (let fd = 0; fd < stdio.length; fd += 1) stdio[fd] ??= 'ignore';
}

// Starts a prepared command with Node alone, for callers without the launcher.
import { type ChildProcess, type IOType, spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { SandboxError } from './errors.js';
import { inheritedDescriptors } from './inherited-descriptors.js';
import { closeQuietly, openAnonymousFile } from './linux/anonymous-file.js';
import type { PreparedSandbox } from './sandbox-request.js';

export interface SpawnPreparedOptions {
  /** Standard input, output and error as for `child_process.spawn`. Default all pipes. */
  readonly stdio?: readonly [IOType | number, IOType | number, IOType | number];
}

export function spawnPrepared(prepared: PreparedSandbox, options: SpawnPreparedOptions = {}): ChildProcess {
  if (prepared.restrict !== undefined) {
    throw new SandboxError(
      'SANDBOX_UNAVAILABLE',
      'this sandbox is applied by the launcher and cannot be started by Node alone',
    );
  }
  const temporary: number[] = [];
  const stdio: (IOType | number)[] = [...(options.stdio ?? ['pipe', 'pipe', 'pipe'])];
  try {
    for (const inherited of prepared.inheritFds) {
      const fd = 'data' in inherited ? openAnonymousFile(inherited.data) : inherited.fd;
      if ('data' in inherited) temporary.push(fd);
      stdio[inherited.as] = fd;
    }
    coverInherited(stdio, temporary);
    const [file = '', ...args] = prepared.argv;
    return spawn(file, args, {
      cwd: prepared.cwd,
      env: { ...prepared.env },
      stdio,
      ...(prepared.arg0 === undefined ? {} : { argv0: prepared.arg0 }),
    });
  } finally {
    for (const fd of temporary) closeQuietly(fd);
    prepared.started();
  }
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

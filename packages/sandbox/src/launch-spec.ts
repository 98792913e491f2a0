// Turns a prepared sandbox into the launch specification of the launcher.
import type { InheritedFd, LaunchSpec } from '@codex/launcher';
import type { PreparedSandbox } from './sandbox-request.js';

export interface LaunchSpecOptions {
  readonly io: LaunchSpec['io'];
  /** Descriptors besides those of the sandbox. */
  readonly inheritFds?: readonly InheritedFd[];
}

/** What the launcher has to start. */
export function launchSpec(
  prepared: PreparedSandbox,
  { io, inheritFds = [] }: LaunchSpecOptions,
): LaunchSpec {
  const { argv, arg0, cwd, env, restrict, keptMounts, ownPidNamespace } = prepared;
  return {
    argv,
    ...(arg0 === undefined ? {} : { arg0 }),
    cwd,
    env,
    io,
    inheritFds: [...inheritFds, ...prepared.inheritFds],
    ...(restrict === undefined ? {} : { restrict }),
    ...(keptMounts.length === 0 ? {} : { keptMounts }),
    ownPidNamespace,
  };
}

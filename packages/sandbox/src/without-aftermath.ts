// A sandbox that wraps nothing around the command and leaves nothing to put right.
import type { PreparedSandbox } from './sandbox-request.js';

type Launch = Pick<PreparedSandbox, 'type' | 'argv' | 'arg0' | 'cwd' | 'env' | 'restrict'>;

export function withoutAftermath(launch: Launch, warnings: readonly string[] = []): PreparedSandbox {
  return {
    ...launch,
    inheritFds: [],
    keptMounts: [],
    ownPidNamespace: false,
    changesHost: false,
    warnings,
    started: () => undefined,
    commandPid: () => undefined,
    commandStarted: () => true,
    finish: () => ({ commandStarted: true, cleanup: Promise.resolve([]) }),
  };
}

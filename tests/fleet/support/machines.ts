// Machines of a fleet inside the test's process: real servers with real processes, behind a real broker.

import { Executor } from '@codex/exec-fleet';
import { ExecServer, type ExecServerOptions } from '@codex/exec-server-core';

export interface Machine {
  readonly executor: Executor;
  readonly server: ExecServer;
  readonly failures: Error[];
  stop(): Promise<void>;
}

export interface MachineOptions {
  readonly broker: string;
  readonly environment?: string;
  readonly name?: string;
  readonly maxSessions?: number;
  readonly credentials?: string;
  readonly server?: ExecServerOptions;
  onDrain?(): void;
}

const TTL_MS = 80_000;

export async function startMachine({
  environment = 'test',
  maxSessions = 16,
  ...rest
}: MachineOptions): Promise<Machine> {
  const failures: Error[] = [];
  const executor = await Executor.join({
    broker: rest.broker,
    environment,
    ...(rest.name === undefined ? {} : { name: rest.name }),
    ...(rest.credentials === undefined ? {} : { credentials: rest.credentials }),
    maxSessions,
    sessionTtlMs: rest.server?.session?.sessionTtlMs ?? TTL_MS,
    maxSessionTtlMs: 24 * 3_600_000,
    version: 'test',
    ...(rest.onDrain === undefined ? {} : { onDrain: rest.onDrain }),
    onFailure: (error) => failures.push(error),
  });
  const server = new ExecServer({
    ...rest.server,
    session: { ...rest.server?.session, maxSessions },
    sessionHooks: {
      newId: () => executor.newSessionId(),
      opened: () => executor.sessionOpened(),
      ended: () => executor.sessionEnded(),
    },
  });
  await executor.serve(server);
  return {
    executor,
    server,
    failures,
    stop: async () => {
      await server.shutdown();
      await executor.leave();
    },
  };
}

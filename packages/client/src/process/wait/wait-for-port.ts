// Waits for a listening TCP port on the server's machine by reading the kernel's own table there: no process is
// started, nothing connects to the port. It sees the server's network, not that of a sandbox without one.

import { ExecServerError, isExecServerError } from '../../exec-server-error.js';
import type { ProcessFeed } from '../events/process-feed.js';
import { type WaitOptions, waitUntil } from './wait-condition.js';

export interface PortOptions extends WaitOptions {
  /** Between two looks. Default 50. */
  readonly intervalMs?: number;
}

interface PortWait extends PortOptions {
  readonly feed: ProcessFeed;
  readonly port: number;
  readFile(path: string): Promise<Uint8Array>;
}

const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];
const LISTEN = '0A';
const INTERVAL_MS = 50;

export async function waitForPort(wait: PortWait): Promise<void> {
  const { feed, port, intervalMs = INTERVAL_MS } = wait;
  let listening = false;
  let failure: unknown;
  let over = false;
  let wake = (): void => {};
  const look = async (): Promise<void> => {
    while (!over && !listening && failure === undefined) {
      try {
        listening = await isListening(wait);
      } catch (error) {
        failure = error;
      }
      if (!listening && failure === undefined) {
        await new Promise<void>((resolve) => {
          const timer = feed.clock.schedule(intervalMs, resolve);
          wake = () => {
            timer.cancel();
            resolve();
          };
        });
      }
    }
    feed.poke();
  };
  const looking = look();
  try {
    await waitUntil({
      ...wait,
      condition: `a listener on port ${port}`,
      poll: () => (listening || failure !== undefined ? true : undefined),
    });
  } finally {
    over = true;
    wake();
  }
  await looking;
  if (failure !== undefined) throw portFailure(port, failure);
}

async function isListening({ port, readFile }: PortWait): Promise<boolean> {
  const tables = await Promise.all(
    TABLES.map((path) =>
      readFile(path).catch((error: unknown) => {
        // A machine without IPv6 has no second table.
        if (ExecServerError.is(error, 'fs.notFound') && path !== TABLES[0]) return new Uint8Array(0);
        throw error;
      }),
    ),
  );
  return tables.some((table) => listsPort(new TextDecoder().decode(table), port));
}

/** Lines look like `0: 0100007F:1F90 00000000:0000 0A …`: local address, remote address, state. */
export function listsPort(table: string, port: number): boolean {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  return table.split('\n').some((line) => {
    const [, local, , state] = line.trim().split(/\s+/);
    return state === LISTEN && local?.endsWith(`:${wanted}`) === true;
  });
}

function portFailure(port: number, cause: unknown): ExecServerError {
  if (isExecServerError(cause) && cause.code !== 'fs.notFound') return cause;
  const message = `cannot see whether port ${port} is open: the server's machine has no /proc/net/tcp`;
  return new ExecServerError('fs.io', message, { details: { path: '/proc/net/tcp' }, cause });
}

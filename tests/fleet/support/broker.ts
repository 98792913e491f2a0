// A real nats-server on a free port of the loopback, which can be killed, frozen and started anew on the same port.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBroker } from './nats-server.js';

export interface Broker {
  readonly url: string;
  readonly port: number;
  readonly monitorUrl: string;
  readonly pid: number;
  kill(): Promise<void>;
  freeze(): void;
  thaw(): void;
  /** Starts it again on the same port, after `kill`. */
  restart(): Promise<void>;
  /** Lets it read other lines of configuration, without a restart. */
  reload(config: string): void;
  stop(): Promise<void>;
}

export interface BrokerOptions {
  readonly version?: string;
  /** More lines of its configuration file. */
  readonly config?: string;
}

export async function startBroker({ version, config = '' }: BrokerOptions = {}): Promise<Broker> {
  const program = findBroker(version);
  const folder = mkdtempSync(join(tmpdir(), 'fleet-broker-'));
  const [port, monitorPort] = [await freePort(), await freePort()];
  const file = join(folder, 'broker.conf');
  const configure = (more: string): void =>
    writeFileSync(file, `host: 127.0.0.1\nport: ${port}\nhttp: 127.0.0.1:${monitorPort}\n${more}\n`);
  configure(config);
  let child: ChildProcess;
  let output = '';
  const run = async (): Promise<void> => {
    child = spawn(program, ['-c', file], { stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-4000);
    });
    await untilListening(port, () => (child.exitCode === null ? undefined : output));
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await exited;
  };
  await run();
  return {
    url: `nats://127.0.0.1:${port}`,
    port,
    monitorUrl: `http://127.0.0.1:${monitorPort}`,
    get pid() {
      return child.pid ?? 0;
    },
    kill: () => end('SIGKILL'),
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    restart: run,
    reload: (more) => {
      configure(more);
      child.kill('SIGHUP');
    },
    stop: async () => {
      child.kill('SIGCONT');
      await end('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Of this run, so that two that are asked for at once differ. */
const given = new Set<number>();
const LOWEST_PORT = 15_000;

/**
 * Below those that the system hands out: no connection and no listener of others gets it before it is used, nor while what has it is
 * started anew.
 */
export async function freePort(): Promise<number> {
  const room = firstPortOfTheSystem() - LOWEST_PORT;
  for (;;) {
    const port = LOWEST_PORT + Math.floor(Math.random() * room);
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
}

function firstPortOfTheSystem(): number {
  const [first = ''] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split(/\s/);
  return Math.max(Number(first), LOWEST_PORT + 5_000);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

async function untilListening(port: number, failure: () => string | undefined): Promise<void> {
  for (;;) {
    const why = failure();
    if (why !== undefined) throw new Error(`the broker did not start: ${why}`);
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = createConnection(port, '127.0.0.1', () => {
        socket.destroy();
        resolve(true);
      }).once('error', () => resolve(false));
    });
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

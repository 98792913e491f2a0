// The nursery program itself: supervisors that the server never opens, orders that it does not know, strangers in the
// place of a supervisor.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  type Born,
  BornDecoder,
  encodeAsk,
} from '../../../packages/launcher/src/native/codec/nursery-codec.js';
import { encodeSpec } from '../../../packages/launcher/src/native/codec/spec-codec.js';
import type { Status } from '../../../packages/launcher/src/native/codec/status-codec.js';
import { NurserySupervisor } from '../../../packages/launcher/src/native/nursery/nursery-supervisor.js';
import { childrenOf, isAlive } from './support/launcher-processes.js';
import { locateLauncherProgram } from './support/launcher-under-test.js';
import { specOf, until } from './support/run-command.js';

const mark = Buffer.from('12345678');

function startNursery(): { child: ChildProcess; socket: Socket } {
  const child = spawn(locateLauncherProgram() ?? '', ['--nursery'], {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, socket: child.stdio[3] as Socket };
}

async function born(socket: Socket, count: number): Promise<Born[]> {
  socket.write(encodeAsk(count, mark));
  const decoder = new BornDecoder();
  const found: (Born | undefined)[] = [];
  const receive = (block: Buffer) => void found.push(...(decoder.push(block) ?? []));
  socket.on('data', receive);
  await until(() => found.length === count, 'they are born');
  socket.off('data', receive);
  return found.filter((each) => each !== undefined);
}

describe('codex-launcher --nursery', () => {
  it('forks as many as are asked for; those that nobody has opened end with the server, whose nursery is gone or not', async () => {
    for (const killed of [false, true]) {
      const { child, socket } = startNursery();
      const supervisors = await born(socket, 5);
      expect(new Set(supervisors.map(({ pid }) => pid)).size).toBe(5);
      expect(supervisors.every(({ pid }) => isAlive(pid))).toBe(true);
      if (killed) {
        child.kill('SIGKILL');
        await once(child, 'exit');
        expect(supervisors.every(({ pid }) => isAlive(pid))).toBe(true);
      }
      socket.destroy();
      await until(() => !supervisors.some(({ pid }) => isAlive(pid)), 'they are gone', 3000);
      await until(() => !isAlive(child.pid ?? 0), 'the nursery is gone', 3000);
    }
  });

  it('lets an opened one live until its orders end, or the server', async () => {
    const { child, socket } = startNursery();
    const opened = (await born(socket, 4)).map((each) => new NurserySupervisor(each, mark));
    const [first, second, ...others] = opened;
    first?.end();
    await until(() => !isAlive(first?.pid ?? 0), 'the first is gone', 3000);
    socket.end(); // no more are wanted
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(isAlive(child.pid ?? 0)).toBe(true); // it guards them
    expect([second, ...others].every((each) => isAlive(each?.pid ?? 0))).toBe(true);
    second?.end();
    await until(() => !isAlive(second?.pid ?? 0), 'the second is gone', 3000);
    expect(others.every(({ pid }) => isAlive(pid))).toBe(true);
    socket.destroy();
    await until(() => !others.some(({ pid }) => isAlive(pid)), 'all are gone', 3000);
    await until(() => !isAlive(child.pid ?? 0), 'the nursery is gone', 3000);
    for (const each of others) each.end();
  });

  it('lets one that nobody has opened end when no more are wanted', async () => {
    const { socket } = startNursery();
    const supervisors = await born(socket, 3);
    socket.end();
    await until(() => !supervisors.some(({ pid }) => isAlive(pid)), 'they are gone', 3000);
  });

  it('ends when it is spoken to in another way', async () => {
    const { child, socket } = startNursery();
    socket.write(Buffer.alloc(16, 'x'));
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('leaves no zombie of a supervisor that was killed', async () => {
    const { child, socket } = startNursery();
    const supervisors = await born(socket, 3);
    for (const { pid } of supervisors) process.kill(pid, 'SIGKILL');
    await until(() => childrenOf(child.pid ?? 0).length === 0, 'all are reaped');
    expect(await born(socket, 1)).toHaveLength(1);
  });
});

describe('a supervisor from the nursery', () => {
  it('starts nothing for a server that ends in the middle of a launch record, although its orders stay open', async () => {
    const { socket } = startNursery();
    const [one] = await born(socket, 1);
    if (one === undefined) throw new Error('none was born');
    const supervisor = new NurserySupervisor(one, mark);
    onTestFinished(() => supervisor.end());
    const record = encodeSpec(specOf(['true']), { count: 3, inherited: [] });
    const events = { status: vi.fn(), closed: vi.fn() };
    supervisor.launch(record.subarray(0, 20), events);
    await new Promise((resolve) => setTimeout(resolve, 50)); // it has read that much and waits for the rest
    socket.destroy();
    await until(() => !isAlive(one.pid), 'it is gone', 3000);
    expect(events.status).not.toHaveBeenCalled();
  });

  it('has the pipes of a command that only prints ready, so that nothing has to be opened for it', async () => {
    const { socket } = startNursery();
    const [one] = await born(socket, 1);
    if (one === undefined) throw new Error('none was born');
    const supervisor = new NurserySupervisor(one, mark);
    onTestFinished(() => supervisor.end());
    const spec = specOf(['sh', '-c', 'echo out; echo err >&2; exit 3']);
    const told: Status[] = [];
    const events = { status: (status: Status) => void told.push(status), closed: vi.fn() };
    supervisor.launch(encodeSpec(spec, { count: supervisor.serverFds, inherited: [] }), events);
    await until(() => told.some(({ type }) => type === 'treeGone'), 'it ends without a word from us');
    expect(told.map(({ type }) => type)).toEqual(['supervisor', 'started', 'exited', 'treeGone']);
    expect(told[1]).toMatchObject({ stdinFd: -1, stdoutFd: -1, stderrFd: -1 });
    const outputs = supervisor.takeOutputs() ?? [];
    onTestFinished(() => outputs.forEach((fd) => void closeSync(fd)));
    // Each has its end: no other process has it open.
    expect(outputs.map((fd) => readFileSync(fd, 'utf8'))).toEqual(['out\n', 'err\n']);
    expect(supervisor.takeOutputs()).toBe(undefined);
  });

  it('is not taken for one when it does not show the mark, and nothing stays open', async () => {
    const { socket } = startNursery();
    const [stranger, ended] = await born(socket, 2);
    if (stranger === undefined || ended === undefined) throw new Error('none was born');
    const before = readdirSync('/proc/self/fd').length;
    expect(() => new NurserySupervisor(stranger, Buffer.from('87654321'))).toThrow('is gone');
    process.kill(ended.pid, 'SIGKILL');
    await until(() => !isAlive(ended.pid), 'it is gone');
    expect(() => new NurserySupervisor(ended, mark)).toThrow('ENOENT');
    expect(readdirSync('/proc/self/fd').length).toBe(before);
  });

  it('is not taken for one when its reports are no pipe, and nothing stays open', () => {
    const directory = mkdtempSync(join(tmpdir(), 'nursery-protocol-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    writeFileSync(join(directory, 'reports'), mark);
    const fd = openSync(join(directory, 'reports'), 'r+');
    onTestFinished(() => closeSync(fd));
    const before = readdirSync('/proc/self/fd').length;
    const stranger = { pid: process.pid, ordersFd: fd, statusesFd: fd, outputFds: [fd, fd] as const };
    expect(() => new NurserySupervisor(stranger, mark)).toThrow();
    expect(readdirSync('/proc/self/fd').length).toBe(before);
    expect(readFileSync(join(directory, 'reports'))).toEqual(mark);
  });
});

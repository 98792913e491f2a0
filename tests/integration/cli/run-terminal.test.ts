// `exec-server run` as a person uses it: inside a terminal, which is one of our own server's.
import { ExecServerClient, type RemoteProcess } from '@codex/exec-client';
import { ExecServer } from '@codex/exec-server-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { APP } from './support/codex-command.js';

const server = new ExecServer();
let client: ExecServerClient;
beforeAll(async () => {
  client = await ExecServerClient.connect({ channel: server.connectInMemory() });
});
afterAll(async () => {
  await client.close();
  await server.shutdown();
});

const patience = { timeoutMs: 20_000 };

function inTerminal(args: readonly string[]): Promise<RemoteProcess> {
  return client.spawn([process.execPath, APP, 'run', ...args], {
    tty: { rows: 33, cols: 101 },
    env: { CODEX_EXEC_SERVER_URL: undefined, TERM: 'screen' },
  });
}

describe('exec-server run in a terminal', () => {
  it('gives the command this terminal: size, resizes, kind, keys, line editing', async () => {
    await using terminal = await inTerminal(['--tty', '--', 'sh']);
    await terminal.stdin.write('stty size; echo kind=$TERM\n');
    await terminal.waitFor('33 101', patience);
    await terminal.waitFor('kind=screen', patience);
    await terminal.resize({ rows: 40, cols: 120 });
    await terminal.stdin.write('while [ "$(stty size)" != "40 120" ]; do sleep 0.05; done; echo res"ized"\n');
    await terminal.waitFor('resized', patience);
    await terminal.stdin.write('sleep 60; echo code=$?\n');
    await terminal.waitForQuiet(300, patience);
    await terminal.stdin.keys('ctrl-c');
    await terminal.stdin.write('echo sur"vived"\n');
    await terminal.waitFor('survived', patience);
    await terminal.stdin.write('exit 7\n');
    expect(await terminal.wait(patience)).toMatchObject({ kind: 'exited', exitCode: 7 });
  });

  it('leaves the terminal as it was, also when the command changed its own', async () => {
    await using shell = await client.spawn('sh', { tty: true });
    const command = `${process.execPath} ${APP} run --tty -- stty raw -echo; stty -a; echo e"nd"\n`;
    await shell.stdin.write(command);
    await shell.waitFor(/\sicanon\s[\s\S]*\secho\s[\s\S]*end/, patience);
  });

  it('has a way out of a command that takes every key', async () => {
    const script = 'trap "" INT; stty raw -echo; echo rea"dy"; sleep 60';
    await using terminal = await inTerminal(['--tty', '--', 'sh', '-c', script]);
    await terminal.waitFor('ready', patience);
    await terminal.stdin.write('\x03\x1d\x1d\x1d');
    expect(await terminal.wait(patience)).toMatchObject({ exitCode: 130 });
  });

  it('without --tty, Ctrl-C interrupts once and stops twice, and Ctrl-D ends the input', async () => {
    const script = 'trap "echo interrupted" INT; echo ready; while :; do sleep 0.1; done';
    await using stubborn = await inTerminal(['--', 'sh', '-c', script]);
    await stubborn.waitFor('ready', patience);
    await stubborn.stdin.keys('ctrl-c');
    await stubborn.waitFor('interrupted', patience);
    await stubborn.stdin.keys('ctrl-c');
    expect(await stubborn.wait(patience)).toMatchObject({ exitCode: 130 });

    await using cat = await inTerminal(['--', 'cat']);
    await cat.stdin.write('line\n');
    await cat.waitFor(/line\r\nline/, patience);
    await cat.stdin.keys('ctrl-d');
    expect(await cat.wait(patience)).toMatchObject({ exitCode: 0 });
  });

  it('ends with its terminal', async () => {
    const terminal = await inTerminal(['--tty', '--', 'sh', '-c', 'echo rea"dy"; sleep 60']);
    await terminal.waitFor('ready', patience);
    await terminal.signal('SIGHUP');
    expect(await terminal.wait(patience)).toMatchObject({ exitCode: 129 });
  });
});

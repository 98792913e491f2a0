// `ps`, `logs`, `attach` and `top` of the real program, on a server of its own.

import { once } from 'node:events';
import { ExecServerClient } from '@codex/exec-client';
import { ExecServer } from '@codex/exec-server-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { APP, CodexCommand, codex } from './support/codex-command.js';
import { ExecServerProgram } from './support/exec-server-program.js';

const patience = { timeoutMs: 20_000 };
let program: ExecServerProgram;
let url: string;
let owner: ExecServerClient;

beforeAll(async () => {
  program = new ExecServerProgram(['serve', '--no-config', '--listen', 'ws://127.0.0.1:0', '--quiet']);
  url = await program.url();
  owner = await ExecServerClient.connect(url, { clientName: 'the-agent' });
});
afterAll(async () => {
  await owner.close();
  await program[Symbol.asyncDispose]();
});

describe('exec-server ps', () => {
  it('lists what runs, and with --all what has ended', async () => {
    const running = await owner.spawn(['sleep', '61'], { id: 'ps-running' });
    const ended = await owner.spawn(['sh', '-c', 'exit 3'], { id: 'ps-ended' });
    await ended.wait();
    const shown = (await codex(['ps', '--url', url])).stdout.toString();
    expect(shown).toMatch(/^SESSION\s+CLIENT\s+PROCESS\s+PID\s+STATE\s+AGE\s+COMMAND$/m);
    expect(shown).toMatch(/^s-\S+\s+the-agent\s+ps-running\s+\d+\s+running\s+\d+s\s+sleep 61$/m);
    expect(shown).not.toContain('ps-ended');
    const all = (await codex(['ps', '--all', '--url', url])).stdout.toString();
    expect(all).toMatch(/ps-ended\s+\d+\s+exit 3\s+/);
    const { processes } = JSON.parse((await codex(['ps', '--json', '--url', url])).stdout.toString()) as {
      processes: { process: { processId: string; pid: number } }[];
    };
    expect(processes.find(({ process: one }) => one.processId === 'ps-running')?.process.pid).toBeGreaterThan(
      1,
    );
    await running.terminate();
  });

  it('wants to know which server, and says what is wrong with it', async () => {
    expect(await codex(['ps'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--url') as string,
    });
    const refused = await codex(['ps', '--url', 'ws://127.0.0.1:1']);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/^exec-server ps: /);
    expect(
      JSON.parse((await codex(['ps', '--json', '--url', 'ws://127.0.0.1:1'])).stdout.toString()),
    ).toHaveProperty('error');
  });
});

describe('exec-server logs', () => {
  it('prints what there is, by stream, from any event', async () => {
    const process_ = await owner.spawn(['sh', '-c', 'echo out; echo err >&2; sleep 62'], { id: 'logs-one' });
    await process_.waitFor('out');
    await process_.waitFor('err');
    const all = await codex(['logs', '--url', url, 'logs-one']);
    expect(all).toMatchObject({ code: 0, stderr: 'err\n' });
    expect(all.stdout.toString()).toBe('out\n');
    const lines = (await codex(['logs', '--json', '--since', '2', '--url', url, 'logs-one'])).stdout
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toMatchObject([{ type: 'output', seq: 2 }]);
    await process_.terminate();
  });

  it('follows to the end', async () => {
    const process_ = await owner.spawn(['sh', '-c', 'echo one; read line; echo two; exit 1'], {
      id: 'logs-follow',
      stdin: 'pipe',
    });
    const logs = new CodexCommand(['logs', '-f', '--url', url, 'logs-f']);
    await logs.stdoutIncludes('one');
    await process_.stdin.write('\n');
    const end = await logs.end;
    expect([end.code, end.stdout.toString()]).toEqual([0, 'one\ntwo\n']);
  });

  it('does not guess which process is meant', async () => {
    const end = await codex(['logs', '--url', url, 'no-such-process']);
    expect(end).toMatchObject({ code: 1, stderr: expect.stringContaining('no process is called') as string });
  });
});

describe('exec-server attach', () => {
  const local = new ExecServer();
  let here: ExecServerClient;
  beforeAll(async () => {
    here = await ExecServerClient.connect({ channel: local.connectInMemory() });
  });
  afterAll(async () => {
    await here.close();
    await local.shutdown();
  });
  const inTerminal = (...args: string[]) =>
    here.spawn([process.execPath, APP, ...args, '--url', url], { tty: { rows: 30, cols: 100 } });

  it('types into a terminal, and leaves it running', async () => {
    const shell = await owner.spawn(['sh'], {
      id: 'attach-shell',
      tty: { rows: 24, cols: 80 },
      env: { PS1: 'prompt> ' },
    });
    await using terminal = await inTerminal('attach', 'attach-shell');
    await terminal.waitFor('prompt> ', patience);
    await terminal.waitForQuiet(500, patience);
    await terminal.stdin.write('echo ty"ped"; stty size\n');
    await terminal.waitFor('typed', patience);
    // The owner's size, not this terminal's.
    await terminal.waitFor('24 80', patience);
    await terminal.stdin.write('\x1d\x1d\x1d');
    await terminal.wait(patience);
    expect(shell.state).toBe('running');
    await shell.terminate();
  });

  it('ends with the exit code of the command', async () => {
    const process_ = await owner.spawn(['sh', '-c', 'echo ready; read line; exit 7'], {
      id: 'attach-code',
      stdin: 'pipe',
    });
    const attached = new CodexCommand(['attach', '--read-only', '--url', url, 'attach-code'], {
      input: null,
    });
    await attached.stdoutIncludes('ready');
    await process_.stdin.write('\n');
    expect((await attached.end).code).toBe(7);
  });

  it('read-only brings no byte to the process: no key, and no answer of the terminal to old questions', async () => {
    const script = 'stty raw -echo; printf "\\033[6n\\033[c\\033]11;?\\007ready"; cat -v';
    const victim = await owner.spawn(['sh', '-c', script], { id: 'attach-victim', tty: true });
    await victim.waitFor('ready');
    await using terminal = await inTerminal('attach', '--read-only', 'attach-victim');
    await terminal.waitFor('ready', patience);
    await terminal.stdin.write('typed\x1b[24;80R');
    await terminal.waitForQuiet(500, patience);
    await terminal.stdin.write('\x03');
    await terminal.wait(patience);
    await victim.stdin.write('end');
    await victim.waitFor('end');
    expect(victim.output.text()).not.toContain('typed');
    expect(victim.output.text()).not.toContain('80R');
    await victim.terminate();
  });
});

describe('exec-server top', () => {
  it('shows sessions and processes as often as asked', async () => {
    const process_ = await owner.spawn(['sleep', '63'], { id: 'top-one' });
    const end = await codex(['top', '--count', '2', '--interval', '10', '--url', url]);
    const text = end.stdout.toString();
    expect(end.code).toBe(0);
    expect(text.match(/the-agent \(local:\d+\)\s+attached/g)?.length).toBe(2);
    expect(text.match(/sleep 63/g)?.length).toBe(2);
    const json = await codex(['top', '--count', '2', '--interval', '10', '--json', '--url', url]);
    expect(
      json.stdout
        .toString()
        .trim()
        .split('\n')
        .map((line) => Object.keys(JSON.parse(line) as object)),
    ).toEqual([
      ['atMs', 'sessions', 'processes', 'omitted'],
      ['atMs', 'sessions', 'processes', 'omitted'],
    ]);
    await process_.terminate();
  });
});

describe('a reader that leaves', () => {
  it.each([
    ['top', 'left-top', ['top', '--json', '--interval', '50']],
    ['top as text', 'left-text', ['top', '--interval', '50']],
    ['logs', 'left-logs', ['logs', '-f', 'left-logs']],
    ['logs as JSON', 'left-json', ['logs', '-f', '--json', 'left-json']],
  ])('ends %s without a word', async (_, id, words) => {
    await using process_ = await owner.spawn('while sleep 0.05; do echo tick; done', { id });
    await using command = new ExecServerProgram([...words, '--url', url]);
    const { stdout } = command.child;
    if (stdout === null) return;
    await once(stdout, 'data');
    stdout.destroy();
    expect(await command.exited).toMatchObject({ code: 141 });
    expect(command.stderr).toBe('');
    await process_.terminate();
    await process_.wait();
  });
});

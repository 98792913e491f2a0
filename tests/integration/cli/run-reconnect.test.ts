import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CuttingProxy, cuttingProxy } from '../client/support/cutting-proxy.js';
import { CodexCommand } from './support/codex-command.js';
import { ExecServerProgram } from './support/exec-server-program.js';

let server: ExecServerProgram;
let proxy: CuttingProxy;
beforeAll(async () => {
  server = new ExecServerProgram(['exec-server', '--listen', 'ws://127.0.0.1:0', '--quiet']);
  const url = await server.url();
  proxy = await cuttingProxy({ address: url, url, stop: () => Promise.resolve() });
});
afterAll(async () => {
  await proxy.close();
  await server[Symbol.asyncDispose]();
});

describe('exec-server run over a connection that breaks', () => {
  it('passes every byte of input and output once', async () => {
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index}\n`);
    const command = new CodexCommand(['run', '--url', String(proxy.address), '--', 'cat'], { input: null });
    for (const [index, line] of lines.entries()) {
      command.child.stdin?.write(line);
      if (index % 10 === 5) {
        await command.stdoutIncludes(lines[index - 1] ?? '');
        proxy.cut();
      }
    }
    command.child.stdin?.end();
    const { code, stdout, stderr } = await command.end;
    expect(String(stdout)).toBe(lines.join(''));
    expect(code).toBe(0);
    expect(stderr).toContain('exec-server run: the connection broke; trying to take it up again\n');
    expect(stderr).toContain('exec-server run: connected again\n');
  });
});

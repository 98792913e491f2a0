// `exec-server console`, and the page of the built program, without a browser.
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { ExecServerProgram } from './support/exec-server-program.js';

async function run(args: readonly string[]) {
  await using program = new ExecServerProgram(args, { env: { CODEX_EXEC_SERVER_URL: '' } });
  const { code } = await program.exited;
  return { code, stdout: program.stdout, stderr: program.stderr };
}

it('says what is missing', async () => {
  expect(await run(['console'])).toMatchObject({
    code: 1,
    stderr:
      'exec-server console: which server? Name it with --url ws://HOST:PORT, or in CODEX_EXEC_SERVER_URL\n',
  });
  await using server = new ExecServerProgram(['--listen', 'ws://127.0.0.1:0']);
  const url = await server.url();
  expect(await run(['console', '--url', url])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `exec-server console: the server at ${new URL(url).host} has no console: start it with --console\n`,
  });
  const told = await run(['console', '--url', url, '--json']);
  expect(JSON.parse(told.stdout)).toEqual({
    error: `the server at ${new URL(url).host} has no console: start it with --console`,
  });
  expect((await fetch(`${url.replace('ws', 'http')}/console/`)).status).toBe(404);
  expect((await run(['console', '--url', url, '--grant', 'own'])).code).toBe(2);
});

it('gives addresses that differ, of the name of this run', async () => {
  await using server = new ExecServerProgram(['--console', '--listen', 'ws://127.0.0.1:0']);
  const url = await server.url();
  const { port } = new URL(url);
  const first = await run(['console', '--url', url, '--no-open']);
  const second = await run(['console', '--url', url, '--no-open', '--read-only']);
  const pattern = new RegExp(`^http://x[0-9a-f]{12}\\.localhost:${port}/console/#[\\w-]{43}\\n$`);
  expect(first.stdout).toMatch(pattern);
  expect(second.stdout).toMatch(pattern);
  expect(second.stdout).not.toBe(first.stdout);
  expect(new URL(second.stdout).host).toBe(new URL(first.stdout).host);
  const asked = await run(['console', '--url', url, '--json', '--read-only']);
  expect(JSON.parse(asked.stdout)).toEqual({
    address: expect.stringMatching(/^http:\/\/x\S+$/),
    expiresAtMs: expect.any(Number),
    grants: ['observe', 'denials'],
  });
  const page = await fetch(`http://127.0.0.1:${port}/console/`);
  expect(page.status).toBe(200);
  expect(page.headers.get('cache-control')).toBe('no-store');
});

it('gives no more than the server allows', async () => {
  await using server = new ExecServerProgram([
    ...['--console', '--console-max-grants', 'observe', '--listen', 'ws://127.0.0.1:0'],
  ]);
  const refused = await run(['console', '--url', await server.url(), '--no-open']);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('tickets of this server have at most: observe');
});

it('is not called by a name that leads to another program', async ({ skip }) => {
  // Browsers ask ::1 first, and would give that program the page's address with its ticket.
  await using thief = createServer((socket) => socket.destroy());
  const port = await new Promise<number>((resolve) => {
    thief.once('error', () => resolve(0));
    thief.listen(0, '::1', () => resolve((thief.address() as { port: number }).port));
  });
  if (port === 0) skip('there is no ::1 here');
  await using server = new ExecServerProgram(['--console', '--listen', `ws://127.0.0.1:${port}`]);
  const url = await server.url();
  await server.stderrIncludes('/console/#');
  expect(server.stderr).toContain(`another program has port ${port} of [::1]`);
  expect(server.stderr).not.toContain('.localhost');
  const { stdout } = await run(['console', '--url', url, '--no-open']);
  expect(stdout).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${port}/console/#`));
});

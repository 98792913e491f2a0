import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RawClient } from '../process/support/raw-client.js';
import { serve } from '../process/support/served-server.js';
import { plainSandbox, readOnlySandbox, workspaceSandbox } from './support/policies.js';

// Not below /tmp, which a policy may open as such.
let workspace = '';
beforeEach(() => {
  workspace = realpathSync(mkdtempSync(join(homedir(), '.exec-sandbox-test-')));
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

let nextId = 0;

interface Outcome {
  readonly sandboxType: unknown;
  readonly exitCode: number | undefined;
  readonly denied: boolean | undefined;
  readonly output: string;
  readonly processId: string;
}

const base = (script: string) => ({
  argv: ['/bin/sh', '-c', script],
  cwd: workspace,
  env: { PATH: '/usr/bin:/bin', HOME: homedir() },
  tty: false,
});

async function run(client: RawClient, script: string, more: object): Promise<Outcome> {
  const processId = `p${nextId++}`;
  const { sandboxType } = await client.call('process/start', { ...base(script), processId, ...more });
  await client.call('process/wait', { processId, until: 'closed' });
  const exited = client.events.find(
    (event) => event.method === 'process/exited' && event.processId === processId,
  );
  const output = Buffer.concat(
    client.events.flatMap((event) => (event.processId === processId && event.bytes ? [event.bytes] : [])),
  ).toString();
  return { sandboxType, exitCode: exited?.exitCode, denied: exited?.sandboxDenied, output, processId };
}

describe('process/start with a sandbox', () => {
  it('confines writes to the workspace and reports a denial as a fact', async () => {
    const client = await (await serve()).client();
    const sandbox = workspaceSandbox(workspace);
    const inside = await run(client, 'echo hi > a && cat a', { sandbox });
    expect(inside).toMatchObject({ sandboxType: 'linuxSeccomp', exitCode: 0, denied: false, output: 'hi\n' });
    const target = join(homedir(), '.exec-sandbox-escape');
    const outside = await run(client, `echo no > ${target}`, { sandbox });
    expect(outside).toMatchObject({ sandboxType: 'linuxSeccomp', denied: true });
    expect(existsSync(target)).toBe(false);
    const { processId } = outside;
    expect(await client.call('process/read', { processId })).toMatchObject({
      sandboxDenied: true,
      failure: null,
    });
    expect(await client.call('process/wait', { processId })).toMatchObject({ sandboxDenied: true });
  });

  it.each([0, 1, 3])(
    'keeps what it protects from children that outlive a command that ended with %i',
    async (code) => {
      const client = await (await serve()).client();
      const sandbox = workspaceSandbox(workspace);
      const later = 'sleep 0.5; mkdir .git; mkdir .git/hooks; echo done > late';
      const script = `(${later}) > /dev/null 2>&1 & exit ${code}`;
      expect(await run(client, script, { sandbox })).toMatchObject({ exitCode: code });
      await expect.poll(() => existsSync(join(workspace, 'late'))).toBe(true);
      expect(existsSync(join(workspace, '.git', 'hooks'))).toBe(false);
      await expect.poll(() => existsSync(join(workspace, '.git'))).toBe(false);
    },
  );

  it('has removed what stood for missing names before the end of the command is told', async () => {
    const client = await (await serve()).client();
    const deny = (name: string) => ({
      path: { type: 'path', path: `file://${workspace}/${name}` },
      access: 'deny',
    });
    const sandbox = workspaceSandbox(workspace, { entries: [deny('secret')] });
    const atClose: unknown[] = [];
    const namesAtEnd = async (script: string) => {
      const processId = `p${nextId++}`;
      const seen = new Map<string, string[]>();
      client.onEvent = ({ method, processId: id }) => {
        if (id === processId) seen.set(method, readdirSync(workspace));
      };
      await client.call('process/start', { ...base(script), processId, sandbox });
      await client.call('process/wait', { processId, until: 'closed' });
      atClose.push(seen.get('process/closed'));
      return seen.get('process/exited');
    };
    for (const script of ['ls -A', 'exit 3', 'sleep 0.05; ls -A', 'kill -9 $$']) {
      // The exit is held back for 100 ms at most, in which a busy machine may not have ended the wrapper.
      await expect.poll(() => namesAtEnd(script)).toEqual([]);
    }
    expect(atClose.filter((names) => !isDeepStrictEqual(names, []))).toEqual([]);
  });

  it('lets a read-only command read and not write', async () => {
    const client = await (await serve()).client();
    writeFileSync(join(workspace, 'a'), 'text');
    const sandbox = readOnlySandbox();
    expect(await run(client, 'cat a', { sandbox })).toMatchObject({ exitCode: 0, output: 'text' });
    expect(await run(client, 'echo x > a', { sandbox })).toMatchObject({ denied: true });
    expect(readFileSync(join(workspace, 'a'), 'utf8')).toBe('text');
  });

  it('never calls an unsandboxed failure a denial', async () => {
    const client = await (await serve()).client();
    const script = 'echo "permission denied" >&2; exit 1';
    expect(await run(client, script, {})).toMatchObject({ sandboxType: 'none', exitCode: 1, denied: false });
    const sandbox = plainSandbox({ type: 'disabled' });
    expect(await run(client, script, { sandbox })).toMatchObject({ sandboxType: 'none', denied: false });
    expect(await run(client, script, { sandbox: readOnlySandbox() })).toMatchObject({
      exitCode: 1,
      denied: true,
    });
  });

  it.each(['read-only', 'readOnly'])('projects the legacy policy %s', async (type) => {
    const client = await (await serve()).client();
    const attempt = await run(client, 'echo x > a', { sandbox: { sandboxPolicy: { type } } });
    expect(attempt).toMatchObject({ sandboxType: 'linuxSeccomp', denied: true });
    expect(existsSync(join(workspace, 'a'))).toBe(false);
  });

  it('projects the legacy policy workspace-write onto the working directory', async () => {
    const client = await (await serve()).client();
    const sandbox = { permissions: { type: 'workspace-write' } };
    expect(await run(client, 'echo x > a', { sandbox })).toMatchObject({ exitCode: 0 });
    expect(await run(client, `echo x > ${homedir()}/.exec-sandbox-escape`, { sandbox })).toMatchObject({
      denied: true,
    });
  });

  it('refuses what it does not understand, and runs nothing', async () => {
    const client = await (await serve()).client();
    const strange: unknown[] = [
      plainSandbox({
        type: 'managed',
        file_system: { type: 'restricted', entries: [], extra: 1 },
        network: 'restricted',
      }),
      plainSandbox({ type: 'no-such' }),
      plainSandbox({ type: 'managed', file_system: { type: 'unrestricted' } }),
      {},
    ];
    for (const sandbox of strange) {
      const params = { ...base('touch ran'), processId: 'x', sandbox };
      expect((await client.refusal('process/start', params)).code).toBe(-32602);
    }
    for (const more of [{ enforceManagedNetwork: true }, { managedNetwork: {} }, { networkProxy: {} }]) {
      const params = { ...base('touch ran'), processId: 'x', sandbox: readOnlySandbox(), ...more };
      expect((await client.refusal('process/start', params)).code).toBe(-32602);
    }
    expect(existsSync(join(workspace, 'ran'))).toBe(false);
  });

  it('delivers a signal to the command inside: its trap runs and its exit code counts', async () => {
    const client = await (await serve()).client();
    const script = 'trap "echo trapped; exit 7" INT TERM; echo ready; while :; do sleep 0.05; done';
    for (const tty of [false, true]) {
      const processId = `signalled-${tty}`;
      await client.call('process/start', { ...base(script), processId, tty, sandbox: readOnlySandbox() });
      await client.call('process/read', { processId, afterSeq: 0, waitMs: 20_000 });
      await client.call('process/signal', { processId, signal: 'interrupt' });
      const wait = await client.call('process/wait', { processId, until: 'closed', timeoutMs: 20_000 });
      expect(wait).toMatchObject({ exitCode: 7, sandboxDenied: false, closed: true });
    }
  });

  it('ends the whole tree on terminate', async () => {
    const client = await (await serve()).client();
    const processId = 'tree';
    const script = 'setsid sh -c "sleep 987 & sleep 987" & echo $$; sleep 987';
    await client.call('process/start', { ...base(script), processId, sandbox: workspaceSandbox(workspace) });
    await client.call('process/read', { processId, afterSeq: 0, waitMs: 20_000 });
    expect(await client.call('process/terminate', { processId })).toEqual({ running: true });
    expect(
      await client.call('process/wait', { processId, until: 'closed', timeoutMs: 20_000 }),
    ).toMatchObject({
      closed: true,
      exitCode: 137,
    });
  });

  it('lets a command on a terminal of its own signal its group, as scripts do at their end', async () => {
    const client = await (await serve()).client();
    const more = { tty: true, sandbox: workspaceSandbox(workspace) };
    const { output } = await run(client, 'trap "echo got" WINCH; kill -s WINCH 0 && echo told', more);
    expect(output).toBe('got\r\ntold\r\n');
  });

  it('works on a terminal', async () => {
    const client = await (await serve()).client();
    const more = { tty: true, sandbox: workspaceSandbox(workspace) };
    const { output, exitCode } = await run(client, 'tty; stty size; touch /etc/x || echo refused', more);
    expect(output).toMatch(/\/dev\/(pts|console)/);
    expect(output).toContain('24 80');
    expect(output).toContain('refused');
    expect(exitCode).toBe(0);
  });

  it('takes the temporary directory from the server, not from the request', async () => {
    const client = await (await serve()).client();
    const outside = join(homedir(), '.exec-sandbox-tmp');
    mkdirSync(outside, { recursive: true });
    const entries = [{ path: { type: 'special', value: { kind: 'tmpdir' } }, access: 'write' }];
    const sandbox = readOnlySandbox({ entries });
    const env = { PATH: '/usr/bin:/bin', TMPDIR: outside };
    const attempt = await run(client, `echo x > ${outside}/file`, { sandbox, env });
    rmSync(outside, { recursive: true });
    expect(attempt).toMatchObject({ denied: true });
  });

  it('hides the secret files of the server under a full-read policy', async () => {
    const secret = join(workspace, 'token');
    writeFileSync(secret, 'the-token');
    const client = await (await serve({ secretFiles: [secret] })).client();
    expect((await run(client, 'cat token', { sandbox: readOnlySandbox() })).output).not.toContain(
      'the-token',
    );
  });

  it('keeps a sandboxed command with network away from the server that started it', async () => {
    const { url, client: connect } = await serve();
    const client = await connect();
    const port = new URL(url).port;
    const script = `python3 - <<'EOF'
import socket
s = socket.create_connection(('127.0.0.1', ${port}))
s.send(b'GET / HTTP/1.1\\r\\nHost: 127.0.0.1:${port}\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\nSec-WebSocket-Version: 13\\r\\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\\r\\n\\r\\n')
print(s.recv(100).decode().split('\\r')[0])
EOF`;
    const inside = await run(client, script, { sandbox: readOnlySandbox({ network: 'enabled' }) });
    expect(inside.output).toContain('403');
    const unconfined = await run(client, script, {});
    expect(unconfined.output).toContain('101 Switching Protocols');
  });

  it('judges a prepared command by the sandbox its caller names', async () => {
    const client = await (await serve()).client();
    const request = (sandboxType?: string) => ({
      kind: 'prepared',
      processId: `prepared-${sandboxType}`,
      request: {
        argv: ['/bin/sh', '-c', 'echo "Operation not permitted" >&2; exit 1'],
        cwd: '/',
        env: {},
        ...(sandboxType === undefined ? {} : { sandboxType }),
      },
      io: { type: 'pipe', stdin: 'closed' },
    });
    for (const [type, denied] of [
      ['linuxSeccomp', true],
      [undefined, false],
    ] as const) {
      const params = request(type);
      await client.call('process/start', params);
      const wait = await client.call('process/wait', { processId: params.processId, until: 'closed' });
      expect(wait).toMatchObject({ exitCode: 1, sandboxDenied: denied });
    }
  });

  it('names a missing program inside the sandbox by exit code and output, not as a denial', async () => {
    const client = await (await serve()).client();
    const processId = 'missing';
    const argv = ['/bin/no-such-program'];
    await client.call('process/start', { ...base(''), processId, argv, sandbox: readOnlySandbox() });
    const wait = await client.call('process/wait', { processId, until: 'closed' });
    expect(wait).toMatchObject({ exitCode: 1, sandboxDenied: false });
    expect(await client.call('process/read', { processId })).toMatchObject({
      failure: expect.stringContaining('/bin/no-such-program: No such file or directory'),
    });
  });
});

// What a client is told about a denial: reason, line and path of one and the same complaint, in every place that has the
// verdict; and a network that the policy refuses counts as one.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RawClient } from '../process/support/raw-client.js';
import { serve } from '../process/support/served-server.js';
import { readOnlySandbox } from './support/policies.js';

let workspace = '';
beforeEach(() => {
  workspace = realpathSync(mkdtempSync(join(homedir(), '.exec-sandbox-test-')));
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

/** The same evidence from all three places. */
async function evidence(client: RawClient, script: string, more: object): Promise<unknown> {
  const processId = script;
  await client.call('process/start', {
    processId,
    argv: ['/bin/sh', '-c', script],
    cwd: workspace,
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    tty: false,
    ...more,
  });
  const waited = await client.call('process/wait', { processId, until: 'closed' });
  const read = await client.call('process/read', { processId });
  const exited = client.eventsOf(processId).find(({ method }) => method === 'process/exited');
  expect(read['denial']).toEqual(waited['denial']);
  expect(exited?.denial).toEqual(waited['denial']);
  expect(waited['sandboxDenied']).toBe(waited['denial'] !== undefined);
  return waited['denial'];
}

describe('the evidence of a denial', () => {
  it('is announced, and names the path of its own line', async () => {
    const client = await (await serve()).client();
    const { capabilities } = await client.call<{ capabilities: Record<string, boolean> }>(
      'environment/info',
      {},
    );
    expect(capabilities['sandboxDenialEvidence']).toBe(true);
    const script = `touch ${workspace}/first; echo 'ls: cannot open /elsewhere: Permission denied' >&2; exit 2`;
    expect(await evidence(client, script, { sandbox: readOnlySandbox() })).toEqual({
      reason: 'read_only_file_system',
      line: `touch: cannot touch '${workspace}/first': Read-only file system`,
      path: `${workspace}/first`,
    });
  });

  it('comes from the errors rather than from what is printed', async () => {
    const client = await (await serve()).client();
    const script = 'echo "docs: permission denied"; touch /etc/planted';
    expect(await evidence(client, script, { sandbox: readOnlySandbox() })).toMatchObject({
      path: '/etc/planted',
    });
  });

  it('is there on a terminal, without its control characters', async () => {
    const client = await (await serve()).client();
    expect(await evidence(client, 'touch /etc/planted', { sandbox: readOnlySandbox(), tty: true })).toEqual({
      reason: 'read_only_file_system',
      line: "touch: cannot touch '/etc/planted': Read-only file system",
      path: '/etc/planted',
    });
  });

  it('is absent without a sandbox, and after a success', async () => {
    const client = await (await serve()).client();
    expect(await evidence(client, 'echo "a: Permission denied" >&2; exit 1', {})).toBeUndefined();
    const fine = 'echo "a: Permission denied" >&2';
    expect(await evidence(client, fine, { sandbox: readOnlySandbox() })).toBeUndefined();
  });
});

describe('a refused network', () => {
  const script = `python3 -c "import socket; socket.create_connection(('192.0.2.1', 9), 0.01)"`;
  const lookUp = `node -e "require('dns').lookup('example.invalid', (e) => { throw e })"`;

  it.each([
    ['a name', lookUp, 'EAI_AGAIN'],
    ['curl', 'curl -sS http://example.invalid/', 'Could not resolve host'],
    ['git', 'git ls-remote https://example.invalid/x.git', 'Could not resolve host'],
  ])('is a denial where the policy refuses it: %s', async (_title, command, line) => {
    const client = await (await serve()).client();
    const sandbox = readOnlySandbox();
    const env = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' };
    expect(await evidence(client, command, { sandbox, env })).toEqual({
      reason: 'network_denied',
      line: expect.stringContaining(line),
    });
  });

  it('a socket too', async () => {
    const client = await (await serve()).client();
    const denial = await evidence(client, script, { sandbox: readOnlySandbox() });
    expect(denial).toMatchObject({ reason: expect.stringMatching(/network_denied|operation_not_permitted/) });
  });

  it('is none where the policy opens it', async () => {
    const client = await (await serve()).client();
    const sandbox = readOnlySandbox({ network: 'enabled' });
    const said = 'echo "curl: (6) Could not resolve host: example.invalid" >&2; exit 6';
    expect(await evidence(client, said, { sandbox })).toBeUndefined();
  });
});

// What a server announces about files is what it does: for every flag, both states.
import { join } from 'node:path';
import type { EnvironmentCapabilities } from '@codex/exec-protocol';
import { createLauncher } from '@codex/launcher';
import { describe, expect, it } from 'vitest';
import { type FsClient, setUp } from '../fs/support/fs-fixture.js';
import { setUpSandboxed, workspaceOnly } from './support/sandboxed-fs-fixture.js';

async function announced(client: FsClient): Promise<EnvironmentCapabilities> {
  const { capabilities } = await client.call<{ capabilities: EnvironmentCapabilities }>(
    'environment/info',
    {},
  );
  return capabilities;
}

const isServed = (client: FsClient, method: string, params: Record<string, unknown>): Promise<boolean> =>
  client.call(method, params).then(
    () => true,
    () => false,
  );

/** What each flag stands for, tried. */
async function tried(client: FsClient, directory: string): Promise<Required<EnvironmentCapabilities>> {
  const sandbox = workspaceOnly(directory);
  const missing = { watchId: 1, missing: [join(directory, 'missing')] };
  const roots = [{ id: 'r', path: directory, sandbox }];
  const { watching } = await client.call<{ watching: boolean }>('fs/watchMissing', missing);
  await client.call('fs/writeFile', { path: join(directory, 'file'), dataBase64: '' });
  return {
    sandboxedFileStreaming: await isServed(client, 'fs/open', {
      handleId: 'h',
      path: join(directory, 'file'),
      sandbox,
    }),
    capabilityDiscoverySandbox: await isServed(client, 'capabilityRoots/discoverV1', { roots }),
    fsWatch: await isServed(client, 'fs/watch', { watchId: 'a', path: directory }),
    fsWatchSandbox: await isServed(client, 'fs/watch', { watchId: 'b', path: directory, sandbox }),
    fsWatchMissing: watching,
  } as Required<EnvironmentCapabilities>;
}

const ALL = {
  sandboxedFileStreaming: true,
  capabilityDiscoverySandbox: true,
  fsWatch: true,
  fsWatchSandbox: true,
  fsWatchMissing: true,
};

describe('announced capabilities', () => {
  it('with the helper and the native launcher', async () => {
    const { client, ws } = await setUpSandboxed();
    expect(await announced(client)).toMatchObject(ALL);
    expect(await tried(client, ws)).toEqual(ALL);
  });

  it('without the helper', async () => {
    const { client, directory } = await setUp();
    const expected = {
      ...ALL,
      sandboxedFileStreaming: false,
      capabilityDiscoverySandbox: false,
      fsWatchSandbox: false,
    };
    expect(await announced(client)).toMatchObject(expected);
    expect(await tried(client, directory)).toEqual(expected);
  });

  it('without the native launcher', async () => {
    const { client, ws } = await setUpSandboxed({ launcher: createLauncher({ launcherProgram: null }) });
    const nothing = Object.fromEntries(Object.keys(ALL).map((name) => [name, false]));
    expect(await announced(client)).toMatchObject(nothing);
    expect(await tried(client, ws)).toEqual(nothing);
    const refused = await client.refusal('fs/getMetadata', { path: ws, sandbox: workspaceOnly(ws) });
    expect(refused).toEqual({
      code: -32600,
      message: expect.stringMatching(
        /^filesystem sandbox cannot be enforced on this executor: .*codex-launcher/,
      ),
    });
  });

  it('are the same in initialize and in environment/info', async () => {
    const { client, server } = await setUpSandboxed();
    const { capabilities } = await server.describeEnvironment();
    // Whether payloads can be binary is known of each connection.
    expect(await announced(client)).toEqual({ ...capabilities, binaryPayloads: true });
  });
});

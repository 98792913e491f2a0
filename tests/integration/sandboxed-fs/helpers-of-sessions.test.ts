// Helpers belong to a session: they wait with it for its client, and end with it for sure.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../fs/support/fs-fixture.js';
import { childrenNamed, helperPids } from './support/helper-processes.js';
import { readEverything, setUpSandboxed, workspaceOnly } from './support/sandboxed-fs-fixture.js';

/** Far beyond any test: what ends before did not end for being idle. */
const fs = { fileHelperIdleMs: 600_000 };

describe('the helpers of a session', () => {
  it('wait with it for its client, who finds them warm', async () => {
    const { ws, connect } = await setUpSandboxed({ fs });
    const read = { path: join(ws, 'inside'), sandbox: workspaceOnly(ws) };
    const first = await connect({ resumeSessionId: null });
    await first.call('fs/readFile', read);
    const warm = helperPids();
    first.peer.close();
    await first.peer.closed;
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(helperPids()).toEqual(warm);
    const second = await connect({ resumeSessionId: first.sessionId });
    await second.call('fs/readFile', read);
    expect(helperPids()).toEqual(warm);
  });

  it('end when nobody came back, whatever they were doing', async () => {
    const { ws, connect } = await setUpSandboxed({ fs });
    const client = await connect({ resumeSessionId: null, sessionTtlMs: 300 });
    const path = join(ws, 'inside');
    const sandbox = workspaceOnly(ws);
    await client.call('fs/open', { handleId: 'h', path, sandbox });
    await client.call('fs/watch', { watchId: 'w', path: ws, sandbox });
    await client.call('fs/watchMissing', { watchId: 1, missing: [join(ws, 'new')], sandbox });
    await client.call('fs/readFile', { path, sandbox: readEverything(ws) });
    expect(helperPids()).toHaveLength(2);
    client.peer.close();
    await eventually('its watches are gone at once', () => childrenNamed('--watch').length === 0);
    await eventually('its helpers are gone with the session', () => helperPids().length === 0);
    // Nothing of it starts a helper again.
    appendFileSync(path, 'x');
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(helperPids()).toHaveLength(0);
  });

  it('are not started for requests that outlive it', async () => {
    const { ws, connect } = await setUpSandboxed({ fs });
    for (let round = 0; round < 5; round += 1) {
      const client = await connect();
      const requests = [workspaceOnly(ws), readEverything(ws)].map((sandbox) =>
        client.call('fs/readFile', { path: join(ws, 'inside'), sandbox }).catch(() => undefined),
      );
      await new Promise((resolve) => setTimeout(resolve, round));
      client.peer.close();
      await Promise.all(requests);
    }
    await new Promise((resolve) => setTimeout(resolve, 300));
    await eventually('nothing is left', () => helperPids().length === 0);
  });
});

// Calls of one server may have different sandboxes. What one of them could write is not trusted in any other.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ShellServer } from './support/shell-server.js';

let server: ShellServer;

beforeAll(async () => {
  server = await ShellServer.start({ rules: 'prefix_rule(["tool"], "allow")' });
});
afterAll(() => server[Symbol.asyncDispose]());

it('a program that an earlier call has written does not leave a later one that cannot write it', async () => {
  const file = join(server.outside, 'made');
  const planted = await server.shell(`printf '#!/bin/sh\\ntouch ${file}\\n' > tool; chmod +x tool`);
  expect(planted.exit_code).toBe(0);
  const readOnly = {
    'codex/sandbox-state-meta': { sandboxPolicy: { type: 'read-only' }, sandboxCwd: server.workspace },
  };
  const { result } = await server.call({ command: './tool' }, readOnly);
  expect(existsSync(file)).toBe(false);
  expect(result?.structuredContent?.notes?.join()).toMatch(
    /tool ran inside the sandbox, because the sandbox can write/,
  );
});

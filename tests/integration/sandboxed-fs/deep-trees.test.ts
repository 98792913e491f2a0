// Trees that are deeper than a path can say (PATH_MAX): where an entry lies can then not be asked for by name.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { policyOf, setUpSandboxed, workspaceOnly } from './support/sandboxed-fs-fixture.js';

/** Sixty directories in each other whose names have a hundred characters, with a file at the bottom. */
function makeDeepTree(directory: string): void {
  const script =
    'mkdir $ARGV[0]; chdir $ARGV[0]; $n = "d" x 100; for (1..60) { mkdir $n; chdir $n } open F, ">file"';
  execFileSync('perl', ['-e', script, directory]);
  // Node cannot remove what the test leaves.
  onTestFinished(() => void execFileSync('rm', ['-rf', directory]));
}

it('are removed in a sandbox as they are without one', async () => {
  const { client, ws } = await setUpSandboxed();
  const path = join(ws, 'tree');
  makeDeepTree(path);
  await client.call('fs/remove', { path, sandbox: workspaceOnly(ws) });
  expect(existsSync(path)).toBe(false);
});

it('are left alone where a deny pattern could be about a name that cannot be asked for', async () => {
  const { client, ws } = await setUpSandboxed();
  const path = join(ws, 'tree');
  const sandbox = policyOf(ws, [
    [ws, 'write'],
    [`${ws}/*.denied`, 'deny'],
  ]);
  // A sandbox that is made later does not start: its patterns are looked for in the whole tree.
  await client.call('fs/getMetadata', { path: ws, sandbox });
  makeDeepTree(path);
  await expect(client.call('fs/remove', { path, sandbox })).rejects.toMatchObject({
    message: 'Filename too long (os error 36)',
  });
  expect(existsSync(path)).toBe(true);
});

it('stay out of reach where the policy does not let them be written', async () => {
  const { client, ws } = await setUpSandboxed();
  const path = join(ws, 'tree');
  makeDeepTree(path);
  const sandbox = policyOf(ws, [
    [ws, 'write'],
    [path, 'read'],
  ]);
  await expect(client.call('fs/remove', { path, sandbox })).rejects.toMatchObject({
    message: 'Read-only file system (os error 30)',
  });
  expect(existsSync(path)).toBe(true);
});

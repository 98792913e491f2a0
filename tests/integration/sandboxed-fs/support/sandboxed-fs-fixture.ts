// A server with the real helper, bundled from the sources; a workspace, and a place outside of it.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExecServer, type ExecServerOptions, type HelperCommand, nodeHelper } from '@codex/exec-server-core';
import { afterAll, onTestFinished } from 'vitest';
import { type BundledHelper, bundleFileHelper } from '../../../../scripts/bundling/bundle-file-helper.js';
import { FsClient } from '../../fs/support/fs-fixture.js';

let bundled: BundledHelper | undefined;

// Not at the exit of the process: a test worker is killed.
afterAll(() => {
  bundled?.remove();
  bundled = undefined;
});

export function fileHelper(): HelperCommand {
  if (bundled === undefined) {
    bundled = bundleFileHelper();
    // A secret beside the helper, as credentials may lie beside an installed program.
    writeFileSync(join(bundled.folder, 'credentials'), 'secret');
  }
  return nodeHelper(bundled.file);
}

type Access = 'read' | 'write' | 'deny';

export interface SandboxFixture {
  readonly server: ExecServer;
  readonly client: FsClient;
  /** The workspace, writable in `workspaceOnly` and `readEverything`. */
  readonly ws: string;
  /** Beside it. */
  readonly outside: string;
  connect(params?: Record<string, unknown>): Promise<FsClient>;
}

export async function setUpSandboxed(options: ExecServerOptions = {}): Promise<SandboxFixture> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'exec-sandboxed-fs-')));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const ws = join(base, 'ws');
  const outside = join(base, 'outside');
  mkdirSync(ws);
  mkdirSync(outside);
  writeFileSync(join(ws, 'inside'), 'inside');
  writeFileSync(join(outside, 'secret'), 'secret');
  const server = new ExecServer({ fileHelper: fileHelper(), ...options });
  // What is registered last runs first: the server is down when its files go.
  onTestFinished(() => server.shutdown());
  const connect = (params?: Record<string, unknown>) => new FsClient(server).initialize(params);
  return { server, client: await connect(), ws, outside, connect };
}

const entry = (path: string, access: Access) => ({ path: { type: 'path', path }, access });

/** A `sandbox` member with these entries; `/` is an entry like every other. */
export function policyOf(cwd: string, entries: readonly (readonly [string, Access])[]) {
  return {
    permissions: {
      type: 'managed',
      file_system: {
        type: 'restricted',
        entries: entries.map(([path, access]) =>
          path.includes('*')
            ? { path: { type: 'glob_pattern', pattern: path }, access }
            : path === '/'
              ? { path: { type: 'special', value: { kind: 'root' } }, access }
              : entry(path, access),
        ),
      },
      network: 'restricted',
    },
    cwd,
    workspaceRoots: [cwd],
    windowsSandboxLevel: 'disabled',
  };
}

export const workspaceOnly = (ws: string) => policyOf(ws, [[ws, 'write']]);
export const readEverything = (ws: string) =>
  policyOf(ws, [
    ['/', 'read'],
    [ws, 'write'],
  ]);
export const readOnly = (ws: string) => policyOf(ws, [['/', 'read']]);

export const text = (result: { dataBase64: string }): string =>
  Buffer.from(result.dataBase64, 'base64').toString();
export const base64 = (value: string): string => Buffer.from(value).toString('base64');

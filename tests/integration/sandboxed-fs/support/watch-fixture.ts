// A watch under a policy, and what it has told.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { eventually, type FsClient } from '../../fs/support/fs-fixture.js';
import { type SandboxFixture, setUpSandboxed, workspaceOnly } from './sandboxed-fs-fixture.js';

interface Change {
  readonly kind: string;
  readonly path: string;
  readonly previousPath?: string;
}

export const notifications = (client: FsClient, watchId = 'w') =>
  client.notifications
    .filter(({ method, params }) => method === 'fs/changed' && params['watchId'] === watchId)
    .map(({ params }) => params as unknown as { changes: Change[]; overflow?: boolean });

/** `kind path`, with the paths below the workspace. */
export const changesOf = ({ client, ws }: SandboxFixture, watchId = 'w') =>
  notifications(client, watchId).flatMap(({ changes }) =>
    changes.map(({ kind, path, previousPath }) => {
      const short = (long: string) => (long === ws ? '.' : long.replace(`${ws}/`, ''));
      return `${kind} ${previousPath === undefined ? '' : `${short(previousPath)} > `}${short(path)}`;
    }),
  );

export const hasOverflow = ({ client }: SandboxFixture, watchId = 'w') =>
  notifications(client, watchId).some(({ overflow }) => overflow === true);

export type Policy = (ws: string) => object;

export async function watching(
  prepare: (ws: string, outside: string) => void,
  options: { policy?: Policy; recursive?: boolean; path?: string } = {},
): Promise<SandboxFixture> {
  const fixture = await setUpSandboxed();
  const { client, ws, outside } = fixture;
  prepare(ws, outside);
  const { policy = workspaceOnly, recursive = true, path = '' } = options;
  const params = { watchId: 'w', path: join(ws, path), recursive, sandbox: policy(ws) };
  expect(await client.call('fs/watch', params)).toEqual({ watchId: 'w' });
  return fixture;
}

/** A change that is always visible: when it is reported, everything before it has been. */
export async function fence(fixture: SandboxFixture, name = 'fence'): Promise<void> {
  writeFileSync(join(fixture.ws, name), '');
  await eventually(`the report of ${name}`, () => changesOf(fixture).includes(`created ${name}`));
}

export const nothing = () => undefined;

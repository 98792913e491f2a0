// Files under a sandbox that restricts reading: the first request of a policy, and those that follow.
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type BenchContext, type Scenario, timed } from '../scenario.js';

/** A workspace that may be written, and nothing else; `extra` makes it a policy of its own. */
function workspacePolicy(folder: string, extra: readonly string[] = []) {
  const entries = [folder, ...extra].map((path) => ({
    path: { type: 'path', path: `file://${path}` },
    access: 'write',
  }));
  return {
    permissions: { type: 'managed', file_system: { type: 'restricted', entries }, network: 'restricted' },
    cwd: `file://${folder}`,
    workspaceRoots: [`file://${folder}`],
    windowsSandboxLevel: 'disabled',
    windowsSandboxPrivateDesktop: false,
    useLegacyLandlock: false,
  };
}

const readSmall = ({ client, folder }: BenchContext, sandbox: object) =>
  client.call('fs/readFile', { path: `file://${folder}/small`, sandbox });

export const sandboxedFileScenarios: readonly Scenario[] = [
  {
    name: 'sandboxed write 1 KiB (fs/writeFile)',
    unit: 'ms',
    samplesPerRound: 100,
    warmUps: 500,
    goal: 60,
    sample: ({ client, folder }) => {
      const dataBase64 = Buffer.alloc(1024, 'x').toString('base64');
      const params = { path: `file://${folder}/sandboxed`, dataBase64, sandbox: workspacePolicy(folder) };
      return timed(() => client.call('fs/writeFile', params));
    },
  },
  {
    name: 'sandboxed read 1 KiB (fs/readFile)',
    unit: 'ms',
    samplesPerRound: 100,
    warmUps: 500,
    goal: 60,
    sample: (context) => timed(() => readSmall(context, workspacePolicy(context.folder))),
  },
  {
    name: 'sandboxed read, first of a policy',
    unit: 'ms',
    samplesPerRound: 4,
    goalAtMost: 25,
    sample: (context) => {
      // A directory that no earlier sample named, so that nothing of an earlier policy can serve.
      const fresh = join(context.folder, randomUUID());
      mkdirSync(fresh);
      return timed(() => readSmall(context, workspacePolicy(context.folder, [fresh])));
    },
  },
];

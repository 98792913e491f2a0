// Files without a sandbox: whole reads and writes.
import { readFile, writeFile } from 'node:fs/promises';
import { type Scenario, timed } from '../scenario.js';

const READ_BYTES = 16 * 1024 * 1024;
const WRITE_BYTES = 8 * 1024 * 1024;

const megabytesPerSecond = async (bytes: number, action: () => Promise<unknown>) =>
  bytes / 1000 / (await timed(action));

export const fileScenarios: readonly Scenario[] = [
  {
    name: 'read 16 MiB (fs/readFile)',
    unit: 'MB/s',
    samplesPerRound: 3,
    goal: 1.6,
    sample: ({ client, folder }) =>
      megabytesPerSecond(READ_BYTES, () =>
        client.call('fs/readFile', { path: `file://${folder}/large`, sandbox: null }),
      ),
    ssh: (host, folder) => megabytesPerSecond(READ_BYTES, () => host.run(`cat '${folder}/large'`)),
    node: (_node, folder) => megabytesPerSecond(READ_BYTES, () => readFile(`${folder}/large`)),
  },
  {
    name: 'write 8 MiB (fs/writeFile)',
    unit: 'MB/s',
    samplesPerRound: 3,
    goal: 1.2,
    sample: ({ client, folder }) => {
      const dataBase64 = Buffer.alloc(WRITE_BYTES, 'x').toString('base64');
      const params = { path: `file://${folder}/written`, dataBase64, sandbox: null };
      return megabytesPerSecond(WRITE_BYTES, () => client.call('fs/writeFile', params));
    },
    ssh: (host, folder) => {
      const input = Buffer.alloc(WRITE_BYTES, 'x');
      return megabytesPerSecond(WRITE_BYTES, () => host.run(`cat > '${folder}/written'`, { input }));
    },
    node: (_node, folder) => {
      const bytes = Buffer.alloc(WRITE_BYTES, 'x');
      return megabytesPerSecond(WRITE_BYTES, () => writeFile(`${folder}/written`, bytes));
    },
  },
  {
    name: 'read 1 KiB (fs/readFile)',
    unit: 'ms',
    samplesPerRound: 20,
    sample: ({ client, folder }) =>
      timed(() => client.call('fs/readFile', { path: `file://${folder}/small`, sandbox: null })),
    ssh: (host, folder) => timed(() => host.run(`cat '${folder}/small'`)),
    node: (_node, folder) => timed(() => readFile(`${folder}/small`)),
  },
];

export const LARGE_FILE_BYTES = READ_BYTES;

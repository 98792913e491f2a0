// Files without a sandbox: whole reads and writes.
import { type Scenario, timed } from '../scenario.js';

const READ_BYTES = 16 * 1024 * 1024;
const WRITE_BYTES = 8 * 1024 * 1024;

export const fileScenarios: readonly Scenario[] = [
  {
    name: 'read 16 MiB (fs/readFile)',
    unit: 'MB/s',
    samplesPerRound: 3,
    goal: 1.5,
    sample: async ({ client, folder }) => {
      const path = `file://${folder}/large`;
      return READ_BYTES / 1000 / (await timed(() => client.call('fs/readFile', { path, sandbox: null })));
    },
  },
  {
    name: 'write 8 MiB (fs/writeFile)',
    unit: 'MB/s',
    samplesPerRound: 3,
    goal: 1,
    sample: async ({ client, folder }) => {
      const dataBase64 = Buffer.alloc(WRITE_BYTES, 'x').toString('base64');
      const params = { path: `file://${folder}/written`, dataBase64, sandbox: null };
      return WRITE_BYTES / 1000 / (await timed(() => client.call('fs/writeFile', params)));
    },
  },
  {
    name: 'read 1 KiB (fs/readFile)',
    unit: 'ms',
    samplesPerRound: 100,
    sample: ({ client, folder }) =>
      timed(() => client.call('fs/readFile', { path: `file://${folder}/small`, sandbox: null })),
  },
];

export const LARGE_FILE_BYTES = READ_BYTES;

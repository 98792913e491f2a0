// What a sandbox has to know of the host, looked for while no descriptor is left and afterwards.

import { hostControlSockets } from '../../../../packages/sandbox/src/linux/sockets/host-control-sockets.js';
import { readGitPointer } from '../../../../packages/sandbox/src/policy/git-directories.js';
import { exhaustDescriptors } from '../support/exhaust-descriptors.js';

const [pointer = ''] = process.argv.slice(2);
const outcome = async (look: () => unknown): Promise<string> => {
  try {
    await look();
    return 'found out';
  } catch (error) {
    return `${Reflect.get(Object(error), 'code')} ${Reflect.get(Object(Reflect.get(Object(error), 'cause')), 'code')}`;
  }
};
const looks = async (): Promise<string[]> => [
  await outcome(() => hostControlSockets([])),
  await outcome(() => readGitPointer(pointer)),
];
const shortage = exhaustDescriptors();
const during = await looks();
shortage.end();
process.stdout.write(JSON.stringify({ during, after: await looks() }));

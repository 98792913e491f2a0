// Tells whether the files that a login shell reads first have changed since it was captured. Files that these read in
// turn are not followed, apart from the usual ones.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../environment/env-policy.js';

const OF_THE_SYSTEM = ['/etc/profile', '/etc/profile.d', '/etc/bash.bashrc'];
const OF_THE_USER = ['.bash_profile', '.bash_login', '.profile', '.bashrc', '.bash_aliases'];

export async function startupFilesState(env: Environment): Promise<string> {
  const { HOME: home, BASH_ENV: bashEnv } = env;
  const paths = [
    ...OF_THE_SYSTEM,
    ...(home === undefined ? [] : OF_THE_USER.map((name) => join(home, name))),
    ...(bashEnv === undefined ? [] : [bashEnv]),
  ];
  const states = await Promise.all(
    paths.map((path) =>
      stat(path, { bigint: true }).then(
        ({ ino, size, mtimeNs }) => `${ino}/${size}/${mtimeNs}`,
        () => '-',
      ),
    ),
  );
  return states.join(' ');
}

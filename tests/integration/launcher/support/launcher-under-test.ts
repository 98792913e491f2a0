// The launchers that the suite runs over: every promise that both kinds make is tested on both.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import {
  createLauncher,
  type Launcher,
  locateLauncherProgram as locateBuilt,
} from '../../../../packages/launcher/src/index.js';

export * from '../../../../packages/launcher/src/index.js';

const portableTerminals = fileURLToPath(
  new URL('../../../../packages/launcher-darwin/index.cjs', import.meta.url),
);

/** Under `npm run test:native` a program that was built with sanitizers. */
export const locateLauncherProgram = (): string | undefined =>
  process.env['CODEX_TEST_LAUNCHER'] ?? locateBuilt();

let native: Launcher | undefined;
/** One for the whole file: its spare supervisors end with the test process. */
export function nativeLauncher(): Launcher {
  const launcherProgram = locateLauncherProgram();
  if (launcherProgram === undefined) {
    throw new Error('codex-launcher is not built: run node packages/launcher/scripts/build-native.mjs');
  }
  native ??= createLauncher({ launcherProgram });
  return native;
}

/**
 * The pure-Node launcher needs node-pty for terminals. macOS has it; on Linux it is built where c++, make and python3 are,
 * and where they are not, that launcher is not tested.
 */
export const hasPortableTerminals = ((): boolean => {
  try {
    createRequire(import.meta.url)(portableTerminals).loadNativePty();
    return true;
  } catch {
    return false;
  }
})();

export const launchers: [string, () => Launcher][] = [
  ['native', nativeLauncher],
  ...(hasPortableTerminals
    ? [['node', () => createLauncher({ launcherProgram: null })] satisfies [string, () => Launcher]]
    : []),
];

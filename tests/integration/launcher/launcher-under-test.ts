/** The launchers that the suite runs over: every promise that both kinds make is tested on both. */
import { createLauncher, type Launcher, locateNative } from '../../../packages/launcher/src/index.js';

export * from '../../../packages/launcher/src/index.js';

let native: Launcher | undefined;
/** One for the whole file: its spare supervisors end with the test process. */
export function nativeLauncher(): Launcher {
  const nativePath = locateNative();
  if (nativePath === undefined) {
    throw new Error('codex-launcher is not built: run node packages/launcher/scripts/build-native.mjs');
  }
  native ??= createLauncher({ nativePath });
  return native;
}

export const launchers: [string, () => Launcher][] = [
  ['native', nativeLauncher],
  ['node', () => createLauncher({ nativePath: null })],
];

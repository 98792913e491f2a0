/** The launchers that the suite runs over: every promise that both kinds make is tested on both. */
import { createLauncher, type Launcher, locateNative } from '../../../packages/launcher/src/index.js';

export * from '../../../packages/launcher/src/index.js';

export function nativeLauncher(): Launcher {
  const nativePath = locateNative();
  if (nativePath === undefined) {
    throw new Error('codex-launcher is not built: run node packages/launcher/scripts/build-native.mjs');
  }
  return createLauncher({ nativePath });
}

export const launchers: [string, () => Launcher][] = [
  ['native', nativeLauncher],
  ['node', () => createLauncher({ nativePath: null })],
];

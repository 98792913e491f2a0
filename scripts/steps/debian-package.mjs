// Some tests run programs of the system. Only a test run installs them, and only where it may; `npm start` never does.
import { isOnPath } from './requirements.mjs';
import { runCommand, say } from './run-command.mjs';

/** `isThere` tells whether the package is needed at all; `otherwise` says what happens without it. */
export async function ensureDebianPackage(name, { isThere, why, otherwise }) {
  if (process.platform !== 'linux' || isThere()) return;
  if (process.getuid?.() !== 0 || !isOnPath('apt-get')) {
    say(`${name} is missing: install it (Debian, Ubuntu: sudo apt-get install ${name}), or ${otherwise}.`);
    return;
  }
  say(`Installing ${name} with apt-get, because ${why} …`);
  await runCommand('apt-get', ['update', '-q'], { quiet: true });
  await runCommand('apt-get', ['install', '-y', '-q', name], { quiet: true });
}

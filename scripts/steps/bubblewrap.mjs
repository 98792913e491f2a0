// Tests and the benchmark run real sandboxes, so they need bubblewrap. `npm start` never changes a system package.
import { isOnPath } from './requirements.mjs';
import { runCommand, say } from './run-command.mjs';

export async function ensureBubblewrap() {
  if (process.platform !== 'linux' || isOnPath('bwrap')) return;
  if (process.getuid?.() !== 0 || !isOnPath('apt-get')) {
    say(
      'bubblewrap is missing: install it (Debian, Ubuntu: sudo apt-get install bubblewrap), or everything sandboxed fails.',
    );
    return;
  }
  say('Installing bubblewrap with apt-get, because real sandboxes are run …');
  await runCommand('apt-get', ['update', '-q'], { quiet: true });
  await runCommand('apt-get', ['install', '-y', '-q', 'bubblewrap'], { quiet: true });
}

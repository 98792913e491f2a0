// The sandbox tests run real sandboxes, so `npm test` needs bubblewrap. `npm start` never changes a system package.
import { isOnPath } from './requirements.mjs';
import { runCommand, say } from './run-command.mjs';

export async function ensureBubblewrap() {
  if (process.platform !== 'linux' || isOnPath('bwrap')) return;
  if (process.getuid?.() !== 0 || !isOnPath('apt-get')) {
    say(
      'bubblewrap is missing: install it (Debian, Ubuntu: sudo apt-get install bubblewrap), or the sandbox tests fail.',
    );
    return;
  }
  say('Installing bubblewrap with apt-get, because the sandbox tests need it …');
  await runCommand('apt-get', ['update', '-q'], { quiet: true });
  await runCommand('apt-get', ['install', '-y', '-q', 'bubblewrap'], { quiet: true });
}

// The client is tested in a real browser. Where it cannot be installed those tests are skipped and say so.
import { existsSync } from 'node:fs';
import { isOnPath } from './requirements.mjs';
import { runCommand, StepError, say } from './run-command.mjs';

const EXECUTABLE = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

export async function ensureChromium() {
  if (existsSync(EXECUTABLE)) return;
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !isOnPath('apt-get')) {
    say(
      `There is no ${EXECUTABLE}, so the browser tests are SKIPPED. Install it (Debian: sudo apt-get install chromium), or name one in CHROMIUM_PATH.`,
    );
    return;
  }
  say('Installing chromium with apt-get, because the client is run in a real browser …');
  try {
    await runCommand('apt-get', ['update', '-q'], { quiet: true });
    await runCommand('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'chromium'], {
      quiet: true,
    });
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    say(`chromium cannot be installed, so the browser tests are SKIPPED: ${error.message}`);
  }
}

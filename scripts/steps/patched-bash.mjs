// The patched Bash, for tests of exec interception. Built once per machine and patch, half a minute; needs no other step but the
// set-up, so it can run beside others. A machine that cannot build it is told by the tests that need it.
import { buildBash } from '../../packages/escalation/scripts/build-bash.mjs';
import { say } from './run-command.mjs';

export async function ensurePatchedBash() {
  if (process.platform !== 'linux') return;
  try {
    await buildBash({ say });
  } catch (error) {
    say(`The patched Bash is missing, and tests that need it fail: ${error.message}`);
  }
}

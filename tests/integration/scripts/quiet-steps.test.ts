// What `npm start` says while it sets up: what it does and how far it is, and everything a step said only when it fails.
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

const STEPS = new URL('../../../scripts/steps/', import.meta.url).href;

/** Runs a step whose command is this program, as `npm start` does. */
function runStep(program: string): { stderr: string; stdout: string; status: number | null } {
  const script = `
    import { runScript } from '${STEPS}run-command.mjs';
    import { runStep } from '${STEPS}progress.mjs';
    await runScript(() => runStep('Installing dependencies (the first time takes a minute)', {
      command: process.execPath, args: ['-e', ${JSON.stringify(program)}],
      progress: (line) => /^Progress: (.*)/.exec(line)?.[1],
    }));`;
  const { stderr, stdout, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  });
  return { stderr, stdout, status };
}

const LIST =
  'for (let i = 0; i < 50; i++) console.log("+ package-" + i + " 1.0.0"); console.error("warn: x");';

describe('a step of the set-up', () => {
  it('says what it does first, then how long it took, and none of the lists', () => {
    const { stderr, stdout, status } = runStep(`console.log("Progress: resolved 476, added 3"); ${LIST}`);
    expect({ stdout, status }).toEqual({ stdout: '', status: 0 });
    expect(stderr).toMatch(
      /^Installing dependencies \(the first time takes a minute\) …\n {2}done in \d+ s\n$/,
    );
  });

  it('shows how far it is when it takes long', () => {
    const { stderr } = runStep(
      `console.log("Progress: resolved 476, added 3"); ${LIST} setTimeout(() => console.log("Progress: resolved 476, added 400"), 5500)`,
    );
    expect(stderr.split('\n').slice(1, -1)).toEqual([
      '  resolved 476, added 400',
      expect.stringMatching(/^ {2}done in \d+ s$/),
    ]);
  });

  it('says everything when it fails', () => {
    const { stderr, status } = runStep(`${LIST} process.exitCode = 3`);
    expect(status).toBe(1);
    expect(stderr).toContain('✗ ');
    expect(stderr).toContain('ended with exit code 3');
    for (const line of ['+ package-0 1.0.0', '+ package-49 1.0.0', 'warn: x']) expect(stderr).toContain(line);
  });
});

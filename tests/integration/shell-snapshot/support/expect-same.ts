// A command with a snapshot beside the same command without one.
import { expect } from 'vitest';
import { LoginShell, type RunOptions } from './login-shell.js';

/** Runs the script as it stands, then twice with a snapshot, of which the second runs no profile. */
export async function expectSame(profile: string, script: string, options: RunOptions = {}): Promise<string> {
  const shell = await LoginShell.open(profile, options.serverEnv);
  const plain = await shell.run(script, { ...options, snapshot: false });
  expect(await shell.run(script, options)).toEqual(plain);
  const runs = shell.profileRuns;
  expect(await shell.run(script, options)).toEqual(plain);
  expect(shell.profileRuns).toBe(runs);
  return plain.stdout;
}

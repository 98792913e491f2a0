// Tries whether a shell asks: one whose every question fails cannot run /bin/true, and without interception it can.
import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import type { ShellChoice } from './choose-shell.js';

const PROBE_MS = 10_000;
const COMMAND = ['--norc', '--noprofile', '-c', '/bin/true'];

/** Undefined when it asks; else a sentence why it cannot be used. */
export async function probeShell({
  bash,
  environment,
}: Pick<ShellChoice, 'bash' | 'environment'>): Promise<string | undefined> {
  try {
    await access(bash, constants.X_OK);
  } catch {
    return 'there is no such program';
  }
  const failure = await failureOf(bash, {});
  if (failure !== undefined) return `it does not run as a Bash does: ${failure}`;
  // No broker answers: whatever the shell wants to execute has to fail.
  if ((await failureOf(bash, { ...environment, BASH_EXEC_WRAPPER: '/bin/false' })) === undefined) {
    return 'it executes programs without asking (a Bash of another build, or one that is linked statically)';
  }
  return undefined;
}

/** In the words of whoever has them: the system where it does not start, the shell itself where it does. */
function failureOf(bash: string, env: Readonly<Record<string, string>>): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(bash, COMMAND, { env, cwd: '/', timeout: PROBE_MS }, (error, _, stderr) => {
      const [said = ''] = stderr.trim().split('\n');
      resolve(error === null ? undefined : said || firstLine(error.message));
    });
  });
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text;
}

// Looks at cwd and program before a spawn, because child_process reports both as ENOENT of the program and a shell
// trampoline reports nothing. What changes between the look and the exec is not seen.
import { accessSync, constants, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { errnoOf, LaunchError } from '../launch-error.js';
import type { LaunchSpec } from '../launch-spec.js';

export function checkCwd(cwd: string): void {
  let errno: string | undefined;
  try {
    if (!statSync(cwd).isDirectory()) errno = 'ENOTDIR';
    else accessSync(cwd, constants.X_OK);
  } catch (error) {
    errno = errnoOf(error);
  }
  if (errno === undefined) return;
  throw new LaunchError({
    stage: 'cwd',
    errno,
    message: `cannot enter the working directory ${JSON.stringify(cwd)}: ${errno}`,
  });
}

/** The errors of execvp: EACCES where a file was there but not executable, else ENOENT. */
export function checkProgram(spec: LaunchSpec): void {
  const program = spec.argv[0] ?? '';
  const errno = program.includes('/')
    ? whyNotExecutable(resolve(spec.cwd, program))
    : searchPath(program, spec);
  if (errno === undefined) return;
  const message = `cannot execute ${JSON.stringify(program)}: ${errno}`;
  throw new LaunchError({ stage: 'exec', errno, message });
}

function searchPath(program: string, spec: LaunchSpec): string | undefined {
  if (program === '') return 'ENOENT';
  let denied = false;
  for (const entry of (spec.env['PATH'] ?? '/bin:/usr/bin').split(':')) {
    const errno = whyNotExecutable(join(resolve(spec.cwd, entry), program));
    if (errno === undefined) return undefined;
    if (errno === 'EACCES') denied = true;
  }
  return denied ? 'EACCES' : 'ENOENT';
}

function whyNotExecutable(file: string): string | undefined {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile() ? undefined : 'EACCES';
  } catch (error) {
    return errnoOf(error);
  }
}

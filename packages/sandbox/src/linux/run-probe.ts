// Runs a short program to learn about the host. Never throws: every way to fail is an answer.
import { execFile } from 'node:child_process';
import { runSupervised } from '../run-supervised.js';

export interface ProbeResult {
  readonly ok: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

const patienceMs = 5000;

/** For a program that starts nothing and ends by itself: should this process be killed, nobody else ends it. */
export function runProbe(file: string, args: readonly string[]): Promise<ProbeResult> {
  return new Promise((resolve) => {
    const options = {
      cwd: '/',
      env: {},
      timeout: patienceMs,
      killSignal: 'SIGKILL' as const,
      maxBuffer: 1 << 20,
    };
    execFile(file, [...args], options, (error, stdout, stderr) => {
      resolve({
        ok: error === null,
        stdout,
        stderr: stderr === '' && error !== null ? error.message : stderr,
      });
    });
  });
}

/**
 * The same for several, one after the other in one shell: a fork of Node takes longer than all of them. What each says comes as its
 * `stdout`, whichever it wrote to.
 */
export async function runProbes(
  commands: readonly (readonly string[] | undefined)[],
): Promise<(ProbeResult | undefined)[]> {
  const given = commands.filter((command) => command !== undefined);
  const lines = given.map((command) => `${command.map(quoted).join(' ')} 2>&1; printf '\\000%d\\000' "$?"`);
  const { stdout } = await runProbe('/bin/sh', ['-c', lines.join('\n')]);
  const parts = stdout.split('\0');
  const isWhole = parts.length === 2 * given.length + 1;
  const answers = isWhole
    ? given.map((_, at) => ({ ok: parts[2 * at + 1] === '0', stdout: parts[2 * at] ?? '', stderr: '' }))
    : await Promise.all(given.map(([file = '', ...args]) => runProbe(file, args))); // there is no shell
  return commands.map((command) => (command === undefined ? undefined : answers[given.indexOf(command)]));
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** For one that starts others. */
export async function runSupervisedProbe(file: string, args: readonly string[]): Promise<ProbeResult> {
  try {
    const { code, stdout, stderr } = await runSupervised({
      argv: [file, ...args],
      cwd: '/',
      env: {},
      patienceMs,
    });
    return { ok: code === 0, stdout, stderr };
  } catch (error) {
    return { ok: false, stdout: '', stderr: (error as Error).message };
  }
}

// Runs a short program to learn about the host. Never throws: every way to fail is an answer.
import { execFile } from 'node:child_process';

export interface ProbeResult {
  readonly ok: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

export function runProbe(file: string, args: readonly string[]): Promise<ProbeResult> {
  return new Promise((resolve) => {
    const options = { cwd: '/', env: {}, timeout: 5000, killSignal: 'SIGKILL' as const, maxBuffer: 1 << 20 };
    execFile(file, [...args], options, (error, stdout, stderr) => {
      resolve({
        ok: error === null,
        stdout,
        stderr: stderr === '' && error !== null ? error.message : stderr,
      });
    });
  });
}

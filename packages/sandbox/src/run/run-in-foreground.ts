// Runs a prepared command on the standard streams of this process: what a command line tool does with a sandbox.
import { once } from 'node:events';
import { createReadStream, fstatSync } from 'node:fs';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { type DenialEvidence, findDenial } from '../denial/find-denial.js';
import type { NetworkPolicy } from '../policy/policy-model.js';
import type { PreparedSandbox } from '../sandbox-request.js';
import { OutputCollector } from './output-collector.js';
import { startByNode } from './spawn-prepared.js';

export interface ForegroundOptions {
  /**
   * Looks for a denial in what the command prints; the network of its policy. Output then passes through this process,
   * except to a terminal, which stays the command's own: what goes there is not searched.
   */
  readonly findDenial?: { readonly network: NetworkPolicy };
}

export interface ForegroundEnd {
  /** 128 + n after a signal n. */
  readonly exitCode: number;
  readonly violations: readonly string[];
  /** Present when it was looked for and the command probably failed because of the sandbox. */
  readonly denial: DenialEvidence | undefined;
  /** What was covered here was replaced, removed or moved from outside, so the command was killed. */
  readonly lostMount: string | undefined;
}

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Of each stream this much is searched, its first part. */
const SEARCHED_BYTES = 16 * 1024 * 1024;

/** Signals to this process reach the command itself, not the wrapper. Resolves when the host is as it was. */
export async function runInForeground(
  prepared: PreparedSandbox,
  { findDenial: wanted }: ForegroundOptions = {},
): Promise<ForegroundEnd> {
  // An unrestricted command is never denied anything, and may leave children that hold its output open.
  const isSearched = wanted !== undefined && prepared.type !== 'none';
  const target = (stream: NodeJS.WriteStream) => (isSearched && !stream.isTTY ? 'pipe' : 'inherit');
  const input = prepared.type === 'none' ? 'inherit' : standardInput();
  const { child, lostMount: losing } = startByNode(prepared, {
    stdio: [input, target(process.stdout), target(process.stderr)],
  });
  const stopReading = child.stdin === null ? () => {} : passFile(child.stdin);
  const collector = new OutputCollector({ limit: SEARCHED_BYTES, onOutput: undefined, onFailure: () => {} });
  const stdout = collector.collect('stdout', child.stdout);
  const stderr = collector.collect('stderr', child.stderr);
  passOn(child.stdout, process.stdout);
  passOn(child.stderr, process.stderr);
  const forward = (signal: NodeJS.Signals) => {
    const pid = prepared.commandPid();
    if (pid !== undefined) process.kill(pid, signal);
  };
  for (const signal of FORWARDED) process.on(signal, forward);
  try {
    const [code, signal] = (await once(child, isSearched ? 'close' : 'exit')) as [
      number | null,
      NodeJS.Signals | null,
    ];
    stopReading();
    const lostMount = await losing;
    const exitCode = code ?? 128 + constants.signals[signal ?? 'SIGKILL'];
    const violations = await prepared.finish({ code: exitCode }).cleanup;
    const printed = { stdout: stdout().text, stderr: stderr().text };
    const denial = findDenial({ sandbox: prepared.type, exitCode, ...printed, ...wanted });
    return {
      exitCode,
      violations,
      lostMount,
      denial: isSearched && lostMount === undefined ? denial : undefined,
    };
  } finally {
    for (const signal of FORWARDED) process.off(signal, forward);
  }
}

/**
 * A file that is open for reading could be opened anew for writing through /proc/self/fd: the handle is one on the host's own mount,
 * where nothing is read-only. Of a folder everything below it could, and above. So a file is passed on, and a folder is nothing. It does
 * not stop that of the files which output is redirected to.
 */
function standardInput(): 'inherit' | 'pipe' | 'ignore' {
  const stats = fstatSync(0);
  if (stats.isDirectory()) return 'ignore';
  return stats.isFile() || stats.isBlockDevice() ? 'pipe' : 'inherit';
}

/** The rest of this process' standard input, a file. What is returned ends the reading. */
function passFile(to: Writable): () => void {
  const from = createReadStream('', { fd: 0, autoClose: false });
  // A command that ends, or closes its input, has read enough.
  to.once('error', () => from.destroy());
  from.pipe(to);
  return () => void from.destroy();
}

/** When the reader of this process is gone, so is that of the command: its next write fails as it would without us. */
function passOn(from: Readable | null, to: NodeJS.WriteStream): void {
  if (from === null) return;
  to.once('error', () => from.destroy());
  from.pipe(to, { end: false });
}

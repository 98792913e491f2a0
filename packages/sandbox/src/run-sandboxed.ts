// Runs one command to its end in a policy and collects what it printed: the whole library in one call.
import type { ChildProcess } from 'node:child_process';
import { constants, tmpdir } from 'node:os';
import type { Readable } from 'node:stream';
import { type DenialEvidence, findDenial } from './denial/denial.js';
import { SandboxError } from './errors.js';
import { prepareSandbox } from './prepare-sandbox.js';
import type { PreparedSandbox, SandboxRequest, SandboxType } from './sandbox-request.js';
import { spawnPrepared } from './spawn-prepared.js';

export interface RunSandboxedRequest extends Omit<SandboxRequest, 'env' | 'terminal'> {
  /** The whole environment of the command. Default: PATH, HOME, LANG and TERM of this process. */
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
  /** The command and everything it started is killed after this many milliseconds. */
  readonly timeoutMs?: number;
  /** Of each stream at most this much is kept, the first part. Default 16 MiB. */
  readonly maxOutputBytes?: number;
}

export interface SandboxedResult {
  /** 128 + n after a signal n. */
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
  readonly truncated: boolean;
  /** Present when the command probably failed because of the sandbox. */
  readonly denial: DenialEvidence | undefined;
  readonly sandbox: SandboxType;
  readonly warnings: readonly string[];
  readonly violations: readonly string[];
}

const defaultMaxOutput = 16 * 1024 * 1024;
const inheritedNames = ['PATH', 'HOME', 'LANG', 'TERM', 'USER'];

export async function runSandboxed(request: RunSandboxedRequest): Promise<SandboxedResult> {
  const prepared = await prepareSandbox({
    ...request,
    env: request.env ?? defaultEnvironment(),
    context: { tmpdir: tmpdir(), ...request.context },
  });
  try {
    return await runPrepared(prepared, request);
  } finally {
    await prepared.finish().cleanup;
  }
}

async function runPrepared(
  prepared: PreparedSandbox,
  request: RunSandboxedRequest,
): Promise<SandboxedResult> {
  const child = spawnPrepared(prepared);
  const limit = request.maxOutputBytes ?? defaultMaxOutput;
  const output = collect(child.stdout, limit);
  const errors = collect(child.stderr, limit);
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(request.input);
  const { exitCode, timedOut } = await waitForExit(child, request.timeoutMs);
  const [stdout, stderr] = [output(), errors()];
  const end = prepared.finish({ code: exitCode });
  const violations = await end.cleanup;
  if (!end.commandStarted && !timedOut) {
    throw new SandboxError(
      'SANDBOX_START_FAILED',
      `the sandbox did not start the command: ${stderr.text.trim()}`,
      {
        details: { exitCode, argv: request.argv },
      },
    );
  }
  return {
    exitCode,
    stdout: stdout.text,
    stderr: stderr.text,
    timedOut,
    truncated: stdout.truncated || stderr.truncated,
    denial: timedOut
      ? undefined
      : findDenial({
          sandbox: prepared.type,
          exitCode,
          stdout: stdout.text,
          stderr: stderr.text,
          network: request.policy.network,
        }),
    sandbox: prepared.type,
    warnings: prepared.warnings,
    violations,
  };
}

function waitForExit(
  child: ChildProcess,
  timeoutMs: number | undefined,
): Promise<{ exitCode: number; timedOut: boolean }> {
  return new Promise((resolve, reject) => {
    let timedOut = false;
    // The wrapper takes everything inside with it.
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => {
            timedOut = true;
            child.kill('SIGKILL');
          }, timeoutMs);
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(new SandboxError('SANDBOX_START_FAILED', `cannot start ${child.spawnfile}`, { cause: error }));
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ exitCode: code ?? 128 + signalNumber(signal), timedOut });
    });
  });
}

function collect(stream: Readable | null, limit: number): () => { text: string; truncated: boolean } {
  const blocks: Buffer[] = [];
  let kept = 0;
  let truncated = false;
  stream?.on('data', (block: Buffer) => {
    const room = Math.max(0, limit - kept);
    truncated ||= block.length > room;
    blocks.push(block.subarray(0, room));
    kept += Math.min(block.length, room);
  });
  return () => ({ text: Buffer.concat(blocks).toString('utf8'), truncated });
}

function signalNumber(signal: NodeJS.Signals | null): number {
  return signal === null ? 0 : constants.signals[signal];
}

function defaultEnvironment(): Record<string, string> {
  return Object.fromEntries(
    inheritedNames.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

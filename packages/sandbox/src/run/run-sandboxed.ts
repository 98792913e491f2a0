// Runs one command to its end in a policy and collects what it printed: the whole library in one call.
import type { ChildProcess } from 'node:child_process';
import { constants, tmpdir } from 'node:os';
import { type DenialEvidence, findDenial } from '../denial/find-denial.js';
import { SandboxError } from '../errors.js';
import { prepareSandbox } from '../prepare-sandbox.js';
import type { PreparedSandbox, SandboxRequest, SandboxType } from '../sandbox-request.js';
import { endWrapper } from './end-wrapper.js';
import { type OutputChunk, OutputCollector } from './output-collector.js';
import { checkRunRequest } from './run-rules.js';
import { startByNode } from './spawn-prepared.js';

export interface RunSandboxedRequest
  extends Omit<
    SandboxRequest,
    | 'env'
    | 'terminal'
    | 'ownTerminal'
    | 'outputIsTerminal'
    | 'refusedPorts'
    | 'startsAhead'
    | 'nullDeviceOnly'
  > {
  /** The whole environment of the command. Default: PATH, HOME, LANG and TERM of this process. */
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
  /** The command and everything it started is killed after this many milliseconds. */
  readonly timeoutMs?: number;
  /** Of each stream at most this much is kept, the first part. Default 16 MiB. */
  readonly maxOutputBytes?: number;
  /** Called with output as it comes, all of it. While a promise that it returns is pending, nothing more is read. */
  readonly onOutput?: (chunk: OutputChunk) => void | Promise<void>;
  /** Ends the command and everything it started; the call then rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
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
  /** What was covered here was replaced, removed or moved from outside, so the command was killed: look at what stands there. */
  readonly lostMount: string | undefined;
}

const defaultMaxOutput = 16 * 1024 * 1024;
const inheritedNames = ['PATH', 'HOME', 'LANG', 'TERM', 'USER'];

export async function runSandboxed(request: RunSandboxedRequest): Promise<SandboxedResult> {
  checkRunRequest(request);
  request.signal?.throwIfAborted();
  const { input, timeoutMs, maxOutputBytes, onOutput, signal, ...command } = request;
  const prepared = await prepareSandbox({
    ...command,
    env: request.env ?? defaultEnvironment(),
    context: { tmpdir: tmpdir(), ...request.context },
  });
  try {
    request.signal?.throwIfAborted();
    return await runPrepared(prepared, request);
  } finally {
    await prepared.finish().cleanup;
  }
}

async function runPrepared(
  prepared: PreparedSandbox,
  request: RunSandboxedRequest,
): Promise<SandboxedResult> {
  const { child, lostMount: losing } = startByNode(prepared);
  const kill = (): void => endWrapper(child);
  const collector = new OutputCollector({
    limit: request.maxOutputBytes ?? defaultMaxOutput,
    onOutput: request.onOutput,
    onFailure: kill,
  });
  const output = collector.collect('stdout', child.stdout);
  const errors = collector.collect('stderr', child.stderr);
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(request.input);
  const { exitCode, timedOut } = await waitForExit(child, { ...request, kill });
  request.signal?.throwIfAborted();
  await collector.settled();
  const lostMount = await losing;
  const [stdout, stderr] = [output(), errors()];
  const end = prepared.finish({ code: exitCode });
  const violations = await end.cleanup;
  if (!end.commandStarted && !timedOut && lostMount === undefined) {
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
    lostMount,
    denial:
      timedOut || lostMount !== undefined
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

interface Ending {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly kill: () => void;
}

function waitForExit(
  child: ChildProcess,
  { timeoutMs, signal, kill }: Ending,
): Promise<{ exitCode: number; timedOut: boolean }> {
  return new Promise((resolve, reject) => {
    let timedOut = false;
    const expire = (): void => {
      timedOut = true;
      kill();
    };
    const timer = timeoutMs === undefined ? undefined : setTimeout(expire, timeoutMs);
    signal?.addEventListener('abort', kill);
    const over = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', kill);
    };
    child.once('error', (error) => {
      over();
      reject(new SandboxError('SANDBOX_START_FAILED', `cannot start ${child.spawnfile}`, { cause: error }));
    });
    child.once('close', (code, name) => {
      over();
      resolve({ exitCode: code ?? 128 + signalNumber(name), timedOut });
    });
  });
}

function signalNumber(signal: NodeJS.Signals | null): number {
  return signal === null ? 0 : constants.signals[signal];
}

function defaultEnvironment(): Record<string, string> {
  return Object.fromEntries(
    inheritedNames.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

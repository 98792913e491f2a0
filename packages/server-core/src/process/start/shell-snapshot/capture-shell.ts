// Runs a login shell once and takes down what its profile leaves. The shell runs where its commands will run: same
// folder, same variables, same sandbox. Whatever the profile does, this settles in time and holds little.

import { randomUUID } from 'node:crypto';
import type { Clock } from '@codex/exec-protocol';
import type { LaunchedProcess, LaunchSpec } from '@codex/launcher';
import type { SandboxedLaunch } from '../sandbox/process-sandbox.js';
import { captureCommand } from './capture-script.js';
import { type CapturedState, parseCapturedState } from './captured-state.js';

export const CAPTURE_TIMEOUT_MS = 10_000;
export const MAX_CAPTURE_BYTES = 512 * 1024;

/** How long output may take to arrive once the shell itself has ended. */
const LAST_OUTPUT_MS = 250;

export interface CaptureServices {
  readonly clock: Clock;
  /** Puts the spec into the sandbox of the request. */
  readonly prepare: (spec: LaunchSpec) => SandboxedLaunch | Promise<SandboxedLaunch>;
  readonly launch: (spec: LaunchSpec) => Promise<LaunchedProcess>;
  /** Aborted when no command waits for the state any more: a shell that still runs is ended. */
  readonly signal: AbortSignal;
}

export interface Capture {
  /** Undefined when the shell did not say everything in time; `why` says what happened. */
  readonly state: CapturedState | undefined;
  readonly why?: string;
  /** False when the shell could not be started or was not let finish, which says nothing about its profile. */
  readonly ran: boolean;
  /** Ends what the profile has left running. */
  end(): Promise<void>;
}

/** `spec` is that of the command. Never rejects. */
export async function captureShell(spec: LaunchSpec, services: CaptureServices): Promise<Capture> {
  const nonce = randomUUID();
  let launched: LaunchedProcess;
  try {
    launched = await launchShell(spec, nonce, services);
  } catch (error) {
    return { state: undefined, why: String(error), ran: false, end: () => Promise.resolve() };
  }
  const kill = () => launched.killTree();
  const end = async () => {
    kill();
    await launched.treeGone;
  };
  services.signal.addEventListener('abort', kill);
  if (services.signal.aborted) kill();
  const outcome = await stateOf(launched, { nonce, clock: services.clock });
  services.signal.removeEventListener('abort', kill);
  if (typeof outcome !== 'string') return { state: outcome, ran: true, end };
  await end();
  return { state: undefined, why: outcome, ran: !services.signal.aborted, end };
}

async function launchShell(
  { argv, cwd, env }: LaunchSpec,
  nonce: string,
  { prepare, launch, signal }: CaptureServices,
): Promise<LaunchedProcess> {
  const prepared = await prepare({
    argv: captureCommand(argv[0] ?? '', nonce),
    cwd,
    env,
    io: { type: 'pipe', stdin: 'closed' },
  });
  let launched: LaunchedProcess;
  try {
    signal.throwIfAborted();
    launched = await launch(prepared.spec);
  } catch (error) {
    await prepared.finish?.();
    throw error;
  }
  void launched.treeGone.then(() => prepared.finish?.());
  prepared.started?.(launched);
  return launched;
}

interface Reading {
  readonly nonce: string;
  readonly clock: Clock;
}

/**
 * What the shell prints up to its last record, or what went wrong. Does not wait for other processes that hold its pipe.
 */
function stateOf(launched: LaunchedProcess, { nonce, clock }: Reading): Promise<CapturedState | string> {
  return new Promise((resolve) => {
    const printed = new PrintedState(nonce);
    const settle = (outcome: CapturedState | string) => {
      printed.drop();
      timer.cancel();
      resolve(outcome);
    };
    const timer = clock.schedule(CAPTURE_TIMEOUT_MS, () => settle('it timed out'));
    for (const output of launched.outputs) {
      // What comes later, and what the sandbox's wrapper complains about, is read and dropped.
      const isState = output.stream === 'stdout';
      output.start(
        (block) => {
          const outcome = isState ? printed.add(block) : undefined;
          if (outcome !== undefined) settle(outcome);
        },
        () => isState && settle('it ended early'),
      );
    }
    void launched.exited.finally(() => clock.schedule(LAST_OUTPUT_MS, () => settle('it ended early')));
  });
}

class PrintedState {
  readonly #nonce: string;
  readonly #end: Buffer;
  readonly #blocks: Buffer[] = [];
  #size = 0;
  #isDropped = false;

  constructor(nonce: string) {
    this.#nonce = nonce;
    this.#end = Buffer.from(`${nonce}\0`);
  }

  add(block: Buffer): CapturedState | string | undefined {
    if (this.#isDropped) return undefined;
    this.#blocks.push(block);
    this.#size += block.byteLength;
    if (this.#size > MAX_CAPTURE_BYTES) return `it exceeds ${MAX_CAPTURE_BYTES} bytes`;
    const tail = Buffer.concat(this.#blocks.slice(-2)).subarray(-this.#end.byteLength);
    if (!tail.equals(this.#end)) return undefined;
    const text = decode(Buffer.concat(this.#blocks));
    return text === undefined ? 'it is not UTF-8' : parseCapturedState(text, this.#nonce);
  }

  drop(): void {
    this.#isDropped = true;
    this.#blocks.length = 0;
  }
}

/** A name or value that is not UTF-8 could not be given back as it was. */
function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

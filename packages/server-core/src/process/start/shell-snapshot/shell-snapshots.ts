// The captured shells of one session. A command that asks for one starts with what the profile of its shell leaves
// behind, without running the profile; where that cannot be had it runs as it stands.
import { createHash } from 'node:crypto';
import type { LaunchSpec } from '@codex/launcher';
import type { Logger } from '../../../logger.js';
import type { Environment } from '../environment/env-policy.js';
import type { CaptureServices } from './capture-shell.js';
import type { CapturedState } from './captured-state.js';
import { quoted, restoreScript, SCRIPT_DESCRIPTOR, SCRIPT_PATH } from './restore-script.js';
import { givenFunctions, removedVariables, restoredVariables } from './restored-variables.js';
import { SharedCapture } from './shared-capture.js';
import { defeatsRestoring, type SnapshotRequest } from './snapshot-request.js';
import { startupFilesState } from './startup-files.js';

export const MAX_SNAPSHOTS_PER_SESSION = 16;

export interface SnapshotsOptions extends Pick<CaptureServices, 'clock' | 'launch'> {
  readonly logger: Logger;
}

export interface SnapshotUse extends Pick<CaptureServices, 'prepare'> {
  readonly request: SnapshotRequest;
  /** The policy of the request, as it came. */
  readonly sandbox: unknown;
  /** Aborted when the command is not wanted any more. */
  readonly signal: AbortSignal;
}

export class ShellSnapshots {
  readonly #options: SnapshotsOptions;
  /** The least recently used first. */
  readonly #captures = new Map<string, SharedCapture>();
  /** These, and those that are no longer used and not yet gone. */
  readonly #live = new Set<SharedCapture>();
  #isEnded = false;

  constructor(options: SnapshotsOptions) {
    this.#options = options;
  }

  /**
   * The command of `spec` with the state of its shell; `spec` itself where there is none. Rejects, with the reason of the
   * signal, only for a command that would have to wait for its profile and is not wanted any more.
   */
  async apply(spec: LaunchSpec, use: SnapshotUse): Promise<LaunchSpec> {
    if (defeatsRestoring(spec.env)) return spec;
    const key = keyOf(spec, use, await startupFilesState(spec.env));
    const known = this.#captures.get(key);
    if (known?.isDone !== true) use.signal.throwIfAborted();
    if (this.#isEnded) return spec;
    const capture = known ?? this.#begin(key, spec, use);
    this.#captures.delete(key);
    this.#captures.set(key, capture);
    this.#dropOldest();
    const { state } = await capture.join(use.signal);
    return state === undefined ? spec : withState(spec, state, use.request);
  }

  /** Ends every shell that is being captured and everything that profiles have left running. */
  async end(): Promise<void> {
    this.#isEnded = true;
    this.#captures.clear();
    await Promise.all([...this.#live].map((capture) => this.#drop(capture)));
  }

  #begin(key: string, spec: LaunchSpec, { prepare }: SnapshotUse): SharedCapture {
    const { clock, launch, logger } = this.#options;
    const forget = () => {
      if (this.#captures.get(key) === capture) this.#captures.delete(key);
      void this.#drop(capture);
    };
    const capture = new SharedCapture(spec, { clock, launch, prepare }, forget);
    this.#live.add(capture);
    void capture.done.then(({ ran, why }) => {
      if (why !== undefined) logger.info('a shell was not captured', { reason: why });
      // A folder that is missing now may be there for the next command.
      if (!ran) forget();
    });
    return capture;
  }

  async #drop(capture: SharedCapture): Promise<void> {
    await capture.end();
    this.#live.delete(capture);
  }

  #dropOldest(): void {
    for (const [key, capture] of this.#captures) {
      if (this.#captures.size <= MAX_SNAPSHOTS_PER_SESSION) return;
      this.#captures.delete(key);
      void capture.done.then(() => this.#drop(capture));
    }
  }
}

/**
 * Everything a profile may act on. The variables that a Codex client sets for every single call are left out: they name
 * the call, and a profile that looked at them would have to be run for each.
 */
function keyOf(spec: LaunchSpec, { request, sandbox }: SnapshotUse, startupFiles: string): string {
  const environment = Object.entries(spec.env)
    .filter(([name]) => !name.startsWith('CODEX_'))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const { scopeId, shell, policy } = request;
  const everything = [scopeId, shell, spec.arg0, spec.cwd, policy, sandbox, environment, startupFiles];
  return createHash('sha256').update(JSON.stringify(everything)).digest('hex');
}

function withState(spec: LaunchSpec, state: CapturedState, request: SnapshotRequest): LaunchSpec {
  const [shell = '', ...rest] = spec.argv;
  return {
    ...spec,
    argv: [shell, '--noprofile', ...rest],
    env: { ...spec.env, BASH_ENV: SCRIPT_PATH },
    inheritFds: [
      ...(spec.inheritFds ?? []),
      { data: scriptFor(spec.env, state, request), as: SCRIPT_DESCRIPTOR },
    ],
  };
}

/** The commands of a scope differ in values that are not part of the script: one is made and used again. */
const lastScripts = new WeakMap<CapturedState, { readonly key: string; readonly data: Buffer }>();

function scriptFor(env: Environment, state: CapturedState, request: SnapshotRequest): Buffer {
  const names = Object.keys(env).sort();
  const given = new Set([...Object.keys(request.overlay), ...Object.keys(request.policy?.set ?? {})]);
  const bashEnv = bashEnvOf(env, state, given);
  const key = JSON.stringify([names, [...given].sort(), bashEnv]);
  const last = lastScripts.get(state);
  if (last?.key === key) return last.data;
  const variables = restoredVariables(state.variables, { policy: request.policy, given });
  const removed = removedVariables(names, state.variables, given);
  const script = restoreScript({ state, variables, removed, givenFunctions: givenFunctions(names), bashEnv });
  const data = Buffer.from(script);
  lastScripts.set(state, { key, data });
  return data;
}

function bashEnvOf(env: Environment, state: CapturedState, given: ReadonlySet<string>): string {
  const value = env['BASH_ENV'];
  if (given.has('BASH_ENV') && value !== undefined) return `export BASH_ENV=${quoted(value)}`;
  const captured = state.variables.find(({ name }) => name === 'BASH_ENV')?.declaration ?? '';
  return `unset -v BASH_ENV\n${captured}`;
}

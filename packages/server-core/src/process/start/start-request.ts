// One shape for every form of `process/start`, checked as far as that is possible without starting anything.
import { constants } from 'node:os';
import {
  DEFAULT_PTY_COLS,
  DEFAULT_PTY_ROWS,
  type DirectStartParams,
  emptyArgv,
  foreignCwd,
  internalError,
  invalidParams,
  invalidRequest,
  type ParamsOf,
  PathUriError,
  type PreparedStartParams,
  parsePathInput,
  sandboxNotEnforceable,
  withErrno,
} from '@codex/exec-protocol';
import type { LaunchIo, LaunchSpec } from '@codex/launcher';
import type { ProcessLimits } from '../process-limits.js';
import { childEnvironment, type Environment, type ServerEnvironment } from './environment/env-policy.js';
import type { SandboxType } from './sandbox/process-sandbox.js';
import { type SnapshotRequest, snapshotRequestOf } from './shell-snapshot/snapshot-request.js';

export interface StartRequest {
  readonly processId: string;
  readonly argv: readonly string[];
  readonly arg0?: string;
  readonly cwd: string;
  /** As the client wrote it. */
  readonly cwdText: string;
  readonly env: Environment;
  readonly io: LaunchIo;
  /** The policy to enforce, or null for none. */
  readonly sandbox: unknown;
  /** What a prepared request says it is already wrapped in. */
  readonly preparedSandbox: SandboxType;
  /** What the client says it is for; it reaches the log only. */
  readonly metadata?: DirectStartParams['metadata'];
  /** The command is a login shell's and may start with a captured state. */
  readonly shellSnapshot?: SnapshotRequest;
}

export interface StartRequestContext {
  readonly limits: Pick<ProcessLimits, 'allowDirectExec' | 'allowPreparedExec'>;
  readonly serverEnv: ServerEnvironment;
}

/** The id is repeated in every event of the process. */
const MAX_PROCESS_ID_LENGTH = 1024;

/** Each costs several passes in one turn: 4 µs. Linux takes sixteen times as many of the shortest, which no program needs. */
const MAX_VARIABLES = 8192;

export function normaliseStart(
  params: ParamsOf<'process/start'>,
  context: StartRequestContext,
): StartRequest {
  if (isPrepared(params)) refuseTooManyVariables(params.request.env);
  else refuseTooManyVariables(params.env, params.envPolicy?.set);
  const request = isPrepared(params) ? fromPrepared(params, context) : fromDirect(params, context);
  if (request.processId.length > MAX_PROCESS_ID_LENGTH) {
    throw invalidParams(`processId must not exceed ${MAX_PROCESS_ID_LENGTH} characters`);
  }
  if (request.argv.length === 0) throw emptyArgv();
  checkArguments(request);
  checkEnvironment(request.env);
  return request;
}

export function launchSpecOf({ argv, arg0, cwd, env, io }: StartRequest): LaunchSpec {
  return { argv, cwd, env, io, ...(arg0 === undefined ? {} : { arg0 }) };
}

function isPrepared(params: ParamsOf<'process/start'>): params is PreparedStartParams {
  return params.kind === 'prepared';
}

function fromPrepared(
  { processId, request, io, metadata }: PreparedStartParams,
  { limits, serverEnv }: StartRequestContext,
): StartRequest {
  if (!limits.allowPreparedExec)
    throw invalidRequest('prepared execution is not allowed on this exec-server');
  return {
    processId,
    argv: request.argv,
    ...arg0Of(request.arg0),
    ...parseCwd(request.cwd),
    env: childEnvironment({ env: request.env, policy: null, serverEnv }),
    io,
    ...(metadata && { metadata }),
    sandbox: null,
    preparedSandbox: request.sandboxType ?? 'none',
  };
}

function fromDirect(params: DirectStartParams, { limits, serverEnv }: StartRequestContext): StartRequest {
  if (!limits.allowDirectExec) throw invalidRequest('direct execution is not allowed on this exec-server');
  refuseUnsupportedNetwork(params);
  const directory = parseCwd(params.cwd);
  const shellSnapshot = snapshotRequestOf(params);
  return {
    processId: params.processId,
    argv: params.argv,
    ...arg0Of(params.arg0),
    ...directory,
    ...(shellSnapshot && { shellSnapshot }),
    ...(params.metadata && { metadata: params.metadata }),
    env: childEnvironment({ env: params.env, policy: params.envPolicy, serverEnv }),
    io: params.io ?? flatIo(params),
    sandbox: params.sandbox ?? null,
    preparedSandbox: 'none',
  };
}

function arg0Of(arg0: string | null | undefined): { readonly arg0?: string } {
  return arg0 == null ? {} : { arg0 };
}

function flatIo({ tty, rows, cols, pipeStdin }: DirectStartParams): LaunchIo {
  if (tty === true) return { type: 'pty', rows: rows ?? DEFAULT_PTY_ROWS, cols: cols ?? DEFAULT_PTY_COLS };
  return { type: 'pipe', stdin: pipeStdin === true ? 'open' : 'closed' };
}

/** A restriction that is asked for and cannot be kept is refused, never ignored. */
function refuseUnsupportedNetwork(params: DirectStartParams): void {
  const isAsked =
    params.enforceManagedNetwork === true || params.managedNetwork != null || params.networkProxy != null;
  if (isAsked) throw sandboxNotEnforceable();
}

function parseCwd(text: string): { readonly cwd: string; readonly cwdText: string } {
  try {
    return { cwd: parsePathInput(text).path, cwdText: text };
  } catch (error) {
    if (!(error instanceof PathUriError)) throw error;
    throw error.code === 'PATH_URI_FOREIGN' ? foreignCwd(text, error.message) : invalidParams(error.message);
  }
}

// upstream: -32603 with the first of these texts for argv and the second for env; what it is about is our addition.
function checkArguments({ argv, arg0 }: StartRequest): void {
  for (const [index, argument] of argv.entries()) {
    if (argument.includes('\0')) throw internalError(`nul byte found in provided data: argv[${index}]`);
  }
  if (arg0?.includes('\0')) throw internalError('nul byte found in provided data: arg0');
  if (argv[0] === '') throw internalError('missing program for spawn: argv[0] is empty');
}

/** Before anything is made of them. The text is the kernel's for what is too long; bytes are left to the kernel. */
function refuseTooManyVariables(env: Environment, set: Environment = {}): void {
  if (Object.keys(env).length + Object.keys(set).length > MAX_VARIABLES)
    throw internalError(withErrno('Argument list too long', constants.errno.E2BIG));
}

// differs: upstream passes names with `=` and empty names on; the child then sees other variables than were asked for.
function checkEnvironment(env: Environment): void {
  for (const [name, value] of Object.entries(env)) {
    if (name === '') throw invalidParams('environment variable name must not be empty');
    if (name.includes('='))
      throw invalidParams(`environment variable name \`${name}\` must not contain \`=\``);
    if (name.includes('\0') || value.includes('\0')) {
      throw internalError(`data provided contains a nul byte: environment variable ${JSON.stringify(name)}`);
    }
  }
}

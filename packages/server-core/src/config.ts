// The options of a server: those of every slice, with defaults.

import { isAbsolute } from 'node:path';
import type { HelperCommand } from '@codex/exec-files';
import { DEFAULT_FS_LIMITS, type FsLimits } from '@codex/exec-files';
import type { Clock } from '@codex/exec-protocol';
import { backgroundClock, DEFAULT_RPC_LIMITS, type RpcLimits } from '@codex/exec-rpc';
import type { Launcher } from '@codex/launcher';
import type { WeakerForm } from '@codex/sandbox';
import type { TicketIssuer } from './handlers/console.js';
import { DEFAULT_HTTP_LIMITS, type HttpLimits } from './http/http-limits.js';
import { type Logger, silentLogger } from './logger.js';
import type { MayObserve } from './observe/access.js';
import type { ServerMetrics } from './observe/metrics/server-metrics.js';
import { DEFAULT_OBSERVE_LIMITS, type ObserveLimits } from './observe/observe-limits.js';
import type { OpenTelemetryApi } from './observe/spans/request-spans.js';
import { sharesOf } from './process/output/in-transit-shares.js';
import { DEFAULT_PROCESS_LIMITS, type ProcessLimits } from './process/process-limits.js';
import { PolicySandbox } from './process/start/sandbox/policy-sandbox.js';
import type { ProcessSandbox } from './process/start/sandbox/process-sandbox.js';
import { DEFAULT_SESSION_LIMITS, type SessionLimits } from './session/session-limits.js';
import type { SessionHooks } from './session/session-registry.js';
import { VERSION } from './version.js';

export interface ExecServerConfig {
  readonly version: string;
  readonly process: ProcessLimits;
  readonly session: SessionLimits;
  readonly fs: FsLimits;
  readonly http: HttpLimits;
  readonly rpc: RpcLimits;
  readonly observe: ObserveLimits;
  readonly mayObserve: MayObserve | undefined;
  readonly tickets: TicketIssuer | undefined;
  readonly metrics: ServerMetrics | undefined;
  readonly openTelemetry: OpenTelemetryApi | undefined;
  /** What a policy's `tmpdir` means. */
  readonly tmpdir: string | undefined;
  readonly cwd: string;
  /** The server's own environment: what `envPolicy` inherits from. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the administrator's Codex configuration is. */
  readonly systemConfigDir: string;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly launcher?: Launcher;
  readonly sandbox: ProcessSandbox;
  readonly secretFiles: readonly string[];
  readonly ownFolders: readonly string[];
  readonly refusedPorts: readonly number[];
  readonly acceptedForms: readonly WeakerForm[];
  readonly fileHelper?: HelperCommand;
  readonly sandboxTrial?: Promise<boolean>;
  readonly sessionHooks?: SessionHooks;
}

export interface ExecServerOptions {
  readonly process?: Partial<ProcessLimits>;
  readonly session?: Partial<SessionLimits>;
  readonly fs?: Partial<FsLimits>;
  readonly http?: Partial<HttpLimits>;
  readonly rpc?: Partial<RpcLimits>;
  readonly observe?: Partial<ObserveLimits>;
  /** Who may watch whose sessions; without it, the same identity and who came in with `seesOthers`. */
  readonly mayObserve?: MayObserve;
  /** Makes the tickets with which a page becomes an observer; without one there are none. */
  readonly tickets?: TicketIssuer;
  /** Counts; without it nothing is counted. */
  readonly metrics?: ServerMetrics;
  /** The API with which the program has set up its tracing; without it nothing is traced. */
  readonly openTelemetry?: OpenTelemetryApi;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly systemConfigDir?: string;
  readonly logger?: Logger;
  readonly clock?: Clock;
  /** Starts the processes; without one, the launcher package finds its own. */
  readonly launcher?: Launcher;
  /** Files that no sandboxed command may read, whatever its policy says: tokens and keys of this server. */
  readonly secretFiles?: readonly string[];
  /** Existing folders in which no sandboxed command may change anything: the program of this server. */
  readonly ownFolders?: readonly string[];
  /** TCP ports that no sandboxed command may connect to, where the kernel can refuse it: those of a fleet's broker. */
  readonly refusedPorts?: readonly number[];
  /** Weaker forms of enforcement that a sandbox may take where this host has nothing better. */
  readonly acceptedForms?: readonly WeakerForm[];
  /** The program that serves sandboxed file requests; without one, it is looked for beside the bundle. */
  readonly fileHelper?: HelperCommand;
  /** Whether bubblewrap works here, from a caller that has begun to find out; without it the server does. */
  readonly sandboxTrial?: Promise<boolean>;
  readonly sessionHooks?: SessionHooks;
}

export function resolveConfig(options: ExecServerOptions): ExecServerConfig {
  const env = options.env ?? process.env;
  const logger = options.logger ?? silentLogger;
  const tmpdir = absolute(env['TMPDIR']);
  const processLimits = { ...DEFAULT_PROCESS_LIMITS, ...options.process };
  const { inConnectionBytes } = sharesOf(processLimits.retainedOutputBytesPerProcess);
  const bulkMarkBytes = Math.min(DEFAULT_RPC_LIMITS.bulkMarkBytes, inConnectionBytes);
  return {
    version: VERSION,
    process: processLimits,
    session: { ...DEFAULT_SESSION_LIMITS, ...options.session },
    fs: { ...DEFAULT_FS_LIMITS, ...options.fs },
    http: { ...DEFAULT_HTTP_LIMITS, ...options.http },
    rpc: { ...DEFAULT_RPC_LIMITS, bulkMarkBytes, ...options.rpc },
    observe: { ...DEFAULT_OBSERVE_LIMITS, ...withoutConsole(options), ...options.observe },
    mayObserve: options.mayObserve,
    tickets: options.tickets,
    metrics: options.metrics,
    openTelemetry: options.openTelemetry,
    tmpdir,
    cwd: options.cwd ?? process.cwd(),
    env,
    systemConfigDir: options.systemConfigDir ?? '/etc/codex',
    logger,
    clock: options.clock ?? backgroundClock,
    ...(options.launcher === undefined ? {} : { launcher: options.launcher }),
    secretFiles: options.secretFiles ?? [],
    ownFolders: options.ownFolders ?? [],
    refusedPorts: options.refusedPorts ?? [],
    acceptedForms: options.acceptedForms ?? [],
    ...(options.sessionHooks === undefined ? {} : { sessionHooks: options.sessionHooks }),
    ...(options.fileHelper === undefined ? {} : { fileHelper: options.fileHelper }),
    ...(options.sandboxTrial === undefined ? {} : { sandboxTrial: options.sandboxTrial }),
    sandbox: new PolicySandbox({
      tmpdir,
      secretFiles: options.secretFiles ?? [],
      ownFolders: options.ownFolders ?? [],
      refusedPorts: options.refusedPorts ?? [],
      acceptedForms: options.acceptedForms ?? [],
      logger,
    }),
  };
}

/** A copy of what every process wrote last is for observers that come later; without a console none is expected. */
function withoutConsole({ tickets }: ExecServerOptions): Partial<ObserveLimits> {
  return tickets === undefined ? { maxPastProcesses: 0 } : {};
}

function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}

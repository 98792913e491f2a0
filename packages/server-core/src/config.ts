// The configuration of a server: what each slice needs, composed, with defaults.

import { DEFAULT_RPC_LIMITS, type RpcLimits } from '@codex/exec-rpc';
import type { Launcher } from '@codex/launcher';
import { type Clock, systemClock } from './clock.js';
import { CAPABILITIES, type Capabilities } from './environment/capabilities.js';
import { DEFAULT_FS_LIMITS, type FsLimits } from './fs/fs-limits.js';
import { DEFAULT_HTTP_LIMITS, type HttpLimits } from './http/http-limits.js';
import { type Logger, silentLogger } from './logger.js';
import { DEFAULT_PROCESS_LIMITS, type ProcessLimits } from './process/process-limits.js';
import { DEFAULT_SESSION_LIMITS, type SessionLimits } from './session/session-limits.js';
import { VERSION } from './version.js';

export interface ExecServerConfig {
  readonly version: string;
  readonly capabilities: Capabilities;
  readonly process: ProcessLimits;
  readonly session: SessionLimits;
  readonly fs: FsLimits;
  readonly http: HttpLimits;
  readonly rpc: RpcLimits;
  readonly cwd: string;
  /** The server's own environment: what `envPolicy` inherits from. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the administrator's Codex configuration is. */
  readonly systemConfigDir: string;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly launcher?: Launcher;
}

export interface ExecServerOptions {
  readonly process?: Partial<ProcessLimits>;
  readonly session?: Partial<SessionLimits>;
  readonly fs?: Partial<FsLimits>;
  readonly http?: Partial<HttpLimits>;
  readonly rpc?: Partial<RpcLimits>;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly systemConfigDir?: string;
  readonly logger?: Logger;
  readonly clock?: Clock;
  /** Starts the processes; without one, the launcher package finds its own. */
  readonly launcher?: Launcher;
}

export function resolveConfig(options: ExecServerOptions): ExecServerConfig {
  return {
    version: VERSION,
    capabilities: CAPABILITIES,
    process: { ...DEFAULT_PROCESS_LIMITS, ...options.process },
    session: { ...DEFAULT_SESSION_LIMITS, ...options.session },
    fs: { ...DEFAULT_FS_LIMITS, ...options.fs },
    http: { ...DEFAULT_HTTP_LIMITS, ...options.http },
    rpc: { ...DEFAULT_RPC_LIMITS, ...options.rpc },
    cwd: options.cwd ?? process.cwd(),
    env: options.env ?? process.env,
    systemConfigDir: options.systemConfigDir ?? '/etc/codex',
    logger: options.logger ?? silentLogger,
    clock: options.clock ?? systemClock,
    ...(options.launcher === undefined ? {} : { launcher: options.launcher }),
  };
}

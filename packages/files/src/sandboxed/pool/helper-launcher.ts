// Starts helpers: makes the sandbox of a policy around the helper program.
import { spawn } from 'node:child_process';
import type { Clock } from '@codex/exec-protocol';
import { createLauncher, type Launcher } from '@codex/launcher';
import { prepareSandbox, type WeakerForm } from '@codex/sandbox';
import type { DebugLog } from '../../debug-log.js';
import type { FsLimits } from '../../fs-limits.js';
import type { RequestedPolicy } from '../policy/requested-policy.js';
import { helperPolicy } from './helper-policy.js';
import { HelperProcess } from './helper-process.js';
import { type HelperCommand, runtimeFiles } from './runtime-files.js';

export interface HelperLauncherOptions {
  readonly command: HelperCommand;
  /** codex-launcher, which watches files for the helper; without it a helper cannot watch. */
  readonly launcherProgram: string | undefined;
  readonly limits: FsLimits;
  readonly clock: Clock;
  readonly logger: DebugLog;
  /** Never readable in a sandbox, whatever the policy says. */
  readonly secretFiles: readonly string[];
  /** Never written in a sandbox, whatever the policy says. */
  readonly ownFolders: readonly string[];
  readonly acceptedForms?: readonly WeakerForm[];
  readonly launcher?: Launcher;
  /** Its owner closes it. */
  readonly sharedLauncher?: () => Launcher;
}

/** Where a helper stands: a directory that every sandbox has, whatever its policy. */
const HELPER_CWD = process.platform === 'linux' ? '/proc' : '/';

export class HelperLauncher {
  readonly #options: HelperLauncherOptions;
  #ownLauncher: Launcher | undefined;
  #runtimeFiles: readonly string[] | undefined;
  #hasCompiled = false;

  constructor(options: HelperLauncherOptions) {
    this.#options = options;
  }

  async launch({ resolved }: RequestedPolicy): Promise<HelperProcess> {
    const { command, launcherProgram, clock, limits, secretFiles, ownFolders, logger } = this.#options;
    const { acceptedForms = [] } = this.#options;
    this.#runtimeFiles ??= runtimeFiles(command, launcherProgram);
    const policy = helperPolicy(resolved, {
      runtime: [...this.#runtimeFiles, HELPER_CWD],
      secret: secretFiles,
      unchangeable: ownFolders,
    });
    const launcher = this.#launcher();
    launcher.expect?.();
    const prepared = await prepareSandbox({
      argv: command.argv,
      cwd: HELPER_CWD,
      env: { UV_THREADPOOL_SIZE: '8' },
      policy: policy.mounts,
      // The native launcher ends the tree when this server ends.
      dieWithParent: launcher.kind !== 'native',
      alwaysDeny: secretFiles,
      ownFolders,
      accept: acceptedForms,
      // Node, and the program that watches for the helper, open nothing else there.
      nullDeviceOnly: true,
    });
    for (const warning of prepared.warnings) logger.debug('file sandbox', { warning });
    return HelperProcess.start({
      launcher,
      prepared,
      policy,
      launcherProgram,
      clock,
      timeoutMs: limits.fileHelperTimeoutMs,
      onCompiledAnew: () => this.#compile(),
    });
  }

  /** Once for a server, which may not be the owner of the program: then nothing is left, and helpers start as they did. */
  #compile(): void {
    const [program, ...args] = this.#options.command.compile ?? [];
    if (this.#hasCompiled || program === undefined) return;
    this.#hasCompiled = true;
    // V8 takes back only what was made under the same flags, and helpers have no environment of the server's.
    const compiler = spawn(program, args, { cwd: '/', env: {}, stdio: 'ignore' });
    compiler.on('error', (error) => this.#options.logger.debug('file helper', { compile: error.message }));
    compiler.unref();
  }

  close(): void {
    this.#ownLauncher?.close();
  }

  #launcher(): Launcher {
    const shared = this.#options.launcher ?? this.#options.sharedLauncher?.();
    if (shared !== undefined) return shared;
    this.#ownLauncher ??= createLauncher();
    return this.#ownLauncher;
  }
}

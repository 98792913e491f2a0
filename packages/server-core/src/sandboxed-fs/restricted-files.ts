// Sandboxed file requests, as the handlers see them: a file system for a session and a policy. The sandbox library and
// the pool are loaded when the first restricted request comes.
import { fsSandboxNotEnforceable, invalidParams, RpcError } from '@codex/exec-protocol';
import type { Launcher } from '@codex/launcher';
import type { Clock } from '../clock.js';
import type { FileSystem } from '../fs/file-system.js';
import type { FsLimits } from '../fs/fs-limits.js';
import { localFileSystem } from '../fs/local-file-system.js';
import type { Logger } from '../logger.js';
import type { HelperPool, RequestedPolicy } from './helper-pool.js';
import { locateFileHelper } from './locate-helper.js';
import { restrictedFileSystem } from './restricted-file-system.js';
import type { HelperCommand } from './runtime-files.js';

export interface RestrictedFilesOptions {
  readonly fs: FsLimits;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly launcher?: Launcher;
  readonly secretFiles: readonly string[];
  /** Default: beside the bundle. */
  readonly fileHelper?: HelperCommand;
}

/** Clients repeat few policies; one that does not must not fill the memory. */
const MAX_PARSED = 256;

export class RestrictedFiles {
  readonly #options: RestrictedFilesOptions;
  readonly #parsed = new Map<string, RequestedPolicy>();
  readonly #followed = new WeakSet<AbortSignal>();
  #pool: Promise<HelperPool> | undefined;

  constructor(options: RestrictedFilesOptions) {
    this.#options = options;
  }

  /** Rejects with an RpcError for a policy that makes no sense or cannot be enforced here. */
  async fileSystem(owner: object, sandbox: unknown): Promise<FileSystem> {
    const pool = await this.#loaded();
    const policy = await this.#parse(pool, sandbox);
    if (!policy.resolved.restrictsFiles) return localFileSystem;
    return restrictedFileSystem({
      use: (act) => explained(pool.use(owner, policy, act)),
      hold: (helper) => pool.hold(helper),
    });
  }

  /** Starts the helper that a later request of this policy would wait for. Never fails. */
  warm(owner: object, sandbox: unknown): void {
    void this.#loaded()
      .then(async (pool) => {
        const policy = await this.#parse(pool, sandbox);
        if (policy.resolved.restrictsFiles) await pool.use(owner, policy, async () => undefined);
      })
      .catch((error: unknown) =>
        this.#options.logger.debug('no file helper was started', { why: String(error) }),
      );
  }

  /** Ends the helpers of a session that is over with its connection; one that waits for its client keeps them. */
  follow(session: { readonly isEnded: boolean }, connectionEnd: AbortSignal): void {
    if (this.#followed.has(connectionEnd)) return;
    this.#followed.add(connectionEnd);
    connectionEnd.addEventListener('abort', () => session.isEnded && this.endOwner(session), { once: true });
  }

  endOwner(owner: object): void {
    void this.#pool?.then(
      (pool) => pool.endOwner(owner),
      () => undefined,
    );
  }

  async close(): Promise<void> {
    await this.#pool?.then(
      (pool) => pool.close(),
      () => undefined,
    );
  }

  #loaded(): Promise<HelperPool> {
    this.#pool ??= this.#load();
    return this.#pool;
  }

  async #load(): Promise<HelperPool> {
    const { fs, fileHelper, env, ...rest } = this.#options;
    const command = fileHelper ?? locateFileHelper();
    if (command === undefined)
      throw notEnforceable('the file helper (codex-fs) is not installed with this server');
    const { HelperPool: Pool } = await import('./helper-pool.js');
    const tmpdir = env['TMPDIR'];
    return new Pool({
      ...rest,
      limits: fs,
      command,
      tmpdir: tmpdir?.startsWith('/') === true ? tmpdir : undefined,
    });
  }

  async #parse(pool: HelperPool, sandbox: unknown): Promise<RequestedPolicy> {
    const text = JSON.stringify(sandbox);
    const known = this.#parsed.get(text);
    if (known !== undefined) return known;
    const policy = await explained(Promise.resolve().then(() => pool.parse(sandbox)));
    if (this.#parsed.size >= MAX_PARSED) this.#parsed.clear();
    this.#parsed.set(text, policy);
    return policy;
  }
}

/** Failures of the sandbox as errors for the wire. */
async function explained<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { code, message } = error as { readonly code?: unknown; readonly message: string };
    if (typeof code !== 'string' || !code.startsWith('SANDBOX_')) throw error;
    throw code === 'SANDBOX_POLICY_INVALID' ? invalidParams(message) : notEnforceable(message);
  }
}

function notEnforceable(why: string): RpcError {
  const base = fsSandboxNotEnforceable();
  return new RpcError(base.code, `${base.message}: ${why}`);
}

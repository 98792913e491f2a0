// Sandboxed file requests, as the handlers see them: a file system for a session and a policy. The sandbox library and
// the pool are loaded when the first restricted request comes.
import { type Launcher, locateNative } from '@codex/launcher';
import type { Clock } from '../clock.js';
import type { DebugLog } from '../debug-log.js';
import type { FileSystem } from '../file-system.js';
import type { FsLimits } from '../fs-limits.js';
import { localFileSystem } from '../local/local-file-system.js';
import type { Watcher } from '../watch/watcher.js';
import type { HelperSource } from './calls/helper-source.js';
import { restrictedFileSystem } from './calls/restricted-file-system.js';
import { explainRefusal, notEnforceable } from './explain-refusal.js';
import { locateFileHelper } from './locate-helper.js';
import type { HelperOwner, HelperPool } from './pool/helper-pool.js';
import type { HelperCommand } from './pool/runtime-files.js';
import type { RequestedPolicy } from './requested-policy.js';
import type { restrictedWatcher } from './watch/restricted-watcher.js';

export interface RestrictedFilesOptions {
  readonly fs: FsLimits;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly logger: DebugLog;
  readonly launcher?: Launcher;
  readonly secretFiles: readonly string[];
  /** Default: beside the bundle. */
  readonly fileHelper?: HelperCommand;
}

/** Clients repeat few policies; one that does not must not fill the memory. */
const MAX_PARSED = 256;

interface Loaded {
  readonly pool: HelperPool;
  readonly readPolicy: (sandbox: unknown) => RequestedPolicy;
  readonly createWatcher: typeof restrictedWatcher;
}

export class RestrictedFiles {
  readonly #options: RestrictedFilesOptions;
  readonly #parsed = new Map<string, RequestedPolicy>();
  /** By session, then by the text of the policy. */
  readonly #fileSystems = new WeakMap<HelperOwner, Map<string, FileSystem>>();
  #loading: Promise<Loaded> | undefined;

  constructor(options: RestrictedFilesOptions) {
    this.#options = options;
  }

  /**
   * Rejects with an RpcError for a policy that makes no sense or cannot be enforced here. At once for a policy whose
   * text this session has sent before: what it names is looked at with every call, not here.
   */
  fileSystem(owner: HelperOwner, sandbox: unknown): FileSystem | Promise<FileSystem> {
    const text = JSON.stringify(sandbox);
    return this.#fileSystems.get(owner)?.get(text) ?? this.#makeFileSystem(owner, sandbox, text);
  }

  /** The same for watching. Undefined when the policy hides nothing from the server itself. */
  async watcher(owner: HelperOwner, sandbox: unknown): Promise<Watcher | undefined> {
    const { pool, policy, createWatcher } = await this.#prepare(sandbox, JSON.stringify(sandbox));
    if (!policy.resolved.restrictsFiles) return undefined;
    const { clock } = this.#options;
    return createWatcher({ source: helperSource(pool, owner, policy), policy, clock });
  }

  /** Starts the helper that a later request of this policy would wait for. Never fails. */
  warm(owner: HelperOwner, sandbox: unknown): void {
    void this.#prepare(sandbox, JSON.stringify(sandbox))
      .then(async ({ pool, policy }) => {
        if (policy.resolved.restrictsFiles) await pool.warm(owner, policy);
      })
      .catch((error: unknown) =>
        this.#options.logger.debug('no file helper was started', { why: String(error) }),
      );
  }

  async close(): Promise<void> {
    await this.#loading?.then(
      ({ pool }) => pool.close(),
      () => undefined,
    );
  }

  async #makeFileSystem(owner: HelperOwner, sandbox: unknown, text: string): Promise<FileSystem> {
    const { pool, policy } = await this.#prepare(sandbox, text);
    const made = policy.resolved.restrictsFiles
      ? restrictedFileSystem(helperSource(pool, owner, policy))
      : localFileSystem;
    const known = this.#fileSystems.get(owner) ?? new Map<string, FileSystem>();
    if (known.size >= MAX_PARSED) known.clear();
    this.#fileSystems.set(owner, known.set(text, made));
    return made;
  }

  async #prepare(sandbox: unknown, text: string): Promise<Loaded & { policy: RequestedPolicy }> {
    this.#loading ??= this.#load();
    const loaded = await this.#loading;
    const known = this.#parsed.get(text);
    if (known !== undefined) return { ...loaded, policy: known };
    const policy = understood(() => loaded.readPolicy(sandbox));
    if (this.#parsed.size >= MAX_PARSED) this.#parsed.clear();
    this.#parsed.set(text, policy);
    return { ...loaded, policy };
  }

  async #load(): Promise<Loaded> {
    const { fs, fileHelper, env, launcher, cwd, ...rest } = this.#options;
    const command = fileHelper ?? locateFileHelper();
    if (command === undefined)
      throw notEnforceable('the file helper (codex-fs) is not installed with this server');
    const { HelperPool: Pool } = await import('./pool/helper-pool.js');
    const { readPolicy } = await import('./requested-policy.js');
    const { restrictedWatcher: createWatcher } = await import('./watch/restricted-watcher.js');
    const pool = new Pool({
      ...rest,
      ...(launcher === undefined ? {} : { launcher }),
      limits: fs,
      command,
      watchProgram: launcher === undefined ? locateNative() : launcher.nativePath,
    });
    const tmpdir = env['TMPDIR']?.startsWith('/') === true ? env['TMPDIR'] : undefined;
    return { pool, readPolicy: (sandbox) => readPolicy(sandbox, { cwd, tmpdir }), createWatcher };
  }
}

function helperSource(pool: HelperPool, owner: HelperOwner, policy: RequestedPolicy): HelperSource {
  return {
    call: (call) => pool.call(owner, policy, call),
    use: (act) => pool.use(owner, policy, act),
    hold: (helper) => pool.hold(helper),
  };
}

function understood(read: () => RequestedPolicy): RequestedPolicy {
  try {
    return read();
  } catch (error) {
    return explainRefusal(error);
  }
}
